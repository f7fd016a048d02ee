"""Panels and rows that take over what was shown before are those that are built from nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.tui.support.make import absent, assembly, builtin, from_file, label, section

from promptscope_engine.prompt.model import Assembly, Diagnostic, Section
from promptscope_tui.views.prompt.layout import Layout
from promptscope_tui.views.prompt.matches import Matches
from promptscope_tui.views.prompt.paint import Painter
from promptscope_tui.views.prompt.panels import Panels


def rule(number: int, text: str = "Be kind.\n", *, tokens: int | None = 10) -> Section:
    fragments = (label(f"# Rules from {number}:\n"), from_file(text, f"/work/shop/{number}.md"))
    return section(f"rules.{number}", *fragments, tokens=tokens, parent="rules")


def rules(*changed: Section) -> Assembly:
    """A prompt with thirty rules, of which these are other ones."""
    others = {each.id: each for each in changed}
    return replace(_FIRST, sections=tuple(others.get(each.id, each) for each in _FIRST.sections))


_FIRST = assembly(
    section("role", builtin("You help.\n"), tokens=7),
    section("rules", label("RULES\n"), tokens=3),
    *map(rule, range(30)),
    absent("lost", "there is none"),
)


def with_nine(made: Assembly, text: str) -> Assembly:
    """The same with another rule 9."""
    nine = rule(9, text, tokens=3)
    return replace(made, sections=tuple(nine if each.id == nine.id else each for each in made.sections))


def ids(layout: Layout) -> list[str]:
    return [layout.row(y).panel.id for y in range(layout.height)]


def lines(layout: Layout) -> list[str]:
    painter = Painter(layout, Matches(layout.panels, "", False))
    painted = (painter.paint(layout.row(y)) for y in range(layout.height))
    return ["".join(piece.text for piece in row.pieces) for row in painted]


def shown(panels: Panels) -> list[object]:
    return [
        (
            p.index,
            p.section,
            p.title,
            p.summary,
            p.tokens,
            p.exact,
            p.change or 0,
            p.changed,
            sorted(p.shares),
            p.present,
        )
        for p in panels.all
    ]


CHANGES: dict[str, Callable[[], Assembly]] = {
    "nothing": rules,
    "one text": lambda: rules(rule(4, "Be very kind.\n", tokens=12)),
    "two texts": lambda: rules(rule(4, "Be very kind.\n", tokens=12), rule(7, "Be.\n", tokens=1)),
    "a wider count": lambda: rules(rule(4, "Be very kind.\n" * 900, tokens=12_345)),
    "an unknown count": lambda: rules(rule(4, "Be very kind.\n", tokens=None)),
    "a file that is empty now": lambda: rules(section("rules.4", label("# Rules from 4:\n"), tokens=4, parent="rules")),
    "a section that went": lambda: rules(replace(rule(4), present=False, fragments=())),
    "the parent itself": lambda: rules(section("rules", label("MORE RULES\n"), tokens=5)),
    "another number of sections": lambda: replace(_FIRST, sections=_FIRST.sections[:-2]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_save_and_the_next_one_show_what_a_start_shows(change: str) -> None:
    first, second = _FIRST, CHANGES[change]()
    third = with_nine(second, "Last.\n")
    panels = Panels(first, first)
    opened = frozenset({"rules", "rules.4", "rules.9"})
    rows = Layout(panels, opened, False, 80)
    for before, now in ((first, second), (second, third), (third, third)):
        panels = Panels(now, before, panels)
        rows = Layout(panels, opened, False, 80, rows)
        fresh = Panels(now, before)
        plain = Layout(fresh, opened, False, 80)
        assert shown(panels) == shown(fresh)
        assert (panels.largest, panels.widest, panels.usual_stability) == (
            fresh.largest,
            fresh.widest,
            fresh.usual_stability,
        )
        assert panels.marked == fresh.marked
        assert lines(rows) == lines(plain)
        assert ids(rows) == ids(plain)


def test_only_what_changed_is_built_anew() -> None:
    before = Panels(_FIRST, _FIRST)
    now = Panels(rules(rule(4, "Be very kind.\n", tokens=12)), _FIRST, before)
    built = {panel.id for panel, old in zip(now.all, before.all, strict=True) if panel is not old}
    assert built == {"rules", "rules.4"}
    again = Panels(rules(rule(4, "Be very kind.\n", tokens=12)), _FIRST, Panels(rules(), _FIRST, now))
    assert again.by_id["rules"].changed


def test_what_changed_before_is_compared_again() -> None:
    """A second save of another file takes the marks of the first one away."""
    second = rules(rule(4, "Be very kind.\n", tokens=12))
    third = with_nine(second, "x\n")
    panels = Panels(third, second, Panels(second, _FIRST, Panels(_FIRST, _FIRST)))
    assert [panel.id for panel in panels.all if panel.changed] == ["rules", "rules.9"]


def test_a_finding_is_no_other_prompt() -> None:
    """What a check found is added to the diagnostics: the baseline's panels are those that were shown."""
    found = replace(_FIRST, diagnostics=(Diagnostic("warning", "x", "a finding"),))
    before = Panels(_FIRST, _FIRST)
    now = Panels(rules(rule(4, "Be very kind.\n", tokens=12)), found, before)
    assert now.all[0] is before.all[0]
