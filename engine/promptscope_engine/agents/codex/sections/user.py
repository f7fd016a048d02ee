"""What stands before and around what the user types (specs/codex.md 1.4, 2, 5, 8.8, 10)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from promptscope_engine.agents.codex.materials import AgentsFile, Entry, Materials
from promptscope_engine.prompt.conditions import Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import (
    Piece,
    SectionDraft,
    builtin,
    computed,
    environment,
    label,
    param_value,
)

from . import prose
from .places import PROMPT_HOOK, REMINDER, SESSION_HOOK, budget, mentioned, prompt, user_context

AGENTS_MD = user_context("agents_md")


# --- AGENTS.md (2.1, 2.2) ---------------------------------------------------------------------------------------------


def agents_md_sections(m: Materials) -> Iterator[SectionDraft]:
    """A label, the user's text, those of the project from its root down, and a closing tag: one text."""
    files = [*([m.user_file] if m.user_file else []), *m.project_files]
    there = _any(m, tuple(file.counts for file in files))
    of_project = _any(m, tuple(file.counts for file in m.project_files))
    head = (
        label("# AGENTS.md instructions"),
        label(" for ", when=of_project),
        environment("cwd", m.environment.cwd, when=of_project),
        label("\n\n<INSTRUCTIONS>\n"),
    )
    yield SectionDraft("agents_md", "AGENTS.md", head, "# AGENTS.md instructions", there, AGENTS_MD)
    if m.user_file is not None:
        yield _file(m, m.user_file, m.user_file.pieces)
    sent = [file for file in m.project_files if file.pieces]
    for file in m.project_files:
        yield _file(m, file, (*_separator(m, sent.index(file)), *file.pieces) if file.pieces else ())
    yield SectionDraft(
        "agents_md.closing", "End of the instructions", (label("\n</INSTRUCTIONS>"),), None, there, AGENTS_MD,
        parent="agents_md",
    )  # fmt: skip


def _separator(m: Materials, number: int) -> Iterator[Piece]:
    """A line between the user's text and the project's, a blank line between the project's own."""
    if number:
        yield label("\n\n")
    elif m.user_file is not None:
        yield label("\n\n--- project-doc ---\n\n", when=m.user_file.counts)


def _file(m: Materials, file: AgentsFile, pieces: tuple[Piece, ...]) -> SectionDraft:
    shown = _shown(m, file.path)
    section_id = "agents_md.user" if file is m.user_file else f"agents_md.file:{shown}"
    title = f"{shown}, {file.note}" if file.note else shown
    return SectionDraft(section_id, title, pieces, None, file.counts, AGENTS_MD, parent="agents_md")


def _shown(m: Materials, path: str) -> str:
    """The path relative to the working directory, also for folders above it."""
    if path.startswith(f"{m.codex_home}/") and not m.environment.cwd.startswith(m.codex_home):
        return f"~/.codex/{path.removeprefix(m.codex_home + '/')}"
    return os.path.relpath(path, m.environment.cwd)


def _any(m: Materials, counts: tuple[Condition, ...]) -> Condition:
    if not counts:
        remedy = f"create {m.environment.cwd.rstrip('/')}/AGENTS.md"
        return Observed("file", "AGENTS.md", False, "", "there is no AGENTS.md with a text", remedy=remedy)
    return Named("file", "AGENTS.md", Any(counts), "there is an AGENTS.md")


# --- the environment (5) ----------------------------------------------------------------------------------------------


def environment_section(m: Materials) -> SectionDraft:
    """Where the session runs. Texts are escaped as in XML."""
    e = m.environment

    def pieces() -> Iterator[Piece]:
        yield label("<environment_context>")
        yield from _element("cwd", e.cwd)
        yield from _element("shell", e.shell)
        if e.date is not None:
            yield from _element("current_date", e.date)
        if e.timezone is not None:
            yield from _element("timezone", e.timezone)
        yield label("\n  <filesystem><workspace_roots>")
        for root in m.sandbox.roots:
            yield label("<root>")
            yield environment("workspace_root", escape(root))
            yield label("</root>")
        yield label("</workspace_roots>")
        yield from _profile(m.sandbox.profile)
        yield label("</filesystem>\n</environment_context>")

    return SectionDraft(
        "environment", "Environment", tuple(pieces()), None, m.gates.environment, user_context("environment")
    )


def escape(text: str) -> str:
    """A text within XML. The standard library's own brings a web client along: 80 ms."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _element(name: str, value: str) -> Iterator[Piece]:
    yield label(f"\n  <{name}>")
    yield environment(name, escape(value))
    yield label(f"</{name}>")


def _profile(entries: tuple[Entry, ...] | None) -> Iterator[Piece]:
    """What the sandbox lets commands read and write."""
    if entries is None:
        yield label('<permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile>')
        return
    yield label('<permission_profile type="managed"><file_system type="restricted">')
    for entry in entries:
        fixed = ' escalatable="false"' if entry.access == "deny" else ""
        yield label(f'<entry access="{entry.access}"{fixed}><{entry.kind}>')
        yield environment("permission", escape(entry.value))
        yield label(f"</{entry.kind}></entry>")
    yield label("</file_system></permission_profile>")


# --- the window, hooks, the prompt ------------------------------------------------------------------------------------


def budget_sections(m: Materials) -> Iterator[SectionDraft]:
    """Three texts in one message (1.4)."""
    when = m.gates.on("token_budget")
    ids = (builtin("context_window", prose.WINDOW),)
    yield SectionDraft(
        "context_window", "Context window", (label("<context_window>"),), None, when, budget("context_window")
    )
    yield SectionDraft(
        "context_window.ids",
        "Ids of the window",
        ids,
        None,
        when,
        budget("context_window.ids"),
        "turn",
        "context_window",
    )
    yield SectionDraft(
        "context_window.closing", "End of the window", (label("</context_window>"),), None, when,
        budget("context_window.closing"), parent="context_window",
    )  # fmt: skip


def session_hook_section(m: Materials) -> SectionDraft:
    return SectionDraft(
        "hooks.session_start", "SessionStart hook", m.session_hook, None, m.gates.session_hook, SESSION_HOOK
    )


def prompt_hook_section(m: Materials) -> SectionDraft:
    return SectionDraft(
        "hooks.user_prompt_submit",
        "UserPromptSubmit hook",
        m.prompt_hook,
        None,
        m.gates.prompt_hook,
        PROMPT_HOOK,
        "turn",
    )


def prompt_sections(m: Materials) -> Iterator[SectionDraft]:
    """The images, each between two texts, then what the user typed (10.2)."""
    for image in m.images:
        head = (
            label(f'<image name=[Image #{image.number}] path="'),
            param_value("args.images", image.path),
            label('">'),
        )
        where = f"image.{image.number}"
        if not image.url:
            lost = (builtin("image.lost", prose.IMAGE_LOST), param_value("args.images", image.path), label("`."))
            yield SectionDraft(
                where, f"Image {image.number}, not readable", lost, None, place=prompt(where), stability="turn"
            )
            continue
        yield SectionDraft(where, f"Image {image.number}", head, None, place=prompt(where), stability="turn")
        tail = (label("</image>"),)
        yield SectionDraft(
            f"{where}.closing", "End of the image", tail, None, place=prompt(f"{where}.closing"), stability="turn",
            parent=where,
        )  # fmt: skip
    pieces = (param_value("prompt", m.prompt),)
    yield SectionDraft("prompt", "Prompt", pieces, None, place=prompt("prompt"), stability="turn")


def mentioned_sections(m: Materials) -> Iterator[SectionDraft]:
    """A message for each skill that the prompt names: its whole file (8.8)."""
    for number, skill in enumerate(m.mentioned):
        pieces = (
            label("<skill>\n<name>"),
            computed("skill.name", skill.name),
            label("</name>\n<path>"),
            environment("skill.path", skill.path),
            label("</path>\n"),
            *skill.pieces,
            label("\n</skill>"),
        )
        place = mentioned(number)
        yield SectionDraft(f"skill:{skill.path}", f"Skill {skill.name}", pieces, None, place=place, stability="turn")


def reminder_section(m: Materials) -> SectionDraft:
    pieces = (
        label("<current_time_reminder>"),
        builtin("current_time_reminder", prose.TIME),
        environment("date", m.environment.date or ""),
        label("</current_time_reminder>"),
    )
    return SectionDraft(
        "current_time_reminder", "Time", pieces, None, m.gates.on("current_time_reminder"), REMINDER, "turn"
    )
