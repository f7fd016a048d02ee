"""The same repository as the Agent SDK sends it (docs/agents/claude-code.md)."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.prompt.model import Assembly

from .conftest import Project

V = "2.1.332"


@pytest.fixture
def files(project: Project) -> Project:
    project.write({"workspace/CLAUDE.md": "MK_project\n", "home/.claude/CLAUDE.md": "MK_user\n"})
    return project


def blocks(assembly: Assembly) -> list[str]:
    return [block["text"] for block in assembly.request.system]


def sent(assembly: Assembly) -> list[bool]:
    """Whether the user's file and the project's are in the request."""
    return [mark in str(assembly.request.messages) for mark in ("MK_user", "MK_project")]


@pytest.mark.parametrize(
    ("options", "count", "last"),
    [({}, 2, ""), ({"systemPrompt": "preset"}, 3, ""), ({"systemPrompt": "Be brief."}, 3, "Be brief.")],
)
def test_the_system_prompt_is_none_a_text_or_the_command_lines(
    files: Project, options: dict[str, Any], count: int, last: str
) -> None:
    assembly = files.assemble(V, params={"sdk": options})
    system = blocks(assembly)
    assert "cc_entrypoint=sdk-ts" in system[0]
    assert len(system) == count
    assert system[-1].endswith(last)
    assert sent(assembly) == [True, True]


def test_the_preset_is_the_prompt_of_a_headless_run(files: Project) -> None:
    preset = blocks(files.assemble(V, params={"sdk": {"systemPrompt": "preset"}}))
    assert preset[2:] == blocks(files.assemble(V, params={"args": {"print": True}}))[2:]


@pytest.mark.parametrize(
    ("sources", "user_and_project"),
    [(None, [True, True]), (["user"], [True, False]), (["project"], [False, True]), ([], [False, False])],
)
def test_sources_of_settings_decide_which_files_are_read(
    files: Project, sources: list[str] | None, user_and_project: list[bool]
) -> None:
    assert sent(files.assemble(V, params={"sdk": {"settingSources": sources}})) == user_and_project


def test_what_is_said_of_the_command_line_counts(files: Project) -> None:
    interactive = files.assemble(V, params={"sdk": {"systemPrompt": "preset"}, "args": {"print": False}})
    assert "AskUserQuestion" in {tool["name"] for tool in interactive.request.tools}
    python = files.assemble(V, params={"sdk": {}}, env={"CLAUDE_CODE_ENTRYPOINT": "sdk-py"})
    assert "cc_entrypoint=sdk-py" in blocks(python)[0]


def test_each_option_says_that_the_sdk_decides(files: Project) -> None:
    found = {each.param: each.value for each in files.assemble(V, params={"sdk": {}}).derived}
    assert (found["args.print"], found["args.systemPrompt"]) == (True, "")
