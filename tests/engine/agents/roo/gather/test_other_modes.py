"""Rules and prompts that are named for another mode than the one in force."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import write

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.checks.checker import check

REVIEW = "customModes:\n  - {slug: Review, name: R, roleDefinition: You look., groups: [read]}\n"


def look(root: Path, files: dict[str, str], mode: str = "code") -> Assembly:
    write(root, {"ws/.keep": "", "home/.keep": "", **files})
    places = {"workspace": str(root / "ws"), "home": str(root / "home")}
    return assemble(Scenario.model_validate({"agent": "roo", "mode": mode, **places}))


def why(assembly: Assembly, path: str) -> str:
    [row] = [file for file in assembly.files if file.path == path]
    return row.why.text


@pytest.mark.parametrize(
    "name", [".roo/rules-Review/a.md", ".roo/rules-Review/deep/b.txt", ".roorules-Review", ".clinerules-Review"]
)
def test_rules_of_a_mode_that_does_not_exist_say_so(tmp_path: Path, name: str) -> None:
    found = look(tmp_path, {f"ws/{name}": "x"})
    path = name if name.startswith((".roorules", ".clinerules")) else f"{tmp_path}/ws/{name}"
    shown = next(file.path for file in found.files if file.path.endswith(name))
    assert shown in (path, f"{tmp_path}/ws/{name}")
    assert why(found, shown) == (
        "absent: no mode has the slug Review (known: architect, code, ask, debug, orchestrator)"
    )
    assert [d.code for d in found.diagnostics] == ["unknown-mode-rules"]


def test_a_slug_is_compared_letter_by_letter(tmp_path: Path) -> None:
    files = {"ws/.roo/rules-Code/a.md": "x", "ws/.roo/system-prompt-ASK": "x"}
    found = look(tmp_path, files)
    [rules] = [file for file in found.files if file.path.endswith("rules-Code/a.md")]
    assert (
        rules.why.remedy == "rename .roo/rules-Code to .roo/rules-code, or add a mode with the slug Code to .roomodes"
    )
    assert len(found.diagnostics) == 2


def test_a_mode_of_a_modes_file_is_known(tmp_path: Path) -> None:
    files = {"ws/.roo/rules-Review/a.md": "x", "ws/.roomodes": REVIEW}
    path = f"{tmp_path}/ws/.roo/rules-Review/a.md"
    found = look(tmp_path, files)
    assert why(found, path) == "absent: the mode is code, not Review"
    assert not found.diagnostics
    assert why(look(tmp_path, files, "Review"), path).startswith("present")


def test_what_another_mode_would_not_use_either_has_that_for_a_reason(tmp_path: Path) -> None:
    files = {"ws/.roo/system-prompt-ask": " ", "ws/.roorules-ask": "x", "ws/.roo/rules-ask/a.md": "x"}
    found = look(tmp_path, files)
    absent = "absent: the mode is code, not ask and "
    whys = {Path(file.path).name: file.why for file in found.files}
    assert whys["system-prompt-ask"].text == f"{absent}.roo/system-prompt-ask is blank"
    assert whys[".roorules-ask"].text == f"{absent}the files of .roo/rules-ask take its place"
    assert not whys["system-prompt-ask"].levers


def test_rules_at_home_are_not_taken_for_a_mistake(tmp_path: Path) -> None:
    found = look(tmp_path, {"home/.roo/rules-other/a.md": "x"})
    assert "no mode has the slug other" in why(found, f"{tmp_path}/home/.roo/rules-other/a.md")
    assert [d.severity for d in found.diagnostics] == ["info"]


def test_a_check_finds_rules_without_a_mode_and_lets_links_out_be(tmp_path: Path) -> None:
    write(
        tmp_path, {"shared/s.md": "s", "shared/d/t.md": "t", "ws/.roo/rules-Review/a.md": "x", "ws/.roorules-act": "y"}
    )
    (tmp_path / "ws/.git").mkdir()
    (tmp_path / "ws/.roo/rules").mkdir()
    (tmp_path / "ws/.roo/rules/absolute.md").symlink_to(tmp_path / "shared/s.md")
    (tmp_path / "ws/.roo/rules/relative").symlink_to("../../../shared/d")
    (tmp_path / "ws/.roo/rules/broken.md").symlink_to("../../../shared/none.md")
    report = check(Scenario.model_validate({"agent": "roo", "workspace": str(tmp_path / "ws")}))
    assert [(each.rule, each.path) for each in report.findings] == [
        ("unmatched-rule", ".roo/rules-Review/a.md"),
        ("unmatched-rule", ".roorules-act"),
        ("agent-warning", ".roo/rules/broken.md"),
        ("outside-link", ".roo/rules/absolute.md"),
        ("outside-link", ".roo/rules/relative"),
    ]
    assert report.findings[-1].message == (
        "it leads out of the repository, where check does not look; Roo Code would read it"
    )
