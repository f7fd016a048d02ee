"""`--timings` of any command: on stderr, with stdout as it is without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from promptscope_engine import Scenario, assemble
from promptscope_engine.timings import MOST, Timings, lines
from promptscope_tui.cli import cli
from promptscope_tui.commands.table import COMMANDS
from promptscope_tui.views.reports import phase_rows, timings_rows


def test_every_command_has_it() -> None:
    with cli.make_context("promptscope", ["--help"], resilient_parsing=True) as context:
        for name in COMMANDS:
            command = cli.get_command(context, name)
            assert command is not None
            assert [option.name for option in command.params].count("timings") == 1, name


def test_it_goes_to_stderr_and_data_stays_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".roorules").write_text("Use tabs.\n")
    asked = ["files", str(tmp_path), "--agent", "roo", "--format", "json"]
    plain, measured = CliRunner().invoke(cli, asked), CliRunner().invoke(cli, [*asked, "--timings"])
    assert json.loads(measured.stdout) == json.loads(plain.stdout)
    assert "timings:" not in plain.stderr
    told = measured.stderr.splitlines()
    assert [line.split()[0] for line in told[1:6]] == ["reading", "gathering", "assembling", "counting", "else"]
    assert len(told) == 6 + MOST + 1
    assert any(": assembling " in line for line in told)
    failed = CliRunner().invoke(cli, ["show", str(tmp_path), "--agent", "nobody", "--timings"])
    assert (failed.exit_code, "timings:" in failed.stderr) == (3, True)


def test_lines_and_rows_tell_the_longest_first(tmp_path: Path) -> None:
    found = Timings({("reading", f"file {n}"): n / 1000 for n in range(MOST + 2)}, {})
    told = list(lines(found))
    assert told[6].endswith(f"file {MOST + 1}: reading {MOST + 1}.0 ms")
    assert told[-1] == "  … 2 more"
    assembly = assemble(Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={}), cached_only=True)
    rows = timings_rows(found, assembly, 80)
    assert next(row.key for row in rows if row.key is not None) == f"file {MOST + 1}"
    assert "21.0 ms" in "".join(span.text for span in phase_rows(found, assembly, f"file {MOST + 1}")[1].right)
