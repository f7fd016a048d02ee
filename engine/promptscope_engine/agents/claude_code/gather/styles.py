"""Output styles: which one is in force, and its text (specs/claude-code.md 1.2)."""

from __future__ import annotations

from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.materials import OutputStyle
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .frontmatter import Described, described, markdown_below, project_folders
from .settings import Sources

BUILT_IN = ("Explanatory", "Learning")
DEFAULT = "default"


def gather_style(
    chosen: Json, folders: list[str], workspace: Workspace
) -> tuple[OutputStyle | None, list[FileDraft], list[Diagnostic]]:
    """The style that the setting names, every style file, and what is wrong."""
    name = chosen if isinstance(chosen, str) else DEFAULT
    files: list[FileDraft] = []
    styles: dict[str, OutputStyle] = {style: OutputStyle(style, built_in=True) for style in BUILT_IN}
    own: dict[str, OutputStyle] = {}
    for folder in folders:
        for path in markdown_below(workspace, folder):
            found = described(workspace, path)
            if found is None:
                continue
            style = _style(path, found)
            own.setdefault(style.name, style)
            selected = style.name == name and own[style.name] is style
            when = Observed("file", path, selected, "`outputStyle` names it", f"`outputStyle` is {name}")
            source = found.source
            files.append(
                FileDraft(
                    path,
                    source.real_path,
                    "output-style",
                    "on-demand",
                    when,
                    source.size,
                    len(source.text),
                    found.content.text,
                )
            )
    styles |= own
    diagnostics = []
    if name.lower() != DEFAULT and name not in styles:
        known = ", ".join(sorted(styles))
        diagnostics.append(Diagnostic("warning", "unknown-style", f"no output style is called {name}; known: {known}"))
    return styles.get(name), files, diagnostics


def _style(path: str, found: Described) -> OutputStyle:
    name = found.text("name").strip() or PurePosixPath(path).stem
    keep = found.values.get("keep-coding-instructions") is True
    return OutputStyle(name, built_in=False, body=found.content.pieces(path), keep_coding_instructions=keep)


def style_folders(cwd: str, root: str | None, config: str, sources: Sources) -> list[str]:
    """The project's folders, then the user's, as far as --setting-sources lets them in."""
    project = project_folders(cwd, root, "output-styles") if sources.allows("project") else []
    return [*project, *([f"{config}/output-styles"] if sources.allows("user") else [])]
