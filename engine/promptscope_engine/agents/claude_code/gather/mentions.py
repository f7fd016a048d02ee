"""`@` mentions in what the user says: files and folders are read before the prompt is sent, agents named (2.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from promptscope_engine.agents.claude_code.materials import Mention, Mentions
from promptscope_engine.agents.claude_code.versions import V100, has
from promptscope_engine.agents.kit.paths import absolute
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import FileText, Workspace

from .denied import DeniedReads

MAX_LINES = 2_000
"""Lines that one Read gives in 2.1.100; later versions give a file whole."""
MAX_BYTES = 256 * 1024
"""A larger file is named only (recorded 2.1.332)."""
_MAX_MENTIONS = 50
_MAX_ENTRIES = 1_000
_QUOTED = re.compile(r'(?<!\S)@"([^"]{1,4096})"')
_PLAIN = re.compile(r'(?<!\S)@([^\s"]\S{0,4095})')
_RANGE = re.compile(r"L?(\d{1,9})(?:-L?(\d{1,9}))?")
_WORD = re.compile(r"[A-Za-z0-9_]")
_AGENT = "agent-"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def tokens(prompt: str) -> list[str]:
    """What stands behind each `@` at the start of a word, once each: quoted ones first (recorded 2.1.332).

    A plain one ends at the last border of an ASCII word, as `\\b` has it: `notes.txt,` is `notes.txt`.
    """
    quoted = (match[1] for match in _QUOTED.finditer(prompt))
    plain = (_to_last_word(match[1]) for match in _PLAIN.finditer(prompt))
    return list(dict.fromkeys(token for token in (*quoted, *plain) if token))[:_MAX_MENTIONS]


def _to_last_word(text: str) -> str:
    for end in range(len(text), 0, -1):
        behind = end < len(text) and bool(_WORD.match(text[end]))
        if bool(_WORD.match(text[end - 1])) != behind:
            return text[:end]
    return ""


def mentioned_paths(prompt: str, cwd: str, home: str) -> tuple[str, ...]:
    """The paths that the words of the prompt name, wherever they lie: the person who wrote them wants them read."""
    found = (absolute(token.partition("#")[0], cwd, home) for token in tokens(prompt))
    return tuple(path for path in found if path != "/")


@frozen
class Place:
    """Where mentions are looked up: `denied` are the rules that forbid to read."""

    cwd: str
    home: str
    version: str
    denied: DeniedReads
    when: Condition
    """Mentions are read at all."""


def find_mentions(
    prompt: str, agents: Collection[str], place: Place, workspace: Workspace
) -> tuple[Mentions, tuple[FileDraft, ...]]:
    """The mentioned files, folders and agents that are there, in order, and a row for each file."""
    read: list[Mention] = []
    large: list[Mention] = []
    named: dict[str, None] = {}
    looked_at: dict[str, None] = {}
    drafts: dict[str, FileDraft] = {}
    for token in tokens(prompt):
        agent = _agent(token, agents)
        if agent is not None:
            named[agent] = None
            continue
        path_text, _, fragment = token.partition("#")
        path = absolute(path_text, place.cwd, place.home)
        looked_at[path] = None
        kind = workspace.kind(path)
        if kind == "directory":
            read.append(_folder(path, workspace))
        elif kind == "file":
            mention, draft = _file(path, _RANGE.fullmatch(fragment), place, workspace)
            drafts.setdefault(path, draft)
            read += [mention] if mention and mention.kind != "large" else []
            large += [mention] if mention and mention.kind == "large" else []
    found = Mentions(tuple(read), tuple(large), tuple(named), tuple(looked_at), place.when)
    return found, tuple(drafts.values())


def _agent(token: str, agents: Collection[str]) -> str | None:
    """The agent that `agent-NAME` or `"NAME (agent)"` names."""
    name = token.removeprefix(_AGENT) if token.startswith(_AGENT) else token.removesuffix(" (agent)")
    return name if name != token and name in agents else None


def _input(**values: str | int) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _folder(path: str, workspace: Workspace) -> Mention:
    entries = workspace.list(path).entries[:_MAX_ENTRIES]
    lines = tuple((None, entry.name) for entry in entries)
    return Mention(path, "folder", _input(command=f"ls {path}", description=f"Lists files in {path}"), lines)


def _file(
    path: str, wanted: re.Match[str] | None, place: Place, workspace: Workspace
) -> tuple[Mention | None, FileDraft]:
    source = workspace.read(path)
    when = _readable(path, source) & place.denied.permitted(path) & place.when
    mention, truncated = _read(path, source, wanted, place.version)
    text = "\n".join(line for _, line in mention.lines)
    if mention.kind == "binary":
        no, remedy = "it is binary: only its name is sent", "mention a text"
        when = when & Observed("file", path, False, "it is a text", no, remedy=remedy)
    draft = file_row(source, "mention", "on-demand", when, text, truncated=truncated)
    refused = source.problem not in (None, "too-large") or mention.kind == "binary"
    return (None if refused or place.denied.denying(path) else mention), draft


def _readable(path: str, source: FileText) -> Condition:
    why = f"it cannot be read: {source.problem} ({source.detail})" if source.problem else ""
    return Observed("file", path, source.found, "the prompt mentions it", why, remedy=f"make {path} a readable file")


def _read(path: str, source: FileText, wanted: re.Match[str] | None, version: str) -> tuple[Mention, bool]:
    """What Read answers, and whether lines were left out."""
    if path.lower().endswith(_IMAGES):
        return Mention(path, "image", _input(file_path=path)), False
    if path.lower().endswith(".pdf"):
        text = f"PDF file read: {path} ({size_shown(source.size)})"
        return Mention(path, "pdf", _input(file_path=path), ((None, text),)), False
    if source.size > MAX_BYTES and version != V100:
        return Mention(path, "large", size_shown(source.size)), True
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\0" in text:
        return Mention(path, "binary", ""), False
    if version == V100:
        lines = tuple(enumerate(text.removesuffix("\n").split("\n"), 1))
        return Mention(path, "file", _input(file_path=path), lines[:MAX_LINES]), len(lines) > MAX_LINES
    return _lines(path, text, wanted, version), False


def _lines(path: str, text: str, wanted: re.Match[str] | None, version: str) -> Mention:
    every = tuple(enumerate(text.split("\n"), 1))
    if not wanted:
        return Mention(path, "file" if text else "empty", _input(file_path=path), every if text else ())
    first, last = int(wanted[1]), int(wanted[2] or wanted[1])
    asked = {"offset": first, "limit": last - first + 1} if last >= first and has(version, "mention_range") else {}
    lines = every[first - 1 : last] if first else ()
    kind = "file" if lines else "beyond"
    return Mention(path, kind, _input(file_path=path, **asked), lines, (first, len(every)))


def size_shown(size: int) -> str:
    """`257KB`, `325.2KB`, `11 bytes`."""
    if size < 1024:
        return f"{size} bytes"
    unit, power = ("KB", 1) if size < 1024**2 else ("MB", 2)
    return f"{size / 1024**power:.1f}".removesuffix(".0") + unit


def woken_by(mentions: Mentions) -> list[str]:
    """The paths whose folders' files and rules load: those of files and of what is not there, not of folders."""
    folders = {mention.path for mention in mentions.read if mention.kind == "folder"}
    return [path for path in mentions.looked_at if path not in folders]
