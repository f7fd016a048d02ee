"""Texts and schemas bound to conditions: a template's nodes become spans for one scenario at a time.

What is the same in every scenario is made once, and all assemblies share the objects, by which verdicts are kept.

In a schema file `when` beside a parameter's own keys is the condition under which it is sent. `forms` are its forms:
the first whose `if` holds is sent; the last has none. A whole schema may have `forms` too. Both keys are removed
before sending. `{{ name }}` in it is a value of the scenario, as in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from typing import Any, TypeVar

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import (
    Choice,
    ParameterDraft,
    Span,
    builtin,
    computed,
    guarded,
    label,
    param_value,
)
from promptscope_engine.wire.request import FixedSchema, wire_json

from .expressions import (
    Expression,
    ExpressionError,
    Settled,
    Vocabulary,
    both,
    negated,
    read_expression,
    unknown_word,
)
from .template import Nodes, TemplateError

T = TypeVar("T")


class Scope:
    """The answers of one scenario: what is under each name, and what each word makes of its arguments.

    Under a name is a value (a plain text is a computed one), a condition, a list to go through, an object or mapping
    whose parts are named behind a dot, or what makes one of these when it is first needed. `params.NAME` is what
    `params` has under the name. A word raises KeyError for an argument that it does not know.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        words: Mapping[str, Callable[..., Condition]] | None = None,
        params: object = None,
        version: str = "",
        outer: Scope | None = None,
    ) -> None:
        self._names, self._words, self._params, self.version = names, words or {}, params, version
        self._outer = outer
        self._answered: dict[object, Any] = {}

    def within(self, own: Mapping[str, object]) -> Scope:
        """The scope of one turn of a loop, or of one place, where these names have a meaning of their own."""
        return Scope(own, version=self.version, outer=self) if own else self

    def value(self, name: str) -> Any:
        """What is under a name. Raises LookupError."""
        if name in self._names:
            found = self._names[name]
            return self._once(name, found) if callable(found) else found
        if name.startswith("params.") and self._params is not None:
            path = name.removeprefix("params.")
            found = reduce(getattr, path.split("."), self._params)
            return param_value(path, "" if found is None else str(found))
        if self._outer is not None and name.partition(".")[0] not in self._names:
            return self._outer.value(name)
        holder, dot, part = name.rpartition(".")
        if not dot:
            raise LookupError(f"there is no value {name}")
        found = self.value(holder)
        return found[part] if isinstance(found, (dict, Mapping)) else getattr(found, part)

    def said(self, name: str) -> Settled:
        """A condition under a name; or whether there is anything, which leaves no reason behind."""
        found = self.value(name)
        return found if isinstance(found, Condition) else bool(found)

    def word(self, name: str, arguments: tuple[str, ...]) -> Condition:
        """The condition of a word with arguments."""
        if self._outer is not None and name not in self._words:
            return self._outer.word(name, arguments)
        found: Condition = self._once((name, arguments), lambda: self._words[name](*arguments))
        return found

    def settled(self, expression: Expression) -> Settled:
        """The condition of an expression, the same object each time."""
        return expression if isinstance(expression, Condition) else self._once(expression, lambda: expression(self))

    def _once(self, key: object, make: Callable[[], Any]) -> Any:
        if key not in self._answered:
            self._answered[key] = make()
        return self._answered[key]


def value_in(scope: Scope, name: str) -> str:
    """The text of what is under a name; of one that the scenario lacks it stays as it is written."""
    try:
        found = scope.value(name)
    except LookupError:
        return f"{{{{ {name} }}}}"
    return found.text if isinstance(found, Span) else str(found)


Step = Span | Callable[[Scope], Iterable[Span]]
"""A span, or what makes spans of a scenario's answers."""


Wording = Callable[[str, str, str, int], Span]
"""The span of a text: its kind ("builtin", "label", "computed"), its id, its words and the line that they begin on."""


def worded(kind: str, name: str, text: str, _line: int) -> Span:
    """A span of our own wording of an agent."""
    return label(text) if kind == "label" else (builtin if kind == "builtin" else computed)(name, text)


class Text:
    """One template with the ids of its wording below `prefix`. Raises TemplateError for what it may not speak of."""

    def __init__(self, nodes: Nodes, prefix: str, vocabulary: Vocabulary, wording: Wording = worded) -> None:
        self._steps = tuple(_Binder(prefix, vocabulary, wording).steps(nodes, ALWAYS))

    @property
    def is_fixed(self) -> bool:
        """Whether nothing but the agent's version decides about the text."""
        return all(
            isinstance(step, Span) and step.when is ALWAYS and step.origin.kind != "computed" for step in self._steps
        )

    def spans(self, scope: Scope) -> list[Span]:
        """The text for a scenario. Raises TemplateError for a word's argument that the scenario does not know."""
        return _run(self._steps, scope)


class _Binder:
    def __init__(self, prefix: str, vocabulary: Vocabulary, wording: Wording) -> None:
        self.prefix, self.vocabulary, self.wording = prefix, vocabulary, wording
        self.read: dict[str, Expression] = {}

    def steps(self, nodes: Nodes, when: Condition) -> Iterator[Step]:
        for node in nodes:
            match node:
                case ["text", line, kind, name, text]:
                    whole = f"{self.prefix}.{name}" if name else self.prefix
                    yield self.wording(kind, whole, text, line).under(when)
                case ["value", line, name]:
                    self.known(name, line, is_list=False)
                    yield partial(_value, name, line, when)
                case ["if", line, ways]:
                    yield from self.ways(line, ways, when)
                case ["for", line, name, items, inner]:
                    self.known(items, line, is_list=True)
                    yield self.loop(name, items, inner, when)

    def known(self, name: str, line: int, *, is_list: bool) -> None:
        values = self.vocabulary.values
        if values is None or (name in values and bool(values[name]) == is_list):
            return
        found = unknown_word("list" if is_list else "name", name, [n for n in values if bool(values[n]) == is_list], 0)
        raise TemplateError(str(found), line, found.nearest)

    def ways(self, line: int, ways: list[tuple[str, Nodes]], when: Condition) -> Iterator[Step]:
        """The spans of each way themselves, where their conditions are the same in every scenario."""
        read = [(self.expression(text, line) if text else ALWAYS, nodes) for text, nodes in ways]
        fixed = [(each, nodes) for each, nodes in read if isinstance(each, Condition)]
        if len(fixed) < len(read):
            yield partial(_ways, tuple((each, tuple(self.steps(nodes, ALWAYS))) for each, nodes in read), when)
            return
        before = when
        for condition, nodes in fixed:
            yield from self.steps(nodes, before & condition)
            before = before & ~condition

    def loop(self, name: str, items: str, inner: Nodes, when: Condition) -> Step:
        known, own = self.vocabulary, {name}
        if known.values is not None:
            own = {f"{name}.{part}" for part in known.values[items]}
            plain = {each: () for each, parts in known.values.items() if not parts}  # no list within a list
            known = replace(known, values={**plain, **dict.fromkeys(own, ())})
        within = replace(known, own=known.own | own)
        steps = tuple(_Binder(self.prefix, within, self.wording).steps(inner, ALWAYS))
        return partial(_loop, name, items, steps, when)

    def expression(self, text: str, line: int) -> Expression:
        if text not in self.read:
            try:
                found = read_expression(text, self.vocabulary)
            except ExpressionError as error:
                raise _at(line, text, error) from None
            self.read[text] = found if isinstance(found, Condition) else _placed(found, text, line)
        return self.read[text]


def _at(line: int, text: str, error: ExpressionError) -> TemplateError:
    return TemplateError(f"`{text}`: {error.message}", line, error.nearest)


def _placed(made: Callable[[Scope], Settled], text: str, line: int) -> Expression:
    """The same, with the line of what a scenario does not know."""

    def answered(scope: Scope) -> Settled:
        try:
            return made(scope)
        except ExpressionError as error:
            raise _at(line, text, error) from None

    return answered


def _run(steps: Iterable[Step], scope: Scope) -> list[Span]:
    found: list[Span] = []
    for step in steps:
        if isinstance(step, Span):
            found.append(step)
        else:
            found += step(scope)
    return found


def _value(name: str, line: int, when: Condition, scope: Scope) -> Iterable[Span]:
    try:
        found = scope.value(name)
        found = computed(name, found) if isinstance(found, str) else found() if callable(found) else found
    except ExpressionError as error:
        raise _at(line, name, error) from None
    return guarded([found] if isinstance(found, Span) else found, when)


def _ways(ways: Iterable[tuple[Expression, tuple[Step, ...]]], when: Condition, scope: Scope) -> Iterator[Span]:
    """Each way under its condition, and not those before it."""
    before: Settled = True
    for each, inner in ways:
        settled = scope.settled(each)
        condition, before = both(before, settled), both(before, negated(settled))
        if condition is not False:
            yield from guarded(_run(inner, scope), when if condition is True else when & condition)


def _loop(name: str, items: str, steps: Iterable[Step], when: Condition, scope: Scope) -> Iterator[Span]:
    for item in scope.value(items):
        own = item.get("when", ALWAYS) if isinstance(item, (dict, Mapping)) else getattr(item, "when", ALWAYS)
        yield from guarded(_run(steps, scope.within({name: item})), when & own)


Conditions = Callable[[str], Condition]
"""The condition of an expression, in one scenario."""


class ToolSchema:
    """One schema. Its parts are made once: prompts that send the same schema share the object."""

    def __init__(self, written: Mapping[str, Json]) -> None:
        *others, usual = written.get("forms", [written])
        properties: Mapping[str, Json] = usual.get("properties") or {}
        self._needed = frozenset(usual.get("required") or ())
        self.gates = {name: str(each["when"]) for name, each in properties.items() if "when" in each}
        forms = {name: each["forms"] for name, each in properties.items() if "forms" in each}
        parts = {name: forms[name][-1] if name in forms else _sent(each) for name, each in properties.items()}
        self._names = tuple(parts)
        self._values = tuple(dict.fromkeys(_VALUE.findall(wire_json(written))))
        self.usual = _with(usual, parts)
        self.others = [(str(each["if"]), "", FixedSchema(_sent(each))) for each in others]
        """(condition, parameter that has another form, if it is one alone, schema)"""
        self.others += (
            (str(form["if"]), name, _with(usual, {**parts, name: _sent(form)}))
            for name, options in forms.items()
            for form in options[:-1]
        )

    @property
    def guards(self) -> Iterator[str]:
        """The expressions that it asks."""
        yield from self.gates.values()
        yield from (text for text, _, _ in self.others)

    def sent(self, condition: Conditions, value: Callable[[str], str]) -> Choice[Json]:
        """What goes over the wire, with all parameters; `value` is what is under a name."""
        found = tuple((name, value(name)) for name in self._values)

        def filled(schema: FixedSchema) -> FixedSchema:
            return schema.form(found, lambda each: _filled(each, dict(found))) if found else schema

        others = tuple((condition(text), filled(schema)) for text, _, schema in self.others)
        return Choice(others, filled(self.usual))

    def parameters(self, condition: Conditions) -> Iterator[ParameterDraft]:
        """The parameters and their conditions."""
        for name in self._names:
            when = condition(self.gates[name]) if name in self.gates else ALWAYS
            yield ParameterDraft(name, name in self._needed, when)


def parameters_of(schema: Json) -> tuple[ParameterDraft, ...]:
    """The parameters that anybody's schema tells about, none of them gated."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return ()
    needed = required if isinstance(required, list) else []
    return tuple(ParameterDraft(str(name), name in needed) for name in properties)


_VALUE = re.compile(r"\{\{ ([a-z_.]+) \}\}")


def _filled(part: Any, values: Mapping[str, str]) -> Any:
    """With the values in the place of their names."""
    if isinstance(part, str):
        return _VALUE.sub(lambda found: values[found[1]], part)
    if isinstance(part, dict):
        return {key: _filled(value, values) for key, value in part.items()}
    return [_filled(value, values) for value in part] if isinstance(part, list) else part


def _sent(part: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in part.items() if key not in ("when", "forms", "if")}


def _with(schema: Mapping[str, Json], properties: Mapping[str, Json]) -> FixedSchema:
    return FixedSchema({key: properties if key == "properties" else value for key, value in schema.items()})
