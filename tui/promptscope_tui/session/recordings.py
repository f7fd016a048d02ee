"""What was recorded on this machine, as one list, and the wording that is learned from it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.transcripts import TranscriptFile
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.captures.model import SCHEMA
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.calibration import Calibration, calibrate
from promptscope_engine.learned import Learned, LearnedError, LearnedVersion
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import to_system
from promptscope_tui.capturing import store
from promptscope_tui.capturing.store import Stored
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import many

from .transcripts import writer_of
from .versions import newer_than_known

Kind = Literal["capture", "transcript"]

_OTHER_TOOLS = (".har", ".json", ".ctap.json", ".lhar", ".lhar.json")
_HEAD = 4_096


class RecordingFile(Struct, frozen=True):
    """A file that can be opened.

    `here`: of this workspace; `modified` in seconds since the epoch; `detail` says what is in it, `problem` why it
    cannot be opened.
    """

    kind: Kind
    path: str
    agent: str
    here: bool
    modified: float
    bytes: int
    detail: str = ""
    problem: str = ""


def recordings(
    captures: Iterable[Stored],
    transcripts: Iterable[TranscriptFile],
    agent: str,
    workspace: str,
    learned: Learned | None = None,
) -> list[RecordingFile]:
    """Sort them: those of this workspace first, captures before transcripts, then the newest.

    `agent` is the name of the one that keeps the transcripts; `learned` says which versions are known.
    """
    found = [_of_capture(each, workspace, learned) for each in captures]
    found += [RecordingFile("transcript", t.path, agent, t.here, t.modified, t.bytes) for t in transcripts]
    return sorted(found, key=lambda each: (not each.here, each.kind, -each.modified, each.path))


def _of_capture(stored: Stored, workspace: str, learned: Learned | None) -> RecordingFile:
    agent, version = store.sender(stored)
    name = " ".join(filter(None, (agent, version))) or "unknown"
    is_newer = bool(newer_than_known(agent, version, learned))
    here = str(stored.header.get("cwd")).rstrip("/") == workspace.rstrip("/")
    detail = ("newer than what is known, " if is_newer else "") + many(stored.requests, "request")
    path = str(stored.path)
    return RecordingFile("capture", path, name, here, stored.modified, stored.bytes, detail, stored.problem)


def kind_of(path: str) -> Kind:
    """What a file that was named by hand is: a capture, here or of another tool, or else a transcript."""
    if writer_of(path) is not None:
        return "transcript"
    if path.endswith(_OTHER_TOOLS):
        return "capture"
    try:
        with Path(to_system(path)).expanduser().open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, RuntimeError, ValueError):  # opening it says why it can't be opened
        return "transcript"
    return "capture" if SCHEMA.encode() in head else "transcript"


def newest(agent: str) -> str | None:
    """The path of an agent's newest capture on this machine."""
    return next((str(each.path) for each in store.stored() if each.header.get("agent") == agent), None)


def learn_from(path: str) -> str:
    """Learn from a capture; returns the result in a line. Raises ScenarioError."""
    workspace = Workspace()
    capture = recording(path, workspace)
    base = Scenario(workspace=capture.header.cwd or ".", env={})
    result = calibrate(capture, chosen(capture, 0), base, Counter(tokenizer_for_model(None)), workspace)
    keep(result)
    return learned_summary(result)


def keep(result: Calibration) -> LearnedVersion:
    """Keep what was learned from a capture. Raises ScenarioError."""
    try:
        return wordings.keep(result.taught)
    except LearnedError as error:
        raise ScenarioError(f"{error}: `promptscope calibrate --forget` makes room") from None
    except OSError as error:
        raise ScenarioError(f"cannot write {wordings.folder()}: {error.strerror or error}") from None


def learned_summary(result: Calibration) -> str:
    """`claude-code 2.1.329: 41 of 47 parts learned`."""
    return f"{result.agent} {result.agent_version}: {result.learned} of {len(result.parts)} parts learned"


def forget(agent: str) -> str:
    """Forget an agent's wording; returns the result in a line. Raises ScenarioError."""
    names = delete([each for each in wordings.versions() if each.agent == agent])
    return f"forgotten: {names}" if names else f"nothing was learned of {agent}"


def delete(gone: Sequence[LearnedVersion]) -> str:
    """Delete what was learned of these versions; returns their names. Raises ScenarioError."""
    try:
        wordings.forget(gone)
    except OSError as error:
        raise ScenarioError(f"cannot delete {error.filename}: {error.strerror or error}") from None
    return ", ".join(f"{each.agent} {each.agent_version}" for each in gone)
