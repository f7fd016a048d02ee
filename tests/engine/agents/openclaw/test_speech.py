"""The settings of spoken replies: the user's own before the configuration's."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.openclaw.gather.channels import speech
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.prompt.conditions import Facts


@pytest.mark.parametrize(
    ("config", "own", "auto"),
    [
        ({}, {}, "off"),
        ({"auto": "Tagged"}, {}, "tagged"),
        ({"auto": "bogus"}, {}, "off"),
        ({"auto": "bogus", "enabled": True}, {}, "always"),
        ({"enabled": False}, {}, "off"),
        ({"enabled": "yes"}, {}, "off"),
        ({"auto": "always"}, {"auto": "inbound"}, "inbound"),
        ({"auto": "always"}, {"enabled": False}, "off"),
        ({"auto": "always"}, {"auto": 7}, "always"),
    ],
)
def test_when_replies_are_spoken(config: dict[str, Any], own: dict[str, Any], auto: str) -> None:
    assert speech(SettingLevers({"messages": {"tts": config}}), SettingLevers({"tts": own}), "2026.2.24").auto == auto


@pytest.mark.parametrize(
    ("own", "length", "summary"),
    [
        ({}, 1_500, True),
        ({"maxLength": 900.9, "summarize": False}, 900, False),
        ({"maxLength": 0, "summarize": 0}, 1_500, True),
    ],
)
def test_how_long_a_reply_may_be(own: dict[str, Any], length: int, summary: bool) -> None:
    found = speech(SettingLevers({}), SettingLevers({"tts": own}), "2026.2.24")
    assert (found.length.text, found.summarized.holds(Facts())) == (str(length), summary)
