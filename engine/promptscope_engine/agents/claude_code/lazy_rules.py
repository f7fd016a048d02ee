"""What a read loads: rules with `paths`, and the instruction files and skills of directories below cwd."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.claude_code.gather.gather import gather
from promptscope_engine.agents.claude_code.globs import path_matcher, path_matcher_of_many
from promptscope_engine.agents.claude_code.materials import InstructionFile, Materials
from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.kit.disk.walking import folders_with
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude")
_NOBODY = "\x01"
"""The name of a file that no pattern of a person names."""


def lazy_files(inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
    """Every such file, in load order; `files` are the repository's, absolute."""
    cwd = inputs.workspace
    folders = folders_with(workspace, cwd, (_without_own(file, len(cwd)) for file in files), _NAMES)
    reads = tuple(f"{folder}/{_NOBODY}" for folder in folders)
    gathered = gather(replace(inputs, reads=reads), workspace)
    return (*_nested(gathered.materials), *_skills(gathered.materials, cwd), *_rules(gathered))


def _without_own(file: str, start: int) -> str:
    """A file in a `.claude` folder stands for the folder around it."""
    at = file.find("/.claude/", start)
    return file if at < 0 else file[: at + 1]


def _nested(materials: Materials) -> Iterator[LazyFile]:
    """What any read below a directory loads."""
    for file, read in ((loaded.file, loaded.read) for loaded in materials.lazy if loaded.file.paths is None):
        folder = read.rpartition("/")[0]
        yield LazyFile.of_folder(file.shown, file.kind, folder)


def _skills(materials: Materials, cwd: str) -> Iterator[LazyFile]:
    """The skills below cwd, which are listed after any read beside or below their `.claude`."""
    for path in materials.woken_skills.paths:
        folder = path.rpartition("/.claude/")[0]
        if folder.startswith(f"{cwd.rstrip('/')}/"):
            yield LazyFile.of_folder(path, "skill", folder)


def _rules(gathered: Gathered[Materials]) -> Iterator[LazyFile]:
    """Rules with `paths`, also those that were found in directories below cwd."""
    for rule in gathered.materials.instructions:
        if rule.paths and rule.text and rule.gate.holds(gathered.facts):
            one, many = path_matcher(rule.paths, rule.base), path_matcher_of_many(rule.paths, rule.base)
            yield LazyFile(rule.shown, rule.kind, rule.base, rule.paths, one, _never(rule), many)


def _never(rule: InstructionFile) -> str:
    """Why the form of a rule's patterns keeps it from ever matching."""
    patterns = rule.paths or ()
    if all(pattern.startswith("./") for pattern in patterns):
        return f"a pattern that begins with ./ never matches: write {patterns[0].removeprefix('./')}"
    if all(PurePosixPath(pattern).is_absolute() and pattern.startswith(rule.base + "/") for pattern in patterns):
        return f"patterns are relative to {rule.base}: an absolute path never matches"
    return ""
