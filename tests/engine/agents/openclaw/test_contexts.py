"""What each bootstrap file comes to under the two limits, and what would let more of it in."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.openclaw.gather.bootstrap import bounds, contexts, files
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.materials import Context, Entry
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.model import Lever

OVERLAY = "configOverlay.agents.defaults"
NOT_GIVEN = Fact("file", "x", False, "", "not given", on=(Lever("sessionKey", None),))


def entry(name: str, content: str | None, when: Condition = ALWAYS) -> Entry:
    return Entry(name, f"/w/{name}", content, when, f"/w/{name}")


def wanted(context: Context) -> list[tuple[str, object]] | None:
    """What levers would set to have the file injected; None where none does."""
    levers = context.why.levers(Facts(), True)
    return None if levers is None else [(lever.param, lever.value) for lever in levers]


@pytest.mark.parametrize(
    ("defaults", "limits"),
    [
        ({}, (20_000, 150_000)),
        ({"bootstrapMaxChars": 1.9, "bootstrapTotalMaxChars": 64}, (1, 64)),
        ({"bootstrapMaxChars": 0, "bootstrapTotalMaxChars": "7"}, (20_000, 150_000)),
    ],
)
def test_the_limits_in_force(defaults: dict[str, object], limits: tuple[int, int]) -> None:
    assert bounds(SettingLevers({"agents": {"defaults": defaults}})) == limits


def test_a_file_without_room_asks_for_the_total_of_all_up_to_it() -> None:
    """A short one before it counts as the 64 characters without which none is begun."""
    _, dropped = contexts([entry("A", "a" * 300), entry("B", "b" * 200)], (20_000, 310))
    assert wanted(dropped) == [(f"{OVERLAY}.bootstrapTotalMaxChars", 500)]
    *_, last = contexts([entry("A", "a" * 300), entry("B", "b"), entry("C", "c" * 20)], (20_000, 310))
    assert wanted(last) == [(f"{OVERLAY}.bootstrapTotalMaxChars", 300 + 64 + 64)]


def test_no_lever_writes_into_a_blank_file() -> None:
    (blank,) = contexts([entry("A", " \n")], (20_000, 150_000))
    assert wanted(blank) is None
    assert (blank.amount, blank.stretches) == ("it is blank, so none of it is injected", ())


def test_a_file_that_the_session_is_not_given_takes_nothing() -> None:
    gone, there = contexts([entry("A", "a" * 300, NOT_GIVEN), entry("B", "b" * 300)], (20_000, 310))
    assert gone.injection.chars == 0
    assert wanted(gone) == [("sessionKey", None)]
    assert there.amount == "injected whole"
    row = next(files([gone], (20_000, 310), replaced=False))
    assert [(limit.name, limit.wanted) for limit in row.limits] == [
        ("bootstrapMaxChars", 300),
        ("bootstrapTotalMaxChars", 300),
    ]


@pytest.mark.parametrize(
    ("content", "limits", "amount"),
    [
        ("x" * 100, (100, 1_000), "injected whole"),
        (None, (100, 1_000), "no such file: a marker with its path stands in for it"),
        ("x" * 101, (100, 100), "cut to its first 70 and last 20 of 101 characters (bootstrapMaxChars), then clamped"),
        ("x" * 101, (100, 99), "cut to its first 69 and last 19 of 101 characters (bootstrapTotalMaxChars), then"),
        (None, (100, 10), "no such file: a marker with its path stands in for it"),
    ],
)
def test_how_much_of_a_file_is_injected(content: str | None, limits: tuple[int, int], amount: str) -> None:
    (found,) = contexts([entry("A.md", content)], limits)
    assert found.amount.startswith(amount)


def test_what_is_lost_names_the_limit_that_is_in_the_way() -> None:
    (found,) = contexts([entry("A.md", "x" * 400)], (300, 1_000))
    ((part, lost),) = [(part, lost) for part, lost in found.stretches if lost]
    verdict = lost.evaluate(Facts())
    assert (verdict.text, verdict.remedy) == (
        "cut, 130 characters: over bootstrapMaxChars",
        "raise `agents.defaults.bootstrapMaxChars`",
    )
    assert lost.levers(Facts(), True) == (Lever(f"{OVERLAY}.bootstrapMaxChars", 400),)
    assert (part.start, part.end) == (210, 340)


def test_the_rows_of_files() -> None:
    entries = [entry("AGENTS.md", "é"), entry("MEMORY.md", ""), entry("SOUL.md", None)]
    rows = list(files(contexts(entries, (20_000, 150_000)), (20_000, 150_000), replaced=False))
    assert [(row.kind, row.bytes, row.raw_chars, len(row.limits)) for row in rows] == [
        ("bootstrap", 2, 1, 2),
        ("memory", 0, 0, 2),
        ("bootstrap", 0, 0, 0),
    ]
