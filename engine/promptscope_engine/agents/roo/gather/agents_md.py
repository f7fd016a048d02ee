"""AGENTS.md and .rooignore: the project's own files besides the rules (specs/roo.md 4.7, 4.8)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.roo.gates import USE_AGENT_RULES, USE_ROO_IGNORE
from promptscope_engine.agents.roo.ignore import IGNORE_FILE
from promptscope_engine.agents.roo.materials import InstructionFile
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace

from .found import Found, binary_diagnostic, file_diagnostic, has_text
from .rules_files import linked_file

AGENT_FILES = ("AGENTS.md", "AGENT.md")


def find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    """`AGENTS.md`, then `AGENT.md`, of the workspace's root alone; the first that is not blank counts."""
    return workspace.memo(("roo.agents_md", cwd), lambda: _find_agent_files(workspace, cwd), tracked=True)


def _find_agent_files(workspace: Workspace, cwd: str) -> Found[tuple[InstructionFile, ...]]:
    texts = [(name, _agent_file(workspace, f"{cwd}/{name}")) for name in AGENT_FILES]
    files = tuple(first_with_text(texts))
    drafts = (
        file_row(text, "agents-md", "always", USE_AGENT_RULES & file.when, file.text, shown=file.name)
        for file, (_, text) in zip(files, texts, strict=True)
    )
    return Found(files, tuple(drafts), tuple(_diagnostics([text for _, text in texts])))


def _agent_file(workspace: Workspace, path: str) -> FileText:
    """A link is resolved as those of the rules; one to a directory stands for the first file in there (4.7)."""
    return workspace.read(linked_file(workspace, path) or path)


def first_with_text(files: list[tuple[str, FileText]]) -> Iterator[InstructionFile]:
    """The named files, of which the first that is not blank counts."""
    when: Condition = ALWAYS
    for name, file in files:
        text = js_trim(file.text)
        yield InstructionFile(name, file.text, text, when & has_text(name, file, text))
        no, remedy = f"{name} comes first", f"remove {name}"
        counts = bool(text) or (file.problem in ("outside", "too-large") and file.size > 0)  # unread here, not by Roo
        when = when & Observed("file", name, not counts, f"{name} does not count", no, actual=name, remedy=remedy)


def _diagnostics(files: list[FileText]) -> Iterator[Diagnostic]:
    for file in files:
        if file.problem not in (None, "missing", "directory"):
            yield file_diagnostic(file.path, file)
        elif file.looks_binary:
            yield binary_diagnostic(file.path)
        if js_trim(file.text):
            return


def find_rooignore(workspace: Workspace, cwd: str) -> Found[InstructionFile]:
    """The text of `.rooignore` as it stands, untrimmed: a byte order mark stays, a blank file counts (4.6, 4.8)."""
    file = workspace.read(f"{cwd}/{IGNORE_FILE}")
    when = USE_ROO_IGNORE & has_text(IGNORE_FILE, file, file.text)
    silent = file.problem in (None, "missing", "directory")
    return Found(
        InstructionFile(IGNORE_FILE, file.text, file.text, when),
        (file_row(file, "rooignore", "always", when, file.text, shown=IGNORE_FILE),),
        () if silent else (file_diagnostic(file.path, file),),
    )
