"""Sub-agents: the built-in ones and those of files, and which of them are listed (specs/gemini.md 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from promptscope_engine.agents.gemini.materials import SubAgent
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.gemini.tool_policy import OLD_NAMES, TOOLS
from promptscope_engine.agents.kit.heads import traced
from promptscope_engine.agents.kit.near_misses import near_entries
from promptscope_engine.agents.kit.rows import absent, file_row, followed, may_read
from promptscope_engine.agents.kit.settings import at, meant
from promptscope_engine.agents.kit.settings_schema import Schema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import JS_YAML, YamlError
from promptscope_engine.prompt.conditions import Condition, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft, builtin
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText

from .extensions import Extension
from .frontmatter import Described, Finder, head_of
from .settings import Settings, read_json

BUILT_IN = ("codebase_investigator", "cli_help", "generalist", "browser_agent")
"""The last one is listed only where an override enables it."""
_FORMS = {"Name": ("[a-z0-9_-]+", "small letters, digits, dashes and underscores")}
_REMOTE = "remote"
_MAX_FILES = 300
_KIND = "agent"
_FETCHED = "nothing is fetched"
_SERVERS_TOOL = re.compile(r"mcp_(?:\*|[A-Za-z0-9.:-]+_(?:\*|(?=.*[^_])[A-Za-z0-9_.:-]+))")
_FURTHER_TOOLS = frozenset(("save_memory", "read_many_files", "get_internal_docs"))
"""Names that the client knows, though it has no such tool."""


@dataclass(eq=False, repr=False)
class AgentFinder(Finder):
    """Collects the sub-agents in order; of one name the first counts."""

    settings: Settings
    acknowledged: tuple[str, ...]
    found: dict[str, SubAgent] = field(default_factory=dict)
    known: list[str] = field(default_factory=lambda: [*BUILT_IN])
    """The names of all, switched off or not."""

    def gather(self, extensions: Sequence[Extension]) -> tuple[SubAgent, ...]:
        """The sub-agents that are listed."""
        enabled = self.settings.enabled("experimental.enableAgents", True)
        own = FOLDER.bundled("agents", self.facts.version)
        for name in BUILT_IN:
            if self._enabled(name, default=name != BUILT_IN[-1]).holds(self.facts):
                said = (builtin(f"sub_agents.{name}", own[name].text),) if name in own else None
                self.found[name] = SubAgent(name, said)
        acknowledgments = self._acknowledgments()
        self._folder(f"{self.places.project}/agents", enabled & self.trusted, acknowledgments)
        if self.places.project != self.places.own:
            self._folder(f"{self.places.own}/agents", enabled, None)
        for extension in extensions:
            self._folder(f"{extension.path}/agents", enabled & extension.when, None)
        return tuple(self.found.values()) if enabled.holds(self.facts) else ()

    def _enabled(self, name: str, *, default: bool) -> Condition:
        """`agents.overrides.<name>.enabled`."""
        override = at(self.settings.plain, "agents.overrides")
        entry = override.get(name) if isinstance(override, dict) else None
        value = entry.get("enabled") if isinstance(entry, dict) else None
        source = self.settings.member("agents.overrides", name).source
        yes, no = f"`agents.overrides` enables {name}", f"`agents.overrides` switches {name} off"
        return Setting(source, value if isinstance(value, bool) else default, "is", True, yes, no)

    def _acknowledgments(self) -> Mapping[str, Json]:
        path = f"{self.places.own}/acknowledgments/agents.json"
        parsed, problem = read_json(self.workspace.read(path), "bad-acknowledgments")
        if problem:
            self.diagnostics.append(problem)
        mine = parsed.value if parsed else None
        entry = mine.get(self.places.cwd) if isinstance(mine, dict) else None
        return entry if isinstance(entry, dict) else {}

    def _folder(self, folder: str, gate: Condition, acknowledgments: Mapping[str, Json] | None) -> None:
        if not may_read(self.workspace, folder, _KIND, self.files):
            return
        self.files += near_entries(self.workspace, folder, "agent")
        for entry in self.workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if not entry.name.endswith(".md") or self.workspace.is_dir(path):
                continue
            if entry.kind == "link":
                self._link(path)
                continue
            if self.is_full(_MAX_FILES, "files of sub-agents", folder):
                return
            self._file(path, gate, acknowledgments)

    def _link(self, path: str) -> None:
        """A link is no file to the client, wherever it leads: it is left out without a word."""
        why = absent(path, "links are left out", f"put a file in the place of {path}")
        self.files.append(FileDraft(path, self.workspace.real_path(path), _KIND, "always", why))
        self.diagnostics.append(Diagnostic("warning", "bad-agent", "no sub-agent: the file is a link", path, 1))

    def _file(self, path: str, gate: Condition, acknowledgments: Mapping[str, Json] | None) -> None:
        source = self.workspace.read(path)
        when = followed(self.workspace, path, self.follow) & gate
        if path.rpartition("/")[2].startswith("_"):
            described, problem = None, "files whose names begin with an underscore are left out"
            remedy = f"rename {path}"
        else:
            described, problem = self._described(source)
            remedy = f"correct the front matter of {path}"
            if problem == _FETCHED:
                text = f"a remote sub-agent is described by its card, and {_FETCHED}: it is left out here"
                self.diagnostics.append(Diagnostic("info", "agent-not-fetched", text, path, 1))
                remedy = f"write a local sub-agent in the place of {path} to see how it would be listed"
            elif problem and source.found:
                self.diagnostics.append(Diagnostic("warning", "bad-agent", f"no sub-agent: {problem}", path, 1))
        ready = Observed("file", path, described is not None, "its front matter is in order", problem, remedy=remedy)
        when = when & ready
        pieces = traced(source, described.description, "description") if described else ()
        if described:
            self.known.append(described.name)
            if acknowledgments is not None:
                when = when & self._acknowledged(described.name, source, acknowledgments, gate)
            first = described.name not in self.found
            no, remedy = f"another sub-agent is called {described.name}", f"give the one of {path} another name"
            when = when & Observed("file", path, first, "no other has its name", no, remedy=remedy)
            when = when & self._enabled(described.name, default=True)
            if when.holds(self.facts):
                self.found[described.name] = SubAgent(described.name, pieces)
        text = "".join(piece.text for piece in pieces)
        row = file_row(source, _KIND, "always", when, text)
        self.files.append(row)

    def _described(self, source: FileText) -> tuple[Described | None, str]:
        """The agent's name and description; the front matter is strict: any other key rejects the file."""
        head = head_of(source.text) if source.found else None
        if head is None:
            return None, "it has no front matter" if source.found else f"it cannot be read: {source.problem}"
        if not self.budget.allows(head):
            return None, "there is more front matter than is read here"
        try:
            value = FrontMatter(f"{head}\n").parse(JS_YAML).value
        except YamlError as error:
            return None, f"its front matter is no YAML: {error.message}"[:200]
        if _is_remote(value):
            return None, _FETCHED
        if wrong := next(iter(Schema(FOLDER.agent["shapes"]["sub_agent"], forms=_FORMS).findings(value)), None):
            return None, f"{f'`{wrong.key}`: ' if wrong.path else 'its front matter '}{wrong.said('`{}`')}"[:200]
        if bad := next((tool for tool in value.get("tools", ()) if not _is_tool(tool)), None):
            return None, f"`tools` names no tool: {bad}"[:200] + meant(str(bad), TOOLS)
        return Described(value["name"], value["description"]), ""

    def _acknowledged(
        self, name: str, source: FileText, acknowledgments: Mapping[str, Json], gate: Condition
    ) -> Condition:
        """The user has seen this very text of a project's agent. Headless it is left out without a word."""
        known = name in self.acknowledged or acknowledgments.get(name) == sha256(source.data).hexdigest()
        if not known and gate.holds(self.facts):
            text = f"the sub-agent {name} waits to be acknowledged in an interactive session: it is left out"
            self.diagnostics.append(Diagnostic("warning", "agent-not-acknowledged", text, source.path))
        return Observed(
            "flag",
            "acknowledgedAgents",
            known,
            "it was acknowledged",
            "it was not acknowledged",
            on=(Lever("acknowledgedAgents", [*self.acknowledged, name]),),
            remedy=f"change {source.path}",
        )


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
