"""YAML as the npm package `yaml` reads it by default: YAML 1.2 with the core schema, safe and bounded.

PyYAML composes the nodes; the scalars are resolved here, because 1.2 knows no timestamps, no `yes`, no `<<` and no
octal with a bare 0. Nothing but plain values can come out. Aliases are counted as that package counts them, so a
bomb is an error and not an expansion.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache

import yaml

from promptscope_engine.formats.document import Json

MAX_CHARS = 1_000_000
"""A modes file is some kilobytes; composing one this large would already take ten seconds."""

MAX_ALIASES = 100
"""maxAliasCount of the package."""

Path = tuple[str | int, ...]

_INT = re.compile(r"[-+]?[0-9]+")
_BASED = {"0o": (8, re.compile(r"0o[0-7]+")), "0x": (16, re.compile(r"0x[0-9a-fA-F]+"))}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NAN, _INF = re.compile(r"\.nan|\.NaN|\.NAN"), re.compile(r"[-+]?(?:\.inf|\.Inf|\.INF)")
_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MAX_DIGITS = 300  # Python refuses to convert thousands of digits; JavaScript makes Infinity of them


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document's value, and the 1-based lines on which its parts begin."""

    value: Json
    lines: dict[Path, int]

    def line(self, path: Path) -> int | None:
        """Where the part stands, or the nearest part around it that is written down."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


class YamlSyntaxError(ValueError):
    """Text that is no YAML; `line` is 1-based, None where the parser names none."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message, self.line = message, line
        super().__init__(message)


class _Loader(yaml.SafeLoader):
    """Composes only. Plain scalars get no tag of YAML 1.1, and no character is refused: that package refuses none."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own shape

    def check_printable(self, data: str) -> None:
        """Let every character pass."""


@lru_cache(maxsize=16)
def parse_yaml(text: str) -> Parsed:
    """The only document of `text`. Raises YamlSyntaxError."""
    if len(text) > MAX_CHARS:
        raise YamlSyntaxError(f"{len(text):,} characters are too many to be parsed here")
    loader = _Loader(text.replace("\0", "\ufffd"))  # a NUL is PyYAML's own mark for the end
    try:
        node = loader.get_single_node()
        builder = _Builder()
        value = None if node is None else builder.value(node, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlSyntaxError(error.problem or str(error), mark.line + 1 if mark else None) from None
    except yaml.YAMLError as error:
        raise YamlSyntaxError(str(error)) from None
    except RecursionError:
        raise YamlSyntaxError("it is nested too deeply") from None
    finally:
        loader.dispose()
    return Parsed(value, builder.lines)


@dataclass
class _Builder:
    """Makes plain values of nodes, and notes the line of each part."""

    lines: dict[Path, int] = field(default_factory=dict)
    _values: dict[int, Json] = field(default_factory=dict)
    _uses: dict[int, int] = field(default_factory=dict)
    _nested: dict[int, int] = field(default_factory=dict)
    _open: set[int] = field(default_factory=set)

    def value(self, node: yaml.Node, path: Path) -> Json:
        self.lines[path] = node.start_mark.line + 1
        key = id(node)
        if key in self._open:
            raise YamlSyntaxError("an alias refers to the very thing that holds it", node.start_mark.line + 1)
        if key in self._values:
            self._count_alias(node)
            return self._values[key]
        self._open.add(key)
        self._values[key] = self._made(node, path)
        self._open.discard(key)
        return self._values[key]

    def _count_alias(self, node: yaml.Node) -> None:
        """A node that is met again was an alias: uses times the aliases within must not pass the package's limit."""
        key = id(node)
        self._uses[key] = self._uses.get(key, 1) + 1
        if self._uses[key] * self._weight(node) > MAX_ALIASES:
            raise YamlSyntaxError("excessive alias count", node.start_mark.line + 1)

    def _weight(self, node: yaml.Node) -> int:
        """getAliasCount: the most aliases on any one way down."""
        key = id(node)
        if key not in self._nested:
            inner: list[yaml.Node] = []
            if isinstance(node, yaml.SequenceNode):
                inner = list(node.value)
            elif isinstance(node, yaml.MappingNode):
                inner = [part for pair in node.value for part in pair]
            weights = (self._weight(part) * self._uses.get(id(part), 1) for part in inner)
            self._nested[key] = max(weights, default=1)
        return self._nested[key]

    def _made(self, node: yaml.Node, path: Path) -> Json:
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, n)) for n, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            made: dict[str, Json] = {}
            for key_node, value_node in node.value:
                key = _key(self.value(key_node, (*path, "\0key")))
                if key in made:
                    raise YamlSyntaxError("map keys must be unique", key_node.start_mark.line + 1)
                made[key] = self.value(value_node, (*path, key))
                self.lines[*path, key] = key_node.start_mark.line + 1
            return made
        return _scalar(node)


def _key(value: Json) -> str:
    """A key as JavaScript's objects have them."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _scalar(node: yaml.Node) -> Json:
    """A scalar by the core schema: only plain ones without a tag of their own are anything but text."""
    text = str(node.value)
    tag = node.tag.removeprefix("tag:yaml.org,2002:")
    if tag == "str" and getattr(node, "style", None) is not None:
        return text
    if tag not in ("str", "int", "float", "bool", "null"):
        return text
    return core_value(text)


def core_value(text: str) -> Json:
    """What a plain scalar means in YAML 1.2's core schema."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text) if len(text) < _MAX_DIGITS else float("inf")
    for base, pattern in _BASED.values():
        if pattern.fullmatch(text):
            return int(text[2:], base)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NAN.fullmatch(text):
        return float("nan")
    if _INF.fullmatch(text):
        return float("-inf" if text.startswith("-") else "inf")
    return text
