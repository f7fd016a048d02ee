"""`promptscope mcp-list` and `import --mcp`: what a server offers, asked or from a file, kept for the folder."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.tui.learning.test_servers import ANSWERS

from promptscope_tui.cli import cli
from promptscope_tui.output import exits

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="it ends a process group")]

CODE = ANSWERS.replace("BEFORE", "''").replace("AGAIN", "{}")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in {"HOME": "", "PROMPTSCOPE_STATE": "state", "PROMPTSCOPE_CACHE": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    monkeypatch.setenv("ENABLE_TOOL_SEARCH", "false")
    shop = tmp_path / "shop"
    (shop / ".claude").mkdir(parents=True)
    (shop / ".claude/settings.json").write_text('{"enableAllProjectMcpServers": true}')
    docs = {"command": sys.executable, "args": ["-S", "-c", CODE], "env": {"OWN": "hush"}}
    remote = {"type": "http", "url": "https://docs.example.com/mcp?key=hush"}
    (shop / ".mcp.json").write_text(json.dumps({"mcpServers": {"docs": docs, "remote": remote}}))
    monkeypatch.chdir(shop)
    return shop


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    found = result.exit_code if result.exception is None or isinstance(result.exception, SystemExit) else None
    assert found == code, result.output
    return result


def server(name: str) -> dict[str, Any]:
    found = json.loads(run("show", "--format", "json").stdout)["servers"]
    return next(each for each in found if each["name"] == name)


def test_a_server_is_shown_asked_kept_and_forgotten(shop: Path) -> None:
    assert server("docs")["known"] == ""
    refused = run("mcp-list", "docs", code=exits.WRONG_USE)
    assert "--yes" in refused.stderr
    assert not (shop.parent / "state/servers").exists()

    said = run("mcp-list", "docs", "--yes")
    assert "in ~/shop, with" in said.stderr
    assert len(said.stderr.partition("This starts")[2].splitlines()) < 10, "no line of its own for a line feed"
    assert "OWN" in said.stderr
    assert "hush" not in said.output
    assert "mcp__docs__find" in said.stdout
    found = server("docs")
    assert str(found["known"]).startswith("asked on ")
    assert (found["present"], found["tools"], found["deferred"]) == (True, 2, 0)
    shown = json.loads(run("show", "--format", "json").stdout)
    own = sum(tool["tokens"]["expected"] for tool in shown["tools"] if tool["server"] == "docs")
    assert found["tokens"] == {"text": found["tokens"]["text"], "tools": own, "deferred": 0}
    assert own > 0
    kept = list((shop.parent / "state/servers").rglob("*"))
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o700, 0o600}
    assert not list(shop.rglob("*docs*"))

    why = run("why", "docs").stdout
    assert "✓ server docs\n  connected\n" in why
    assert f"2 tools: {found['tokens']['text'] + own} tok, " in why
    run("import", "--mcp", "docs", "--forget")
    assert "not asked yet" in run("why", "docs").stdout
    assert server("docs")["known"] == ""


def test_a_remote_server_is_imported_by_file_and_another_folder_has_none_of_it(shop: Path) -> None:
    said = run("mcp-list", "remote", "--yes", code=exits.WRONG_USE).stderr
    assert "docs.example.com" in said
    assert "hush" not in said
    assert "import FILE --mcp remote" in said
    Path("tools.json").write_text('[{"name": "\x1b[31mred"}]'.replace("\x1b", "\\u001b"))
    assert "\x1b" not in run("import", "tools.json", "--mcp", "remote").output
    assert str(server("remote")["known"]).startswith(f"imported from {shop}/tools.json on ")
    assert "\x1b" not in run("tools").output
    Path("bad.json").write_text('{"tools": 3}')
    broken = run("import", "bad.json", "--mcp", "remote", code=exits.CANNOT_ASSEMBLE).stderr
    assert "bad.json: error: tools: must be a list" in broken
    assert server("remote")["tools"] == 1

    given = '{"workspace": ".", "agent": "claude-code", "mcp_servers": []}'
    Path("given.json").write_text(given)
    stand_ins = json.loads(run("show", "--scenario", "given.json", "--format", "json").stdout)
    assert [each["known"] for each in stand_ins["servers"]] == ["", ""]
    other = shop.parent / "other"
    other.mkdir()
    assert json.loads(run("show", str(other), "--agent", "claude-code", "--format", "json").stdout)["servers"] == []


@pytest.mark.usefixtures("shop")
def test_what_makes_no_sense_is_wrong_use() -> None:
    assert "known: docs" in run("mcp-list", "dcos", "--yes", code=exits.WRONG_USE).stderr
    Path("x").write_text("[]")
    for words in ([], ["--forget"], ["--mcp", "docs"], ["x", "--mcp", "docs", "--forget"]):
        run("import", *words, code=exits.WRONG_USE)


@pytest.mark.usefixtures("shop")
def test_a_server_that_gives_no_answer_leaves_what_was_kept() -> None:
    run("mcp-list", "docs", "--yes")
    config = {"mcpServers": {"docs": {"command": "sh", "args": ["-c", "echo no key >&2; exit 3"]}}}
    Path(".mcp.json").write_text(json.dumps(config))
    said = run("mcp-list", "docs", "--yes", code=exits.CHECK_FAILED).stderr
    assert "exit code 3" in said
    assert "no key" in said
    assert server("docs")["tools"] == 2
