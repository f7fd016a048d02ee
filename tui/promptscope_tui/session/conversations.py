"""A recorded conversation as what a scenario's `after` says of a session."""

import re
from collections.abc import Sequence

from promptscope_engine.agents.transcripts import Transcript, Turn
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace import Workspace

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
    given = scenario.after or After()
    after = given.model_copy(update={**_session(found), **_given(given)})
    reads = [*dict.fromkeys((*found.reads, *scenario.reads))]
    return scenario.model_copy(update={"after": after, "reads": reads}), found.messages


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
