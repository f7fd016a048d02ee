"""What a module exports literally."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.exports import exports


def test_objects_by_their_names() -> None:
    text = "export const a = {description: 'one'}\nconst b = {}\nexport default {description: \"two\", args: {x: {}}}\n"
    assert [(each.name, each.value("description")) for each in exports(text)] == [("a", "one"), ("", "two")]


def test_the_argument_of_a_function_counts() -> None:
    [found] = exports("export default tool({ args: {a: {type: 'string'}}, async execute() { return '}' } })")
    assert found.value("args") == {"a": {"type": "string"}}


@pytest.mark.parametrize("text", ["export default {description: made()}", "export default {args: {a: made()}}"])
def test_what_is_made_when_it_runs_is_not_known(text: str) -> None:
    [found] = exports(text)
    assert found.value("description") is None
    assert found.value("args") is None
