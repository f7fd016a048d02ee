"""Stretches that stand in more than one place: git status, language, output style, machine facts, date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.claude_code.materials import STATUS_LIMIT, AgentMemory, Materials, MemoryCut
from promptscope_engine.agents.claude_code.scope import style_gate, style_is, text
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import Choice, Piece, builtin, computed, environment, guarded, label, param_value
from promptscope_engine.prompt.leaves import given


def git_pieces(m: Materials) -> Iterator[Piece]:
    """The snapshot from its notice to the last commit (4)."""
    git = m.git
    name = "`git config user.name` is {}"
    user = _git("user", bool(git.user), name.format("set"), name.format("not set"), "run `git config user.name NAME`")
    changes = _git(
        "status", bool(git.status_shown), "there are changes", "nothing is changed", "change, commit or discard files"
    )
    limit = f"{STATUS_LIMIT:,} characters"
    cut = _git("cut", git.cut, f"the status is longer than {limit}", f"the status fits in {limit}", "change more files")
    facts = {
        "branch": computed("git.branch", git.branch),
        "main_branch": computed("git.main_branch", git.main_branch),
        "has_user": user,
        "user": computed("git.user", git.user),
        "failed": git.failed,
        "has_changes": changes,
        "status": computed("git.status", git.status_shown),
        "is_cut": cut,
        "bash_tool": computed("tool", "BashTool"),
        "bash": computed("tool", "Bash"),
        "commits": computed("git.commits", "\n".join(git.commits)),
    }
    yield from text(m, "messages.git", git=facts)


def _git(name: str, ok: bool, yes: str, no: str, remedy: str) -> Condition:
    return Observed("file", f"git {name}", ok, yes, no, remedy=remedy)


def language_gate(m: Materials) -> Condition:
    """The setting `language` is given."""
    return m.language.is_given("English", "", no="there is no `language`")  # null would leave it to the files


def language_pieces(m: Materials) -> Iterator[Piece]:
    """`# Language` and what it asks for."""
    return text(m, "messages.language", language=replace(m.language.piece(), text=m.language.value))


def style_heading(m: Materials) -> Choice[str]:
    """The heading of the style in force."""
    return Choice(((style_gate(m), f"# Output Style: {m.style.name}"),), "# Output Style")


def style_pieces(m: Materials) -> Iterator[Piece]:
    """`# Output Style: <name>` and its text."""
    yield label("# Output Style: ")
    yield computed("output_style.name", m.style.name)
    yield label("\n")
    for name in FOLDER.agent["styles"]:
        yield from guarded(text(m, f"styles.{name.lower()}"), style_is(m, name))
    yield from m.style.body


def machine_facts(m: Materials, repository: str = " - Is a git repository: ") -> Iterator[Piece]:
    """The bullets from the working directory to the system's version, joined by line breaks, none at the end.

    `repository` is how the second one begins.
    """
    facts = m.inputs.environment
    yield label(" - Primary working directory: ")
    yield environment("cwd", m.cwd)
    yield label(f"\n{repository}")
    yield computed("is_git_repository", "true" if m.git_root else "false")
    yield label("\n - Additional working directories:", when=ALWAYS if m.directories else given("args.addDir"))
    for known in m.directories:
        yield label("\n  - ")
        yield computed("permissions.additionalDirectories", known.value)
    named = {known.value for known in m.directories}
    for folder in (folder for folder in m.additional if folder not in named):
        yield label("\n  - ")
        yield param_value("args.addDir", folder)
    yield label("\n - Platform: ")
    yield environment("platform", facts.platform or "")
    yield label("\n - Shell: ")
    yield environment("shell", _shell(m))
    yield label("\n - OS Version: ")
    yield environment("os_version", f"{facts.os_type} {facts.os_version}")


def _shell(m: Materials) -> str:
    """The shell that commands run in, a bash or zsh by its path, and SHELL's where that is another one (recorded
    2.1.332); the login shell stands in for SHELL where no variable says."""
    shell = m.inputs.env.get("SHELL", m.inputs.environment.shell) or ""
    name = shell.rstrip("/").rpartition("/")[2]
    if m.version == V100:
        return name or "unknown"
    runs = "bash" in shell or "zsh" in shell
    return name if runs else f"bash (login shell: {name})" if name else "bash"


def tokens_left(_m: Materials) -> Iterator[Piece]:
    """The tag with the tokens that are left: recorded with the same number of characters whatever the window."""
    yield label("<total_tokens>")
    yield builtin("tokens_left.text", "15000000 tokens left")
    yield label("</total_tokens>")


def date_of(m: Materials) -> str:
    """The day, `2026-11-20`."""
    return (m.inputs.environment.date or "")[:10]


def memory_cut(m: Materials, cut: MemoryCut) -> Iterator[Piece]:
    """How long a MEMORY.md is, and from where on it is missing."""
    both = bool(cut.lines and cut.size)
    where = f" lines are missing, from line {cut.line} on" + (f' ("{cut.start}")' if cut.start else "")
    missing = f"line {cut.line} ends after 25000 characters" if cut.inside else f"{cut.total - cut.line + 1}{where}"
    return text(
        m,
        "context.memory_cut",
        size=computed("memory.size", f"{cut.lines} and {cut.size}" if both else cut.lines or cut.size),
        limit=None if both else computed("memory.limit", "200" if cut.lines else "24.4KB"),
        missing=computed("memory.missing", missing),
    )


def memory_index(m: Materials, memory: AgentMemory, scope: str) -> Iterator[Piece]:
    """Whom an agent's own memory is for, and its MEMORY.md."""
    index = {
        "refused": memory.refused,
        "empty": not memory.pieces,
        "text": memory.pieces,
        "cut": memory.cut is not None,
        "told": tuple(memory_cut(m, memory.cut)) if memory.cut else (),
    }
    return text(m, "memory.of_agent", scope={name: name == scope for name in ("project", "user", "local")}, index=index)
