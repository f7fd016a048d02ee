"""The skills listing: bundled skills, skill folders and commands (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from promptscope_engine.agents.claude_code.bundled import ARTIFACT_SKILLS, SKILLS
from promptscope_engine.agents.claude_code.gates import Gates
from promptscope_engine.agents.claude_code.materials import Skill
from promptscope_engine.agents.claude_code.versions import V100, V329, V330
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft, Piece, builtin
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.workspace import Workspace

from .frontmatter import Described, described, markdown_below, project_folders
from .patterns import parse_paths
from .settings import Sources



def cut_at(version: str) -> int:
    """Characters of a description with its hint, the ellipsis included."""
    return 250 if version == V100 else 1_536


BUDGET_FRACTION = 0.01
CHARS_PER_TOKEN = 4
_BUNDLED_CHARS = {V100: 880, V329: 6_200, V330: 6_200}
"""What the lines of the bundled skills really take (reference: the whole block has 989 and 6,315 characters).

Measured, so that the budget does not depend on our wording of their descriptions."""
_LEAST = 20
"""A share below this many characters is no description any more: only the name is listed."""


@dataclass
class SkillGatherer:
    """Collects skills in the order of the listing."""

    workspace: Workspace
    version: str
    cwd: str
    root: str | None
    config: str
    sources: Sources
    gates: Gates
    facts: Facts
    skills: dict[str, Skill] = field(default_factory=dict)
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def gather(self, budget: int) -> tuple[Skill, ...]:
        """Every skill, listed or not; those of the listing fit the budget in characters."""
        bundled = [
            Skill(name, name, "bundled", (builtin(f"skills.{name}", text),), self.gates.skills & self.bundled(name))
            for name, text in SKILLS[self.version].items()
        ]
        self.folder(f"{self.config}/skills", "user")
        for folder in project_folders(self.cwd, self.root, "skills"):
            self.folder(folder, "project")
        # Recorded in 2.1.329: the project's commands stand before the user's.
        for folder in project_folders(self.cwd, self.root, "commands"):
            self.commands(folder, "project")
        self.commands(f"{self.config}/commands", "user")
        own = fit(list(self.skills.values()), budget - _BUNDLED_CHARS[self.version], self.facts)
        return tuple([*bundled, *own] if self.version == V100 else [*own, *bundled])

    def bundled(self, name: str) -> Condition:
        """What a bundled skill needs besides skills as such."""
        return self.gates.artifacts if name in ARTIFACT_SKILLS else ALWAYS

    def folder(self, folder: str, source: str) -> None:
        for entry in self.workspace.list(folder).entries:
            path = f"{folder}/{entry.name}/SKILL.md"
            if self.workspace.kind(f"{folder}/{entry.name}") == "directory":
                if self.workspace.kind(path) == "file":
                    self.add(path, entry.name, source, "skill")
                elif self.workspace.kind(f"{folder}/{entry.name}/skill.md") == "file":
                    other = f"{folder}/{entry.name}/skill.md"
                    no, remedy = "only the name SKILL.md counts", f"rename {other} to SKILL.md"
                    why = Observed("file", path, False, "", no, remedy=remedy)
                    self.files.append(FileDraft(other, other, "skill", "on-demand", why))

    def commands(self, folder: str, source: str) -> None:
        """`commands/sub/name.md` is the skill `sub:name`."""
        for path in markdown_below(self.workspace, folder):
            name = str(PurePosixPath(path).relative_to(folder).with_suffix("")).replace("/", ":")
            self.add(path, name, source, "command")

    def add(self, path: str, name: str, source: str, kind: str) -> None:
        found = described(self.workspace, path)
        if found is None:
            return
        if problem := found.problem():
            self.diagnostics.append(problem)
        shadowed = self.skills.get(name)
        when = self.listed(found, source) & Observed(
            "file",
            path,
            shadowed is None,
            "no other skill has its name",
            "a skill of the same name stands before it",
            remedy=f"rename {path if kind == 'command' else path.removesuffix('/SKILL.md')}",
        )
        own_name = found.text("name").strip()
        shown = f"{name} ({own_name})" if kind == "skill" and own_name and own_name != name else name
        skill = Skill(name, shown, "command" if kind == "command" else source, self.description(found), when)
        if shadowed is None:
            self.skills[name] = skill
        text = "".join(p.text for p in skill.pieces)
        source_file = found.source
        self.files.append(
            FileDraft(
                path, source_file.real_path, "skill", "on-demand", when, source_file.size, len(source_file.text), text
            )
        )

    def listed(self, found: Described, source: str) -> Condition:
        """What keeps a skill out of the listing (6)."""
        condition: Condition = self.gates.skills & self.sources.condition(source)
        manual = "disable-model-invocation"
        if found.values.get(manual) is True:
            no = f"`{manual}` is on: only the user calls it"
            condition = condition & Setting(found.setting(manual), True, "is", False, "the model may call it", no)
        patterns = parse_paths(found.values["paths"]) if "paths" in found.values else None
        if patterns:
            no = "it waits for a file that matches " + ", ".join(patterns[:4])
            condition = condition & Setting(found.setting("paths"), list(patterns), "given", False, "", no)
        return condition

    def description(self, found: Described) -> tuple[Piece, ...]:
        """`<description>[ - <when_to_use>]`, cut; without one the first paragraph of the body."""
        text = _one_line(found.text("description"), self.version)
        hint = _one_line(found.text("when_to_use"), self.version)
        if not text:
            body = found.content.text.strip()
            text = " ".join(body.split("\n\n", 1)[0].split()).lstrip("# ")
        pieces: tuple[Piece, ...] = found.pieces(text)
        if hint:
            pieces = (*pieces, Piece(" - ", Origin("label")), *found.pieces(hint))
        return shorten(pieces, cut_at(self.version))


def _one_line(text: str, version: str) -> str:
    """Folded and block scalars are one line in 2.1.329 [recorded]."""
    return text.strip() if version == V100 else " ".join(text.split())


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
    if not isinstance(fraction, (int, float)) or isinstance(fraction, bool) or fraction <= 0:
        fraction = BUDGET_FRACTION
    return int(window * CHARS_PER_TOKEN * fraction)


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
