"""Conditions as text, as people write them: `mode != "minimal" and tool("memory_search")`.

    expression  a or b · a and b · not a · (a)                   `not` binds closest, then `and`
    fact        NAME · given(NAME) · tool("x") · file("path")    a switch is on, a text is not empty, …
                NAME == value · NAME != value · NAME in [value, …] · NAME not in [value, …] · NAME > number
                mode and model as NAME · "word" in model

`parse` makes the condition, and `written` the text: what is written and parsed again is the same condition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import field

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.params import ParamField

from .conditions import All, Any, Condition, Named, Not, Observed, Test
from .leaves import above, equals, flag, given, mode_is, model_is, model_mentions, one_of

MAX_CHARS = 4_000
"""Characters of one expression."""

MAX_DEPTH = 40
"""Parentheses and `not` in each other: evaluating goes as deep."""

KEYWORDS = frozenset(("and", "or", "not", "in", "true", "false", "given", "tool", "file", "mode", "model"))
"""Words with a meaning of their own: no param can be called so."""

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
    | (?P<word> [A-Za-z_]\w* )
    | (?P<text> "(?:[^"\\\n]|\\.)*" | '[^'\n]*' )
    | (?P<number> -?\d{1,15} )
    | (?P<sign> == | != | > | [()\[\],] )
    """,
    re.VERBOSE | re.ASCII,
)


class ExpressionError(ValueError):
    """Text that is no condition: what is wrong, at which character, and the nearest valid words."""

    def __init__(self, message: str, at: int, near: Collection[str] = ()) -> None:
        self.message, self.at, self.nearest = message, at, tuple(near)
        super().__init__(message)


class RefusedError(Exception):
    """Why a tool or a file cannot be asked for."""


@frozen
class Names:
    """What an expression may speak of. `tool` and `file` make the conditions of names, or raise RefusedError; the
    names of `tools` are known."""

    params: Mapping[str, ParamField]
    modes: tuple[str, ...]
    tool: Callable[[str], Condition]
    file: Callable[[str], Condition]
    tools: Collection[str] = field(default=())


def parse(text: str, names: Names) -> Condition:
    """The condition. Raises ExpressionError."""
    if len(text) > MAX_CHARS:
        raise ExpressionError(f"a condition has at most {MAX_CHARS:,} characters", 0)
    return _Parser(text, names).whole()


@frozen
class _Token:
    kind: str
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            said = "a text without its closing quote" if text[at] in "\"'" else f"unexpected {text[at]!r}"
            raise ExpressionError(said, at)
        if match.lastgroup != "space":
            found.append(_Token(str(match.lastgroup), match[0], at))
        at = match.end()
    return [*found, _Token("end", "", len(text))]


class _Parser:
    """Reads one expression from left to right."""

    def __init__(self, text: str, names: Names) -> None:
        self.names = names
        self.tokens = _tokens(text)
        self.number = self.depth = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.number]

    def take(self, text: str) -> bool:
        found = self.token.text == text
        self.number += found
        return found

    def must(self, text: str) -> None:
        if not self.take(text):
            raise self.unexpected(f"`{text}`")

    def unexpected(self, wanted: str) -> ExpressionError:
        found = f"`{self.token.text}`" if self.token.text else "the end"
        return ExpressionError(f"expected {wanted}, found {found}", self.token.at)

    def whole(self) -> Condition:
        found = self.any()
        if self.token.kind != "end":
            raise self.unexpected("`and`, `or` or the end")
        return found

    def any(self) -> Condition:
        members = [self.all()]
        while self.take("or"):
            members.append(self.all())
        return Any(tuple(members)) if len(members) > 1 else members[0]

    def all(self) -> Condition:
        members = [self.fact()]
        while self.take("and"):
            members.append(self.fact())
        return All(tuple(members)) if len(members) > 1 else members[0]

    def fact(self) -> Condition:
        begin = self.token
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"it is nested more than {MAX_DEPTH} levels deep", begin.at)
        if self.take("not"):
            found: Condition = Not(self.fact())
        elif self.take("("):
            found = self.any()
            self.must(")")
        else:
            found = self.leaf()
        self.depth -= 1
        return found

    # --- facts --------------------------------------------------------------------------------------------------

    def leaf(self) -> Condition:
        begin = self.token
        if begin.kind == "text":
            word = self.text()
            self.must("in")
            self.must("model")
            return model_mentions(word)
        if begin.kind != "word" or begin.text in ("and", "or", "in", "true", "false"):
            raise self.unexpected("a condition")
        self.number += 1
        match begin.text:
            case "tool":
                return self.called(self.tool)
            case "file":
                return self.called(lambda name, _: self.names.file(name))
            case "given":
                return self.given()
            case "mode":
                return self.compared(lambda values: mode_is(*values), self.one_mode)
            case "model":
                return self.compared(lambda values: model_is(*values), self.text)
        return self.param(self.known(begin))

    def called(self, make: Callable[[str, int], Condition]) -> Condition:
        self.must("(")
        at, name = self.token.at, self.text()
        self.must(")")
        try:
            return make(name, at)
        except RefusedError as error:
            raise ExpressionError(str(error), at) from None

    def tool(self, name: str, at: int) -> Condition:
        if name not in self.names.tools:
            raise _unknown("tool", name, self.names.tools, at)
        return self.names.tool(name)

    def known(self, word: _Token) -> ParamField:
        if word.text not in self.names.params:
            raise _unknown("name", word.text, (*self.names.params, "mode", "model"), word.at)
        return self.names.params[word.text]

    def given(self) -> Condition:
        self.must("(")
        if self.token.kind != "word":
            raise self.unexpected("a param's name")
        param = self.known(self.token)
        self.number += 1
        self.must(")")
        return given(param.name)

    def param(self, param: ParamField) -> Condition:
        name, at = param.name, self.token.at
        if self.take("=="):
            return equals(name, self.value(param))
        if self.take("!="):
            return Not(equals(name, self.value(param)))
        if self.take(">"):
            limit, wanted = self.token, self.value(param)
            if isinstance(wanted, bool) or not isinstance(wanted, int):
                raise ExpressionError("only a number can be compared with `>`", limit.at)
            return above(name, wanted)
        if self.take("in"):
            return one_of(name, self.list_of(lambda: self.value(param)))
        if self.take("not"):
            self.must("in")
            return Not(one_of(name, self.list_of(lambda: self.value(param))))
        if param.kind != "bool":
            raise ExpressionError(f"`{name}` is no switch: compare it, or ask given({name})", at)
        return flag(name)

    def compared(self, make: Callable[[tuple[Json, ...]], Condition], value: Callable[[], Json]) -> Condition:
        if self.take("=="):
            return make((value(),))
        if self.take("!="):
            return Not(make((value(),)))
        if self.take("in"):
            return make(self.list_of(value))
        if self.take("not"):
            self.must("in")
            return Not(make(self.list_of(value)))
        raise self.unexpected("`==`, `!=`, `in` or `not in`")

    # --- values -------------------------------------------------------------------------------------------------

    def list_of(self, value: Callable[[], Json]) -> tuple[Json, ...]:
        self.must("[")
        found = [value()]
        while self.take(","):
            found.append(value())
        self.must("]")
        return tuple(found)

    def text(self) -> str:
        token = self.token
        if token.kind != "text":
            raise self.unexpected("a text in quotes")
        self.number += 1
        if token.text[0] == "'":
            return token.text[1:-1]
        try:
            return str(json.loads(token.text))
        except ValueError:
            raise ExpressionError("a text that JSON does not know", token.at) from None

    def one_mode(self) -> str:
        at, slug = self.token.at, self.text()
        if slug not in self.names.modes:
            raise _unknown("mode", slug, self.names.modes, at)
        return slug

    def value(self, param: ParamField) -> Json:
        """A value that the param may have."""
        token = self.token
        value: Json
        match token.kind:
            case "text":
                value = self.text()
            case "number":
                self.number, value = self.number + 1, int(token.text)
            case "word" if token.text in ("true", "false"):
                self.number, value = self.number + 1, token.text == "true"
            case _:
                raise self.unexpected("a text in quotes, a number, `true` or `false`")
        choices = [choice for _, choice in param.choices]
        if choices and not any(value == each and type(value) is type(each) for each in choices):
            raise _unknown(f"value of `{param.name}`:", _shown(value), [_shown(each) for each in choices], token.at)
        wanted = {"int": int, "text": str}.get(param.kind)
        if wanted is not None and type(value) is not wanted:
            raise ExpressionError(f"`{param.name}` is {'a number' if wanted is int else 'a text'}", token.at)
        return value


def _unknown(what: str, wanted: str, valid: Collection[str], at: int) -> ExpressionError:
    close = nearest(wanted, valid)
    known = "" if close or not valid else f"; known: {', '.join(list(valid)[:20])}"
    return ExpressionError(f"unknown {what} {wanted}{known}", at, close)


def _shown(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# --- back to text -----------------------------------------------------------------------------------------------------


def written(condition: Condition) -> str:
    """The text of a condition. Raises ValueError for one that has none: what was gathered has its own words."""
    match condition:
        case All(members):
            return " and ".join(f"({written(m)})" if isinstance(m, All | Any) else written(m) for m in members)
        case Any(members):
            return " or ".join(f"({written(m)})" if isinstance(m, Any) else written(m) for m in members)
        case Not(Test() as leaf) if (compared := _compared(leaf, "!=", "not in")) is not None:
            return compared
        case Not(inner):
            return f"not ({written(inner)})" if isinstance(inner, All | Any) else f"not {written(inner)}"
        case Named("tool", name):
            return f"tool({_quoted(name)})"
        case Observed("file", name):
            return f"file({_quoted(name)})"
        case Test("flag", name, "is", True):
            return name
        case Test("flag", name, "given", True):
            return f"given({name})"
        case Test("flag", name, "above", limit):
            return f"{name} > {limit}"
        case Test("model", _, "mentions", (word,)):
            return f"{_quoted(word)} in model"
        case Test() as leaf if (compared := _compared(leaf, "==", "in")) is not None:
            return compared
    raise ValueError(f"no text for {condition!r}")


def _compared(leaf: Test, one: str, several: str) -> str | None:
    """`name == value` or `name in [values]`; None for another kind of leaf."""
    if leaf.op == "flag" and leaf.relation == "is" and leaf.wanted is not True:
        return f"{leaf.name} {one} {_quoted(leaf.wanted)}"
    if leaf.relation != "in" or leaf.op not in ("flag", "mode", "model"):
        return None
    name = leaf.name if leaf.op == "flag" else leaf.op
    if leaf.op != "flag" and len(leaf.wanted) == 1:
        return f"{name} {one} {_quoted(leaf.wanted[0])}"
    return f"{name} {several} [{', '.join(map(_quoted, leaf.wanted))}]"


def _quoted(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
