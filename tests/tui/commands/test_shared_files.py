"""share/: the man page and the shells' completions, as a package puts them where systems look for them."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from tests.support.generated import assert_current

from promptscope_engine import __version__
from promptscope_tui.cli import cli
from promptscope_tui.commands.table import COMMANDS

_WIDTH = 78
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/promptscope",
    "zsh": "share/zsh/site-functions/_promptscope",
    "fish": "share/fish/vendor_completions.d/promptscope.fish",
}


def man_page() -> Iterator[str]:
    yield f'.TH PROMPTSCOPE 1 "" "promptscope {__version__}"\n'
    yield ".SH NAME\npromptscope \\- what a coding agent gets as its prompt, before it's sent, and why\n"
    root = click.Context(cli, info_name="promptscope", terminal_width=_WIDTH, **cli.context_settings)
    yield f".SH SYNOPSIS\n.nf\n{_verbatim(cli.get_help(root))}.fi\n.SH COMMANDS\n"
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        text = command.get_help(click.Context(command, root, name, terminal_width=_WIDTH))
        yield f".SS {name}\n.nf\n{_verbatim(text)}.fi\n"


def _verbatim(text: str) -> str:
    """Lines that troff prints as they are: it acts on a backslash, and on a dot or an apostrophe in front."""
    lines = (line.replace("\\", "\\e").replace("-", "\\-") for line in text.splitlines())
    return "".join(f"\\&{line}\n" if line.startswith((".", "'")) else f"{line}\n" for line in lines)


def test_the_man_page_has_every_command() -> None:
    assert_current("share/man/man1/promptscope.1", "".join(man_page()))


@pytest.mark.parametrize("shell", _COMPLETIONS)
def test_the_shells_complete_as_the_command_prints(shell: str) -> None:
    printed = CliRunner().invoke(cli, ["shell-completion", shell])
    assert printed.exit_code == 0
    assert_current(_COMPLETIONS[shell], printed.output)
