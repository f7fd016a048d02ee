"""What an agent computes from its other inputs: switches and values with their cause, unless a person sets them.

    BROWSER = Derived("supportsComputerUse", FoundOut("model.computer") & flag("browserToolEnabled"))

While the param is null the inner condition decides, and is the arrow that Why shows; a value that was set by hand wins,
and says what the agent would have made of it. `Derivation` is the same for the lists of inputs: see `Draft.derived`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from promptscope_engine.formats.document import Json

from .conditions import ALWAYS, Condition, Facts, Levers, Verdicts, options, show, stated
from .model import DerivedParam, Diagnostic, Lever, Reason, Verdict


class FoundOut(Condition, frozen=True):
    """A condition that was gathered, looked up by its name in `Facts.found`: so that gates can be constants."""

    name: str

    def holds(self, facts: Facts) -> bool:
        """Whether the gathered condition holds."""
        return facts.found[self.name].holds(facts)

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        return facts.found[self.name].evaluated(facts, known)

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        return facts.found[self.name].levers(facts, to)


class Derived(Condition, frozen=True):
    """A switch that the agent computes: `inner` decides while the param `name` is null, else the param does."""

    name: str
    inner: Condition

    def holds(self, facts: Facts) -> bool:
        """Whether the switch is on: as the param says, else as the agent decides."""
        given = facts.params.get(self.name)
        return self.inner.holds(facts) if given is None else given is True

    def _verdict(self, facts: Facts, known: Verdicts) -> Verdict:
        ok = self.holds(facts)
        found = self.inner.evaluated(facts, known)
        fact = f"`{self.name}` is {show(ok)}"
        if facts.params.get(self.name) is None:
            return Verdict("flag", self.name, True, ok, ok, f"{fact} (derived: {found.text})", (found,))
        text = f"{fact} (set by hand" + ("" if found.ok is ok else f"; the agent derives {show(found.ok)}") + ")"
        return Verdict("flag", self.name, True, ok, ok, text, remedy=options((Lever(self.name, not ok),)))

    def _flip(self, facts: Facts, to: bool) -> Levers | None:
        by_hand = (Lever(self.name, to),)
        return by_hand if facts.params.get(self.name) is not None else self.inner.levers(facts, to) or by_hand


class Derivation(Struct, frozen=True):
    """An input that the agent computes: `computed` is what it makes of the others, `because` why.

    `given` is what was set in its place, None where nothing was: whatever is given counts. `is_setting`: a person may
    set it in the agent too, or the other inputs do not tell, so that another value contradicts nothing.
    """

    param: str
    computed: Json
    because: Condition = ALWAYS
    given: Json = None
    is_setting: bool = False

    @classmethod
    def of(cls, switch: Derived, facts: Facts, *, is_setting: bool = False) -> Derivation:
        """The derivation behind a switch."""
        return cls(switch.name, switch.inner.holds(facts), switch.inner, facts.params.get(switch.name), is_setting)

    @property
    def contradicted(self) -> bool:
        """Whether something was set that the agent would never make of the other inputs."""
        return not self.is_setting and self.given is not None and self.given != self.computed


def because(param: str, text: str) -> Condition:
    """What decides an input, in a sentence."""
    return stated("flag", param, True, text)


def in_home(variable: str, path: str, given: str | None) -> Derivation:
    """A folder or file of the agent that is in the home folder unless the environment names another."""
    param = f"env.{variable}"
    return Derivation(param, path, because(param, "it is in the home folder"), given or None, is_setting=True)


def resolved(asked: str | None, taken: str | None, what: str, agent: str) -> Iterator[Derivation]:
    """A mode or model that is not the one that was asked for: a default, an alias, a fallback."""
    if taken is None or asked == taken:
        return
    text = f"{agent} takes {taken} where {f'{asked!r} is asked for' if asked else f'no {what} is given'}"
    yield Derivation(what, taken, stated("model" if what == "model" else "mode", what, True, text))


def explained(derivation: Derivation, facts: Facts) -> DerivedParam:
    """The derivation as an assembly has it."""
    verdict = derivation.because.evaluate(facts)
    overridden = derivation.given is not None
    value = derivation.given if overridden else derivation.computed
    return DerivedParam(derivation.param, value, derivation.computed, overridden, Reason(verdict.text, verdict))


def contradictions(derivations: tuple[Derivation, ...], facts: Facts) -> tuple[Diagnostic, ...]:
    """A note on each input that was set to something else than the others lead to."""
    return tuple(
        Diagnostic(
            "info",
            "set-against-derived",
            f"`{each.param}` is set to {show(each.given)}, which counts; the agent itself would make it "
            f"{show(each.computed)}: {each.because.evaluate(facts).text}",
        )
        for each in derivations
        if each.contradicted
    )
