"""CLAUDE_CODE_SHELL_PREFIX: the program that runs hooks and servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project

SERVERS = [{"name": "docs", "instructions": "read", "tools": [{"name": "t"}]}]
HOOKS = {"SessionStart": "from the hook"}


def run(project: Project, prefix: str) -> Assembly:
    entries = {"docs": {"command": "python3"}}
    project.write({"workspace/.mcp.json": json.dumps({"mcpServers": entries}), "workspace/wrap": "#!/bin/sh\n"})
    (project.cwd / "wrap").chmod(0o755)
    params: dict[str, Any] = {"args": {"print": True}, "hooks": HOOKS}
    return project.assemble(env={"CLAUDE_CODE_SHELL_PREFIX": prefix}, mcp_servers=SERVERS, params=params)


def sent(assembly: Assembly) -> str:
    return json.dumps(assembly.request.messages)


@pytest.mark.parametrize(
    ("prefix", "error"),
    [
        ("/bin/true", "Connection closed"),
        ("./none", "ENOENT: no such file or directory, posix_spawn './none'"),
        ("no-such-program-anywhere", "Executable not found in $PATH: no-such-program-anywhere"),
    ],
)
def test_a_program_that_runs_nothing_silences_hooks_and_lets_servers_fail(
    project: Project, prefix: str, error: str
) -> None:
    found = run(project, prefix)
    assert "from the hook" not in sent(found)
    assert error in sent(found)
    assert not [tool for tool in found.tools if tool.name == "mcp__docs__t"]


def test_arguments_behind_the_program_are_for_hooks_alone(project: Project) -> None:
    found = run(project, "sh -c")
    assert "from the hook" in sent(found)
    assert "Executable not found in $PATH: sh -c" in sent(found)


def test_a_program_of_ones_own_is_named_and_not_run(project: Project) -> None:
    found = run(project, "./wrap")
    assert "from the hook" in sent(found)
    assert [tool.name for tool in found.tools if tool.name == "mcp__docs__t"]
    assert "`./wrap`, which promptscope doesn't run" in next(
        d.message for d in found.diagnostics if d.code == "shell-prefix"
    )


def test_without_it_nothing_is_said(project: Project) -> None:
    found = run(project, "")
    assert "from the hook" in sent(found)
    assert "shell-prefix" not in [d.code for d in found.diagnostics]
