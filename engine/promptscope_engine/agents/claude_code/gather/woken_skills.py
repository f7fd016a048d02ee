"""Skills that a read brings up: those of folders below the start folder, and those that wait for a matching file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from promptscope_engine.agents.claude_code.bundled import COMMANDS, skills
from promptscope_engine.agents.claude_code.globs import path_matcher
from promptscope_engine.agents.claude_code.materials import FoundFolder, Skill, WokenSkills
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.ignore import read_patterns
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .lazy import folders_between
from .skill_lines import description, scoped
from .skills import Found, SkillGatherer

_MOST = 200
"""Folders that are looked into: more than the reads of one turn lead through."""


def woken_skills(gatherer: SkillGatherer, listed: Sequence[Skill], reads: Sequence[str]) -> WokenSkills:
    """What the reads of a turn bring up [recorded 2.1.332]: the folders of each, the innermost first, with the names of
    their skills, and all new skills in one list by name.

    A name that is taken, or that two of them have, gets its folder in front.
    """
    paths = [read if read.startswith("/") else f"{gatherer.cwd.rstrip('/')}/{read}" for read in reads]
    if gatherer.version == V100 or not gatherer.gates.skills.holds(gatherer.facts):
        return WokenSkills()
    folders = list(_folders(gatherer, paths))[:_MOST]
    found = {folder: gatherer.skills(f"{folder}/.claude/skills", "project") for folder in folders}
    fresh = [(folder, item) for folder, items in found.items() for item in items if item.listed.holds(gatherer.facts)]
    many = Counter(item.name for _, item in fresh)
    taken = {skill.name for skill in listed if skill.when.holds(gatherer.facts)} | skills(gatherer.version).keys()
    lines: list[tuple[Found, Skill]] = []
    names: dict[str, list[str]] = {folder: [] for folder in folders}
    for folder, item in fresh:
        scope = folder.removeprefix(gatherer.cwd.rstrip("/") + "/")
        is_taken = item.name in taken | COMMANDS
        skill = _line(gatherer, item, scope, is_taken=is_taken, in_front=is_taken or many[item.name] > 1)
        if skill.when.holds(gatherer.facts):
            names[folder].append(skill.name)
            lines.append((item, skill))
    for folder in folders:
        names[folder] += [item.name for item in gatherer.items if item.path.startswith(f"{folder}/.claude/skills/")]
    lines += _matched(gatherer, paths)
    gatherer.files += [_row(item, skill, reads) for item, skill in lines]
    order = locale_order([skill.name for _, skill in lines])
    shown = [FoundFolder(f.removeprefix(gatherer.cwd.rstrip("/") + "/"), tuple(n)) for f, n in names.items() if n]
    files = tuple(item.path for item, _ in lines)
    return WokenSkills(tuple(shown), tuple(lines[number][1] for number in order), files)


def _folders(gatherer: SkillGatherer, paths: Sequence[str]) -> Iterator[str]:
    """The folders between the start folder and the files that have skills, each once; ignored ones are left out."""
    seen: set[str] = set()
    for path in paths:
        for folder in reversed(folders_between(gatherer.cwd, path)):
            if folder not in seen and gatherer.workspace.kind(f"{folder}/.claude/skills") == "directory":
                seen.add(folder)
                if gatherer.root is None or not _is_ignored(gatherer.workspace, gatherer.root, folder):
                    yield folder


def _is_ignored(workspace: Workspace, root: str, folder: str) -> bool:
    """Whether a .gitignore of the repository names the folder, or one that it is in."""
    above = [root, *folders_between(root, f"{folder}/x")]
    for base in above[:-1]:
        file = workspace.read(f"{base}/.gitignore")
        if file.found:
            hides = read_patterns(file.text.splitlines(), "git").hides
            if any(hides(f"{inner.removeprefix(base + '/')}/") for inner in above if inner.startswith(base + "/")):
                return True
    return False


def _line(gatherer: SkillGatherer, item: Found, scope: str, *, is_taken: bool, in_front: bool) -> Skill:
    """A skill's line: with its folder in front of its name or without, and what is said of the folder behind it."""
    named = replace(item, patterns=(), scope=scope, name=f"{scope}:{item.name}") if in_front else item
    skill, _ = gatherer.own(replace(named, patterns=()), ())
    if is_taken or not skill.pieces:
        return skill
    pieces, _ = description(item.described, item.kind, gatherer.version, gatherer.most)
    return replace(skill, pieces=(*pieces, *scoped(scope)))


def _matched(gatherer: SkillGatherer, paths: Sequence[str]) -> Iterator[tuple[Found, Skill]]:
    """The skills of the start that wait for one of the files."""
    for item in gatherer.items:
        if item.patterns and any(map(path_matcher(item.patterns, gatherer.cwd), paths)):
            skill, _ = gatherer.own(replace(item, patterns=()), ())
            if skill.when.holds(gatherer.facts):
                yield item, skill


def _row(item: Found, skill: Skill, reads: Sequence[str]) -> FileDraft:
    """The row of a skill that the reads bring up."""
    file, text = item.described.source, "".join(piece.text for piece in skill.pieces)
    when = Observed("file", item.path, True, f"listed after reading {', '.join(reads[:3])}", "")
    return file_row(file, "skill", "on-demand", when, text)
