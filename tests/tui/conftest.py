"""What holds for every test of the app."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache, partialmethod
from time import monotonic, process_time
from typing import Any

import pytest
from rich.console import Console
from textual import app, pilot, screen
from textual.css import model, stylesheet
from textual.message import Message
from textual.message_pump import MessagePump


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Hundreds of apps read the style sheets of the same widgets. Parsed rules are never changed."""
    tokenize, parse = stylesheet.tokenize_values, stylesheet.parse
    variables: dict[Any, Any] = {}
    rules: dict[Any, Any] = {}

    def tokenized(values: dict[str, str]) -> Any:
        key = tuple(values.items())
        if key not in variables:
            variables[key] = tokenize(values)
        return variables[key]

    def parsed(scope: str, css: str, read_from: Any, *, variable_tokens: Any, **given: Any) -> Any:
        key = (scope, css, read_from, id(variable_tokens), *given.items())  # the tokens are kept above
        if key not in rules:
            rules[key] = list(parse(scope, css, read_from, variable_tokens=variable_tokens, **given))
        return rules[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stylesheet, "tokenize_values", tokenized)
        patched.setattr(stylesheet, "parse", parsed)
        patched.setattr(model.RuleSet, "__hash__", object.__hash__)  # the same identity, without a call of Python
        yield


@pytest.fixture(scope="session", autouse=True)
def _pilots_wait_until_an_app_rests() -> Iterator[None]:
    """After each key Textual's pilot sleeps until the process has done next to nothing meanwhile. On a busy machine
    that may be because it was not its turn, and after a second it goes on whatever is left to do."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (app, pilot):
            patched.setattr(module, "wait_for_idle", _rest)
        patched.setattr(screen, "UPDATE_PERIOD", _FRAME)
        yield


_FRAME = 0.004
"""Seconds until a change is drawn, a quarter of Textual's own: most of the time of these tests was spent on waiting."""
_STEP, _SOON, _IDLE = 0.005, 0.005, 0.0005
"""Seconds: of a look, within which a timer is waited for (more than a frame), and of work in a step at rest."""
_COMPUTING = 1.0
"""Seconds for which a thread that computes is waited for."""


async def _rest(_: float = 0) -> None:
    """Wait until nothing waits for its turn, no timer is about to, and no thread computes."""
    loop: Any = asyncio.get_running_loop()
    begun = monotonic()
    async with asyncio.timeout(60):
        while True:
            before = process_time()
            await asyncio.sleep(_STEP)
            soon = loop.time() + _SOON
            idle = process_time() - before < _IDLE or monotonic() - begun > _COMPUTING
            if idle and not loop._ready and all(timer._cancelled or timer._when > soon for timer in loop._scheduled):
                return


@pytest.fixture(scope="session", autouse=True)
def _pictures_have_one_name() -> Iterator[None]:
    """Rich names a picture by a hash of the `repr` of all that is on it, which takes longer than to draw it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Console, "export_svg", partialmethod(Console.export_svg, unique_id="terminal"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _handlers_are_looked_up_once() -> Iterator[None]:
    """A message looks for its handlers in every base class of every widget that it passes: each twentieth second of a
    test that presses keys. They are kept by class where none is bound to a selector."""
    look_up = MessagePump._get_dispatch_methods

    @cache
    def handlers(kind: type[MessagePump], name: str, sent: type[Message]) -> list[tuple[type, Any]] | None:
        found = []
        for base in kind.__mro__:
            if base.__dict__.get("_decorated_handlers", {}).keys() & set(sent.__mro__):
                return None
            method = base.__dict__.get(f"_{name}") or base.__dict__.get(name)
            if method is not None and not getattr(method, "_textual_on", None):
                found.append((base, method))
        return found

    def methods(pump: MessagePump, name: str, message: Message) -> Iterator[tuple[type, Any]]:
        found = handlers(type(pump), name, type(message))
        if found is None:
            yield from look_up(pump, name, message)
            return
        for base, method in found:
            if message._no_default_action:
                break
            yield base, method.__get__(pump, base)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(MessagePump, "_get_dispatch_methods", methods)
        yield
