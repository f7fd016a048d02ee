"""The header: what goes and what stays where there is little room."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.tui.support.make import assembly, section

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Diagnostic, Fragment, Origin, Severity
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import middle, width_of
from promptscope_tui.views.bars.top import Header
from promptscope_tui.watching.status import Polled, WatchStatus


def words(header: Header, width: int) -> str:
    left, right = header.parts(width)
    assert sum(width_of(part.spans) for part in (*left, *right)) <= width
    return "".join(span.text for part in (*left, *right) for span in part.spans)


def header() -> Header:
    made = Header()
    made.agent, made.status = load_agent("claude-code"), WatchStatus("live", 14, 24)
    shown = assembly(section("a", "text"))
    made.assembly = replace(
        shown, workspace="/home/ada/code/customers/acme/shop", agent_version="2.1.330", model="claude-opus-5-5"
    )
    return made


@pytest.mark.parametrize("width", [90, 100, 120, 140])
def test_the_path_stays_and_is_shortened_in_the_middle(width: int) -> None:
    found = words(header(), width)
    assert "~/code/" in found
    assert "/shop" in found
    assert "● live" in found


def test_a_path_keeps_its_beginning_and_its_name() -> None:
    assert middle("~/code/customers/acme/shop", 26) == "~/code/customers/acme/shop"
    assert middle("~/code/customers/acme/shop", 18) == "~/code…s/acme/shop"


@pytest.mark.parametrize("width", [60, 80, 90, 100, 120, 140, 160, 200])
def test_what_is_polled_is_counted_at_any_width_and_what_to_raise_named_where_it_fits(width: int) -> None:
    made = header()
    made.status = WatchStatus("live", 312, 900, 212, (Polled("limit", 100, 300, "fs.inotify.max_user_watches=524288"),))
    found = words(made, width)
    assert "◐ " in found
    assert "100 polled" in found
    assert ("inotify limit" if width == 80 else "max_user_watches") in found or width < 80
    assert "live, 212 watched, 100 polled: raise fs.inotify.max_user_watches" in found or width < 160


def test_a_folder_that_is_gone_is_not_live() -> None:
    made = header()
    made.gone = True
    assert "✗ the folder is gone" in words(made, 140)
    assert "live" not in words(made, 140)


def learned_header() -> Header:
    """Of two parts with fixed prose, one was learned."""
    made = header()
    assert made.assembly is not None
    (known,) = made.assembly.sections
    ours, theirs = (Fragment("x", Origin(kind, id="a")) for kind in ("builtin", "learned"))
    sections = (replace(known, fragments=(ours,)), replace(known, fragments=(theirs,)))
    made.assembly = replace(made.assembly, sections=sections, learned=True, learned_version="2.1.333")
    return made


def test_a_learned_version_is_the_one_that_is_named() -> None:
    assert "Claude Code 2.1.330" in words(header(), 200)
    assert "learned" not in words(header(), 200)
    assert "Claude Code 2.1.333 learned, 1 of 2 parts" in words(learned_header(), 200)
    assert "Claude Code 2.1.333 learned ›" in words(learned_header(), 100)


def test_on_a_narrow_screen_it_still_says_that_it_was_learned() -> None:
    for width in (78, 60):
        left, _ = learned_header().parts(width)
        shown = "".join(span.text for part in left for span in part.spans)
        assert shown.startswith("Claude Code 2.1.333 learned ›")
    left, right = learned_header().parts(38)
    assert width_of(left[0].spans) + sum(width_of(part.spans) for part in right) + 2 <= 38


def test_a_client_of_another_version_is_named_with_the_age_of_the_model() -> None:
    made = header()
    made.installed = "2.1.330"
    assert "installed" not in words(made, 200), "it is the one that is shown"
    made.installed = "2.1.999"
    newest = load_agent("claude-code").versions[-1]
    assert f"2.1.999 installed, the model is {newest} of 20" in words(made, 200)
    assert "2.1.999 installed" in words(made, 110)
    assert "the model is" not in words(made, 110)
    left, _ = made.parts(56)
    assert "2.1.999" not in "".join(span.text for part in left for span in part.spans), "half of it would say nothing"
    made.show_snapshot(Snapshot(Scenario()), load_agent("codex"))
    assert made.installed == "", "it was the client of another agent"


def test_errors_and_warnings_are_told_apart() -> None:
    made = header()
    assert made.assembly is not None
    severities: tuple[Severity, ...] = ("error", "warning", "warning", "info")
    made.assembly = made.assembly.with_diagnostics(tuple(Diagnostic(each, "code", "text") for each in severities))
    assert "✗ 1   ⚠ 2" in words(made, 200)
