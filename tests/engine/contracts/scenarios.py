"""The scenarios of every agent that reasons are tested over, each a folder of files (`ws/…`, `home/…`) and a scenario
over it, and what an assembly of one gives reasons for.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from promptscope_engine import Assembly, Scenario
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.prompt.model import Fragment, Origin, Reason

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

Key = tuple[str, ...]

as_key: Callable[[Origin], str] = cache(repr)
"""An origin as a part of a key."""


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
                key = ("fragment", section.id, fragment.text, as_key(fragment.origin))
                yield key, isinstance(fragment, Fragment), fragment.why
    for tool in assembly.tools:
        yield ("tool", tool.name), tool.present, tool.why
        for parameter in (*tool.parameters, *tool.absent_parameters) if tool.present else ():
            if parameter.why is not None:
                yield ("parameter", tool.name, parameter.name), parameter.present, parameter.why
    for file in assembly.files:
        yield ("file", file.path), file.present, file.why
