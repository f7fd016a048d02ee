"""The header: what goes and what stays where there is little room."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.tui.support.make import assembly, section

from promptscope_engine.prompt.model import Fragment, Origin
from promptscope_tui.text.spans import middle, width_of
from promptscope_tui.views.bars.header import Header
from promptscope_tui.watching import WatchStatus


def words(header: Header, width: int) -> str:
    left, right = header.parts(width)
    assert sum(width_of(part.spans) for part in (*left, *right)) <= width
    return "".join(span.text for part in (*left, *right) for span in part.spans)


def header() -> Header:
    made = Header()
    made.agent_name, made.status = "Claude Code", WatchStatus("live", 14, 24)
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


def test_a_folder_that_is_gone_is_not_live() -> None:
    made = header()
    made.gone = True
    assert "✗ the folder is gone" in words(made, 140)
    assert "live" not in words(made, 140)


def test_how_much_of_the_prose_was_learned() -> None:
    made = header()
    assert made.assembly is not None
    (known,) = made.assembly.sections
    ours, theirs = (Fragment("x", Origin(kind, id="a")) for kind in ("builtin", "learned"))
    sections = (replace(known, fragments=(ours,)), replace(known, fragments=(theirs,)))
    made.assembly = replace(made.assembly, sections=sections)
    assert "calibrated" not in words(made, 200)
    made.assembly = replace(made.assembly, learned=True)
    assert "calibrated 2.1.330, 1 of 2 parts" in words(made, 200)
    assert "calibrated" in words(made, 100)
