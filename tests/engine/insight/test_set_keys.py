"""Keys that somebody has set: where each is, and what the prompt would be without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.insight.set_keys import SetKey, set_keys


def asked(root: Path, name: str, agent: str, files: dict[str, str]) -> tuple[SetKey, ...]:
    for path, text in {"home/x": "", "repo/x": "", **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    values = {"agent": agent, "workspace": str(root / "repo"), "home": str(root / "home"), "env": {}}
    scenario, workspace = Scenario.model_validate(values), Workspace()
    return set_keys(name, assemble(scenario, workspace, cached_only=True), scenario, workspace)


def test_a_key_of_json_and_what_it_changes(tmp_path: Path) -> None:
    text = '{\n  "permissions": {\n    "deny": ["WebFetch"]\n  }\n}'
    (key,) = asked(tmp_path, "deny", "claude-code", {"repo/.claude/settings.json": text})
    assert (key.key, key.line, key.path.endswith("repo/.claude/settings.json")) == ("permissions.deny", 3, True)
    assert key.without == ("± Deferred tools",)
    assert key.effect == "without it the prompt would differ: ± Deferred tools"


def test_what_is_said_only_since_it_is_set(tmp_path: Path) -> None:
    (key,) = asked(tmp_path, "permisions", "claude-code", {"repo/.claude/settings.json": '{"permisions": {}}'})
    assert key.effect == "without it the prompt would be the same"
    assert ["did you mean `permissions`" in each for each in key.said] == [True]


@pytest.mark.parametrize("name", ["roles.reader", "agents.reader", "reader"])
def test_a_table_of_toml_goes_as_a_whole(tmp_path: Path, name: str) -> None:
    text = '[agents.reader]\ndescription = """\nReads.\n"""\n'
    found = asked(tmp_path, name, "codex", {"home/.codex/config.toml": text})
    if name.startswith("roles"):
        assert found == ()
    else:
        assert [(each.key, each.line) for each in found] == [("agents.reader", 1)]
        assert found[0].without == ("± collaboration.spawn_agent",)


def test_a_key_of_front_matter_that_lasts_several_lines(tmp_path: Path) -> None:
    text = "---\nname: s\ndescription: >\n  One\n  two.\nlicense: MIT\n---\nBody\n"
    (found,) = asked(tmp_path, "description", "claude-code", {"repo/.claude/skills/s/SKILL.md": text})
    assert (found.line, found.without) == (3, ("± Skills",))
    (found,) = asked(tmp_path, "license", "claude-code", {})
    assert (found.line, found.without) == (6, ())


def test_the_same_key_in_two_files(tmp_path: Path) -> None:
    files = {f"{place}/.claude/settings.json": '{"language": "Thai"}' for place in ("home", "repo")}
    assert [each.without for each in asked(tmp_path, "language", "claude-code", files)] == [
        (),
        (),
    ]  # the other one counts


def test_a_broken_file_has_no_keys(tmp_path: Path) -> None:
    assert asked(tmp_path, "language", "claude-code", {"repo/.claude/settings.json": '{"language": "Thai"'}) == ()
