"""The first message of a task in Roo's assembly: its sections are the request, and know where they come from."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, Workspace, assemble
from promptscope_engine.agents.roo.responses import RooIgnore
from promptscope_engine.agents.roo.user_messages import environment_details, expand_mentions, task_content
from promptscope_engine.prompt.model import Lever, Section

Put = Callable[..., Assembly]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Assembles a workspace of these files; `task` and other params by keyword."""

    def make(files: dict[str, str | bytes] | None = None, *, mode: str = "code", **params: Any) -> Assembly:
        for folder in ("workspace", "home"):
            (tmp_path / folder).mkdir(exist_ok=True)
        for name, content in (files or {}).items():
            path = tmp_path / "workspace" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return assemble(scenario(tmp_path, mode=mode, **params), Workspace())

    return make


def scenario(root: Path, *, mode: str = "code", **params: Any) -> Scenario:
    return Scenario.model_validate(
        {
            "agent": "roo",
            "workspace": str(root / "workspace"),
            "home": str(root / "home"),
            "mode": mode,
            "model": "claude-sonnet-4-5",
            "params": params,
            "env": {},
            "tokenizer": "o200k_base",
            "environment": {
                "os_name": "Linux 6.1", "shell": "/bin/bash", "language": "en",
                "timezone": "Asia/Kolkata", "date": "2026-01-02T03:04:05+00:00",
            },
        }
    )  # fmt: skip


def blocks(assembly: Assembly) -> list[str]:
    (message,) = assembly.request.messages
    assert message["role"] == "user"
    return [block["text"] for block in message["content"]]


def section(assembly: Assembly, name: str) -> Section:
    found = assembly.section(name)
    assert found is not None, name
    return found


def joined(assembly: Assembly) -> str:
    return "".join(s.text for s in assembly.sections if s.present and s.channel == "messages")


@pytest.mark.slow
def test_without_a_task_there_is_no_message_and_every_section_says_so(put: Put) -> None:
    assembly = put({"a.ts": "x\n"})
    assert assembly.request.messages == ()
    listed = [s for s in assembly.sections if s.channel == "messages" and s.id != "history"]
    assert {"user.task", "environment_details", "environment_details.todos"} <= {s.id for s in listed}
    assert all(not s.present and "no task is drafted" in s.why.text for s in listed)


def test_the_sections_are_the_two_blocks_of_the_request(put: Put) -> None:
    assembly = put({"a.ts": "x\n", "docs/b.md": "# B\n"}, task="See @/a.ts, @/docs/ and @/none")
    task, details = blocks(assembly)
    assert joined(assembly) == task + details
    assert task.startswith("<task>\nSee 'a.ts'")
    assert details.startswith("<environment_details>\n# VSCode Visible Files\n\n\n# VSCode Open Tabs\n")
    assert details.endswith("\n</environment_details>")
    counted = assembly.tokens.by_channel["messages"] or 0
    assert counted > 0
    assert assembly.tokens.total == counted + (assembly.tokens.by_channel["system"] or 0)


def test_the_text_is_what_the_pure_functions_give(put: Put, tmp_path: Path) -> None:
    files = {"src/a.ts": "one\ntwo\n", "src/k.pem": "secret", ".rooignore": "*.pem\n", "bin": b"\0\1\2"}
    words = "Look at @/src/a.ts and @/src/ @/src/k.pem @/bin @/gone @problems, then @/src/a.ts again"
    assembly = put(files, task=words)
    cwd = str(tmp_path / "workspace")
    ignore = RooIgnore(cwd, "*.pem\n")
    (wrapped,) = task_content(words)
    expected = expand_mentions(wrapped["text"], cwd=cwd, files=files, ignore=ignore).text
    paths = [f"{cwd}/{name}" for name in (".rooignore", "bin", "src/", "src/a.ts", "src/k.pem")]
    details = environment_details(
        cwd=cwd,
        home=str(tmp_path / "home"),
        now="2026-01-02T03:04:05.000Z",
        time_zone="Asia/Kolkata",
        utc_offset=330,
        mode={"slug": "code", "name": "💻 Code"},
        model="claude-sonnet-4-5",
        ignore=ignore,
        files={"paths": paths, "did_hit_limit": False},
    )
    assert blocks(assembly) == [expected, details]


def test_problems_show_the_lines_of_the_files_that_can_be_opened(put: Put) -> None:
    problems = [{"path": path, "line": 1, "severity": "error", "message": "m"} for path in ("a.ts", "docs", "gone.ts")]
    assembly = put({"a.ts": "one\ntwo\n", "docs/b.md": ""}, task="@problems", editor={"problems": problems})
    text = blocks(assembly)[0]
    assert "a.ts\n- [Error] 2 | two : m\n" in text
    assert "docs\n- [Error] 1 | (directory) : m\n" in text
    assert "gone.ts\n- [Error] 2 | (unavailable) : m\n" in text


def test_each_line_of_a_mentioned_file_knows_its_place(put: Put) -> None:
    assembly = put({"src/a.ts": "one\n\nthree\r\n"}, task="@/src/a.ts")
    mention = section(assembly, "user.mention.1")
    assert mention.title == "@/src/a.ts"
    assert mention.parent == "user.task"
    lines = [(f.text, f.origin.path, f.origin.start_line) for f in mention.fragments if f.origin.kind == "file"]
    assert lines == [("one", "src/a.ts", 1), ("three\r", "src/a.ts", 3)]
    (file,) = [f for f in assembly.files if f.kind == "mention"]
    assert (file.path, file.present, file.truncated) == ("src/a.ts", True, False)


@pytest.mark.parametrize(
    ("mention", "why"),
    [
        ("@/k.pem", "`.rooignore` hides k.pem"),
        ("@/.rooignore", "`.rooignore` hides .rooignore"),
        ("@/gone.ts", "there is no gone.ts"),
        ("@/bin", "bin is binary"),
        ("@/paper.pdf", "is a .pdf document"),
        ("@git-changes", "`editor.git` is not given"),
        ("@terminal", "`editor.terminalText` is not given"),
        ("@https://example.org/x", "`editor.pages` is not given"),
    ],
)
def test_what_is_held_back_stands_in_the_list_with_its_reason(put: Put, mention: str, why: str) -> None:
    files = {"k.pem": "secret words", ".rooignore": "*.pem\n", "bin": b"\0\1\2", "paper.pdf": b"%PDF-1.4 words"}
    assembly = put(files, task=f"see {mention}")
    assert section(assembly, "user.mention.1").present
    content = section(assembly, "user.mention.1.content")
    assert not content.present
    assert why in content.why.text
    assert content.parent == "user.mention.1"
    assert "secret words" not in joined(assembly)


def test_an_unknown_scheme_brings_nothing(put: Put) -> None:
    assembly = put(task="see @ftp://example.org")
    assert not section(assembly, "user.mention.1").present
    assert blocks(assembly)[0] == "<task>\nsee @ftp://example.org\n</task>"


def test_the_limit_of_lines_names_its_lever_and_keeps_the_rest_as_absent(put: Put, tmp_path: Path) -> None:
    assembly = put({"a.ts": "1\n2\n3\n4\n"}, task="@/a.ts", editor={"maxReadFileLine": 2})
    mention = section(assembly, "user.mention.1")
    (rest,) = mention.absent
    assert rest.text == "3\n4\n"
    assert (rest.origin.start_line, rest.why.levers[0].value) == (3, -1)
    assert "`editor.maxReadFileLine` lets 2 of 4 lines through" in rest.why.text
    assert "3 |" not in mention.text
    whole = assemble(scenario(tmp_path, task="@/a.ts", editor={"maxReadFileLine": -1}))
    assert "4 | 4" in section(whole, "user.mention.1").text


def test_a_file_outside_is_not_read_and_says_so(put: Put, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.txt").write_text("far away")
    assembly = put(task="@/../elsewhere/x.txt")
    assert "far away" not in joined(assembly)
    assert any(d.code == "file-outside" for d in assembly.diagnostics)
    assert "leads to" in section(assembly, "user.mention.1.content").why.text


def test_what_only_looks_like_a_mention_is_reported(put: Put) -> None:
    assembly = put({"a.ts": "x"}, task="see (@/a.ts)")
    assert assembly.section("user.mention.1") is None
    assert any("'(' comes before it" in d.message for d in assembly.diagnostics)


def test_commands_come_from_the_project_then_from_home(put: Put, tmp_path: Path) -> None:
    home = tmp_path / "home" / ".roo" / "commands"
    home.mkdir(parents=True)
    (home / "deploy.md").write_text("From home.\n")
    (home / "mine.md").write_text("Only mine.\n")
    project = {".roo/commands/deploy.md": "---\ndescription: Ships it\n---\n\nBuild.\nPush.\n"}
    assembly = put(project, task="now /deploy and /mine and /nothing")
    first, second = section(assembly, "user.mention.1"), section(assembly, "user.mention.2")
    assert first.title == "/deploy"
    assert first.text == '\n\n<command name="deploy">\nDescription: Ships it\n\nBuild.\nPush.\n</command>'
    assert [(f.origin.path, f.origin.start_line) for f in first.fragments if f.origin.kind == "file"] == [
        (".roo/commands/deploy.md", 5)
    ]
    assert "Only mine." in second.text
    assert assembly.section("user.mention.3") is None
    commands = {f.path: f.present for f in assembly.files if f.kind == "command"}
    assert commands == {".roo/commands/deploy.md": True, str(home / "deploy.md"): False, str(home / "mine.md"): True}


def test_facts_of_the_editor_are_params(put: Put) -> None:
    editor = {
        "openTabs": ["a.ts", "k.pem"],
        "visibleFiles": ["a.ts"],
        "recentlyModified": ["a.ts"],
        "terminals": [{"id": 3, "busy": True, "command": "npm test", "output": "ok\n"}],
        "todos": [{"content": "a|b", "status": "in_progress"}],
        "cost": 0.125,
    }
    assembly = put({"a.ts": "x", "k.pem": "s", ".rooignore": "*.pem\n"}, task="go", editor=editor)
    details = blocks(assembly)[1]
    for part in (
        "# VSCode Open Tabs\na.ts\n",
        "a.ts\n\n# Actively Running",
        "`npm test`",
        "$0.13",
        r"a\|b | In Progress",
    ):
        assert part in details
    assert section(assembly, "environment_details.recently_modified").present
    assert not section(assembly, "environment_details.ended_terminals").present


def test_todos_off_leave_an_empty_line(put: Put) -> None:
    assembly = put(task="go", settings={"todoListEnabled": False})
    assert not section(assembly, "environment_details.todos").present
    assert blocks(assembly)[1].endswith("\n\n</environment_details>")
    assert section(assembly, "environment_details.todos").why.levers[0].param == "settings.todoListEnabled"


def test_power_steering_repeats_role_and_instructions_without_rooignore(put: Put) -> None:
    files = {".roo/rules/a.md": "Use tabs.", "AGENTS.md": "Agents.", ".rooignore": "*.pem\n"}
    off = put(files, task="go")
    steering = section(off, "environment_details.power_steering")
    assert not steering.present
    assert steering.why.levers[0].param == "experiments.powerSteering"
    on = put(files, task="go", experiments={"powerSteering": True}, settings={"useAgentRules": False})
    text = section(on, "environment_details.power_steering").text
    assert text.startswith("<role>You are ")
    assert "Use tabs." in text
    assert "Agents." in text, "it is built without settings"
    assert "*.pem" not in text
    assert joined(on) == "".join(blocks(on))


def test_an_unknown_mode_keeps_its_slug(put: Put) -> None:
    text = section(put(task="go", mode="nope"), "environment_details.mode").text
    assert "<slug>nope</slug>\n<name>🏗️ Architect</name>" in text


def test_only_what_a_task_needs_is_read(put: Put, tmp_path: Path) -> None:
    put({"src/a.ts": "x"})
    workspace = Workspace()
    assemble(scenario(tmp_path), workspace)
    assert str(tmp_path / "workspace" / "src") not in workspace.directories


def test_a_saved_file_is_read_again(put: Put, tmp_path: Path) -> None:
    put({"a.ts": "old\n"})
    workspace = Workspace()
    asked = scenario(tmp_path, task="@/a.ts")
    assert "old" in joined(assemble(asked, workspace))
    (tmp_path / "workspace" / "a.ts").write_text("new\n")
    workspace.forget(workspace.changed())
    assert "new" in joined(assemble(asked, workspace))


def test_in_a_repository_ignored_files_are_not_listed(put: Put, tmp_path: Path) -> None:
    put({"a.ts": "", "out.log": "", ".gitignore": "*.log\n"})
    subprocess.run(["git", "init", "-q", str(tmp_path / "workspace")], check=True)
    listed = section(put(task="go"), "environment_details.workspace_files").text
    assert "a.ts" in listed
    assert "out.log" not in listed


@pytest.mark.parametrize(("limit", "listed"), [(0, False), (1, True)])
def test_a_limit_of_zero_lists_no_files(put: Put, limit: int, listed: bool) -> None:
    told = put({"a.ts": ""}, task="go", editor={"maxWorkspaceFiles": limit})
    listing = section(told, "environment_details.workspace_files")
    assert ("a.ts" in listing.text) is listed
    reasons = {absent.origin.id: absent.why.levers for absent in listing.absent}
    assert reasons.get("environment_details.no_listing_note") == (
        (Lever("editor.maxWorkspaceFiles", 0),) if listed else None
    )
    assert (listing.title, section(told, "environment_details.time").title) == ("Workspace files", "Current Time")


def test_a_later_message_has_no_task(put: Put) -> None:
    assembly = put({"a.ts": "x\n"}, task="No, see @/a.ts", editor={"laterTurn": True})
    words, details = blocks(assembly)
    assert "<task>" not in words + details
    assert words.startswith("[attempt_completion] Result:\n")
    assert "\n<feedback>\nNo, see 'a.ts'" in words
    assert section(assembly, "user.task").heading == "<feedback>"
    assert section(assembly, "user.mention.1").present


def test_links_in_a_mentioned_folder_are_named_and_not_read(put: Put, tmp_path: Path) -> None:
    put({"docs/a.md": "read\n"})
    (tmp_path / "workspace/docs/b.md").symlink_to("a.md")
    text = joined(put(task="see @/docs/"))
    assert "├── a.md\n└── b.md\n" in text
    assert text.count("1 | read") == 1
