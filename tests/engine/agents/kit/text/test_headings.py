"""A long text as sections."""

from __future__ import annotations

from promptscope_engine.agents.kit.text.headings import by_headings
from promptscope_engine.prompt.drafts import builtin, label


def test_each_heading_is_a_section_below_the_last_one_of_the_first_level() -> None:
    parts = [
        builtin("intro", "You are\n"),
        builtin("near", "## Near\ntext\n"),
        builtin("top", "# Top\ntext\n"),
        builtin("inner", "## Inner\ntext"),
        label("!"),
    ]
    found = [*by_headings(parts, "\n")]
    assert [(each.title, each.heading, each.parent) for each in found] == [
        ("Introduction", None, None),
        ("Near", "## Near", None),
        ("Top", "# Top", None),
        ("Inner", "## Inner", "top"),
    ]
    assert [*found[1].spans] == [label("## Near\n"), builtin("near", "text")]
    assert [*found[3].spans] == [label("## Inner\n"), builtin("inner", "text"), label("!")]
