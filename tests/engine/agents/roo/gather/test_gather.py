"""The gatherer as a whole: facts, files, shell, speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.roo.gather.gather import gather, language_code
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk


def resolved(reads: Workspace, **scenario: Any) -> Inputs:
    asked = {"agent": "roo", "workspace": "/w", "home": "/h", "mode": "code", "env": {}, **scenario}
    return resolve(Scenario.model_validate(asked), reads)[1]


def look(**scenario: Any) -> Gathered[Materials]:
    workspace = Workspace(EmptyDisk())
    return gather(resolved(workspace, **scenario), workspace)


def test_facts_are_flat_and_know_their_choices() -> None:
    facts = look(params={"settings": {"todoListEnabled": False}}).facts
    assert facts.params["settings.todoListEnabled"] is False
    assert facts.choices["diffEnabled"] == (True, False)
    assert (facts.mode, facts.version) == ("code", "3.28.16")
    assert [mode.slug for mode in facts.modes] == ["architect", "code", "ask", "debug", "orchestrator"]


@pytest.mark.parametrize(
    ("terminal", "login", "env", "platform", "wanted"),
    [
        ("/usr/bin/fish", "/bin/bash", {}, "linux", "/usr/bin/fish"),
        (None, "/bin/zsh", {"SHELL": "/bin/dash"}, "linux", "/bin/zsh"),
        (None, "", {"SHELL": "/bin/dash"}, "linux", "/bin/dash"),
        ("/bin/fish", "/bin/zsh", {}, "linux", "/bin/bash"),
        ("/tmp/evil", "/bin/bash", {}, "darwin", "/bin/zsh"),
        ("/usr/bin/../bin/zsh", "/bin/bash", {}, "linux", "/usr/bin/../bin/zsh"),
        (r"c:\windows\system32\CMD.exe", "", {}, "win32", r"c:\windows\system32\CMD.exe"),
        (r"C:\evil.exe", "", {}, "win32", r"C:\Windows\System32\cmd.exe"),
    ],
)
def test_shell(terminal: str | None, login: str, env: dict[str, str], platform: str, wanted: str) -> None:
    environment = {"shell": login, "platform": platform}
    assert look(params={"terminalShell": terminal}, environment=environment, env=env).materials.shell == wanted


@pytest.mark.parametrize(
    ("locale", "code"),
    [("pt-br", "pt-BR"), ("zh-tw", "zh-TW"), ("de", "de"), ("", "en"), ("xx", "en"), ("de-at", "en")],
)
def test_languages_of_the_editor(locale: str, code: str) -> None:
    assert language_code(None, locale) == code


def test_every_file_that_would_count_is_listed() -> None:
    paths = [file.path for file in look().files]
    assert paths == [
        ".roomodes",
        "/h/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml",
        "/h/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "/w/.roo/mcp.json",
        "/w/.roo/system-prompt-code",
        "/h/.roo/rules-code",
        "/w/.roo/rules-code",
        ".roorules-code",
        ".clinerules-code",
        ".rooignore",
        "AGENTS.md",
        "AGENT.md",
        "/h/.roo/rules",
        "/w/.roo/rules",
        ".roorules",
        ".clinerules",
    ]


def test_nothing_counts_in_an_empty_place() -> None:
    found = look()
    assert not any(file.when.evaluate(found.facts).ok for file in found.files)
    assert not found.diagnostics
    assert all(file.when.evaluate(found.facts).text for file in found.files)


def test_a_second_gathering_reads_nothing(tmp_path: Path) -> None:
    for n in range(300):
        path = tmp_path / f"w/.roo/rules/{n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"rule {n}\n")
    workspace = Workspace()
    inputs = resolved(workspace, workspace=str(tmp_path / "w"), home=str(tmp_path))
    first = gather(inputs, workspace)
    reads = workspace.reads
    again = gather(inputs, workspace)
    assert workspace.reads == reads
    assert again.files == first.files
