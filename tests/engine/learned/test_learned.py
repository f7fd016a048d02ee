"""Learned wording as a file, and its holes."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.learned.files import MAX_TEXT, LearnedError, as_bytes, from_bytes
from promptscope_engine.learned.model import Learned, LearnedVersion, Wording, values_of

WORDING = Wording("rules", "abc", ("rules.intro",), ("In ", "workspace", " be brief."))
VERSION = LearnedVersion("roo", "3.28.16", (WORDING,), "2026-01-01T00:00:00+00:00")


def test_a_file_gives_back_what_was_kept() -> None:
    assert from_bytes(as_bytes(VERSION)) == VERSION


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"format": "other"}', b"[" * 100_000])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(LearnedError):
        from_bytes(data)


@pytest.mark.parametrize(
    "flaw",
    [
        {"text": ["a", "nowhere", "b"]},
        {"text": ["a", "home"]},
        {"text": ["x" * (MAX_TEXT + 1)]},
        {"text": "abc"},
        {"part": 7},
        {"ids": [1]},
    ],
)
def test_wordings_of_another_shape_are_left_out(flaw: dict[str, object]) -> None:
    plain = json.loads(as_bytes(VERSION))
    plain["wordings"].append({**plain["wordings"][0], **flaw})
    assert from_bytes(json.dumps(plain).encode()) == VERSION


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
