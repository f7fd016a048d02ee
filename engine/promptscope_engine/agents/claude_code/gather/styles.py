"""Output styles: which one is in force, and its text (specs/claude-code.md 1.2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.materials import DEFAULT_STYLE, OutputStyle
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.heads import Budget
from promptscope_engine.agents.kit.rows import absent, file_row, may_read
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .frontmatter import Described, described, markdown_below, project_folders
from .settings import Sources


def gather_style(
    setting: Known[Json], folders: list[str], sources: Sources, workspace: Workspace, version: str
) -> tuple[OutputStyle, list[FileDraft], list[Diagnostic]]:
    """The style that the setting names, every style file, and what is wrong."""
    name = setting.value if isinstance(setting.value, str) and setting.value else DEFAULT_STYLE
    files: list[FileDraft] = []
    own: dict[str, OutputStyle] = {}
    diagnostics: list[Diagnostic] = []
    budget = Budget()
    for folder in folders:
        if not may_read(workspace, folder, "output-style", files):
            continue
        for path in markdown_below(workspace, folder, diagnostics):
            readable = may_read(workspace, path, "output-style", files)
            found = described(workspace, path, version, budget) if readable else None
            if found is None:
                continue
            style = _style(path, found)
            if own.setdefault(style.name, style) is style:
                when = replace(setting, value=name).is_(style.name, unset=DEFAULT_STYLE, yes="`outputStyle` names it")
                when = when & sources.own if sources.safe else when
            else:
                when = absent(path, "another style has the same name", f"give it a `name` of its own in {path}")
            files.append(file_row(found.source, "output-style", "on-demand", when, found.content.text))
    styles = {style: OutputStyle(style, built_in=True) for style in FOLDER.listed("styles", version)}
    styles |= {} if sources.safe else own
    if name.lower() != DEFAULT_STYLE and name not in styles:
        known = ", ".join(sorted(styles))
        diagnostics.append(Diagnostic("warning", "unknown-style", f"no output style is called {name}; known: {known}"))
    return styles.get(name, OutputStyle(DEFAULT_STYLE, built_in=True)), files, diagnostics


def _style(path: str, found: Described) -> OutputStyle:
    name = found.text("name").strip() or PurePosixPath(path).stem
    keep = found.values.get("keep-coding-instructions") is True
    return OutputStyle(name, built_in=False, body=found.content.pieces(path), keep_coding_instructions=keep)


def style_folders(cwd: str, root: str | None, config: str, managed: str, sources: Sources) -> list[str]:
    """The organisation's folder, the project's and the user's, as far as --setting-sources lets them in [D]."""
    project = project_folders(cwd, root, "output-styles") if sources.named_in("project") else []
    user = [f"{config}/output-styles"] if sources.named_in("user") else []
    return [f"{managed}/.claude/output-styles", *project, *user]
