"""What holds a skill back, gate by gate (docs/agents/openclaw.md#skills)."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine import Workspace
from promptscope_engine.agents.openclaw.gather.skill_folders import BUNDLED, EXTRA, Skill
from promptscope_engine.agents.openclaw.gather.skill_heads import Head
from promptscope_engine.agents.openclaw.gather.skill_listing import Machine, gate
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.prompt.conditions import Facts


def passes(
    metadata: dict[str, Any],
    skills: dict[str, Any] | None = None,
    env: dict[str, str] | None = None,
    source: str = EXTRA,
    **config: Any,
) -> bool:
    machine = Machine(SettingLevers({"skills": skills or {}, **config}), "linux", env or {}, (), None)
    skill = Skill("name", "d", "/s/SKILL.md", source, hidden=False, head=Head(metadata={"openclaw": metadata}))
    return gate(skill, machine, Workspace()).holds(Facts())


@pytest.mark.parametrize(
    ("entry", "env", "is_open"),
    [
        ({}, {}, False),
        ({}, {"KEY": "x"}, True),
        ({}, {"KEY": ""}, False),
        ({"env": {"KEY": "x"}}, {}, True),
        ({"env": {"OTHER": "x"}}, {"OTHER": "x"}, False),
        ({"apiKey": "x"}, {}, True),
        ({"apiKey": ""}, {}, False),
    ],
)
def test_a_variable_is_the_environments_or_the_entrys(
    entry: dict[str, Any], env: dict[str, str], is_open: bool
) -> None:
    primary = {"requires": {"env": ["KEY"]}, "primaryEnv": "KEY"}
    assert passes(primary, {"entries": {"name": entry}}, env) is is_open
    other = {"requires": {"env": ["KEY"]}, "primaryEnv": "OTHER"}
    assert passes(other, {"entries": {"name": entry}}, env) is (is_open and "apiKey" not in entry)


@pytest.mark.parametrize(
    ("allowed", "is_open"),
    [(None, True), ([], True), ([" "], True), (["key"], True), (["name"], True), (["other"], False), ("other", True)],
)
def test_a_bundled_skill_is_allowed_by_its_key_or_its_name(allowed: Any, is_open: bool) -> None:
    metadata = {"skillKey": "key"}
    assert passes(metadata, {"allowBundled": allowed}, source=BUNDLED) is is_open
    assert passes(metadata, {"allowBundled": allowed})


@pytest.mark.parametrize(
    ("value", "is_open"),
    [
        (None, False), (True, True), (False, False), (1, True), (0, False), ("a", True), (" ", False), ({}, True),
        ([], True),
    ],
)  # fmt: skip
def test_a_setting_that_a_skill_requires_is_truthy(value: Any, is_open: bool) -> None:
    assert passes({"requires": {"config": ["x.y"]}}, x={"y": value}) is is_open
    assert passes({"requires": {"config": ["browser.enabled"]}}, browser={"enabled": value}) is (
        is_open or value is None
    )


def test_always_lets_in_what_is_made_for_the_system() -> None:
    required = {"requires": {"env": ["KEY"], "bins": ["nonesuch"]}}
    assert not passes(required)
    assert passes({"always": True, **required})
    assert not passes({"always": True, "os": ["darwin"]})
    assert passes({"always": True, "os": ["darwin", "linux"]})
    assert passes({"always": True})
    assert not passes({"always": True}, {"entries": {"name": {"enabled": False}}})
