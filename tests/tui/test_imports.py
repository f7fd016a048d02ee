"""Who imports what: each entry runs in a process of its own, which then looks into `sys.modules`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("textual", "rich", "click", "pydantic", "tiktoken", "watchfiles", "yaml", "platformdirs")

PROBE = """
import atexit, json, os, sys
def tell():
    sys.stdout.flush()
    with open(os.environ["MODULES"], "w") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(tell)
sys.argv = ["promptscope", *json.loads(os.environ["WORDS"])]
from promptscope_tui.__main__ import main
main()
"""


def modules(tmp_path: Path, *words: str) -> set[str]:
    """The top-level modules that a command had imported at its end."""
    (tmp_path / "shop").mkdir()
    found = tmp_path / "modules.json"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PROMPTSCOPE_CACHE": str(tmp_path / "cache"),
        "MODULES": str(found),
        "WORDS": json.dumps(words),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env=environment,
        cwd=tmp_path / "shop",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout
    return {name.partition(".")[0] for name in json.loads(found.read_text())}


def test_the_version_costs_nothing(tmp_path: Path) -> None:
    assert not modules(tmp_path, "--version") & {*HEAVY, "json5", "difflib", "asyncio"}


@pytest.mark.parametrize("words", [["--help"], ["locate"]])
def test_the_help_and_locate_do_without_the_engine(tmp_path: Path, words: list[str]) -> None:
    assert not modules(tmp_path, *words) & {"textual", "pydantic", "tiktoken", "watchfiles", "yaml"}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["show"],
        ["show", "--format", "json"],
        ["show", "--format", "markdown"],
        ["tools"],
        ["files"],
        ["files", "--dead"],
        ["window"],
        ["why", "rules", "--agent", "roo"],
        ["tokens"],
        ["schema", "scenario"],
        ["schema", "assembly"],
        ["agents"],
        ["agents", "roo"],
        ["responses"],
        ["locate"],
    ],
    ids=" ".join,
)
def test_headless_commands_never_import_textual(tmp_path: Path, words: list[str]) -> None:
    assert not modules(tmp_path, *words) & {"textual", "watchfiles", "asyncio"}


def test_the_plain_prompt_counts_nothing(tmp_path: Path) -> None:
    assert not modules(tmp_path, "show", "--format", "plain") & {"textual", "tiktoken", "rich"}
