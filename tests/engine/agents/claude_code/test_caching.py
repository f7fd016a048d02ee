from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.features.caching import Event, boundary, cache_effects, forecast
from promptscope_engine.prompt.positions import blocks

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"
FILES = {
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/rules/r.md": "---\npaths: src/**\n---\nrule",
    "workspace/.claude/output-styles/s.md": "---\nname: S\n---\nstyle body",
    "workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\n---\nx",
}


@pytest.mark.parametrize(
    ("version", "event", "section", "what"),
    [
        (V100, "turn", "git_status", "kept"),
        (V100, "turn", "hook.user_prompt_submit", "computed"),
        (V100, "compact", "git_status", "kept"),
        (V329, "compact", "git_status", "computed"),
        (V100, "compact", "skills", "dropped"),
        (V329, "compact", "skills", "computed"),
        (V329, "compact", "intro", "kept"),
        (V329, "compact", "environment", "computed"),
        (V329, "clear", "git_status", "computed"),
        (V329, "clear", "intro", "kept"),
        (V329, "resume", "git_status", "kept"),
        (V100, "resume", "git_status", "unknown"),
    ],
)
@pytest.mark.slow
def test_cache_effects(repository: Project, version: str, event: Event, section: str, what: str) -> None:
    assembly = repository.assemble(version, params={"hooks": {"UserPromptSubmit": "x"}})
    found = {effect.section: effect.what for effect in cache_effects(assembly, event)}
    assert found[section] == what


def test_compaction_loses_what_reads_loaded(repository: Project) -> None:
    repository.write(FILES)
    assembly = repository.assemble(reads=["src/x.py"])
    found = {effect.section: effect.what for effect in cache_effects(assembly, "compact")}
    assert found[f"woken:{repository.cwd}/.claude/rules/r.md"] == "lost"
    assert found[f"user_context.file:{repository.cwd}/CLAUDE.md"] == "computed"


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
    # The style stands in the last system block: only tools and identity are cached before it.
    assert style.cached == before["system", 1].after
    assert (tools.section, tools.cached) == ("tools", 0)
    assert nothing.cached == nothing.total


def test_the_boundary_stands_before_the_first_dynamic_section(repository: Project) -> None:
    assert boundary(repository.assemble(V329)) == "notes"
    assert boundary(repository.assemble(V329, model="claude-sonnet-4-5-20250929")) == "text_output"
    assert boundary(repository.assemble(V100)) == "session_guidance"
    for env in ({}, {"ANTHROPIC_BASE_URL": "http://x"}):
        params = {"args": {"systemPrompt": "mine", "appendSystemPrompt": "more"}}
        assert boundary(repository.assemble(params=params, env=env)) is None
