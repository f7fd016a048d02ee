"""A recorded conversation as what a scenario's `after` says of a session."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, structs

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import GoesOn
from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.afterwards import WORDS, afterwards
from promptscope_engine.insight.compactions import Outcome, outcomes
from promptscope_engine.prompt.model import Assembly, TokenSummary
from promptscope_engine.workspace import Workspace
from promptscope_tui.text.words import excerpt, many

from .transcripts import keeper, reading, writer_of

_COMMAND = re.compile(r"<command-name>/?([\w:.-]+)</command-name>")
_DOLLAR = re.compile(r"(?<!\S)\$([\w:.-]+)")
_KEPT = 8
"""The last answers that are told: no agent keeps more."""


def after_of(scenario: Scenario, file: str, workspace: Workspace) -> tuple[Scenario, int]:
    """The scenario with the session of a transcript, and the tokens of its conversation.

    Raises ScenarioError for a file that cannot be read, or that no agent wrote.
    """
    writer = writer_of(file)
    if writer is not None and scenario.agent is None:
        scenario = scenario.model_copy(update={"agent": writer.id})
    first = assemble(scenario.model_copy(update={"after": None}), workspace, with_files=False)
    reader = keeper(first).transcript_reader(first.tokens.expected or 0, scenario.env or {})
    for _ in reading(file, reader):
        pass
    found = reader.close()
    return with_session(load_agent(first.agent), scenario, found), found.messages


def with_session(agent: Describes, scenario: Scenario, found: Transcript) -> Scenario:
    """The scenario with what a conversation tells since its last compaction, where it doesn't say that itself."""
    given = scenario.after or After()
    usual: Mapping[str, Json] = {}
    if found.attended is not None:
        usual = agent.about.attended if found.attended else agent.about.unattended
    for name in usual.keys() - flatten(scenario.params).keys():
        scenario = scenario.with_value(name, usual[name])
    told: dict[str, object] = {
        "after": given.model_copy(update={**_session(found), **_given(given)}),
        "reads": [*dict.fromkeys((*found.reads, *scenario.reads))],
        "model": scenario.model or found.model or None,
    }
    return scenario.model_copy(update=told)


def window_of(scenario: Scenario, found: Transcript, assembly: Assembly) -> TokenSummary:
    """The window that a conversation fills, and where it compacts: those of its own model, unless one is asked for.

    Of another model's window the counts are not there. Where nothing can be assembled for it, that of the prompt.
    """
    own, shown = found.model, assembly.model
    is_observed = assembly.agent.startswith(OBSERVED)  # what was captured is as it is
    if is_observed or scenario.model or not own or not shown or own == shown.removesuffix("[1m]"):
        return assembly.tokens
    with suppress(ScenarioError):
        return assemble(scenario.model_copy(update={"model": own}), with_files=False, cached_only=True).tokens
    return assembly.tokens


_COMPARED = 10


class Compaction(Struct, frozen=True):
    """A compaction of a conversation. `parts` with their forecasts, None where there are none, and `why` that is so."""

    turn: Turn
    parts: tuple[Outcome, ...] | None
    why: str = ""

    @property
    def words(self) -> str:
        """How many came as they were forecast."""
        if self.parts is None:
            return self.why
        if not self.parts:
            return "nothing was read or invoked that could come back"
        told = [part for part in self.parts if part.agrees is not None]
        right = sum(part.agrees is True for part in told)
        left = len(self.parts) - len(told)
        open_ = f", {left} not predictable" if left else ""
        return f"{right} of {many(len(told), 'part')} as forecast by the files as they are now{open_}"


def compactions(agent: Describes, scenario: Scenario, found: Transcript) -> Iterator[Compaction]:
    """The last ten compactions, each with the forecast of the conversation before it, by the files as they are now.

    No more, since a forecast is an assembly; and none of an agent whose later requests are not modelled.
    """
    workspace = Workspace()
    places = [at for at, turn in enumerate(found.turns) if turn.role == "compaction"]
    for at in places[-_COMPARED:] if isinstance(agent, GoesOn) else ():
        turn = found.turns[at]
        if turn.restored is None:
            yield Compaction(turn, None, "the file does not tell what came back")
            continue
        before = structs.replace(found, turns=found.turns[:at])
        given = scenario.model_copy(update={"after": After(event=turn.event or "auto")})
        asked = with_session(agent, given, before)
        said = asked.after.said if asked.after else []
        try:
            yield Compaction(turn, outcomes(afterwards(asked, workspace), said, turn.restored))
        except ScenarioError as error:
            yield Compaction(turn, None, f"no forecast: {error}")


def outcome_cells(part: Outcome) -> tuple[str, str, str, str]:
    """A part of a compaction for a table: with a mark, its forecast, what came back of it, and why it was foreseen."""
    mark = {True: "✓", False: "✗", None: "?"}[part.agrees]
    name = excerpt(part.name) if part.kind == "said" else part.name
    forecast = "not foreseen" if part.forecast is None else "open" if part.is_open else WORDS[part.forecast]
    came = "no" if part.characters is None else f"{part.characters:,} characters"
    return f"{mark} {name}", forecast, came, part.why


def _given(after: After) -> dict[str, object]:
    """What was asked for beside the transcript counts before it."""
    return {name: getattr(after, name) for name in after.model_fields_set if name != "turns"}


def _session(found: Transcript) -> dict[str, object]:
    """What the turns since the last compaction tell."""
    last = max((i for i, turn in enumerate(found.turns) if turn.role == "compaction"), default=-1)
    turns = found.turns[last + 1 :]
    said = [turn.said for turn in turns if turn.said]
    tools = dict.fromkeys(name for turn in turns for name in turn.calls)
    return {
        "said": said,
        "exchanges": _exchanges(turns),
        "skills": [name for turn in turns for name in (*turn.skills, *_typed(turn))],
        "tools": [*tools],
        "turns": max(len(said), 1),
        "within": bool(turns) and turns[-1].results > 0,
        "answers": sum(turn.role == "assistant" for turn in turns),
        "compactions": sum(turn.role == "compaction" for turn in found.turns) + 1,
    }


def _typed(turn: Turn) -> list[str]:
    """Skills that a person typed."""
    return [*_COMMAND.findall(turn.said), *_DOLLAR.findall(turn.said)]


def _exchanges(turns: Sequence[Turn]) -> list[Exchange]:
    """The last answers; of a text its beginning is known."""
    found: list[Exchange] = []
    for turn in turns:
        if turn.role == "assistant":
            found.append(Exchange(answer=turn.text, tool=turn.calls[0] if turn.calls else "", files=[*turn.reads]))
        elif found and turn.said:
            found[-1] = found[-1].model_copy(update={"said": turn.said})
    return found[-_KEPT:]
