"""`promptscope import`: what another tool recorded, or a system prompt that a person copied, as a capture."""

import stat
import sys
from datetime import datetime
from pathlib import Path

import click

from promptscope_engine.captures import pasted
from promptscope_engine.captures.files import MAX_BYTES, read_capture
from promptscope_engine.captures.model import Capture, CaptureError
from promptscope_engine.insight.calibration import calibrate
from promptscope_engine.insight.fitting import verify
from promptscope_engine.insight.pasted_prompt import read_prompt
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.capturing import store
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import put_json, put_shown
from promptscope_tui.session.recordings import summary
from promptscope_tui.session.releases import take_archive
from promptscope_tui.settings import wordings
from promptscope_tui.views.capture.rows import verdict

from . import calibrate as calibrating
from . import verify as verifying
from .options import Options, with_capture_options
from .table import command


@command("import")
@with_capture_options
def import_(options: Options, capture: str, to: str | None, *, learns: bool) -> None:
    """Import a recording made by another tool, or with --agent a pasted system prompt."""
    if Path(capture).is_dir():
        exits.say(take_archive(Path(capture)))
        return
    data = _read(capture)
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[{"))  # no mere text: what a tool records
    if options.given["agent"] is not None and not is_json:
        _take_prompt(options, capture, data, to, learns=learns)
        return
    if learns:
        raise click.UsageError("--calibrate is for a pasted prompt: `promptscope calibrate FILE` takes a recording")
    try:
        found = read_capture(data)
    except CaptureError as error:
        hint = "" if options.given["agent"] else "; a pasted system prompt is imported with --agent"
        raise _refused(capture, error, hint) from None
    for problem in found.problems:
        exits.say(f"{capture}: {problem}")
    path = keep(found, to)
    exits.say(verdict(found).partition("\n")[0])
    put_shown(f"{path}\n")


def _take_prompt(options: Options, name: str, data: bytes, to: str | None, *, learns: bool) -> None:
    base, place = options.of_run(None), Workspace()
    counter = counter_for(base.model)
    try:
        found = read_prompt(data[: pasted.MAX_BYTES + 1], base, counter, place)
    except CaptureError as error:
        raise _refused(name, error, "") from None
    for problem in found.problems:
        exits.say(f"{name}: {problem}")
    base = options.of_run(found.header.cwd)
    lesson = None
    if learns:
        lesson = calibrate(found, found.requests[0], base, counter, Workspace())
        calibrating.keep(lesson)
    path = keep(found, to)
    place.learned = wordings.load()
    result = verify(
        found, found.requests[0], base.model_copy(update={"learned": place.learned is not None}), counter, place
    )
    counter.flush()
    if options.form == "json":
        learned = None if lesson is None else {"learned": lesson.learned, "of": len(lesson.parts)}
        put_json({"path": str(path), "comparison": result.to_dict(), "calibrated": learned})
    else:
        verifying.put(result)
    if lesson is not None:
        exits.say(summary(lesson))
    exits.say(str(path))


def keep(found: Capture, to: str | None) -> Path:
    """Save a capture, by default in a new file of the state folder; where it is. Ends the command where it cannot."""
    path = Path(to).absolute() if to else store.new_path(found.header.agent, datetime.now())
    try:
        store.save(found, path)
    except OSError as error:
        exits.say(f"promptscope: cannot write {path}: {error.strerror or error}")
        raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE) from None
    return path


def _refused(name: str, error: CaptureError, hint: str) -> click.exceptions.Exit:
    exits.say(f"{name}{f':{error.line}' if error.line else ''}: error: {error.message}{hint}")
    return click.exceptions.Exit(exits.CANNOT_ASSEMBLE)


def _read(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        path = Path(name)
        if not stat.S_ISREG(path.stat().st_mode):
            raise _refused(name, CaptureError("is not a regular file"), "")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        exits.say(f"{name}: error: {error.strerror or error}")
    raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE)
