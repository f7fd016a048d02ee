"""Where Roo looks for instruction files, and what it says nothing of: near misses and files elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from promptscope_engine.agents.kit.near_misses import Place, Reads
from promptscope_engine.inputs.errors import nearest

NAMES = ("AGENTS.md", "AGENT.md")
AT_ROOT = (*NAMES, ".roorules", ".clinerules", ".rooignore", ".roomodes")
"""Files that count at the workspace root alone."""
AT_TOP = (*AT_ROOT, ".roo/")
"""The same, with the folder that counts there and at home."""
_COMMANDS, _RULES = "commands", "rules"
_COUNTS = re.compile(r"rules(-[^/]+)?/|commands/[^/]+\.md$|mcp\.json$|system-prompt-[^/]+$")


def places(cwd: str, home: str, reads: Reads) -> Iterator[Place]:
    """The workspace root, its .roo, and the home folder."""
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    theirs |= {name: f"Roo Code does not read {name}" for name in (".cursorrules", ".github/copilot-instructions.md")}
    theirs[".mcp.json"] = "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json"
    theirs["AGENTS.override.md"] = "Roo Code has no AGENTS.override.md: it reads AGENTS.md at the workspace root"
    in_dot_roo = {f".roo/{name}": f"{name} counts beside .roo, not in it" for name in AT_ROOT}
    yield Place(cwd, "agents-md", AT_ROOT, others=in_dot_roo, theirs=theirs)
    if home != cwd:
        yield Place(home, "agents-md", theirs={name: reads.sentence(name) for name in AT_ROOT})


def counts_in_roo(path: str) -> bool:
    """Whether a path is of the kind that Roo reads below `.roo`."""
    return _COUNTS.match(path) is not None


def strays_in_roo(path: str) -> tuple[str, str]:
    """Why a file below `.roo` does not count, by its path there, and where it was probably meant to be."""
    top, _, rest = path.partition("/")
    if top == _COMMANDS:
        name = rest.rpartition("/")[2]
        if "/" in rest:
            return "only files of .roo/commands itself are commands", f"{_COMMANDS}/{name}"
        if not rest.endswith(".md"):
            return "only names that end in .md are commands", f"{_COMMANDS}/{name.rpartition('.')[0] or name}.md"
        return f"a command comes into the prompt where the task says /{name.removesuffix('.md')}", ""
    if rest and (top == _RULES or top.startswith(f"{_RULES}-")):
        return "Roo leaves files of this kind out of its rules", ""
    if rest and top.removeprefix(".") == "roo":
        return f".roo/{top} is one folder too deep", rest
    if top.startswith(_RULES) and not rest:
        folder = top.partition(".")[0]
        return f"Roo reads the folder .roo/{folder}, not a file of that name", f"{folder}/{top}"
    known = (_COMMANDS, _RULES) if rest else ("mcp.json",)
    near = nearest(top.lower(), known, 1) or [name for name in known if top.lower().startswith(name)]
    for_mode = "" if rest else " and system-prompt-<mode>"
    why = f"in .roo, Roo reads {'the folders commands, rules and rules-<mode>' if rest else 'mcp.json'}{for_mode}"
    return why, f"{near[0]}/{rest}".rstrip("/") if near else ""
