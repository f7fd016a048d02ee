"""How `read_yaml` reads: PyYAML composes the nodes, a schema says what they mean.

An alias costs a few characters and may stand for a thousand values that hold a thousand aliases, so whatever a text
stands for is added up while it is composed, and the limits hold for the text with its aliases written out.

libyaml parses, many times as fast as PyYAML's own parser. Here and there it refuses what YAML allows and agents take:
control characters, escapes of surrogates, a tab that begins a block, `[a:]`. Such a text, if short, is given to the
slow parser then.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

if yaml.__with_libyaml__:
    from yaml.cyaml import CParser  # type: ignore[attr-defined]

from .document import MAX_DEPTH, Json, Parsed, Path
from .yaml_limits import MAX_CHARS, MAX_NODES, NPM_MAX_ALIASES, Schema, YamlError, YamlLimitError

_STANDARD = "tag:yaml.org,2002:"
_PLAIN = "plain"  # in place of a tag: a plain scalar of the core schema
_BRACKETS = re.compile(rf"(?:[\[{{]\s*+){{{MAX_DEPTH}}}[\[{{]")
"""So many brackets in a row keep PyYAML's scanner busy for a second before a level of them is composed."""
_SLOWER = 20
_ODD = re.compile(
    r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    r"|\\[uU]|:\s*[,\]}]|\?\s*[,\]}]|(?m:^\ +\t)"
)
_CONTROL = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARK = "\ufeff"  # libyaml does not count it as a character
_MAX_KEY = 1_000
_MAX_DIGITS = 300  # Python refuses to write thousands of digits; JavaScript makes Infinity of these already


# --- nodes, with what they stand for added up -------------------------------------------------------------------------


class _Size(NamedTuple):
    """What a node stands for, aliases written out."""

    nodes: int
    chars: int
    height: int


class _AnyCharacter(yaml.SafeLoader):
    """PyYAML's own parser for the core schema: the npm package refuses no character."""

    def check_printable(self, data: str) -> None:
        """Let every character pass."""


class _Composer(Composer, SafeConstructor, Resolver):
    """Composes nodes of a parser's events within the limits; constructs nothing but scalars."""

    parser: ClassVar[type[yaml.SafeLoader]] = yaml.SafeLoader

    def __init__(self, parser: Any, text: str, breaks: list[int], max_chars: int, max_aliases: int) -> None:
        self.check_event, self.peek_event, self.get_event = parser.check_event, parser.peek_event, parser.get_event
        self.text, self.breaks = text, breaks
        self.max_chars, self.max_aliases = max_chars, max_aliases
        self.aliases = self.nodes = self.chars = self.depth = self.deepest = 0
        self.sizes: dict[int, _Size] = {}
        for base in (Composer, SafeConstructor, Resolver):
            base.__init__(self)
        self.root = self.get_single_node()

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            return self._alias(parent, index, event)
        self.nodes += 1
        self.depth += 1
        if isinstance(event, yaml.ScalarEvent):
            self.chars += len(event.value)
            if event.style not in ("'", '"', "|", ">"):
                event.implicit = (True, False)  # libyaml takes `!` for a text, PyYAML for nothing
        self.deepest = max(self.deepest, self.depth)
        self._check(event)
        node: yaml.Node | None
        if event.anchor is not None:
            node = self._anchored(parent, index)
        elif isinstance(event, yaml.ScalarEvent):  # what follows is the inherited method's work, done in half its time
            node = self.compose_scalar_node(None)  # type: ignore[arg-type]
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self.compose_sequence_node(None)  # type: ignore[arg-type]
        else:
            node = self.compose_mapping_node(None)  # type: ignore[arg-type]
        self.depth -= 1
        return node

    def _anchored(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        nodes, chars, outer = self.nodes, self.chars, self.deepest
        self.deepest = self.depth
        event = self.peek_event()
        length = len(event.value) if isinstance(event, yaml.ScalarEvent) else 0
        node = super().compose_node(parent, index)
        size = _Size(self.nodes - nodes + 1, self.chars - chars + length, self.deepest - self.depth + 1)
        self.sizes[id(node)] = size
        self.deepest = max(outer, self.deepest)
        return node

    def _alias(self, parent: yaml.Node | None, index: Any, event: yaml.AliasEvent) -> yaml.Node | None:
        self.aliases += 1
        if self.aliases > self.max_aliases:
            raise YamlLimitError(f"it has more than {self.max_aliases:,} aliases", self._line(event))
        node = super().compose_node(parent, index)
        size = self.sizes.get(id(node))
        if size is None:
            raise YamlError("an alias refers to the very thing that holds it", self._line(event))
        self.nodes += size.nodes
        self.chars += size.chars
        self.deepest = max(self.deepest, self.depth + size.height)
        self._check(event)
        return node

    def _check(self, event: yaml.Event) -> None:
        if self.deepest > MAX_DEPTH:
            raise YamlLimitError("it is nested too deeply", self._line(event))
        if self.nodes > MAX_NODES:
            problem = f"it holds more than {MAX_NODES:,} values once its aliases are written out"
            raise YamlLimitError(problem, self._line(event))
        if self.chars > self.max_chars:
            problem = f"it holds more than {self.max_chars:,} characters once its aliases are written out"
            raise YamlLimitError(problem, self._line(event))

    def _line(self, event: Any) -> int:
        return _line(self.breaks, event.start_mark.index)


class _CoreComposer(_Composer):
    """Plain scalars get no tag of YAML 1.1."""

    parser = _AnyCharacter

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            return _PLAIN if implicit[0] else f"{_STANDARD}str"
        return str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]


# --- what nodes mean --------------------------------------------------------------------------------------------------


_Pair = tuple[yaml.Node, yaml.Node]


@dataclass
class _Builder:
    """Makes plain values of nodes as a schema understands them, and notes the line of each part."""

    composed: _Composer
    schema: Schema
    lines: dict[Path, int] = field(default_factory=dict)
    value_lines: dict[Path, int] = field(default_factory=dict)
    _values: dict[int, Json] = field(default_factory=dict)
    _uses: dict[int, int] = field(default_factory=dict)
    _nested: dict[int, int] = field(default_factory=dict)

    def value(self, node: yaml.Node, path: Path) -> Json:
        self.lines[path] = self.value_lines[path] = self.line(node)
        return self._known(node, path)

    def _known(self, node: yaml.Node, path: Path) -> Json:
        if id(node) not in self._values:
            self._values[id(node)] = self._made(node, path)
        elif self.schema.parser == "yaml":
            self._count_use(node)
        return self._values[id(node)]

    def line(self, node: yaml.Node) -> int:
        return _line(self.composed.breaks, node.start_mark.index)

    def _made(self, node: yaml.Node, path: Path) -> Json:
        if isinstance(node, yaml.ScalarNode) and node.tag == _PLAIN and not node.value:
            if path in self.schema.fields:
                return {}
            if path in self.schema.lists:
                return []
        if isinstance(node, yaml.ScalarNode):
            return self._old_scalar(node) if self.schema.parser == "PyYAML" else self._scalar(node)
        is_list = isinstance(node, yaml.SequenceNode)
        known = _COLLECTIONS.get(self.schema.parser) or (("seq",) if is_list else ("map",))
        if self.schema.parser not in _ANY_TAG and node.tag.removeprefix(_STANDARD) not in known:
            raise self._unknown(node)
        if is_list:
            return [self.value(item, (*path, n)) for n, item in enumerate(node.value)]
        made: dict[str, Json] = {}
        known_keys = self.schema.fields.get(path, ())
        for key_node, value_node in self._pairs(node):
            key = self._key(key_node)
            if known_keys and not isinstance(key_node, yaml.ScalarNode):
                raise YamlError("a key must be a string", self.line(key_node))
            if key in made and (self.schema.is_unique or key in known_keys):
                raise YamlError(f"map keys must be unique: {key[:100]} is there twice", self.line(key_node))
            made[key] = self.value(value_node, (*path, key))
            self.lines[*path, key] = self.line(key_node)
        return made

    def _key(self, node: yaml.Node) -> str:
        """A key as JavaScript's objects have them; a collection as it is written."""
        if not isinstance(node, yaml.ScalarNode):
            if self.schema.parser == "PyYAML":
                raise YamlError("found unhashable key", self.line(node))
            return _text(self.composed.text[node.start_mark.index : node.end_mark.index][:_MAX_KEY])
        if self.schema.parser == "PyYAML" and node.tag == f"{_STANDARD}value":  # `=` as a key is that character
            return str(node.value)
        value = self._known(node, ())
        if isinstance(value, str):
            return value
        return "" if value is None else json.dumps(value)

    def _old_scalar(self, node: yaml.ScalarNode) -> Json:
        """The value of a scalar in YAML 1.1; dates stay text."""
        kind, text = node.tag.removeprefix(_STANDARD), node.value
        if kind == "null":
            return None
        if kind in ("str", "timestamp"):
            return _text(text)
        if kind not in ("bool", "int", "float"):
            raise self._unknown(node)
        if len(text) > _MAX_DIGITS:
            raise YamlError(f"a number of {len(text):,} characters is too long", self.line(node))
        try:
            return getattr(self.composed, f"construct_yaml_{kind}")(node)
        except (ValueError, LookupError, OverflowError):
            raise YamlError(f"{text!r} is no {kind}", self.line(node)) from None

    def _scalar(self, node: yaml.ScalarNode) -> Json:
        """The value of a scalar in the core schema."""
        is_plain, kind = node.tag == _PLAIN, node.tag.removeprefix(_STANDARD)
        if self.schema.parser == "js-yaml":
            if _DATE.fullmatch(node.value) if is_plain else kind in _OBJECTS:
                return {}
            if not is_plain and kind not in _SCALARS:
                raise self._unknown(node)
        if self.schema.parser == "serde" and kind == "null" and core_value(node.value) is not None:
            raise self._unknown(node)
        value = core_value(node.value)
        is_value = is_plain or (type(value) is _SCALARS.get(kind) and not (self.schema.parser == "bun" and node.style))
        if not is_value or isinstance(value, str) or (self.schema.as_written and value is not None):
            return _text(node.value)
        return value

    def _unknown(self, node: yaml.Node) -> YamlError:
        return YamlError(f"could not determine a constructor for the tag {node.tag!r}", self.line(node))

    # --- merges, and aliases as the npm package counts them -----------------------------------------------------

    def _pairs(self, node: yaml.Node) -> Iterable[_Pair]:
        """The members of a mapping. What `<<` merges comes first; of YAML 1.1 its own members replace it."""
        if self.schema.parser in ("yaml", "serde"):
            return list(node.value)
        merged: list[_Pair] = []
        own: list[_Pair] = []
        for key, value in node.value:
            is_merge = key.value == "<<" and (key.tag == _PLAIN or self.schema.parser == "bun")
            if key.tag == f"{_STANDARD}merge" or is_merge:
                more = self._merged(value)
                merged = [*more, *merged] if self.schema.parser == "bun" else [*merged, *more]
            else:
                own.append((key, value))
        if self.schema.parser in ("js-yaml", "bun"):
            names = {self._key(key) for key, _ in own}
            merged = [p for name, p in {self._key(pair[0]): pair for pair in merged}.items() if name not in names]
        return merged + own

    def _merged(self, node: yaml.Node) -> Iterable[_Pair]:
        parts = reversed(node.value) if isinstance(node, yaml.SequenceNode) else [node]  # the first of a list wins
        for part in parts:
            if not isinstance(part, yaml.MappingNode):
                problem = f"expected a mapping or list of mappings for merging, but found {type(part).__name__}"
                raise YamlError(problem, self.line(part))
            yield from self._pairs(part)

    def _count_use(self, node: yaml.Node) -> None:
        """A node that is met again was an alias: uses times the aliases within must not pass the package's limit."""
        self._uses[id(node)] = self._uses.get(id(node), 1) + 1
        if self._uses[id(node)] * self._weight(node) > NPM_MAX_ALIASES:
            raise YamlLimitError("excessive alias count", self.line(node))

    def _weight(self, node: yaml.Node) -> int:
        """getAliasCount: the most aliases on any one way down."""
        if id(node) not in self._nested:
            inner: list[yaml.Node] = []
            if isinstance(node, yaml.SequenceNode):
                inner = list(node.value)
            elif isinstance(node, yaml.MappingNode):
                inner = [part for pair in node.value for part in pair]
            weights = (self._weight(part) * self._uses.get(id(part), 1) for part in inner)
            self._nested[id(node)] = max(weights, default=1)
        return self._nested[id(node)]


_ANY_TAG = ("yaml", "bun", "serde")
"""Parsers for which a list or mapping may have any tag."""
_BREAKS = str.maketrans({"\x85": "\uf785", "\u2028": "\uf728", "\u2029": "\uf729"})
"""What YAML 1.1 takes for ends of lines, and characters that stand for it while PyYAML reads."""
_NO_BREAKS = {ord(new): chr(old) for old, new in _BREAKS.items()}
_SCALARS = {"str": None, "int": int, "float": float, "bool": bool, "null": type(None)}
_COLLECTIONS = {"js-yaml": ("seq", "map", "omap", "pairs", "set")}
_OBJECTS = ("timestamp", "binary")
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?([Tt]|[ \t]+)\d\d?:\d\d:\d\d(\.\d*)?([ \t]*(Z|[-+]\d\d?(:\d\d)?))?"
)


def _text(text: str) -> str:
    """Without lone surrogates, which escapes can make and nothing can send."""
    if text.isascii():
        return text
    return text.translate(_NO_BREAKS).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# --- scalars of the core schema ---------------------------------------------------------------------------------------

_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **{f"{sign}{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def core_value(text: str) -> Json:
    """What a plain scalar means in YAML 1.2's core schema: no timestamps, no `yes`, no octal with a bare 0."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2])
        if len(text) >= _MAX_DIGITS:
            return float("-inf" if text.startswith("-") else "inf")
        return int(text[2:], base) if base else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


# --- the reader -------------------------------------------------------------------------------------------------------


def parse(text: str, schema: Schema, max_chars: int, max_aliases: int) -> Parsed:
    """See `read_yaml`."""
    composer = _Composer if schema.parser == "PyYAML" else _CoreComposer
    if schema.parser == "serde" and (found := _CONTROL.search(text)):
        raise YamlError("control characters are not allowed", 1 + text.count("\n", 0, found.start()))
    if composer is _CoreComposer:
        text = text.replace("\0", "\ufffd")  # a NUL is PyYAML's own mark for the end
        text = text if schema.parser == "serde" or text.isascii() else text.translate(_BREAKS)
    if found := _BRACKETS.search(text):
        raise YamlLimitError("it is nested too deeply", 1 + text.count("\n", 0, found.start()))
    breaks = [found.start() for found in re.finditer("\n", text)]
    builder = _Builder(_composed(text, composer, breaks, max_chars, max_aliases), schema)
    value = None if builder.composed.root is None else builder.value(builder.composed.root, ())
    return Parsed(value, builder.lines, builder.value_lines)


def weight(text: str) -> int:
    """See `yaml.weight`."""
    if _needs_slow(text):
        return len(text) * _SLOWER
    return max(len(text), 10 * sum(map(text.count, ",:\n")))


def _needs_slow(text: str) -> bool:
    return not yaml.__with_libyaml__ or _ODD.search(text) is not None


def _composed(text: str, composer: type[_Composer], breaks: list[int], *limits: int) -> _Composer:
    """The text as nodes. Raises YamlError."""
    is_short = len(text) <= MAX_CHARS // _SLOWER
    if yaml.__with_libyaml__ and not (is_short and _MARK in text):
        try:
            return _composed_by(CParser, composer, "\n" + text[1:] if text[:1] == _MARK else text, breaks, *limits)
        except YamlError as error:
            if isinstance(error, YamlLimitError) or not is_short or not _needs_slow(text):
                raise
    elif not is_short:
        most = MAX_CHARS // _SLOWER
        raise YamlLimitError(f"{len(text):,} characters are too many to be parsed without libyaml (at most {most:,})")
    return _composed_by(composer.parser, composer, text, breaks, *limits)


def _composed_by(parse: type[Any], composer: type[_Composer], text: str, breaks: list[int], *limits: int) -> _Composer:
    parser = None
    try:
        parser = parse(text)
        return composer(parser, text, breaks, *limits)
    except YamlError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or str(error), _line(breaks, mark.index) if mark else None) from None
    except yaml.reader.ReaderError as error:  # its position is one of bytes for libyaml
        line = _line(breaks, error.position) if issubclass(parse, yaml.SafeLoader) else None
        raise YamlError(str(error).partition("\n")[0], line) from None
    except (ValueError, OverflowError):  # an escape for no character, a version that is not a number
        index = getattr(parser, "index", None)
        raise YamlError("not valid YAML", None if index is None else _line(breaks, index)) from None


def _line(breaks: list[int], index: int) -> int:
    """The line of a character, counted by line feeds: PyYAML's own marks count U+2028 and its like as well."""
    return 1 + bisect_left(breaks, index)
