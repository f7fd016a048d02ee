"""The traits that situations are composed of: a function each, that writes one kind of thing into a sketch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from tests.oracle.clients import named
from tests.oracle.sketch import Sketch

from .declared import declared

Trait = Callable[[Sketch], None]

_TABLES: dict[str, dict[str, Trait]] = defaultdict(dict)


def trait(*clients: str) -> Callable[[Trait], Trait]:
    """Make a function a trait of these clients, under its own name."""

    def register(function: Trait) -> Trait:
        for client in clients:
            assert function.__name__ not in _TABLES[client], f"{client} has {function.__name__} already"
            _TABLES[client][function.__name__] = function
        return function

    return register


def traits_of(client: str) -> dict[str, Trait]:
    """All traits of a client, by name."""
    for module in sorted(iter_modules(__path__), key=lambda found: found.name):
        import_module(f".{module.name}", __package__)
    return {**_declared(client), **_TABLES[client]}


@cache
def _declared(client: str) -> dict[str, Trait]:
    files = dict.fromkeys((f"{named(client).agent}.yaml", f"{client}.yaml"))
    found = [declared(path) for name in files if (path := Path(__file__).with_name(name)).exists()]
    return {name: each for table in found for name, each in table.items()}
