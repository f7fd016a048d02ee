"""The scenario that explains a request: what a recording does not say of its launch is what explains most."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from msgspec import Struct, structs

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.captures.model import Capture, Content, Recorded
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Reason
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .captured_scenario import alternatives, is_said, scenario_of, with_values
from .verification import Sides, Verification

_FITS = 0.99
"""A prediction that explains so much is of the right scenario: no other one is tried."""
_WORTH = 0.005
"""The share of a request that an assumption has to explain: less may be a coincidence."""
_MOSTLY = 0.9
"""A prediction that explains so much may be wrong in what it has beside: else that says nothing."""
_COINCIDENCE = 0.001
"""So much less may be explained by an assumption that takes away what was not sent."""
_SHORT = 2_000
"""Characters of a request that say too little for any assumption but the agent's own alternatives."""
_ROUNDS = 3
"""Assumptions at most, one a round."""
_LEVERS = 3
"""Levers that a round tries: those that decide over most text."""
_NO_GUESS = ("model", "agent_version", "subagent")
_SHOWN = 3
"""Parts that are named of those that an assumption is about."""


class Fit(Struct, frozen=True):
    """A scenario of a captured request, its prediction, and how that compares; a line for each value assumed."""

    scenario: Scenario
    assembly: Assembly
    result: Verification
    assumed: tuple[str, ...] = ()


class _Guess(Struct, frozen=True):
    """Values that may have been set, and the parts that say so."""

    values: Mapping[str, Json]
    parts: tuple[str, ...] = ()


class _Try(Struct, frozen=True):
    """A guess, its fit, how much more that explains, and how much less of it was not sent."""

    guess: _Guess
    fit: Fit
    gain: float
    taken: float


class _Fitting(Struct, frozen=True):
    """A request that scenarios are tried on."""

    capture: Capture
    content: Content
    base: Scenario
    counter: Counter
    workspace: Workspace
    knowledge: Knowledge

    def tried(self, scenario: Scenario) -> Fit:
        """The fit of a scenario, without what differs by name."""
        assembly = assemble(scenario, self.workspace, self.counter, knowledge=self.knowledge)
        return Fit(scenario, assembly, Sides(assembly, self.content, self.capture).compared()[0])

    def fitness(self, fit: Fit) -> tuple[float, float]:
        """What a prediction explains, as far as it should, and the share that is predicted and was not sent.

        A pasted prompt names what it has by its headings: there both count together. Where the text is cut off, all is
        missing: that counts for nothing. Another version lacks parts of its own.
        """
        result = fit.result
        parts = [part for part in result.parts if part.predicted]
        while self.capture.is_prompt and parts and parts[-1].verdict == "not sent":
            parts.pop()
        lost = sum(part.predicted for part in parts if part.verdict == "not sent") / max(result.characters, 1)
        if self.capture.is_prompt:
            return result.explained - lost, 0
        return result.explained, lost if result.version in (None, result.predicted_version) else 0

    def fits(self, fit: Fit) -> bool:
        """Whether no other scenario has to be tried."""
        explained, lost = self.fitness(fit)
        return explained - lost >= _FITS

    def best(self, first: Fit, guesses: Sequence[_Guess]) -> tuple[Fit, _Guess, Sequence[_Guess]] | None:
        """The guess that improves a fit most, with those that are not refuted; None where none improves it.

        It has to explain more, or as much while it takes away most of what was not sent.
        """
        start, lost = self.fitness(first)
        most = max(lost / 2, _WORTH) if start > _MOSTLY else inf
        least = 0 if self.capture.is_prompt else _WORTH
        tries = [*self.tries(first, guesses)]
        better = [each for each in tries if each.gain > least or (each.gain > -_COINCIDENCE and each.taken > most)]
        if not better:
            return None
        best = max(better, key=lambda each: (each.gain if each.gain > least else 0, each.taken))
        return best.fit, best.guess, [each.guess for each in tries if each.gain > -_WORTH]

    def tries(self, first: Fit, guesses: Sequence[_Guess]) -> Iterator[_Try]:
        """The guesses one by one, up to one that fits."""
        start, lost = self.fitness(first)
        for guess in guesses:
            try:
                fit = self.tried(with_values(first.scenario, guess.values))
            except ScenarioError:  # nobody can have started it so
                continue
            explained, still = self.fitness(fit)
            yield _Try(guess, fit, explained - start, lost - still)
            if self.fits(fit):
                return

    def may_be(self, param: str, value: Json) -> bool:
        """Whether an input may have had a value: nobody says what it was, and the value isn't one part's name."""
        return (
            param not in _NO_GUESS
            and not isinstance(value, list | dict)
            and not is_said(param, self.capture.header, self.base)
        )

    def levers(self, fit: Fit) -> list[_Guess]:
        """What would bring the parts that were sent and take away those that were not, the most text first."""
        found: dict[str, tuple[dict[str, Json], dict[str, int]]] = {}
        for name, why, size in _misplaced(fit, self.content):
            values = {lever.param: lever.value for lever in why.levers}
            if values and all(self.may_be(param, value) for param, value in values.items()):
                found.setdefault(str(values), (values, {}))[1][name] = size
        heaviest = sorted(found.values(), key=lambda each: -sum(each[1].values()))
        return [_Guess(values, tuple(parts)) for values, parts in heaviest[:_LEVERS]]


def _misplaced(fit: Fit, content: Content) -> Iterator[tuple[str, Reason, int]]:
    """Parts that the request has and the prediction lacks, or the reverse: name, reason and characters."""
    sent = {tool.name: len(tool.description) for tool in content.tools}
    for tool in fit.assembly.tools:
        if tool.present != (tool.name in sent):
            yield tool.name, tool.why, sent.get(tool.name) or len(tool.description)
    missing = {part.id: part.predicted for part in fit.result.parts if part.verdict == "not sent"}
    rest = "\n".join(["", *(each.text for each in fit.result.unexplained)])
    for section in fit.assembly.sections:
        heading = "" if section.present else " ".join((section.heading or "").split())
        if section.id in missing or (heading and f"\n{heading}" in rest):
            yield section.title, section.why, missing.get(section.id, section.chars)


def best_fit(
    capture: Capture,
    request: Recorded,
    base: Scenario,
    counter: Counter,
    workspace: Workspace,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Fit:
    """The scenario that explains most of a request: some of what decides over a prompt is in no request.

    A guess a round, the best of few: what the agent's own alternatives say, and the levers of parts that only one side
    has. Each that is kept is a note.
    """
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    fitting = _Fitting(capture, content, base, counter, workspace, knowledge)
    scenario = scenario_of(capture, request, content, base)
    fit, notes = fitting.tried(scenario), list[str]()
    offered = alternatives(fit.assembly.agent, capture.header, content, base)
    guesses: Sequence[_Guess] = [_Guess(values) for values in offered]
    set_by: dict[str, Json] = {}
    for _ in range(_ROUNDS):
        if fitting.fits(fit):
            break
        says_little = capture.is_prompt or fit.result.characters < _SHORT
        levers = [] if says_little else fitting.levers(fit)
        free = [each for each in (*levers, *guesses) if set_by.keys().isdisjoint(each.values)]
        better = fitting.best(fit, free)
        if better is None:
            break
        notes.append(_note(better[1], better[0].result.explained - fit.result.explained))
        fit, guess, guesses = better
        set_by |= guess.values
    named = tuple(Sides(fit.assembly, content, capture).named())
    result = structs.replace(fit.result, notes=(*fit.result.notes, *notes), named=named)
    return structs.replace(fit, result=result, assumed=tuple(notes))


def _note(guess: _Guess, gain: float) -> str:
    """`assumed ENABLE_TOOL_SEARCH=false, as the recording doesn't say: it decides about Monitor and 12 more`."""
    values = ", ".join(f"{name.removeprefix('env.')}={_written(value)}" for name, value in guess.values.items())
    rest = len(guess.parts) - _SHOWN
    parts = ", ".join(guess.parts[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    why = f"it decides about {parts}" if parts else f"it explains {gain * 100:.1f} % more"
    return f"assumed {values}, as the recording doesn't say: {why}"


def _written(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def verify(
    capture: Capture,
    request: Recorded,
    base: Scenario,
    counter: Counter,
    workspace: Workspace,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Verification:
    """The prediction of a captured request against the request. `base` says what the capture does not tell.

    Raises ScenarioError for an agent that is not modelled or a scenario that cannot be assembled.
    """
    return best_fit(capture, request, base, counter, workspace, knowledge=knowledge).result
