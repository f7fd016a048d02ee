"""USER'S CUSTOM INSTRUCTIONS, with its reasons (docs/agents/roo.md#custom-instructions)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptscope_engine import Scenario, assemble
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\n\r\ufeff \x00"), max_size=30)


def show(root: Path, files: dict[str, str | bytes] | None = None, **scenario: Any) -> Assembly:
    for folder in ("ws", "home"):
        (root / folder).mkdir(exist_ok=True)
    for name, text in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    asked = {
        "agent": "roo",
        "workspace": str(root / "ws"),
        "home": str(root / "home"),
        "mode": "code",
        "env": {},
        "environment": {"language": "en", "platform": "linux", "shell": "/bin/bash"},
        **scenario,
    }
    return assemble(Scenario.model_validate(asked), cached_only=True)


def rules(assembly: Assembly) -> str:
    return assembly.system_text.partition("\n\nRules:\n\n")[2]


def why(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(f"custom_instructions.{section_id}")
    assert section is not None
    return section.why.text


def file_why(assembly: Assembly, end: str) -> str:
    return next(f.why.text for f in assembly.files if f.path.endswith(end))


def test_the_order_of_everything(tmp_path: Path) -> None:
    told = show(
        tmp_path,
        {
            "ws/.roo/rules-code/m.md": "mode\n",
            "home/.roo/rules/h.md": "home\n",
            "ws/.roo/rules/r.md": "rule\n",
            "ws/.rooignore": "x\n",
            "ws/AGENTS.md": "agents\n",
        },
        params={
            "globalCustomInstructions": " all \n",
            "customModePrompts": {"code": {"customInstructions": "\nmine\n"}},
        },
    )
    ws, home = tmp_path / "ws", tmp_path / "home"
    assert "\n\nGlobal Instructions:\nall\n\nMode-specific Instructions:\nmine\n\nRules:\n\n" in told.system_text
    before, _, after = rules(told).partition("# .rooignore\n\n(")
    assert before == f"# Rules from rules-code directories:\n\n# Rules from {ws}/.roo/rules-code/m.md:\nmode\n\n"
    assert after.endswith(
        ")\n\nx\n\n.rooignore\n\n# Agent Rules Standard (AGENTS.md):\nagents\n\n"
        f"# Rules from {home}/.roo/rules/h.md:\nhome\n\n# Rules from {ws}/.roo/rules/r.md:\nrule"
    )


def test_a_blank_last_file_ends_at_its_heading_only_among_generic_rules(tmp_path: Path) -> None:
    told = show(tmp_path, {"ws/.roo/rules-code/e.md": "", "ws/.roo/rules/a.md": " \n"})
    ws = tmp_path / "ws"
    assert rules(told).endswith(f"{ws}/.roo/rules-code/e.md:\n\n\n# Rules from {ws}/.roo/rules/a.md:")
    assert why(told, "mode_rules") == "present: 1 file found"
    told = show(tmp_path, {"ws/.roo/rules-code/f.md": "", "ws/.roo/rules/b.md": ""})
    assert rules(told).endswith(f"# Rules from {ws}/.roo/rules/a.md:\n\n\n# Rules from {ws}/.roo/rules/b.md:")
    assert why(told, "mode_rules") == "present: 2 files found"


def test_a_blank_last_mode_file_leaves_its_newline(tmp_path: Path) -> None:
    assert show(tmp_path, {"ws/.roo/rules-code/e.md": ""}).system_text.endswith("e.md:\n")


def test_one_file_at_home_suppresses_the_legacy_file(tmp_path: Path) -> None:
    told = show(tmp_path, {"home/.roo/rules/a.md": "a", "home/.roo/rules/b.md": "b", "ws/.roorules": "legacy text"})
    sentence = "absent: suppressed by ~/.roo/rules/a.md (2 files found there)"
    assert why(told, "file:.roorules") == sentence
    assert file_why(told, ".roorules") == sentence
    assert any(d.code == "legacy-silenced" for d in told.diagnostics)
    assert "legacy text" not in told.system_text


def test_legacy_files_fall_through_when_blank(tmp_path: Path) -> None:
    told = show(
        tmp_path, {"ws/.roorules": " \n", "ws/.clinerules": "c\n", "ws/.roorules-code": "m", "ws/.clinerules-code": "n"}
    )
    assert rules(told) == "# Rules from .roorules-code:\nm\n\n# Rules from .clinerules:\nc"
    assert file_why(told, ".roorules") == "absent: .roorules is blank"
    assert "comes first" in file_why(told, ".clinerules-code")


def test_a_directory_of_excluded_files_is_empty(tmp_path: Path) -> None:
    told = show(tmp_path, {"ws/.roo/rules/a.log": "x", "ws/.roorules": "old"})
    assert rules(told) == "# Rules from .roorules:\nold"
    assert "ends in .log" in file_why(told, "a.log")


@pytest.mark.parametrize(
    "files",
    [
        {"ws/AGENT.md": "one"},
        {"ws/AGENT.md": "one", "ws/AGENTS.md": "\n"},
        {"ws/AGENT.md": "one", "ws/AGENTS.md/x": "d"},
    ],
)
def test_the_singular_name_is_second(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    assert rules(show(tmp_path, files)) == "# Agent Rules Standard (AGENT.md):\none"


def test_the_first_name_stands_for_agent_rules_that_are_absent(tmp_path: Path) -> None:
    section = show(tmp_path).section("custom_instructions.agents_md")
    assert section is not None
    assert section.title == "AGENTS.md"


def test_agent_rules_can_be_switched_off(tmp_path: Path) -> None:
    told = show(tmp_path, {"ws/AGENTS.md": "x"}, params={"settings": {"useAgentRules": False}})
    assert why(told, "agents_md") == "absent: `settings.useAgentRules` is off"
    section = told.section("custom_instructions.agents_md")
    assert section is not None
    assert [(lever.param, lever.value) for lever in section.why.levers] == [("settings.useAgentRules", True)]
    assert not any(f.present for f in told.files if f.kind == "agents-md")


@pytest.mark.parametrize(("text", "use", "present"), [("", True, False), ("\n", True, True), ("x", False, False)])
def test_rooignore(tmp_path: Path, text: str, use: bool, present: bool) -> None:
    told = show(tmp_path, {"ws/.rooignore": text}, params={"useRooIgnore": use})
    assert ("# .rooignore" in told.system_text) is present
    assert [f.present for f in told.files if f.kind == "rooignore"] == [present]
    section = told.section("custom_instructions.rooignore")
    assert section is not None
    assert [f.origin.start_line for f in section.fragments if f.origin.kind == "file"] == [1] * present


def test_nothing_to_say(tmp_path: Path) -> None:
    told = show(tmp_path, params={"language": ""})
    parent = told.section("custom_instructions")
    assert parent is not None
    assert not parent.present
    assert parent.why.text.startswith("absent: `language` is empty")
    assert not any(child.present for child in told.children("custom_instructions"))
    assert told.system_text.endswith("\n\n")


@pytest.mark.parametrize(
    ("given_language", "editor", "sentence"),
    [
        ("zh-CN", "en", '"简体中文" (zh-CN)'),
        (None, "pt-br", '"Português" (pt-BR)'),
        ("tlh", "en", '"tlh" (tlh)'),
        (None, "tlh", '"English" (en)'),
    ],
)
def test_languages(tmp_path: Path, given_language: str | None, editor: str, sentence: str) -> None:
    told = show(tmp_path, params={"language": given_language}, environment={"language": editor})
    assert sentence in told.system_text
    section = told.section("custom_instructions.language")
    assert section is not None
    kinds = {fragment.origin.kind for fragment in section.fragments}
    assert kinds & {"param", "environment"} == {"environment" if given_language is None else "param"}


def test_an_unreadable_legacy_file_breaks_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/.roorules").symlink_to(".roorules")
    told = show(tmp_path)
    assert [d.code for d in told.diagnostics if d.severity == "error"] == ["legacy-unreadable"]


def test_a_file_shown_twice_has_two_ids(tmp_path: Path) -> None:
    (tmp_path / "ws/.roo/rules").mkdir(parents=True)
    (tmp_path / "ws/.roo/rules/z.md").symlink_to("a.md")
    told = show(tmp_path, {"ws/.roo/rules/a.md": "a"})
    ids = [s.id for s in told.sections]
    assert len(ids) == len(set(ids))
    assert "custom_instructions.file:.roo/rules/a.md#2" in ids


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, TEXTS, TEXTS)
@pytest.mark.slow
def test_file_fragments_stand_verbatim_in_their_lines(
    tmp_path: Path, rule: str, legacy: str, agents: str, ignore: str
) -> None:
    told = show(
        tmp_path,
        {"ws/.roo/rules/r.md": rule, "ws/.roorules-code": legacy, "ws/AGENTS.md": agents, "ws/.rooignore": ignore},
    )
    real = {f.path: f.real_path for f in told.files}
    workspace = Workspace()
    workspace.allow([str(tmp_path)])
    for section in told.sections:
        for fragment in section.fragments:
            origin = fragment.origin
            if origin.kind == "file" and origin.path and origin.start_line and origin.end_line:
                lines = workspace.read(real[origin.path]).text.split("\n")
                assert fragment.text in "\n".join(lines[origin.start_line - 1 : origin.end_line])
    assert "".join(s.text for s in told.sections if s.present) == told.request.system[0]["text"]
    assert (f"# Rules from .roorules-code:\n{js_trim(legacy)}" in told.system_text) is bool(js_trim(legacy))


@pytest.mark.parametrize(
    ("instructions", "text"),
    [
        ("", None),
        (" \n", None),
        ("x", "\n\nMode-specific Instructions:\nx"),
        (" \nx \n", "\n\nMode-specific Instructions:\nx"),
    ],
)
def test_instructions_of_a_mode_are_trimmed_and_blank_ones_are_none(
    tmp_path: Path, instructions: str, text: str | None
) -> None:
    params = {"customModePrompts": {"code": {"customInstructions": instructions}}}
    section = show(tmp_path, params=params).section("custom_instructions.mode")
    assert section is not None
    assert (section.title, section.text if section.present else None) == ("Mode-specific Instructions", text)
    assert section.present or section.why.remedy == "`--set customModePrompts.code.customInstructions=TEXT`"
