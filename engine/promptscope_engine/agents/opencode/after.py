"""A later request of OpenCode [asked of 1.18.33].

A compaction leaves a fixed question, the summary as its answer, and what is typed next; one of its own comes right
after an answer, and the client asks the model to go on.
"""

from collections.abc import Sequence

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.after import First, summary
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, builtin
from promptscope_engine.workspace import Workspace

from .materials import Materials

_QUESTION = "What was done till now"
_GO_ON = "Go on if there are steps left to take; else stop here, or ask where you don't know how to proceed."


def after(
    _gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    first = First(sections, event, read="reads:")
    if not event.compacts:
        return first.uncompacted()
    messages = first.messages
    asked = messages.one("after.question", "A fixed question", [builtin("after.question", _QUESTION)])
    told = messages.one("after.summary", "The summary", [summary(event)], "assistant")
    go_on = messages.one("after.go_on", "To go on", [builtin("after.go_on", _GO_ON)])
    last = [go_on] if event.event == "auto" else messages.again(first.typed)
    return (*first.system, asked, told, *last, *first.lost())
