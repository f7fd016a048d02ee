"""OpenCode's sections in the order of the request (agent.toml): those that lists decide are made here."""

from collections.abc import Iterator

from msgspec.structs import replace

from promptscope_engine.agents.kit.headings import by_headings
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.spans import joined

from .materials import Materials
from .texts import FOLDER


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    made = {"base": lambda: _base(m), "no_instructions": lambda: _no_instructions(m), "parts": lambda: _parts(m)}
    return tuple(FOLDER.sections(m.scope, made))


def _base(m: Materials) -> Iterator[SectionDraft]:
    """The agent's own prompt, or the model's text, a section for each of its headings."""
    own: Condition = m.gates["own_prompt"]
    place = FOLDER.place("system")
    yield SectionDraft("base.own", f"Prompt of the agent {m.agent.name}", m.agent.prompt or (), None, own, place)
    for section in by_headings(_pieces(FOLDER.spans(f"base.{m.base}", m.scope))):
        yield replace(section, when=~own, place=place, reference=section.id)


def _pieces(spans: list[Span]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The spans of each mark, with the values among them."""
    name = ""
    parts: dict[str, list[Span]] = {}
    for span in spans:
        name = span.origin.id or name
        parts.setdefault(name, []).append(span)
    for part, (*before, last) in parts.items():
        yield part, (*before, replace(last, text=last.text.removesuffix("\n")))


def _no_instructions(m: Materials) -> Iterator[SectionDraft]:
    if not m.scope.value("instructions"):
        none = Fact("file", "AGENTS.md", False, "", "no file of instructions counts", remedy="create AGENTS.md")
        yield SectionDraft("instructions", "Instructions", (), None, none, FOLDER.place("system"))


def _parts(m: Materials) -> Iterator[SectionDraft]:
    """The texts of the messages, each a block of its own."""
    for part in m.parts:
        place = replace(FOLDER.place("message", part.id), message=part.message, role=part.role)
        spans = part.spans if joined(part.spans) else ()
        yield SectionDraft(part.id, part.title, spans, None, part.when, place, "turn", reference=part.measured or None)
