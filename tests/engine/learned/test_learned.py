"""Learned wording as a file, and its holes."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from promptscope_engine.learned.model import (
    FORMAT,
    AddedSection,
    AddedTool,
    Ended,
    Learned,
    LearnedError,
    LearnedVersion,
    Moved,
    Wording,
    as_bytes,
    from_bytes,
    values_of,
    variant_of,
)

pytestmark = pytest.mark.slow

WORDING = Wording("rules", "abc", ("rules.intro",), ("In ", "workspace", " be brief."))
VERSION = LearnedVersion("roo", "3.28.16", (WORDING,), "2026-01-01T00:00:00+00:00")
NAMELESS = b'{"format": "promptscope.learned.v1", "agent": "roo"}'


def test_a_file_gives_back_what_was_kept() -> None:
    assert from_bytes(as_bytes(VERSION)) == VERSION


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"format": "other"}', b"[" * 100_000, NAMELESS])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(LearnedError):
        from_bytes(data)


@pytest.mark.parametrize(
    "flaw",
    [
        {"text": ["a", "nowhere", "b"]},
        {"text": ["a", "home"]},
        {"text": ["x" * 400_001]},
        {"text": ["x" * 400_000, "home", ""]},
        {"text": []},
        {"variant": None},
        {"text": "abc"},
        {"part": 7},
        {"ids": [1]},
    ],
)
def test_wordings_of_another_shape_are_left_out(flaw: dict[str, object]) -> None:
    plain = json.loads(as_bytes(VERSION))
    plain["wordings"].append({**plain["wordings"][0], **flaw})
    assert from_bytes(json.dumps(plain).encode()) == VERSION


@pytest.mark.parametrize(
    "text", [[""], ["x" * 400_000], ["x" * 399_996, "home", ""], ["", "home", "", "workspace", ""]]
)
def test_a_wording_has_at_most_400_000_characters(text: list[str]) -> None:
    version = LearnedVersion("roo", "1", (Wording("rules", "abc", (), tuple(text)),))
    assert from_bytes(as_bytes(version)) == version


def test_a_version_has_at_most_20_000_wordings() -> None:
    most = [Wording("", "", (), ("",))] * 20_000
    data = as_bytes(LearnedVersion("roo", "1", tuple(most)))
    with pytest.raises(LearnedError, match="more than 20,000 wordings of roo 1"):
        as_bytes(LearnedVersion("roo", "1", (*most, WORDING)))
    more = data.replace(b"[", b'[{"part": "", "variant": "first", "ids": [], "text": [""]},', 1)
    found = from_bytes(more).wordings  # of a file that was changed by hand
    assert (found[0].variant, found[1:]) == ("first", tuple(most[:-1]))


def test_a_file_has_at_most_16_mib() -> None:
    most = 16 * 1024 * 1024
    data = as_bytes(VERSION)
    assert from_bytes(data.ljust(most)) == VERSION
    with pytest.raises(LearnedError, match="larger than 16,777,216 bytes"):
        from_bytes(data.ljust(most + 1))
    fitting = LearnedVersion("roo", "1", tuple(Wording("rules", str(n), (), ("x" * 400_000,)) for n in range(41)))
    rest = most - len(as_bytes(fitting))
    assert len(as_bytes(replace(fitting, learned="x" * rest))) == most
    with pytest.raises(LearnedError, match="takes more than 16,777,216 bytes"):
        as_bytes(replace(fitting, learned="x" * (rest + 1)))


def test_a_variant_is_known_by_sixteen_digits() -> None:
    """Whatever was kept on a machine is found again by them."""
    assert variant_of([("rules.intro", "Be brief."), ("", "\n")]) == "95c32f44f9414e8e"
    assert variant_of([("a", "b")]) != variant_of([("a", ""), ("", "b")]) != variant_of([("ab", "")])


def test_holes_take_the_scenarios_values() -> None:
    assert WORDING.filled(values_of("/a/shop/", "/home/me")) == "In /a/shop be brief."
    assert values_of("/a/my shop", "/h")["workspace-name"] == "-a-my-shop"


def test_a_later_run_adds_and_replaces() -> None:
    newer = Wording("rules", "abc", ("rules.intro",), ("Be brief.",))
    more = VERSION.with_more([newer, Wording("rules", "def", (), ("x",))], "now")
    assert [wording.text for wording in more.wordings] == [("Be brief.",), ("x",)]
    assert Learned((more,)).of("roo", "3.28.16")["rules", "abc"] is newer
    assert Learned((more,)).of("roo", "3.28.15") == {}


def test_the_version_that_was_learned_last_is_the_one_installed() -> None:
    older = LearnedVersion("roo", "3.29.0", (), "2025-01-01T00:00:00+00:00")
    assert Learned((VERSION, older)).latest("roo") == "3.28.16"
    assert Learned((VERSION,)).latest("codex") is None


BROKEN = (
    {"wordings": [{"part": "a", "variant": "v", "ids": ["lines", "x", "no such hole", ""], "text": ["b"]}]},
    {"wordings": [{"part": "a", "variant": "v", "ids": ["a.b"], "text": ["x", "no such hole", ""]}]},
    {"wordings": [{"part": "a", "variant": "v", "ids": ["a.b"], "text": []}]},
    {"added": [{"name": "x", "description": ["d"], "schema": ["{not JSON"]}]},
    {"added": [{"name": "x", "description": ["d", "nowhere", ""], "schema": ["{}"]}]},
    {"added": [{"name": 3}], "wordings": "none"},
)


@pytest.mark.parametrize("rows", BROKEN)
def test_a_row_that_cannot_be_used_is_left_out(rows: dict[str, object]) -> None:
    plain = {"format": FORMAT, "agent": "x", "agent_version": "1", **rows}
    found = from_bytes(json.dumps(plain).encode())
    assert (found.wordings, found.added) == ((), ())


def test_everything_that_was_learned_comes_back_from_its_file() -> None:
    whole = LearnedVersion(
        "x", "1", (Wording("a", "v", ("a.b",), ("Hello.",), {"args.print": True}),), "2026-11-26T00:00:00+00:00", "0.9",
        (Ended("b", "gone", {"model": "small"}),), (Moved("c", "a", is_before=True),),
        (AddedTool("T", ("Does it in ", "home", "."), ('{"type": "object"}',), "S", ({"mode": "plan"},), "in all"),),
        (AddedSection(("New.",), "a", ({"mode": "plan"},), "in all"),),
        ("headless, plain",),
    )  # fmt: skip
    assert from_bytes(as_bytes(whole)) == whole


def test_what_was_learned_later_keeps_the_words_of_other_inputs() -> None:
    small, large = (replace(WORDING, text=(name,), only={"model": name}) for name in ("small", "large"))
    before = replace(VERSION, wordings=(small, large))
    assert before.merged(replace(VERSION, wordings=(WORDING,))).wordings == (small, large, WORDING)
    smaller = replace(small, text=("smaller",))
    assert before.with_more([smaller], "").wordings == (smaller, large)
