"""The condition algebra: a condition is a value that can be evaluated, explained, and searched for levers.

    when = flag("diffEnabled") & mode_has("edit")
    when.holds(facts)                the verdict
    when.evaluate(facts)             the verdict as a tree that says what is the case
    when.levers(facts, to=False)     what to set, all together, to flip it

Leaves (`Test`, `Fact`, `Setting`) state facts; `AllOf`, `AnyOf`, `Negated` combine them; `Named` gives a composite a
name of its own (a tool that is present because its own gates are open). A sentence is made of the facts that decide:
for a failing `all` the failing members, for a failing `any` every member. A fact reads the same under `not`, so nested
negation needs no grammar.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import flatten

from .model import Lever, ModeChoice, Op, SettingSource, Verdict

Relation = Literal["is", "in", "has", "above", "given", "mentions"]
Levers = tuple[Lever, ...]

_SENTENCE_FACTS = 4
"""Facts in a sentence: nobody reads more in one line, and the tree has them all."""


class Facts(Struct, frozen=True):
    """What conditions are evaluated against: the scenario as the agent resolved it.

    `params` is flat, with dotted names (`settings.todoListEnabled`); `choices` lists the values a param can take where
    they are few (for levers); `modes` are the modes on offer, of which `mode` is in force.
    """

    params: Mapping[str, Json] = {}
    choices: Mapping[str, tuple[Json, ...]] = {}
    mode: str | None = None
    modes: tuple[ModeChoice, ...] = ()
    model: str | None = None
    version: str = ""
    found: Mapping[str, Condition] = {}
    """Gathered conditions that gates refer to by name, see `derived.FoundOut`."""
    tried: Levers = ()
    """Levers that were set on top of the scenario, see `after`."""

    def value(self, op: Op, name: str) -> Json:
        """The actual value behind a leaf: a param, the groups of the mode in force, the mode, model or version."""
        match op:
            case "flag":
                return self.params.get(name)
            case "mode" if name == "groups":
                return next((m.groups for m in self.modes if m.slug == self.mode), ())
            case "mode":
                return self.mode
            case "model":
                return self.model
            case "version":
                return self.version
        raise KeyError(f"{op} {name} is observed, not looked up")

    def after(self, levers: Levers) -> Facts:
        """The facts once the levers were set. What was observed stays, unless these are its own levers."""
        params, mode, model, version = dict(self.params), self.mode, self.model, self.version
        for lever in levers:
            match lever.param:
                case "mode":
                    mode = lever.value
                case "model":
                    model = lever.value
                case "agent_version":
                    version = lever.value
                case name:
                    params[name] = lever.value
                    if isinstance(lever.value, Mapping):
                        params |= flatten(lever.value, f"{name}.")
        return replace(self, params=params, mode=mode, model=model, version=version, tried=self.tried + levers)


_CHECKS: dict[Relation, Callable[[Json, Json], bool]] = {
    "is": operator.eq,
    "in": lambda actual, wanted: actual in wanted,
    "has": lambda actual, wanted: wanted in (actual or ()),
    "above": lambda actual, wanted: actual is not None and actual > wanted,
    "given": lambda actual, wanted: (actual not in (None, "", [], {}, ())) is wanted,
    "mentions": lambda actual, wanted: any(word in (actual or "") for word in wanted),
}


Verdicts = dict[int, "tuple[Condition, Verdict]"]
"""Verdicts under the same facts, by the identity of their conditions, which live as long."""


class Condition(Struct, frozen=True):
    """A value that guards a section, a bullet, a tool, a parameter or a file."""

    def __and__(self, other: Condition) -> Condition:
        if isinstance(other, Always):
            return self
        mine = self.members if isinstance(self, AllOf) else (self,)
        theirs = other.members if isinstance(other, AllOf) else (other,)
        return AllOf(mine + theirs)

    def __or__(self, other: Condition) -> Condition:
        mine = self.members if isinstance(self, AnyOf) else (self,)
        theirs = other.members if isinstance(other, AnyOf) else (other,)
        return ALWAYS if isinstance(self, Always) or isinstance(other, Always) else AnyOf(mine + theirs)

    def __invert__(self) -> Condition:
        return self.inner if isinstance(self, Negated) else Negated(self)

    def holds(self, facts: Facts) -> bool:
        """The verdict alone: what assembling asks for, hundreds of times for each what-if."""
        raise NotImplementedError

    def evaluate(self, facts: Facts) -> Verdict:
        """The verdict as a tree, with what is the case in words."""
        return self.evaluated(facts, {})

    def evaluated(self, facts: Facts, known: Verdicts) -> Verdict:
        """The same, made once for each condition: `known` collects the verdicts under these facts."""
        found = known.get(id(self))
        if found is None:
            known[id(self)] = found = (self, self._verdict(facts, known))
        return found[1]

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        raise NotImplementedError

    def levers(self, facts: Facts, to: bool) -> Levers | None:
        """What to set, all together, for the verdict `to`; () if it is so already, None if no switch does."""
        return () if self.holds(facts) is to else self._flip(facts, to)

    def _flip(self, _: Facts, to: bool) -> Levers | None:
        """The levers for the verdict `to`, which it is not yet."""
        raise NotImplementedError(to)


class Always(Condition, frozen=True):
    """Unconditionally true."""

    def __and__(self, other: Condition) -> Condition:
        return other

    def holds(self, _: Facts) -> bool:
        """True."""
        return True

    def _verdict(self, *_: object) -> Verdict:
        return Verdict("all", "", True, True, True, "always present")

    def _flip(self, *_: object) -> None:
        return None


ALWAYS = Always()


class Test(Condition, frozen=True):
    """A leaf that is looked up in the facts. `yes` and `no` state it either way; `{actual}` is filled in.

    `on` and `off` name the levers where the relation alone does not tell them; `example` is a value for one that is to
    be given, where any will do. `source` is the setting in a file that decides the value, `remedy` what a person would
    do where no lever is known.
    """

    __test__ = False  # not a test case, whatever a collector thinks

    op: Op
    name: str
    relation: Relation
    wanted: Json
    yes: str
    no: str
    on: Levers | None = None
    off: Levers | None = None
    source: SettingSource | None = None
    remedy: str = ""
    example: Json = None

    def holds(self, facts: Facts) -> bool:
        """Whether the value fits what is wanted."""
        return _CHECKS[self.relation](facts.value(self.op, self.name), self.wanted)

    def _verdict(self, facts: Facts, _: Verdicts) -> Verdict:
        actual = facts.value(self.op, self.name)
        ok = _CHECKS[self.relation](actual, self.wanted)
        text = (self.yes if ok else self.no).replace("{actual}", show(actual))
        remedy = self.remedy or options(self.levers(facts, not ok))
        return Verdict(self.op, self.name, self.wanted, actual, ok, text, source=self.source, remedy=remedy)

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        given = self.on if to else self.off
        if given is not None:
            return given
        if self.op == "mode":
            return _mode_levers(self, facts, to)
        if self.op != "flag":
            return None
        found = [v for v in self._candidates(facts, to) if _CHECKS[self.relation](v, self.wanted) is to]
        return (Lever(self.name, found[0]),) if found else None

    def _candidates(self, facts: Facts, to: bool) -> list[Json]:
        choices = list(facts.choices.get(self.name, () if self.example is None else (self.example,)))
        match self.relation:
            case "is" if to:
                return [self.wanted]
            case "is" if isinstance(self.wanted, bool):
                return [not self.wanted]
            case "in" if to:
                return list(self.wanted)
            case "above":
                return [self.wanted + 1 if to else self.wanted]
            case "given" if to is not self.wanted:
                return [c for c in choices if c in (None, "")] or [None, ""]
            case _:
                return choices


class Fact(Condition, frozen=True):
    """A leaf whose fact was gathered (a file that exists, a server that is connected): it carries its own verdict.

    `remedy` says what a person would do to change it where no lever does.
    """

    op: Op
    name: str
    ok: bool
    yes: str
    no: str
    wanted: Json = True
    actual: Json = None
    on: Levers | None = None
    off: Levers | None = None
    remedy: str = ""
    source: SettingSource | None = None

    def holds(self, facts: Facts) -> bool:
        """The gathered verdict, or the other one once its levers were set."""
        if not facts.tried:
            return self.ok
        own = self.off if self.ok else self.on
        return self.ok is not (bool(own) and all(lever in facts.tried for lever in own or ()))

    def _verdict(self, facts: Facts, _: Verdicts) -> Verdict:
        ok = self.holds(facts)
        actual = ok if self.actual is None or ok is not self.ok else self.actual
        text = (self.yes if ok else self.no).replace("{actual}", show(actual))
        remedy = self.remedy or options(self._flip(facts, not ok))
        return Verdict(self.op, self.name, self.wanted, actual, ok, text, source=self.source, remedy=remedy)

    def _flip(self, _: Facts, to: bool) -> Levers | None:
        return self.on if to else self.off


def said_if(ok: bool, text: str) -> tuple[str, str]:
    """The words for either verdict where there are some only for the one that is known."""
    return (text, "") if ok else ("", text)


def stated(op: Op, name: str, ok: bool, text: str, **more: Any) -> Fact:
    """A fact that has words for its verdict alone. `more` is what a `Fact` has."""
    return Fact(op, name, ok, *said_if(ok, text), **more)


class Setting(Condition, frozen=True):
    """A leaf about a setting: its value as gathered, or what a lever on its overlay makes of it.

    `yes` and `no` state it either way; `{actual}` is filled in, and where the setting stands is added. `on` and `off`
    are the levers for either verdict, None where no switch makes it so.
    """

    source: SettingSource
    actual: Json
    relation: Relation
    wanted: Json
    yes: str
    no: str
    on: Lever | None = None
    off: Lever | None = None

    def _after(self, facts: Facts) -> tuple[Json, bool]:
        """The setting's value and the verdict once the facts' levers were set."""
        for lever in reversed(facts.tried):
            if lever in (self.on, self.off):
                return lever.value, lever == self.on
            if lever.param == self.source.overlay:
                return lever.value, _CHECKS[self.relation](lever.value, self.wanted)
        return self.actual, _CHECKS[self.relation](self.actual, self.wanted)

    def holds(self, facts: Facts) -> bool:
        """Whether the setting fits what is wanted."""
        return self._after(facts)[1] if facts.tried else _CHECKS[self.relation](self.actual, self.wanted)

    def _verdict(self, facts: Facts, _: Verdicts) -> Verdict:
        actual, ok = self._after(facts)
        text = (self.yes if ok else self.no).replace("{actual}", show(actual))
        place = self.source.place
        remedy = options(self._flip(facts, not ok)) or self.source.remedy
        sentence = f"{text} ({place})" if place and not facts.tried else text
        return Verdict("flag", self.source.key, self.wanted, actual, ok, sentence, source=self.source, remedy=remedy)

    def _flip(self, _: Facts, to: bool) -> Levers | None:
        lever = self.on if to else self.off
        return None if lever is None else (lever,)


class _Members(Condition, frozen=True):
    """Conditions that decide together: all of them, or any."""

    members: tuple[Condition, ...]

    op: ClassVar[Literal["all", "any"]]

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        children = tuple([member.evaluated(facts, known) for member in self.members])
        ok = _TOGETHER[self.op](c.ok for c in children)
        decides = chain.from_iterable(_said(child) for child in children if child.ok is ok)
        return Verdict(self.op, "", True, ok, ok, in_a_sentence(decides), children)

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        return (_every if to is (self.op == "all") else _cheapest)(self.members, facts, to)


_TOGETHER: Mapping[str, Callable[[Iterable[bool]], bool]] = {"all": all, "any": any}


class AllOf(_Members, frozen=True):
    """True when every member is."""

    op = "all"

    def holds(self, facts: Facts) -> bool:
        """Whether every member holds."""
        for member in self.members:  # noqa: SIM110 - asked thousands of times, and `all` would make a generator
            if not member.holds(facts):
                return False
        return True


class AnyOf(_Members, frozen=True):
    """True when at least one member is."""

    op = "any"

    def holds(self, facts: Facts) -> bool:
        """Whether any member holds."""
        for member in self.members:  # noqa: SIM110
            if member.holds(facts):
                return True
        return False


def any_of(whens: Iterable[Condition], otherwise: Condition) -> Condition:
    """Any of some conditions; `otherwise` where there are none."""
    members = tuple(whens)
    return AnyOf(members) if members else otherwise


class Negated(Condition, frozen=True):
    """True when its inner condition is not. The sentence states the inner fact, which reads the same either way."""

    inner: Condition

    def holds(self, facts: Facts) -> bool:
        """Whether the inner condition does not hold."""
        return not self.inner.holds(facts)

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        child = self.inner.evaluated(facts, known)
        return Verdict("not", "", True, not child.ok, not child.ok, child.text, (child,))

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        return self.inner.levers(facts, not to)


class Named(Condition, frozen=True):
    """A composite with a name: `yes` and `no` replace the sentence of the inner tree, which stays visible below.

    Without `no` the failing inner facts are the sentence; in `no` they take the place of `{inner}`.
    """

    op: Op
    name: str
    inner: Condition
    yes: str
    no: str | None = None

    def holds(self, facts: Facts) -> bool:
        """Whether the inner condition holds."""
        return self.inner.holds(facts)

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        child = self.inner.evaluated(facts, known)
        text = self.yes if child.ok else (self.no or "{inner}").replace("{inner}", child.text)
        return Verdict(self.op, self.name, True, child.ok, child.ok, text, (child,))

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        return self.inner.levers(facts, to)


def _every(members: tuple[Condition, ...], facts: Facts, to: bool) -> Levers | None:
    """The levers of all members together; None if one has none or two of them want different values."""
    wanted: dict[str, Json] = {}
    for member in members:
        found = member.levers(facts, to)
        if found is None:
            return None
        for lever in found:
            if wanted.setdefault(lever.param, lever.value) != lever.value:
                return None
    return tuple(Lever(param, value) for param, value in wanted.items())


def _cheapest(members: tuple[Condition, ...], facts: Facts, to: bool) -> Levers | None:
    """The shortest levers of any one member."""
    found = [levers for m in members if (levers := m.levers(facts, to)) is not None]
    return min(found, key=len) if found else None


def _mode_levers(test: Test, facts: Facts, to: bool) -> Levers | None:
    for mode in facts.modes:
        actual = mode.groups if test.name == "groups" else mode.slug
        if _CHECKS[test.relation](actual, test.wanted) is to:
            return (Lever("mode", mode.slug),)
    return None


def _said(verdict: Verdict) -> Iterator[str]:
    """The facts that decide a verdict: a named node is one, unless it has the words of what is in it."""
    deciding = [child for child in verdict.children if verdict.op == "not" or child.ok is verdict.ok]
    joins = verdict.op in ("all", "any", "not") and not verdict.name
    if not deciding or (not joins and verdict.text != deciding[0].text):
        yield verdict.text
    else:
        yield from chain.from_iterable(map(_said, deciding))


def in_a_sentence(texts: Iterable[str]) -> str:
    """Facts, each said once, and no more than anybody reads."""
    unique = list(_at_once(dict.fromkeys(filter(None, texts))))
    if len(unique) > _SENTENCE_FACTS:
        unique = [*unique[: _SENTENCE_FACTS - 1], f"{len(unique) - _SENTENCE_FACTS + 1} more"]
    return ", ".join([*unique[:-2], " and ".join(unique[-2:])])


NOT = ", not "
"""Between a fact and what was wanted in its place."""


def _at_once(texts: Iterable[str]) -> Iterator[str]:
    """The facts, each said once: of one that was compared several times all that was wanted."""
    wanted: dict[str, list[str]] = {}
    for text in texts:
        fact, _, other = text.partition(NOT)
        wanted.setdefault(fact, []).extend([other] if other else [])
    for fact, others in wanted.items():
        names = [name for each in others for name in re.split(", | or ", each)] if len(others) > 1 else others
        yield f"{fact}{NOT}{one_of(list(dict.fromkeys(names)))}" if names else fact


def one_of(names: Sequence[str]) -> str:
    """Names of which one will do: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def options(levers: Levers | None) -> str:
    """The options that set the levers, between backticks; "" where there is none."""
    return f"`{' '.join(lever.option for lever in levers)}`" if levers else ""


def show(value: Json) -> str:
    """A value as a person reads it in a sentence."""
    if isinstance(value, list | tuple):
        return ", ".join(map(show, value)) or "none"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    words = {None: "not set", True: "on", False: "off"}
    is_word = value is None or isinstance(value, bool)
    return words[value] if is_word else str(value) or "empty"
