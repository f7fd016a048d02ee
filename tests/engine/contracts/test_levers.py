"""Every offered lever acts, and what has none says what a person would do: over all agents, by real assembly.

An agent's scenarios are in `SCENARIOS`; each is a folder of files (`ws/…`, `home/…`) and a scenario over it.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.adapter import draft
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Draft
from promptscope_engine.prompt.model import Fragment, Origin, Reason, Verdict

from . import (
    claude_code_scenarios,
    codex_scenarios,
    copilot_scenarios,
    declared_scenarios,
    gemini_scenarios,
    openclaw_scenarios,
    opencode_scenarios,
)
from .case import Case

pytestmark = pytest.mark.slow

Key = tuple[str, ...]


def roo(files: dict[str, str] | None = None, *, mode: str = "code", **given: Any) -> Case:
    """A case of Roo: params by keyword, `model` and `mcp_servers` beside them."""
    top = {key: given.pop(key) for key in ("model", "mcp_servers") if key in given}
    return Case(files or {}, {"agent": "roo", "mode": mode, "params": given, "model": "claude-sonnet-4-5", **top})


MODES = """\
customModes:
  - slug: docs
    name: Docs
    roleDefinition: You write.
    groups:
      - read
  - slug: ask
    name: Ask
    roleDefinition: You answer.
    customInstructions: Briefly.
    groups: []
"""
NO_GROUPS = "customModes:\n" + "".join(
    f"  - slug: {slug}\n    name: {slug}\n    roleDefinition: You look on.\n    groups: []\n"
    for slug in ("architect", "code", "ask", "debug", "orchestrator")
)
SERVERS = '{\n "mcpServers": {\n  "a": {"command": "x"},\n  "b": {"command": "y", "disabled": true}\n }\n}\n'
SERVER = {"name": "s", "tools": [{"name": "t"}, {"name": "u", "enabledForPrompt": False}], "config": {"command": "c"}}
TASK = (
    "see @/long.ts @/docs/ @/none @/secret.pem @/a.pdf @/bin @problems @git-changes @abcdef1 @terminal "
    "@https://x.test/ @ftp://y and /go"
)
TASK_FILES = {
    "ws/long.ts": "1\n2\n3\n4\n",
    "ws/docs/a.md": "# A\n",
    "ws/docs/b.pem": "key",
    "ws/secret.pem": "key",
    "ws/a.pdf": "%PDF-",
    "ws/bin": "\0\1\2",
    "ws/.rooignore": "*.pem\n",
    "ws/.roo/commands/go.md": "Go.\n",
    "home/.roo/commands/go.md": "Go home.\n",
}
READY = {"enabled": True, "configured": True, "initialized": True}
STEERED = {"experiments": {"powerSteering": True}}

SCENARIOS: dict[str, Case] = {
    **{agent: Case({}, {"agent": agent}) for agent in agent_ids()},
    **{f"roo-{mode}": roo(mode=mode) for mode in ("architect", "code", "ask", "debug", "orchestrator", "unknown")},
    "roo-custom-mode": roo({"ws/.roomodes": MODES}, mode="docs"),
    "roo-custom-built-in": roo({"ws/.roomodes": MODES}, mode="ask"),
    "roo-no-groups": roo({"ws/.roomodes": NO_GROUPS}),
    "roo-bad-modes": roo({"ws/.roomodes": "customModes:\n  - slug: 'a b'\n"}),
    "roo-override": roo({"ws/.roo/system-prompt-code": "Only {{mode}}."}),
    "roo-override-elsewhere": roo({"ws/.roo/system-prompt-architect": "Only."}, mode="ask"),
    "roo-blank-override": roo({"ws/.roo/system-prompt-code": " \n"}),
    "roo-no-diff": roo(diffEnabled=False),
    "roo-no-strategy": roo(diffStrategy=None),
    "roo-multi-file-diff": roo(experiments={"multiFileApplyDiff": True}),
    "roo-browser": roo(supportsComputerUse=True),
    "roo-code-index": roo(codeIndex=READY, partialReadsEnabled=True),
    "roo-simple-read": roo(model="grok-code-fast-1"),
    "roo-one-read": roo(settings={"maxConcurrentFileReads": 1, "newTaskRequireTodos": True}),
    "roo-mcp-file": roo({"ws/.roo/mcp.json": SERVERS}),
    "roo-mcp-disabled": roo({"ws/.roo/mcp.json": SERVERS.replace('"x"', '"x", "disabled": true')}),
    "roo-mcp-bad": roo({"ws/.roo/mcp.json": '{"mcpServers": {"a": {}}}'}),
    "roo-mcp-on": roo(
        mcp_servers=[SERVER, {"name": "off", "disabled": True}, {"name": "down", "status": "connecting"}]
    ),
    "roo-mcp-none": roo(mcp_servers=[], enableMcpServerCreation=False),
    "roo-rules": roo({"ws/.roo/rules/a.md": "a", "home/.roo/rules-code/b.md": "b", "ws/.roo/rules/x.log": "l"}),
    "roo-legacy": roo({"ws/.roorules": "a", "ws/.clinerules": "b", "ws/.clinerules-code": "c"}),
    "roo-suppressed": roo({"home/.roo/rules/a.md": "a", "ws/.roorules": "b", "ws/.roo/rules-code/c.md": "c"}),
    "roo-agents": roo({"ws/AGENTS.md": "a", "ws/AGENT.md": "b", "ws/.rooignore": "x\n"}),
    "roo-agents-off": roo(
        {"ws/AGENTS.md": "a", "ws/.rooignore": "x"}, settings={"useAgentRules": False}, useRooIgnore=False
    ),
    "roo-agents-off-absent": roo(settings={"useAgentRules": False}, useRooIgnore=False),
    "roo-instructions": roo(
        globalCustomInstructions="Short.", customModePrompts={"code": {"customInstructions": "Tests."}}, language=""
    ),
    "roo-blank-instructions": roo(globalCustomInstructions=" ", language=None),
    "roo-task": roo(TASK_FILES, task=TASK, editor={"maxReadFileLine": 2}),
    "roo-task-no-limit": roo(TASK_FILES, task=TASK, editor={"maxReadFileLine": 0, "maxWorkspaceFiles": 0}, **STEERED),
    "roo-task-editor": roo(
        TASK_FILES,
        task=TASK,
        editor={
            "recentlyModified": ["a"],
            "todos": [{"content": "x"}],
            "terminals": [{"busy": True}, {"processes": [{"command": "c", "output": "o"}]}],
            "git": {"status": "M a"},
            "terminalText": "$",
            "pages": {"https://x.test/": "# X"},
        },
        settings={"todoListEnabled": False},
        **STEERED,
    ),
    **claude_code_scenarios.SCENARIOS,
    **openclaw_scenarios.SCENARIOS,
    **codex_scenarios.SCENARIOS,
    **copilot_scenarios.SCENARIOS,
    **gemini_scenarios.SCENARIOS,
    **opencode_scenarios.SCENARIOS,
    **declared_scenarios.SCENARIOS,
}


def write(case: Case, folder: Path) -> None:
    """Write the case's files below a new folder."""
    for name in ("ws", "home", "managed"):
        (folder / name).mkdir(parents=True)
    for name, text in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{ws}", str(folder / "ws")), encoding="utf-8")
    if case.repository:
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder / "ws", check=True)


def scenario_of(case: Case, folder: Path) -> Scenario:
    """The case's scenario on its files below a folder."""
    return Scenario.model_validate(
        {
            "managed": str(folder / "managed"),
            "workspace": str(folder / "ws" / case.within),
            "home": str(folder / "home"),
            "env": {},
            "environment": {"language": "en", "platform": "linux", "shell": "/bin/bash", "os_name": "Linux 6.1"},
            **case.scenario,
        }
    )


def things(assembly: Assembly) -> Iterator[tuple[Key, bool, Reason]]:
    """Every section, conditional fragment, tool, parameter and file: what it is, whether it is present, and why."""
    for section in assembly.sections:
        yield ("section", section.id), section.present, section.why
        for fragment in (*section.fragments, *section.absent):
            if fragment.why is not None:
                key = ("fragment", section.id, fragment.text, _written(fragment.origin))
                yield key, isinstance(fragment, Fragment), fragment.why
    for tool in assembly.tools:
        yield ("tool", tool.name), tool.present, tool.why
        for parameter in (*tool.parameters, *tool.absent_parameters) if tool.present else ():
            if parameter.why is not None:
                yield ("parameter", tool.name, parameter.name), parameter.present, parameter.why
    for file in assembly.files:
        yield ("file", file.path), file.present, file.why


def _present(drafted: Draft, kind: str, name: str) -> Iterator[Key]:
    """The things of one kind and of one name that an assembly of the drafts has present."""
    facts = drafted.facts
    for section in drafted.sections if kind in ("section", "fragment") else ():
        if section.id == name and section.when.holds(facts):
            yield ("section", name)
            for span in section.spans if kind == "fragment" else ():
                if span.text and span.when is not ALWAYS and span.when.holds(facts):
                    yield ("fragment", name, span.text, _written(span.origin))
    for tool in drafted.tools if kind in ("tool", "parameter") else ():
        if tool.name == name and tool.when.holds(facts):
            yield ("tool", name)
            yield from (("parameter", name, each.name) for each in tool.parameters if each.when.holds(facts))
    yield from (
        ("file", name) for file in drafted.files if kind == "file" and file.path == name and file.when.holds(facts)
    )


_written: Callable[[Origin], str] = cache(repr)


def _shape(verdict: Verdict | None) -> str:
    """A condition without what is the case."""
    if verdict is None:
        return ""
    return f"{verdict.op} {verdict.name} {verdict.wanted} {[_shape(child) for child in verdict.children]}"


def _form(verdict: Verdict | None) -> object:
    """A condition and which parts of it hold: what exactly is the case instead changes no lever."""
    return verdict and (verdict.op, verdict.name, verdict.wanted, verdict.ok, *map(_form, verdict.children))


@dataclass(frozen=True)
class Outcome:
    """What a scenario makes of a workspace, as far as somebody looks."""

    scenario: Scenario
    workspace: Workspace
    _counts: dict[Key, Counter[Key]] = field(default_factory=dict)

    @cached_property
    def assembly(self) -> Assembly:
        return assemble(self.scenario, self.workspace, cached_only=True)

    @cached_property
    def _drafted(self) -> Draft:
        return draft(*resolve(self.scenario, self.workspace), self.workspace)

    def count(self, key: Key) -> int:
        """How often a thing is present: the drafts tell, in half the time."""
        part = key[:2]
        if part not in self._counts:
            self._counts[part] = Counter(_present(self._drafted, *part))
        return self._counts[part][key]

    @cached_property
    def verdicts(self) -> dict[Key, bool]:
        """Whether a thing is present. It is known by its condition too: two forms may share a stretch of text."""
        found: dict[Key, bool] = {}
        for key, present, why in things(self.assembly):
            shaped = (*key, _shape(why.condition))
            found[shaped] = present or found.get(shaped, False)
        return found


def acted(base: Outcome, after: Outcome, key: Key, present: bool, why: Reason) -> bool:
    """Whether the thing that was `present` or absent in `base` is the other afterwards."""
    if (after.count(key) < base.count(key)) if present else (after.count(key) > base.count(key)):
        return True
    shaped = (*key, _shape(why.condition))
    if present or shaped in after.verdicts:
        return after.verdicts.get(shaped, False) is not present
    # What was held back is no thing of its own any more: it is among the lines of the section around it, or what
    # decides on it gives it another text.
    if key[0] == "fragment":
        return _reworded(after, key, why) or all(line in _text(after.assembly, key[1]) for line in key[2].split("\n"))
    parent = _parent(base.assembly, key[1])
    return key[0] == "section" and _text(after.assembly, parent) != _text(base.assembly, parent)


def _reworded(after: Outcome, key: Key, why: Reason) -> bool:
    """Whether a value's place in the section is taken by another value on the same condition."""
    _, section, text, origin = key
    shape = _shape(why.condition)
    return "kind='builtin'" not in origin and any(
        present and other[:2] == ("fragment", section) and other[2] != text and other[3:] == (origin, shape)
        for other, present in after.verdicts.items()
    )


def _text(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(section_id)
    return section.text if section else ""


def _parent(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(section_id)
    return (section.parent if section else None) or ""


def _situation(key: Key, present: bool, why: Reason, folder: Path, written: dict[int, str]) -> str:
    """A thing with all that decides on it, whatever folder its scenario is in. `written`: of reasons known so far."""
    decides = written.get(id(why))
    if decides is None:
        decides = written[id(why)] = repr((_form(why.condition), why.levers)).replace(str(folder), "")
    return f"{repr(key).replace(str(folder), '')} {present} {decides}"


class _Place:
    """The files of a case in a folder, and what was made of them: what a lever makes of one scenario is often
    what a lever makes of another."""

    def __init__(self, case: Case, folder: Path) -> None:
        write(case, folder)
        self.folder, self.workspace = folder, Workspace()
        self._outcomes: dict[str, Outcome] = {}

    def outcome(self, scenario: Scenario) -> Outcome:
        asked = json.dumps(scenario.to_dict(), sort_keys=True)
        if asked not in self._outcomes:
            self._outcomes[asked] = Outcome(scenario, self.workspace)
        return self._outcomes[asked]


@pytest.mark.parametrize("agent", [*agent_ids(), declared_scenarios.ID])
def test_every_lever_acts_and_what_has_none_names_a_remedy(agent: str, tmp_path: Path) -> None:
    """A lever is tried once for each situation: most of a scenario's things are as they do in the others."""
    tried: set[str] = set()
    wrong: list[str] = []
    places: dict[str, _Place] = {}
    for name, case in SCENARIOS.items():
        if case.scenario["agent"] == agent:
            files = repr((case.files, case.repository))
            if files not in places:
                places[files] = _Place(case, tmp_path / name)
            place = places[files]
            wrong += (f"{name}: {what}" for what in _wrong_levers(scenario_of(case, place.folder), place, tried))
    assert wrong == []


def _wrong_levers(scenario: Scenario, place: _Place, tried: set[str]) -> Iterator[str]:
    base = place.outcome(scenario)
    present = Counter(key for key, is_present, _ in things(base.assembly) if is_present)
    assert all(base.count(key) == present[key] for key, *_ in things(base.assembly))
    written: dict[int, str] = {}
    for key, is_present, why in things(base.assembly):
        situation = _situation(key, is_present, why, place.folder, written)
        if situation in tried:
            continue
        tried.add(situation)
        name = f"{'present' if is_present else 'absent'} {':'.join(key)[:120]!r}, {why.text!r}"
        if why.levers:
            changed = scenario
            for lever in why.levers:
                changed = changed.with_value(lever.param, lever.value)
            if not acted(base, place.outcome(changed), key, is_present, why):
                levers = ", ".join(f"{lever.param}={lever.value!r}" for lever in why.levers)
                yield f"{name}: {levers} does nothing"
        elif not is_present and (not why.remedy or why.remedy.startswith("it depends")):
            yield f"{name}: neither lever nor remedy ({why.remedy!r})"
