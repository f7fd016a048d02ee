"""`promptscope serve` up to its server: options, port, what is missing. tests/browser has the rest."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

from promptscope_tui.cli import cli
from promptscope_tui.commands.open import open_, serve
from promptscope_tui.commands.tokens import tokens
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import BROWSER, in_browser

Served = list[tuple[int, str, Sequence[str]]]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Served:
    """What the server was asked to serve: port, token, command."""
    asked: Served = []

    def run(listening: socket.socket, token: str, command: Sequence[str]) -> None:
        host, port = listening.getsockname()
        assert host == "127.0.0.1"
        asked.append((port, token, command))

    module = ModuleType("promptscope_tui.web")
    monkeypatch.setattr(module, "serve", run, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path)
    return asked


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, ["serve", *args])
    assert result.exit_code == code, result.output
    return result


def test_the_address_is_printed_and_every_option_is_handed_on(served: Served, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{}")
    wanted = {
        "agent": "roo",
        "agent-version": "3.28.16",
        "mode": "ask",
        "model": "gpt-5",
        "home": str(tmp_path),
        "workspace": "shop",
        "tokenizer": "o200k_base",
        "scenario": "s.json",
        "set": "globalCustomInstructions=-x y; echo",
    }
    words = [word for name, value in wanted.items() for word in (f"--{name}", value)]
    result = run(*words, "--set", "mode=code", "shop")
    ((port, token, command),) = served
    assert result.stdout == f"http://127.0.0.1:{port}/{token}/\n"
    assert len(token) >= 32
    assert command[:5] == [sys.executable, "-P", "-m", "promptscope_tui", "open"]
    context = open_.make_context("open", list(command[5:]))
    again = {name.replace("_", "-"): value for name, value in context.params.items()}
    assert again["path"] == "shop"
    assert again["settings"] == (wanted.pop("set"), "mode=code")
    assert again["scenario-file"] == wanted.pop("scenario")
    assert {name: again[name] for name in wanted} == wanted
    run("shop")
    assert served[1][1] != token


def test_it_takes_the_options_of_every_command() -> None:
    common, here = (
        {name for each in command.params if isinstance(each, click.Option) for name in each.opts}
        for command in (tokens, serve)
    )
    everywhere = {"--timings"}  # given to a command when it is first asked for
    own = {"--format", "--cost", "--exact", "--savings", "--bullets"}
    assert here - {"--port"} - everywhere == common - own - everywhere


def test_a_port_that_is_taken_is_told(served: Served) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = run("--port", str(port), code=exits.WRONG_USE).stderr
    assert said.startswith(f"promptscope: cannot listen on port {port} (Address already in use): try another --port")
    assert served == []


def test_a_wrong_scenario_is_told_at_once(served: Served) -> None:
    assert "did you mean roo" in run("--agent", "rooo", code=exits.CANNOT_ASSEMBLE).stderr
    assert served == []


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "promptscope_tui.web", raising=False)
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.chdir(tmp_path)
    result = run(code=exits.WRONG_USE)
    assert "pip install textual-serve" in result.stderr
    assert result.stdout == ""
    assert "--port" in run("--help").stdout


def test_who_was_started_by_the_server_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not in_browser()
    for name, value in BROWSER.items():
        monkeypatch.setenv(name, value)
    assert in_browser()
