"""Codex's sections in the order of its input items (agent.toml): those that lists decide are made here."""

import posixpath
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.headings import by_headings
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Named
from promptscope_engine.prompt.drafts import (
    SectionDraft,
    Span,
    ToolDraft,
    builtin,
    computed,
    environment,
    label,
    param_value,
)

from .materials import AgentsFile, Materials
from .texts import FOLDER, base_parts, scope_of, text

PERSONALITY = "base.personality"


def base_sections(m: Materials) -> Iterator[SectionDraft]:
    """The user's own text, or the model's own, a section for each of its headings."""
    place = FOLDER.place("base")
    yield SectionDraft("base", "Base instructions of your own", m.base, when=m.gates["own_base"], place=place)
    parts = base_parts(m.model.base, m.version)
    for section in by_headings(_part(m, part, whole) for part, whole in parts):
        when: Condition = ~m.gates["own_base"] & _gate(m, section.id.removeprefix("base."))
        # `personality = "none"` takes the section with its subsections; models that are not known keep theirs.
        if PERSONALITY in (section.id, section.parent) and m.model.known:
            when = when & m.gates["personality"]
        measured = f"base.{m.model.base}.{section.id.removeprefix('base.')}"
        yield replace(section, when=when, place=place, reference=measured)


_BASE_PARTS: Mapping[str, Mapping[str, str]] = {
    "planning": {"when": "plans"},
    "update_plan": {"when": "plans"},
    "checklist": {"when": "plans", "of": "updates"},
    "updates_more": {"of": "updates"},
}
"""Parts of the base that are there on a condition, or are in the section of another part."""


def _part(m: Materials, part: str, whole: str) -> Span:
    """A part of a base, which may belong to the section of another one."""
    of = _BASE_PARTS.get(part, {}).get("of")
    return builtin(f"base.{of}", f"\n{whole}", when=_gate(m, part)) if of else builtin(f"base.{part}", whole)


def _gate(m: Materials, part: str) -> Condition:
    gate = _BASE_PARTS.get(part, {}).get("when")
    return m.gates[gate] if gate else ALWAYS


# --- AGENTS.md ---------------------------------------------------------------------------------------------


def agents_md_sections(m: Materials) -> Iterator[SectionDraft]:
    """A label, the user's text, those of the project from its root down, and a closing tag: one text."""
    place = FOLDER.place("context", "agents_md")
    files = [*([m.user_file] if m.user_file else []), *m.project_files]
    there = _any_file(m, tuple(file.counts for file in files))
    of_project = _any_file(m, tuple(file.counts for file in m.project_files))
    head = (
        label("# AGENTS.md instructions"),
        label(" for ", when=of_project),
        environment("cwd", m.cwd, when=of_project),
        label("\n\n<INSTRUCTIONS>\n"),
    )
    yield SectionDraft("agents_md", "AGENTS.md", head, "# AGENTS.md instructions", there, place)
    if m.user_file is not None:
        yield _file(m, m.user_file, m.user_file.spans)
    sent = [file for file in m.project_files if file.spans]
    for file in m.project_files:
        yield _file(m, file, (*_separator(m, sent.index(file)), *file.spans) if file.spans else ())
    closing, title = (label("\n</INSTRUCTIONS>"),), "End of the instructions"
    yield SectionDraft("agents_md.closing", title, closing, None, there, place, parent="agents_md")


def _separator(m: Materials, number: int) -> Iterator[Span]:
    """A line between the user's text and the project's, a blank line between the project's own."""
    if number:
        yield label("\n\n")
    elif m.user_file is not None:
        yield label("\n\n--- project-doc ---\n\n", when=m.user_file.counts)


def _file(m: Materials, file: AgentsFile, spans: tuple[Span, ...]) -> SectionDraft:
    shown = posixpath.relpath(file.path, m.cwd)  # also of folders above it
    if file.path.startswith(f"{m.codex_home}/") and not m.cwd.startswith(m.codex_home):
        shown = f"~/.codex/{file.path.removeprefix(m.codex_home + '/')}"
    place = FOLDER.place("context", "agents_md")
    section_id = "agents_md.user" if file is m.user_file else f"agents_md.file:{shown}"
    title = f"{shown}, {file.note}" if file.note else shown
    return SectionDraft(section_id, title, spans, None, file.counts, place, parent="agents_md")


def _any_file(m: Materials, counts: tuple[Condition, ...]) -> Condition:
    if not counts:
        return FOLDER.reason("agents_md", folder=m.cwd.rstrip("/"))
    return Named("file", "AGENTS.md", AnyOf(counts), "there is an AGENTS.md")


# --- the prompt -------------------------------------------------------------------------------------------------------


def prompt_sections(m: Materials) -> Iterator[SectionDraft]:
    """The images, each between two texts, then what the user typed."""
    for image in m.images:
        where, path = f"image.{image.number}", param_value("args.images", image.path)
        if image.url:
            head = label(f'<image name=[Image #{image.number}] path="')
            yield _prompted(where, f"Image {image.number}", head, path, label('">'))
            yield _prompted(f"{where}.closing", "End of the image", label("</image>"), parent=where)
        else:
            yield _prompted(where, f"Image {image.number}, not readable", *text(m, "image_lost", path=path))
    yield _prompted("prompt", "Prompt", param_value("prompt", m.prompt))


def _prompted(section_id: str, title: str, *spans: Span, parent: str | None = None) -> SectionDraft:
    place = FOLDER.place("prompt", section_id)
    return SectionDraft(section_id, title, spans, None, place=place, stability="turn", parent=parent)


def mentioned_sections(m: Materials) -> Iterator[SectionDraft]:
    """A message for each skill that the prompt names: its whole file."""
    for number, skill in enumerate(m.mentioned):
        name, path = computed("skill.name", skill.name), environment("skill.path", skill.path)
        spans = tuple(text(m, "skill_mentioned", skill={"name": name, "path": path, "text": skill.spans}))
        own = FOLDER.place("mentioned", f"skill.{number}")
        place = replace(own, message=(own.message or 0) + number)
        section_id = f"skill:{skill.path}" if skill.path else f"skill.none:{skill.name}"
        title = f"Skill {skill.name}"
        yield SectionDraft(section_id, title, spans, None, skill.when, place=place, stability="turn")


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    made = {
        "base": lambda: base_sections(m),
        "agents_md": lambda: agents_md_sections(m),
        "prompt": lambda: prompt_sections(m),
        "mentioned": lambda: mentioned_sections(m),
    }
    return tuple(FOLDER.sections(scope_of(m), made))
