"""Where Roo looks for instruction files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.kit.near_misses import Place, Reads

NAMES = ("AGENTS.md", "AGENT.md")
AT_ROOT = (*NAMES, ".roorules", ".clinerules", ".rooignore", ".roomodes")
"""Files that count at the workspace root alone."""


def reads(version: str) -> Reads:
    """What is said of a file that Roo does not look at."""
    roo = f"Roo Code {version}"
    rules = f"{roo} reads .roo only at the workspace root and in the home folder"
    return Reads(
        f"{roo} does not look at this file by itself: its instructions come from AGENTS.md, .roorules, .clinerules and"
        " .roo at the workspace root, and from ~/.roo",
        {
            **{name: f"{roo} reads {name} only at the workspace root" for name in AT_ROOT},
            "AGENTS.local.md": f"{roo} has no AGENTS.local.md: it reads AGENTS.md at the workspace root",
            "CLAUDE.md": f"{roo} does not read CLAUDE.md: it reads AGENTS.md at the workspace root",
            "GEMINI.md": f"{roo} does not read GEMINI.md: it reads AGENTS.md at the workspace root",
            ".roo/": rules,
            ".roo/rules/": rules.replace(".roo ", ".roo/rules "),
        },
    )


def places(cwd: str, home: str, version: str) -> Iterator[Place]:
    """The workspace root, its .roo, and the home folder."""
    said = reads(version)
    theirs = {name: said.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    theirs[".mcp.json"] = "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json"
    in_dot_roo = {f".roo/{name}": f"{name} counts beside .roo, not in it" for name in AT_ROOT}
    yield Place(cwd, "agents-md", AT_ROOT, others=in_dot_roo, theirs=theirs)
    if home != cwd:
        yield Place(home, "agents-md", theirs={name: said.sentence(name) for name in AT_ROOT})
