"""`promptscope [PATH]`: the app, or the prompt as text without a terminal."""

import gc
import os
import sys
from collections.abc import Sequence

import click
from msgspec.structs import replace

from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.output import last_frame
from promptscope_tui.output.exits import CANNOT_ASSEMBLE
from promptscope_tui.output.stdout import on_terminal
from promptscope_tui.session.folders import demo_folder
from promptscope_tui.settings import paths, wordings
from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings, read_settings
from promptscope_tui.text.words import home_short
from promptscope_tui.web.driver import in_browser

from .options import Options, with_options
from .show import print_prompt
from .table import command
from .transcript import for_writer, print_transcript

_SIGNAL = 128
"""Exit codes above it are those of signals."""

_PLAIN = ("dumb", "unknown")
"""Terminals that cannot place a cursor."""


@command("open")
@with_options
def open_(options: Options, transcript: str | None, demo: bool) -> None:
    """Open the app on PATH (by default this folder)."""
    if demo:
        if options.path is not None or options.given["workspace"] is not None:
            raise click.UsageError("--demo opens a folder of its own: give no other")
        options = replace(options, path=demo_folder())
    browser = in_browser()
    if not (browser or (on_terminal() and sys.stdin.isatty())):
        if transcript and options.form == "html":
            raise click.UsageError("a transcript is not printed as html")
        if transcript:
            print_transcript(transcript, options)
        else:
            print_prompt(options)
        return
    if os.environ.get("TERM") in _PLAIN and not browser:
        click.echo("this terminal (TERM) cannot draw the app; printing the prompt as text", err=True)
        print_prompt(options)
        return
    if transcript:
        options = for_writer(transcript, options)
    found = read_settings(bindings=BY_ID)
    words = None if demo or browser else sys.argv[1:]  # the folder of a demo has another name each time
    run_app(options.scenario(found.settings), found, transcript=transcript, words=words)


def run_app(
    scenario: Scenario,
    found: FoundSettings,
    *,
    transcript: str | None = None,
    captured: str | None = None,
    words: Sequence[str] | None = None,
) -> None:
    """Run the app on this terminal, with what was learned on this machine unless the scenario says something else.

    The arguments are the app's own. Raises click's Exit where it failed.
    """
    last_frame.show_loading(home_short(absolute(scenario.workspace)))
    if "learned" not in scenario.model_fields_set and wordings.is_any():
        scenario = scenario.model_copy(update={"learned": True})
    from promptscope_tui.app import Opening, PromptscopeApp  # 141 ms: textual; headless commands must not pay for it

    # A quarter of the first frame was garbage collection, among modules and styles that all stay.
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)  # the app goes on for hours: rather often and short than rarely and long
    opening = Opening(transcript=transcript, captured=captured, words=words, taking_over=last_frame.hand_over())
    app = PromptscopeApp(scenario, found, Memory(paths.state_folder()), opening)
    app.run(mouse=found.settings.mouse)
    if app.return_code:
        # over 128 it was a signal, as in a shell; Textual's own code for a crash is 1, which says that a check failed
        raise click.exceptions.Exit(app.return_code if app.return_code > _SIGNAL else CANNOT_ASSEMBLE)
