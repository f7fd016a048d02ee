"""OpenCode's sections in the order of the request (agent.toml): those that lists decide are made here."""

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from promptscope_engine.agents.opencode.collecting import Instructions
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft, label
from promptscope_engine.prompt.spans import joined

from .materials import Materials
from .texts import FOLDER, entry_of, scope_of

_KEPT = 60
"""Characters of a title."""


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    made = {"base": lambda: _base(m), "instructions": lambda: _instructions(m), "parts": lambda: _parts(m)}
    return tuple(FOLDER.sections(scope_of(m), made))


def _base(m: Materials) -> Iterator[SectionDraft]:
    """The agent's own prompt, or the model's text, a section for each of its headings."""
    own: Condition = m.gates["own_prompt"]
    place = FOLDER.place("system")
    yield SectionDraft("base.own", f"Prompt of the agent {m.agent.name}", m.agent.prompt or (), None, own, place)
    above = None
    for part, spans in _pieces(FOLDER.spans(f"base.{m.base}", scope_of(m))):
        first = spans[0].text.partition("\n")[0]
        heading = first if first.startswith("#") else None
        top = heading is None or heading.startswith("# ")
        yield SectionDraft(
            part,
            (heading or "Introduction").lstrip("# "),
            (label(f"{heading}\n"), replace(spans[0], text=spans[0].text[len(first) + 1 :]), *spans[1:])
            if heading
            else spans,
            heading,
            ~own,
            place,
            "static",
            parent=None if top else above,
            reference=part,
        )
        above = part if top else above


def _pieces(spans: list[Span]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The spans of each mark, with the values among them."""
    name = ""
    named = []
    for span in spans:
        name = span.origin.id or name
        named.append((name, span))
    for part, group in groupby(named, key=lambda pair: pair[0]):
        *before, last = (span for _, span in group)
        yield part, (*before, replace(last, text=last.text.removesuffix("\n")))


def _instructions(m: Materials) -> Iterator[SectionDraft]:
    """One text for each file and address."""
    place = FOLDER.place("system")
    for each in m.instructions:
        name = f"instructions:{each.path}"
        yield SectionDraft(name, _titled(each), entry_of(each), None, each.when, place, parent="instructions")
    if not m.instructions:
        none = Fact("file", "AGENTS.md", False, "", "no file of instructions counts", remedy="create AGENTS.md")
        yield SectionDraft("instructions", "Instructions", (), None, none, place)


def _titled(each: Instructions) -> str:
    return each.path if len(each.path) <= _KEPT else f"…{each.path[-_KEPT:]}"


def _parts(m: Materials) -> Iterator[SectionDraft]:
    """The texts of the messages, each a block of its own."""
    for part in m.parts:
        place = replace(FOLDER.place("message", part.id), message=part.message, role=part.role)
        spans = part.spans if joined(part.spans) else ()
        yield SectionDraft(part.id, part.title, spans, None, part.when, place, "turn", reference=part.measured or None)
