"""What the budget took out of a file: the lost stretches are at their place, and nothing else is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.gather.bootstrap import inject, limits_of, stretches_of, widened, with_gaps
from promptscope_engine.agents.openclaw.materials import Excerpt, Injection
from promptscope_engine.javascript.text import js_trim_end, utf16_len
from promptscope_engine.prompt.model import Assembly, Section, SourceFile

from .conftest import Claw

TEXTS = st.text(alphabet="ab\n🦀é ", max_size=400)


def section(assembly: Assembly, name: str) -> Section:
    found = assembly.section(f"project_context.{name}")
    assert found is not None
    return found


def source(assembly: Assembly, end: str) -> SourceFile:
    return next(file for file in assembly.files if file.path.endswith(end))


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(5, 200), st.integers(1, 500))
def test_kept_and_lost_stretches_make_up_the_whole_file(texts: list[str], max_chars: int, total: int) -> None:
    files = [(f"f{n}", f"/f{n}", text) for n, text in enumerate(texts)]
    for text, injection in zip(texts, inject(files, max_chars, total), strict=True):
        length = utf16_len(js_trim_end(text))
        if not injection.lost:
            assert list(stretches_of(text, injection)) == []
            continue
        found = list(stretches_of(text, injection))
        assert sum(stretch.chars for stretch in found) == length
        at = 0
        for part, _ in with_gaps(text, injection):
            if part.start is not None:
                assert part.start == at
                at = part.end or 0
        assert at == length
        assert found[0].start_line == 1
        assert limits_of(text, injection, max_chars, total)[0].wanted == length


def test_the_lost_lines_stand_before_the_marker_with_their_reason(claw: Claw) -> None:
    text = "".join(f"line {number:03}\n" for number in range(1, 101))
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": text}
    assembly = claw(files, config={"agents": {"defaults": {"bootstrapMaxChars": 450}}})
    found = section(assembly, "AGENTS.md")
    (lost,) = found.absent
    assert lost.text.startswith("line 036\n")
    assert (lost.origin.start_line, lost.origin.end_line) == (36, 90)
    assert lost.why.text == "absent: cut, 494 characters: over bootstrapMaxChars"
    assert found.fragments[lost.at].text.startswith("\n\n[...truncated")
    assert [lever.param for lever in lost.why.levers] == ["configOverlay.agents.defaults.bootstrapMaxChars"]
    file = source(assembly, "AGENTS.md")
    assert [(s.start_line, s.end_line, s.chars, s.kept) for s in file.stretches] == [
        (1, 35, 315, True),
        (36, 90, 494, False),
        (90, 100, 90, True),
    ]
    assert [(edge.name, edge.allowed, edge.wanted) for edge in file.limits] == [
        ("bootstrapMaxChars", 450, 899),
        ("bootstrapTotalMaxChars", 150_000, 899),
    ]
    whole = claw(configOverlay={"agents": {"defaults": {"bootstrapMaxChars": 899}}})
    assert not source(whole, "AGENTS.md").truncated


def test_a_stretch_that_is_lost_from_the_first_character_on_is_counted_whole(claw: Claw) -> None:
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "0123456789"}
    found = section(
        claw(files, config={"agents": {"defaults": {"bootstrapTotalMaxChars": 64, "bootstrapMaxChars": 1}}}),
        "AGENTS.md",
    )
    assert [lost.why.text for lost in found.absent] == ["absent: cut, 10 characters: over bootstrapMaxChars"]


def test_a_file_that_the_total_drops_says_so_and_what_would_take_it_in(claw: Claw) -> None:
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "a" * 300, "workspace/SOUL.md": "b" * 200}
    assembly = claw(files, config={"agents": {"defaults": {"bootstrapTotalMaxChars": 310}}})
    file = source(assembly, "SOUL.md")
    assert "used up the total of 310 characters" in file.why.text
    assert file.injected_chars == 0
    found = section(assembly, "SOUL.md")
    assert not found.present
    assert "used up the total" in found.why.text
    (lever,) = found.why.levers
    assert (lever.param, lever.value) == ("configOverlay.agents.defaults.bootstrapTotalMaxChars", 500)
    raised = claw(
        config={"agents": {"defaults": {"bootstrapTotalMaxChars": 310}}},
        configOverlay={"agents": {"defaults": {"bootstrapTotalMaxChars": lever.value}}},
    )
    assert section(raised, "SOUL.md").text.endswith("b" * 200)


def test_the_lines_of_stretches_between_blank_ones() -> None:
    content = "\n\nab\ncd\nef\ngh"
    head, tail = Excerpt("\n\nab", 0, 4), Excerpt("ef\ngh", 8, 13)
    injection = Injection((head, Excerpt("[...]"), tail), kept=(4, 5, 13), lost=True)
    found = [
        (s.start_line, s.end_line, s.chars, s.kept, s.partial_start, s.partial_end)
        for s in stretches_of(content, injection)
    ]
    assert found == [
        (1, 3, 4, True, False, False),
        (3, 4, 4, False, True, False),
        (5, 6, 5, True, False, False),
    ]


@pytest.mark.parametrize(("end", "partial"), [(3, True), (4, False), (5, False), (6, True)])
def test_a_stretch_that_ends_within_a_line_is_partial(end: int, partial: bool) -> None:
    content = "\n\nab\ncd"
    injection = Injection((Excerpt(content[:end], 0, end),), lost=True)
    kept, lost = stretches_of(content, injection)
    assert (kept.partial_end, lost.partial_start, lost.partial_end) == (partial, end != 5, False)


@pytest.mark.parametrize(
    ("length", "whole", "params"),
    [
        (100, 1_000, []),
        (101, 1_000, ["bootstrapMaxChars"]),
        (100, 1_001, ["bootstrapTotalMaxChars"]),
        (101, 1_001, ["bootstrapMaxChars", "bootstrapTotalMaxChars"]),
    ],
)
def test_only_the_limits_that_are_too_low_are_raised(length: int, whole: int, params: list[str]) -> None:
    assert [lever.param.rpartition(".")[2] for lever in widened(length, whole, 100, 1_000)] == params


@pytest.mark.parametrize("content", ["", " \n", "text"])
def test_nothing_is_cut_out_of_a_file_that_is_not_lost(content: str) -> None:
    whole = Excerpt(content, 0, len(content))
    assert list(with_gaps(content, Injection())) == []
    assert list(with_gaps(content, Injection((Excerpt("[MISSING]"),)))) == [(Excerpt("[MISSING]"), True)]
    assert list(with_gaps(content, Injection((whole,)))) == [(whole, True)]
