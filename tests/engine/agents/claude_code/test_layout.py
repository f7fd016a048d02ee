from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.agent import CLAUDE_CODE
from promptscope_engine.agents.claude_code.versions import VERSIONS
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import fields_of, with_value
from promptscope_engine.insight.effects import switches

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from pathlib import Path

    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project

FLAGS = [(f.name, [value for _, value in f.choices]) for f in fields_of(CLAUDE_CODE.params) if f.is_flag]
FILES = {
    "workspace/CLAUDE.md": "# Root\n\n<!-- gone -->\n\ntext @more.md\n",
    "workspace/more.md": "\ufeff---\nt: 1\n---\nmore\n",
    "workspace/.claude/rules/r.md": "---\npaths: src/**\n---\n\nrule\n",
    "workspace/.claude/settings.json": '{"language": "french", "outputStyle": "Terse"}',
    "workspace/.claude/output-styles/t.md": "---\nname: Terse\n---\nBe terse.\n",
    "workspace/.claude/skills/s/SKILL.md": "---\ndescription: A skill.\nwhen_to_use: often\n---\nbody\n",
    "workspace/.claude/agents/rev.md": "---\nname: rev\ndescription: Reviews\ntools: Read\n---\nYou review.\n",
    "workspace/src/CLAUDE.md": "nested",
}
SERVERS = [{"name": "fx", "instructions": "words ", "tools": [{"name": "t", "inputSchema": {"type": "object"}}]}]


def check(assembly: Assembly, cwd: Path) -> None:
    """The invariants of CONTRACT."""
    for channel in ("system", "messages"):
        joined = "".join(s.text for s in assembly.sections if s.present and s.channel == channel)
        if channel == "system":
            sent = "".join(block["text"] for block in assembly.request.system)
        else:
            sent = "".join(block["text"] for m in assembly.request.messages for block in m["content"])
        assert joined == sent
    ids = [s.id for s in assembly.sections]
    assert len(ids) == len(set(ids))
    for section in assembly.sections:
        for fragment in section.fragments:
            origin = fragment.origin
            if origin.kind == "file":
                assert origin.path is not None
                assert origin.start_line is not None
                lines = (cwd / origin.path).read_bytes().decode("utf-8", "replace").split("\n")
                assert fragment.text in "\n".join(lines[origin.start_line - 1 : origin.end_line])


SESSIONS: dict[str, list[Any]] = {
    "version": [*VERSIONS],
    "model": [None, "sonnet[1m]", "claude-sonnet-4-5-20250929", "claude-sonnet-5", "haiku", "claude-opus-5"],
    "mode": [None, "default", "plan"],
    "env": [{}, {"ANTHROPIC_BASE_URL": "http://x"}, {"ENABLE_TOOL_SEARCH": "true", "DISABLE_PROMPT_CACHING": "1"}],
    "reads": [[], ["src/a.py"]],
}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in FLAGS}),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in SESSIONS.items()}),
)
def test_invariants(repository: Project, flags: dict[str, Any], session: dict[str, Any]) -> None:
    repository.write(FILES)
    params: dict[str, Any] = {}
    for name, value in flags.items():
        params = with_value(params, name, value)
    assembly = repository.assemble(params=params, mcp_servers=SERVERS, **session)
    check(assembly, repository.cwd)


def test_the_static_prefix_is_a_block_of_its_own_at_the_first_party_host(repository: Project) -> None:
    first, identity, static, dynamic = repository.assemble("2.1.329", env={}).request.system
    assert "cache_control" not in first
    assert "cache_control" not in identity
    assert static["cache_control"] == {"type": "ephemeral", "scope": "global"}
    assert dynamic["cache_control"] == {"type": "ephemeral"}
    assert not dynamic["text"].startswith("\n")
    older = repository.assemble("2.1.100", env={}).request
    assert [block.get("cache_control") for block in older.system] == [
        None,
        None,
        {"type": "ephemeral", "scope": "global"},
        None,
    ]
    assert older.messages[-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
@pytest.mark.parametrize("args", [{"systemPrompt": "x"}, {"bare": True}, {"agent": "rev"}])
def test_a_prompt_that_is_replaced_is_one_block(repository: Project, version: str, args: dict[str, Any]) -> None:
    repository.write(FILES)
    _, identity, prompt = repository.assemble(version, env={}, params={"args": args}).request.system
    assert identity["cache_control"] == prompt["cache_control"] == {"type": "ephemeral"}


def test_breakpoints(repository: Project) -> None:
    request = repository.assemble(
        "2.1.329", env={"ENABLE_PROMPT_CACHING_1H": "1", "ANTHROPIC_BASE_URL": "http://x"}
    ).request
    assert request.system[-1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert request.messages[-1]["content"][-1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    off = repository.assemble("2.1.329", env={"DISABLE_PROMPT_CACHING": "1"}).request
    blocks = [*off.system, *(block for m in off.messages for block in m["content"])]
    assert not any("cache_control" in block for block in blocks)


def test_two_assemblies_are_equal(repository: Project) -> None:
    repository.write(FILES)
    assert repository.assemble().to_dict() == repository.assemble().to_dict()


def test_every_switch_can_be_thrown(repository: Project) -> None:
    repository.write(FILES)
    scenario = repository.scenario()
    base = assemble(scenario, repository.workspace, cached_only=True)
    thrown = list(switches(scenario, base))
    assert {"mode", "args.print", "settings.includeCoAuthoredBy"} <= {param for param, _, _ in thrown}
    for param, value, _ in thrown:
        check(assemble(scenario.with_value(param, value), repository.workspace, cached_only=True), repository.cwd)


def test_an_unknown_mode_is_an_error(repository: Project) -> None:
    with pytest.raises(ScenarioError, match="plan"):
        repository.assemble(mode="plann")


@pytest.mark.parametrize("args", [{}, {"print": True}, {"tools": ["Read"]}, {"tools": ["Bash", "Read"]}])
def test_the_placeholder_stands_before_the_last_tool(repository: Project, args: dict[str, Any]) -> None:
    assembly = repository.assemble("2.1.329", params={"args": args}, mcp_servers=SERVERS)
    names = [tool["name"] for tool in assembly.request.tools]
    placeholder = "DeferredToolPlaceholder"
    others = [tool.name for tool in assembly.tools if tool.present and tool.name != placeholder]
    assert names == [*others[:-1], placeholder, others[-1]]
    assert [tool["name"] for tool in assembly.request.tools if tool.get("defer_loading")] == [placeholder]
    assert repository.assemble("2.1.329", params={"args": {"tools": []}}).request.tools == ()
