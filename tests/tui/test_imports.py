"""Who imports what: a process runs commands one after the other, and looks into `sys.modules` after each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from promptscope_engine.agents.registry import agent_ids

pytestmark = pytest.mark.slow

HEAVY = ("textual", "rich", "click", "pydantic", "tiktoken", "watchfiles", "yaml", "json5", "platformdirs")

PROBE = """
import json, os, sys
import pytest

from promptscope_engine.agents.registry import agent_ids
from promptscope_tui.__main__ import main
found = []
for words in json.loads(os.environ["COMMANDS"]):
    sys.argv = ["promptscope", *words]
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    sys.stdout.flush()
    found.append([code, sorted(sys.modules)])
with open(os.environ["FOUND"], "w") as file:
    json.dump(found, file)
"""


def after_each(tmp_path: Path, *commands: list[str]) -> list[set[str]]:
    """The top-level modules that were imported when each of the commands had ended."""
    (tmp_path / "shop").mkdir()
    found = tmp_path / "found.json"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PROMPTSCOPE_CACHE": str(tmp_path / "cache"),
        "FOUND": str(found),
        "COMMANDS": json.dumps(commands),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env=environment,
        cwd=tmp_path / "shop",
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout
    ends = json.loads(found.read_text())
    assert [code for code, _ in ends] == [0] * len(commands)
    return [{name.partition(".")[0] for name in names} for _, names in ends]


HEADLESS = [
    [],
    ["show"],
    ["show", "--format", "json"],
    ["show", "--format", "markdown"],
    ["show", "--format", "html"],
    ["tools"],
    ["files"],
    ["files", "--dead"],
    ["window"],
    ["why", "rules", "--agent", "roo"],
    ["tokens"],
    ["diff", "version:2.1.100", "--agent", "claude-code"],
    ["schema", "diff"],
    ["schema", "scenario"],
    ["schema", "assembly"],
    ["schema", "capture"],
    ["captures"],
    ["agents"],
    ["agents", "roo"],
    ["responses", "--agent", "roo"],
    ["locate"],
]

IN_ORDER: list[tuple[list[str], set[str]]] = [
    (["--version"], {*HEAVY, "difflib", "asyncio"}),
    (["--help"], {"textual", "pydantic", "tiktoken", "watchfiles", "yaml"}),
    (["locate"], {"textual", "pydantic", "tiktoken", "watchfiles", "yaml"}),
    *((words, {"textual", "watchfiles", "asyncio"}) for words in HEADLESS),
]
"""Commands, those that need least first, and what none of them up to there imports."""


def test_no_command_imports_what_it_does_not_need(tmp_path: Path) -> None:
    commands = [words for words, _ in IN_ORDER]
    for (words, never), modules in zip(IN_ORDER, after_each(tmp_path, *commands), strict=True):
        assert not modules & never, words


def test_the_plain_prompt_counts_nothing(tmp_path: Path) -> None:
    (modules,) = after_each(tmp_path, ["show", "--format", "plain"])
    assert not modules & {"textual", "tiktoken", "rich"}


def test_where_nothing_is_set_nothing_is_validated(tmp_path: Path) -> None:
    commands = [["show", "--agent", agent] for agent in agent_ids()]
    *_, modules = after_each(
        tmp_path, *commands, ["tokens"], ["tools"], ["files"], ["window"], ["why", "rules", "--agent", "roo"]
    )
    assert "pydantic" not in modules
