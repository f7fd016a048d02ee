"""Skills: where they are found, what holds one back, how they are listed, and the files behind the listing.

Of six sources later ones replace a skill of the same name.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial, reduce
from itertools import accumulate, islice
from operator import and_
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.heads import Budget, is_yes
from promptscope_engine.agents.kit.markup import IN_QUOTES
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.agents.kit.settings import at, mapping, text, texts
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.kit.walking import folders_in
from promptscope_engine.agents.openclaw.gather.config import short_path, state_dir, user_path
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun
from promptscope_engine.agents.openclaw.gather.tools import switched_on
from promptscope_engine.agents.openclaw.levers import SettingLevers, count
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER
from promptscope_engine.formats.document import Json, Parsed, Path
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError, YamlLimitError
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim, js_trim_end, splits_pair, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, label, param_value, traced_lines
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Severity
from promptscope_engine.tokens.models import context_window
from promptscope_engine.workspace import FileText, Workspace

MAX_HEAD_CHARS = 32_000
"""No person wrote a longer one."""
MAX_ALIASES = 100
"""The agent's YAML reader gives up there too."""

_COLON = re.compile(r"(?m)^([\w-]+:)[ \t]+")
_METADATA = re.compile(r"(?m)^metadata:[^\S\n]*(.*)((?:\n[ \t].*(?:\n(?:[ \t].*)?)*)?)")
"""The key with what is on its line, and the indented lines below it."""

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


_SCALAR = re.compile(r"(?m)^(description:[ \t]+)([0-9][0-9.]*|null|true|false|[\"*][^\"\n]*)$")
"""A description that YAML takes for something else, or whose quote is never closed."""


def with_texts_quoted(content: str) -> str:
    """The text with such a description as a text: 2026.9.6 takes it as it is written [recorded]."""
    return _SCALAR.sub(lambda found: found[1] + "'" + found[2].rstrip().replace("'", "''") + "'", content, count=1)


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
    written = _written_metadata(block)
    if written.startswith(("{", "[")):
        value = written
    if isinstance(value, str):
        parsed = parse_json5(value)
        slow = 0 if parsed.is_plain else len(value)
        value = parsed.value
    return (value if isinstance(value, Mapping) else None), slow


def _written_metadata(block: str) -> str:
    """The last value behind `metadata:`, or indented below it, without quotes."""
    value = ""
    for found in _METADATA.finditer(block):
        inline = js_trim(found[1])
        if not inline:
            inline = js_trim(found[2])
        elif quoted := re.fullmatch(r"([\"'])(.*)\1", inline):
            inline = quoted[2]
        value = inline or value
    return value


EXTRA, BUNDLED, MANAGED = "openclaw-extra", "openclaw-bundled", "openclaw-managed"
PERSONAL, PROJECT, WORKSPACE = "agents-skills-personal", "agents-skills-project", "openclaw-workspace"
CUSTODIAN = "openclaw-custodian"
_TAGS = {"bundled": BUNDLED, "custodian": CUSTODIAN}
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


def limits(settings: SettingLevers, version: str, own: Json = None) -> Limits:
    """The limits in force; an agent may have its `own` (from 2026.9 on)."""
    said = {**mapping(settings.get("skills.limits")), **mapping(own)}
    return Limits(*(count(said.get(name), limit) for name, limit in FOLDER.table("skill_limits", version).items()))


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
        if len(name) > _MAX_NAME or not all(c.isascii() and (c.islower() or c.isdigit() or c == "-") for c in name):
            what = "a name is at most 64 of a-z, 0-9 and hyphens"
            self.diagnostics.append(Diagnostic("info", "skills", what, path, line))
        if len(head.description) > _MAX_DESCRIPTION:
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


ON_PATH = "env.PATH"
"""Whether a program is there is a fact about the machine."""

CONFIG_DEFAULTS = {"browser.enabled": True, "browser.evaluateEnabled": True}
"""Configuration paths that are on by default."""


class Machine(Struct, frozen=True):
    """What the gates depend on: configuration, system, environment variables, the folders of PATH, the filter."""

    settings: SettingLevers
    platform: str
    env: Mapping[str, str]
    path: tuple[str, ...]
    only: tuple[str, ...] | None
    """The names that the agent's own list admits; None: no list. An empty list admits none."""
    only_from: str = "skillFilter"


def gate(skill: Skill, machine: Machine, workspace: Workspace) -> Condition:
    """The condition under which the skill is listed, limits aside."""
    return reduce(and_, _gates(skill, machine, workspace))


def _gates(skill: Skill, machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    if skill.plugin:
        yield skill.plugin
    settings, wanted, only = machine.settings, skill.names("os"), machine.only
    path: Path = ("skills", "entries", skill.key)
    entry, no = mapping(settings.get(path)), f"skills.entries.{skill.key}.enabled is false"
    ok = entry.get("enabled") is not False
    yield settings.decides((*path, "enabled"), ok, "it is not switched off", no, on=True, off=False)
    # It limits bundled skills only, and an empty list limits nothing.
    key = "skills.allowBundled"
    listed = settings.get(key)
    names = [name for each in listed if (name := js_trim(str(each)))] if isinstance(listed, list) else []
    if names and skill.source in (BUNDLED, CUSTODIAN):
        ok = skill.key in names or skill.name in names
        yield settings.decides(key, ok, f"{key} names it", f"{key} does not name it", on=[*names, skill.key])
    if wanted:  # it counts even where the metadata says always
        yield Fact(
            "flag", "environment.platform", machine.platform in wanted, "it is made for {actual}",
            f"it is made for {', '.join(wanted)}, not for {{actual}}", wanted=list(wanted), actual=machine.platform,
            remedy="run the agent on such a system",
        )  # fmt: skip
    met: Condition = reduce(and_, _required(skill, entry, machine, workspace), ALWAYS)
    if skill.own("always") is True:
        always = Fact("file", "always", True, "its metadata says always", "")
        yield always if met is ALWAYS else always | met
    elif met is not ALWAYS:
        yield Named("all", "requires", met, "what it requires is there")
    if only is not None:
        whose = machine.only_from
        on = (Lever("skillFilter", [*only, skill.name]),)
        yes, no, remedy = f"{whose} names it", f"{whose} does not name it", f"add it to {whose}"
        yield Fact("flag", whose, skill.name in only, yes, no, on=on, remedy=remedy)
    yes, no = "the model may call it", "disable-model-invocation: only a person may call it"
    remedy = f"take disable-model-invocation out of {skill.path}"
    yield Fact("file", "disable-model-invocation", not skill.hidden, yes, no, remedy=remedy)


def _required(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    for name in skill.names("requires.bins"):
        there = _on_path(name, machine, workspace)
        yes, no = f"the program {name} is there", f"the program {name} is not on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=name, remedy=f"install {name}")
    some = skill.names("requires.anyBins")
    if some:
        there = any(_on_path(name, machine, workspace) for name in some)
        listed = ", ".join(some)
        yes, no = f"one of {listed} is there", f"none of {listed} is on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=[*some], remedy=f"install one of {listed}")
    for name in skill.names("requires.env"):
        own = mapping(entry.get("env")).get(name) or (text(skill.own("primaryEnv")) == name and entry.get("apiKey"))
        there = bool(machine.env.get(name) or own)
        path = ("skills", "entries", skill.key, "env", name)
        is_set = machine.settings.decides(path, there, f"{name} is set", f"{name} is not set", on="imagined")
        yield Named("flag", f"env.{name}", is_set, f"{name} is set")
    for key in skill.names("requires.config"):
        there = _truthy(machine.settings, key)
        no = f"{key} is not set in the configuration"
        is_set = machine.settings.decides(key.strip("."), there, f"{key} is set", no, on=True)
        yield Named("flag", "env.OPENCLAW_CONFIG_PATH", is_set, f"{key} is set")


def _on_path(name: str, machine: Machine, workspace: Workspace) -> bool:
    return any(workspace.is_executable(f"{folder}/{name}") for folder in machine.path)


def _truthy(settings: SettingLevers, path: str) -> bool:
    value = settings.get(path.strip("."))
    if value is None:
        return CONFIG_DEFAULTS.get(path, False)
    if isinstance(value, str):
        return bool(js_trim(value))
    return bool(value) if isinstance(value, (bool, int, float)) else True


class Fit(Struct, frozen=True):
    """What of the skills fits: so many from the front, with descriptions of at most so many units.

    `most`: None is all of them, 0 none. `sizes`: what the block has come to with each skill, those behind too.
    """

    count: int
    most: int | None = None
    noted: bool = False
    sizes: tuple[int, ...] = ()


class Lengths(Struct, frozen=True):
    """Measured in the real agent: its limits count these, not our own wording. In UTF-16 units."""

    base: int
    """What is around the entries."""
    entry: int
    short_base: int = 0
    """The same where descriptions are cut."""
    bare_base: int = 0
    bare_entry: int = 0
    """The same without descriptions."""


OLDER, NEWER_ONES = Lengths(368, 97), Lengths(370, 97, 378, 363, 65)
NOTE, NOTE_CUT, NOTE_COMPACT = 73, 102, 41
"""The note above the list: of skills left out without its two numbers, of cut descriptions, of both in addition."""
LEAST_DESCRIPTION, LONGEST_DESCRIPTION, LEAST_FOR_WINDOW = 4, 220, 64
CUT_OFF = "..."


def first_that_fit(skills: Sequence[Skill], bounds: Limits) -> Fit:
    """As many as fit: first by number, then by the characters of the whole block, with full paths [2026.2.24]."""
    sizes = tuple(accumulate((entry_chars(s, s.path, OLDER.entry) for s in skills), initial=OLDER.base))[1:]
    count_ = next((n for n, size in enumerate(sizes[: bounds.in_prompt]) if size > bounds.chars), len(skills))
    return Fit(min(count_, bounds.in_prompt), sizes=sizes)


def entry_chars(skill: Skill, path: str, frame: int, description: str | None = None) -> int:
    """Characters that a skill's entry takes."""
    told = skill.description if description is None else description
    return frame + sum(utf16_len(value.translate(IN_QUOTES)) for value in (skill.name, told, path))


def cut_description(description: str, most: int | None) -> str:
    """The description in at most `most` units; None: as it is written."""
    if most is None:
        return description
    text_ = js_trim(re.sub(r"\s+", " ", description))
    if utf16_len(text_) <= most:
        return text_
    if most <= len(CUT_OFF):
        return utf16_slice(text_, 0, most - splits_pair(text_, most))
    end = most - len(CUT_OFF)
    return js_trim_end(utf16_slice(text_, 0, end - splits_pair(text_, end))) + CUT_OFF


class _Fitting:
    """Fits skills into the room of the prompt, by shorter descriptions before fewer skills [2026.9.6]."""

    def __init__(self, skills: Sequence[Skill], bounds: Limits, home: str) -> None:
        self.bounds, self.total = bounds, len(skills)
        self.paths = [short_path(skill.path, home) for skill in skills]
        self.skills = skills

    def sizes(self, most: int | None) -> list[int]:
        """What the entries come to, with each one more."""
        known = NEWER_ONES
        base = known.base if most is None else known.short_base if most else known.bare_base
        found = [base]
        for skill, path in zip(self.skills, self.paths, strict=True):
            told = "" if most == 0 else cut_description(skill.description, most)
            frame = known.entry if told or most is None else known.bare_entry
            found.append(found[-1] + entry_chars(skill, path, frame, told))
        return found

    def note(self, count_: int, most: int | None) -> int:
        """The length of the note with its break, 0 without one."""
        compact = NOTE_COMPACT - (0 if most else 2)
        if count_ < self.total:
            return NOTE + len(f"{count_}{self.total}") + (0 if most is None else compact) + bool(count_)
        return 0 if most is None else NOTE_CUT - (0 if most else 2) + bool(count_)

    def fits(self, count_: int, most: int | None, *, noted: bool = True) -> bool:
        size = self.sizes(most)[count_] if count_ else 0
        return size + (self.note(count_, most) if noted else 0) <= self.bounds.chars

    def found(self, window: int) -> Fit:
        """The fit, then what a small window leaves of the descriptions."""
        by_number = min(self.total, self.bounds.in_prompt)
        if self.fits(by_number, None):
            return self._for_window(Fit(by_number, noted=by_number < self.total), window)
        count_ = self._most(lambda n: self.fits(n, 0), 0, by_number)
        if not count_ and by_number:
            if self.fits(by_number, None, noted=False):
                return self._for_window(Fit(by_number), window)
            count_ = self._most(lambda n: self.fits(n, 0, noted=False), 0, by_number)
        noted, most = self.fits(count_, 0), 0
        if count_ and self.fits(count_, LEAST_DESCRIPTION, noted=noted):
            enough = partial(self.fits, count_, noted=noted)
            most = self._most(enough, LEAST_DESCRIPTION, LONGEST_DESCRIPTION)
        return self._for_window(Fit(count_, most, noted), window)

    def _most(self, fits: Callable[[int], bool], low: int, high: int) -> int:
        """The agent's own search between two numbers."""
        while low < high:
            middle = -(-(low + high) // 2)
            low, high = (middle, high) if fits(middle) else (low, middle - 1)
        return low

    def _for_window(self, fit: Fit, window: int) -> Fit:
        added = self.note(fit.count, fit.most) if fit.noted else 0
        sizes = [size + added for size in self.sizes(fit.most)]
        fit = replace(fit, sizes=tuple(sizes[1:]))
        room = window // 5
        if fit.most == 0 or sizes[fit.count] <= room:
            return fit
        taken = self.skills[: fit.count]
        told = sum(utf16_len(cut_description(s.description, fit.most).translate(IN_QUOTES)) for s in taken)

        def size(most: int) -> int:
            cut = (cut_description(s.description, min(most, fit.most or most)) for s in taken)
            return sizes[fit.count] - told + sum(utf16_len(each.translate(IN_QUOTES)) for each in cut)

        shorter = self._most(lambda most: size(most) <= room, LEAST_FOR_WINDOW, LONGEST_DESCRIPTION)
        return replace(fit, most=min(shorter, fit.most or shorter)) if size(shorter) < sizes[fit.count] else fit


def listing(skills: Sequence[Skill], fit: Fit, home: str, version: str) -> Iterable[Span]:
    """The text of `skillsPrompt`, trimmed; of the eligible `skills` those are listed that fit."""
    count_, total = fit.count, len(skills)
    some_cut = count_ < total and (fit.noted or version < NEWER)
    compact = fit.noted and not some_cut
    names = {
        "some_cut": some_cut,
        "shortened": compact and fit.most != 0,
        "omitted": compact and fit.most == 0,
        "bare": fit.most == 0,
        "shown_skills": computed("skills.listed", str(count_)),
        "eligible_skills": computed("skills.eligible", str(total)),
        "listed": [
            {
                "name": list(_escaped(_name(skill))),
                "description": list(_escaped(_description(skill, fit.most))),
                "location": computed("skill.location", short_path(skill.path, home).translate(IN_QUOTES)),
            }
            for skill in skills[:count_]
        ],
    }
    return FOLDER.spans("skill_list", Scope(names, version=version))


def _name(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        yield label(skill.name) if skill.plugin else param_value("skills", skill.name)
    elif skill.head.name is None:
        yield computed("skill.folder", skill.name)
    else:
        yield from traced_lines(skill.file.path, skill.file.text, skill.name, skill.head.name_line, "skill.name")


def _description(skill: Skill, most: int | None = None) -> Iterator[Span]:
    told = cut_description(skill.description, most)
    if skill.file is None:
        own = skill.plugin is not None
        yield builtin(f"skills.{skill.name}", told) if own else param_value("skills", told)
    else:
        first, is_cut = skill.head.description_line, told != skill.description and told.endswith(CUT_OFF)
        kept = told.removesuffix(CUT_OFF) if is_cut else told
        yield from traced_lines(skill.file.path, skill.file.text, kept, first, "skill.description")
        if is_cut:
            yield computed("skill.description", CUT_OFF)


def _escaped(spans: Iterator[Span]) -> Iterator[Span]:
    """The spans with entities; what is verbatim in a file stays so on both sides of one."""
    for span in spans:
        if span.origin.kind != "file":
            yield Span(span.text.translate(IN_QUOTES), span.origin)
            continue
        for stretch in re.split(r"([&<>\"'])", span.text):
            entity = stretch.translate(IN_QUOTES)
            if entity != stretch:
                yield computed("xml", entity)
            elif stretch:
                yield Span(stretch, span.origin)


MANIFEST = "openclaw.plugin.json"
GIVEN = "given"
"""The tag of what stands in for all sources."""
USUAL_PACKAGE = "/usr/lib/node_modules/openclaw"
"""Where npm puts a package for all users, on Linux: which one runs is not known here."""
MAX_PLUGINS = 200


class Listed(NamedTuple):
    """The text of `skillsPrompt` and what decides it, every file that was read, and the diagnostics."""

    spans: tuple[Span, ...]
    because: Condition
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]
    names: tuple[str, ...] = ()
    """Of every skill that was found, held back or not."""
    keys: tuple[str, ...] = ()
    knows_bundled: bool = False
    """The folder of the package's own is known."""


Checked = Sequence[tuple[Skill, Condition]]
"""Skills, each with the gates that let it in."""


def roots(inputs: Inputs, settings: SettingLevers) -> list[str]:
    """Folders outside workspace and home that the configuration names and that may be read."""
    named = texts(settings.get("skills.load.extraDirs")) or []
    plugins = texts(settings.get("plugins.load.paths")) or []
    others = (inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""), text(settings.get("agents.defaults.repoRoot")) or "")
    return [user_path(path, inputs) for path in (*named, *plugins, *others) if js_trim(path)]


def skills(run: AgentRun, workspace: Workspace) -> Listed:
    """The skills of this run: gates, then the two limits, which cut from the end."""
    settings, given, home = run.settings, run.params.skills, run.inputs.home
    on = given is None and settings.get("plugins.enabled") is not False
    found = list(manifests(run, workspace)) if on else []
    sources, bounds, machine = (
        _sources(run, found, workspace),
        limits(settings, run.version, run.entry.get("skillsLimits")),
        _machine(run),
    )
    if given is not None:
        fields = ((s.name, s.description, s.filePath, s.source, s.disableModelInvocation) for s in given)
        sources = [Source(GIVEN, "", tuple(Skill(*each) for each in fields))]
    # what the whole listing depends on; with 60 skills it takes 15 ms, and a what-if panel asks for it 40 times
    window = _window(run)
    key = ("openclaw.skills", repr((sources, bounds, machine, home, run.version, window)))
    listed = workspace.memo(key, lambda: _listed(sources, bounds, machine, workspace, (home, run.version, window)))
    return listed._replace(files=(*(_manifest(file, settings) for file in found), *listed.files))


def _window(run: AgentRun) -> int:
    info = run.params.modelInfo
    return info.contextWindow if info and info.contextWindow else context_window(run.model_name or run.model)


def _listed(
    sources: list[Source], bounds: Limits, machine: Machine, workspace: Workspace, where: tuple[str, str, int]
) -> Listed:
    home, version, window = where
    found = discover(workspace, sources, bounds)
    facts = Facts()
    skills_ = list(found.skills.values())
    if version >= NEWER:
        skills_ = [skills_[at] for at in locale_order([skill.name for skill in skills_])]
    checked = [(skill, gate(skill, machine, workspace)) for skill in skills_]
    eligible = [skill for skill, when in checked if when.holds(facts)]
    fit = first_that_fit(eligible, bounds) if version < NEWER else _Fitting(eligible, bounds, home).found(window)
    if fit.most is not None:
        most = f"cut to {fit.most} characters each" if fit.most else "left out"
        message = f"the descriptions of {fit.count} skills are {most}: maxSkillsPromptChars is {bounds.chars:,}"
        found.diagnostics.append(Diagnostic("warning", "skills-shortened", message))
    is_known = any(source.tag == BUNDLED for source in sources)
    if not is_known and sources[0].tag != GIVEN:
        message = "the installed package is not known (`bundledSkillsDir`): its skills are not listed"
        found.diagnostics.append(Diagnostic("info", "skills", message))
    return Listed(
        tuple(listing(eligible, fit, home, version)),
        _some(checked, bool(eligible), short_path(sources[-1].folder, home)),
        tuple(_files(checked, fit, found, machine.settings, home)),
        tuple(found.diagnostics),
        tuple(skill.name for skill in found.skills.values()),
        tuple(skill.key for skill in found.skills.values()),
        is_known,
    )


def _some(checked: Checked, ok: bool, folder: str) -> Condition:
    """There is a skill to list. Where all are held back, the first gate to open is that of any."""
    yes, no = "there are skills to list", "there is no skill to list"
    if checked and not ok:
        return Named("any", "skills", AnyOf(tuple(when for _, when in checked)), yes)
    put = f"put a folder with a SKILL.md into {folder}; no switch simulates it"
    remedy = put if folder else "pass `skills` that are not empty"
    return Fact("file", "skills", ok, yes, no, off=(Lever("skillFilter", []),), remedy=remedy)


def _machine(run: AgentRun) -> Machine:
    only, only_from = run.params.skillFilter, "skillFilter"
    usual = run.settings.get("agents.defaults.skills") if run.is_newer else None
    for listed, whose in ((run.entry.get("skills"), "the agent's list of skills"), (usual, "`agents.defaults.skills`")):
        if only is None and isinstance(listed, list):
            only, only_from = [str(name) for name in listed], whose
    names = None if only is None else tuple(name for name in map(js_trim, only) if name)
    inputs = run.inputs
    path = search_path(inputs.env)
    return Machine(run.settings, inputs.environment.platform or "", run.config.env, path, names, only_from)


# --- where ------------------------------------------------------------------------------------------------------------


def _sources(run: AgentRun, manifests: Sequence[FileText], workspace: Workspace) -> list[Source]:
    """The sources, lowest precedence first; plugins' folders come with the extra ones."""
    inputs, params, settings = run.inputs, run.params, run.settings
    extra = [user_path(path, inputs) for path in texts(settings.get("skills.load.extraDirs")) or [] if js_trim(path)]
    for manifest in manifests:
        extra += _plugin_folders(manifest, settings)
    allowed = texts(settings.get("skills.load.allowSymlinkTargets")) or []
    trusted = tuple(user_path(path, inputs) for path in allowed if js_trim(path))
    managed, levels = params.managedSkillsDir, LEVELS if run.is_newer else 0
    of_user = (
        Source(MANAGED, user_path(managed, inputs) if managed else f"{state_dir(inputs)}/skills", None, levels),
        Source(PERSONAL, f"{inputs.home}/.agents/skills", None, levels),
    )
    return [
        *(Source(EXTRA, path, None, levels and _extra_levels(path), trusted) for path in extra),
        *_of_package(run, workspace),
        *of_user,
        Source(PROJECT, f"{run.folder}/.agents/skills", None, levels, trusted),
        Source(WORKSPACE, f"{run.folder}/skills", None, levels, trusted),
    ]


LEVELS, EXTRA_LEVELS = 6, 2
"""How deep folders of skills are searched; an extra folder less deeply, unless it is one of skills."""


def _extra_levels(path: str) -> int:
    return LEVELS if "skills" in path.split("/") else EXTRA_LEVELS


def _of_package(run: AgentRun, workspace: Workspace) -> Iterator[Source]:
    """What comes with the installed package: its own folders if they can be read, else what is known of them."""
    params, inputs = run.params, run.inputs
    named = params.bundledSkillsDir or js_trim(inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""))
    package = package_of(run, workspace)
    own = f"{package}/skills" if package and run.is_newer else ""
    folder = user_path(named, inputs) if named else own if own and workspace.is_dir(own) else ""
    levels = LEVELS if run.is_newer else 0
    yield Source(EXTRA, "", tuple(_packaged(run, package or USUAL_PACKAGE, ("", "plugin"))))
    if folder:
        yield Source(BUNDLED, folder, None, levels)
        if run.is_newer and run.is_default:
            yield Source(CUSTODIAN, f"{folder.rpartition('/')[0]}/custodian-skills", None, levels)
    elif own:
        yield Source(BUNDLED, "", tuple(_packaged(run, package or "", ("bundled",))))
        if run.is_default:
            yield Source(CUSTODIAN, "", tuple(_packaged(run, package or "", ("custodian",))))


def package_of(run: AgentRun, workspace: Workspace) -> str | None:
    """The folder of the installed package, None where it is not known.

    It is the scenario's, or the one that `openclaw` on PATH is of; before 2026.9 the one around the bundled skills.
    """
    params, inputs = run.params, run.inputs
    if params.packageDir:
        return user_path(params.packageDir, inputs).rstrip("/")
    if not run.is_newer:
        return (params.bundledSkillsDir or "").rstrip("/").rpartition("/")[0] or None
    for folder in search_path(inputs.env):
        if workspace.is_executable(f"{folder}/openclaw"):
            found = workspace.real_path(f"{folder}/openclaw").rpartition("/")[0]
            if found.endswith("/openclaw"):
                workspace.allow([found])
                return found
    return None


def _packaged(run: AgentRun, package: str, of: Collection[str]) -> Iterator[Skill]:
    """The skills that come with the package, of plugins only of those that are on."""
    for name, skill in FOLDER.bundled("skills", run.version).items():
        place, plugin = skill.head.get("of", ""), skill.head.get("plugin")
        if place not in of:
            continue
        when = switched_on(run.settings, plugin, usual=run.is_newer) if plugin else None
        folders = {
            "bundled": f"{package}/skills",
            "custodian": f"{package}/custodian-skills",
            "plugin": f"{state_dir(run.inputs)}/plugin-skills",
        }
        path = f"{folders.get(place, f'{package}/extensions/{plugin}/skills')}/{name}/SKILL.md"
        if when is None or when.holds(Facts()):
            yield Skill(name, skill.text, path, _TAGS.get(place, EXTRA), hidden=False, plugin=when or ALWAYS)


def manifests(run: AgentRun, workspace: Workspace) -> Iterator[FileText]:
    """The manifests of the plugins that are looked for: named folders, and the extensions of workspace and home."""
    inputs = run.inputs
    homes = [user_path(path, inputs) for path in texts(run.settings.get("plugins.load.paths")) or [] if js_trim(path)]
    for home in (*homes, f"{run.folder}/.openclaw/extensions", f"{state_dir(inputs)}/extensions"):
        entries = workspace.list(home).entries if workspace.is_dir(home) else ()
        children = [f"{home}/{entry.name}" for entry in entries if entry.kind != "file"]
        for plugin in (home, *children[:MAX_PLUGINS]):
            file = workspace.read(f"{plugin}/{MANIFEST}") if workspace.kind(f"{plugin}/{MANIFEST}") else None
            if file and file.found:
                yield file


def _plugin_folders(file: FileText, settings: SettingLevers) -> Iterator[str]:
    """The `skills` folders of a plugin's manifest, none while the plugin is off."""
    manifest = mapping(parse_json5(file.text).value)
    plugin, allowed = text(manifest.get("id")), texts(settings.get("plugins.allow"))
    if plugin is None or plugin in (texts(settings.get("plugins.deny")) or []) or (allowed and plugin not in allowed):
        return
    if mapping(mapping(settings.get("plugins.entries")).get(plugin)).get("enabled") is False:
        return
    for relative in texts(manifest.get("skills")) or []:
        if js_trim(relative) and ".." not in relative.split("/") and not relative.startswith("/"):
            yield f"{file.path.removesuffix(MANIFEST)}{relative.removeprefix('./').rstrip('/')}"


def _manifest(file: FileText, settings: SettingLevers) -> FileDraft:
    on = any(_plugin_folders(file, settings))
    no = "the plugin is off or brings no skills"
    remedy = f"name its folders under `skills` in {file.path}, and switch it on under `plugins`"
    when = Fact("file", file.path, on, "its skills are looked into", no, remedy=remedy)
    return file_row(file, "settings", "always", when, chars=utf16_len(file.text))


# --- the files --------------------------------------------------------------------------------------------------------


def _files(checked: Checked, fit: Fit, found: FoundSkills, settings: SettingLevers, home: str) -> Iterator[FileDraft]:
    bounds, facts, shown = found.bounds, Facts(), fit.count
    eligible = [skill for skill, when in checked if when.holds(facts)]
    chars = [size if n < shown else max(size, bounds.chars + 1) for n, size in enumerate(fit.sizes)]
    chars = [size if n >= bounds.in_prompt else chars[n] for n, size in enumerate(fit.sizes)]
    places = {id(skill): place for skill, *place in zip(eligible, range(1, len(eligible) + 1), chars, strict=True)}
    for skill, when in checked:
        if id(skill) not in places:  # a gate holds it back before the limits do
            yield _draft(skill, when, home)
            continue
        rank, size = places[id(skill)]
        wanted = (Limit("maxSkillsInPrompt", bounds.in_prompt, rank), Limit("maxSkillsPromptChars", bounds.chars, size))
        last = "the next one to be cut, " if rank == shown else ""  # the last one listed is the first to go
        yield _draft(skill, when & _room(wanted, settings), home, f"{last}number {rank} of {shown} listed", wanted)
    for loser, winner in found.replaced:
        why = f"{winner.path} has the same name and overrides it"
        yield _draft(loser, absent(loser.name, why, "give one of the two another name"), home)
    for refused in found.refused:
        file, key = refused.file, "skills.limits.maxSkillFileBytes"
        never: Condition = absent(file.path, refused.why, f"change {file.path}; no switch simulates it")
        if refused.needs is not None:
            never = settings.decides(key, False, "", refused.why, on=refused.needs)
        yield file_row(file, "skill", "on-demand", never, chars=utf16_len(file.text))


def _room(limits_: tuple[Limit, Limit], settings: SettingLevers) -> Condition:
    """Whether the limits on number and characters left room for the skill."""
    (rank, most), (chars, room) = ((limit.wanted, limit.allowed) for limit in limits_)
    words = (
        f"maxSkillsInPrompt is {most:,}: cut as number {rank}",
        f"the listing would have {chars:,} characters, maxSkillsPromptChars is {room:,}: cut as number {rank}",
    )
    in_number, in_size = (
        settings.decides(
            f"skills.limits.{limit.name}", limit.wanted <= limit.allowed, "the limits leave room", no,
            on=limit.wanted, off=limit.wanted - 1,
        )
        for limit, no in zip(limits_, words, strict=True)
    )  # fmt: skip
    return in_number & in_size


def _draft(skill: Skill, when: Condition, home: str, yes: str = "", limits_: tuple[Limit, ...] = ()) -> FileDraft:
    told = skill.name, skill.description, short_path(skill.path, home)
    name, description, place = (text.translate(IN_QUOTES) for text in told)
    fields = f"<name>{name}</name>\n    <description>{description}</description>\n    <location>{place}</location>"
    injected, file = f"\n  <skill>\n    {fields}\n  </skill>", skill.file
    when = mode_is("full", "minimal") & when
    return FileDraft(
        path=skill.path,
        real_path=file.real_path if file else "",
        kind="skill",
        load="on-demand",  # the body is for the model to read; only the entry is in the prompt
        when=Named("file", skill.name, when, yes) if yes else when,
        bytes=file.size if file else 0,
        raw_chars=utf16_len(file.text) if file else 0,
        injected=injected,
        injected_chars=utf16_len(injected),
        limits=limits_,
    )
