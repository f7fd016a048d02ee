"""Slash commands: whose file counts, and what its front matter says (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.roo.gather.task import find_commands
from promptscope_engine.agents.roo.mentions import Command
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.workspace import Workspace


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def look(root: Path, files: dict[str, str], *names: str) -> tuple[dict[str, Command], list[tuple[str, str | None]]]:
    """The commands of these names, and of each file why it does not count."""
    put(root, files)
    workspace = Workspace()
    workspace.allow([str(root)])
    found = find_commands(workspace, str(root / "work"), str(root / "home"), names)
    verdicts = [(file.path, file.when.evaluate(Facts())) for file in found.files]
    return found.value, [(path, None if verdict.ok else verdict.text) for path, verdict in verdicts]


@pytest.mark.parametrize(
    ("text", "description", "content", "line"),
    [
        ("Go.", None, "Go.", 1),
        ("\n\n Go.\nOn.\n", None, "Go.\nOn.", 3),
        ("---\ndescription: Ships it\n---\nGo.\n", "Ships it", "Go.", 4),
        ("\ufeff---\ndescription: Ships it\n---\nGo.\n", "Ships it", "Go.", 4),
        ("---\ndescription: ' Ships it '\n---\nGo.\n", "Ships it", "Go.", 4),
        ("---\ndescription: ' '\n---\nGo.\n", None, "Go.", 4),
        ("---\ndescription: 5\n---\nGo.\n", None, "Go.", 4),
        ("---\nargument-hint: a\n---\nGo.\n", None, "Go.", 4),
        ("---\n- a\n---\nGo.\n", None, "Go.", 4),
        ("---yaml\ndescription: Ships it\n---\nGo.\n", "Ships it", "Go.", 4),
        ("---\nd: [\n---\nGo.", None, "---\nd: [\n---\nGo.", 1),
        ("----\nd: x\n---\nGo.", None, "----\nd: x\n---\nGo.", 1),
        ("---\ndescription: Go.\n---\nGo.\n", "Go.", "Go.", 4),
        ("---\ndescription: Ships it\n", "Ships it", "", None),
    ],
)
def test_what_a_commands_file_says(
    tmp_path: Path, text: str, description: str | None, content: str, line: int | None
) -> None:
    command = look(tmp_path, {"work/.roo/commands/go.md": text}, "go")[0]["go"]
    assert (command.description, "".join(span.text for span in command.content)) == (description, content)
    assert [span.origin.start_line for span in command.content] == ([] if line is None else [line])


def test_the_projects_file_comes_before_the_users_and_before_what_is_built_in(tmp_path: Path) -> None:
    assert look(tmp_path, {}, "go", "init")[0]["init"].path is None
    files = {"home/.roo/commands/init.md": "Home.", "home/.roo/commands/go.md": "Home."}
    home, go = (str(tmp_path / name) for name in files)
    commands, told = look(tmp_path, files, "go", "init", "no")
    assert {name: command.path for name, command in commands.items()} == {"go": go, "init": home}
    assert told == [(go, None), (home, None)]
    commands, told = look(tmp_path, {"work/.roo/commands/go.md": "Work."}, "go")
    assert commands["go"].path == ".roo/commands/go.md"
    assert told == [(".roo/commands/go.md", None), (go, ".roo/commands/go.md comes first")]
