"""A later request of Gemini CLI [asked of 0.61.0].

A compression leaves the context, built again, with the summary as a second part, a fixed answer, and the newest part of
the history.
"""

from collections.abc import Sequence

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.after import First, exchanges, summary
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Place, SectionDraft, builtin
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .texts import FOLDER

_CONTEXT = ("session", "memory.")
_THANKS = "Understood, and thank you for the context!"


def after(
    _gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    first = First(sections, event, read="read:", context=_CONTEXT)
    if not event.compacts:
        return first.uncompacted()
    messages = first.messages
    start = (*first.system, *messages.again(first.context))
    place = Place("after.summary", start[-1].place.message)
    told = SectionDraft("after.summary", "The summary", (summary(event),), place=place, stability="turn")
    thanks = messages.one("after.thanks", "A fixed answer", [builtin("after.thanks", _THANKS)], "assistant")
    kept = exchanges(_newest(event), messages)
    return (*start, told, thanks, *kept, *messages.again(first.typed), *first.lost())


def _newest(event: After) -> Sequence[Exchange]:
    """The exchanges behind the first thing said at which the history's share to be compressed is reached."""
    sizes = [sum(map(len, (each.answer, each.input, *each.results))) for each in event.exchanges]
    said = [len(each.said) for each in event.exchanges]
    first = len(event.said[0]) if event.said else 0
    whole, so_far = first + sum(sizes) + sum(said), first
    for number, each in enumerate(event.exchanges):
        so_far += sizes[number]
        if each.said and so_far >= whole * FOLDER.agent["after"]["compressed"]:
            kept = event.exchanges[number + 1 :]
            return [Exchange(answer="", said=each.said), *kept] if kept else ()
        so_far += said[number]
    return ()
