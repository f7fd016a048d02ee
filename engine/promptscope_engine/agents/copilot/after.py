"""A later request of Copilot CLI [asked of 1.0.102].

A compaction leaves one message with what the user said, the summary and the skill that was used last; the system text,
built again, names the checkpoint.
"""

from collections.abc import Iterator, Sequence

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.after import First, exchanges, summary, typed_skills
from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import SectionDraft, Span, computed, file_text, label, param_value
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .texts import FOLDER


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


def _kept(said: Sequence[str]) -> Iterator[Span]:
    """All that is short; of more than fits the first and the newest, that one cut."""
    limits = FOLDER.agent["after"]
    whole = sum(map(len, said)) <= limits["said_chars"]
    chosen = said if whole else [*said[:1], *said[-1:]]
    for number, each in enumerate(chosen):
        if number == 1 and not whole and len(said) > len(chosen):
            yield label(f"\n... {len(said) - len(chosen)} messages omitted ...")
        cut = each if len(each) <= limits["said_chars"] else each[: limits["said_chars"]]
        yield label("\n<user_message>\n")
        yield param_value("after.said", cut)
        yield label("...<truncated>...\n</user_message>" if cut != each else "\n</user_message>")


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
