from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.agent import CLAUDE_CODE
from promptscope_engine.agents.claude_code.caching import boundary, forecast
from promptscope_engine.agents.features import Forecast
from promptscope_engine.prompt.positions import blocks
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"
FILES = {
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/rules/r.md": "---\npaths: src/**\n---\nrule",
    "workspace/.claude/output-styles/s.md": "---\nname: S\n---\nstyle body",
    "workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\n---\nx",
}


Effect = tuple[str, str]
FIXED = ("kept", "fixed text")
TURN = ("computed", "belongs to the turn")
UNKNOWN = ("unknown", "what 2.1.100 sends after a restart was not seen")
CLEARED = ("computed", "/clear drops every memo")
REPLAYED = ("kept", "replayed from the saved snapshot; changed files arrive in a reminder")
ONCE = ("kept", "computed once per session")
START = ("kept", "git status is a snapshot of the start")
AGAIN = ("computed", "the root's files, unscoped rules and auto memory are read again")
SENT_AGAIN = ("computed", "listings and facts are sent again, in another order")
FORGOTTEN = ("computed", "compaction drops the memos of the sections")


@pytest.mark.parametrize(
    "case",
    [
        (V100, "intro", ONCE, FIXED, FIXED, UNKNOWN),
        (V329, "intro", ONCE, FIXED, FIXED, REPLAYED),
        (V100, "environment", ONCE, FORGOTTEN, CLEARED, UNKNOWN),
        (V329, "environment", ONCE, FORGOTTEN, CLEARED, REPLAYED),
        (V100, "git_status", START, ("kept", "2.1.100 leaves the old git status"), CLEARED, UNKNOWN),
        (V329, "git_status", START, SENT_AGAIN, CLEARED, REPLAYED),
        (V100, "skills", ONCE, ("dropped", "2.1.100 does not list skills again"), CLEARED, UNKNOWN),
        (V329, "skills", ONCE, SENT_AGAIN, CLEARED, REPLAYED),
        (V100, "user_context", ONCE, AGAIN, CLEARED, UNKNOWN),
        (V329, "date", ONCE, SENT_AGAIN, CLEARED, REPLAYED),
        (V100, "hook.user_prompt_submit", TURN, SENT_AGAIN, CLEARED, TURN),
        (V329, "hook.user_prompt_submit", TURN, SENT_AGAIN, CLEARED, TURN),
    ],
)
def test_cache_effects(repository: Project, case: tuple[str, str, Effect, Effect, Effect, Effect]) -> None:
    version, section, turn, compact, clear, resume = case
    assembly = repository.assemble(version, params={"hooks": {"UserPromptSubmit": "x"}})
    present = assembly.section(section)
    assert present
    for event, wanted in {"turn": turn, "compact": compact, "clear": clear, "resume": resume}.items():
        found = CLAUDE_CODE.cache_effect(assembly, present, event)
        assert (found.what, found.why) == wanted, event


def test_compaction_loses_what_reads_loaded(repository: Project) -> None:
    repository.write(FILES)
    assembly = repository.assemble(reads=["src/x.py"])
    present = [section for section in assembly.sections if section.present]
    found = {section.id: CLAUDE_CODE.cache_effect(assembly, section, "compact").what for section in present}
    assert found["woken:.claude/rules/r.md"] == "lost"
    assert found["user_context.file:CLAUDE.md"] == "computed"


@pytest.mark.slow
def test_forecast(repository: Project) -> None:
    repository.write(FILES)
    params = {"settings": {"outputStyle": "S"}}
    assembly = assemble(repository.scenario(V100, params=params), repository.workspace)
    memory = forecast(assembly, str(repository.cwd / "CLAUDE.md"))
    style = forecast(assembly, str(repository.cwd / ".claude/output-styles/s.md"))
    tools = forecast(assembly, str(repository.cwd / ".claude/agents/a.md"))
    nothing = forecast(assembly, str(repository.cwd / "README.md"))
    before = {block.at: block for block in blocks(assembly)}
    assert memory.cached == before["messages", 0, 0].before
    assert memory.cached < memory.unchanged < memory.total
    # The style is in the last system block: only tools and identity are cached before it.
    assert style.cached == before["system", 1].after
    assert (tools.section, tools.cached) == ("tools", 0)
    assert nothing.cached == nothing.total


def test_of_what_is_not_counted_yet_nothing_is_cached(repository: Project) -> None:
    counter = Counter(get_tokenizer("o200k_base"))
    assembly = assemble(repository.scenario(V329), repository.workspace, counter, cached_only=True)
    assert forecast(assembly, str(repository.cwd / "README.md")) == Forecast(None, 0, 0, 0)


def test_the_boundary_stands_before_the_first_dynamic_section(repository: Project) -> None:
    assert boundary(repository.assemble(V329)) == "notes"
    assert boundary(repository.assemble(V329, model="claude-sonnet-4-5-20250929")) == "text_output"
    assert boundary(repository.assemble(V100)) == "session_guidance"
    for env in ({}, {"ANTHROPIC_BASE_URL": "http://x"}):
        params = {"args": {"systemPrompt": "mine", "appendSystemPrompt": "more"}}
        assert boundary(repository.assemble(params=params, env=env)) is None


@pytest.mark.parametrize("version", [V100, V329])
def test_the_cache_breaker_is_absent_with_its_reason(repository: Project, version: str) -> None:
    row = repository.assemble(version).section("cache_breaker")
    assert row is not None
    assert not row.present
    assert "no recorded request has one" in row.why.text
    assert row.why.levers == ()


def test_nothing_stands_behind_a_boundary_at_the_end(repository: Project) -> None:
    assembly = repository.assemble(V329)
    first = next(s for s in assembly.sections if s.id == boundary(assembly))
    system = [s for s in assembly.sections if s.present and s.channel == "system"]
    at = system.index(first)
    assert boundary(replace(assembly, sections=tuple(system[: at + 1]))) == first.id
    assert boundary(replace(assembly, sections=tuple(system[:at]))) is None
    assert boundary(replace(assembly, sections=tuple(system[at:]))) is None
    assert boundary(replace(assembly, sections=())) is None


@pytest.mark.parametrize(
    ("version", "path", "section"),
    [
        (V100, "workspace/.claude/agents/a.md", "tools"),
        (V329, "workspace/.claude/agents/a.md", "agents"),
        (V100, "workspace/.claude/agents/none.md", None),
        (V100, "workspace/CLAUDE.md", "user_context.file:CLAUDE.md"),
        (V329, "workspace/CLAUDE.md", "user_context.file:CLAUDE.md"),
    ],
)
def test_where_a_change_of_a_file_begins(repository: Project, version: str, path: str, section: str | None) -> None:
    repository.write(FILES)
    found = forecast(repository.assemble(version), str(repository.root / path))
    assert found.section == section
    assert section != "tools" or found == Forecast("tools", 0, 0, found.total), "tools stand in front of all"
