"""What differs by name between a prediction and a request: entries of lists, schemas, keys of the body.

Words of fixed prose may be others than ours. A name, what a schema asks for and a key of the body are facts: where one
differs, the prediction is wrong.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.adapter import BodyKey
from promptscope_engine.captures.content import SentTool
from promptscope_engine.formats.document import Json

from .predicted_lines import Owned
from .sent_blocks import SentLine
from .text_difference import line_runs

NamedKind = Literal["listed", "schema", "body"]


class NamedDifference(Struct, frozen=True):
    """A name that differs: of an entry in a list (`listed`), a tool's parameter (`schema`), or a key of the body.

    `part` is the section's or the tool's (`tools.NAME`) id, "request" for the body.
    """

    kind: NamedKind
    part: str
    name: str
    says: str


_SENT, _PREDICTED = "sent and not predicted", "predicted and not sent"

_UNNAMED = "\0"
"""A line of ours that begins with words of ours, or a file's: it is in no list."""
_ALONE = re.compile(r"[\w.:/@-]+")
_ENTRY = re.compile(r"(?P<name>(?:- )?\S.*?)(?:: | \(|:?$)")


def _entry(line: str) -> str:
    """What a line of a list is known by: all before its description. "" for a line that is none."""
    found = _ENTRY.match(line)
    return found["name"] if found else ""


def listed_differences(owned: Sequence[Owned], lines: Sequence[SentLine]) -> Iterator[NamedDifference]:
    """Entries of lists that only one side has.

    What was not predicted counts in a section that has such entries, where no line with words of ours has their form.
    """
    ours = [name if 0 < len(name := _entry(each.line.masked)) <= each.exact else _UNNAMED for each in owned]
    theirs = [_entry(line.masked) for line in lines]
    known, sent, last = set(ours), set(theirs), owned[0].id
    forms = {(each.id, _form(name)) for each, name in zip(owned, ours, strict=True)}
    for run in line_runs("\n".join(ours), "\n".join(theirs)):
        part = owned[run.before[-1]].id if run.before else last
        for at in run.before:
            if ours[at] not in sent and ours[at] != _UNNAMED and any(map(str.isalnum, ours[at])):
                yield NamedDifference("listed", owned[at].id, ours[at].removeprefix("- "), _PREDICTED)
        reworded = {_form(_entry(owned[at].line.masked)) for at in run.before if ours[at] == _UNNAMED}
        for name in [theirs[at] for at in run.after]:
            form = _form(name)
            if name not in known and form and (part, form) in forms and form not in reworded:
                yield NamedDifference("listed", part, name.removeprefix("- "), _SENT)
        last = part


def _form(name: str) -> str:
    """The form of a list's entry: with its description behind it, a name alone, or "" for no entry."""
    return "described" if name.startswith("- ") else "alone" if _ALONE.fullmatch(name) else ""


def schema_differences(tool: str, ours: Json, theirs: Json, at: str = "") -> Iterator[NamedDifference]:
    """What a tool's schema asks for otherwise: parameters, `required`, types and enumerations, at any depth."""
    if not (isinstance(ours, dict) and isinstance(theirs, dict)):
        return
    part, place = f"tools.{tool}", at or "the parameters"
    for key in ("type", "enum", "required"):
        one, other = _plain(ours.get(key)), _plain(theirs.get(key))
        if one != other:
            yield NamedDifference("schema", part, place, f"`{key}` is {_shown(other)}, predicted {_shown(one)}")
    inner: dict[str, tuple[Json, Json]] = {}
    mine, its = (properties(each) for each in (ours, theirs))
    for name in {**mine, **its}:
        path = f"{at}.{name}" if at else name
        if name in mine and name in its:
            inner[path] = mine[name], its[name]
        else:
            yield NamedDifference("schema", part, path, _SENT if name in its else _PREDICTED)
    inner[f"{at}[]"] = ours.get("items"), theirs.get("items")
    for path, (one, other) in inner.items():
        yield from schema_differences(tool, one, other, path)


def tool_differences(ours: Sequence[SentTool], theirs: Sequence[SentTool]) -> Iterator[NamedDifference]:
    """The same of all tools that both sides have."""
    predicted = {tool.name: tool for tool in ours}
    for tool in theirs:
        if tool.name in predicted:
            yield from schema_differences(tool.name, predicted[tool.name].schema, tool.schema)


def body_differences(known: Sequence[BodyKey], sent: Collection[str]) -> Iterator[NamedDifference]:
    """Keys of the body that only one side has; nothing where none is `known`."""
    names = {key.name for key in known}
    for name in sent if known else ():
        if name not in names:
            yield NamedDifference("body", "request", name, _SENT)
    for key in known:
        if key.needed and key.name not in sent:
            yield NamedDifference("body", "request", key.name, _PREDICTED)


def properties(schema: Json) -> Mapping[str, Json]:
    """The parameters of a tool's schema by name; none of what is not one."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _plain(value: Json) -> Json:
    """A list whose order says nothing in one order."""
    return sorted(map(str, value)) if isinstance(value, list) else value


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "empty"
    return "not given" if value is None else str(value)
