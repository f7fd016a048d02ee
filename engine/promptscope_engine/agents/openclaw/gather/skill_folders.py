"""The skills in a folder, its limits, and what is refused; a later source replaces an earlier one of the same name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from msgspec import Struct
from msgspec.structs import astuple

from promptscope_engine.agents.kit.disk.heads import Budget
from promptscope_engine.agents.kit.disk.rows import locked
from promptscope_engine.agents.kit.disk.settings import at, mapping, text
from promptscope_engine.agents.kit.disk.walking import folders_in
from promptscope_engine.agents.openclaw.gather.skill_heads import (
    MAX_DESCRIPTION,
    MAX_NAME,
    Head,
    head_of,
    read_head,
    with_texts_quoted,
)
from promptscope_engine.agents.openclaw.levers import SettingLevers, count
from promptscope_engine.agents.openclaw.texts import NEWER
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import FileText, Workspace

EXTRA, BUNDLED, MANAGED = "openclaw-extra", "openclaw-bundled", "openclaw-managed"
PERSONAL, PROJECT, WORKSPACE = "agents-skills-personal", "agents-skills-project", "openclaw-workspace"
CUSTODIAN = "openclaw-custodian"
TAGS = {"bundled": BUNDLED, "custodian": CUSTODIAN}
_JSON5_WEIGHT = 8
MAX_DEPTH, MAX_FOLDERS = 16, 2_000
"""Folders below a skill's own, one in the other and in all."""


class Limits(Struct, frozen=True):
    """`skills.limits`, in the order of `_KEYS`."""

    candidates: int
    per_source: int
    in_prompt: int
    chars: int
    file_bytes: int


_KEYS = (
    "maxCandidatesPerRoot",
    "maxSkillsLoadedPerSource",
    "maxSkillsInPrompt",
    "maxSkillsPromptChars",
    "maxSkillFileBytes",
)
_USUAL, _OLDER_USUAL = Limits(300, 200, 150, 18_000, 256_000), Limits(300, 200, 150, 30_000, 256_000)


def usual_limits(version: str) -> Limits:
    """The limits that hold unless something else is said."""
    return _USUAL if version >= NEWER else _OLDER_USUAL


def limits(settings: SettingLevers, version: str, own: Json = None) -> Limits:
    """The limits in force; an agent may have its `own` (from 2026.9 on)."""
    said = {**settings.object("skills.limits"), **mapping(own)}
    usual = zip(_KEYS, astuple(usual_limits(version)), strict=True)
    return Limits(*(count(said.get(name), limit) for name, limit in usual))


class Source(Struct, frozen=True):
    """A folder of skills and its tag, or the skills that stand in for what it holds.

    `levels`: how deep folders of skills may be within each other, 0 for the loader up to 2026.2.24.
    """

    tag: str
    folder: str
    given: "tuple[Skill, ...] | None" = None
    levels: int = 0
    trusted: tuple[str, ...] = ()
    """Where else its links may lead; anywhere, if it is the user's own (`MANAGED`, `PERSONAL`)."""


class Skill(Struct, frozen=True):
    """A skill that was loaded. `file` is None for a stand-in or a bundled one; the latter has a `plugin`."""

    name: str
    description: str
    path: str
    source: str
    hidden: bool
    file: FileText | None = None
    head: Head = Head()
    plugin: Condition | None = None
    knows_older: bool = False
    """Metadata under OpenClaw's older name count [2026.9.6]."""

    @property
    def key(self) -> str:
        """Its key in `skills.entries`."""
        return text(self.own("skillKey")) or self.name

    def own(self, path: str) -> Json:
        """What `metadata.openclaw` has under a dotted path, or the key of the older name where that still counts."""
        found = at(self.head.metadata, f"openclaw.{path}")
        if found is None and self.knows_older and "openclaw" not in mapping(self.head.metadata):
            found = at(self.head.metadata, f"clawdbot.{path}")
        return found

    def names(self, path: str) -> tuple[str, ...]:
        """The names in a list of it, or between commas; anything of the wrong kind counts as not there."""
        value = self.own(path)
        items = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
        return tuple(name for item in items if isinstance(item, str | int | float) and (name := js_trim(str(item))))


class Refused(Struct, frozen=True):
    """A file that was looked at and gave no skill, why, and what the setting that refused it would have to be."""

    file: FileText
    why: str
    needs: int | None = None


@dataclass(eq=False, repr=False)
class FoundSkills:
    """All skills, in the order of the listing, with what was replaced or refused on the way."""

    workspace: Workspace
    bounds: Limits
    skills: dict[str, Skill] = field(default_factory=dict)
    replaced: list[tuple[Skill, Skill]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    locked: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)

    def note(self, severity: Severity, message: str, path: str) -> None:
        """The diagnostic, once."""
        diagnostic = Diagnostic(severity, "skills", message, path)
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def _top(self, folder: str) -> str:
        """The folder that holds the skills: a whole package may be named instead of it."""
        nested = f"{folder}/skills"
        names = folders_in(self.workspace, nested)[: self.bounds.candidates] if self.workspace.is_dir(nested) else ()
        has_skills = any(self.workspace.kind(f"{nested}/{name}/SKILL.md") is not None for name in names)
        return nested if has_skills else folder

    def of(self, source: Source) -> Sequence[Skill]:
        """The skills of a source."""
        if source.given is not None:
            return source.given
        workspace, bounds, folder = self.workspace, self.bounds, self._top(source.folder)
        self.locked += locked(workspace, folder, "skill")
        if source.levels:
            return list(islice(self._grouped(folder, source, source.levels), bounds.per_source))
        if workspace.kind(f"{folder}/SKILL.md") is not None:
            return list(self._folder(folder, source)) if self._fits(f"{folder}/SKILL.md") else []
        children = folders_in(workspace, folder)
        if len(children) > bounds.candidates:
            message = f"{len(children):,} folders, of which {bounds.per_source} are looked into"
            self.diagnostics.append(Diagnostic("warning", "skills", message, folder))
        skills: list[Skill] = []
        # the limit per source counts folders here, whether they hold a skill or not
        for child in (f"{folder}/{name}" for name in children[: bounds.per_source]):
            if workspace.kind(f"{child}/SKILL.md") is None:
                continue
            # A link in the place of a skill's folder is followed wherever it leads [recorded]: it was put there by
            # hand. Only a folder with a SKILL.md comes so far, and nothing beside it may be read.
            if workspace.kind(child, follow=False) == "link" and workspace.leads_outside(child):
                workspace.allow([workspace.real_path(child)])
            if self._fits(f"{child}/SKILL.md"):
                skills += self._folder(child, source)
            if len(skills) >= bounds.per_source:
                break
        too_many = len(skills) > bounds.per_source
        return sorted(skills, key=lambda s: s.name)[: bounds.per_source] if too_many else skills

    def _grouped(self, folder: str, source: Source, levels: int) -> Iterator[Skill]:
        """The skills of a folder: its own, else those of the folders in it, `levels` deep [2026.9.6]."""
        workspace = self.workspace
        own = f"{folder}/SKILL.md"
        if workspace.kind(own) is not None:
            is_link = workspace.kind(own, follow=False) == "link"
            if (not is_link or self._may_lead(own, source)) and self._fits(own):
                skill = self._load(workspace.read(f"{folder}/SKILL.md"), folder, source, named=True)
                yield from [skill] if skill else []
            return
        for name in folders_in(workspace, folder)[: self.bounds.candidates] if levels else ():
            child = f"{folder}/{name}"
            if workspace.kind(child, follow=False) == "link" and not self._may_lead(child, source):
                self.note("info", "a link that leads out of the skills' folder is not followed", child)
                continue
            yield from self._grouped(child, source, levels - 1)

    def _may_lead(self, link: str, source: Source) -> bool:
        """Whether a link in the place of a skill's folder is followed."""
        target = self.workspace.real_path(link)
        own = source.tag in (MANAGED, PERSONAL)
        roots = [self.workspace.real_path(root) for root in (source.folder, *source.trusted)]
        inside = any(target == root or target.startswith(f"{root}/") for root in roots)
        if (own or inside) and self.workspace.leads_outside(link):
            self.workspace.allow([target])
        return own or inside

    def _fits(self, path: str) -> bool:
        file, limit = self.workspace.read(path), self.bounds.file_bytes
        if file.size > limit or file.problem == "too-large":
            needs = None if file.problem == "too-large" else file.size
            self.refused.append(Refused(file, f"it has {file.size:,} bytes, the limit is {limit:,}", needs))
            return False
        return True

    def _folder(self, folder: str, source: Source, walked: set[str] | None = None, depth: int = 0) -> Iterator[Skill]:
        """The loader's own walk: `.md` files of the skill's folder, SKILL.md files of the folders below it.

        `walked` are the folders so far: the agent has no bound of its own here, and over links that lead back it would
        walk until the system stops it.
        """
        workspace, walked = self.workspace, set() if walked is None else walked
        walked.add(workspace.real_path(folder))
        for entry in workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if entry.name.startswith(".") or entry.name == "node_modules":
                continue
            kind = workspace.kind(path)
            if kind == "directory":
                if workspace.real_path(path) in walked:
                    if entry.kind == "link":
                        self.note("info", "a link leads to a folder that is looked into already", path)
                elif depth >= MAX_DEPTH or len(walked) >= MAX_FOLDERS:
                    message = f"not looked into: {MAX_FOLDERS:,} folders below a skill, {MAX_DEPTH} deep, are enough"
                    self.note("warning", message, folder)
                else:
                    yield from self._folder(path, source, walked, depth + 1)
            elif kind == "file" and (entry.name.endswith(".md") if depth == 0 else entry.name == "SKILL.md"):
                skill = self._load(workspace.read(path), folder, source, named=entry.name == "SKILL.md")
                if skill is not None:
                    yield skill

    def _load(self, file: FileText, folder: str, source: Source, *, named: bool) -> Skill | None:
        if not file.found:
            why = f"it cannot be read: {file.detail}"
            self.refused.append(Refused(file, why))
            self.diagnostics.append(Diagnostic("warning", "skills", why, file.path))
            return None
        if not self.budget.allows(head_of(file.text)):
            why = f"it is not read: the heads of the skills hold more than {Budget.left:,} characters"
            self.refused.append(Refused(file, why))
            self.note("warning", why, source.folder)
            return None
        head, own = read_head(with_texts_quoted(file.text) if source.levels else file.text), folder.rpartition("/")[2]
        self.budget.left -= _JSON5_WEIGHT * head.json5_chars
        if head.problem is not None:
            self.refused.append(Refused(file, head.problem))
            if named:  # a README beside it was never meant as a skill
                what = f"no skill: {head.problem}"
                self.diagnostics.append(Diagnostic("warning", "bad-skill", what, file.path, head.line))
            return None
        name, path, line = head.name or own, file.path, head.name_line
        # What the loader only warns about.
        if name != own:
            self.diagnostics.append(Diagnostic("info", "skills", f"the name {name!r} is not the folder's", path, line))
        if len(name) > MAX_NAME or not all(c.isascii() and (c.islower() or c.isdigit() or c == "-") for c in name):
            what = "a name is at most 64 of a-z, 0-9 and hyphens"
            self.diagnostics.append(Diagnostic("info", "skills", what, path, line))
        if len(head.description) > MAX_DESCRIPTION:
            what = "the description is longer than 1,024 characters"
            self.diagnostics.append(Diagnostic("info", "skills", what, path, head.description_line))
        shown = file.real_path if source.levels and source.tag in (MANAGED, PERSONAL) else path
        return Skill(
            name, head.description, shown, source.tag, head.hidden, file, head, knows_older=bool(source.levels)
        )


def discover(workspace: Workspace, sources: list[Source], bounds: Limits) -> FoundSkills:
    """Everything that the sources hold, lowest precedence first.

    Two readers share the work. OpenClaw picks the folders of a source: children with a SKILL.md, or the source itself.
    The loader then takes each folder whole, which is more than its SKILL.md: every `.md` beside it and every SKILL.md
    further down count as skills as well if they have a description (the pi library's loader, as of that month).
    """
    found = FoundSkills(workspace, bounds)
    for source in sources:
        for skill in found.of(source):
            if skill.name in found.skills:
                found.replaced.append((found.skills[skill.name], skill))
            found.skills[skill.name] = skill  # one of the same name keeps its place in the order
    return found
