"""Whose hooks speak, and how much of what they say is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Section

    from .conftest import Project

_FILES = {
    "user": "home/.claude/settings.json",
    "project": "workspace/.claude/settings.json",
    "local": "workspace/.claude/settings.local.json",
    "managed": "managed/managed-settings.json",
}
_HOOK = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}]}}


def section(project: Project, said: str) -> Section:
    found = project.assemble(params={"hooks": {"SessionStart": said}}).sections
    return next(each for each in found if each.id == "hook.session_start")


def write(project: Project, files: dict[str, dict[str, Any]]) -> None:
    project.write({_FILES[level]: json.dumps(values) for level, values in files.items()})


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"user": {"disableAllHooks": True}}, "`disableAllHooks` is on"),
        ({"local": {"disableAllHooks": True}, "project": _HOOK}, "`disableAllHooks` is on"),
        ({"managed": {**_HOOK, "disableAllHooks": True}}, "`disableAllHooks` is on"),
        ({"managed": {"disableAllHooks": True}, "local": {"disableAllHooks": False}}, "`disableAllHooks` is on"),
        ({"managed": {"allowManagedHooksOnly": True}, "user": _HOOK}, "no managed settings have such a hook"),
    ],
)
def test_a_switch_silences_hooks(project: Project, files: dict[str, dict[str, Any]], why: str) -> None:
    write(project, files)
    found = section(project, "words")
    assert not found.present
    assert why in found.why.text


@pytest.mark.parametrize(
    "files",
    [
        {"user": _HOOK},
        {"user": {"disableAllHooks": True}, "managed": _HOOK},
        {"user": {"disableAllHooks": True}, "local": {"disableAllHooks": False}},
        {"managed": {"disableAllHooks": False}, "user": {"disableAllHooks": True}},
        {"managed": {**_HOOK, "allowManagedHooksOnly": True}},
        {"user": {"allowManagedHooksOnly": True}},
    ],
)
def test_other_hooks_speak(project: Project, files: dict[str, dict[str, Any]]) -> None:
    write(project, files)
    assert section(project, "words").present


@pytest.mark.parametrize(
    ("said", "size", "sent"),
    [
        ("x" * 10_001, "9.8KB", "x" * 2_000),
        ("é" * 10_240, "10KB", "é" * 2_000),
        ("😀" * 5_001, "9.8KB", "😀" * 1_000),
        ("x" * 1_000 + "\n" + "y" * 12_000, "12.7KB", "x" * 1_000 + "\n" + "y" * 999),
        ("x" * 1_001 + "\n" + "y" * 12_000, "12.7KB", "x" * 1_001),
    ],
)
def test_of_what_is_too_long_the_start_is_sent(project: Project, said: str, size: str, sent: str) -> None:
    text = section(project, said).text
    assert f"({size})" in text
    assert f":\n{sent}\n...\n</persisted-output>" in text


@pytest.mark.parametrize("said", ["é" * 10_000, "x" * 9_999 + "\n\n\n"])
def test_ten_thousand_characters_are_sent(project: Project, said: str) -> None:
    assert said.strip() in section(project, said).text


@pytest.mark.parametrize(
    ("event", "said", "is_sent"),
    [
        ("UserPromptSubmit", {"decision": "block"}, False),
        ("UserPromptSubmit", {"continue": False}, False),
        ("UserPromptSubmit", {"decision": "Block", "continue": "false"}, True),
        ("SessionStart", {"decision": "block", "continue": False}, True),
    ],
)
def test_a_hook_may_stop_the_prompt(project: Project, event: str, said: dict[str, Any], is_sent: bool) -> None:
    params = {"hooks": {event: json.dumps(said)}}
    found = project.assemble(params=params)
    assert bool(found.request.messages) is is_sent
    assert [d.code for d in found.diagnostics] == ([] if is_sent else ["agent-refuses"])


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("words", "SessionStart:startup hook success: words"),
        (
            '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "words"}}',
            "SessionStart hook additional context: words",
        ),
    ],
)
def test_what_a_hook_says_stands_behind_how_it_said_so(project: Project, said: str, begins: str) -> None:
    assert begins in section(project, said).text


def test_a_hook_that_is_off_stops_nothing(project: Project) -> None:
    write(project, {"user": {"disableAllHooks": True}})
    blocks = {"hooks": {"UserPromptSubmit": '{"decision": "block"}'}}
    assert project.assemble(params=blocks).request.messages


@pytest.mark.parametrize(("event", "sent"), [("SessionStart", "ZQ words"), ("UserPromptSubmit", None), (None, None)])
def test_only_what_is_meant_for_the_event_is_sent(project: Project, event: str | None, sent: str | None) -> None:
    own = {"additionalContext": "ZQ words", **({"hookEventName": event} if event else {})}
    write(project, {"user": _HOOK})
    found = section(project, json.dumps({"hookSpecificOutput": own}))
    assert ("ZQ words" in (found.text or "")) == (sent is not None)
