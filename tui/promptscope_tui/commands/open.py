"""The app on this terminal or in a browser; without a terminal, the prompt or a transcript as text."""

import os
import socket
import sys
from collections.abc import Sequence
from secrets import token_urlsafe
from typing import TypedDict, Unpack

import click
from msgspec.structs import replace

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.output import exits, last_frame
from promptscope_tui.output.exits import OWN_ERRORS
from promptscope_tui.output.stdout import in_browser, on_terminal, put_shown
from promptscope_tui.session.folders import demo_folder
from promptscope_tui.settings import paths, wordings
from promptscope_tui.settings.memory import Memory
from promptscope_tui.settings.settings import FoundSettings, read_settings
from promptscope_tui.text.words import home_short

from .options import Options, with_options
from .show import print_prompt
from .table import command

_SIGNAL = 128
"""Exit codes above it are those of signals."""

_PLAIN = ("dumb", "unknown")
"""Terminals that cannot place a cursor."""


@command("open")
@with_options
def open_(options: Options, transcript: str | None, demo: bool, page: str | None) -> None:
    """Open the app on PATH (by default this folder)."""
    if demo:
        if options.path is not None or options.given["workspace"] is not None:
            raise click.UsageError("--demo opens a folder of its own: give no other")
        options = replace(options, path=demo_folder())
    browser = in_browser()
    if transcript:
        from .transcript import for_writer, print_transcript  # 10 ms of each start: what reads captures
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
    run_app(options.scenario(found.settings), found, transcript=transcript, words=words, page=page)


class Beginning(TypedDict, total=False):
    """How the app begins, as its `Opening` has it."""

    transcript: str | None
    captured: str | None
    words: Sequence[str] | None
    page: str | None


def run_app(scenario: Scenario, found: FoundSettings, **beginning: Unpack[Beginning]) -> None:
    """Run the app on this terminal, with what was learned on this machine unless the scenario says something else.

    The arguments are the app's own. Raises click's Exit where it failed.
    """
    last_frame.show_loading(home_short(absolute(scenario.workspace)))
    if "learned" not in scenario.model_fields_set and wordings.is_any():
        scenario = scenario.model_copy(update={"learned": True})
    from promptscope_tui.app import Opening, PromptscopeApp  # 141 ms: textual; headless commands must not pay for it

    opening = Opening(**beginning, taking_over=last_frame.hand_over())
    app = PromptscopeApp(scenario, found, Memory(paths.state_folder()), opening)
    app.run(mouse=found.settings.mouse)
    if app.failures.all:
        exits.say(app.failures.last_words)
    code = app.return_code or 0
    if code > _SIGNAL or app.failures.all:  # over 128 it was a signal, as in a shell
        raise click.exceptions.Exit(code if code > _SIGNAL else OWN_ERRORS)


_MISSING = (
    "serve needs the package textual-serve, which is optional: pip install textual-serve; in a clone, "
    "uv run --extra serve promptscope serve"
)


@command("serve")
@with_options
def serve(options: Options, port: int) -> None:
    """Show the app in a browser, at the address that is printed."""
    resolve(options.scenario(), Workspace())  # a mistake is told here, not to each visitor
    try:
        from promptscope_tui.web import serve as run  # 250 ms: aiohttp, of the extra
    except ImportError:
        raise click.UsageError(_MISSING) from None
    with _listening(port) as listening:
        token = token_urlsafe()
        put_shown(f"http://127.0.0.1:{listening.getsockname()[1]}/{token}/\n")
        exits.say("promptscope: open this address in a browser on this machine and show it to nobody; ctrl-c ends it")
        # Without -P, Python would import modules of the folder it starts in.
        run(listening, token, [sys.executable, "-P", "-m", "promptscope_tui", "open", *options.words()])


def _listening(port: int) -> socket.socket:
    found = socket.socket()
    if sys.platform != "win32":  # there, it would share a port that is taken
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(("127.0.0.1", port))
        found.listen()
    except OSError as error:
        found.close()
        raise click.UsageError(f"cannot listen on port {port} ({error.strerror}): try another --port") from None
    return found
