"""Scenarios that make no sense: each ends in one line with file, line and key, never in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from promptscope_engine import Scenario, ScenarioError
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_tui.cli import cli
from promptscope_tui.output import exits

from .runs import AGENTS, hold, scenario

pytestmark = pytest.mark.slow

INFINITE = float("inf")
DEEP: Any = 1
for _ in range(150):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"workspace": "\0"}, "workspace"),
        ({"workspace": "/tmp/\ud800"}, "workspace"),
        ({"home": "/a\0b"}, "home"),
        ({"managed": "\0"}, "managed"),
        ({"params": {"x": INFINITE}}, "params.x"),
        ({"params": {"x": [1, {"y": float("nan")}]}}, "params.x.1.y"),
        ({"params": {"x": 10**400}}, "params.x"),
        ({"params": {"x": DEEP}}, "params.x"),
        ({"mcp_servers": [{"name": "a", "config": {"x": INFINITE}}]}, "mcp_servers.0.config.x"),
        ({"mcp_servers": [{"name": "a", "tools": [{"name": "b", "inputSchema": DEEP}]}]}, "mcp_servers.0.tools"),
        ({"environment": {"date": "yesterday"}}, "environment.date"),
        ({"environment": {"date": ""}}, "environment.date"),
        ({"environment": {"date": "2026-13-45"}}, "environment.date"),
        ({"environment": {"date": "0001-01-01T00:00:00+14:00"}}, "environment.date"),
        ({"environment": {"date": "9999-12-31T23:59:59-14:00"}}, "environment.date"),
        ({"tokenizer": "\x1b[2J"}, "tokenizer"),
        ({"params": {"\x1b": 1}}, "params.\x1b"),
    ],
)
def test_what_no_agent_could_be_started_with(place: Path, agent: str, change: dict[str, Any], where: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        hold(Scenario.model_validate({**scenario(agent, place).to_dict(), **change}))
    assert raised.value.where == where


@pytest.mark.parametrize(
    ("agent", "params"),
    [
        ("roo", {"task": "@/" + "a" * 100_000}),
        ("roo", {"task": "@/a " * 2_000}),
        ("roo", {"task": "/c" * 5_000 + " " * 10_000 + "@"}),
        ("roo", {"task": "\ud800 \udfff \0 \x1b"}),
        ("roo", {"task": "@/.. @/../../.. @/~ @/etc/passwd @/dev/zero @/proc/self/mem @file:///x @http://"}),
        ("roo", {"editor": {"openTabs": ["\0", "a" * 10_000, "../" * 2_000]}, "task": "x"}),
        ("roo", {"globalStorage": "\0"}),
        ("roo", {"globalStorage": "/dev/zero"}),
        ("roo", {"settings": {"maxConcurrentFileReads": 10**300}}),
        ("roo", {"editor": {"cost": 1e300}, "task": "x"}),
        ("roo", {"customModePrompts": {"\0": {"roleDefinition": "\x1b" * 1_000}}}),
        ("claude-code", {"prompt": "@a" * 20_000}),
        ("claude-code", {"prompt": '@"' * 20_000}),
        ("claude-code", {"args": {"addDir": ["\0", "/dev/zero", "~", "a" * 10_000, "/"]}}),
        ("claude-code", {"args": {"disallowedTools": ["*" * 5_000, "mcp__" + "*a" * 2_000]}}),
        ("claude-code", {"args": {"tools": ["\0", ""]}}),
        ("claude-code", {"settings": {"claudeMdExcludes": ["**/" * 1_000, "*a" * 2_000, "{" * 4_000, "{a,b}" * 800]}}),
        ("claude-code", {"settings": {"skillListingBudgetFraction": 1e300}}),
        ("claude-code", {"settings": {"language": "\x1b[2J", "outputStyle": "\0"}}),
        ("claude-code", {"settings": {"permissions": {"deny": [[], {}, None, 5, "x" * 10_000]}}}),
        ("claude-code", {"usage": {"lastTotal": 999_999_999}}),
        ("openclaw", {"configOverlay": {"agents": 1, "tools": [], "skills": "x", "channels": None}}),
        ("openclaw", {"config": {"agents": {"defaults": {"bootstrapMaxChars": -5}}}}),
        ("openclaw", {"config": {"tools": {"deny": ["*a" * 5_000]}}}),
        ("openclaw", {"sessionKey": "agent:" * 1_000}),
        ("openclaw", {"bundledSkillsDir": "\0", "managedSkillsDir": "/dev/zero"}),
        ("openclaw", {"promptParams": {"ownerNumbers": ["\0" * 100], "extraSystemPrompt": "\ud800"}}),
    ],
)
def test_odd_params_are_answered(place: Path, agent: str, params: dict[str, Any]) -> None:
    with suppress(ScenarioError):  # nothing else may be raised
        hold(scenario(agent, place, params=params))


MCP = [
    {"name": "a", "tools": [{"name": 5, "description": [], "inputSchema": 3}, {}]},
    {"name": "a", "resources": [{"uri": []}], "resourceTemplates": [{}]},
    {"name": "a", "config": {"disabledTools": 5, "command": [], "args": {}}},
    {"name": "", "tools": [{"name": "", "inputSchema": {"type": []}}]},
    {"name": "a" * 10_000, "tools": [{"name": "b" * 10_000}]},
]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("server", MCP, ids=range(len(MCP)))
def test_odd_servers_are_answered(place: Path, agent: str, server: dict[str, Any]) -> None:
    hold(scenario(agent, place, mcp_servers=[server, server]))


FILES = {
    "deep.json": "[" * 100_000,
    "levels.json": '{"params":' + '{"a":' * 900 + "1" + "}" * 901,
    "deep.yaml": "params: " + "{a: " * 5_000,
    "levels.yaml": "params: " + "{a: " * 90 + "1" + "}" * 90 + "\nx: 1",
    "deep.toml": "a=" + "[" * 5_000,
    "dotted.toml": "params." + ".".join(["a"] * 900) + "=1",
    "tag.yaml": "params: !!python/object:os.system x\n",
    "empty.yaml": 'params: {x: !!int ""}\n',
    "binary.yaml": "params: !!binary x\n",
    "cycle.yaml": "params: &a {x: *a}\n",
    "laughs.yaml": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nparams: {d: *c}",
    "half.json": '{"workspace": "/tmp/\\ud800"}',
    "half.yaml": 'params: {x: "\\ud800"}\n',
    "half.toml": 'workspace = "\\ud800"',
    "raw.json": b'{"agent": "\xed\xa0\x80"}',
    "nul.json": '{\n"workspace": "a\\u0000b"}',
    "nul.yaml": 'workspace: "a\\0b"\n',
    "nul.toml": 'workspace = "a\\u0000b"',
    "infinite.json": '{\n"params": {"editor": {\n"cost": Infinity}}}',
    "infinite.yaml": "params:\n  editor:\n    cost: .inf\n",
    "infinite.toml": "[params.editor]\ncost = inf\n",
    "nan.json": '{"params": {"editor": {"cost": NaN}}}',
    "large.json": '{"params": {"x": ' + "9" * 4_000 + "}}",
    "larger.json": '{"params": {"x": ' + "9" * 5_000 + "}}",
    "large.toml": "[params]\nx = 0x" + "f" * 8_000,
    "date.toml": "[environment]\ndate = 2026-01-01",
    "date-param.toml": "params.task = 1979-05-27T07:32:00Z",
    "date.json": '{"environment": {"date": "yesterday"}}',
    "nothing.json": "",
    "list.json": "[]",
    "text.yaml": "x",
    "bytes.json": bytes(range(256)),
    "mark.json": b"\xef\xbb\xbf{}",
    "keys.yaml": "1: 2\nnull: 3\n",
    "collection.yaml": "? {a: b}\n: c\n",
    "directive.yaml": "%YAML 9.9\n---\na: b\n",
    "documents.yaml": "a: 1\n---\nb: 2\n",
    "escape.json": '{"\\u001b[2J": 1}',
    "too large.json": b" " * (32 * 1024 * 1024 + 1),
}


@pytest.mark.parametrize("name", FILES)
def test_a_scenario_file_that_is_none(place: Path, name: str) -> None:
    path, content = place / name, FILES[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    done = CliRunner().invoke(cli, ["show", "--scenario", str(path), "--agent", "roo", "--home", str(place / "home")])
    assert done.exit_code in (exits.WRONG_USE, exits.CANNOT_ASSEMBLE), done.output
    assert "bug in promptscope" not in done.stderr
    assert done.stderr.startswith("promptscope: ")
    assert len(done.stderr) < 2_000
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("infinite.json", "infinite.json:3: params.editor.cost: the number is not finite (inf)"),
        ("infinite.yaml", "infinite.yaml:3: params.editor.cost: the number is not finite (inf)"),
        ("infinite.toml", "infinite.toml:2: params.editor.cost: the number is not finite (inf)"),
        ("large.toml", "large.toml:2: params.x: the number is too large"),
        ("date-param.toml", "date-param.toml:1: params.task: 1979-05-27 07:32:00+00:00 is not a JSON value"),
        ("levels.json", "levels.json:1: params: it is nested more than 100 levels deep"),
        ("empty.yaml", "empty.yaml:1: '' is no int"),
    ],
)
def test_it_names_file_line_and_key(place: Path, name: str, says: str) -> None:
    path, content = place / name, FILES[name]
    path.write_text(str(content))
    with pytest.raises(ScenarioError) as raised:
        load_scenario(path)
    assert says in str(raised.value)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null", "/dev/tty", "/proc/self/mem"])
def test_a_scenario_that_is_a_device(device: str) -> None:
    with pytest.raises(ScenarioError, match="cannot read the scenario"):
        load_scenario(device)


def test_a_scenario_that_may_never_say_anything() -> None:
    """The kernel's log waits for its next line; what lines it holds just now is no scenario."""
    with pytest.raises(ScenarioError, match=r"cannot read the scenario|^/proc/kmsg:1: "):
        load_scenario("/proc/kmsg")


@pytest.mark.parametrize("kind", ["pipe", "folder", "loop"])
def test_a_scenario_that_is_no_file(place: Path, kind: str) -> None:
    path = place / "scenario.json"
    {"pipe": os.mkfifo, "folder": Path.mkdir, "loop": lambda p: p.symlink_to(p.name)}[kind](path)
    with pytest.raises(ScenarioError, match="cannot read the scenario"):
        load_scenario(path)


@pytest.mark.parametrize(
    "setting",
    [
        'x=[!!int ""]',
        'x=[!!float ""]',
        "x={? [a]: b}",
        "x=[!!python/object:os.system x]",
        'x=[!!timestamp "9999-99-99"]',
        'x=[!!binary "x"]',
        "x=&a [*a]",
        "x=[&a [x], *b]",
        "codeIndex=" + "[" * 5_000,
        "x=" + "[" * 5_000 + "]" * 5_000,
        "x=" + "{a: " * 500,
        "a." * 5_000 + "a=1",
        "x=" + "9" * 5_000,
        "editor.cost=Infinity",
        "editor.cost=1e999",
        "settings.maxConcurrentFileReads=1e999",
        "environment.date=yesterday",
        "environment=x",
        "env.X.Y=x",
        "reads=[1]",
        "mcp_servers=[null]",
        "params=[]",
        "workspace=a\0b",
        "workspace=\ud800",
        "=",
        ".=1",
    ],
)
def test_a_setting_that_is_none(place: Path, setting: str) -> None:
    arguments = ["show", str(place / "workspace"), "--home", str(place / "home"), "--agent", "roo", "--set", setting]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code in (exits.WRONG_USE, exits.CANNOT_ASSEMBLE), done.output
    assert "bug in promptscope" not in done.stderr
    assert len(done.stderr) < 2_000


@pytest.mark.parametrize(("closed", "code"), [(">&-", 3), ("2>&-", 0), (">&- 2>&-", 3), ("<&-", 0), (">/dev/full", 3)])
def test_closed_and_full_streams(place: Path, closed: str, code: int) -> None:
    command = f'"{sys.executable}" -m promptscope_tui show "{place / "workspace"}" --agent roo --format plain {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"bug in" not in done.stderr


def test_a_workspace_that_is_a_ring_of_links(place: Path) -> None:
    (place / "a").symlink_to("b")
    (place / "b").symlink_to("a")
    done = CliRunner().invoke(cli, ["show", str(place / "a"), "--agent", "roo"])
    assert done.exit_code == exits.WRONG_USE
    assert "no such folder" in done.stderr


def test_a_transcript_with_any_usage(place: Path) -> None:
    usage = {"input_tokens": 999_999_999, "output_tokens": 10**30, "cache_read_input_tokens": -5}
    entry = {"type": "assistant", "message": {"role": "assistant", "id": "1", "content": "x", "usage": usage}}
    path = place / "session.jsonl"
    path.write_text(json.dumps(entry) + "\n" + json.dumps({**entry, "message": 5}) + "\n[" * 10)
    arguments = ["transcript", str(path), str(place / "workspace"), "--home", str(place / "home")]
    done = CliRunner().invoke(cli, [*arguments, "--agent", "claude-code"])
    assert done.exit_code in (exits.OK, exits.WRONG_USE, exits.CANNOT_ASSEMBLE)
    assert "bug in promptscope" not in done.stderr
