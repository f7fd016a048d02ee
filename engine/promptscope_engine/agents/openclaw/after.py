"""A later request of OpenClaw [asked of 2026.9.6; `sessions compact` and `/new` by its gateway].

The system text is built again for each turn, so that the workspace's files are as they are on disk. A compaction leaves
one message with the summary, the turns before those that are kept in short, and the names of the files that were read;
then the newest messages within a budget, and what is typed next.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import First, Messages, in_order, summary
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, Span, builtin, computed, label, param_value
from promptscope_engine.workspace import Workspace

from .levers import positive
from .materials import Materials

_INTRO = "What was said before this point was compacted; this summary takes its place:"
_KEEP = 20_000
"""Tokens of the newest messages that are kept (`agents.defaults.compaction.keepRecentTokens`)."""
_CHARS_PER_TOKEN = 4
_TURNS = 3
"""Turns before these of which the beginnings follow the summary (`recentTurnsPreserve`)."""
_BEGINNING = 600
"""Characters of a message there."""
_EMPTY = (
    ("Decisions", "No prior history."),
    ("Open TODOs", "None."),
    ("Constraints/Rules", "None."),
    ("Pending user asks", "None."),
    ("Exact identifiers", "None captured."),
)
"""Takes the summary's place when the turns before are few enough to follow it whole."""

_Kind = Literal["user", "answer", "call", "result"]
_WORDS: dict[_Kind, str] = {
    "user": "User",
    "answer": "Assistant",
    "call": "Assistant",
    "result": "Tool result ({tool})",
}


class _Message(NamedTuple):
    """A message of the conversation; of a call its input and the files that it read, of a result its tool."""

    kind: _Kind
    text: str
    tool: str = ""
    files: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """As the client estimates them."""
        return -(-(len(self.text) + len(self.tool) * (self.kind == "call")) // _CHARS_PER_TOKEN)

    @property
    def beginning(self) -> str:
        """Its line behind the summary."""
        text = "[non-text content: toolCall]" if self.kind == "call" else self.text
        cut = f"{text[:_BEGINNING]}..." if len(text) > _BEGINNING else text
        return f"- {_WORDS[self.kind].format(tool=self.tool)}: {cut}"


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, _workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    task = next((each for each in sections if each.id == "user.task"), None)
    stamp = tuple(takewhile(lambda span: span.origin.kind != "param", task.spans)) if task else ()
    first = First(sections, event, read="read:", stamp=stamp)
    if not event.compacts:
        return first.uncompacted()
    said = [*_conversation(event)]
    keep = positive(gathered.materials.settings.get("agents.defaults.compaction.keepRecentTokens"), _KEEP)
    at = _cut(said, keep)
    messages = first.messages
    told = messages.one("after.summary", "The summary", tuple(_told(event, said, at)))
    return (*first.system, told, *_kept(said[at:], messages), *messages.again(first.typed), *first.lost())


def _conversation(event: After) -> Iterator[_Message]:
    for each in in_order(event):
        if isinstance(each, str):
            yield _Message("user", each)
        elif each.tool:
            yield _Message("call", each.input, each.tool, tuple(each.files))
            yield from (_Message("result", text, each.tool) for text in each.results)
        elif each.spoken:
            yield _Message("answer", each.spoken)


def _cut(said: Sequence[_Message], keep: int) -> int:
    """Where the newest messages begin that are kept: the last answer at least; no result is parted from its call."""
    held = 0
    for at in range(len(said) - 1, -1, -1):
        held += said[at].tokens
        if held >= keep:
            return next((n for n in range(at, len(said)) if said[n].kind != "result"), len(said) - 1)
    return len(said) - 1


def _kept(said: Sequence[_Message], messages: Messages) -> Iterator[SectionDraft]:
    for number, each in enumerate(said):
        span = param_value("after.exchanges", each.text)
        if each.kind in ("answer", "call"):
            yield messages.one(f"after.answer:{number}", "An answer", [span], "assistant")
        else:
            stamp = messages.stamp if each.kind == "user" else ()
            yield messages.one(f"after.followed:{number}.0", "What followed", [*stamp, span])


def _told(event: After, said: Sequence[_Message], at: int) -> Iterator[Span]:
    """The message with the summary."""
    turn = max((n for n in range(min(at + 1, len(said))) if said[n].kind == "user"), default=0)
    starts = [n for n in range(turn) if said[n].kind == "user"]
    recent = starts[-_TURNS] if len(starts) >= _TURNS else 0
    yield builtin("after.summary", _INTRO)
    yield label("\n\n<summary>\n")
    if recent or event.compactions > 1:
        yield summary(event)
    else:
        yield label("## Latest user request context\n")
        yield param_value("after.said", f'"{said[turn].text}"' if said else "")
        yield label("".join(f"\n\n## {heading}\n{text}" for heading, text in _EMPTY))
    if at > turn:
        yield label("\n\n**Turn Context (split turn):**\n\n")
        yield summary(event)
    if recent < turn:
        yield label("\n\n## Recent turns preserved verbatim\n")
        yield param_value("after.exchanges", "\n".join(each.beginning for each in said[recent:turn]))
    if reads := {path for each in said[:at] for path in each.files}:
        yield label("\n\n<read-files>\n")
        yield computed("after.reads", "\n".join(sorted(reads)))
        yield label("\n</read-files>")
    yield label("\n</summary>")
