"""The skills listing: bundled skills, skill folders and commands (specs/claude-code.md 6)."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.bundled import ARTIFACT_SKILLS, SKILLS
from promptscope_engine.agents.claude_code.gates import Gates
from promptscope_engine.agents.claude_code.materials import Skill
from promptscope_engine.agents.claude_code.versions import V100, V329, V330
from promptscope_engine.agents.kit.globs import path_patterns
from promptscope_engine.agents.kit.links import followed, may_read
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft, Piece, builtin
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.workspace import Workspace

from .frontmatter import MAX_FILES, Described, described, markdown_below, project_folders
from .head import Budget
from .plugins import Plugin
from .settings import MANAGED, Sources


def cut_at(version: str) -> int:
    """Characters of a description with its hint, the ellipsis included."""
    return 250 if version == V100 else 1_536


BUDGET_FRACTION = 0.01
CHARS_PER_TOKEN = 4
_BUNDLED_CHARS = {V100: 880, V329: 6_200, V330: 6_200}
"""What the lines of the bundled skills really take (reference: the whole block has 989 and 6,315 characters).

Measured, so that the budget does not depend on our wording of their descriptions."""
_ARTIFACT_CHARS = 404
"""What those add that are listed where pages can be published."""
_LINE_END = re.compile(r"[\n-\r\x1c-\x1e\x85\u2028\u2029]")
_HEADING = re.compile(r"^#+\s+")
_LEAST = 20
"""A share below this many characters is no description any more: only the name is listed."""


@frozen
class _Found:
    """A skill or command that was read. `listed`: what lets it into the listing, but for others of its name."""

    name: str
    path: str
    kind: str
    source: str
    described: Described
    loaded: bool
    listed: Condition


@dataclass(eq=False, repr=False)
class SkillGatherer:
    """Collects skills in the order of the listing."""

    workspace: Workspace
    version: str
    cwd: str
    root: str | None
    config: str
    managed: str
    added: tuple[str, ...]
    """Directories of --add-dir: their skills are listed too [D]."""
    sources: Sources
    plugins: tuple[Plugin, ...]
    gates: Gates
    facts: Facts
    follow_links: bool
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """A file counts once: in the home folder the user's folders are the project's as well."""
    budget: Budget = field(default_factory=Budget)

    def gather(self, budget: int) -> tuple[Skill, ...]:
        """Every skill, listed or not; those of the listing fit the budget in characters."""
        found = [*self.skills(f"{self.managed}/.claude/skills", MANAGED), *self.skills(f"{self.config}/skills", "user")]
        for folder in project_folders(self.cwd, self.root, "skills"):
            found += self.skills(folder, "project")
        for folder in self.added:
            found += self.skills(f"{folder}/.claude/skills", "project")
        commands = [*self.commands(f"{self.managed}/.claude/commands", MANAGED)]
        commands += self.commands(f"{self.config}/commands", "user")
        for folder in project_folders(self.cwd, self.root, "commands"):
            commands += self.commands(folder, "project")
        if self.version != V100:  # sorted by name; 2.1.100 keeps the folders' order (claude-code-new-facts.md)
            commands.sort(key=lambda command: command.name)
        found += commands
        for plugin in self.plugins:
            found += self.commands(f"{plugin.folder}/commands", "plugin", plugin)
            found += self.skills(f"{plugin.folder}/skills", "plugin", plugin)
        taken = _BUNDLED_CHARS[self.version]
        if self.gates.artifacts.holds(self.facts):
            taken += _ARTIFACT_CHARS
        own = fit(self.own(found), budget - taken, self.facts)
        bundled = [self.bundled(name, text, found) for name, text in SKILLS[self.version].items()]
        return tuple([*bundled, *own] if self.version == V100 else [*own, *bundled])

    def bundled(self, name: str, text: str, found: list[_Found]) -> Skill:
        """A bundled skill; from 2.1.329 on one of the user's own of the same name takes its place."""
        needs = self.gates.artifacts if name in ARTIFACT_SKILLS else self.gates.cron if name == "loop" else ALWAYS
        when = self.gates.skills & needs
        own = next((other.path for other in found if other.loaded and other.name == name), None)
        if self.version != V100 and own:
            remedy = f"rename {_renamed(own)}"
            when = when & Observed("file", own, False, "", f"{own} has its name and takes its place", remedy=remedy)
        return Skill(name, name, "bundled", (builtin(f"skills.{name}", text),), when)

    # --- what lies in the folders ----------------------------------------------------------------------------------

    def skills(self, folder: str, source: str, plugin: Plugin | None = None) -> Iterator[_Found]:
        """`<folder>/<name>/SKILL.md`, sorted by name."""
        if not may_read(self.workspace, folder, "skill", self.files):
            return
        entries = self.workspace.list(folder).entries
        if len(entries) > MAX_FILES:
            text = f"{len(entries):,} entries, of which the first {MAX_FILES:,} are looked into"
            self.diagnostics.append(Diagnostic("warning", "too-many-skills", text, folder))
        for entry in entries[:MAX_FILES]:
            path = f"{folder}/{entry.name}/SKILL.md"
            if self.workspace.kind(f"{folder}/{entry.name}") != "directory":
                continue
            if self.workspace.kind(path) == "file":
                yield from self.found(path, entry.name, source, "skill", plugin)
            elif self.workspace.kind(f"{folder}/{entry.name}/skill.md") == "file":
                other = f"{folder}/{entry.name}/skill.md"
                no, remedy = "only the name SKILL.md counts", f"rename {other} to SKILL.md"
                why = Observed("file", path, False, "", no, remedy=remedy)
                self.files.append(FileDraft(other, other, "skill", "on-demand", why))

    def commands(self, folder: str, source: str, plugin: Plugin | None = None) -> Iterator[_Found]:
        """`commands/sub/name.md` is the skill `sub:name`."""
        if not may_read(self.workspace, folder, "skill", self.files):
            return
        for path in markdown_below(self.workspace, folder, self.diagnostics):
            name = str(PurePosixPath(path).relative_to(folder).with_suffix("")).replace("/", ":")
            yield from self.found(path, name, source, "command", plugin)

    def found(self, path: str, name: str, source: str, kind: str, plugin: Plugin | None) -> Iterator[_Found]:
        if path in self.seen or not may_read(self.workspace, path, "skill", self.files):
            return
        self.seen.add(path)
        read = described(self.workspace, path, self.version, self.budget)
        if read is None:
            return
        if problem := read.problem():
            self.diagnostics.append(problem)
        let_in = plugin.when if plugin else self.sources.condition(source)
        listed = self.gates.skills & let_in & followed(self.workspace, path, self.follow_links) & self.waits(read)
        loaded = plugin.enabled if plugin else self.sources.allows(source)
        yield _Found(f"{plugin.name}:{name}" if plugin else name, path, kind, source, read, loaded, listed)

    # --- what is listed --------------------------------------------------------------------------------------------

    def own(self, found: list[_Found]) -> list[Skill]:
        """The user's own skills. Of equal names 2.1.100 lists every one, later versions the first that is loaded."""
        skills: list[Skill] = []
        first: dict[str, str] = {}
        for item in found:
            earlier = first.get(item.name) if self.version != V100 else None
            when = item.listed & Observed(
                "file",
                item.path,
                earlier is None,
                "no other skill has its name",
                f"{earlier} has the same name and stands before it",
                remedy=f"rename {_renamed(item.path)}",
            )
            if item.loaded:
                first.setdefault(item.name, item.path)
            pieces = self.description(item.described)
            skills.append(Skill(item.name, self.shown(item, found), item.source, pieces, when))
            file, text = item.described.source, "".join(piece.text for piece in pieces)
            self.files.append(
                FileDraft(item.path, file.real_path, "skill", "on-demand", when, file.size, len(file.text), text)
            )
        return skills

    def shown(self, item: _Found, found: list[_Found]) -> str:
        """`folder (name)` where both differ: not in 2.1.100, and not where the name is no good or another one's."""
        name = item.described.text("name").strip()
        if self.version == V100 or item.kind == "command" or not name or any(map(str.isspace, name)):
            return item.name
        prefix, _, folder = item.name.rpartition(":")
        own = f"{prefix}:{name}" if prefix else name
        others = {other.name for other in found if other is not item} | SKILLS[self.version].keys()
        return item.name if name == folder or own in others else f"{item.name} ({own})"

    def waits(self, found: Described) -> Condition:
        """What its frontmatter says against listing it (6)."""
        condition: Condition = ALWAYS
        manual = "disable-model-invocation"
        if found.values.get(manual) is True:
            no = f"`{manual}` is on: only the user calls it"
            condition = condition & Setting(found.setting(manual), True, "is", False, "the model may call it", no)
        patterns = path_patterns(found.values["paths"]) if "paths" in found.values else None
        if patterns:
            no = "it waits for a file that matches " + ", ".join(patterns[:4])
            condition = condition & Setting(found.setting("paths"), list(patterns), "given", False, "", no)
        return condition

    def description(self, found: Described) -> tuple[Piece, ...]:
        """`<description>[ - <when_to_use>]`, cut; without one the first line of the body."""
        text = _one_line(found.text("description"), self.version)
        hint = _one_line(found.text("when_to_use"), self.version)
        if not text:
            text = _HEADING.sub("", _LINE_END.split(found.content.text.lstrip(), maxsplit=1)[0].strip())
        pieces: tuple[Piece, ...] = found.pieces(text)
        if hint:
            pieces = (*pieces, Piece(" - ", Origin("label")), *found.pieces(hint))
        return shorten(pieces, cut_at(self.version))


def _renamed(path: str) -> str:
    """What gives a skill or command its name."""
    return path.removesuffix("/SKILL.md")


def _one_line(text: str, version: str) -> str:
    """From 2.1.329 on one blank stands for each run of line breaks and tabs [recorded]."""
    return (text if version == V100 else re.sub(r"[\x00-\x1f]+", " ", text)).strip()


def shorten(pieces: tuple[Piece, ...], limit: int) -> tuple[Piece, ...]:
    """At most `limit` characters, the ellipsis included."""
    if sum(len(p.text) for p in pieces) <= limit:
        return pieces
    left, kept = limit - 1, []
    for piece in pieces:
        if left <= 0:
            break
        kept.append(replace(piece, text=piece.text[:left]))
        left -= len(piece.text)
    return (*kept, Piece("…", Origin("label")))


def listing_budget(window: int, env: Mapping[str, str], settings: Mapping[str, Json]) -> int:
    """Characters: 1 % of the window, SLASH_COMMAND_TOOL_CHAR_BUDGET, or `skillListingBudgetFraction` (6)."""
    given = env.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "").strip()
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    fraction = settings.get("skillListingBudgetFraction")
    if not isinstance(fraction, (int, float)) or isinstance(fraction, bool) or not 0 < fraction < math.inf:
        fraction = BUDGET_FRACTION
    return int(min(window * CHARS_PER_TOKEN * fraction, sys.maxsize))


def fit(own: list[Skill], left: int, facts: Facts) -> list[Skill]:
    """The user's skills cut to what the bundled ones leave of the budget; in need only their names stay (12)."""
    listed = [skill for skill in own if skill.when.holds(facts)]
    if not listed or sum(map(_length, listed)) <= left:
        return own
    names = sum(len(f"- {s.shown}: \n") for s in listed)
    share = (left - names) // len(listed)
    if share < _LEAST:
        return [replace(skill, pieces=()) for skill in own]
    return [replace(skill, pieces=shorten(skill.pieces, share)) for skill in own]


def _length(skill: Skill) -> int:
    return len(f"- {skill.shown}: \n") + sum(len(p.text) for p in skill.pieces)
