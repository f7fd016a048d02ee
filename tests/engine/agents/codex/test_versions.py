"""What differs between the versions that are modelled."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.prompt.model import Assembly


def sent(version: str, model: str | None = None, **given: Any) -> Assembly:
    environment = {
        "date": "2026-11-27T23:30:00-05:00",
        "shell": "bash",
        "timezone": "America/Lima",
        "platform": "linux",
    }
    scenario = {"agent": "codex", "agent_version": version, "model": model, "workspace": "/none", "home": "/none/home"}
    return assemble(Scenario.model_validate({**scenario, "environment": environment, "env": {}, **given}), Workspace())


def present(assembly: Assembly, beginning: str) -> list[str]:
    return [each.id for each in assembly.sections if each.present and each.id.startswith(beginning)]


def text(assembly: Assembly, section_id: str) -> str:
    section = assembly.section(section_id)
    assert section is not None
    return section.text


def test_each_version_has_a_default_model_with_a_base_of_its_own() -> None:
    before, after = sent("0.169.0"), sent("0.171.0")
    assert (before.model, after.model) == ("gpt-6.1-sol", "gpt-6.2-sol")
    assert {"base.apps", "base.plugins_how"} <= set(present(before, "base."))
    assert {"base.frontend", "base.coding", "base.boundary"} <= set(present(after, "base."))


@pytest.mark.parametrize("model", ["gpt-6.1-sol", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna"])
def test_plugins_and_apps_are_one_section_since_0_171(model: str) -> None:
    before, after = (present(sent(version, model), "base.") for version in ("0.169.0", "0.171.0"))
    assert [each for each in before if each not in after] == ["base.apps", "base.plugins_how"]
    assert [each for each in after if each not in before] == ["base.boundary"]


def test_the_newest_models_write_to_the_user_while_they_work() -> None:
    name = "functions.send_message_to_user_async"
    for model, features, there in (
        ("gpt-6.2-astra", [], True),
        ("gpt-6.1-sol", [], False),
        ("gpt-6.1-sol", ["send_message_to_user_async"], True),
        ("gpt-5.6-sol", ["send_message_to_user_async"], True),
    ):
        found = sent("0.171.0", model, params={"args": {"enable": features}})
        assert (name in [tool.name for tool in found.tools if tool.present]) == there, (model, features)


def test_the_date_of_utc_is_told_by_a_feature_of_the_newer_version() -> None:
    asked = {"params": {"args": {"enable": ["utc_environment_date"]}}}
    assert "<current_date>2026-11-27</current_date>" in text(sent("0.169.0", **asked), "environment")
    after = text(sent("0.171.0", **asked), "environment")
    assert "<current_date_utc>2026-11-28</current_date_utc>" in after
    assert "<current_date>" not in after


def test_the_environment_tells_its_sandbox_by_a_feature_of_the_newer_version() -> None:
    asked = {"params": {"args": {"enable": ["per_environment_context"]}}}
    after = sent("0.171.0", **asked)
    assert text(after, "permissions").startswith('<permissions instructions><environment id="local">\n\n')
    assert text(after, "permissions").endswith("</environment></permissions instructions>")
    lines = text(after, "environment").split("\n")
    assert lines[1:4] == ["  <environments>", '    <environment id="local">', "      <cwd>/none</cwd>"]
    assert lines[5] == '      <network access="restricted" />'
    plain = sent("0.171.0")
    for section in ("permissions", "environment"):
        assert text(sent("0.169.0", "gpt-6.2-sol", **asked), section) == text(plain, section)


def test_how_a_login_shell_is_asked_for_is_said_otherwise() -> None:
    def said(version: str) -> str:
        (tool,) = [each for each in sent(version, "gpt-5.5").tools if each.name == "exec_command"]
        return str(tool.input_schema["properties"]["login"]["description"])

    assert said("0.169.0") != said("0.171.0")
