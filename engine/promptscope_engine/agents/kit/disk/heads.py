"""The front matter of agents' files: its bounds, its limit, mending of broken YAML, and words that mean yes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json, Parsed, Path
from promptscope_engine.formats.yaml import JS_YAML, FrontMatter, Schema, YamlError, YamlLimitError, weight
from promptscope_engine.javascript.json import number
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.drafts import Span, computed, file_text, param_value
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace


@dataclass(eq=False, repr=False)
class Budget:
    """How much front matter is read of all files of one kind: that of two hundred with descriptions as long as can be.

    Values count as ten characters (see `weight`), so that it is read in half a second.
    """

    left: int = 300_000

    def allows(self, front: str) -> bool:
        """Whether the text is read as well; if so it is taken off."""
        if front and self.left >= 0:  # what weighs it takes 25 ms to load
            self.left -= weight(front)
        return self.left >= 0


class Mending(Struct, frozen=True):
    """Which lines of YAML that does not parse are tried once more with their values in quotes."""

    line: re.Pattern[str]
    """Matches a whole line, with the groups `key` and `value`."""
    wants: Callable[[str], bool]
    """Whether a value is put in quotes."""

    def parse(
        self, front: FrontMatter, schema: Schema, fits: Callable[[Json], bool] = lambda _: True
    ) -> tuple[Parsed, bool]:
        """The values, and whether the text was mended, even in vain. Raises YamlError for the text as written."""
        problem: YamlError | None = None
        try:
            if fits((parsed := front.parse(schema)).value):
                return parsed, False
        except YamlLimitError:
            raise
        except YamlError as error:
            problem = error
        try:
            return replace(front, text="\n".join(map(self._line, front.text.split("\n")))).parse(schema), True
        except YamlError as error:
            raise problem or error from None

    def _line(self, line: str) -> str:
        found = self.line.fullmatch(line)
        if found is None or not self.wants(found["value"]):
            return line
        return f"{found['key']}: '" + found["value"].replace("'", "''") + "'"


_HEAD = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)


def head_of(text: str) -> str | None:
    """The text between the dashes, of which the first must begin the file and the last a line; else None."""
    found = _HEAD.match(text)
    return found[1] if found else None


_LOOSE = r"(?s)---[ \t]*\r?\n(.*?)\r?\n---"
_FENCED, _LOOSELY = re.compile(rf"{_LOOSE}[ \t]*(?:\r?\n|\Z)"), re.compile(_LOOSE)


def fenced(text: str, *, loosely: bool = False) -> tuple[FrontMatter | None, str]:
    """The front matter between two lines of dashes, and the text below. `loosely`: anything may follow the second."""
    text = text.removeprefix("\ufeff")
    found = (_LOOSELY if loosely else _FENCED).match(text)
    return (FrontMatter(found[1]), text[found.end() :]) if found else (None, text)


class Head(Struct, frozen=True):
    """The values of a file's front matter with their lines, and the text below; `problem`: why there are no values."""

    values: Mapping[str, Json] = {}
    body: str = ""
    problem: str = ""
    line: int | None = None
    """The line of the problem."""
    lines: Mapping[Path, int] = {}
    broken: bool = False
    """Whether there is a head, which is not YAML."""

    @property
    def lacks(self) -> str:
        """Why there are no values, of a file that needs some; "" if there are."""
        return self.problem or ("" if self.values else "it has no front matter")


@dataclass(eq=False, repr=False)
class Heads:
    """Reads front matter: where it ends, which YAML it is, and which lines are repaired first."""

    apart: Callable[[str], tuple[FrontMatter | None, str]] = fenced
    schema: Schema = JS_YAML
    mending: Mending | None = None
    budget: Budget = field(default_factory=Budget)

    def read(self, text: str) -> Head:
        """What a file says of itself."""
        front, body = self.apart(text)
        if front is None:
            return Head(body=body)
        if not self.budget.allows(front.text):
            return Head(body=body, problem="more front matter was read already than is read here")
        try:
            parsed = self.mending.parse(front, self.schema)[0] if self.mending else front.parse(self.schema)
        except YamlError as error:
            return Head(
                body=body, problem=f"its front matter is not valid YAML: {error.message}", line=error.line, broken=True
            )
        if isinstance(parsed.value, dict):
            return Head(parsed.value, body, lines=parsed.lines)
        return Head(body=body, problem="its front matter has no keys" if parsed.value is not None else "")


_NEARLY = re.compile(
    r"\s*?(?P<line>[ \t]*(?P<sign>[-*+=_#~`])(?P=sign){2,})[ \t\r]*\n[ \t]*[\w-]+[ \t]*[:=][^\n]*\n"
    r"(?:[^\n]+\n)*?(?P=sign){3,}[ \t\r]*(?:\n|\Z)"
)


def nearly(text: str) -> str:
    """Why what looks like front matter at the top of a file is none; "" if nothing does."""
    found = _NEARLY.match(text.removeprefix("\ufeff"))
    if found is None:
        return ""
    line = found["line"]
    return "its first line is not the one of three dashes" if line == "---" else f"{line.strip()} is not ---"


_TYPES: Mapping[str, Callable[[Json], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float),
    "boolean": lambda value: isinstance(value, bool),
    "switch": lambda value: is_yes(value) or _is_no(value),
    "table": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "null": lambda value: value is None,
}
_NAMES = {"switch": "switch (yes or no)"}


def misfit(values: Mapping[str, Json], shapes: Mapping[str, Sequence[str]]) -> str:
    """The first key whose value has none of the types that it may have; a list holds texts. "" if all fit."""
    return next((f"`{key}` of its front matter has to be a {what}" for key, what in unfit(values, shapes)), "")


def unfit(values: Mapping[str, Json], types: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Each key whose value has none of the types that it may have, with those in words."""
    for key, kinds in types.items():
        if key in values and not any(_TYPES[kind](values[key]) for kind in kinds):
            yield key, " or a ".join(_NAMES.get(kind, kind) for kind in kinds if kind != "null")


def is_yes(value: Json) -> bool:
    """Whether a value switches something on: true, 1, and the words `true`, `yes`, `on`, `1` in any case."""
    if isinstance(value, bool):
        return value
    text = number(value) if isinstance(value, int | float) else value
    return isinstance(text, str) and js_trim(text).lower() in ("true", "1", "yes", "on")


def _is_no(value: Json) -> bool:
    return value is False or value == 0 or (isinstance(value, str) and js_trim(value).lower() in _NO)


_NO = ("false", "0", "no", "off")


def traced(file: FileText, text: str, name: str, above: int = 0) -> tuple[Span, ...]:
    """A text from a file's front matter: traced to its line if it is there verbatim, or to the lines that YAML joined.

    Else it is computed.
    """
    if not text:
        return ()
    lines = file.text.split("\n")
    numbered = enumerate(lines[above:] if "\n" not in text else (), above + 1)
    if line := next((number for number, line in numbered if text in line), None):
        return (file_text(file.path, text, line),)
    for first in range(above, len(lines)):
        for begin in (lines[first].strip(), lines[first].partition(": ")[2].strip()):
            if begin and text.startswith(begin) and (spans := _joined([begin, *lines[first + 1 :]], text)):
                return tuple(
                    file_text(file.path, words, first + line) if line else computed(name, words)
                    for words, line in spans
                )
    return (computed(name, text),)


def setting_spans(known: Sourced[str | None], workspace: Workspace) -> tuple[Span, ...]:
    """A setting's text; where its file holds it as it is, with the lines."""
    text, source = known.value, known.source
    if not text:
        return ()
    if source.path is None:
        return (param_value(source.overlay or source.key, text),)
    return verbatim(workspace.read(source.path), text, source.key, (source.line or 1) - 1)


def verbatim(file: FileText, text: str, name: str, above: int = 0) -> tuple[Span, ...]:
    """A text that the file may hold as it is, `above` lines further down, with its lines; else as it is traced."""
    if not text:
        return ()
    before, found, _ = "\n".join(file.text.split("\n")[above:]).partition(text)
    return (file_text(file.path, text, 1 + above + before.count("\n")),) if found else traced(file, text, name, above)


def _joined(lines: Iterable[str], text: str) -> list[tuple[str, int]]:
    """The text as what each line has of it, with the line's number, and the blanks between lines, without one (0).

    Empty if it is not made of the lines from the first one on.
    """
    found: list[tuple[str, int]] = []
    rest = text
    for at, line in enumerate(map(str.strip, lines), 1):
        words = line if rest.startswith(line) else rest if line.startswith(rest) else ""
        if line and not words:
            return []
        if words:
            found.append((words, at))
            rest = rest[len(words) :]
            blanks = rest[: len(rest) - len(rest.lstrip())]
            if rest and not blanks:
                return []
            found += [(blanks, 0)] if blanks else []
            rest = rest[len(blanks) :]
        if not rest:
            return found
    return []
