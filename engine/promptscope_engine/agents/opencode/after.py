"""A later request of OpenCode [asked of 1.18.33].

A compaction leaves a fixed question, the summary as its answer, the newest turns within a budget if the conversation is
longer, and what is typed next; one of its own comes right after an answer, and the client asks the model to go on.
"""

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import First, Messages, in_order, summary
from promptscope_engine.inputs.after import After, Exchange
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import Place, SectionDraft, Span, builtin, label, param_value
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .texts import FOLDER

_TOKEN_CHARS = 4
_QUESTION = "What was done till now"
GO_ON = "Go on if there are steps left to take; else stop here, or ask where you don't know how to proceed."
"""What the client says to the model after a compaction of its own."""


class _Said(Struct, frozen=True):
    """A message of the conversation: what a person said, or an answer with what its tool gave."""

    text: str = ""
    answer: Exchange | None = None

    @property
    def sums_up(self) -> bool:
        """Whether it is the summary of an earlier compaction, which the client leaves aside."""
        return self.answer is not None and self.answer.sums_up

    @property
    def tokens(self) -> float:
        """As the client estimates them, by the characters of the message as JSON."""
        if self.sums_up:
            return 0
        limits = FOLDER.agent["after"]
        parts = [self.text] if self.answer is None else [self.answer.spoken, *self.answer.results]
        around = limits["message_chars"] if self.answer is None or not self.answer.tool else limits["call_chars"]
        return float(around + sum(len(json.dumps(part, ensure_ascii=False)) for part in parts)) / float(_TOKEN_CHARS)


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    first = First(sections, event, read="reads:")
    if not event.compacts:
        return (*first.uncompacted(), *first.unread("/SKILL.md"))
    talk, (budget, turns) = _Talk(first.messages), gathered.materials.kept
    talk.say("after.question", "A fixed question", builtin("after.question", _QUESTION))
    talk.say("after.summary", "The summary", summary(event), role="assistant")
    kept = _newest(event, budget, turns)
    talk.replay(kept or ())
    if event.event == "auto":
        talk.say("after.go_on", "To go on", builtin("after.go_on", GO_ON))
    last = () if event.event == "auto" else first.messages.again(first.typed)
    rest = () if kept else (_none_kept(budget, known=kept is not None),)
    return (*first.system, *talk.said, *last, *rest, *first.unread("/SKILL.md"), *first.lost())


class _Talk:
    """Messages one after another; what one side says at once is one message."""

    def __init__(self, messages: Messages) -> None:
        self.said: list[SectionDraft] = []
        self._messages, self._role, self._parts = messages, "", 0

    def say(self, section_id: str, title: str, span: Span, role: str = "user") -> None:
        self._parts = self._parts + 1 if role == self._role else 0
        self._role = role
        self.said.append(self._messages.one(section_id, title, [span], role, self._parts))

    def replay(self, kept: Sequence[_Said]) -> None:
        """What is kept of the conversation, each answer with its number."""
        number = 0 if kept and kept[0].answer is None else -1
        for each in kept:
            if each.answer is None:
                self.say(f"after.followed:{number}.0", "What followed", param_value("after.said", each.text))
                continue
            number += 1
            if each.sums_up:
                self.say(f"after.question:{number}", "A fixed question", builtin("after.question", _QUESTION))
            spoken = param_value("after.exchanges", each.answer.spoken)
            self.say(f"after.answer:{number}", "An answer", spoken, "assistant")
            for part, result in enumerate(each.answer.results):
                self.say(f"after.followed:{number}.{part}", "What followed", param_value("after.exchanges", result))


def _newest(event: After, budget: int, turns: int | None) -> list[_Said] | None:
    """The newest turns within a budget of tokens, the oldest of them perhaps from its middle on.

    None if all of it fits, as it is summed up whole then; also None where texts are not known.
    """
    said = [*_conversation(event)]
    if not said or any(each.answer and each.answer.tool and not each.answer.results for each in said):
        return None
    starts = [at for at, each in enumerate(said) if each.answer is None]
    starts = starts if turns is None else starts[len(starts) - min(turns, len(starts)) :]
    kept, end, left = len(said), len(said), float(budget)
    for start in reversed(starts):
        sizes = [each.tokens for each in said[start:end]]
        fits = next((at for at in range(len(sizes)) if sum(sizes[at:]) <= left), None)
        if fits is not None:
            kept, left = start + fits, left - sum(sizes[fits:])
        if fits != 0:
            break
        end = start
    return said[kept:] if any(not each.sums_up for each in said[:kept]) else []


def _conversation(event: After) -> Iterator[_Said]:
    for each in in_order(event):
        if isinstance(each, str):
            yield _Said(each)
        elif each.spoken:
            yield _Said(answer=each)


def _none_kept(budget: int, *, known: bool) -> SectionDraft:
    why = f"the newest turns come back, up to {budget:,} tokens, if the conversation is longer than that"
    gone = Fact(
        "flag", "newest", False, "", why if known else f"not predictable without the conversation's texts: {why}"
    )
    return SectionDraft("after.newest", "The newest turns", (label("…"),), when=gone, place=Place("after.newest"))
