"""What holds for every test of the app."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partialmethod
from typing import Any

import pytest
from rich.console import Console
from textual.css import model, stylesheet


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
def _pictures_have_one_name() -> Iterator[None]:
    """Rich names a picture by a hash of the `repr` of all that is on it, which takes longer than to draw it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Console, "export_svg", partialmethod(Console.export_svg, unique_id="terminal"))
        yield
