"""Entries of lists that name nothing."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.prompt.model import Assembly

from .conftest import Assembled

SERVERS = json.dumps({"mcpServers": {name: {"command": "c", "tools": ["*"]} for name in ("clock", "silent")}})
CLOCK = [{"name": "clock", "tools": [{"name": "now", "description": "d", "inputSchema": {}}]}]


def unmatched(found: Assembly) -> list[str]:
    return [note.message for note in found.diagnostics if note.code == "unmatched-entry"]


@pytest.mark.parametrize("argument", ["denyTool", "allowTool"])
@pytest.mark.parametrize(
    ("entry", "meant"),
    [
        ("shell", None),
        ("shell(git:*)", None),
        ("write(.env)", None),
        ("url(https://example.com)", None),
        ("clock", None),
        ("clock(now)", None),
        ("silent(any)", None),
        ("clock(then)", "tool of this server"),
        ("bash", "kind of permission, and no such server"),
        ("shel(git push)", "kind of permission, and no such server; did you mean shell?"),
        ("clok", "kind of permission, and no such server; did you mean clock?"),
    ],
)
def test_a_permission_names_a_kind_of_calls_or_a_server(
    assembled: Assembled, argument: str, entry: str, meant: str | None
) -> None:
    """A tool's own name is none: `shell` is the kind of `bash`."""
    found = assembled({"home/.copilot/mcp-config.json": SERVERS}, args={argument: [entry]}, mcp_servers=CLOCK)
    flag = {"denyTool": "--deny-tool", "allowTool": "--allow-tool"}[argument]
    said = f"`{flag}` names {entry}: there is no such {meant}"
    assert unmatched(found) == ([] if meant is None else [said])


@pytest.mark.parametrize("argument", ["availableTools", "excludedTools"])
def test_a_list_of_tools_names_the_clients_own_and_servers(assembled: Assembled, argument: str) -> None:
    entries = ["view, viwe", "bash", "clock-now", "clock/*", "clock/then", "silent-any", "other-any"]
    found = assembled({"home/.copilot/mcp-config.json": SERVERS}, args={argument: entries}, mcp_servers=CLOCK)
    flag = {"availableTools": "--available-tools", "excludedTools": "--excluded-tools"}[argument]
    assert unmatched(found) == [
        f"`{flag}` names viwe: there is no such tool; did you mean view?",
        f"`{flag}` names clock/then: there is no such tool",
        f"`{flag}` names other-any: there is no such tool",
    ]


def test_a_repositorys_settings_name_servers_that_are_there(assembled: Assembled) -> None:
    repository = {"ws/.git/HEAD": "ref: refs/heads/main", "ws/.git/objects/x": "", "ws/.git/refs/x": ""}
    settings = {"disabledMcpServers": ["clock", "clokc"]}
    files = {
        "home/.copilot/mcp-config.json": SERVERS,
        "home/.copilot/settings.json": json.dumps({"disabledMcpServers": ["of another repository"]}),
        "ws/.github/copilot/settings.json": json.dumps(settings),
    }
    found = assembled(files | repository, args={"trustFolder": True})
    (note,) = (note for note in found.diagnostics if note.code == "unmatched-entry")
    assert note.message == "`disabledMcpServers` names clokc: there is no such server; did you mean clock?"
    assert note.path is not None
    assert note.path.endswith(".github/copilot/settings.json")
