"""`promptscope [PATH]`: the app, or the prompt as text where there is no terminal to draw on."""

from __future__ import annotations

import os
import sys

import click

from promptscope_tui.output import on_terminal

from .asked import Asked, asking
from .show import print_prompt

_PLAIN = ("dumb", "unknown")
"""Terminals that cannot place a cursor."""


@click.command("open")
@asking
def open_(asked: Asked) -> None:
    """Open the app on PATH (by default this folder).

    The options set what the app starts with; --format is for the case that there is no terminal: then the prompt is
    printed, as `promptscope show` does.

    \b
    Examples:
      promptscope
      promptscope ~/code/shop --agent roo --mode architect
      promptscope --scenario ci.yaml
    """
    if not (on_terminal() and sys.stdin.isatty()):
        print_prompt(asked)
        return
    if os.environ.get("TERM") in _PLAIN:
        click.echo("TERM says that no app can be drawn here: this is the prompt as text", err=True)
        print_prompt(asked)
        return
    scenario = asked.scenario()
    from promptscope_tui.app import PromptscopeApp  # 141 ms: textual, which no headless command may pay

    PromptscopeApp(scenario).run()
