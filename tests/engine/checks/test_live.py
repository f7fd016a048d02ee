"""What a check finds in the prompt that is shown, again after every save."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.checks import reading
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.prompt.model import Assembly, Diagnostic
from promptscope_engine.tokens.models import get_tokenizer

COUNTER = Counter(get_tokenizer("o200k_base"))
KEY = "AKIA" + "ABCDEFGH12345678"


def put(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(folder: Path, check: LiveCheck, wanted: bool = True) -> tuple[Diagnostic, ...] | None:
    scenario = Scenario(agent="claude-code", workspace=str(folder), home=str(folder.parent / "home"), env={})
    workspace = Workspace()
    assembly = assemble(scenario, workspace, COUNTER)
    lazy = find_lazy_rules(*resolve(scenario, workspace), workspace)
    watched = set(workspace.asked)
    answer = check.find(scenario, assembly, lazy, workspace, lambda: wanted)
    settings = {f"{folder}/{name}" for name in (".promptscope.toml", "pyproject.toml")}
    assert workspace.asked == watched | settings, "nothing else that is looked at is watched"
    return answer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    put(tmp_path / "shop", "CLAUDE.md", f"Use @docs/missing.md\n\nkey = {KEY}\nzero\u200bwidth\n")
    put(tmp_path / "shop", ".claude/rules/never.md", '---\npaths: ["src/**/*.nothing"]\n---\nNever.\n')
    return tmp_path / "shop"


def test_findings_are_diagnostics_with_their_places(folder: Path) -> None:
    places = {
        (d.code, d.severity, (d.path or "").removeprefix(f"{folder}/"), d.line)
        for d in found(folder, LiveCheck(COUNTER)) or ()
    }
    assert places == {
        ("unresolved-import", "error", "CLAUDE.md", 1),
        ("secret", "warning", "CLAUDE.md", 3),
        ("invisible-characters", "warning", "CLAUDE.md", 4),
        ("unmatched-rule", "error", ".claude/rules/never.md", 2),
    }


def test_settings_count_unless_they_are_not_valid(folder: Path) -> None:
    put(folder, ".promptscope.toml", '[rules]\nsecret = "off"\nunmatched-rule = "info"\n')
    levels = {d.code: d.severity for d in found(folder, LiveCheck(COUNTER)) or ()}
    assert levels == {"unresolved-import": "error", "invisible-characters": "warning", "unmatched-rule": "info"}
    put(folder, ".promptscope.toml", "[rules\n")
    assert "secret" in {d.code for d in found(folder, LiveCheck(COUNTER)) or ()}


def test_a_text_is_looked_through_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check, looked = LiveCheck(COUNTER), list[str]()
    inner = reading.noticed
    monkeypatch.setattr(reading, "noticed", lambda text, start: looked.append(text) or inner(text, start))
    first = found(folder, check)
    assert looked
    looked.clear()
    assert found(folder, check) == first
    assert looked == []
    put(folder, ".claude/rules/more.md", "More.\n")
    again = [each for each in found(folder, check) or () if each.severity != "info"]
    assert len(again) == len(first or ())
    assert looked == ["More."]
    assert found(folder, check, wanted=False) is None


def test_a_budget_a_forbidden_file_and_what_is_paid_twice_are_found_too(folder: Path) -> None:
    put(
        folder,
        ".promptscope.toml",
        'forbidden = ["CLAUDE.md"]\n[[budget]]\ntokens = 10\n[[budget]]\nmode = "plan"\ntokens = 10\n',
    )
    again = (
        "Run the tests of every package that you changed before every commit, and say in the message that they pass.\n"
    )
    put(folder, "CLAUDE.md", f"{again}\nBe kind.\n\n{again * 2}")
    codes = [each.code for each in found(folder, LiveCheck(COUNTER)) or ()]
    assert sorted(set(codes)) == ["budget", "duplicate-lines", "forbidden-file", "unmatched-rule"]
    assert codes.count("budget") == 1, "that of another mode is not exceeded here"


def test_a_reference_is_stale_until_its_file_is_there(folder: Path) -> None:
    put(folder, "CLAUDE.md", "Models are in `src/models.py`.\n")
    put(folder, "src/main.py", "")
    check = LiveCheck(COUNTER)
    codes = [d.code for d in found(folder, check) or ()]
    assert codes.count("stale-reference") == 1
    assert found(folder, check, wanted=False) is None
    put(folder, "src/models.py", "")
    assert "stale-reference" not in [d.code for d in found(folder, check) or ()]


def test_what_is_said_twice_is_looked_for_once_in_the_same_sections(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []

    def find(assembly: Assembly, *_: object) -> tuple[Repeat, ...]:
        looked.append(assembly.sections)
        return ()

    monkeypatch.setattr(reading, "find_repeats", find)
    check = LiveCheck(COUNTER)
    ask = {"agent": "claude-code", "workspace": str(folder), "home": str(folder.parent / "home"), "env": {}}
    first, other = (assemble(Scenario.model_validate(ask), Workspace(), COUNTER) for _ in range(2))
    for assembly in (first, first.with_diagnostics(()), other):
        check.paid_twice(assembly, Workspace())
    assert [each is first.sections for each in looked] == [True, False]
