"""Conditions as text, as people write them: `diff and version >= "3.28"`, read by Python's own parser.

    expression  a or b · a and b · not a · (a)
    fact        GATE · SWITCH · given(NAME) · WORD("x", …)
                NAME == value · NAME != value · NAME in [value, …] · NAME not in [value, …] · NAME > number
                mode and model as NAME · "word" in model · version == != < <= > >= "1.2.3"

Names may have dots. What a text may speak of is its `Vocabulary`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import and_, or_
from typing import Any

from msgspec import Struct

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.params import ParamField, Params, fields_of
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.leaves import (
    EXAMPLE,
    above,
    equals,
    flag,
    given,
    mode_is,
    model_is,
    model_mentions,
    one_of,
    version_is,
)

MAX_CHARS = 4_000
"""Characters of one expression."""

MAX_DEPTH = 40
"""Parts of an expression within each other: evaluating goes as deep."""

WORDS = frozenset(("and", "or", "not", "in", "true", "false", "given", "mode", "model", "version"))
"""Words with a meaning of their own."""

_BLANK = str.maketrans("\t\n\r\f", "    ")
_EXAMPLES: Mapping[str, Json] = {"text": EXAMPLE, "enum": EXAMPLE, "int": 1}
"""What a lever gives an input of some kind."""
_ESCAPE = r"\\\\|\\(?![\\'\"abfnrtvuUx])"
"""A backslash in a text that Python would warn of."""


class ExpressionError(ValueError):
    """Text that is not a condition: what is wrong, at which character, and the nearest valid words."""

    def __init__(self, message: str, at: int, near: Collection[str] = ()) -> None:
        self.message, self.at, self.nearest = message, at, tuple(near)
        super().__init__(message)


Settled = Condition | bool


Expression = Condition | Callable[[Any], Settled]
"""A condition, the same in every scenario; or what makes it of a scenario's answers, a `texts.Scope`."""


class Vocabulary(Struct, frozen=True):
    """What an expression may name: `gates` shared by all scenarios, `params`, `versions` (oldest first).

    A scenario answers its `own` names (or beginnings of names) and `words` with arguments. `modes` and `values` are
    unchecked if None; `values` gives, for a list, the parts of its items.
    """

    gates: Mapping[str, Condition] = {}
    params: Callable[[], Mapping[str, ParamField]] = dict
    versions: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    modes: tuple[str, ...] | None = None
    values: Mapping[str, Collection[str]] | None = None

    @classmethod
    def of(cls, params: type[Params], gates: Mapping[str, Condition] = {}, **more: Any) -> Vocabulary:
        """With the inputs of a model, which is read when a text first asks for one."""
        return cls(gates, lambda: {field.name: field for field in fields_of(params)}, **more)


def read_expression(text: str, vocabulary: Vocabulary) -> Expression:
    """The condition of a text. Raises ExpressionError."""
    if len(text) > MAX_CHARS:
        raise ExpressionError(f"a condition has at most {MAX_CHARS:,} characters", 0)
    plain = text.translate(_BLANK).strip()
    before = len(text) - len(text.lstrip())
    if escape := next((found for found in re.finditer(_ESCAPE, plain) if found[0] == "\\"), None):
        raise ExpressionError("write a backslash twice", before + escape.start())
    try:
        return _Binder(vocabulary).bound(ast.parse(plain, mode="eval").body)
    except SyntaxError as error:
        raise ExpressionError(f"this is not a condition: {error.msg}", before + (error.offset or 1) - 1) from None
    except ExpressionError as error:  # it counts bytes
        at = before + len(plain.encode()[: error.at].decode(errors="ignore"))
        raise ExpressionError(error.message, at, error.nearest) from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError("this is not a condition", 0) from None


def both(left: Settled, right: Settled) -> Settled:
    """Both of two; what is settled decides, or leaves no trace."""
    if isinstance(left, bool):
        return left and right
    if isinstance(right, bool):
        return right and left
    return left & right


def negated(settled: Settled) -> Settled:
    """The opposite."""
    return not settled if isinstance(settled, bool) else ~settled


def _either(left: Settled, right: Settled) -> Settled:
    if isinstance(left, bool):
        return left or right
    if isinstance(right, bool):
        return right or left
    return left | right


class _Binder:
    """Makes conditions of Python's syntax tree."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.known = vocabulary

    def bound(self, node: ast.expr, depth: int = 1) -> Expression:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"it is nested more than {MAX_DEPTH} levels deep", node.col_offset)
        match node:
            case ast.BoolOp(op, values):
                return _together([self.bound(value, depth + 1) for value in values], op)
            case ast.UnaryOp(ast.Not(), inner):
                found = self.bound(inner, depth + 1)
                return ~found if isinstance(found, Condition) else lambda answers: negated(found(answers))
            case ast.Compare(left, [op], [right]):
                return self.compared(left, op, right)
            case ast.Call(ast.Name(word), arguments, []):
                return self.called(word, arguments, node)
            case ast.Name() | ast.Attribute():
                return self.named(_dotted(node), node)
        raise ExpressionError("this is not a condition", node.col_offset)

    def named(self, name: str, node: ast.expr) -> Expression:
        if name in self.known.gates:
            return self.known.gates[name]
        if name in self.known.own or name.partition(".")[0] in self.known.own:
            return lambda answers: answers.said(name)
        param = self.param(name, node)
        if param.kind != "bool" and not any(value is True for _, value in param.choices):
            raise ExpressionError(f"`{name}` is not a switch: compare it, or ask given({name})", node.col_offset)
        return flag(name)

    def param(self, name: str, node: ast.expr) -> ParamField:
        params = self.known.params()
        if name not in params:
            valid = (*self.known.gates, *sorted(self.known.own), *params, "mode", "model", "version")
            raise unknown_word("name", name, valid, node.col_offset)
        return params[name]

    def called(self, word: str, arguments: list[ast.expr], node: ast.expr) -> Expression:
        if word == "given" and len(arguments) == 1:
            field = self.param(_dotted(arguments[0]), arguments[0])
            return given(field.name, example=[EXAMPLE] if field.default == [] else _EXAMPLES.get(field.kind))
        if word not in self.known.words:
            raise unknown_word("word", word, (*sorted(self.known.words), "given"), node.col_offset)
        texts = tuple(_text(argument) for argument in arguments)
        at = arguments[0].col_offset if arguments else node.col_offset

        def made(answers: Any) -> Settled:
            try:
                found: Settled = answers.word(word, texts)
            except ExpressionError as error:
                raise ExpressionError(error.message, error.at + at, error.nearest) from None
            return found

        return made

    def compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Expression:
        if isinstance(left, ast.Constant) and isinstance(op, ast.In) and _dotted(right) == "model":
            return model_mentions(_text(left))
        name, negative = _dotted(left), isinstance(op, ast.NotEq | ast.NotIn)
        found = self.version(op, right) if name == "version" else self.equal(name, left, op, right)
        return ~found if negative else found

    def equal(self, name: str, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Condition:
        if isinstance(op, ast.Eq | ast.NotEq):
            values, one = (_value(right),), True
        elif isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.List | ast.Tuple):
            values, one = tuple(_value(item) for item in right.elts), False
        elif isinstance(op, ast.Gt) and name not in ("mode", "model"):
            limit = _value(right)
            if isinstance(limit, bool) or not isinstance(limit, int):
                raise ExpressionError("only a number can be compared with `>`", right.col_offset)
            self.param(name, left)
            return above(name, limit)
        else:
            raise ExpressionError("compare with ==, !=, in, not in or >", left.col_offset)
        if name in ("mode", "model"):
            modes = self.known.modes if name == "mode" else None
            if wrong := [str(value) for value in values if modes is not None and value not in modes]:
                raise unknown_word("mode", wrong[0], modes or (), right.col_offset)
            return (mode_is if name == "mode" else model_is)(*(str(value) for value in values))
        self.fits(self.param(name, left), values, right)
        return equals(name, values[0]) if one else one_of(name, values)

    def fits(self, param: ParamField, values: tuple[Json, ...], node: ast.expr) -> None:
        """Raise ExpressionError for a value that the param cannot have."""
        choices = [choice for _, choice in param.choices]
        wanted = {"int": int, "text": str}.get(param.kind)
        for value in values:
            if choices and not any(value == each and type(value) is type(each) for each in choices):
                raise unknown_word(f"value of `{param.name}`:", _shown(value), [*map(_shown, choices)], node.col_offset)
            if wanted is not None and type(value) is not wanted:
                raise ExpressionError(f"`{param.name}` is {'a number' if wanted is int else 'a text'}", node.col_offset)

    def version(self, op: ast.cmpop, right: ast.expr) -> Condition:
        versions, wanted = self.known.versions, _text(right)
        if wanted not in versions:
            raise unknown_word("version", wanted, versions, right.col_offset)
        at = versions.index(wanted)
        match op:
            case ast.Eq() | ast.NotEq():
                return version_is(wanted)
            case ast.GtE():
                return version_is(*versions[at:], side=f"not before {wanted}")
            case ast.Gt() if versions[at + 1 :]:
                return version_is(*versions[at + 1 :], side=f"after {wanted}")
            case ast.LtE():
                return version_is(*reversed(versions[: at + 1]), side=f"not after {wanted}")
            case ast.Lt() if versions[:at]:
                return version_is(*reversed(versions[:at]), side=f"before {wanted}")
        raise ExpressionError("this does not name a version", right.col_offset)


def _together(parts: list[Expression], op: ast.boolop) -> Expression:
    fixed = [part for part in parts if isinstance(part, Condition)]
    if len(fixed) == len(parts):
        return reduce(and_ if isinstance(op, ast.And) else or_, fixed)

    def made(answers: Any) -> Settled:
        found = (part if isinstance(part, Condition) else part(answers) for part in parts)
        return reduce(both if isinstance(op, ast.And) else _either, found)

    return made


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(inner, name):
            return f"{_dotted(inner)}.{name}"
    raise ExpressionError("expected a name", node.col_offset)


def _value(node: ast.expr) -> Json:
    match node:
        case ast.Constant(str() | int() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
            return -value
        case ast.Name("true" | "false" as word):
            return word == "true"
    raise ExpressionError("expected a text in quotes, a number, true or false", node.col_offset)


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ExpressionError("expected a text in quotes", node.col_offset)


def _shown(value: Json) -> str:
    return value if isinstance(value, str) else str(value).lower()


def unknown_word(what: str, wanted: str, valid: Collection[str], at: int) -> ExpressionError:
    """An error for a word that means nothing: it names the nearest, else some that do."""
    close = nearest(wanted, valid)
    known = "" if close or not valid else f"; known: {', '.join(list(valid)[:20])}"
    return ExpressionError(f"unknown {what} {wanted}{known}", at, close)
