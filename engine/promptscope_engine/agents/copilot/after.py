"""A later request of Copilot CLI [asked of 1.0.102].

A compaction leaves one message with what the user said, the summary and the skill that was used last; the system text,
built again, names the checkpoint.
"""

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import First, exchanges, summary, typed_skills
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, Span, computed, file_text, label, param_value
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .texts import FOLDER

_CUT = "...<truncated>..."


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], inputs: Inputs, workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    event = inputs.after
    assert event is not None
    first = First(sections, event, read="woken:")
    if not event.compacts:
        return first.uncompacted()
    messages = first.messages
    told = messages.one(
        "after.summary", "What the user said, and the summary", tuple(_told(gathered, event, workspace))
    )
    beside = exchanges(event.exchanges[-1:], messages) if event.event == "auto" else ()
    return (*first.system, told, *beside, *messages.again(first.typed), *first.lost())


def _told(gathered: Gathered[Materials], event: After, workspace: Workspace) -> Iterator[Span]:
    scope = gathered.materials.scope
    yield from FOLDER.spans("after.said", scope)
    yield from _kept(event.said)
    yield from FOLDER.spans("after.summary", scope)
    yield label("\n<summary>\n")
    yield summary(event)
    yield label("\n</summary>\n")
    yield from _skills(gathered, event, workspace)


_SAID, _FIRST, _NEWEST = 30_000, 6_000, 24_000
"""Characters of what the user said that a compaction keeps; of more than that the most of the first message and of the
newest [asked of 1.0.102]."""


def _kept(said: Sequence[str]) -> Iterator[Span]:
    """All that fits a budget; of more the first and the newest, each cut to a share, and whole ones that still fit."""
    kept = {number: (each, False) for number, each in enumerate(said)}
    if sum(map(len, said)) > _SAID:
        kept = {0: _cut(said[0], _FIRST), len(said) - 1: _cut(said[-1], _NEWEST)}
        left = _SAID - sum(len(text) for text, _ in kept.values())
        for number in range(len(said) - 2, 0, -1):
            if len(said[number]) <= left:
                kept[number] = said[number], False
                left -= len(said[number])
    before = -1
    for number, (text, is_cut) in sorted(kept.items()):
        if number > before + 1:
            yield label(f"\n... {number - before - 1} messages omitted ...")
        yield label("\n<user_message>\n")
        yield param_value("after.said", text)
        yield label(f"{_CUT}\n</user_message>" if is_cut else "\n</user_message>")
        before = number


def _cut(text: str, most: int) -> tuple[str, bool]:
    return (text, False) if len(text) <= most else (text[: most - len(_CUT)].rstrip(), True)


def _skills(gathered: Gathered[Materials], event: After, workspace: Workspace) -> Iterator[Span]:
    """The text of the skill that was used last, and the names of the others."""
    scope = gathered.materials.scope
    found = {file.path.split("/")[-2]: file.path for file in gathered.files if file.kind == "skill"}
    used = [name for name in typed_skills(event) if name in found]
    if not used:
        return
    last, others = used[0], sorted(used[1:])
    source = workspace.read(found[last]).text
    head, body = _parted(source)
    yield label("\n\n<invoked_skills>\n## Most recent skill: ")
    yield computed("skill.name", last)
    yield label("\nPath: ")
    yield computed("skill.path", found[last])
    yield label("\n\n")
    yield from FOLDER.spans("after.skill", scope)
    yield label("\n\n")
    yield file_text(found[last], body, head.count("\n") + 1)
    yield label("\n")
    if others:
        yield label("\n\n## Previously used skills\n")
        yield from FOLDER.spans("after.skills", scope)
        for name in others:
            yield label("\n- ")
            yield computed("skill.name", f"{name}: {found[name]}")
        yield label("\n")
    yield label("</invoked_skills>")


def _parted(text: str) -> tuple[str, str]:
    """Front matter with its lines, and the text behind it."""
    end = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    return (text[: end + 5], text[end + 5 :]) if end >= 0 else ("", text)
