"""`promptscope import`: what another tool recorded, or a system prompt that a person copied, as a capture."""

import stat
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.captures import other_tools
from promptscope_engine.captures.files import MAX_BYTES, read_capture
from promptscope_engine.captures.model import Capture, CaptureError
from promptscope_engine.inputs.answers import MAX_BYTES as ANSWER_BYTES
from promptscope_engine.inputs.answers import AnswerError, read_answer
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.calibration import calibrate
from promptscope_engine.insight.captured_scenario import read_prompt
from promptscope_engine.insight.fitting import verify
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.capturing import store
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import put_json, put_shown
from promptscope_tui.session import recordings, servers
from promptscope_tui.session.releases import take_archive
from promptscope_tui.settings import wordings
from promptscope_tui.settings.servers import forget as forget_server
from promptscope_tui.views.capture.rows import verdict

from . import verify as verifying
from .options import Options, with_capture_options
from .table import command


@command("import")
@with_capture_options
def import_(options: Options, capture: str | None, to: str | None, *, learns: bool, **of_server: Any) -> None:
    """Import a recording made by another tool, with --agent a pasted system prompt, with --mcp a server's tools."""
    if (name := of_server["mcp"]) is not None:
        _forget_server(options, name, capture) if of_server["forget"] else _take_server(options, name, capture)
        return
    if of_server["forget"]:
        raise click.UsageError("--forget takes --mcp NAME")
    if capture is None:
        raise click.UsageError("Missing argument 'FILE'.")
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


def _take_server(options: Options, name: str, file: str | None) -> None:
    if file is None:
        raise click.UsageError("--mcp takes the FILE with the answer to tools/list, or --forget")
    workspace = options.of_run(None).workspace
    source = "standard input" if file == "-" else absolute(file)
    try:
        told = read_answer(_read(file, ANSWER_BYTES))
        answer, path = servers.keep(workspace, name, told, f"imported from {source}")
    except AnswerError as error:
        raise _refused(file, CaptureError(str(error)), "; what was kept before stays") from None
    except OSError as error:
        raise ScenarioError(f"cannot keep it: {error.strerror or error}") from None
    for note in told.notes:
        exits.say(f"{file}: {note}")
    agents = sorted({agent.name for agent, server in servers.configured(options.scenario()) if server.name == name})
    users = f"for {', '.join(agents)}" if agents else f"no agent has a server {name} here: it takes no part until then"
    exits.say(f"{servers.summary(answer)}; {users}")
    put_shown(f"{path}\n")


def _forget_server(options: Options, name: str, file: str | None) -> None:
    if file is not None:
        raise click.UsageError("--forget takes no FILE")
    try:
        known = forget_server(options.of_run(None).workspace, name)
    except OSError as error:
        raise ScenarioError(f"cannot delete it: {error.strerror or error}") from None
    exits.say(f"{name}: forgotten" if known else f"{name}: nothing is kept of it for this folder")


def _take_prompt(options: Options, name: str, data: bytes, to: str | None, *, learns: bool) -> None:
    base, place = options.of_run(None), Workspace()
    counter = counter_for(base.model)
    try:
        found = read_prompt(data[: other_tools.MAX_BYTES + 1], base, counter, place)
    except CaptureError as error:
        raise _refused(name, error, "") from None
    for problem in found.problems:
        exits.say(f"{name}: {problem}")
    base = options.of_run(found.header.cwd)
    lesson = None
    if learns:
        lesson = calibrate(found, found.requests[0], base, counter, Workspace())
        recordings.keep(lesson)
    path = keep(found, to)
    known = wordings.load()
    base = base.model_copy(update={"learned": known is not None})
    result = verify(found, found.requests[0], base, counter, place, knowledge=Knowledge(known))
    counter.flush()
    if options.form == "json":
        learned = None if lesson is None else {"learned": lesson.learned, "of": len(lesson.parts)}
        put_json({"path": str(path), "comparison": result.to_dict(), "calibrated": learned})
    else:
        verifying.put(result)
    if lesson is not None:
        exits.say(recordings.learned_summary(lesson))
    exits.say(str(path))


def keep(found: Capture, to: str | None) -> Path:
    """Save a capture, by default in a new file of the state folder; where it is. Raises ScenarioError."""
    path = Path(to).absolute() if to else store.new_path(found.header.agent, datetime.now())
    try:
        store.save(found, path)
    except OSError as error:
        raise ScenarioError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def _refused(name: str, error: CaptureError, hint: str) -> click.exceptions.Exit:
    exits.say(f"{name}{f':{error.line}' if error.line else ''}: error: {error.message}{hint}")
    return click.exceptions.Exit(exits.CANNOT_ASSEMBLE)


def _read(name: str, most: int = MAX_BYTES) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(most + 1)
        path = Path(name)
        if not stat.S_ISREG(path.stat().st_mode):
            raise _refused(name, CaptureError("is not a regular file"), "")
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise _refused(name, CaptureError(error.strerror or str(error)), "") from None
