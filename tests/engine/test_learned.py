"""Learned wording: its holes, what a later run adds, which version counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from promptscope_engine.learned import (
    AddedSection,
    AddedTool,
    Ended,
    Learned,
    LearnedVersion,
    OptionEffect,
    Wording,
    values_of,
    variant_of,
)

pytestmark = pytest.mark.slow

WORDING = Wording("rules", "abc", ("rules.intro",), ("In ", "workspace", " be brief."))
VERSION = LearnedVersion("roo", "3.28.16", (WORDING,), "2026-01-01T00:00:00+00:00")


def test_a_variant_is_known_by_sixteen_digits() -> None:
    """Whatever was kept on a machine is found again by them."""
    assert variant_of([("rules.intro", "Be brief."), ("", "\n")]) == "95c32f44f9414e8e"
    assert variant_of([("a", "b")]) != variant_of([("a", ""), ("", "b")]) != variant_of([("ab", "")])


def test_holes_take_the_scenarios_values() -> None:
    assert WORDING.filled(values_of("/a/shop/", "/home/me")) == "In /a/shop be brief."
    assert values_of("/a/my shop", "/h")["workspace-name"] == "-a-my-shop"


def test_a_later_run_adds_and_replaces() -> None:
    newer = Wording("rules", "abc", ("rules.intro",), ("Be brief.",))
    more = VERSION.merged(replace(VERSION, wordings=(newer, Wording("rules", "def", (), ("x",)))))
    assert [wording.text for wording in more.wordings] == [("Be brief.",), ("x",)]
    assert Learned((more,)).of("roo", "3.28.16")["rules", "abc"] == newer
    assert Learned((more,)).of("roo", "3.28.15") == {}


def test_the_runs_of_two_times_are_counted_together() -> None:
    before = replace(VERSION, wordings=(replace(WORDING, runs=(1, 3)),), runs=("plain", "bare", "project"))
    later = replace(VERSION, wordings=(replace(WORDING, runs=(1,)),), runs=("plan mode",))
    both = before.merged(later)
    assert both.runs == ("plain", "bare", "project", "plan mode")
    assert [wording.runs for wording in both.wordings] == [(1, 3, 4)]
    other = replace(later, wordings=(replace(WORDING, text=("Be kind.",), runs=(1,)),))
    assert [wording.runs for wording in before.merged(other).wordings] == [(4,)], "other words: seen in that run only"


def test_a_new_part_says_in_how_many_runs_it_was_sent() -> None:
    tool, section = AddedTool("T", ("x",), ("{}",), runs=(2, 3)), AddedSection(("y",), "a", seen="in 3 of 9 runs")
    version = replace(VERSION, added=(tool,), sections=(section,), runs=("1", "2", "3"))
    assert version.sent_in(tool) == "it was sent in 2 of 3 runs"
    assert version.sent_in(section) == "in 3 of 9 runs", "of a file from before runs were kept"


def test_what_ended_of_each_way_to_start_stays() -> None:
    ways = (Ended("date", "why", {"args.print": True}), Ended("date", "why", {"args.print": False}))
    assert replace(VERSION, ended=ways).merged(VERSION).ended == ways


def test_an_option_that_is_tried_again_counts_as_the_later_run_shows_it() -> None:
    before = replace(VERSION, options=(OptionEffect("--brief", 9, new_texts=1), OptionEffect("--odd")))
    both = before.merged(replace(VERSION, options=(OptionEffect("--brief", -1_212, gone=("Read", "Edit")),)))
    assert [each.option for each in both.options] == ["--brief", "--odd"]
    assert [each.words for each in both.options] == ["-1,212 tokens, 2 tools gone (Read, Edit)", "nothing changed"]


def test_a_capture_adds_words_and_keeps_what_runs_taught() -> None:
    runs = replace(VERSION, base="3.28.16", ended=(Ended("gone", "why"), Ended("rules", "why")))
    more = runs.merged(replace(VERSION, learned="later"))
    assert (more.base, more.learned, [each.part for each in more.ended]) == ("3.28.16", "later", ["gone"])


def test_the_version_that_was_learned_last_is_the_one_installed() -> None:
    older = LearnedVersion("roo", "3.29.0", (), "2025-01-01T00:00:00+00:00")
    assert Learned((VERSION, older)).latest("roo") == "3.28.16"
    assert Learned((VERSION,)).latest("codex") is None


def test_a_version_is_read_once_and_when_it_is_asked_for() -> None:
    asked: list[str] = []

    def read(head: LearnedVersion) -> LearnedVersion:
        asked.append(head.agent_version)
        return replace(head, wordings=(WORDING,))

    learned = Learned([replace(VERSION, wordings=(), agent_version=number) for number in "123"], read)
    assert learned.latest("roo") == "1"
    assert ("roo", "2") in learned
    assert ("roo", "4") not in learned
    assert asked == []
    assert learned.of("roo", "2") is learned.of("roo", "2")
    assert learned.version("roo", "4") is None
    assert asked == ["2"]


def test_what_was_learned_later_keeps_the_words_of_other_inputs() -> None:
    small, large = (replace(WORDING, text=(name,), only={"model": name}) for name in ("small", "large"))
    before = replace(VERSION, wordings=(small, large))
    assert before.merged(VERSION).wordings == (small, large, WORDING)
    smaller = replace(small, text=("smaller",))
    assert before.merged(replace(VERSION, wordings=(smaller,))).wordings == (smaller, large)
