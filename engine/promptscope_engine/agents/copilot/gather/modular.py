"""Modular instruction files: where they are, and for which read files each counts, by its front matter."""

import os
import re
from posixpath import basename

from msgspec import Struct

from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.rows import located
from promptscope_engine.agents.kit.walking import Reach, linked_below
from promptscope_engine.javascript.glob import split_outside_braces
from promptscope_engine.javascript.picomatch import names as pattern_names
from promptscope_engine.workspace import FileText, Workspace

from .imports import BOM
from .session import Session

ENDING = ".instructions.md"
_MOST, _DEPTH = 2_000, 20
_EVERYTHING = (["**"], ["**/*"], ["*"])
_NO_TEXT = re.compile(r"-?\d+(?:\.\d+)?|true|false|null|~")
_KEY, _ITEM = re.compile(r"([A-Za-z_-]+):(?:\s+(.*))?\Z"), re.compile(r"\s*-\s+(.*)")


class Modular(Struct, frozen=True):
    """A modular file: its patterns, () if it always applies, None if it is for another agent."""

    file: FileText
    shown: str
    patterns: tuple[str, ...] | None
    description: str

    def applies(self, path: str, root: str) -> bool:
        """Whether a read file is one that a pattern names."""
        return any(_names(pattern, path.removeprefix(f"{root}/")) for pattern in self.patterns or ())


def _names(pattern: str, relative: str) -> bool:
    if pattern.startswith("!"):
        return not _names(pattern[1:], relative)
    pattern = pattern.removeprefix("./")
    return pattern_names(pattern, relative if "/" in pattern else basename(relative))


def modular(file: FileText, base: str) -> Modular:
    """What a file's front matter says; of a rule `paths` before `applyTo`."""
    head = _head(file.text.removeprefix(BOM))
    said = _list(head.get("applyTo", "") if file.path.endswith(ENDING) else head.get("paths", head.get("applyTo", "")))
    patterns = () if said in _EVERYTHING else tuple(said)
    excluded = "coding-agent" in _list(head.get("excludeAgent", ""))
    shown = file.path.removeprefix(f"{base}/") if base else file.path
    return Modular(file, shown, None if excluded else patterns, _plain(head.get("description", "")))


def _head(text: str) -> dict[str, str]:
    """The keys of the front matter with their values, and the items of lists below, line by line, as written."""
    first, *lines = (line.removesuffix("\r") for line in text.split("\n"))
    ends = [number for number, line in enumerate(lines) if line.rstrip() == "---"]
    found: dict[str, str] = {}
    key = ""
    for line in lines[: ends[0]] if first.rstrip() == "---" and ends else ():
        item = _ITEM.match(line)
        if name := _KEY.match(line):
            key = name[1]
            found[key] = (name[2] or "").strip()
        elif item and key:
            found[key] = f"{found[key]},{item[1].strip()}".removeprefix(",")
    return found


def _list(value: str) -> list[str]:
    """The texts of a value: a list of YAML, or a text with commas."""
    if _NO_TEXT.fullmatch(value):
        return []
    if (value.startswith("[") and value.endswith("]")) or (value[:1] in "'\"" and value[-1:] == value[:1]):
        value = value[1:-1]
    return [text for part in split_outside_braces(value) if (text := part.strip("'\"").strip())]


def _plain(value: str) -> str:
    """A description as it is shown in a table."""
    if re.fullmatch(r'".*"', value):
        value = value[1:-1].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
    elif re.fullmatch("'.*'", value):
        value = value[1:-1].replace("''", "'")
    return value.replace("|", "\\|").replace("\n", " ")


def files_in(workspace: Workspace, folder: str, ending: str = ENDING) -> list[str]:
    """The files below a folder by their whole path, without hidden ones (but for .github) and linked folders."""

    def enters(path: str, is_link: bool) -> bool:
        return not is_link and (basename(path)[0] != "." or path == f"{folder}/.github")

    every = linked_below(workspace, folder, "", Reach(_DEPTH, enters=enters))
    found = (path for path in every if path.lower().endswith(ending) and basename(path)[0] != ".")
    return sorted(found, key=os.fsencode)


def at_start(session: Session) -> list[Modular]:
    """The modular files of the user, the root, the start folder and the further folders, each once."""
    found: dict[str, str] = {}
    for folder, row in located(FOLDER.agent["modular"], session.folders):
        base = folder.removesuffix(f"/{row['below']}") if row["at"] in ("root", "inner") else ""
        for path in files_in(session.workspace, folder, row.get("ending", ENDING)):
            found.setdefault(path, base)
    return [modular(session.workspace.read(path), base) for path, base in [*found.items()][:_MOST]]
