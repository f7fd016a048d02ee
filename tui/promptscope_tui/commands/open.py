"""`promptscope [PATH]`: the app, or the prompt as text where there is no terminal to draw on."""

from __future__ import annotations

import os
import sys

import click

from promptscope_tui.output.stdout import on_terminal

from .options import Asked, asking
from .show import print_prompt
from .transcript import print_transcript

_PLAIN = ("dumb", "unknown")
"""Terminals that cannot place a cursor."""


@click.command("open")
@click.option(
    "--transcript",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Open a recorded conversation: how it fills the window, turn by turn.",
)
@asking
def open_(asked: Asked, transcript: str | None) -> None:
    """Open the app on PATH (by default this folder).

    The options set what the app starts with; --format is for the case that there is no terminal: then the prompt is
    printed, as `promptscope show` does.

    \b
    Examples:
      promptscope
      promptscope ~/code/shop --agent roo --mode architect
      promptscope --scenario ci.yaml
      promptscope --transcript ~/.claude/projects/-home-me-shop/1b2c.jsonl
    """
    if not (on_terminal() and sys.stdin.isatty()):
        if transcript:
            print_transcript(transcript, asked)
        else:
            print_prompt(asked)
        return
    if os.environ.get("TERM") in _PLAIN:
        click.echo("TERM says that no app can be drawn here: this is the prompt as text", err=True)
        print_prompt(asked)
        return
    scenario = asked.scenario()
    from promptscope_tui.app import PromptscopeApp  # 141 ms: textual, which no headless command may pay

    PromptscopeApp(scenario, transcript=transcript).run()
