"""The sections of the request."""

from __future__ import annotations

import re

import pytest
from tests.engine.agents.gemini.conftest import MANIFEST, Project, text_of

MODERN = [
    "# Core Mandates", "## Security & System Integrity", "## Context Efficiency:", "## Engineering Standards",
    "## Topic Updates", "# Available Sub-Agents", "### Strategic Orchestration & Delegation",
    "# Available Agent Skills", "# Hook Context",
]  # fmt: skip
WORKFLOWS = ["# Primary Workflows", "## Development Lifecycle", "## New Applications"]
PLAN = [
    "# Active Approval Mode: Plan", "## Available Tools", "## Rules", "## Planning Workflow",
    "### 1. Explore & Analyze", "### 2. Consult", "### 3. Draft", "### 4. Review & Approval",
]  # fmt: skip
GUIDELINES = [
    "# TASK MANAGEMENT PROTOCOL", "# Operational Guidelines", "## Tone and Style", "## Security and Safety Rules",
    "## Tool Usage", "## Interaction Details",
]  # fmt: skip
END = ["# macOS Seatbelt", "# Git Repository", "# Contextual Instructions (A.md, GEMINI.md)"]
LEGACY = ["# Core Mandates", "## Topic Updates", "# Available Sub-Agents", "# Available Agent Skills", "# Hook Context"]
LEGACY_WORKFLOWS = ["# Primary Workflows", "## Software Engineering Tasks", "## New Applications"]
LEGACY_GUIDELINES = [
    "# TASK MANAGEMENT PROTOCOL", "# Operational Guidelines", "## Shell tool output token efficiency:",
    "## Tone and Style (CLI Interaction)", "## Security and Safety Rules", "## Tool Usage", "## Interaction Details",
]  # fmt: skip
LEGACY_END = [
    "# macOS Seatbelt", "# Git Repository", "# Final Reminder", "# Contextual Instructions (GEMINI.md)",
]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "mode", "headings"),
    [
        ("gemini-3-pro-preview", "yolo", [*MODERN, *WORKFLOWS, *GUIDELINES, "# Autonomous Mode (YOLO)", *END]),
        ("my-model", "plan", [*MODERN, *PLAN, *GUIDELINES, *END]),
        (
            "gemini-2.5-pro",
            "yolo",
            [*LEGACY, *LEGACY_WORKFLOWS, *LEGACY_GUIDELINES, "# Autonomous Mode (YOLO)", *LEGACY_END],
        ),
    ],
)
def test_the_headings_of_the_system_text(project: Project, model: str, mode: str, headings: list[str]) -> None:
    project.write({"workspace/.git/HEAD": "x", "home/.gemini/GEMINI.md": "g"})
    settings = {"experimental": {"taskTracker": True}, "context": {"fileName": "A.md"}}
    assembly = project.assemble(model=model, mode=mode, dialog=True, settings=settings, env={"SANDBOX": "sandbox-exec"})
    text = assembly.request.system[0]["text"]
    assert re.findall(r"^#+ .*$", text, flags=re.MULTILINE) == headings
    bold = re.findall(r"\*\*(.+?)\*\*", text_of(assembly, "preamble"))
    assert bold == {"gemini-3-pro-preview": ["YOLO"], "my-model": ["Plan"]}.get(model, [])
    assert ("<available_subagents>" in text) is ("2.5" not in model)
    assert ("skills are available, each made for a kind of task" in text) is ("2.5" in model)
    assert ("`A.md` or `GEMINI.md`" in text) is ("2.5" not in model)


def test_of_three_names_of_context_files_the_last_follows_an_or(project: Project) -> None:
    assembly = project.assemble(settings={"context": {"fileName": ["A.md", "B.md"]}})
    assert " `A.md`, `B.md` or `GEMINI.md`" in text_of(assembly, "core_mandates")


ENTRY = "--- Context from: {0} ---\n{1}\n--- End of Context from: {0} ---"
SAID = (
    "The following are instructions provided by the tool server '{0}':\n---[start of server instructions]---\n{1}\n"
    "---[end of server instructions]---"
)


def test_the_folders_stand_one_below_the_other(project: Project) -> None:
    project.write({"workspace/a": "", "extra/b": ""})
    [text] = [
        block["text"].partition("- **Workspace Directories:**")[2]
        for block in project.assemble(args={"includeDirectories": ["../extra"]}).request.messages[0]["content"][:1]
    ]
    extra = f"{project.root}/extra"
    head, first, second = text.split("\n\n", 3)[0], *text.split("/\n")[1:3]
    assert head == f"\n  - {project.cwd}\n  - {extra}\n- **Directory Structure:**"
    assert first.startswith("└───a\n")
    assert second == "└───b\n\n\n</session_context>"
    assert "\n\n" not in first.removesuffix(f"\n\n{extra}")


def test_the_first_lines_name_the_day_and_the_machine(project: Project) -> None:
    environment = {"date": "2026-11-20T23:30:00+00:00", "timezone": "Asia/Tokyo", "platform": "darwin"}
    text = project.assemble(environment=environment).request.messages[0]["content"][0]["text"]
    assert text.startswith("<session_context>\n")
    assert "\nToday's date is Saturday, November 21, 2026" in text
    temporary = f"The project's temporary directory is: {project.home}/.gemini/tmp/workspace"
    assert f"\nMy operating system is: darwin\n{temporary}\n- **Workspace Directories:**\n" in text


@pytest.mark.parametrize(
    ("files", "servers", "loaded"),
    [
        ([], [], ""),
        (["w"], [], "<project_context>\n{w}\n</project_context>"),
        (["w", "m"], [], "<project_context>\n{w}\n\n{m}\n</project_context>"),
        (["e"], [], "<extension_context>\n{e}\n</extension_context>"),
        (
            ["e", "w"],
            [],
            "<extension_context>\n{e}\n</extension_context>\n<project_context>\n{w}\n</project_context>",
        ),
        ([], ["s"], "<project_context>\n{s}\n</project_context>"),
        ([], ["s", "t"], "<project_context>\n{s}\n\n{t}\n</project_context>"),
        (["w"], ["s"], "<project_context>\n{w}\n\n{s}\n</project_context>"),
        (["e"], ["s"], "<extension_context>\n{e}\n</extension_context>\n<project_context>\n{s}\n</project_context>"),
    ],
)
def test_what_is_loaded_stands_in_its_tags(project: Project, files: list[str], servers: list[str], loaded: str) -> None:
    paths = {"w": "workspace/GEMINI.md", "m": "workspace/MORE.md", "e": "home/.gemini/extensions/e/GEMINI.md"}
    project.write({paths[file]: f"text of {file}\n" for file in files} | {MANIFEST.format("e"): '{"name": "e"}'})
    given = [{"name": name, "instructions": f"Ask {name}."} for name in servers]
    assembly = project.assemble(
        mcp_servers=given, settings={"context": {"fileName": "MORE.md", "includeDirectoryTree": False}}
    )
    text = assembly.request.messages[0]["content"][0]["text"]
    entries = {file: ENTRY.format(f"{project.root}/{path}", f"text of {file}") for file, path in paths.items()}
    entries |= {name: SAID.format(name, f"Ask {name}.") for name in ("s", "t")}
    wanted = f"\n<loaded_context>\n{loaded.format(**entries)}\n</loaded_context>" if loaded else ""
    assert text.partition("/tmp/workspace\n")[2] == f"\n\n{wanted}\n</session_context>"
