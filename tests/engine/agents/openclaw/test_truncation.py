"""The budget of bootstrap files against a second implementation that works on lists of UTF-16 units."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.gather.bootstrap import inject
from promptscope_engine.javascript.text import utf16_len

SPACES = "\t\n\x0b\x0c\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
Units = list[int]


def units(text: str) -> Units:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def words(found: Units) -> str:
    return b"".join(unit.to_bytes(2, "little") for unit in found).decode("utf-16-le", "replace")


def reference(files: list[tuple[str, str, str | None]], max_chars: int, total: int) -> list[str | None]:
    """The texts as the agent makes them, step by step; None: not reached."""
    remaining, found, stopped = total, [], False
    for name, path, content in files:
        if stopped or remaining <= 0 or (content is not None and remaining < 64):
            stopped = True
            found.append(None)
            continue
        if content is None:
            text = units(f"[MISSING] Expected at: {path}")
        else:
            text = units(content.rstrip(SPACES))
            limit = max(1, min(max_chars, remaining))
            if len(text) > limit:
                head, tail = math.floor(limit * 0.7), math.floor(limit * 0.2)
                lines = [
                    "", f"[...truncated, read {name} for full content...]",
                    f"…(truncated {name}: kept {head}+{tail} chars of {len(text)})…", "",
                ]  # fmt: skip
                text = [*text[:head], 10, *units("\n".join(lines)), 10, *(text[-tail:] if tail else text)]
        if len(text) > remaining:
            keep = remaining if remaining <= 3 else remaining - 1
            if 0 < keep < len(text) and 0xD800 <= text[keep - 1] < 0xDC00 and 0xDC00 <= text[keep] < 0xE000:
                keep -= 1
            text = text[:keep] + ([] if remaining <= 3 else units("…"))
        remaining -= len(text)
        found.append(words(text))
    return found


TEXTS = st.one_of(
    st.none(), st.text(alphabet="ab\n é🦞\ufeff", max_size=400), st.integers(60, 900).map(lambda n: "x🦞y\n" * n)
)
FILES = st.lists(st.tuples(st.sampled_from(["AGENTS.md", "SOUL.md"]), st.just("/w/AGENTS.md"), TEXTS), max_size=6)


@given(FILES, st.integers(1, 1200), st.integers(1, 3000))
def test_every_budget_gives_what_the_algorithm_gives(
    files: list[tuple[str, str, str | None]], max_chars: int, total: int
) -> None:
    found = list(inject(files, max_chars, total))
    assert [i.text if i.reached else None for i in found] == reference(files, max_chars, total)


@given(FILES, st.integers(1, 1200), st.integers(1, 3000))
def test_the_total_is_never_exceeded_and_lengths_add_up(
    files: list[tuple[str, str, str | None]], max_chars: int, total: int
) -> None:
    found = list(inject(files, max_chars, total))
    assert sum(i.chars for i in found) <= total
    assert all(i.chars == utf16_len(i.text) for i in found)
    assert all(part.text for i in found for part in i.parts)


def one(content: str | None, max_chars: int = 20_000, total: int = 150_000) -> tuple[int, bool]:
    [found] = inject([("AGENTS.md", "/w/AGENTS.md", content)], max_chars, total)
    return found.chars, found.lost


def test_one_character_more_costs_two_thousand() -> None:
    assert one("a" * 20_000) == (20_000, False)
    assert one("a" * 20_001) == (18_110, True)


def test_a_cut_file_can_be_longer_than_the_whole() -> None:
    chars, lost = one("x" * 120, max_chars=100)
    assert (chars > 120, lost) == (True, True)


def test_below_five_the_tail_is_the_whole_file() -> None:
    [found] = inject([("A.md", "/A.md", "0123456789")], 4, 150_000)
    assert found.text.startswith("01\n\n[...truncated")
    assert found.text.endswith("\n\n0123456789")


@pytest.mark.parametrize("blank", ["", " \n\t\n", "\ufeff"])
def test_a_blank_file_is_reached_and_not_injected(blank: str) -> None:
    [found] = inject([("USER.md", "/USER.md", blank)], 100, 100)
    assert (found.reached, found.parts, found.lost) == (True, (), False)


def test_a_missing_file_is_charged_and_clamped() -> None:
    first, second = inject([("A", "/" + "p" * 60, None), ("B", "/b", "text")], 50, 60)
    assert (first.chars, first.text[-1], second.reached, second.lost) == (60, "…", False, True)


@pytest.mark.parametrize(
    ("before", "after", "is_pair"),
    [
        (0xD800, 0xDC00, True),
        (0xDBFF, 0xDFFF, True),
        (0xD7FF, 0xDC00, False),
        (0xDC00, 0xDC00, False),
        (0xD800, 0xDBFF, False),
        (0xD800, 0xE000, False),
    ],
)
def test_a_clamp_stops_before_a_pair_that_it_would_split(before: int, after: int, is_pair: bool) -> None:
    marker = len("[MISSING] Expected at: ")
    [found] = inject([("A", f"/2345{chr(before)}{chr(after)}9", None)], 100, marker + 7)
    assert found.chars == marker + (6 if is_pair else 7)


@pytest.mark.parametrize(("total", "text"), [(1, "["), (3, "[MI"), (4, "[MI…"), (5, "[MIS…")])
def test_an_ellipsis_needs_four_characters(total: int, text: str) -> None:
    [found] = inject([("A", "/A", None)], 100, total)
    assert (found.text, found.clamped) == (text, True)


@pytest.mark.parametrize("left", [63, 64, 65])
def test_a_file_is_begun_while_64_characters_are_left(left: int) -> None:
    files = [("A", "/A", "a" * 100), ("B", "/B", "b"), ("C", "/C", None)]
    _, second, third = inject(files, 1_000, 100 + left)
    assert (second.reached, second.lost) == (left >= 64, left < 64)
    assert third.reached is (left >= 64)
    _, missing = inject([files[0], files[2]], 1_000, 100 + left)
    assert missing.reached


def test_nothing_is_begun_when_nothing_is_left() -> None:
    first, second = inject([("A", "/A", "a" * 100), ("C", "/C", None)], 1_000, 100)
    assert (first.text, first.used, first.clamped, first.lost) == ("a" * 100, 0, False, False)
    assert [(part.start, part.end) for part in first.parts] == [(0, 100)]
    assert (second.reached, second.used, second.lost) == (False, 100, False)


@pytest.mark.parametrize("total", [-1, 0, 1])
def test_a_total_is_one_character_at_least(total: int) -> None:
    first, second = inject([("A", "/A", None), ("B", "/B", None)], 100, total)
    assert (first.text, first.used, second.reached, second.used) == ("[", 0, False, 1)


def test_no_part_is_empty_whatever_the_budget() -> None:
    for total in range(1, 600):
        [found] = inject([("A", "/A", "🦞" * 500)], 1_000, total)
        assert all(part.text for part in found.parts)
        assert found.chars <= total


@pytest.mark.parametrize(("limit", "kept"), [(0, (0, 0, 10)), (1, (0, 0, 10)), (2, (1, 0, 10)), (5, (3, 1, 10))])
def test_a_file_has_one_character_at_least(limit: int, kept: tuple[int, int, int]) -> None:
    [found] = inject([("A", "/A", "0123456789")], limit, 1_000)
    assert found.kept == kept
