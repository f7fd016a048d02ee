"""Auto memory: the path of MEMORY.md, and the part that is sent (docs/agents/claude-code.md#memory)."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator

from promptscope_engine.agents.claude_code.materials import InstructionFile, MemoryCut
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.rows import entered, file_row, followed
from promptscope_engine.agents.kit.disk.walking import from_home
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft, Span, file_text
from promptscope_engine.prompt.windows import native

from .content import Excerpt, process
from .session import Session

LABEL = "user's auto-memory, persists across conversations"
MAX_LINES = 200
MAX_UNITS = 25_000
MAX_BYTES = 4 * 1024 * 1024
_SHOWN = 80
"""UTF-16 units of the first missing line that the note quotes."""
_BREAK = "\r\n|[\r\u2028\u2029]"
_SEEN = "\t\n\u200c\u200d\ufe0e\ufe0f"
_IGNORABLE = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
"""Characters that Unicode lets a program pass over, beside those of the categories C*."""

_KILOBYTE = 1024


def memory_folder(config: str, project: str, configured: Json = None, home: str = "") -> str:
    """`<config>/projects/<key>/memory`: the key is the path with a dash for all but ASCII letters and digits.

    `configured` is the setting `autoMemoryDirectory`, which takes its place where it counts (see `own_folder`).
    """
    project = native(project)  # on Windows it begins with the drive: C--work-shop
    usual = f"{config}/projects/{re.sub(r'[^A-Za-z0-9]', '-', project)}/memory"
    return own_folder(configured, home) or posixpath.normpath(usual)


def own_folder(configured: Json, home: str) -> str:
    """The folder of `autoMemoryDirectory`: an absolute path or one below `~`, "" for any other [asked of 2.1.332]."""
    own = posixpath.normpath(from_home(configured, home)) if isinstance(configured, str) and configured else ""
    return own if own.startswith("/") and own.strip("/") else ""


def cleaned(text: str) -> str:
    """The text without invisible characters, except joiners and selectors of emoji; line breaks are line feeds."""
    unseen = (char for char in set(text) if unicodedata.category(char)[0] == "C" or re.match(_IGNORABLE, char))
    hidden = {ord(char): None for char in unseen if char not in _SEEN}
    return re.sub(_BREAK, "\n", text).translate(hidden)


def cut(text: str) -> tuple[str, MemoryCut | None]:
    """The first 200 lines, cut again at the last line end within 25,000 UTF-16 units; and what the note says."""
    lines, size = text.split("\n"), utf16_len(text)
    kept, inside = "\n".join(lines[:MAX_LINES]), False
    if utf16_len(kept) > MAX_UNITS:
        head = utf16_slice(kept, 0, MAX_UNITS + 1)
        end = head.rfind("\n")
        inside = end <= 0
        kept = head[:end] if end > 0 else utf16_slice(kept, 0, MAX_UNITS).removesuffix("\ufffd")
    if kept == text:
        return text, None
    counts = (f"{len(lines)} lines" if len(lines) > MAX_LINES else "", size_shown(size) if size > MAX_UNITS else "")
    whole = kept.count("\n") + 1
    if inside:
        return kept, MemoryCut(*counts, total=len(lines), line=whole, inside=True)
    return kept, MemoryCut(*counts, total=len(lines), line=whole + 1, start=_start(lines[whole].strip()))


def _start(line: str) -> str:
    if utf16_len(line) <= _SHOWN:
        return line
    return utf16_slice(line, 0, _SHOWN - 1).removesuffix("\ufffd").rstrip() + "…"


def size_shown(size: int) -> str:
    """`257KB`, `325.2KB`, `11 bytes`."""
    if size < _KILOBYTE:
        return f"{size} bytes"
    unit, power = ("KB", 1) if size < 1024**2 else ("MB", 2)
    return f"{size / 1024**power:.1f}".removesuffix(".0") + unit


def gather_memory(
    session: Session, folder: str, shown: str, gate: Condition
) -> tuple[InstructionFile, MemoryCut | None, FileDraft]:
    """MEMORY.md of the project (no topic files), its cut and row. `shown`: the folder as the agent writes it."""
    workspace, follow = session.workspace, session.follow
    path = f"{folder}/MEMORY.md"
    may_enter = entered(workspace, folder, follow, "Claude Code")
    if follow:
        workspace.allow([folder])
    source = workspace.read(path)
    content = process("" if source.size > MAX_BYTES else source.text, session.version)
    kept, told = cut(content.text)
    spans = tuple(_spans(path, content.stretches, len(kept)))
    text = "".join(span.text for span in spans)
    key = "too_large" if source.size > MAX_BYTES else "no_memory" if source.problem == "missing" else "memory"
    there = FOLDER.reason(key, bool(text), path=path)
    reach = followed(workspace, path, follow) & may_enter
    when = gate & (reach if source.problem == "outside" else reach & there)
    file = InstructionFile(f"{shown}/MEMORY.md", "memory", LABEL, spans, when=when)
    draft = file_row(source, "memory", "always", when, text, truncated=told is not None)
    return file, told, draft


def _spans(path: str, stretches: Iterable[Excerpt], left: int) -> Iterator[Span]:
    """The stretches as far as they are sent: `left` characters of them."""
    for each in stretches:
        if part := each.text[:left]:
            yield file_text(path, cleaned(part), each.line)
        left -= len(part)
