"""What a program takes in its settings, held as data, and what a file does with it.

A shape is JSON, in one file beside each agent, read when there is a settings file:

    "text" "bool" "int" "number" "null" "object" "list" "any"   the type; "absent": there must be no such key
    "int 0.." "number 0..1" "number >0.." "text 1.." "list ..0"   with its bounds; of a text or list its length
    "=a|b|c" "true" "false"                                      one of these words; just this value
    "~NAME" "has X" "first X"                                    a text of this form; a list that holds the text X; one
                                                                 whose first item fits X
    "[SHAPE]" "{SHAPE}" "@Name"                                  a list of; an object of any keys with; a named shape
    "(SHAPE, SHAPE)"                                             a list of just these
    "[SHAPE]~"                                                   a list of; a misfit among its items costs only itself
    "[SHAPE]+"                                                   a list of one at least
    [SHAPE, ...]                                                 any of these
    {"key": SHAPE, "needed!": SHAPE, "mild~": SHAPE}             an object; a misfit below `mild` costs only itself
    {"*": SHAPE, "^": "~NAME", "?": KIND}                        what other keys hold, and their form; how an unknown
                                                                 key counts
    {"&": ["NAME", ...], "[]": true}                             rules on its keys together; an empty list is one too

Beside the named shapes the file holds `forms`, {NAME: [a regular expression for all of the text, what it is in words]},
`belongs`, {KEY: the files in which a key that is none of the top level counts}, and `rules`, {NAME: RULE}. A rule is
[SHAPE, SHAPE, REASON]: what fits the first has to fit the second; or "A < B", "A <= B", where "A=5" is 5 if there is no
A.

What a program does with settings that do not fit is one algorithm, and a policy per file.
"""

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, reduce
from itertools import repeat
from pathlib import Path as FilePath
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json, Notation, Path
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.prompt.model import Diagnostic

Kind = Literal["unknown", "unseen", "type", "word", "range", "missing"]
"""What is wrong. `unseen` is an unknown key that the program itself does not notice, however strict it is."""
UNKNOWN_KEY = "unknown key"
UNKNOWN: tuple[Kind, ...] = ("unknown", "unseen")
Shape = Json
"""As above."""

Rule = tuple[Shape, Shape, str] | str

Lenient = Callable[[Json, str], bool]

MAX_FINDINGS = 200
"""Of one file: the first ones say what is wrong with it."""
MAX_FORM = 1_000
"""Characters of a text that is compared with a form; a longer one passes."""
_BOUNDS = re.compile(r"(int|number|text|list) (>?-?[\d.]+?)?\.\.(-?[\d.]+)?")
_NAMES: Mapping[str, str] = {
    "text": "a string", "bool": "true or false", "int": "a whole number", "number": "a number", "null": "null",
    "list": "a list", "true": "true", "false": "false", "absent": "left out", "any": "any value",
}  # fmt: skip
_ORDERS = {"<": operator.lt, "<=": operator.le}
_OBJECTS: Mapping[Notation, str] = {"json": "an object", "yaml": "an object", "toml": "a table"}


class Finding(Struct, frozen=True):
    """One thing that a file holds and its program does not take.

    `reason` goes on from the key: "must be a string". `meant` names what was probably meant, as a dotted key; it is
    `elsewhere` where the very key is known in another place; `belongs` names other files that may hold it. `mild`: only
    this value is lost.
    """

    path: Path
    kind: Kind
    reason: str = ""
    meant: str = ""
    elsewhere: bool = False
    mild: bool = False
    belongs: str = ""

    @property
    def key(self) -> str:
        """The dotted key; an item of a list by its number: `permissions.allow[0]`."""
        return dotted(self.path)

    def hint(self, table: str = "`{}`") -> str:
        """What an unknown key was probably meant to be; goes on from the key. `table` is how an object is written."""
        if self.belongs:
            return f": it belongs in {self.belongs}"
        if not self.elsewhere:
            return f"; did you mean `{self.meant}`?" if self.meant else ""
        holder = dotted(self.path[:-1])
        inside = f"in {table.format(holder)}" if holder else "at the top level"
        target = self.meant.rpartition(".")[0]
        belongs = f"belongs in {table.format(target)}" if target else "is a top-level key"
        return f": `{self.path[-1]}` {belongs}, but is {inside}"

    def said(self, table: str) -> str:
        """What is wrong with the key or its value."""
        return f"{self.reason}{self.hint(table)}" if self.kind in UNKNOWN else self.reason


def dotted(path: Path) -> str:
    """A path as a person writes it."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Schema(Struct, frozen=True, dict=True, eq=False):
    """The shapes of one kind of settings file."""

    root: Shape
    named: Mapping[str, Shape] = {}
    forms: Mapping[str, tuple[str, str]] = {}
    rules: Mapping[str, Rule] = {}
    notation: Notation = "json"
    belongs: Mapping[str, str] = {}
    lenient: Lenient | None = None
    """Whether the program makes a value of another type fit: `"5"` for a number."""

    def findings(self, values: Json) -> list[Finding]:
        """Everything that does not fit, in the order of the file."""
        found: list[Finding] = []
        for finding in self._check(values, self.root, ()):
            found.append(finding)
            if len(found) >= MAX_FINDINGS:
                break
        return found

    def _check(self, value: Json, shape: Shape, path: Path) -> Iterator[Finding]:
        if isinstance(shape, list):
            yield from self._any_of(value, shape, path)
        elif isinstance(shape, dict):
            yield from self._object(value, shape, path)
        elif shape.startswith("@"):
            yield from self._check(value, self.named[shape[1:]], path)
        elif shape[0] in "[(":
            yield from self._items(value, shape, path)
        elif shape.startswith("{"):
            yield from self._object(value, {"*": shape[1:-1]}, path)
        elif not self._fits(value, shape):
            base = bounds[1] if (bounds := _BOUNDS.fullmatch(shape)) else None
            kind: Kind = "word" if shape.startswith("=") else "range" if base and self._fits(value, base) else "type"
            yield Finding(path, kind, f"must be {self.described(shape)}")

    def _items(self, value: Json, shape: str, path: Path) -> Iterator[Finding]:
        each = repeat(_item(shape)) if shape[0] == "[" else shape[1:-1].split(", ")
        if not isinstance(value, list) or (isinstance(each, list) and len(value) != len(each)):
            yield self._unfit(path, shape)
            return
        if shape.endswith("+") and not value:
            yield Finding(path, "range", "must not be empty")
        for number, (item, inner) in enumerate(zip(value, each, strict=False)):
            found = self._check(item, inner, (*path, number))
            yield from (replace(f, mild=True) for f in found) if shape.endswith("~") else found

    def _object(self, value: Json, shape: Mapping[str, Shape], path: Path) -> Iterator[Finding]:
        if not isinstance(value, dict):
            yield from () if value == [] and "[]" in shape else [self._unfit(path, shape)]
            return
        known = _keys(shape)
        others = shape.get("*")
        for key, inner in value.items():
            if key in known:
                found = self._check(inner, known[key], (*path, key))
                yield from (replace(f, mild=True) for f in found) if f"{key}~" in shape else found
            elif others is not None:
                form = shape.get("^", "any")
                if not self._fits(key, form):
                    yield Finding((*path, key), "word", f"the name must be {self.described(form)}")
                yield from self._check(inner, others, (*path, key))
            else:
                meant, elsewhere = self.meant((*path, key), known)
                belongs = "" if path else self.belongs.get(key, "")
                kind = shape.get("?", "unknown")
                yield Finding((*path, key), kind, UNKNOWN_KEY, meant, elsewhere, belongs=belongs)
        for key in shape:
            if key.endswith("!") and key[:-1] not in value:
                yield Finding((*path, key[:-1]), "missing", "is missing")
        for name in shape.get("&", ()):
            if reason := self._broken(self.rules[name], value):
                yield Finding(path, "range", reason)

    def _broken(self, rule: Rule, value: Mapping[str, Json]) -> str:
        """What is wrong with the keys of an object together, "" if nothing."""
        if isinstance(rule, str):
            first, sign, second = rule.split()
            (low, _, least), (high, _, most) = first.partition("="), second.partition("=")
            either = (value.get(low, float(least) if least else None), value.get(high, float(most) if most else None))
            numbers = [number for number in either if isinstance(number, int | float)]
            is_broken = len(numbers) > 1 and not _ORDERS[sign](numbers[0], numbers[1])
            return f"needs `{low}` {'lower than' if sign == '<' else 'no higher than'} `{high}`" if is_broken else ""
        given, wanted, reason = rule
        is_broken = not any(self._check(value, given, ())) and any(self._check(value, wanted, ()))
        return reason if is_broken else ""

    def _any_of(self, value: Json, shapes: list[Shape], path: Path) -> Iterator[Finding]:
        """What the closest alternative says: one that fits, else one of the value's type; with the fewest findings."""
        best: tuple[bool, int, list[Finding]] | None = None
        for shape in shapes:
            found = list(self._check(value, shape, path))
            wrong = any(finding.kind not in UNKNOWN for finding in found)
            if (not wrong or all(len(one.path) > len(path) or one.kind == "range" for one in found)) and (
                best is None or (wrong, len(found)) < best[:2]
            ):
                best = (wrong, len(found), found)
        yield from best[2] if best is not None else [self._unfit(path, shapes)]

    def _unfit(self, path: Path, shape: Shape) -> Finding:
        return Finding(path, "type", f"must be {self.described(shape)}")

    def _fits(self, value: Json, shape: str) -> bool:
        if self.notation == "toml" and isinstance(value, float) and shape.startswith("int"):
            return False  # where numbers are doubles, 5.0 is a whole one
        if shape.startswith("~"):
            return isinstance(value, str) and (len(value) > MAX_FORM or bool(self._forms[shape[1:]].fullmatch(value)))
        if shape.startswith("first "):
            return isinstance(value, list) and bool(value) and self._fits(value[0], shape[6:])
        return _fits(value, shape) or (self.lenient is not None and self.lenient(value, shape))

    @cached_property
    def _forms(self) -> Mapping[str, re.Pattern[str]]:
        return {name: re.compile(pattern) for name, (pattern, _) in self.forms.items()}

    def described(self, shape: Shape) -> str:
        """What a shape takes, in words: "a list of strings", "one of a, b"."""
        if isinstance(shape, list):
            return " or ".join(dict.fromkeys(map(self.described, shape)))
        if isinstance(shape, dict) or shape[0] == "{" or shape == "object":
            return _OBJECTS[self.notation]
        ways: dict[str, Callable[[str], str]] = {
            "@": lambda name: self.described(self.named[name]),
            "=": lambda words: f"one of {words.replace('|', ', ')}" if "|" in words else f"`{words}`",
            "~": lambda name: self.forms[name][1],
            "has ": lambda item: f"a list with {item}",
            "first ": lambda inner: f"a list that begins with {self.described(inner)}",
            "(": lambda inner: f"a list of {inner.count(', ') + 1} items",
            "[": lambda inner: f"a list of {_plural(self.described(_item('[' + inner)))}",
        }
        for sign, way in ways.items():
            if shape.startswith(sign):
                return way(shape.removeprefix(sign))
        return _described_bounds(shape)

    def meant(self, path: Path, known: Mapping[str, Shape]) -> tuple[str, bool]:
        """What an unknown key was probably meant to be, as a dotted key, and whether it is this key elsewhere."""
        key = str(path[-1])
        others = [place for place in self.places.get(key, ()) if place != path[:-1]]
        if () in others or 0 < len(others) <= MAX_MEANT:
            return dotted((*(() if () in others else others[0]), key)), True
        close = nearest(key, known, 1)
        if close:
            return dotted((*path[:-1], *close)), False
        return "", False

    @cached_property
    def opened(self) -> "Schema":
        """The same, with objects that may hold other keys as well."""
        return replace(self, root=_open(self.root), named={name: _open(shape) for name, shape in self.named.items()})

    @cached_property
    def places(self) -> Mapping[str, tuple[Path, ...]]:
        """Where each key is known: at the top level and in objects of fixed names."""
        found: dict[str, list[Path]] = {}
        pending: list[tuple[Path, Shape]] = [((), self.root)]
        for path, shape in pending:
            if isinstance(shape, str) and shape.startswith("@"):
                shape = self.named[shape[1:]]
            if isinstance(shape, dict) and len(path) < MAX_PLACE:
                for key, inner in _keys(shape).items():
                    found.setdefault(key, []).append(path)
                    pending.append(((*path, key), inner))
        return {key: tuple(places) for key, places in found.items()}

    @cached_property
    def keys(self) -> Mapping[Path, Shape]:
        """Every key with what it takes; a name that a person chooses is `*` in its path."""
        found: dict[Path, Shape] = {}
        pending: list[tuple[Path, Shape, tuple[str, ...]]] = [((), self.root, ())]
        for path, shape, within in pending:
            if path and not (path in found and shape == "any"):
                found.setdefault(path, shape)
            if len(path) >= MAX_DEPTH or shape == "absent":
                continue
            if isinstance(shape, list):
                pending += ((path, inner, within) for inner in shape)
            elif isinstance(shape, dict):
                pending += (((*path, key), inner, within) for key, inner in _keys(shape).items())
                pending += (((*path, "*"), shape["*"], within) for _ in range("*" in shape))
            elif shape[0] == "{":
                pending.append(((*path, "*"), shape[1:-1], within))
            elif shape[0] == "@" and shape not in within:
                pending.append((path, self.named[shape[1:]], (*within, shape)))
        return found

    def values(self, shape: Shape) -> tuple[Json, ...]:
        """The values of a shape that takes few of them; none of any other."""
        if isinstance(shape, list):
            return tuple(dict.fromkeys(value for inner in shape for value in self.values(inner)))
        if not isinstance(shape, str) or shape[0] not in "=@bt":
            return ()
        if shape[0] == "@":
            return self.values(self.named[shape[1:]])
        return (
            tuple(shape[1:].split("|")) if shape[0] == "=" else {"bool": (True, False), "true": (True,)}.get(shape, ())
        )


MAX_DEPTH = 6
"""Levels down to which keys are listed."""
MAX_MEANT = 2
"""Objects that have a misplaced key: of more none in particular is meant."""
MAX_PLACE = 3
"""Levels down to which a misplaced key is looked for."""


def _keys(shape: Mapping[str, Shape]) -> dict[str, Shape]:
    """The named keys of an object, without the marks behind them."""
    return {key.rstrip("!~"): inner for key, inner in shape.items() if key not in ("*", "^", "?", "&", "[]")}


def _item(shape: str) -> str:
    """The shape of the items of a list's."""
    return shape.rstrip("~+")[1:-1]


def _plural(words: str) -> str:
    """`a string` -> `strings`; what is no single thing stays as it is."""
    if words in ("a string", "a number", "an object", "a table", "a list", "a whole number"):
        return words.split(" ", 1)[1] + "s"
    return f"lists of {words[10:]}" if words.startswith("a list of ") else f"items, each {words}"


def _described_bounds(shape: str) -> str:
    bounds = _BOUNDS.fullmatch(shape)
    if bounds is None:
        return _NAMES[shape]
    low, high = bounds[2], bounds[3]
    if bounds[1] == "text":
        return f"a string of {high} characters at most" if high else "a string that is not empty"
    if low and low.startswith(">"):
        return f"{_NAMES[bounds[1]]} above {low[1:]}{f' and {high} at most' if high else ''}"
    span = f"from {low} to {high}" if low and high else f"of {low} or more" if low else f"of {high} or less"
    return f"{_NAMES[bounds[1]]} {span}"


def _fits(value: Json, shape: str) -> bool:
    if shape.startswith("="):
        return isinstance(value, str) and value in shape[1:].split("|")
    if shape.startswith("has "):
        return isinstance(value, list) and any(str(item).strip() == shape[4:] for item in value)
    if bounds := _BOUNDS.fullmatch(shape):
        low, high = bounds[2], bounds[3]
        fits = _fits(value, bounds[1])
        value = len(value) if isinstance(value, (str, list)) else value
        is_above = not fits or not low or low[0] != ">" or value > float(low[1:])
        return fits and is_above and (not low or value >= float(low.lstrip(">"))) and (not high or value <= float(high))
    if isinstance(value, bool):
        return shape in ("bool", "any", "true" if value else "false")
    is_whole = isinstance(value, float) and value.is_integer()
    return (
        shape == "any"
        or isinstance(value, int if shape == "int" else _TYPES.get(shape, ()))
        or (shape == "int" and is_whole)
    )


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "text": str, "number": (int, float), "null": type(None), "object": dict, "list": list,
}  # fmt: skip


def _open(shape: Any) -> Any:
    """Shapes whose objects may hold other keys."""
    if isinstance(shape, list):
        return [_open(inner) for inner in shape]
    return {"*": "any", **{key: _open(inner) for key, inner in shape.items()}} if isinstance(shape, dict) else shape


@cache
def load_schema(file: FilePath, notation: Notation = "json", lenient: Lenient | None = None) -> Schema:
    """The schema of a data file: `settings` is its root, the rest beside `forms` and `rules` are the named shapes."""
    shapes = json.loads(file.read_text("utf-8"))
    forms = shapes.pop("forms", {})
    rules = {name: _open(rule) for name, rule in shapes.pop("rules", {}).items()}
    belongs = shapes.pop("belongs", {})
    return Schema(shapes.pop("settings"), shapes, forms, rules, notation, belongs, lenient)


# --- what follows from a finding --------------------------------------------------------------------------------------


Consequence = Literal["file", "value", "start", "told", "ignored"]
"""Of a value that does not fit: the whole file is dropped, the value is, the program does not start, it is told and
taken all the same, or passed over."""

Place = Callable[[Path], tuple[str | None, int | None]]
"""The path and line of a key: None where it has none."""


class Policy(Struct, frozen=True):
    """How one kind of settings file is held to its schema. `table` is how the format writes the name of an object."""

    agent: str
    schema: Callable[[], Schema]
    misfit: Consequence
    unknown: Consequence = "ignored"
    because: str = ""
    """Why an unknown key stops the start, where it does not always: `, and --strict-config is given`."""
    table: str = "`{}`"
    inner: tuple[str, ...] = ()
    """Objects of which one value is dropped, and not the whole object."""
    instead: Callable[[str, Json], Json] | None = None
    """What a setting of a wrong type counts as, by its key and value; None where it is dropped."""


class Checked(Struct, frozen=True):
    """What is left of the values, and what is said of them. `dropped` says why none is left."""

    values: Mapping[str, Json]
    problems: tuple[Diagnostic, ...] = ()
    refusals: tuple[Diagnostic, ...] = ()
    dropped: str = ""


def checked(values: Mapping[str, Json], policy: Policy, place: Place) -> Checked:
    """The values as the program takes them."""
    problems: list[Diagnostic] = []
    refusals: list[Diagnostic] = []
    lost: list[Path] = []
    taken: dict[str, Json] = {}
    dropped = ""
    for finding in policy.schema().findings(values) if values else ():
        path, line = _line(finding, place)
        what: Consequence = "value" if finding.mild else policy.misfit
        if finding.kind in UNKNOWN:
            what = policy.unknown if finding.kind == "unknown" else "ignored"
        if what == "start":
            refusals.append(refusal(finding, policy, place))
        elif finding.kind in UNKNOWN:
            text = f"{policy.agent} knows no setting `{finding.key}` and ignores it{finding.hint(policy.table)}"
            problems.append(Diagnostic("warning", "unknown-setting", text, path, line))
        else:
            reason = f"is an {finding.reason}" if finding.reason == UNKNOWN_KEY else finding.reason
            instead = _instead(what, finding, values, policy)
            taken |= instead
            text = f"`{finding.key}` {reason}{finding.hint(policy.table)}{_ending(what, finding, policy, instead)}"
            problems.append(Diagnostic("warning", "bad-settings", text, path, line))
        if what == "file":
            dropped = dropped or f"`{finding.key}` {finding.reason}"
        elif what == "value":
            lost.append(_of_value(finding, policy))
    kept = {} if dropped else {**reduce(_without, lost, values), **taken}
    return Checked(kept, tuple(problems), tuple(refusals), dropped)


def refusal(finding: Finding, policy: Policy, place: Place) -> Diagnostic:
    """That the program does not start, and why."""
    because = policy.because if finding.kind == "unknown" else ""
    text = f"{policy.agent} does not start: `{finding.key}`: {finding.said(policy.table)}{because}"
    return Diagnostic("error", "agent-refuses", text, *_line(finding, place))


def _of_value(finding: Finding, policy: Policy) -> Path:
    """The path of what is dropped: the setting, or its part where the parts count one by one."""
    if finding.mild:
        return finding.path
    return finding.path[: 2 if finding.path[0] in policy.inner else 1]


def _instead(what: Consequence, finding: Finding, values: Mapping[str, Json], policy: Policy) -> dict[str, Json]:
    """The setting with the value that it counts as, where the whole of it is lost and counts as another one."""
    if what != "value" or policy.instead is None or len(lost := _of_value(finding, policy)) > 1:
        return {}
    value = policy.instead(str(lost[0]), values[str(lost[0])])
    return {} if value is None else {str(lost[0]): value}


def _ending(what: Consequence, finding: Finding, policy: Policy, instead: Mapping[str, Json]) -> str:
    if instead:
        return f": {policy.agent} takes it for {json.dumps(next(iter(instead.values())))}"
    if what == "file":
        return f": {policy.agent} drops the whole file"
    if what == "value":
        lost = ".".join(str(part) for part in _of_value(finding, policy))
        return f": {policy.agent} drops {'this value' if finding.mild else f'`{lost}`'}"
    return f" ({policy.agent} warns of it)"


def _line(finding: Finding, place: Place) -> tuple[str | None, int | None]:
    """Where the key is; that of what holds it, where it is missing."""
    file: str | None = None
    for length in range(len(finding.path), 0, -1):
        file, line = place(finding.path[:length])
        if line is not None:
            return file, line
    return file, None


def _without(value: Json, path: Path) -> Json:
    """The value without that under a path; items of a list stay in their places, as None."""
    key, rest = path[0], path[1:]
    if isinstance(value, dict) and key in value:
        if rest:
            return {**value, key: _without(value[key], rest)}
        return {name: inner for name, inner in value.items() if name != key}
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return [*value[:key], _without(value[key], rest) if rest else None, *value[key + 1 :]]
    return value
