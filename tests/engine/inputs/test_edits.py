"""Edits as they are written: one change each, with what belongs to it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from promptscope_engine.inputs.edits import KINDS, Edit, kept

BOTH = "give exactly one of `text` and `file`"
ONE = f"an edit is exactly one of {', '.join(KINDS)}"
PLACE = "exactly one of `before` and `after`"
SECTION = {"id": "x", "text": "X"}
TOOL = {"name": "Read"}


@pytest.mark.parametrize(
    ("values", "kind", "target"),
    [
        ({"drop": "rules"}, "drop", "rules"),
        ({"replace": "rules", "text": ""}, "replace", "rules"),
        ({"replace": "rules", "file": "x.md"}, "replace", "rules"),
        ({"insert": SECTION, "before": "rules"}, "insert", "x"),
        ({"insert": {"id": "x", "file": "x.md"}, "after": "rules"}, "insert", "x"),
        ({"move": "rules", "before": "tools"}, "move", "rules"),
        ({"tool": TOOL}, "tool", "Read"),
        ({"drop_tool": "Read"}, "drop_tool", "Read"),
    ],
)
def test_an_edit_is_one_change_of_one_thing(values: dict[str, Any], kind: str, target: str) -> None:
    edit = Edit.model_validate(values)
    assert (edit.kind, edit.target) == (kind, target)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, ONE),
        ({"text": "x"}, ONE),
        ({"drop": "rules", "drop_tool": "Read"}, ONE),
        ({"replace": "rules"}, BOTH),
        ({"replace": "rules", "text": "x", "file": "x.md"}, BOTH),
        ({"insert": {"id": "x"}, "after": "rules"}, BOTH),
        ({"insert": {**SECTION, "file": "x.md"}, "after": "rules"}, BOTH),
        ({"drop": "rules", "text": "x"}, "belong to `replace`, or into `insert`, not to `drop`"),
        ({"move": "rules", "after": "tools", "file": "x"}, "belong to `replace`, or into `insert`, not to `move`"),
        ({"insert": SECTION}, f"`insert` has {PLACE}"),
        ({"insert": SECTION, "before": "a", "after": "b"}, f"`insert` has {PLACE}"),
        ({"move": "rules"}, f"`move` has {PLACE}"),
        ({"move": "rules", "before": "a", "after": "b"}, f"`move` has {PLACE}"),
        ({"drop": "rules", "before": "a"}, "`drop` has no place"),
        ({"drop": "rules", "before": "a", "after": "b"}, "`drop` has no place"),
        ({"tool": {"name": ""}}, "at least 1 character"),
        ({"insert": {"id": "", "text": "X"}, "before": "a"}, "at least 1 character"),
    ],
)
def test_what_does_not_belong_together_is_refused(values: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Edit.model_validate(values)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("values", "moved"),
    [
        ({"replace": "rules", "file": "x.md"}, {"replace": "rules", "file": "/w/x.md"}),
        ({"replace": "rules", "text": "x"}, {"replace": "rules", "text": "x"}),
        (
            {"insert": {"id": "x", "file": "x.md"}, "before": "a"},
            {"insert": {"id": "x", "file": "/w/x.md"}, "before": "a"},
        ),
        ({"insert": SECTION, "before": "a"}, {"insert": SECTION, "before": "a"}),
        ({"drop": "rules"}, {"drop": "rules"}),
    ],
)
def test_the_files_of_an_edit_may_lie_elsewhere(values: dict[str, Any], moved: dict[str, Any]) -> None:
    assert Edit.model_validate(values).with_files(lambda path: f"/w/{path}") == Edit.model_validate(moved)


def test_kept_edits_say_the_same() -> None:
    edits = [Edit(drop="rules"), Edit.model_validate({"move": "a", "after": "b"})]
    assert [each.model_dump(exclude_unset=True) for each in kept(edits)] == [
        {"drop": "rules"},
        {"move": "a", "after": "b"},
    ]
    assert [each.kind for each in kept(edits)] == ["drop", "move"]
