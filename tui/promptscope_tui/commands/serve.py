"""`promptscope serve`: the app in a browser on this machine."""

import socket
import sys
from secrets import token_urlsafe

import click

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import put_shown

from .options import Options, with_options
from .table import command

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
        from promptscope_tui.web.server import serve as run  # 250 ms: aiohttp, of the extra
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
