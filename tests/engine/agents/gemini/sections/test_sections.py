"""Which headings the system text has, in their order (specs/gemini.md 3.1-3.3)."""

from __future__ import annotations

import re

import pytest
from tests.engine.agents.gemini.conftest import Project, text_of

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
