"""`Caches` for an agent whose request is cached as far as it begins alike: see caching.py, loaded when asked for.

`[caching.EVENT]` in agent.toml is what can happen in a session: its `name` as a person says it, and what it does to
sections by their stability, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from promptscope_engine.agents.features import CacheEffect, Caches, Forecast
from promptscope_engine.prompt.model import Assembly, Section

from .folder import Folder


class CachedByOrder(Caches, Protocol):
    """A subclass has the folder."""

    @property
    def folder(self) -> Folder: ...

    @property
    def events(self) -> Mapping[str, str]:
        return {event: each["name"] for event, each in self.folder.agent["caching"].items()}

    def cache_effect(self, _assembly: Assembly, section: Section, event: str) -> CacheEffect:
        return CacheEffect(*self.folder.agent["caching"][event][section.stability])

    def boundary(self, assembly: Assembly) -> str | None:
        from .caching import boundary

        return boundary(assembly)

    def forecast(self, assembly: Assembly, path: str) -> Forecast:
        from .caching import forecast

        return forecast(assembly, path)
