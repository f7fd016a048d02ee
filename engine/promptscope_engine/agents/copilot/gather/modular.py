"""Modular instruction files: where they are, and for which read files each counts, by its front matter."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from posixpath import basename, relpath

from msgspec import Struct

from promptscope_engine.agents.kit.disk.heads import Heads, fenced
from promptscope_engine.agents.kit.disk.rows import located
from promptscope_engine.agents.kit.disk.walking import Reach, linked_below
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import CORE
from promptscope_engine.javascript.glob import split_outside_braces
from promptscope_engine.javascript.picomatch import ends
from promptscope_engine.javascript.picomatch import names as pattern_names
from promptscope_engine.workspace import FileText, Workspace

from .imports import BOM
from .session import Session

ENDING = ".instructions.md"
_MOST, _DEPTH = 2_000, 20
_FOLDERS: Sequence[Table] = (
    {"at": "copilot", "below": "instructions"},
    {"at": "root", "below": ".github/instructions"},
    {"at": "root", "below": ".claude/rules", "ending": ".md"},
    {"at": "inner", "below": ".github/instructions"},
    {"at": "inner", "below": ".claude/rules", "ending": ".md"},
    {"at": "extra"},
    {"at": "extra", "below": ".claude/rules", "ending": ".md"},
)
"""Where modular instructions are: see skills.py."""
_EVERYTHING = {"**", "**/*", "*"}
# what `excludeAgent` may call the CLI: whole, in these letters, alone or in a list [asked of 1.0.102]
_ITSELF = {"coding-agent", "cloud-agent"}
# what names the patterns, in the files of either kind: the first that is there
_KEYS = ("applyTo", "paths")
# braces around one choice: the client takes them for that choice, picomatch for themselves [asked]
_ALONE = re.compile(r"(?<!\\)\{((?!\w+\.\.)[^{},]*)\}")


class Modular(Struct, frozen=True):
    """A modular file: its patterns, () if it always applies; `excluded` is the name by which it excludes the CLI.

    `twin` is the file that counts in its place, as both are links to one, or one is a link to the other.
    """

    file: FileText
    shown: str
    patterns: tuple[str, ...]
    description: str
    excluded: str = ""
    twin: str = ""
    others: tuple[str, ...] = ()
    """What else it excludes, which the CLI is not."""

    def applies(self, path: str, root: str) -> bool:
        """Whether a read file is one that a pattern names."""
        patterns = () if self.excluded or self.twin else self.patterns
        return any(_names(pattern, path.removeprefix(f"{root}/")) for pattern in patterns)

    def among(self, paths: Sequence[str], root: str) -> list[int]:
        """The indices of the paths for which it `applies`. Of most of them its ends tell."""
        below = [path.removeprefix(f"{root}/") for path in paths]
        return sorted({number for pattern in self.patterns for number in _named_among(pattern, below)})


def _names(pattern: str, relative: str) -> bool:
    if pattern.startswith("!"):
        return not _names(pattern[1:], relative)
    pattern = _for_picomatch(pattern)
    return pattern_names(pattern, relative if "/" in pattern else basename(relative))


def _named_among(pattern: str, below: Sequence[str]) -> Iterator[int]:
    if pattern.startswith("!"):
        return (number for number, path in enumerate(below) if _names(pattern, path))
    head, tail = ends(for_picomatch := _for_picomatch(pattern))
    head = head if "/" in for_picomatch else ""  # else it is of the name alone
    likely = [number for number, path in enumerate(below) if path.startswith(head) and path.endswith(tail)]
    return (number for number in likely if _names(pattern, below[number]))


@lru_cache(maxsize=2048)
def _for_picomatch(pattern: str) -> str:
    """A pattern as the client gives it to picomatch: parentheses, | and + mean themselves to it [asked]."""
    pattern = re.sub(r"(?<!\\)[()|+]", r"[\g<0>]", pattern.removeprefix("./"))
    while (plain := _ALONE.sub(r"\1", pattern)) != pattern:
        pattern = plain
    return pattern


def reader() -> Heads:
    """What reads the front matter of modular files: anything may follow the dashes below it."""
    return Heads(partial(fenced, loosely=True), CORE)


def modular(workspace: Workspace, path: str, base: str, heads: Heads, twin: str = "") -> Modular:
    """What a file's front matter says. Where the file is a link, its target's path is shown [asked of 1.0.102]."""
    file, real = workspace.read(path), workspace.real_path(path)
    head = _head(file.text.replace(BOM, ""), heads)
    said = _patterns(next((head[key] for key in _KEYS if key in head), None))
    agents = head.get("excludeAgent")
    named = [each for each in (agents if isinstance(agents, list) else [agents]) if isinstance(each, str)]
    excluded = next((each for each in named if each in _ITSELF), "")
    patterns = () if _EVERYTHING.issuperset(said) else tuple(said)
    shown = relpath(real, base) if base else real
    return Modular(file, shown, patterns, cell(head.get("description")), excluded, twin, tuple(named))


def _head(text: str, heads: Heads) -> Mapping[str, Json]:
    """The values of the front matter; of YAML that is broken, or too much, only the line that names the patterns."""
    head = heads.read(text)
    if not head.problem:
        return head.values
    lines = (re.search(rf"(?m)^{key}:[ \t]+(.*)", text.removesuffix(head.body)) for key in _KEYS)
    value = next((line[1].strip() for line in lines if line), "")
    is_quoted = value[:1] in ("'", '"') and value[-1:] == value[:1]
    return {"applyTo": value[1:-1] if is_quoted else re.split(r"\s#", value)[0]}


def _patterns(value: Json) -> list[str]:
    """The patterns of a value: the texts of a list, or a text with commas."""
    if isinstance(value, list):
        return [each for each in value if isinstance(each, str)]
    parts = split_outside_braces(value) if isinstance(value, str) else ()
    return [part.strip() for part in parts if part.strip()]


def cell(value: Json) -> str:
    """A value as a table shows it."""
    text = value.strip() if isinstance(value, str) else ""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def files_in(workspace: Workspace, folder: str, ending: str = ENDING) -> list[str]:
    """The files below a folder by their whole path, without hidden ones (but for .github) and linked folders."""

    def enters(path: str, is_link: bool) -> bool:
        return not is_link and (basename(path)[0] != "." or path == f"{folder}/.github")

    every = linked_below(workspace, folder, "", Reach(_DEPTH, enters=enters))
    found = (path for path in every if path.lower().endswith(ending) and basename(path)[0] != ".")
    return sorted(found, key=os.fsencode)


def at_start(session: Session, heads: Heads) -> list[Modular]:
    """The modular files of the user, the root, the start folder and the further folders, each once.

    What two paths lead to is one file within the project, and one outside of it [asked of 1.0.102].
    """
    workspace, found = session.workspace, dict[str, str]()
    for folder, row in located(_FOLDERS, session.folders):
        if not session.may_read(folder, "custom-instructions"):
            continue
        base = folder.removesuffix(f"/{row['below']}") if row["at"] in ("root", "inner") else ""
        for path in files_in(workspace, folder, row.get("ending", ENDING)):
            found.setdefault(path, base)
    first: dict[tuple[str, bool], str] = {}
    every = [(path, base, (workspace.real_path(path), bool(base))) for path, base in [*found.items()][:_MOST]]
    return [
        modular(workspace, path, base, heads, "" if (twin := first.setdefault(real, path)) == path else twin)
        for path, base, real in every
    ]
