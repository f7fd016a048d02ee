"""OpenCode's sections in the order of the request (agent.toml): those that lists decide are made here."""

from collections.abc import Iterator

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.headings import by_headings
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import SectionDraft, ToolDraft
from promptscope_engine.prompt.spans import joined

from .materials import Materials
from .texts import FOLDER


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    return tuple(FOLDER.sections(m.scope, {"base": lambda: _base(m), "parts": lambda: _parts(m)}))


def _base(m: Materials) -> Iterator[SectionDraft]:
    """The agent's own prompt, or the model's text, a section for each of its headings."""
    own: Condition = m.gates["own_prompt"]
    place = FOLDER.place("system")
    yield SectionDraft("base.own", f"Prompt of the agent {m.agent.name}", m.agent.prompt or (), None, own, place)
    for section in by_headings(FOLDER.spans(f"base.{m.base}", m.scope), place.gap):
        yield replace(section, when=~own, place=place, reference=section.id)


def _parts(m: Materials) -> Iterator[SectionDraft]:
    """The texts of the messages, each a block of its own."""
    for part in m.parts:
        place = replace(FOLDER.place("message", part.id), message=part.message, role=part.role)
        spans = part.spans if joined(part.spans) else ()
        yield SectionDraft(part.id, part.title, spans, None, part.when, place, "turn", reference=part.measured or None)
