"""A long text as sections."""

from __future__ import annotations

from promptscope_engine.agents.kit.headings import by_headings
from promptscope_engine.prompt.drafts import builtin, label


def test_each_heading_is_a_section_below_the_last_one_of_the_first_level() -> None:
    parts = [
        ("intro", (builtin("intro", "You are"),)),
        ("near", (builtin("near", "## Near\ntext"),)),
        ("top", (builtin("top", "# Top\ntext"),)),
        ("inner", (builtin("inner", "## Inner\ntext"), label("!"))),
    ]
    found = [*by_headings(parts)]
    assert [(each.title, each.heading, each.parent) for each in found] == [
        ("Introduction", None, None),
        ("Near", "## Near", None),
        ("Top", "# Top", None),
        ("Inner", "## Inner", "top"),
    ]
    assert [*found[3].spans] == [label("## Inner\n"), builtin("inner", "text"), label("!")]
