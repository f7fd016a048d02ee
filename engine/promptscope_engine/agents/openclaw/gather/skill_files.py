"""Where skills are found: six sources, later ones replace a skill of the same name; and the head of a SKILL.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.kit.heads import Budget, is_yes
from promptscope_engine.agents.kit.settings import at, text
from promptscope_engine.agents.kit.walking import folders_in
from promptscope_engine.agents.openclaw.levers import SettingLevers, count
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json, Parsed
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError, YamlLimitError
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import FileText, Workspace

MAX_HEAD_CHARS = 32_000
"""No person wrote a longer one."""
MAX_ALIASES = 100
"""The agent's YAML reader gives up there too."""

_COLON = re.compile(r"(?m)^([\w-]+:)[ \t]+")

_MAX_NAME, _MAX_DESCRIPTION = 64, 1024


class Head(Struct, frozen=True):
    """What a head says. `problem` says why the loader takes no skill from the file, with its line."""

    name: str | None = None
    description: str = ""
    description_line: int = 1
    name_line: int = 1
    hidden: bool = False
    metadata: Mapping[str, Json] | None = None
    problem: str | None = None
    line: int | None = None
    json5_chars: int = 0
    """Characters of metadata that are no plain JSON."""


def head_of(content: str) -> str:
    """What `read_head` has to read; nothing where it refuses the head for its length."""
    end = content.find("\n---", 3)
    return content[:end] if content.startswith("---") and end in range(MAX_HEAD_CHARS + 1) else ""


@lru_cache(maxsize=2048)
def read_head(content: str) -> Head:
    """The head of a file's text. Never raises."""
    normalized = content.replace("\r\n", "\n").replace("\r", "\n")
    head, closing, _ = normalized.removeprefix("---").partition("\n---")
    if not normalized.startswith("---") or not closing:  # a BOM before the dashes hides the head
        return Head(problem="it has no front matter")
    block, above = head[1:], 1 + head[:1].count("\n")
    if len(block) > MAX_HEAD_CHARS:
        return Head(problem=f"its front matter is longer than {MAX_HEAD_CHARS:,} characters", line=1)
    # YAML 1.2 takes a tab behind the colon, PyYAML does not; the break before the closing dashes belongs to the text
    front_matter = FrontMatter(_COLON.sub(r"\1 ", block) + "\n", above)
    try:
        document = front_matter.parse(CORE, max_aliases=MAX_ALIASES)
    except YamlLimitError as error:
        return Head(problem=f"its front matter is not read: {error.message}", line=error.line)
    except YamlError as error:
        return Head(problem=f"its front matter is not YAML: {error.message}", line=error.line)
    return _head(document, block)


def _head(document: Parsed, block: str) -> Head:
    values = {} if document.value is None else document.value
    if not isinstance(values, dict):
        return Head(problem="its front matter must be an object", line=document.line(()))
    name, description = values.get("name"), values.get("description")
    description_line = document.value_line(("description",)) if "description" in values else None
    if not description or (isinstance(description, str) and not js_trim(description)):
        return Head(problem="it has no description", line=description_line)
    if not isinstance(description, str):
        return Head(problem="its description must be a string", line=description_line)
    if name and not isinstance(name, str):
        return Head(problem="its name must be a string", line=document.value_line(("name",)))
    metadata, json5_chars = _metadata(values.get("metadata"), block)
    return Head(
        name=name or None,
        description=description,
        description_line=description_line or 1,
        name_line=(document.value_line(("name",)) if "name" in values else None) or 1,
        hidden=is_yes(values.get("disable-model-invocation")),
        metadata=metadata,
        json5_chars=json5_chars,
    )


def _metadata(value: Any, block: str) -> tuple[Mapping[str, Json] | None, int]:
    """The metadata, and how many characters of it the slow parser had to read."""
    slow = 0
    written = _line_value(block, "metadata")
    if written.startswith(("{", "[")):
        value = written
    if isinstance(value, str):
        parsed = parse_json5(value)
        slow = 0 if parsed.is_plain else len(value)
        value = parsed.value
    return (value if isinstance(value, Mapping) else None), slow


def _line_value(block: str, key: str) -> str:
    """The last value after `key:`, or indented below it, without quotes."""
    lines = block.split("\n")
    value = ""
    for number, line in enumerate(lines):
        found = re.fullmatch(rf"{key}:\s*(.*)", line)
        if not found:
            continue
        inline = js_trim(found[1])
        if not inline and number + 1 < len(lines) and lines[number + 1].startswith((" ", "\t")):
            below = []
            for follower in lines[number + 1 :]:
                if follower and not follower.startswith((" ", "\t")):
                    break
                below.append(follower)
            inline = js_trim("\n".join(below))
        elif quoted := re.fullmatch(r"([\"'])(.*)\1", inline):
            inline = quoted[2]
        value = inline or value
    return value


EXTRA, BUNDLED, MANAGED = "openclaw-extra", "openclaw-bundled", "openclaw-managed"
PERSONAL, PROJECT, WORKSPACE = "agents-skills-personal", "agents-skills-project", "openclaw-workspace"
_JSON5_WEIGHT = 8
MAX_DEPTH, MAX_FOLDERS = 16, 2_000
"""Folders below a skill's own, one in the other and in all."""


class Limits(Struct, frozen=True):
    """`skills.limits`, in the order of agent.toml, which has the defaults."""

    candidates: int
    per_source: int
    in_prompt: int
    chars: int
    file_bytes: int


def limits(settings: SettingLevers) -> Limits:
    """The limits in force."""
    usual = FOLDER.agent["skill_limits"].items()
    return Limits(*(count(settings.get(f"skills.limits.{name}"), limit) for name, limit in usual))


class Source(Struct, frozen=True):
    """A folder of skills and its tag, or the skills that stand in for what it holds."""

    tag: str
    folder: str
    given: tuple[Skill, ...] | None = None


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

    @property
    def key(self) -> str:
        """Its key in `skills.entries`."""
        return text(self.own("skillKey")) or self.name

    def own(self, path: str) -> Json:
        """What `metadata.openclaw` has under a dotted path."""
        return at(self.head.metadata, f"openclaw.{path}")

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
        head, own = read_head(file.text), folder.rpartition("/")[2]
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
        if len(name) > _MAX_NAME or not all(c.isascii() and (c.islower() or c.isdigit() or c == "-") for c in name):
            what = "a name is at most 64 of a-z, 0-9 and hyphens"
            self.diagnostics.append(Diagnostic("info", "skills", what, path, line))
        if len(head.description) > _MAX_DESCRIPTION:
            what = "the description is longer than 1,024 characters"
            self.diagnostics.append(Diagnostic("info", "skills", what, path, head.description_line))
        return Skill(name, head.description, path, source.tag, head.hidden, file, head)


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
