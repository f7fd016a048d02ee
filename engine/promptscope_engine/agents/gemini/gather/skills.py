"""Skills and sub-agents: where they are, which of them are listed, and what is said about them."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.gemini.materials import Skill, SubAgent
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.gemini.tool_policy import OLD_NAMES, TOOLS
from promptscope_engine.agents.kit.disk.heads import Budget, head_of, traced
from promptscope_engine.agents.kit.disk.rows import absent, followed, near_entries, near_skills
from promptscope_engine.agents.kit.disk.settings import below, mapping
from promptscope_engine.agents.kit.disk.settings_schema import Schema
from promptscope_engine.agents.kit.disk.walking import folders_in
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import JS_YAML, FrontMatter, YamlError
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText

from .session import Gatherer
from .settings import read_json

_KEY = re.compile(r"^[^\S\n]*(?:name|(description)):[ \t]*(.*(?(1)(?:\n[ \t]+\S.*)*))$", re.MULTILINE)
"""A key with its value: to that of the description belong the indented lines behind it."""


@dataclass(eq=False, repr=False)
class Finder(Gatherer):
    """Looks through folders of files of one kind."""

    budget: Budget

    def is_full(self, most: int, what: str, folder: str) -> bool:
        """Whether so many files were read that no more are, which is said."""
        if len(self.found.files) < most:
            return False
        self.found.warn("too-many-files", f"{most} {what} are read; the others are left out", folder)
        return True


def described(head: str, budget: Budget) -> tuple[str, str] | None:
    """Name and description: as YAML has them, else line by line. None if one of them is missing."""
    if budget.allows(head):
        try:
            value = FrontMatter(f"{head}\n").parse(JS_YAML).value  # a folded text keeps its last line feed
        except YamlError:
            value = None
        if isinstance(value, dict):
            name, description = value.get("name"), value.get("description")
            if isinstance(name, str) and isinstance(description, str):
                return name, description
    return _by_lines(head)


def _by_lines(head: str) -> tuple[str, str] | None:
    """`name: rest` and `description: rest`, to which indented lines behind it belong."""
    found: dict[str, str] = {}
    for match in _KEY.finditer(head.replace("\r\n", "\n").removesuffix("\r")):
        found[match[1] or "name"] = " ".join(filter(None, map(js_trim, match[2].split("\n"))))
    return (found["name"], found["description"]) if len(found) > 1 else None


_FORBIDDEN = re.compile(r'[:\\/<>*?"|]')
_MAX_SKILLS = 500
_SKILL = "skill"


class _Place(Struct, frozen=True):
    """A folder of skills, and what lets it in; `extension` is the folder of the extension that it belongs to."""

    folder: str
    when: Condition = ALWAYS
    extension: str = ""


@dataclass(eq=False, repr=False)
class SkillFinder(Finder):
    """Collects the skills in order; a later one of a name takes the place of the earlier."""

    skills: dict[str, Skill] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    """By a skill's name: where its row is."""

    def gather(self) -> tuple[Skill, ...]:
        """The skills that are listed."""
        settings, package = self.session.settings, self.session.params.packageDir
        self.enabled, self.disabled = settings.enabled("skills.enabled", True), settings.items("skills.disabled")
        location = self.places.absolute(package) if package.startswith("/") else package
        for name, bundled in FOLDER.bundled("skills", self.facts.version).items():
            said = builtin(f"skills.{name}", bundled.text)
            self.skills[name] = Skill(name, f"{location}/bundle/builtin/{name}/SKILL.md", (said,))
        own, project = self.places.home.rstrip("/"), self.places.cwd.rstrip("/")
        folders = [
            *(_Place(f"{e.path}/skills", e.when, e.path) for e in self.session.extensions),
            _Place(f"{own}/.gemini/skills"),
            _Place(f"{own}/.agents/skills"),
            _Place(f"{project}/.gemini/skills", self.trusted),
            _Place(f"{project}/.agents/skills", self.trusted),
        ]
        first = {place.folder: place for place in reversed(folders)}  # in the home folder two places are one
        for folder in dict.fromkeys(place.folder for place in folders):
            self._place(first[folder])
        return tuple(s for name, s in self.skills.items() if (self.enabled & self._allowed(name)).holds(self.facts))

    def _place(self, place: _Place) -> None:
        if not self.found.may_read(place.folder, _SKILL):
            return
        names = sorted(folders_in(self.workspace, place.folder), key=os.fsencode, reverse=True)  # [recorded 0.61.0]
        folders = [f"{place.folder}/{name}" for name in names]
        open_ones = (place.folder, *(folder for folder in folders if self.found.may_read(folder, _SKILL)))
        for path in (f"{folder}/SKILL.md" for folder in open_ones):
            if self.workspace.kind(path, follow=False) is None:
                continue
            if self.is_full(_MAX_SKILLS, "skills", place.folder):
                return
            self._file(path, place)
        self.found.files += near_skills(self.workspace, place.folder, root=True)

    def _file(self, path: str, place: _Place) -> None:
        source = self.workspace.read(path)
        name, spans, problem = self._described(source, place)
        when = followed(self.workspace, path, self.follow) & place.when
        if problem and source.found:
            self.found.warn("bad-skill", f"no skill: {problem}", path, 1)
        when = when & FOLDER.reason("skill", not problem, path=path, problem=problem)
        if not problem:
            if when.holds(self.facts):
                self._replaced(name, path)
                self.skills[name] = Skill(name, path, spans)
                self.rows[name] = len(self.found.files)
            when = when & self.enabled & self._allowed(name)
        self.found.row(source, _SKILL, "always", when, joined(spans))

    def _replaced(self, name: str, path: str) -> None:
        """The row of an earlier skill of this name says what replaced it."""
        if name not in self.rows:
            return
        row = self.found.files[self.rows[name]]
        why = FOLDER.reason("skill_replaced", path=row.path, by=path)
        self.found.files[self.rows[name]] = replace(row, when=why)
        self.found.diagnostics.append(FOLDER.note("skill-replaced", path, name=name, by=path, old=row.path))

    def _described(self, source: FileText, place: _Place) -> tuple[str, tuple[Span, ...], str]:
        """The skill's name and description, or why it is none."""
        if not source.found:
            return "", (), f"it cannot be read: {source.problem}"
        head = head_of(source.text)
        if head is None:
            return "", (), "it does not begin with front matter"
        values = described(head, self.budget)
        if values is None:
            return "", (), "its front matter has no name or no description"
        name, text = _FORBIDDEN.sub("-", values[0]), values[1]
        if place.extension:
            filled = text.replace("${extensionPath}", place.extension).replace("${workspacePath}", self.places.cwd)
            if filled != text:
                return name, (computed("skill.description", filled),), ""
        return name, traced(source, text, "description"), ""

    def _allowed(self, name: str) -> Condition:
        """No entry of `skills.disabled` names the skill, in any case."""
        hits = [known for known in self.disabled if known.value.lower() == name.lower()]
        if not hits:
            return ALWAYS
        source = hits[-1].source
        rest = [known.value for known in self.disabled if known.value.lower() != name.lower()]
        in_files = any(known.source.path for known in hits)  # a list of a file is only added to
        yes, no = "`skills.disabled` does not name it", "`skills.disabled` names it"
        on = None if in_files else Lever("settings.skills.disabled", rest)
        return Setting(source, True, "is", False, yes, no, on=on)


BUILT_IN = ("codebase_investigator", "cli_help", "generalist", "browser_agent")
"""The last one is listed only where an override enables it."""
_FORMS = {"Name": ("[a-z0-9_-]+", "small letters, digits, dashes and underscores")}
_REMOTE = "remote"
_MAX_FILES = 300
_AGENT = "agent"
_FETCHED = "nothing is fetched"
_SERVERS_TOOL = re.compile(r"mcp_(?:\*|[A-Za-z0-9.:-]+_(?:\*|(?=.*[^_])[A-Za-z0-9_.:-]+))")
_FURTHER_TOOLS = frozenset(("save_memory", "read_many_files", "get_internal_docs"))
"""Names that the client knows, though it has no such tool."""


@dataclass(eq=False, repr=False)
class AgentFinder(Finder):
    """Collects the sub-agents in order; of one name the first counts."""

    agents: dict[str, SubAgent] = field(default_factory=dict)
    known: list[str] = field(default_factory=lambda: [*BUILT_IN])
    """The names of all, switched off or not."""

    def gather(self) -> tuple[SubAgent, ...]:
        """The sub-agents that are listed."""
        self.settings, self.acknowledged = self.session.settings, self.session.params.acknowledgedAgents
        enabled = self.settings.enabled("experimental.enableAgents", True)
        own = FOLDER.bundled("agents", self.facts.version)
        for name in BUILT_IN:
            if self._enabled(name, default=name != BUILT_IN[-1]).holds(self.facts):
                said = (builtin(f"sub_agents.{name}", own[name].text),) if name in own else None
                self.agents[name] = SubAgent(name, said)
        if self.places.project != self.places.own:  # at home they are the user's own [recorded]
            self._folder(f"{self.places.project}/agents", enabled & self.trusted, self._acknowledgments())
        self._folder(f"{self.places.own}/agents", enabled, None)
        for extension in self.session.extensions:
            self._folder(f"{extension.path}/agents", enabled & extension.when, None)
        return tuple(self.agents.values()) if enabled.holds(self.facts) else ()

    def _enabled(self, name: str, *, default: bool) -> Condition:
        """`agents.overrides.<name>.enabled`."""
        value = below(self.settings.plain, ("agents", "overrides", name, "enabled"))
        source = self.settings.member("agents.overrides", name).source
        yes, no = f"`agents.overrides` enables {name}", f"`agents.overrides` switches {name} off"
        return Setting(source, value if isinstance(value, bool) else default, "is", True, yes, no)

    def _acknowledgments(self) -> Mapping[str, Json]:
        path = f"{self.places.own}/acknowledgments/agents.json"
        parsed, problem = read_json(self.workspace.read(path), "bad-acknowledgments")
        self.found.diagnostics += [problem] if problem else []
        return mapping(mapping(parsed.value if parsed else None).get(self.places.cwd))

    def _folder(self, folder: str, gate: Condition, acknowledgments: Mapping[str, Json] | None) -> None:
        if not self.found.may_read(folder, _AGENT):
            return
        self.found.files += near_entries(self.workspace, folder, "agent")
        for entry in self.workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if not entry.name.endswith(".md") or self.workspace.is_dir(path):
                continue
            if entry.kind == "link":  # no file to the client, wherever it leads: it is left out without a word
                why = absent(path, "links are left out", f"put a file in the place of {path}")
                self.found.files.append(FileDraft(path, self.workspace.real_path(path), _AGENT, "always", why))
                self.found.warn("bad-agent", "no sub-agent: the file is a link", path, 1)
                continue
            if self.is_full(_MAX_FILES, "files of sub-agents", folder):
                return
            self._file(path, gate, acknowledgments)

    def _file(self, path: str, gate: Condition, acknowledgments: Mapping[str, Json] | None) -> None:
        source = self.workspace.read(path)
        when = followed(self.workspace, path, self.follow) & gate
        if path.rpartition("/")[2].startswith("_"):
            key, described, problem = "agent_underscored", None, ""
        else:
            described, problem = self._described(source)
            key = "agent_remote" if problem == _FETCHED else "agent"
            if problem == _FETCHED:
                self.found.diagnostics.append(FOLDER.note("agent-not-fetched", path, 1))
            elif problem and source.found:
                self.found.warn("bad-agent", f"no sub-agent: {problem}", path, 1)
        when = when & FOLDER.reason(key, described is not None, path=path, problem=problem)
        name, text = described or ("", "")
        spans = traced(source, text, "description")
        if described:
            self.known.append(name)
            if acknowledgments is not None:
                when = when & self._acknowledged(name, source, acknowledgments, gate)
            first = FOLDER.reason("agent_first", name not in self.agents, path=path, name=name)
            when = when & first & self._enabled(name, default=True)
            if when.holds(self.facts):
                self.agents[name] = SubAgent(name, spans)
        self.found.row(source, _AGENT, "always", when, joined(spans))

    def _described(self, source: FileText) -> tuple[tuple[str, str] | None, str]:
        """The agent's name and description; the front matter is strict: any other key rejects the file."""
        head = head_of(source.text) if source.found else None
        if head is None:
            return None, "it has no front matter" if source.found else f"it cannot be read: {source.problem}"
        if not self.budget.allows(head):
            return None, "there is more front matter than is read here"
        try:
            value = FrontMatter(f"{head}\n").parse(JS_YAML).value
        except YamlError as error:
            return None, f"its front matter is not valid YAML: {error.message}"[:200]
        if problem := _problem(value):
            return None, problem
        return (value["name"], value["description"]), ""

    def _acknowledged(
        self, name: str, source: FileText, acknowledgments: Mapping[str, Json], gate: Condition
    ) -> Condition:
        """The user has seen this very text of a project's agent. Headless it is left out without a word."""
        known = name in self.acknowledged or acknowledgments.get(name) == sha256(source.data).hexdigest()
        if not known and gate.holds(self.facts):
            self.found.diagnostics.append(FOLDER.note("agent-not-acknowledged", source.path, name=name))
        on = (Lever("acknowledgedAgents", [*self.acknowledged, name]),)
        return FOLDER.reason("acknowledged", known, {"on": on}, file=source.path)


def _is_remote(value: Json) -> bool:
    """A remote sub-agent, or a list of them: an address in place of a prompt."""
    if isinstance(value, list):
        return bool(value) and all(_is_remote(item) for item in value)
    if not isinstance(value, dict) or value.get("kind", _REMOTE) != _REMOTE:
        return False
    return isinstance(value.get("agent_card_url"), str)


def _is_tool(name: Json) -> bool:
    """Whether an entry of `tools` is a name that a tool may have; the client does not look whether there is one."""
    if not isinstance(name, str):
        return False
    if name == "*" or name in TOOLS or name in OLD_NAMES or name in _FURTHER_TOOLS:
        return True
    return name.startswith("discovered_tool_") or _SERVERS_TOOL.fullmatch(name) is not None


def _problem(value: Json) -> str:
    """What is wrong with the front matter of a sub-agent, "" if nothing is."""
    if _is_remote(value):
        return _FETCHED
    if wrong := next(iter(Schema(FOLDER.agent["shapes"]["sub_agent"], forms=_FORMS).findings(value)), None):
        return f"{f'`{wrong.key}`: ' if wrong.path else 'its front matter '}{wrong.said('`{}`')}"[:200]
    bad = next((tool for tool in value.get("tools", ()) if not _is_tool(tool)), None)
    return f"`tools` names no tool: {bad}"[:200] + meant(str(bad), TOOLS, 1) if bad else ""
