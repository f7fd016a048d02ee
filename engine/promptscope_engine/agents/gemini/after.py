"""A later request of Gemini CLI [asked of 0.61.0].

A compression leaves the context, built again, with the summary as a second part, a fixed answer, and the newest part of
the history.
"""

import json
from collections.abc import Sequence

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import First, exchanges, summary
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Place, SectionDraft, builtin
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .texts import FOLDER

_CONTEXT = ("session", "memory.")
_INSTRUCTIONS = ("/GEMINI.md", "/SKILL.md")
"""What the client reads when it starts. Headless it starts again for each turn."""
_COMPRESSED = 0.7
"""The share of the history, oldest first, that a compression takes at least [asked of 0.61.0]."""
_THANKS = "Understood, and thank you for the context!"


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    first = First(sections, event, read="read:", context=_CONTEXT)
    stays = not inputs.params.args.print
    if not event.compacts:
        return (*first.uncompacted(), *(first.unread(*_INSTRUCTIONS) if stays else ()))
    messages = first.messages
    start = (*first.system, *messages.again(first.context))
    place = Place("after.summary", start[-1].place.message)
    told = SectionDraft("after.summary", "The summary", (summary(event),), place=place, stability="turn")
    thanks = messages.one("after.thanks", "A fixed answer", [builtin("after.thanks", _THANKS)], "assistant")
    context = sum(len(span.text) for each in first.context for span in each.spans if each.when.holds(gathered.facts))
    kept = exchanges(_newest(event, context), messages)
    rest = (*(first.unread(*_INSTRUCTIONS) if stays else ()), *first.lost())
    return (*start, told, thanks, *kept, *messages.again(first.typed), *rest)


def _newest(event: After, context: int) -> Sequence[Exchange]:
    """The exchanges behind the first thing said at which the history's share to be compressed is reached.

    The history is measured as JSON; it begins with the context, of so many characters.
    """
    sizes = [_size(each.answer, each.input, *each.results, call=bool(each.tool)) for each in event.exchanges]
    said = [_size(each.said) for each in event.exchanges]
    earlier = event.compactions > 1
    first = context + (_size(event.summary or "") + _size(_THANKS) if earlier else _size(*event.said[:1]))
    whole, so_far = first + sum(sizes) + sum(said), first
    for number, each in enumerate(event.exchanges):
        so_far += sizes[number]
        if each.said and so_far >= whole * _COMPRESSED:
            kept = event.exchanges[number + 1 :]
            return [Exchange(answer="", said=each.said), *kept] if kept else ()
        so_far += said[number]
    return ()


def _size(*texts: str, call: bool = False) -> int:
    """A message's characters as JSON; none for one without a text."""
    limits = FOLDER.agent["after"]
    around = limits["call_chars"] if call else limits["message_chars"]
    return sum(len(json.dumps(text, ensure_ascii=False)) for text in texts) + around if any(texts) else 0
