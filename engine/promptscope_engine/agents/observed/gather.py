"""A capture, and the files that its text is in."""

import json
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.captures.files import chosen, recording
from promptscope_engine.captures.model import Block, Capture, Content, Recorded
from promptscope_engine.captures.protocols import content_of, input_tokens
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files

from .locating import Candidate, LocatedFile, locate, stretches, traced
from .materials import Materials, ObservedParams, SentBlock

_SAID = json.loads(Path(__file__).with_name("files.json").read_text("utf-8"))
_KINDS: dict[str, str] = {name: kind for kind, names in _SAID["kinds"].items() for name in names}
_DOT_FOLDERS: list[str] = _SAID["folders"]


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """The request that the params choose. Raises ScenarioError where there is none."""
    if inputs.capture is None:
        raise ScenarioError("an observed agent is known by what it sent only: name a capture", where="capture")
    assert isinstance(inputs.params, ObservedParams)
    capture = recording(inputs.capture, workspace)
    request = chosen(capture, inputs.params.request)
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    key = ("located", inputs.capture, request.index, inputs.workspace, inputs.home)
    located = workspace.memo(key, lambda: _located(content, inputs, workspace), tracked=True)
    model = inputs.model or content.model
    usage = request.response.usage if request.response else None
    reported = input_tokens(usage, request.protocol) if usage else None
    materials = _materials(content, located.found, reported)
    return Gathered(
        facts=Facts(params=inputs.params.model_dump(), model=model, version=inputs.agent_version),
        materials=materials,
        files=located.files,
        diagnostics=(*_about(capture, request, content), *located.diagnostics),
    )


class _Located(Struct, frozen=True):
    found: tuple[LocatedFile, ...]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


def _located(content: Content, inputs: Inputs, workspace: Workspace) -> _Located:
    listed, complete = candidates(inputs, workspace)
    reading = _Reading(listed, workspace)
    found = locate(_texts(content), reading)
    diagnostics = []
    if not complete or reading.left_out:
        text = f"looked into {reading.looked:,} files for what was sent: at most {MAX_FILES:,}, {MAX_TOTAL >> 20} MB"
        diagnostics.append(Diagnostic("info", "files-left-out", text))
    texts = _texts(content)
    rows = [_row(each, texts, workspace) for each in found]
    names = {each.candidate.path for each in found}
    no, remedy = "none of its text is in the request", "capture a run that sends it"
    own = f"{inputs.workspace.rstrip('/')}/"
    for each in listed:  # instructions of this workspace, and those of home by their usual names
        is_usual = posixpath.basename(each.path) in _KINDS or each.path.startswith(own)
        if each.path in names or each.kind in ("", "skill") or not is_usual:
            continue
        when = Fact("file", each.path, False, "in the request", no, remedy=remedy)
        rows.append(FileDraft(each.path, workspace.real_path(each.path), each.kind, "always", when))
    return _Located(tuple(found), tuple(rows), tuple(diagnostics))


class _Reading:
    """The files with their text, read one by one: only what is found in the request is kept and watched."""

    def __init__(self, listed: Sequence[Candidate], workspace: Workspace) -> None:
        self.listed, self.workspace = listed, workspace
        self.looked = self.left_out = 0

    def __iter__(self) -> Iterator[tuple[Candidate, str]]:
        left, wanted = MAX_TOTAL, MAX_BYTES + 1
        for number, candidate in enumerate(self.listed):
            if left <= 0:
                self.left_out = len(self.listed) - number
                return
            try:
                data = b"".join(self.workspace.chunks(candidate.path, wanted, wanted))
            except (OSError, ValueError):  # gone, a folder's link, out of the announced folders
                continue
            left -= len(data)
            self.looked += 1
            if len(data) <= MAX_BYTES and b"\0" not in data[:8192]:
                yield candidate, data.decode("utf-8", "replace")


def _row(found: LocatedFile, texts: Sequence[str], workspace: Workspace) -> FileDraft:
    path = found.candidate.path
    read = workspace.read(path)
    whole = found.has_start and found.has_end and len(found.lines) == 1
    where = "all of it" if whole else _in_words(found.lines)
    return FileDraft(
        path=path,
        real_path=read.real_path,
        kind=found.candidate.kind or "file",
        load="always",
        when=Fact("file", path, True, f"in the request: {where}", "not in the request", actual=where),
        bytes=read.size,
        raw_chars=len(found.text),
        injected="\n".join(texts[match.text][match.start : match.end] for match in found.matches),
        truncated=found.has_start and not found.has_end and found.candidate.kind != "skill",
    )


def _in_words(lines: Sequence[tuple[int, int]]) -> str:
    """`lines 3-40, 50 and 2 more stretches`."""
    shown = [f"{start}" if start == end else f"{start}-{end}" for start, end in lines[:3]]
    more = len(lines) - len(shown)
    word = "line" if len(lines) == 1 and lines[0][0] == lines[0][1] else "lines"
    return f"{word} {', '.join(shown)}" + (
        f" and {more} more {'stretch' if more == 1 else 'stretches'}" if more else ""
    )


def _texts(content: Content) -> list[str]:
    """All texts of a request in their order: blocks, then the descriptions of tools."""
    return [*(block.text for block in content.blocks()), *(tool.description for tool in content.tools)]


def _materials(content: Content, found: Sequence[LocatedFile], reported: int | None) -> Materials:
    spans = traced(_texts(content), found)
    sent: list[tuple[str, int | None, str, Block]] = []
    sent += ((f"system.{number}", None, "system", block) for number, block in enumerate(content.system))
    for number, message in enumerate(content.messages):
        sent += ((f"messages.{number}.{n}", number, message.role, block) for n, block in enumerate(message.blocks))
    blocks = tuple(
        SentBlock(name, message, role, block.kind, block.cache, spans[number], stretches(number, found))
        for number, (name, message, role, block) in enumerate(sent)
    )
    tools = tuple(zip(content.tools, spans[len(blocks) :], strict=True))
    return Materials(blocks, tools, content.model, reported)


def _about(capture: Capture, request: Recorded, content: Content) -> Iterator[Diagnostic]:
    for problem in capture.problems:
        yield Diagnostic("warning", "capture-broken", problem)
    fidelity = capture.header.fidelity
    if fidelity.grade == "redirected":
        text = f"redirected: {'; '.join(fidelity.notes) or 'the real request differs'}"
        yield Diagnostic("info", "capture-redirected", text)
    elif fidelity.notes:
        yield Diagnostic("info", "capture-notes", "; ".join(fidelity.notes))
    if request.masked:
        yield Diagnostic("info", "capture-masked", f"keys that are masked: {request.masked}")
    if media := sum(block.kind in _SAID["media"] for block in content.blocks()):
        yield Diagnostic("info", "capture-media", f"{media} images or documents are neither shown nor counted")


MAX_FILES = 5_000
MAX_BYTES = 2 << 20
"""Bytes of a file that is looked into."""

MAX_TOTAL = 96 << 20
"""Bytes of all files together: what a few seconds suffice for."""

MAX_FOLDERS = 1_000
"""Folders of agents that are entered."""

MAX_DEPTH = 6
"""Folders between an agent's own one and a file."""

_INSTRUCTIONS = (".md", ".mdc", ".txt")


def kind_of(path: str) -> str:
    """The kind of an instruction file; "" for any other file."""
    folder, name = posixpath.split(path)
    if name in _KINDS:
        return _KINDS[name]
    parts = PurePosixPath(folder).parts
    if name.endswith(_INSTRUCTIONS) and any(part in _DOT_FOLDERS for part in parts):
        if "skills" in parts:  # what a skill brings along is read when it is used
            return ""
        return "memory" if "memory" in parts else "claude-rule" if ".claude" in parts and "rules" in parts else "rules"
    return "rules" if name.endswith(".instructions.md") else ""


def candidates(inputs: Inputs, workspace: Workspace) -> tuple[list[Candidate], bool]:
    """The files, instruction files first, and whether that is all. Being listed doesn't make a file watched."""
    scratch = workspace.snapshot()
    listed = list_files(inputs.workspace, inputs.home, inputs.env, scratch)
    around = [f"{parent}/{name}".replace("//", "/") for parent in _parents(inputs.workspace) for name in _KINDS]
    named = [path for path in around if scratch.kind(path) == "file"]
    folders = [f"{inputs.home}/{name}" for name in (*_DOT_FOLDERS, *_SAID["in_home"])]
    folders += [f"{parent}/{name}" for parent in _parents(inputs.workspace) for name in _DOT_FOLDERS]
    below, entered_all = _below(folders, scratch)
    paths = dict.fromkeys([*named, *listed.absolute(), *below])
    found = [Candidate(path, kind_of(path)) for path in paths]
    found.sort(key=lambda each: not each.kind)  # stable: what is near stays in front
    return found[:MAX_FILES], listed.complete and entered_all and len(found) <= MAX_FILES


def _parents(folder: str) -> list[str]:
    path = PurePosixPath(folder)
    return [str(each) for each in (path, *path.parents)]


def _below(folders: Iterable[str], workspace: Workspace) -> tuple[list[str], bool]:
    """The instruction files of agents' folders, which git may have been told to ignore; whether all were entered."""
    waiting = [(folder, 0) for folder in dict.fromkeys(folders) if workspace.is_dir(folder)]
    found: list[str] = []
    entered = 0
    while waiting and entered < MAX_FOLDERS and len(found) <= MAX_FILES:
        folder, depth = waiting.pop(0)
        entered += 1
        for entry in workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if entry.kind == "directory":
                if depth < MAX_DEPTH and entry.name not in _SAID["passed_over"]:
                    waiting.append((path, depth + 1))
            elif entry.name.endswith(_INSTRUCTIONS):
                found.append(path)
    return found, not waiting
