"""What holds for every scenario: the invariants of CONTRACT."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.insight.effects import switches
from promptscope_engine.prompt.model import Assembly, Section, Tool

pytestmark = pytest.mark.slow

unhurried = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])

TEXT = st.text(alphabet="ab# \n\r\t-🦞é\ufeff\u200b<&", max_size=40)
NAMES = st.sampled_from(["AGENTS.md", "SOUL.md", "TOOLS.md", "USER.md", "HEARTBEAT.md", "MEMORY.md", "memory.md"])
CONTENT = st.one_of(TEXT, st.integers(1, 300).map(lambda n: "🦞 line\r\n" * n)).map(str.encode) | st.binary(max_size=60)
PASSED: dict[str, st.SearchStrategy[Any]] = {
    "workspaceDir": TEXT,
    "extraSystemPrompt": TEXT,
    "ownerNumbers": st.lists(TEXT, max_size=3),
    "toolNames": st.lists(
        st.sampled_from(["read", "Exec", "message", "gateway", "memory_get", "x", " "]) | TEXT, max_size=4
    ),
    "toolSummaries": st.dictionaries(TEXT, TEXT, max_size=2),
    "modelAliasLines": st.lists(TEXT, max_size=3),
    "userTimezone": TEXT,
    "skillsPrompt": TEXT,
    "heartbeatPrompt": TEXT,
    "docsPath": TEXT,
    "workspaceNotes": st.lists(TEXT, max_size=3),
    "ttsHint": TEXT,
    "messageToolHints": st.lists(TEXT, max_size=3),
    "contextFiles": st.lists(st.fixed_dictionaries({"path": TEXT, "content": TEXT}), max_size=3),
    "runtimeInfo": st.fixed_dictionaries({}, optional={"channel": TEXT, "os": TEXT, "capabilities": st.lists(TEXT)}),
    "reasoningTagHint": st.booleans(),
}
OVERLAY = st.fixed_dictionaries({}, optional={name: st.none() | values for name, values in PASSED.items()})


def run(folder: Path, workspace: Workspace | None = None, mode: str | None = None, **params: Any) -> Assembly:
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder / "home"),
        mode=mode,
        params=params,
        env={},
    )
    return assemble(scenario, workspace, cached_only=True)


def check(assembly: Assembly) -> None:
    assert "".join(part["text"] for part in assembly.request.system) == assembly.system_text
    for section in assembly.sections:
        assert section.present or section.why.text
        for fragment in section.fragments:
            origin = fragment.origin
            if origin.kind == "file":
                assert origin.path
                assert origin.start_line
                lines = Path(origin.path).read_bytes().decode("utf-8", "replace").split("\n")
                assert fragment.text in "\n".join(lines[origin.start_line - 1 : origin.end_line])


@unhurried
@given(st.sampled_from([None, "full", "minimal", "none"]), OVERLAY)
def test_fragments_are_the_text_whatever_is_passed(mode: str | None, passed: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assembly = run(Path(folder), mode=mode, config={}, promptParams=passed)
        check(assembly)
        # no part is set off by a blank line: two breaks in a row come from a value only
        fixed = [f for s in assembly.sections for f in s.fragments if f.origin.kind == "builtin"]
        assert not any("\n\n" in f.text for f in fixed)


@unhurried
@given(
    st.dictionaries(NAMES, CONTENT, max_size=5),
    st.integers(1, 400),
    st.integers(1, 1500),
    st.sampled_from([None, "agent:main:subagent:1", "agent:main:cron:x"]),
)
def test_file_fragments_stand_in_their_lines(files: dict[str, bytes], most: int, total: int, key: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        limits = {"bootstrapMaxChars": most, "bootstrapTotalMaxChars": total}
        assembly = run(Path(folder), config={"agents": {"defaults": limits}}, sessionKey=key)
        check(assembly)
        injected = [f.injected_chars for f in assembly.files if f.kind in ("bootstrap", "memory")]
        assert sum(injected) <= total


@unhurried
@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_skills_keep_the_invariants(heads: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, description) in enumerate(heads):
            place = Path(folder) / "skills" / f"s{number}"
            place.mkdir(parents=True)
            head = f"---\nname: {name}\ndescription: |\n  {description}\n---\n"
            (place / "SKILL.md").write_bytes(head.encode())
        check(run(Path(folder), config={}))


def test_two_runs_are_the_same_and_the_second_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "skills/a").mkdir(parents=True)
    (tmp_path / "skills/a/SKILL.md").write_text("---\nname: a\ndescription: d\n---\n")
    (tmp_path / "AGENTS.md").write_text("rules\n")
    door = Workspace()
    first = run(tmp_path, door)
    reads = door.reads
    assert run(tmp_path, door).to_dict() == first.to_dict()
    assert door.reads == reads


def test_every_switch_can_be_set(tmp_path: Path) -> None:
    scenario = Scenario(
        agent="openclaw", agent_version="2026.2.24", workspace=str(tmp_path), home=str(tmp_path), env={}
    )
    door = Workspace()
    base = assemble(scenario, door, cached_only=True)
    for param, value, _ in switches(scenario, base):
        changed = assemble(scenario.with_value(param, value), door, cached_only=True)
        check(changed)


def test_levers_flip_what_they_belong_to(tmp_path: Path) -> None:
    """Setting all levers of an absent part, tool or file brings it in, of a present one takes it away."""
    scenario = Scenario(
        agent="openclaw", agent_version="2026.2.24", workspace=str(tmp_path), home=str(tmp_path), env={},
        params={"sessionKey": "agent:main:subagent:1", "senderIsOwner": False},
    )  # fmt: skip
    base = assemble(scenario, cached_only=True)
    flipped = 0
    for item in [*base.sections, *base.tools]:
        if not item.why.levers:
            continue
        changed = scenario
        for lever in item.why.levers:
            changed = changed.with_value(lever.param, lever.value)
        after = assemble(changed, cached_only=True)
        among: tuple[Section | Tool, ...] = after.tools if isinstance(item, Tool) else after.sections
        assert [x.present for x in among if _name(x) == _name(item)] == [not item.present]
        flipped += 1
    assert flipped > 15


def _name(part: Section | Tool) -> str:
    return part.id if isinstance(part, Section) else part.name
