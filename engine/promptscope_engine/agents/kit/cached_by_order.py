"""`Caches` for an agent whose request is cached as far as it begins alike: see caching.py, loaded when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from promptscope_engine.agents.features import CacheEffect, Caches, Forecast
from promptscope_engine.prompt.model import Assembly, Section

if TYPE_CHECKING:
    from .caching import Event


class CachedByOrder(Caches, Protocol):
    """A subclass names what can happen in a session."""

    def cache_events(self) -> Mapping[str, Event]: ...

    @property
    def events(self) -> Mapping[str, str]:
        return {event: each.name for event, each in self.cache_events().items()}

    def cache_effect(self, _assembly: Assembly, section: Section, event: str) -> CacheEffect:
        return CacheEffect(*self.cache_events()[event].effects[section.stability])

    def boundary(self, assembly: Assembly) -> str | None:
        from .caching import boundary

        return boundary(assembly)

    def forecast(self, assembly: Assembly, path: str) -> Forecast:
        from .caching import forecast

        return forecast(assembly, path)
