"""The configured MCP servers (docs/agents/roo.md#mcp)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine import Scenario
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.roo.gather.gather import gather
from promptscope_engine.agents.roo.gather.mcp_config import substitute
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.prompt.reasons import remedy
from promptscope_engine.workspace import Workspace


def look(root: Path, project: Any = None, everywhere: Any = None, **scenario: Any) -> Gathered[Materials]:
    for name, value in (("ws/.roo/mcp.json", project), ("home/store/settings/mcp_settings.json", everywhere)):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if value is not None:
            path.write_text(value if isinstance(value, str) else json.dumps({"mcpServers": value}, indent=1))
    asked = Scenario.model_validate(
        {
            "agent": "roo",
            "workspace": str(root / "ws"),
            "home": str(root / "home"),
            "params": {"globalStorage": str(root / "home/store")},
            "env": {"TOKEN": "t0p"},
            "mode": "code",
            **scenario,
        }
    )
    workspace = Workspace()
    _, inputs = resolve(asked, workspace)
    return gather(inputs, workspace)


def test_configured_servers_are_not_connected(tmp_path: Path) -> None:
    found = look(tmp_path, {"a": {"command": "node", "args": ["x"]}, "off": {"command": "y", "disabled": True}})
    verdicts = [(s.name, s.when.evaluate(found.facts)) for s in found.materials.servers]
    assert [(name, v.ok, v.text) for name, v in verdicts] == [
        ("a", False, "the server a was not asked yet, so its tools are not known"),
        ("off", False, "the server off is disabled and the server off was not asked yet, so its tools are not known"),
    ]
    assert found.materials.mcp.evaluate(found.facts).ok


def test_what_would_tell_of_a_server_names_what_keeps_it_off(tmp_path: Path) -> None:
    found = look(tmp_path, {"a": {"command": "node"}, "off": {"command": "y", "disabled": True}})
    wanted = [remedy(server.when.evaluate(found.facts)) for server in found.materials.servers]
    assert wanted == [
        "ask it: `promptscope mcp-list a`, or hand in its tools/list: `promptscope import FILE --mcp a`",
        "remove `disabled` from `mcpServers.off` in .roo/mcp.json:6; "
        "ask it: `promptscope mcp-list off`, or hand in its tools/list: `promptscope import FILE --mcp off`",
    ]


def test_the_same_name_in_both_files_is_two_servers(tmp_path: Path) -> None:
    found = look(tmp_path, {"a": {"command": "p"}}, {"a": {"url": "https://x.test/sse"}})
    assert [s.config for s in found.materials.servers] == [{"url": "https://x.test/sse"}, {"command": "p"}]


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        ({"command": ""}, "command` must be a string that is not empty"),
        ({"command": "x", "url": "https://x.test"}, "url` must be left out"),
        ({}, "command` is missing"),
        ({"url": "not a url"}, "url` must be a URL"),
        ({"url": "https://x.test", "type": "carrier-pigeon"}, "type` must be one of sse, streamable-http"),
        ({"command": "x", "timeout": 0}, "must be a number from 1 to 3600"),
        ({"command": "x", "args": "y"}, "args` must be a list of strings"),
    ],
)
def test_one_bad_server_drops_the_whole_project_file(tmp_path: Path, bad: Any, word: str) -> None:
    found = look(tmp_path, {"good": {"command": "x"}, "bad": bad})
    assert not found.materials.servers
    problem = next(d for d in found.diagnostics if d.code == "mcp-invalid")
    assert problem.severity == "error"
    assert "mcpServers.bad" in problem.message
    assert word in problem.message
    assert problem.line is not None
    assert problem.line >= 6


def test_a_bad_global_server_is_left_out_alone(tmp_path: Path) -> None:
    found = look(tmp_path, None, {"good": {"command": "x"}, "bad": {}, "bare": {"url": "https://x.test"}})
    assert [s.name for s in found.materials.servers] == ["good"]  # the retry wants a type for a url
    assert len([d for d in found.diagnostics if d.code == "mcp-invalid"]) == 2


def test_a_url_without_a_type_is_fine_in_a_valid_file(tmp_path: Path) -> None:
    assert [s.name for s in look(tmp_path, None, {"bare": {"url": "https://x.test"}}).materials.servers] == ["bare"]


def test_broken_json_loads_nothing(tmp_path: Path) -> None:
    found = look(tmp_path, '{\n "mcpServers": {,}\n}')
    assert not found.materials.servers
    problem = next(d for d in found.diagnostics if d.code == "mcp-json-syntax")
    assert problem.line == 2


def test_variables_are_filled_in(tmp_path: Path) -> None:
    config = {"command": "${workspaceFolder}/run", "args": ["${env:TOKEN}", "${env:UNKNOWN}", "${other}"]}
    found = look(tmp_path, {"a": config})
    assert found.materials.servers[0].config == {
        "command": f"{tmp_path}/ws/run",
        "args": ["t0p", "${env:UNKNOWN}", "${other}"],
    }
    assert substitute(5, {}, "") == 5


def test_stand_ins_replace_the_configured(tmp_path: Path) -> None:
    server = {"name": "w", "config": {"disabledTools": ["b"]}, "tools": [{"name": "a"}, {"name": "b"}]}
    found = look(tmp_path, {"a": {"command": "x"}}, mcp_servers=[server])
    assert [s.name for s in found.materials.servers] == ["w"]
    assert [tool["enabledForPrompt"] for tool in found.materials.servers[0].tools] == [True, False]
    draft = next(f for f in found.files if f.kind == "mcp-config" and f.path.endswith(".roo/mcp.json"))
    assert not draft.when.evaluate(found.facts).ok


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
@pytest.mark.slow
def test_json_lines_are_those_of_the_text(value: Any) -> None:
    text = json.dumps(value, indent=1)
    parsed = parse_json(text)
    assert parsed.value == value
    assert all(1 <= line <= text.count("\n") + 1 for line in parsed.lines.values())


@given(st.text())
def test_json_never_raises_anything_else(text: str) -> None:
    try:
        parse_json(text)
    except JsonSyntaxError:
        return


def test_a_configuration_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "ws/.roo/mcp.json").mkdir(parents=True)
    draft = next(f for f in look(tmp_path).files if f.path.endswith(".roo/mcp.json"))
    assert draft.when.evaluate(look(tmp_path).facts).remedy == "make .roo/mcp.json readable (is a directory)"


@pytest.mark.parametrize(("count", "used"), [(199, 199), (200, 200), (201, 200)])
def test_the_servers_of_a_file_are_limited(tmp_path: Path, count: int, used: int) -> None:
    found = look(tmp_path, {f"s{n}": {"command": "x"} for n in range(count)})
    assert [s.name for s in found.materials.servers] == [f"s{n}" for n in range(used)]
    said = [d.message for d in found.diagnostics if d.code == "mcp-too-many"]
    assert said == ([] if count == used else ["201 servers, of which the first 200 are used"])


@pytest.mark.parametrize(("timeout", "is_valid"), [(0, False), (1, True), (3600, True), (3601, False)])
def test_a_timeout_is_of_seconds_up_to_an_hour(tmp_path: Path, timeout: int, is_valid: bool) -> None:
    assert bool(look(tmp_path, {"a": {"command": "x", "timeout": timeout}}).materials.servers) is is_valid


@pytest.mark.parametrize(
    ("url", "is_valid"),
    [("https://x.test", True), ("mailto:a", True), ("x:", False), ("/path", False), ("//x", False), ("a://[", False)],
)
def test_a_url_has_a_scheme_and_something_behind_it(tmp_path: Path, url: str, is_valid: bool) -> None:
    assert bool(look(tmp_path, {"a": {"url": url}}).materials.servers) is is_valid


@pytest.mark.parametrize("kind", ["sse", "streamable-http"])
@pytest.mark.parametrize("everywhere", [False, True])
def test_a_url_of_a_known_type_is_loaded(tmp_path: Path, kind: str, everywhere: bool) -> None:
    servers = {"a": {"url": "https://x.test", "type": kind}, "bad": {"url": "x", "type": kind}}
    found = look(tmp_path, None, servers) if everywhere else look(tmp_path, servers)
    assert [s.name for s in found.materials.servers] == (["a"] if everywhere else [])
    tail = "this server is left out" if everywhere else "no server of this file is loaded"
    assert [d.message for d in found.diagnostics] == [f"`mcpServers.bad.url` must be a URL; {tail}"]


def test_a_file_is_told_once_what_is_wrong_with_it(tmp_path: Path) -> None:
    servers = {"none": {}, "bare": {"url": "https://x.test"}, "text": "x"}
    tail = "no server of this file is loaded"
    told = [
        "`mcpServers.none.command` is missing",
        "`mcpServers.text` must be an object",
    ]
    assert [d.message for d in look(tmp_path, servers).diagnostics] == [f"{each}; {tail}" for each in told]
    told = [*told, "`mcpServers.bare`: a url needs a type: sse or streamable-http"]
    found = look(tmp_path / "2", None, servers)
    assert [d.message for d in found.diagnostics] == [f"{each}; this server is left out" for each in told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5", "the file must be an object"),
        ("{}", "`mcpServers` is missing"),
        ('{"mcpServers": 5}', "`mcpServers` must be an object"),
        ('{"mcpServers": {"a": null}}', "`mcpServers.a` must be an object"),
        ('{"mcpServers": {"a": {"command": "x", "headers": {}}}}', "`mcpServers.a.headers` must be left out"),
        ('{"mcpServers": {"a": {"command": "x", "type": "sse"}}}', "`mcpServers.a.type` must be `stdio`"),
        (
            '{"mcpServers": {"a": {"url": "https://x.test", "type": "sse", "headers": {"a": 5}}}}',
            "`mcpServers.a.headers.a` must be a string",
        ),
        (
            '{"mcpServers": {"a": {"url": "https://x.test", "type": "streamable-http", "env": {}}}}',
            "`mcpServers.a.env` must be left out",
        ),
    ],
)
def test_what_is_no_list_of_servers_is_told(tmp_path: Path, text: str, told: str) -> None:
    messages = [d.message for d in look(tmp_path, text).diagnostics]
    assert messages == [f"{told}; no server of this file is loaded"]


@pytest.mark.parametrize(
    ("servers", "ok", "text", "remedy"),
    [
        ({}, False, "names no server", "add a server to `mcpServers` in .roo/mcp.json"),
        ({"a": {"command": "x"}}, True, "configures 1 server", None),
        ({name: {"command": "x"} for name in "ab"}, True, "configures 2 servers", None),
        ({"a": {}}, False, "is not valid", "correct .roo/mcp.json:3"),
    ],
)
def test_a_file_counts_its_servers(tmp_path: Path, servers: Any, ok: bool, text: str, remedy: str | None) -> None:
    found = look(tmp_path, servers)
    verdict = next(f for f in found.files if f.path.endswith("ws/.roo/mcp.json")).when.evaluate(found.facts)
    assert (verdict.ok, verdict.text) == (ok, f".roo/mcp.json {text}")
    assert ok or verdict.remedy == remedy


@pytest.mark.parametrize(
    ("servers", "ok", "text"),
    [
        ([], False, "no MCP server is configured"),
        ([{"name": "a", "disabled": True}], False, "every configured MCP server is disabled"),
        ([{"name": "a"}, {"name": "b", "disabled": True}], True, "an MCP server is enabled"),
        ([{"name": "a"}, {"name": "b"}], True, "2 MCP servers are enabled"),
    ],
)
def test_servers_that_are_enabled_are_counted(tmp_path: Path, servers: list[Any], ok: bool, text: str) -> None:
    found = look(tmp_path, mcp_servers=servers)
    verdict = found.materials.mcp.evaluate(found.facts)
    assert verdict.ok is ok
    assert text in [verdict.text, *(child.text for child in verdict.children)]


def test_tools_that_a_server_does_not_have_are_told(tmp_path: Path) -> None:
    config = {"alwaysAllow": ["look", "lok"], "disabledTools": ["zzz"]}
    server = {"name": "a", "config": config, "tools": [{"name": "look"}]}
    unknown = {"name": "b", "config": config}
    assert [note.message for note in look(tmp_path, mcp_servers=[server, unknown]).diagnostics] == [
        "`mcp_servers.a.alwaysAllow` names lok: there is no such tool of this server; did you mean look?",
        "`mcp_servers.a.disabledTools` names zzz: there is no such tool of this server",
    ]
