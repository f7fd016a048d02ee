"""The file override and its placeholders (docs/agents/roo.md#prompt)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.prompt.model import Assembly


def show(root: Path, text: str | None, mode: str | None = "code", **params: object) -> Assembly:
    (root / "ws/.roo").mkdir(parents=True, exist_ok=True)
    (root / "home").mkdir()
    if text is not None:
        (root / f"ws/.roo/system-prompt-{mode or 'architect'}").write_bytes(text.encode())
    scenario = {
        "agent": "roo",
        "workspace": str(root / "ws"),
        "home": str(root / "home"),
        "mode": mode,
        "params": {"vscodeShell": "/bin/zsh", **params},
        "environment": {"os_type": "Linux", "platform": "linux", "shell": "/bin/bash", "language": "pt-br"},
        "env": {},
    }
    return assemble(Scenario.model_validate(scenario), cached_only=True)


def test_it_replaces_everything_but_role_and_instructions(tmp_path: Path) -> None:
    told = show(
        tmp_path, "\n\nMine: {{mode}} {{shell}} {{operatingSystem}} {{language}} {{nope}} {{ mode }}\n", language="de"
    )
    text = told.system_text
    assert "\n\nMine: code /bin/zsh Linux de {{nope}} {{ mode }}\n\n\n====\n\nUSER'S CUSTOM" in text
    assert not [tool for tool in told.tools if tool.present]
    assert not any(s.present for s in told.sections if s.id in ("rules", "tools", "modes", "objective"))
    rules = told.section("rules")
    assert rules is not None
    assert ".roo/system-prompt-code replaces the generated prompt" in rules.why.text


def test_lines_of_the_file_keep_their_place(tmp_path: Path) -> None:
    told = show(tmp_path, "\n\nfirst\nsecond {{mode}} third\n")
    path = str(tmp_path / "ws/.roo/system-prompt-code")
    found = [f for s in told.sections for f in s.fragments if f.origin.path == path]
    assert [(f.text, f.origin.start_line, f.origin.end_line) for f in found] == [
        ("first\nsecond ", 3, 4),
        (" third", 4, 4),
    ]


@pytest.mark.parametrize("text", ["", " \n\t\ufeff", None, "{{language}}"])
def test_a_blank_one_does_nothing(tmp_path: Path, text: str | None) -> None:
    """A file that is blank once it is filled in is blank too."""
    told = show(tmp_path, text, language="")
    assert "====\n\nRULES" in told.system_text
    file = next(f for f in told.files if f.kind == "system-prompt-override")
    assert not file.present
    assert file.why.text.startswith("absent: ")


def test_a_placeholder_brought_in_by_a_value_is_replaced_later(tmp_path: Path) -> None:
    told = show(tmp_path, "{{language}}", language="{{operatingSystem}} {{mode}}")
    assert "\n\nLinux {{mode}}\n\n" in told.system_text


def test_an_unknown_mode_still_has_its_override_and_its_rules(tmp_path: Path) -> None:
    (tmp_path / "ws/.roo/rules-nope").mkdir(parents=True)
    (tmp_path / "ws/.roo/rules-nope/a.md").write_text("nope rule\n")
    (tmp_path / "ws/.roo/system-prompt-nope").write_text("Mine {{mode}}")
    (tmp_path / "home").mkdir()
    scenario = Scenario(agent="roo", workspace=str(tmp_path / "ws"), home=str(tmp_path / "home"), mode="nope")
    told = assemble(scenario, cached_only=True)
    assert "Mine nope" in told.system_text
    assert "# Rules from rules-nope directories:" in told.system_text
    assert [s.id for s in told.sections if s.present and s.id in ("rules", "tools", "modes")] == []


def test_a_file_in_the_place_of_the_folder_breaks_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/.roo").write_text("a file")
    scenario = Scenario(agent="roo", workspace=str(tmp_path / "ws"), home=str(tmp_path / "home"))
    told = assemble(scenario, cached_only=True).diagnostics
    assert [d.code for d in told if d.severity == "error"] == ["override-unreadable"]


@pytest.mark.parametrize(
    ("what", "text", "remedy"),
    [
        (None, "there is no {0}", "create {0}"),
        ("", "{0} is blank", "write a prompt into {0}"),
        ("{{language}}", "nothing is left of {0} once it is filled in", "write a prompt into {0}"),
        ("directory", "there is no {0}", "put a file in the place of the directory {0}"),
        ("loop", "{0} cannot be read", "make {0} readable (Too many levels of symbolic links)"),
    ],
)
def test_why_there_is_none(tmp_path: Path, what: str | None, text: str, remedy: str) -> None:
    place = tmp_path / "ws/.roo/system-prompt-code"
    if what == "directory":
        place.mkdir(parents=True)
    elif what == "loop":
        place.parent.mkdir(parents=True)
        place.symlink_to(place)
    told = show(tmp_path, None if what in ("directory", "loop") else what, language="")
    why = next(f for f in told.files if f.kind == "system-prompt-override").why
    assert why.text == "absent: " + text.format(".roo/system-prompt-code")
    assert why.remedy == remedy.format(".roo/system-prompt-code")


@pytest.mark.parametrize(("own", "shell"), [("/bin/zsh", "/bin/zsh"), ("", ""), (None, "/bin/bash")])
def test_the_shell_is_that_of_the_editor_or_of_the_machine(tmp_path: Path, own: str | None, shell: str) -> None:
    told = show(tmp_path, "<{{shell}}>", vscodeShell=own)
    assert f"<{shell}>" in told.system_text
    [first, *_] = [f for s in told.sections for f in s.fragments if f.origin.kind == "file"]
    assert (first.text, first.origin.start_line) == ("<", 1)


@pytest.mark.parametrize(
    ("what", "detail"), [("loop", "Too many levels of symbolic links"), ("pipe", "is not a regular file")]
)
def test_an_override_that_cannot_be_read_breaks_the_prompt(tmp_path: Path, what: str, detail: str) -> None:
    place = tmp_path / "ws/.roo/system-prompt-code"
    place.parent.mkdir(parents=True)
    if what == "loop":
        place.symlink_to(place)
    else:
        os.mkfifo(place)
    [said] = [d for d in show(tmp_path, None).diagnostics if d.code == "override-unreadable"]
    assert said.message == f"Roo cannot build its prompt: {place} cannot be read ({detail})"


@pytest.mark.parametrize("what", ["missing", "directory"])
def test_an_override_that_is_not_there_breaks_nothing(tmp_path: Path, what: str) -> None:
    if what == "directory":
        (tmp_path / "ws/.roo/system-prompt-code").mkdir(parents=True)
    assert not [d for d in show(tmp_path, None).diagnostics if d.code == "override-unreadable"]
