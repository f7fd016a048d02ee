"""What a chat channel brings along: its accounts, its groups, what it can do."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.openclaw.gather.channels import (
    capabilities,
    chat,
    group_of,
    group_path,
    group_policy,
    normal_channel,
    reactions,
    unknown_channel,
)
from promptscope_engine.agents.openclaw.gather.runtime import parse_session
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.materials import Prompt
from promptscope_engine.formats.document import Path
from promptscope_engine.prompt.conditions import Condition, Facts

from .conftest import Claw

GROUP = parse_session("agent:main:telegram:group:7")


def of(channel: str, **own: Any) -> SettingLevers:
    return SettingLevers({"channels": {channel: own}})


@pytest.mark.parametrize(
    ("named", "channel"),
    [
        (None, None), (" ", None), (" Telegram ", "telegram"), ("IMSG", "imessage"), ("gchat", "googlechat"),
        ("internet-relay-chat", "irc"), ("google-chat", "googlechat"), ("mine", "mine"),
    ],
)  # fmt: skip
def test_a_channel_has_one_name(named: str | None, channel: str | None) -> None:
    assert normal_channel(named) == channel


@pytest.mark.parametrize(
    ("channel", "severity", "says"),
    [
        *((known, None, "") for known in (None, "signal", "webchat", "matrix")),
        ("telegarm", "warning", "did you mean telegram"),
        ("matrx", "warning", "did you mean Matrix"),
        ("nonee", "warning", "did you mean none"),
        ("qq", "info", "built in are telegram, whatsapp"),
    ],
)
def test_a_channel_that_nobody_knows_is_told(channel: str | None, severity: str | None, says: str) -> None:
    found = list(unknown_channel(of("Matrix"), channel))
    assert [each.severity for each in found] == ([] if severity is None else [severity])
    assert all(says in each.message for each in found)


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("agent:main:main", None),
        ("agent:main:telegram:group", None),
        ("agent:main:telegram:direct:7", None),
        ("agent:main:Telegram:group:7", ("telegram", "7")),
        ("agent:main:discord:channel:7", ("discord", "7")),
        ("agent:main:telegram:group:-100:1:2", ("telegram", "-100:1:2")),
        ("agent:main:telegram:group:thread", ("telegram", "thread")),
        ("agent:main:telegram:group:topic:thread:1", ("telegram", "topic")),
        ("agent:main:telegram:group:7:thread:9", ("telegram", "7")),
        ("agent:main:telegram:group:7:topic:9:thread:1", ("telegram", "7")),
        ("agent:main:telegram:group:thread:thread:9", ("telegram", "thread")),
    ],
)
def test_a_session_key_names_a_group(key: str, found: tuple[str, str] | None) -> None:
    assert group_of(parse_session(key)) == found


@pytest.mark.parametrize(
    ("own", "path"),
    [
        ({}, ("groups", "7")),
        ({"groups": {"7": {"a": 1}}, "channels": {"7": {"a": 1}}}, ("groups", "7")),
        ({"channels": {"7": {"a": 1}}, "groups": {"*": {"a": 1}}}, ("channels", "7")),
        ({"groups": {"*": {"a": 1}}}, ("groups", "*")),
        ({"channels": {"*": {"a": 1}}}, ("channels", "*")),
        ({"groups": {"7": {}, "*": {"a": 1}}, "channels": {"7": {"a": 1}}}, ("groups", "*")),
    ],
)
def test_where_a_group_is_configured(own: dict[str, Any], path: tuple[str, str]) -> None:
    assert group_path(of("telegram", **own), GROUP) == ("channels", "telegram", *path)
    assert group_path(of("telegram", **own), parse_session("agent:main:main")) is None


@pytest.mark.parametrize(("tools", "deny"), [(None, None), ("all", None), ({}, None), ({"deny": ["exec"]}, ("exec",))])
def test_the_tools_of_a_group(tools: Any, deny: tuple[str, ...] | None) -> None:
    settings = of("telegram", groups={"7": {"tools": tools, "systemPrompt": "x"}})
    found = group_policy(settings, GROUP)
    assert (found and found.deny) == deny
    assert found is None or found.path == ("channels", "telegram", "groups", "7", "tools")
    assert group_policy(settings, parse_session("agent:main:main")) is None


@pytest.mark.parametrize(
    ("accounts", "found"),
    [
        ({}, ["base"]),
        ({"b": {"capabilities": ["b"]}, "a": {"capabilities": ["a"]}}, ["a"]),
        ({"default": {"capabilities": ["d"]}, "a": {"capabilities": ["a"]}}, ["d"]),
        ({"default": {}, "a": {"capabilities": ["a"]}}, ["base"]),
        ({"a": {"capabilities": []}}, []),
    ],
)
def test_an_account_goes_before_its_channel(accounts: dict[str, Any], found: list[str]) -> None:
    assert capabilities(of("signal", capabilities=["base"], accounts=accounts), "signal") == found


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (None, ["inlineButtons"]),
        ({"inlineButtons": "off"}, []),
        ({"inlineButtons": "DM"}, ["inlineButtons"]),
        ({"inlineButtons": "bogus"}, ["inlineButtons"]),
        ([], []),
        (["a"], ["a"]),
        ([" INLINEBUTTONS ", " "], ["INLINEBUTTONS"]),
        (["inlineButtons", 7], ["inlineButtons"]),
        ([7], []),
    ],
)
def test_telegram_has_buttons_unless_they_are_switched_off(own: Any, found: list[str]) -> None:
    assert capabilities(of("telegram", capabilities=own), "telegram") == found
    plain = [text.strip() for text in own if text.strip()] if isinstance(own, list) and 7 not in own else []
    assert capabilities(of("discord", capabilities=own), "discord") == plain


def holds(*conditions: Condition) -> list[bool]:
    return [condition.holds(Facts()) for condition in conditions]


def test_a_chat_is_told_by_the_channel_that_the_scenario_passes() -> None:
    settings = of("discord")
    found = chat(settings, Prompt({}, {"runtimeInfo": {"channel": " IRC "}}), GROUP, None, "2026.2.24")
    assert holds(found.buttons, found.lacks_buttons) == [False, True]
    able = {"channel": "irc", "capabilities": ["a", " inlinebuttons "]}
    found = chat(settings, Prompt({}, {"runtimeInfo": able}), GROUP, None, "2026.2.24")
    assert holds(found.buttons, found.lacks_buttons) == [True, False]
    found = chat(settings, Prompt({}, {"runtimeInfo": {}}), GROUP, "telegram", "2026.2.24")
    assert holds(found.buttons, found.lacks_buttons) == [False, False]


@pytest.mark.parametrize(
    ("channel", "level", "shown"),
    [
        ("telegram", None, "minimal"), ("telegram", "off", None), ("telegram", "ack", None),
        ("telegram", "extensive", "extensive"), ("telegram", "bogus", None), ("signal", "bogus", "minimal"),
        ("discord", "extensive", None), (None, "extensive", None),
    ],
)  # fmt: skip
def test_reactions_are_guided_for_two_channels(channel: str | None, level: str | None, shown: str | None) -> None:
    own = {} if level is None else {"reactionLevel": level}
    found = reactions(of(channel or "telegram", **own), Prompt({}, {}), channel)
    on, minimal = holds(found.on, found.minimal)
    assert (("minimal" if minimal else "extensive") if on else None) == shown


def test_the_path_of_a_groups_prompt_is_told() -> None:
    settings = of("telegram", groups={"7": {"systemPrompt": " Be kind. "}})
    prompt = chat(settings, Prompt({}, {}), GROUP, "telegram", "2026.2.24").group_prompt
    assert (prompt.value, prompt.origin.name) == ("Be kind.", "channels.telegram.groups.systemPrompt")
    none = chat(of("telegram"), Prompt({}, {}), GROUP, "telegram", "2026.2.24").group_prompt
    assert (none.value, holds(prompt.because, none.because)) == (None, [True, False])
    path: Path = ("channels", "telegram", "groups", "7")
    assert group_path(settings, GROUP) == path


@pytest.mark.parametrize(
    ("channel", "named"),
    [
        ("telegram", "7, +1"),
        ("imessage", "8, +1"),
        ("discord", "+1"),
        (None, None),  # recorded: `openclaw agent` names no owner
    ],
)
def test_owners_are_those_of_the_channel(claw: Claw, channel: str | None, named: str | None) -> None:
    config = {"commands": {"ownerAllowFrom": ["telegram:7", "imsg:8", "+1", "*", "telegram:"]}}
    section = claw(config=config, channel=channel).section("authorized_senders")
    assert section is not None
    assert (f" {named}." in section.text) if named else not section.present


@pytest.mark.parametrize("entry", [None, "agent"])
def test_a_group_has_its_prompt_where_a_message_comes_from_it(claw: Claw, entry: str | None) -> None:
    """Recorded: `openclaw agent` in a group's session is not given it."""
    config = {"channels": {"telegram": {"groups": {"42": {"systemPrompt": "Be kind."}}}}}
    text = claw(config=config, entry=entry, sessionKey="agent:main:telegram:group:42").system_text
    assert ("Be kind." in text) == (entry is None)
