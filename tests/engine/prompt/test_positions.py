"""Tokens before a place of the request, which is what its cache goes by."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.prompt.positions import blocks, cached_before, offset_of, tokens_before, tool_tokens


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
