"""What a compaction takes away, and assertions about it."""

from pathlib import Path

import pytest

from promptscope_engine.checks.checker import check
from promptscope_engine.checks.findings import Finding
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario

FILES = {
    "CLAUDE.md": "# Rules\n\n## Security\nNever commit secrets.\n",
    "src/CLAUDE.md": "# Src\nAlways use tabs here for indentation.\n",
    "src/a.py": "1\n",
}


def found(place: Path, settings: str = "", **more: str) -> list[Finding]:
    for name, text in {**FILES, ".promptscope.toml": settings, **more}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return list(check(Scenario(workspace=str(place), agent="claude-code")).findings)


def said(findings: list[Finding], rule: str) -> list[tuple[str, str | None, int | None]]:
    return [(each.message, each.path, each.line) for each in findings if each.rule == rule]


def test_a_heading_that_nothing_reads(tmp_path: Path) -> None:
    ours = found(tmp_path, **{"CLAUDE.md": "# Rules\n\n# Compact Instructions\nkeep the plan\n"})
    ((message, path, line),) = said(ours, "compact-heading")
    assert (path, line) == ("CLAUDE.md", 3)
    assert "steers no summary" in message
    assert not said(found(tmp_path, **{"CLAUDE.md": "# Compact layouts\n"}), "compact-heading")


def test_a_skill_longer_than_a_compaction_keeps(tmp_path: Path) -> None:
    head = "---\nname: big\ndescription: b\n---\n"
    ours = found(tmp_path, **{".claude/skills/big/SKILL.md": head + "x" * 20_001})
    assert [path for _, path, _ in said(ours, "skill-over-limit")] == [".claude/skills/big/SKILL.md"]
    ours = found(tmp_path, **{".claude/skills/big/SKILL.md": head + "x" * 10_000})
    assert not said(ours, "skill-over-limit")


@pytest.mark.parametrize(("matcher", "is_told"), [("startup", True), ("startup|compact", False), ("", False)])
def test_a_session_hook_that_leaves_out_compact(tmp_path: Path, matcher: str, is_told: bool) -> None:
    hook = f'{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "echo hi"}}]}}'
    ours = found(tmp_path, **{".claude/settings.json": f'{{"hooks": {{"SessionStart": [{hook}]}}}}'})
    assert bool(said(ours, "hook-without-compact")) is is_told


def test_a_lasting_rule_in_a_nested_file_is_a_hint(tmp_path: Path) -> None:
    assert not said(found(tmp_path), "lost-on-compaction")
    ((message, path, line),) = said(found(tmp_path, "advice = true\n"), "lost-on-compaction")
    assert (path, line) == ("src/CLAUDE.md", 2)
    assert "Always use tabs" in message


def test_what_is_asserted_to_survive_does(tmp_path: Path) -> None:
    assert not said(found(tmp_path, '[[assert]]\nsurvives = "CLAUDE.md#security"\n'), "assertion")


def test_a_nested_file_comes_back_as_a_file_alone(tmp_path: Path) -> None:
    settings = '[[assert]]\nsurvives = "src/CLAUDE.md"\nafter_read = ["src/a.py"]\n'
    ((message, path, line),) = said(found(tmp_path, settings), "assertion")
    assert message == (
        "src/CLAUDE.md does not survive /compact: it comes back as a file and no longer as an instruction"
    )
    assert (path, line) == (".promptscope.toml", 2)


def test_it_is_lost_after_clear(tmp_path: Path) -> None:
    settings = '[[assert]]\nsurvives = "src/CLAUDE.md"\nevent = "clear"\nafter_read = ["src/a.py"]\n'
    ((message, _, _),) = said(found(tmp_path, settings), "assertion")
    assert "/clear drops what reads brought" in message


@pytest.mark.parametrize(
    ("survives", "meant"),
    [
        ("CLAUD.md", "there is no CLAUD.md: did you mean CLAUDE.md?"),
        ("CLAUDE.md#securty", "CLAUDE.md has no heading 'securty': did you mean 'security'?"),
    ],
)
def test_an_assertion_about_what_is_not_there(tmp_path: Path, survives: str, meant: str) -> None:
    ((message, _, _),) = said(found(tmp_path, f'[[assert]]\nsurvives = "{survives}"\n'), "assertion")
    assert message == meant


def test_a_misspelt_key_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"assert\.0"):
        found(tmp_path, '[[assert]]\nsurvive = "CLAUDE.md"\n')
