"""CONTRACT's invariants, for every agent, on workspaces that hold anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.frozen import frozen_scenario, sent

from promptscope_engine import Assembly, Counter, Scenario, ScenarioError, Workspace, assemble, effects, schema
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import Pipeline
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.model import TokenSummary, to_json
from promptscope_engine.schemas import adapter
from promptscope_engine.tokens.models import get_tokenizer, tokenizer_for_model
from promptscope_engine.wire.joined import Parts
from promptscope_engine.wire.request import AnyRequest

from . import declared_scenarios

pytestmark = pytest.mark.slow

AGENTS = (*agent_ids(), declared_scenarios.ID)
COUNTER = Counter(tokenizer_for_model(None))
"""Fixed prose is counted once, not once for each example."""
NAMES = (
    "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", ".rooignore", ".roomodes", ".roorules", ".roo/rules/a.md",
    ".roo/rules/sub/b.md", ".roo/rules-code/c.md", ".roo/mcp.json", ".roo/system-prompt-ask", ".mcp.json",
    ".claude/rules/r.md", ".claude/settings.json", "SOUL.md", "USER.md", "skills/x/SKILL.md", "AGENTS.override.md",
    ".agents/skills/x/SKILL.md", ".codex/config.toml", "GEMINI.md", ".gemini/settings.json", ".gemini/system.md",
    ".gemini/agents/a.md", ".gemini/skills/s/SKILL.md", ".geminiignore", "prompt/role.md", "prompt/refunds.md",
    "prompt/policies/a.md",
)  # fmt: skip
MORE: dict[str, dict[str, Any]] = {"gemini": {"params": {"trusted": True}}, "copilot": {"model": "gpt-5.4"}}
"""Without it that agent does not start."""
CONTENTS = st.one_of(
    st.binary(max_size=80),
    st.text(alphabet="ab#@: -{}[]\"'\n\r\t\ufeff\u200b中🙂", max_size=120).map(lambda t: t.encode()),
)


OWN = {name.removeprefix("ws/"): text.encode() for name, text in declared_scenarios.FILES.items()}
"""What the agent of the example needs."""


def put(root: Path, files: dict[str, bytes]) -> None:
    for folder in ("workspace", "home", "managed"):
        (root / folder).mkdir(parents=True)
    for name, content in {**OWN, **files}.items():
        path = root / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@pytest.mark.parametrize("agent", AGENTS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(st.sampled_from(NAMES), CONTENTS, max_size=8), flip=st.integers(0, 40))
def test_the_invariants_hold_whatever_the_files_say(
    agent: str, files: dict[str, bytes], flip: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("any")
    put(root, files)
    asked = frozen_scenario(agent, root, **MORE.get(agent, {}))
    params = resolve(asked, Workspace())[0].params
    flags = [(f.name, value) for f in fields_of(params) if f.is_flag for _, value in f.choices]
    if flip < len(flags):
        asked = asked.with_value(*flags[flip])
    workspace = Workspace()
    assembly = assemble(asked, workspace, COUNTER)
    plain = assembly.to_dict()

    assert plain == assemble(asked, counter=COUNTER).to_dict(), "the same files and scenario give the same assembly"
    json.dumps(plain)
    for channel in ("system", "messages"):
        joined = "".join(s.text for s in assembly.sections if s.present and s.channel == channel)
        assert joined == sent(plain["request"], channel)
    for section in assembly.sections:
        assert section.why.text
        assert section.present or not section.fragments
        for fragment in section.fragments:
            if fragment.origin.kind == "file":
                assert fragment.origin.path is not None
                lines = workspace.read(str(Path(assembly.workspace, fragment.origin.path))).text.split("\n")
                start, end = fragment.origin.start_line, fragment.origin.end_line
                assert start is not None
                # between a text of a definition and the line break before it a mark may be
                words = fragment.text.strip("\n") if agent == declared_scenarios.ID else fragment.text
                assert words in "\n".join(lines[start - 1 : end])
        if section.confidence == "exact":
            assert section.tokens == section.expected_tokens
    assert len({s.id for s in assembly.sections}) == len(assembly.sections)
    assert all(tool.why.text for tool in assembly.tools)
    assert all(file.why.text for file in assembly.files)


@pytest.mark.parametrize("agent", AGENTS)
def test_totals_are_counted_from_the_request(agent: str, tmp_path: Path) -> None:
    put(tmp_path, {"AGENTS.md": b"Use tabs.\n", "CLAUDE.md": b"Use spaces.\n"})
    assembly = assemble(frozen_scenario(agent, tmp_path, tokenizer="o200k_base", **MORE.get(agent, {})))
    count = Counter(get_tokenizer("o200k_base")).count
    assert assembly.tokens.by_channel["system"] == sum(
        count(block.value["text"]) for block in assembly.request.blocks() if block.field == "system"
    )
    assert assembly.tokens.total == sum(v or 0 for v in assembly.tokens.by_channel.values())


def _joined(value: Any) -> Any:
    """A request that was laid out in parts, with its texts joined."""
    if isinstance(value, Parts):
        return "".join(value.parts)
    if isinstance(value, dict):
        return {key: _joined(each) for key, each in value.items()}
    return [_joined(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("agent", AGENTS)
def test_a_layout_puts_texts_in_their_place_and_does_not_look_at_them(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"AGENTS.md": b"Use tabs.\n", "CLAUDE.md": b"Use spaces.\n", "GEMINI.md": b"Use pnpm.\n"})
    counted: list[AnyRequest] = []
    summary = Pipeline.summary

    def noted(pipeline: Pipeline, request: AnyRequest) -> TokenSummary:
        counted.append(request)
        return summary(pipeline, request)

    monkeypatch.setattr(Pipeline, "summary", noted)
    assembly = assemble(frozen_scenario(agent, tmp_path, **MORE.get(agent, {})))
    in_parts = [block.value["text"] for block in counted[0].blocks() if "text" in block.value]
    assert in_parts
    assert all(isinstance(text, Parts) for text in in_parts)
    assert _joined(to_json(counted[0])) == to_json(assembly.request)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_published_schema_describes_what_comes_out(agent: str, tmp_path: Path) -> None:
    put(tmp_path, {"AGENTS.md": b"Use tabs.\n"})
    plain = assemble(frozen_scenario(agent, tmp_path, **MORE.get(agent, {}))).to_dict()
    published = schema("assembly")
    assert set(published["properties"]) == set(plain)
    adapter(Assembly).validate_python(plain)
    asked = schema("scenario", agent)
    assert set(asked["properties"]["params"]["properties"]) == set(load_agent(agent).params.model_fields)


def test_one_saved_file_is_the_only_one_read_again(tmp_path: Path) -> None:
    put(tmp_path, {".roo/rules/a.md": b"a", ".roo/rules/b.md": b"b", "AGENTS.md": b"agents"})
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    assemble(frozen_scenario("roo", tmp_path), workspace, counter)
    before = workspace.reads
    saved = tmp_path / "workspace/.roo/rules/a.md"
    saved.write_text("changed")
    workspace.forget(workspace.changed())
    assert "changed" in assemble(frozen_scenario("roo", tmp_path), workspace, counter).system_text
    assert workspace.reads == before + 1


def test_effects_are_what_assembling_would_give(tmp_path: Path) -> None:
    put(tmp_path, {"AGENTS.md": b"Use tabs.\n"})
    asked = frozen_scenario("roo", tmp_path, mode="code")
    workspace, counter = Workspace(), Counter(get_tokenizer("o200k_base"))
    base = assemble(asked, workspace, counter)
    by_param = {(e.param, json.dumps(e.value)): e for e in effects(asked, workspace, counter, base)}
    diff = by_param["diffEnabled", "false"]
    assert diff.tools_removed == ("apply_diff",)
    assert diff.sections_removed == ("tools.apply_diff",)
    off = assemble(asked.with_value("diffEnabled", False), workspace, counter)
    assert diff.tokens == (off.tokens.expected or 0) - (base.tokens.expected or 0) < 0
    assert by_param["mode", '"ask"'].tools_removed[:1] == ("apply_diff",)
    assert not any(e.error for e in by_param.values())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"agent": "ro"}, "did you mean roo"),
        ({"params": {"diffEnable": False}}, "did you mean diffEnabled"),
        ({"params": {"diffStrategy": "x"}}, "params.diffStrategy"),
        ({"tokenizer": "o200k"}, "o200k_base"),
    ],
)
def test_what_makes_no_sense_names_the_nearest_choice(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    put(tmp_path, {})
    with pytest.raises(ScenarioError, match=says):
        assemble(Scenario.model_validate({**frozen_scenario("roo", tmp_path).to_dict(), **change}))
