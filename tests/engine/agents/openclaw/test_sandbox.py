"""Whether a session runs in a sandbox, and where (docs/agents/openclaw.md#channels-and-sandbox)."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import Workspace
from promptscope_engine.agents.openclaw.gather.tools import Box, box
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.conditions import Facts

from .conftest import Claw

OWN = ("agents", "list", 0)
MAIN = "agent:main:main"


def boxed(
    place: Path,
    sandbox: dict[str, Any],
    key: str = MAIN,
    own: dict[str, Any] | None = None,
    session: dict[str, Any] | None = None,
) -> Box:
    """The sandbox of the agent `main` under these settings, its own entry's before the default ones."""
    entries = [] if own is None else [{"id": "main", "sandbox": own}]
    settings = SettingLevers({"agents": {"defaults": {"sandbox": sandbox}, "list": entries}, "session": session or {}})
    _, inputs = resolve(frozen_scenario("openclaw", place), Workspace())
    return box(inputs, settings, () if own is None else OWN, ("main", key), "/ws")


@pytest.mark.parametrize(
    ("mode", "key", "session", "is_on"),
    [
        (None, MAIN, {}, False),
        ("off", "agent:main:telegram:group:1", {}, False),
        ("all", MAIN, {}, True),
        ("all", "agent:main:telegram:group:1", {}, True),
        ("non-main", MAIN, {}, False),
        ("non-main", "main", {}, False),
        ("non-main", "agent:main:telegram:group:1", {}, True),
        ("non-main", "agent:main:home", {}, True),
        ("non-main", "agent:main:home", {"mainKey": "home"}, False),
        ("non-main", "home", {"mainKey": "Home"}, False),
        ("non-main", MAIN, {"mainKey": "home"}, False),
        ("non-main", "global", {"scope": "global"}, False),
        ("bogus", MAIN, {}, False),
    ],
)
def test_which_sessions_are_in_a_sandbox(
    place: Path, mode: str | None, key: str, session: dict[str, Any], is_on: bool
) -> None:
    found = boxed(place, {} if mode is None else {"mode": mode}, key, session=session)
    assert (found.on, found.active.holds(Facts())) == (is_on, is_on)
    says_main = "this is the main session" in found.active.evaluate(Facts()).text
    assert says_main is (mode == "non-main" and not is_on)


@pytest.mark.parametrize(
    ("sandbox", "folder"),
    [
        ({"mode": "off", "workspaceRoot": "/boxes"}, "/ws"),
        ({"mode": "all", "workspaceRoot": "/boxes", "workspaceAccess": "rw"}, "/ws"),
        ({"mode": "all", "workspaceRoot": "/boxes", "workspaceAccess": "ro", "scope": "shared"}, "/boxes"),
        ({"mode": "all", "workspaceRoot": "/boxes"}, "/boxes/agent-main-{agent:main}"),
        ({"mode": "all", "workspaceRoot": "/boxes", "scope": "session"}, "/boxes/agent-main-main-{agent:main:main}"),
        ({"mode": "all", "scope": "shared"}, "{home}/.openclaw/sandboxes"),
    ],
)
def test_where_its_copy_of_the_workspace_lies(place: Path, sandbox: dict[str, Any], folder: str) -> None:
    hashes = {key: sha256(key.encode()).hexdigest()[:8] for key in ("agent:main", MAIN)}
    for key, value in {**hashes, "home": str(place / "home")}.items():
        folder = folder.replace(f"{{{key}}}", value)
    assert boxed(place, sandbox).folder == folder


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("agent:main:" + "x" * 20, "agent-main-" + "x" * 20),
        ("agent:main:" + "x" * 21, "agent-main-" + "x" * 21),
        ("agent:main:" + "x" * 22, "agent-main-" + "x" * 21),
        ("agent:main:Two  Words!", "agent-main-two-words"),
        ("agent:main:a_b.c-d", "agent-main-a_b.c-d"),
        ("äö", "session"),
    ],
)
def test_a_copy_is_named_by_the_first_32_characters_of_its_key(place: Path, key: str, name: str) -> None:
    found = boxed(place, {"mode": "all", "workspaceRoot": "/boxes", "scope": "session"}, key)
    assert found.folder == f"/boxes/{name}-{sha256(key.encode()).hexdigest()[:8]}"


@pytest.mark.parametrize(
    ("scope", "own", "workdir"),
    [
        (None, None, "/shared"),
        (None, "/own", "/own"),
        ("session", "/own", "/own"),
        ("shared", "/own", "/shared"),
    ],
)
def test_a_shared_sandbox_has_the_directory_of_all(
    place: Path, scope: str | None, own: str | None, workdir: str
) -> None:
    mine = None if own is None else {"docker": {"workdir": own}}
    found = boxed(place, {"mode": "all", "scope": scope, "docker": {"workdir": "/shared"}}, own=mine)
    assert found.workdir == workdir


def test_what_was_copied_already_is_read_in_the_copy(claw: Claw) -> None:
    copy = f"home/.openclaw/sandboxes/agent-main-{sha256(b'agent:main').hexdigest()[:8]}"
    files: dict[str, str | bytes] = {
        f"{copy}/AGENTS.md": "the copy", "workspace/AGENTS.md": "the original", "workspace/SOUL.md": "not copied yet",
        "workspace/MEMORY.md": "never copied",
    }  # fmt: skip
    text = claw(files, config={"agents": {"defaults": {"sandbox": {"mode": "all"}}}}).system_text
    told = [words for words in ("the copy", "the original", "not copied yet", "never copied") if words in text]
    assert told == ["the copy", "not copied yet"]


def test_without_a_directory_it_is_workspace(place: Path) -> None:
    assert boxed(place, {"mode": "all"}).workdir == "/workspace"


@pytest.mark.parametrize(
    ("channel", "allowed", "is_there"),
    [
        ("telegram", {"telegram": ["*"]}, True),
        ("signal", {"telegram": ["*"]}, False),
        ("signal", {"signal": ["+1"]}, True),
        ("signal", {"signal": []}, False),
        (None, {"telegram": ["*"]}, False),
    ],
)
def test_elevated_commands_are_for_the_senders_of_the_channel(
    claw: Claw, channel: str | None, allowed: dict[str, list[str]], is_there: bool
) -> None:
    config = {"tools": {"elevated": {"allowFrom": allowed}}, "agents": {"defaults": {"sandbox": {"mode": "all"}}}}
    assert ("Current elevated level: on" in claw(config=config, channel=channel).system_text) is is_there


@pytest.mark.parametrize(
    ("browser", "deny", "lines"),
    [
        ({}, [], ["Host browser control: blocked."]),
        ({"enabled": True}, [], ["Sandbox browser: enabled.", "Host browser control: blocked."]),
        ({"enabled": True}, None, ["Host browser control: blocked."]),
        ({"enabled": True}, ["Browser"], ["Host browser control: blocked."]),
        ({"enabled": "yes"}, [], ["Host browser control: blocked."]),
        ({"allowHostControl": True}, [], ["Host browser control: allowed."]),
    ],
)
def test_what_a_sandbox_tells_of_browsers(
    claw: Claw, browser: dict[str, Any], deny: list[str] | None, lines: list[str]
) -> None:
    sandbox = {"mode": "all", "browser": browser}
    tools = {"sandbox": {"tools": {} if deny is None else {"deny": deny}}}
    section = claw(config={"agents": {"defaults": {"sandbox": sandbox}}, "tools": tools}).section("sandbox")
    assert section is not None
    assert [line for line in section.text.split("\n") if "browser" in line] == lines
