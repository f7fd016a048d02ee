"""Stretches that stand in more than one place: git status, language, output style, machine facts, date."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.gates import Settable
from promptscope_engine.agents.claude_code.gather.git import STATUS_LIMIT
from promptscope_engine.agents.claude_code.materials import Materials, Origined
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, computed, environment, file_text, label, param_value
from promptscope_engine.prompt.model import Lever

from . import prose_messages, prose_styles


def git_pieces(m: Materials) -> tuple[Piece, ...]:
    """The snapshot from its notice to the last commit (4); () without one."""
    return tuple(_git_pieces(m))


def _git_pieces(m: Materials) -> Iterator[Piece]:
    git = m.git
    if git is None:
        return
    yield from prose_messages.git_notice(m)
    yield label("\n\nCurrent branch: ")
    yield computed("git.branch", git.branch)
    yield label("\n\nMain branch (you will usually use this for PRs): ")
    yield computed("git.main_branch", git.main_branch)
    if git.user:
        yield label("\n\nGit user: ")
        yield computed("git.user", git.user)
    yield label("\n\nStatus:\n")
    yield computed("git.status", git.status_shown) if git.status_shown else label("(clean)")
    if git.cut:
        yield label("\n")
        yield from prose_messages.status_cut(m, STATUS_LIMIT)
    yield label("\n\nRecent commits:\n")
    yield computed("git.commits", "\n".join(git.commits))


def language_gate(m: Materials) -> Condition:
    """The setting `language` is given."""
    off = (Lever("settings.language", ""),)  # null would leave it to the files
    return Settable(
        "flag", "settings.language", m.language is not None, "`language` is set", "`language` is not set", off=off
    )


def language_pieces(m: Materials) -> Iterator[Piece]:
    """`# Language` and what it asks for."""
    if m.language is None:
        return
    yield label("# Language\n")
    yield from prose_messages.language(m, setting_value("settings.language", m.language))


def setting_value(name: str, setting: Origined) -> Piece:
    """A setting's text with the file and line that set it, or the param."""
    text = str(setting.value)
    if setting.path and setting.line:
        return file_text(setting.path, text, setting.line)
    return param_value(name, text) if setting.path is None else computed(name, text)


def style_gate(m: Materials) -> Condition:
    """An output style other than the default is in force."""
    return Settable(
        "flag",
        "settings.outputStyle",
        m.style is not None,
        f"the output style {m.style.name if m.style else ''} is in force",
        "no output style is set",
        on=(Lever("settings.outputStyle", "Explanatory"),),
        off=(Lever("settings.outputStyle", "default"),),
    )


def style_heading(m: Materials) -> str:
    """The heading of the style in force."""
    return f"# Output Style: {m.style.name}" if m.style else "# Output Style"


def style_pieces(m: Materials) -> Iterator[Piece]:
    """`# Output Style: <name>` and its text."""
    if m.style is None:
        return
    yield label("# Output Style: ")
    yield computed("output_style.name", m.style.name)
    yield label("\n")
    yield from prose_styles.STYLES[m.style.name](m) if m.style.built_in else m.style.body


def machine_facts(m: Materials) -> Iterator[Piece]:
    """The bullets from the working directory to the system's version, joined by line breaks, none at the end."""
    facts = m.inputs.environment
    yield label(" - Primary working directory: ")
    yield environment("cwd", m.cwd)
    # Layout A indents the repository line, as if it belonged to the directory.
    yield label("\n  - Is a git repository: " if m.layout == "A" else "\n - Is a git repository: ")
    yield computed("is_git_repository", "true" if m.git_root else "false")
    if m.additional:
        yield label("\n - Additional working directories:")
        for folder in m.additional:
            yield label("\n  - ")
            yield param_value("args.addDir", folder)
    yield label("\n - Platform: ")
    yield environment("platform", facts.platform or "")
    yield label("\n - Shell: ")
    yield environment("shell", (facts.shell or "unknown").rpartition("/")[2])
    yield label("\n - OS Version: ")
    yield environment("os_version", f"{facts.os_type} {facts.os_version}")


def date_of(m: Materials) -> str:
    """The day, `2026-11-20`."""
    return (m.inputs.environment.date or "")[:10]
