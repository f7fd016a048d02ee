"""docs/commands.md: every command's help, as it is printed."""

from __future__ import annotations

from collections.abc import Iterator

import click
from tests.support.generated import ROOT, UPDATE, assert_current

from promptscope_engine.checks.settings import OWN_FILE
from promptscope_tui.capturing.plan import TIMEOUT
from promptscope_tui.cli import cli
from promptscope_tui.commands.table import COMMANDS

_HEAD = f"""\
# Commands

What `promptscope COMMAND --help` prints. Made from the commands by a test; after a change of theirs:

    {UPDATE}=1 uv run --group test pytest tests/tui/commands/test_help_pages.py
"""
_WIDTH = 100


def pages() -> Iterator[str]:
    yield _HEAD
    root = click.Context(cli, info_name="promptscope", terminal_width=_WIDTH, **cli.context_settings)
    yield page(cli, root)
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        yield page(command, click.Context(command, root, name, terminal_width=_WIDTH))


def page(command: click.Command, context: click.Context) -> str:
    return f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"


def test_the_page_is_what_the_commands_print() -> None:
    assert_current("docs/commands.md", "\n".join(pages()))


def test_the_readme_leads_there() -> None:
    assert "](docs/commands.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_helps_name_the_limits_that_hold() -> None:
    options = {
        (name, row["name"]): row["help"]
        for name in ("capture", "check")
        for row in COMMANDS[name]["takes"]
        if "help" in row
    }
    assert f"({TIMEOUT:g};" in options["capture", "--timeout"]
    assert all(OWN_FILE in options["check", name] for name in ("--init begins", "--update moves"))
