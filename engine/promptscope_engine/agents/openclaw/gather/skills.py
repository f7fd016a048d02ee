"""Skills: where they are found, what holds one back, how they are listed, and the files behind the listing.

Of six sources later ones replace a skill of the same name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import accumulate
from operator import and_
from typing import Any, NamedTuple

from msgspec import Struct

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
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json, Parsed, Path
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError, YamlLimitError
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, label, param_value, traced_lines
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Severity
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
    given: "tuple[Skill, ...] | None" = None


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
    if names and skill.source == BUNDLED:
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


# Measured in the real agent: its limit counts these, not our own wording (3, reference.json).
BASE_CHARS = 368
ENTRY_CHARS = 97


def listed_count(skills: Sequence[Skill], bounds: Limits) -> int:
    """How many from the front fit: first by number, then by the characters of the whole block."""
    total = BASE_CHARS
    for number, skill in enumerate(skills[: bounds.in_prompt]):
        total += entry_chars(skill)
        if total > bounds.chars:
            return number
    return min(len(skills), bounds.in_prompt)


def entry_chars(skill: Skill) -> int:
    """Characters that a skill's entry takes; the location counts with its full path, which is shortened later."""
    return ENTRY_CHARS + sum(
        utf16_len(value.translate(IN_QUOTES)) for value in (skill.name, skill.description, skill.path)
    )


def listing(skills: Sequence[Skill], total: int, home: str) -> Iterable[Span]:
    """The text of `skillsPrompt`, trimmed; `total` are the eligible ones, more than the listed if some were cut."""
    names = {
        "some_cut": len(skills) < total,
        "shown_skills": computed("skills.listed", str(len(skills))),
        "eligible_skills": computed("skills.eligible", str(total)),
        "listed": [
            {
                "name": list(_escaped(_name(skill))),
                "description": list(_escaped(_description(skill))),
                "location": computed("skill.location", short_path(skill.path, home).translate(IN_QUOTES)),
            }
            for skill in skills
        ],
    }
    return FOLDER.spans("skill_list", Scope(names))


def _name(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        yield label(skill.name) if skill.plugin else param_value("skills", skill.name)
    elif skill.head.name is None:
        yield computed("skill.folder", skill.name)
    else:
        yield from traced_lines(skill.file.path, skill.file.text, skill.name, skill.head.name_line, "skill.name")


def _description(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        own = skill.plugin is not None
        yield builtin(f"skills.{skill.name}", skill.description) if own else param_value("skills", skill.description)
    else:
        first = skill.head.description_line
        yield from traced_lines(skill.file.path, skill.file.text, skill.description, first, "skill.description")


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
    sources, bounds, machine = _sources(run, found), limits(settings), _machine(run)
    if given is not None:
        fields = ((s.name, s.description, s.filePath, s.source, s.disableModelInvocation) for s in given)
        sources = [Source(GIVEN, "", tuple(Skill(*each) for each in fields))]
    # what the whole listing depends on; with 60 skills it takes 15 ms, and a what-if panel asks for it 40 times
    key = ("openclaw.skills", repr((sources, bounds, machine, home)))
    listed = workspace.memo(key, lambda: _listed(sources, bounds, machine, workspace, home))
    return listed._replace(files=(*(_manifest(file, settings) for file in found), *listed.files))


def _listed(sources: list[Source], bounds: Limits, machine: Machine, workspace: Workspace, home: str) -> Listed:
    found = discover(workspace, sources, bounds)
    facts = Facts()
    checked = [(skill, gate(skill, machine, workspace)) for skill in found.skills.values()]
    eligible = [skill for skill, when in checked if when.holds(facts)]
    shown = eligible[: listed_count(eligible, bounds)]
    is_known = any(source.tag == BUNDLED for source in sources)
    if not is_known and sources[0].tag != GIVEN:
        message = "the installed package is not known (`bundledSkillsDir`): its skills are not listed"
        found.diagnostics.append(Diagnostic("info", "skills", message))
    return Listed(
        tuple(listing(shown, len(eligible), home)),
        _some(checked, bool(eligible), short_path(sources[-1].folder, home)),
        tuple(_files(checked, len(shown), found, machine.settings, home)),
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
    if only is None and isinstance(run.entry.get("skills"), list):
        only, only_from = [str(name) for name in run.entry["skills"]], "the agent's list of skills"
    names = None if only is None else tuple(name for name in map(js_trim, only) if name)
    inputs = run.inputs
    path = search_path(inputs.env)
    return Machine(run.settings, inputs.environment.platform or "", run.config.env, path, names, only_from)


# --- where ------------------------------------------------------------------------------------------------------------


def _sources(run: AgentRun, manifests: Sequence[FileText]) -> list[Source]:
    """The six sources, lowest precedence first; plugins' folders come with the extra ones."""
    inputs, params, settings = run.inputs, run.params, run.settings
    extra = [user_path(path, inputs) for path in texts(settings.get("skills.load.extraDirs")) or [] if js_trim(path)]
    for manifest in manifests:
        extra += _plugin_folders(manifest, settings)
    managed = params.managedSkillsDir
    bundled = params.bundledSkillsDir or js_trim(inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""))
    return [
        *(Source(EXTRA, path) for path in extra),
        Source(EXTRA, "", tuple(_packaged(params.bundledSkillsDir, settings))),
        *([Source(BUNDLED, user_path(bundled, inputs))] if bundled else []),
        Source(MANAGED, user_path(managed, inputs) if managed else f"{state_dir(inputs)}/skills"),
        Source(PERSONAL, f"{inputs.home}/.agents/skills"),
        Source(PROJECT, f"{run.folder}/.agents/skills"),
        Source(WORKSPACE, f"{run.folder}/skills"),
    ]


def _packaged(bundled: str | None, settings: SettingLevers) -> Iterator[Skill]:
    """The skills of those plugins of the package that are on."""
    package = (bundled or "").rstrip("/").rpartition("/")[0] or USUAL_PACKAGE
    for name, skill in FOLDER.bundled("skills", FOLDER.versions[-1]).items():
        plugin: str = skill.head["plugin"]
        when = switched_on(settings, plugin)
        if when.holds(Facts()):
            path = f"{package}/extensions/{plugin}/skills/{name}/SKILL.md"
            yield Skill(name, skill.text, path, EXTRA, hidden=False, plugin=when)


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


def _files(checked: Checked, shown: int, found: FoundSkills, settings: SettingLevers, home: str) -> Iterator[FileDraft]:
    bounds, facts = found.bounds, Facts()
    eligible = [skill for skill, when in checked if when.holds(facts)]
    chars = list(accumulate(map(entry_chars, eligible), initial=BASE_CHARS))[1:]
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
