"""AGENTS.md and .rooignore: the project's own files besides the rules (specs/roo.md 4.7, 4.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Any, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, SectionDraft, builtin, file_text, label, trimmed_file
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .rules_files import binary_diagnostic, file_diagnostic, linked_file, why_no_text

PARENT = "custom_instructions"
AGENT_FILES = ("AGENTS.md", "AGENT.md")
USE_AGENT_RULES = flag("settings.useAgentRules")
USE_ROO_IGNORE = flag("useRooIgnore")

IGNORE_NOTE = (
    "(What follows comes from a .rooignore file in the root of the workspace: patterns, written as in a .gitignore, "
    "for files and directories whose contents are closed to you. When list_files is used, such entries carry the "
    "sign 🔒. Trying to reach one of them, with read_file for example, ends in an error.)"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One block among the rules, with its files."""

    section: SectionDraft
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


# --- AGENTS.md -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _AgentFile:
    name: str
    file: FileText
    trimmed: str
    when: Condition


def agents_block(workspace: Workspace, cwd: str) -> Block:
    """`AGENTS.md`, else `AGENT.md`, of the workspace's root alone; the first that is not blank."""
    return workspace.memo(("roo.agents_md", cwd), lambda: _agents_block(workspace, cwd))


def _agents_block(workspace: Workspace, cwd: str) -> Block:
    candidates = _candidates(workspace, cwd)
    chosen = next((c for c in candidates if c.trimmed), candidates[0])
    heading = f"# Agent Rules Standard ({chosen.name}):"
    return Block(
        section=SectionDraft(
            id=f"{PARENT}.agents_md",
            title=chosen.name,
            heading=heading,
            pieces=(label(f"\n\n{heading}\n"), trimmed_file(chosen.name, chosen.file.text, chosen.trimmed)),
            when=Any(tuple(c.when for c in candidates)) if not chosen.trimmed else chosen.when,
            parent=PARENT,
        ),
        files=tuple(
            FileDraft(
                path=c.name,
                real_path=c.file.real_path,
                kind="agents-md",
                load="always",
                when=c.when,
                bytes=len(c.file.data),
                raw_chars=len(c.file.text),
                injected=c.trimmed,
            )
            for c in candidates
        ),
        diagnostics=tuple(_agent_diagnostics(candidates)),
    )


def _candidates(workspace: Workspace, cwd: str) -> list[_AgentFile]:
    when = USE_AGENT_RULES
    found: list[_AgentFile] = []
    for name in AGENT_FILES:
        path = f"{cwd}/{name}"
        is_link = workspace.kind(path, follow=False) == "link"
        # A link is resolved as those of the rules; one to a directory stands for the first file in there (4.7).
        file = workspace.read((linked_file(workspace, path) if is_link else None) or path)
        trimmed = js_trim(file.text)
        own = Observed("file", name, bool(trimmed), f"{name} was found", why_no_text(name, file))
        found.append(_AgentFile(name, file, trimmed, when & own))
        when = when & Observed("file", name, not trimmed, f"{name} does not count", f"{name} comes first")
    return found


def _agent_diagnostics(candidates: list[_AgentFile]) -> Iterator[Diagnostic]:
    for candidate in candidates:
        if candidate.file.problem not in (None, "missing", "directory"):
            yield file_diagnostic(candidate.file.path, candidate.file)
        elif candidate.file.looks_binary:
            yield binary_diagnostic(candidate.file.path)
        if candidate.trimmed:
            return


# --- .rooignore ----------------------------------------------------------------------------------------------------


def rooignore_block(workspace: Workspace, cwd: str) -> Block:
    """The text of `.rooignore` as it stands, untrimmed: a byte order mark stays, a blank file counts (4.6, 4.8)."""
    name = ".rooignore"
    file = workspace.read(f"{cwd}/{name}")
    nothing = f"{name} is empty" if file.found else why_no_text(name, file)
    when = USE_ROO_IGNORE & Observed("file", name, bool(file.text), f"{name} was found", nothing)
    heading = f"# {name}"
    section = SectionDraft(
        id=f"{PARENT}.rooignore",
        title=name,
        heading=heading,
        pieces=(
            label(f"\n\n{heading}\n\n"),
            builtin("custom_instructions.rooignore_note", IGNORE_NOTE),
            label("\n\n"),
            file_text(name, file.text, 1),
            label(f"\n{name}"),  # the file itself is added as an ignored pattern
        ),
        when=when,
        parent=PARENT,
    )
    draft = FileDraft(
        path=name,
        real_path=file.real_path,
        kind="rooignore",
        load="always",
        when=when,
        bytes=len(file.data),
        raw_chars=len(file.text),
        injected=file.text,
    )
    silent = file.problem in (None, "missing", "directory")
    return Block(section, (draft,), () if silent else (file_diagnostic(file.path, file),))
