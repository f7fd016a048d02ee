"""OBJECTIVE (specs/roo.md 1.7): five numbered points."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.gates import CODE_INDEX
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .part import section


@section("OBJECTIVE")
def objective(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - the same for all
    """How a task is brought to its end."""
    yield label("====\n\nOBJECTIVE\n\n")
    yield builtin(
        "objective.intro",
        "You bring a task to its end iteratively: you break it down into clear steps and take these one after the other in a methodical way.",
    )
    yield builtin(
        "objective.goals",
        "\n\n1. Study the user's task and set yourself goals for it that are clear and can really be reached. Put these goals into a logical order, the most important first.",
    )
    yield builtin(
        "objective.work",
        "\n2. Work through the goals in that order and use the tools one at a time as they are needed. Each goal should be a distinct step in the solution of the problem. As you go along, you are told which of the work is done and which still remains.",
    )
    yield builtin(
        "objective.think",
        "\n3. Keep in mind that your capabilities are wide and that the tools can be combined in powerful and clever ways to reach each goal. Think before you call one. ",
    )
    yield builtin(
        "objective.codebase_search",
        "For ANY look at code that has not come up in this conversation yet, the `codebase_search` tool MUST come first: it searches by the meaning of what the task is about, and only after it do other search and exploration tools follow. This holds for the whole of the task and not merely for its start: each time a new area of the code is entered. ",
        when=CODE_INDEX,
    )
    yield builtin("objective.analyze", "Begin", when=~CODE_INDEX)
    yield builtin("objective.analyze_after_search", "Then begin", when=CODE_INDEX)
    yield builtin(
        "objective.parameters",
        " with the file structure in environment_details, for the context and insight it gives, and consider which of the tools is the most relevant to the step at hand. Go through its required parameters next and decide for each whether the user has supplied a value or enough to infer one, with everything in the context taken into account. If all of them are there or can reasonably be inferred, go ahead with the call. If a required value is missing, do NOT call the tool (not even with a filler in its place); ask the user for it with the ask_followup_question tool. Optional parameters about which nothing was said need no question at all.",
    )
    yield builtin(
        "objective.complete",
        "\n4. When the task is done, you must call the attempt_completion tool and present the result to the user with it.",
    )
    yield builtin(
        "objective.feedback",
        "\n5. The user may give feedback, by which you can improve the result and try again. But do NOT keep up a pointless exchange: never finish a reply with a question or with an offer of further help.",
    )
