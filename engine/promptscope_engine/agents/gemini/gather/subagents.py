"""Sub-agents: the built-in ones and those of files, and which of them are listed (specs/gemini.md 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from promptscope_engine.agents.gemini.materials import SubAgent
from promptscope_engine.agents.shared.links import followed, may_read
from promptscope_engine.agents.shared.settings import at
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError
from promptscope_engine.prompt.conditions import Condition, Facts, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText, Workspace

from .extensions import Extension
from .frontmatter import Described, HeadBudget, head_of
from .places import Places
from .settings import Settings, read_json

BUILT_IN = ("codebase_investigator", "cli_help", "generalist")
BROWSER = "browser_agent"
"""Listed only where an override enables it."""
_KEYS = frozenset(
    (
        "name",
        "description",
        "kind",
        "display_name",
        "tools",
        "mcp_servers",
        "model",
        "temperature",
        "max_turns",
        "timeout_mins",
    )
)
_NAME = re.compile(r"[a-z0-9_-]+")
_MAX_FILES = 300
_KIND = "agent"


@dataclass
class AgentFinder:
    """Collects the sub-agents in order; of one name the first counts."""

    workspace: Workspace
    places: Places
    settings: Settings
    facts: Facts
    trusted: Condition
    acknowledged: tuple[str, ...]
    follow: bool
    budget: HeadBudget
    found: dict[str, SubAgent] = field(default_factory=dict)
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def gather(self, extensions: Sequence[Extension]) -> tuple[SubAgent, ...]:
        """The sub-agents that are listed."""
        enabled = self.settings.enabled("experimental.enableAgents", True)
        for name in (*BUILT_IN, BROWSER):
            if self._enabled(name, default=name != BROWSER).holds(self.facts):
                self.found[name] = SubAgent(name, built_in=True)
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
        source = self.settings.member("agents.overrides", name)
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
        for entry in self.workspace.list(folder).entries:
            path = f"{folder}/{entry.name}"
            if not entry.name.endswith(".md") or self.workspace.is_dir(path):
                continue
            if len(self.files) >= _MAX_FILES:
                text = f"{_MAX_FILES} files of sub-agents are read; the others are left out"
                self.diagnostics.append(Diagnostic("warning", "too-many-files", text, folder))
                return
            self._file(path, gate, acknowledgments)

    def _file(self, path: str, gate: Condition, acknowledgments: Mapping[str, Json] | None) -> None:
        source = self.workspace.read(path)
        when = followed(self.workspace, path, self.follow) & gate
        if path.rpartition("/")[2].startswith("_"):
            described, problem = None, "files whose names begin with an underscore are left out"
            remedy = f"rename {path}"
        else:
            described, problem = self._described(source)
            remedy = f"correct the front matter of {path}"
            if problem and source.found:
                self.diagnostics.append(Diagnostic("warning", "bad-agent", f"no sub-agent: {problem}", path, 1))
        ready = Observed("file", path, described is not None, "its front matter is in order", problem, remedy=remedy)
        when = when & ready
        pieces = described.pieces(source) if described else ()
        if described:
            if acknowledgments is not None:
                when = when & self._acknowledged(described.name, source, acknowledgments, gate)
            first = described.name not in self.found
            no, remedy = f"another sub-agent is called {described.name}", f"give the one of {path} another name"
            when = when & Observed("file", path, first, "no other has its name", no, remedy=remedy)
            when = when & self._enabled(described.name, default=True)
            if when.holds(self.facts):
                self.found[described.name] = SubAgent(described.name, pieces)
        text = "".join(piece.text for piece in pieces)
        row = FileDraft(path, source.real_path, _KIND, "always", when, source.size, len(source.text), injected=text)
        self.files.append(row)

    def _described(self, source: FileText) -> tuple[Described | None, str]:
        """The agent's name and description; the front matter is strict: any other key rejects the file."""
        head = head_of(source.text) if source.found else None
        if head is None:
            return None, "it has no front matter" if source.found else f"it cannot be read: {source.problem}"
        if not self.budget.allows(head):
            return None, "there is more front matter than is read here"
        try:
            value = FrontMatter(f"{head}\n").parse(CORE).value
        except YamlError as error:
            return None, f"its front matter is no YAML: {error.message}"[:200]
        if not isinstance(value, dict):
            return None, "its front matter holds no keys"
        unknown = [str(key) for key in value if key not in _KEYS]
        if unknown:
            return None, f"its front matter has a key that is not known: {unknown[0]}"[:200]
        name, description = value.get("name"), value.get("description")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return None, "`name` takes small letters, digits, dashes and underscores"
        if not isinstance(description, str) or not description:
            return None, "there is no `description`"
        return Described(name, description), ""

    def _acknowledged(
        self, name: str, source: FileText, acknowledgments: Mapping[str, Json], gate: Condition
    ) -> Condition:
        """The user has seen this very text of a project's agent. Headless it is left out without a word."""
        known = name in self.acknowledged or acknowledgments.get(name) == sha256(source.data).hexdigest()
        if not known and gate.holds(self.facts):
            text = f"the sub-agent {name} waits to be acknowledged in an interactive session: it is left out"
            self.diagnostics.append(Diagnostic("warning", "agent-not-acknowledged", text, source.path))
        others = [other for other in self.acknowledged if other != name]
        by_param = known and acknowledgments.get(name) != sha256(source.data).hexdigest()
        return Observed(
            "flag",
            "acknowledgedAgents",
            known,
            "it was acknowledged",
            "it was not acknowledged",
            on=(Lever("acknowledgedAgents", [*self.acknowledged, name]),),
            off=(Lever("acknowledgedAgents", others),) if by_param else None,
            remedy=f"change {source.path}",
        )
