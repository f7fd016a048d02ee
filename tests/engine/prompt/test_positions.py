"""Tokens before a place of the request, which is what its cache goes by."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, ours, section

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly, Section, Tool, ToolTokens
from promptscope_engine.prompt.positions import blocks, cached_before, offset_of, tokens_before, tool_tokens
from promptscope_engine.wire.request import Request


def assembly_at(folder: Path, agent: str) -> Assembly:
    return assemble(Scenario(agent=agent, workspace=str(folder), home=str(folder / "home"), env={}, params={}))


def test_the_last_block_ends_with_all_tokens(tmp_path: Path) -> None:
    for agent in ("claude-code", "roo"):
        assembly = assembly_at(tmp_path, agent)
        last = blocks(assembly)[-1]
        assert assembly.tokens.expected is not None
        assert abs(last.after - assembly.tokens.expected) <= len(assembly.sections) + len(assembly.tools)


def test_blocks_follow_each_other(tmp_path: Path) -> None:
    assembly = assembly_at(tmp_path, "claude-code")
    found = blocks(assembly)
    assert found[0].before == tool_tokens(assembly)
    for first, second in pairwise(found):
        assert abs(first.after - second.before) <= 1
        assert first.before <= first.after


def test_a_place_inside_of_a_section_takes_its_share(tmp_path: Path) -> None:
    assembly = assembly_at(tmp_path, "claude-code")
    section = next(
        s for s in assembly.sections if s.present and s.channel == "system" and (s.expected_tokens or 0) > 99
    )
    start = offset_of(assembly, section)
    before = tokens_before(assembly, "system", start)
    half = tokens_before(assembly, "system", start + section.chars // 2)
    after = tokens_before(assembly, "system", start + section.chars)
    assert before < half < after
    assert abs((half - before) - (section.expected_tokens or 0) / 2) <= 2


def test_cached_is_what_a_breakpoint_closed(tmp_path: Path) -> None:
    assembly = assembly_at(tmp_path, "claude-code")
    first = next(block for block in blocks(assembly) if block.cache is not None)
    assert cached_before(assembly, "system", first.end - 1) == 0
    assert cached_before(assembly, "system", first.end) == first.after


# --- of sections made up for it -----------------------------------------------------------------------------------


def placed(*sections: Section, tools: tuple[Tool, ...] = ()) -> Assembly:
    return replace(assembly_of(*sections), tools=tools)


ONE = section("one", ours("x" * 10), expected_tokens=20)
GONE = section("gone", ours("x" * 10), expected_tokens=100, present=False)
TWO = section("two", ours("x" * 4), expected_tokens=8)
SAID = section("said", ours("x" * 5), expected_tokens=50, channel="messages")
READ = Tool("read", "g", True, WHY, "", None, (), None, ToolTokens(None, None, 3), "exact", None)
WHOLE = placed(ONE, GONE, SAID, TWO, tools=(READ, replace(READ, section="two"), replace(READ, present=False)))


@pytest.mark.parametrize(
    ("channel", "offset", "tokens"),
    [
        ("system", 0, 3),
        ("system", 1, 5),
        ("system", 5, 13),
        ("system", 9, 21),
        ("system", 10, 23),
        ("system", 11, 25),
        ("system", 14, 31),
        ("system", 99, 31),
        ("messages", 0, 31),
        ("messages", 1, 41),
        ("messages", 5, 81),
    ],
)
def test_tokens_before_a_place_are_tools_sections_and_a_share(channel: str, offset: int, tokens: int) -> None:
    """Tools come first, then the system prompt, then messages; what is absent, or told in a section, is not counted."""
    assert tokens_before(WHOLE, channel, offset) == tokens


def test_where_a_section_begins_in_its_channel() -> None:
    assert [offset_of(WHOLE, each) for each in (ONE, TWO, SAID)] == [0, 10, 0]
    assert tool_tokens(WHOLE) == 3


def test_a_section_that_is_empty_or_not_counted_takes_nothing() -> None:
    assert tokens_before(placed(section("empty", expected_tokens=9), TWO), "system", 0) == 9
    assert tokens_before(placed(section("unknown", ours("x")), TWO), "system", 1) == 0
    assert tool_tokens(placed(tools=(replace(READ, tokens=ToolTokens(None, None, None)),))) == 0


def test_blocks_of_the_wire_have_characters_and_tokens() -> None:
    assert [(b.at, b.start, b.end, b.before, b.after, b.cache) for b in blocks(WHOLE)] == [
        (("system", 0), 0, 14, 3, 31, None),
        (("messages", 0, 0), 0, 5, 31, 81, None),
    ]


def cached(*marks: str) -> Assembly:
    """Blocks of one section each: two of the system prompt and two of messages; which of them have a breakpoint."""
    mark = {"cache_control": {"type": "ephemeral"}}
    blocks = {n: {"type": "text", "text": "x" * 4, **(mark if n in marks else {})} for n in ("s0", "s1", "m0", "m1")}
    said = ({"role": "user", "content": [blocks["m0"]]}, {"role": "user", "content": [blocks["m1"]]})
    sections = [replace(TWO, id=n, channel="system" if n[0] == "s" else "messages") for n in blocks]
    request = Request(system=(blocks["s0"], blocks["s1"]), messages=said, tools=())
    return replace(placed(*sections), request=request)


@pytest.mark.parametrize(
    ("marks", "channel", "offset", "tokens"),
    [
        ((), "messages", 8, 0),
        (("s0",), "system", 3, 0),
        (("s0",), "system", 4, 8),
        (("s0",), "messages", 0, 8),
        (("s0", "s1"), "system", 7, 8),
        (("s0", "s1"), "system", 8, 16),
        (("s1", "m0"), "messages", 3, 16),
        (("s1", "m0"), "messages", 4, 24),
        (("m0", "m1"), "system", 8, 0),
        (("m0", "m1"), "messages", 8, 32),
    ],
)
def test_what_is_cached_ends_at_the_last_breakpoint_before_a_place(
    marks: tuple[str, ...], channel: str, offset: int, tokens: int
) -> None:
    assert cached_before(cached(*marks), channel, offset) == tokens
