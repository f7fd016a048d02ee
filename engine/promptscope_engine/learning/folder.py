r"""A learned version as a folder, in the notation of agents' own folders.

    version.toml            which version, when it was learned, its runs, the parts that ended and moved
    sections/ID.md          the texts of a section; sections/learned.1.md is one that the model does not know
    tools/NAME.md           those of a tool's description
    tools/NAME.json         its schemas

Each text is under a line that says where it belongs, and in which runs it was seen:

    {# {"variant": "95c32f44f9414e8e", "ids": ["rules.intro"], "only": {"args.print": true}, "runs": "1-24 26"} #}
    In {{ workspace }} be brief.

Braces and characters that an editor hides or changes are written `{{ "\u001b" }}`; `{{ chance._ddc }}` is a word that
is another one in each run, `{{ piece._date }}` in our lines any value of that name, and `{{ piece._0 }}` in the lines
that take their place the first of these values (`{{ piece._0.path }}`: the path of its file). The names of files are
safe whatever a client calls its parts: where a file is not named for its part, the line says which one it is.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeVar

from msgspec import MsgspecError, Raw, Struct, ValidationError, convert, to_builtins
from msgspec.json import decode, encode
from msgspec.json import format as formatted
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.template import TemplateError, read_template
from promptscope_engine.formats.document import FormatError
from promptscope_engine.learned import (
    BEFORE,
    BEHIND,
    CHANCE,
    HOLES,
    LINES,
    LISTED,
    MAX_TEXT,
    PIECE,
    ROWS,
    SCHEMA,
    AddedSection,
    AddedTool,
    Flaw,
    LearnedError,
    LearnedVersion,
    Wording,
    filled,
)

from .tables import as_toml

HEAD, FOLDERS = "version.toml", ("sections", "tools")
HEAD_BEFORE = "version.json"
"""The head of a folder of a promptscope before this one."""
FORMATS = ("promptscope.learned.v1", "promptscope.learned.v2", "promptscope.learned.v3")
"""One JSON file, a folder with a head in JSON, and one with a head in TOML."""

MAX_BYTES = 16 * 1024 * 1024
"""Of a version: an agent has some hundred kilobytes of prose in all its variants."""
MAX_FILES = 5_000
MAX_TEXTS = 20_000

_Cut = Sequence[str]
"""A text with literals at even places and the names of holes at odd ones."""
_Row = Wording | AddedTool | AddedSection
_R = TypeVar("_R", bound=_Row)


class _Said(Struct, frozen=True, omit_defaults=True):
    """What is said of a text. `part`: if its file is not named for it; `number`: of what is new.

    `lines` and `rows` are ours, as are the rows that lines are `before` or `behind`.
    """

    part: str | None = None
    number: int = 0
    variant: str = ""
    ids: tuple[str, ...] = ()
    lines: str | None = None
    rows: str | None = None
    before: str | None = None
    behind: str | None = None
    after: str = ""
    name: str = ""
    is_before: bool = False
    only: dict[str, Any] | list[dict[str, Any]] | None = None
    runs: str = ""
    seen: str = ""
    schema: Raw = Raw(b'""')


# --- written ----------------------------------------------------------------------------------------------------------


def files_of(version: LearnedVersion) -> dict[str, bytes]:
    """The files of a version by their paths in its folder. Raises LearnedError for more than one may have."""
    name = f"{version.agent} {version.agent_version}"
    rows: dict[tuple[str, str], list[tuple[_Said, str]]] = defaultdict(list)
    for part, ending, said, text in _rows_of(version):
        rows[part, ending].append((said, _noted(text)))
    stems = _stems(dict.fromkeys(part for part, _ in rows))
    found = {HEAD: head_file(version)}
    for (part, ending), own in rows.items():
        if _part_of(stems[part]) != part:
            own = [(replace(said, part=_noted((part,))), text) for said, text in own]
        found[stems[part] + ending] = (_as_text if ending == ".md" else _as_json)(own)
    if sum(map(len, rows.values())) > MAX_TEXTS or len(found) > MAX_FILES:
        raise LearnedError(f"more than {MAX_TEXTS:,} texts, or {MAX_FILES:,} files of them, of {name}")
    if sum(map(len, found.values())) > MAX_BYTES:
        raise LearnedError(f"what was learned of {name} takes more than {MAX_BYTES:,} bytes")
    return found


def head_file(version: LearnedVersion) -> bytes:
    """The head of a version."""
    plain = {"format": FORMATS[2], **to_builtins(replace(version, wordings=(), added=(), sections=(), flaws=()))}
    return as_toml(plain, _UNSEEN).encode()


def _rows_of(version: LearnedVersion) -> Iterator[tuple[str, str, _Said, _Cut]]:
    """Of each text: its part, the ending of its file, what is said of it, the text.

    By ids and variant, in whatever order they were seen: for two versions to be compared. Of one variant order counts.
    """
    for number, section in enumerate(version.sections, 1):
        yield f"learned.{number}", ".md", _said_of_new(number, section), section.text
    for number, tool in enumerate(version.added, 1):
        yield f"tools.{tool.name}", ".md", _said_of_new(number, tool), tool.description
        yield f"tools.{tool.name}", ".json", _Said(number=number), tool.schema
    for each in sorted(version.wordings, key=lambda each: (each.is_of_lines, each.ids, each.variant)):
        said = _Said(variant=each.variant, only=dict(each.only) or None, runs=_ranges(each.runs))
        if each.ids == SCHEMA:
            yield each.part, ".json", said, each.text
        elif each.is_of_lines:
            yield each.part, ".md", replace(said, **{each.ids[0]: _noted(each.ids[1:])}), each.text
        else:
            yield each.part, ".md", replace(said, ids=each.ids), each.text


def _said_of_new(number: int, new: AddedTool | AddedSection) -> _Said:
    only = [dict(each) for each in new.only] or None
    said = _Said(number=number, after=_noted((new.after,)), only=only, runs=_ranges(new.runs), seen=new.seen)
    if isinstance(new, AddedSection):
        return replace(said, name=_noted((new.name,)), is_before=new.is_before)
    return said


def _as_text(rows: Sequence[tuple[_Said, str]]) -> bytes:
    return "".join(f"{{# {_harmless(to_builtins(said))} #}}\n{text}\n" for said, text in rows).encode()


def _as_json(rows: Sequence[tuple[_Said, str]]) -> bytes:
    found = []
    for said, text in rows:
        shown = {key: _harmless(value) for key, value in to_builtins(said).items()}
        shown["schema"] = text if _is_compact(text) else _harmless(text)
        found.append({key: Raw(value.encode()) for key, value in shown.items()})
    return formatted(encode(found), indent=1) + b"\n"


def _harmless(value: Any) -> str:
    """A value as JSON in visible signs."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def _is_compact(text: str) -> bool:
    """Whether a text is an object in JSON without blanks between its signs: it can be laid out, and read back."""
    try:
        json.loads(text)
        return text.startswith("{") and formatted(text, indent=-1) == text
    except (ValueError, MsgspecError, RecursionError):
        return False


_UNSEEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
_OPENS = r"\{(?=[{%#]|(?:=|[.~](?:\w[\w.-]*)?)\})"
"""A brace with which a tag, a value, a remark or a mark begins."""
_SIGN = rf"{_OPENS}|\{{(?=\Z|{_UNSEEN})|{_UNSEEN}"
"""What is put in quotes. Compiled when something is kept: that takes as long as all else of this module at a start."""


def _noted(text: _Cut) -> str:
    """A text in the notation of templates."""
    return "".join(
        f"{{{{ {_name_of(each)} }}}}" if place % 2 else re.sub(_SIGN, _quoted, each) for place, each in enumerate(text)
    )


def _quoted(sign: re.Match[str]) -> str:
    return f"{{{{ {_harmless(sign[0])} }}}}"


def _name_of(hole: str) -> str:
    """A hole as the name of a value; signs that no name may have are written by their numbers."""
    holder, colon, word = hole.partition(":")
    if not colon:
        return hole.replace("-", "_")
    return f"{holder}._" + re.sub(r"[^\w.]|_(?=_)|\.(?![A-Za-z])", lambda sign: f"__{ord(sign[0]):x}_", word)


def _stems(parts: Iterable[str]) -> dict[str, str]:
    """By part, the path of its files without their ending; two never have the same, nor one in other letters' case."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for part in parts:
        folder, name = ("tools/", part[6:]) if part.startswith("tools.") else ("sections/", part)
        if not re.fullmatch(r"\w[\w.-]{0,79}", name, re.ASCII) or (folder + name).lower() in taken:
            digest = sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:32]
            name = f"{re.sub(r'[^A-Za-z0-9.-]+', '_', name)[:60].lstrip('.-') or '_'}~{digest}"
        found[part] = folder + name
        taken.add(found[part].lower())
    return found


def _part_of(stem: str) -> str:
    """The part that a file is named for."""
    folder, _, name = stem.partition("/")
    return f"tools.{name}" if folder == "tools" else name


def _ranges(runs: Sequence[int]) -> str:
    """Numbers in rising order, those that follow each other as one: `1-24 26`."""
    found: list[list[int]] = []
    for number in runs:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return " ".join("-".join(map(str, each)) for each in found)


# --- read -------------------------------------------------------------------------------------------------------------


def head_of(data: bytes) -> LearnedVersion:
    """A version without its texts, from version.toml. Raises LearnedError."""
    from promptscope_engine.formats.toml import read_toml  # 3 ms, which a start with heads that were read before saves

    try:
        plain = read_toml(data.decode(), MAX_BYTES)
    except UnicodeDecodeError:
        raise LearnedError("it is not UTF-8") from None
    except FormatError as error:
        raise LearnedError(error.message, error.line or 1) from None
    if plain.get("format") != FORMATS[2]:
        raise LearnedError(f"it is not a {FORMATS[2]}")
    return _version(plain)


def head_before(data: bytes) -> LearnedVersion:
    """The same from the version.json of a promptscope before this one. Raises LearnedError."""
    return _version(_plain(data, FORMATS[1]))


def version_of(head: LearnedVersion, files: Mapping[str, Callable[[], bytes]]) -> LearnedVersion:
    """A version from the files of its folder; what cannot be used is left out, and named in its `flaws`.

    What reads a file may raise OSError.
    """
    return _Reader(head).read(files)


def version_in(data: bytes) -> LearnedVersion:
    """A version from the one file that it was kept in before; what cannot be used is left out. Raises LearnedError."""
    if len(data) > MAX_BYTES:
        raise LearnedError(f"it is larger than {MAX_BYTES:,} bytes")
    plain = _plain(data, FORMATS[0])
    return _version({**plain, **{name: tuple(_fitting(plain.get(name), kind)) for name, kind in _ROWS.items()}})


_ROWS: Mapping[str, type[_Row]] = {"wordings": Wording, "added": AddedTool, "sections": AddedSection}


def _fitting(value: Any, kind: type[_R]) -> Iterator[_R]:
    for each in value[:MAX_TEXTS] if isinstance(value, list) else ():
        with suppress(MsgspecError, ValueError, RecursionError):
            yield _checked(convert(each, kind))


def _plain(data: bytes, form: str) -> dict[str, Any]:
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError):
        raise LearnedError("it is not JSON") from None
    if not isinstance(plain, dict) or plain.get("format") != form:
        raise LearnedError(f"it is not a {form}")
    return plain


def _version(plain: Mapping[str, Any]) -> LearnedVersion:
    try:
        return convert(plain, LearnedVersion)
    except ValidationError as error:
        raise LearnedError(f"it names no agent and version: {error}") from None


class _Reader:
    """Reads the files of a version."""

    def __init__(self, head: LearnedVersion) -> None:
        self._head = head
        self._wordings: list[Wording] = []
        self._sections: dict[int, AddedSection] = {}
        self._tools: dict[int, tuple[str, int, AddedTool]] = {}
        self._schemas: dict[int, _Cut] = {}
        self._flaws: list[Flaw] = []

    def read(self, files: Mapping[str, Callable[[], bytes]]) -> LearnedVersion:
        """The version."""
        left = MAX_BYTES
        for path, read in files.items():
            try:
                data = read()
                left -= len(data)
                if left < 0:
                    raise ValueError(f"a version has at most {MAX_BYTES:,} bytes")
                self._read(path, data)
            except _UNUSABLE as error:
                self._flawed(path, 1, error)
        return replace(
            self._head,
            wordings=tuple(self._wordings),
            added=tuple(self._added()),
            sections=tuple(self._sections[number] for number in sorted(self._sections)),
            flaws=self._head.flaws + tuple(self._flaws),
        )

    def _read(self, path: str, data: bytes) -> None:
        written = _decoded(data)
        for line, said, text in _texts_in(written) if path.endswith(".md") else _schemas_in(written):
            try:
                self._take(path, line, said, text)
            except _UNUSABLE as error:
                self._flawed(path, line, error)

    def _flawed(self, path: str, line: int, error: Exception) -> None:
        """Name what cannot be used."""
        message = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        if isinstance(error, TemplateError):
            line, message = error.line, error.message
        self._flaws.append(Flaw(path, line, message))

    def _take(self, path: str, line: int, shown: str, text: str | None) -> None:
        said = decode(shown, type=_Said)
        cut = _cut(_schema(said) if text is None else text, line + 1)
        part = _part_of(path.rpartition(".")[0]) if said.part is None else "".join(_cut(said.part, line))
        runs = _numbers(said.runs, len(self._head.runs))
        if said.number and text is None:
            self._schemas[said.number] = cut
        elif said.number:
            ways, after = tuple(said.only) if isinstance(said.only, list) else (), "".join(_cut(said.after, line))
            if part.startswith("tools."):
                tool = AddedTool(part[6:], cut, (), after, ways, runs, said.seen)
                self._tools[said.number] = path, line, tool
            else:
                name = "".join(_cut(said.name, line))
                new = AddedSection(cut, after, ways, runs, said.seen, name, said.is_before)
                self._sections[said.number] = _checked(new)
        elif said.variant and not isinstance(said.only, list):
            ids = SCHEMA if text is None else said.ids
            ours_by_kind = ((LINES, said.lines), (ROWS, said.rows), (BEFORE, said.before), (BEHIND, said.behind))
            for kind, ours in ours_by_kind:
                ids = ids if ours is None else (*kind, *_cut(ours, line))
            self._wordings.append(_checked(Wording(part, said.variant, ids, cut, said.only or {}, runs)))
        else:
            raise ValueError("it must say `variant`, or `number` for what is new")

    def _added(self) -> Iterator[AddedTool]:
        for number, (path, line, tool) in sorted(self._tools.items()):
            try:
                if number not in self._schemas:
                    raise ValueError(f"the schema of number {number} is missing")
                yield _checked(replace(tool, schema=self._schemas[number]))
            except _UNUSABLE as error:
                self._flawed(path, line, error)


_UNUSABLE = (OSError, MsgspecError, ValueError, RecursionError)
"""What is raised by files that were changed by hand: TemplateError is a ValueError."""


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise TemplateError("it is not UTF-8", 1 + data.count(b"\n", 0, error.start)) from None


_Shown = tuple[int, str, str | None]
"""A line of a file, what is said there of a text (JSON), the text in the notation; of a schema None."""


def _texts_in(written: str) -> Iterator[_Shown]:
    before, *pieces = f"\n{written}".removesuffix("\n").split("\n{# ")
    if before:
        raise TemplateError("the first line must say where its text belongs: `{# {…} #}`", 1)
    line = 1
    for piece in pieces:
        said, _, text = piece.partition(" #}\n")
        yield line, said.removesuffix(" #}"), text
        line += 1 + piece.count("\n")


def _schemas_in(written: str) -> Iterator[_Shown]:
    try:
        rows = decode(written, type=list[Raw])
    except MsgspecError as error:
        found = re.search(r"\(byte (\d+)\)", str(error))
        line = 1 + written.encode().count(b"\n", 0, int(found[1])) if found else 1
        raise TemplateError(str(error), line) from None
    at = 0
    for row in rows:
        said = bytes(row).decode()
        at = written.index(said, at)
        yield 1 + written.count("\n", 0, at), said, None


def _schema(said: _Said) -> str:
    """A schema in the notation of templates."""
    shown = bytes(said.schema)
    return str(json.loads(shown)) if shown.startswith(b'"') else formatted(shown, indent=-1).decode()


def _cut(text: str, line: int) -> tuple[str, ...]:
    """A text in the notation of templates, which begins at a line, with literals and holes apart."""
    if not re.search(_OPENS, text):
        return (text,)
    found = [""]
    for node in read_template(f"{text}\n", first_line=line):
        match node:
            case ["text", _, _, _, literal]:
                found[-1] += literal
            case ["value", _, name]:
                found += [_hole_of(name), ""]
            case [kind, at, *_]:
                raise TemplateError(f"`{kind}` is not for learned texts", at)
    return tuple(found)


def _hole_of(name: str) -> str:
    holder, dot, word = name.partition("._")
    if not dot:
        return name.replace("_", "-")
    return f"{holder}:" + re.sub("__([0-9a-f]{1,6})_", lambda sign: chr(int(sign[1], 16)), word)


def _numbers(ranges: str, most: int) -> tuple[int, ...]:
    """The numbers of `1-24 26`, those that are of a run. Raises ValueError."""
    found: set[int] = set()
    for each in ranges.split():
        first, _, last = each.partition("-")
        found.update(range(max(int(first), 1), min(int(last or first), most) + 1))
    return tuple(sorted(found))


def _checked(row: _R) -> _R:
    """A row that can be used. Raises ValueError."""
    free = (CHANCE, PIECE) if isinstance(row, Wording) and row.is_of_lines else (CHANCE,)
    known = HOLES | {LISTED} if isinstance(row, Wording) and row.ids == SCHEMA else HOLES
    for text in _texts(row):
        holes = {hole for hole in text[1::2] if not hole.startswith(free)}
        if len(text) % 2 == 0 or holes - known:
            raise ValueError(f"its holes are not known: {', '.join(sorted(holes - known)) or 'one is at the end'}")
        if sum(map(len, text)) > MAX_TEXT:
            raise ValueError(f"a text has at most {MAX_TEXT:,} characters")
    return row


def _texts(row: _Row) -> Iterator[_Cut]:
    """The texts of a row that were cut. Raises ValueError for a schema of a new tool that is not JSON."""
    if isinstance(row, AddedTool):
        yield row.description
        yield row.schema
        json.loads(filled(row.schema, dict.fromkeys(HOLES, "")))
        return
    yield row.text
    if isinstance(row, Wording) and row.is_of_lines:
        yield row.ids[1:]
