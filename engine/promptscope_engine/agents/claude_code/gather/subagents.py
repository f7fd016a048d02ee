"""Sub-agents: the built-in ones and those of `.claude/agents` (specs/claude-code.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.claude_code.bundled import AGENTS, BuiltInAgent
from promptscope_engine.agents.claude_code.gates import INTERACTIVE, Gates
from promptscope_engine.agents.claude_code.materials import SubAgent
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.shared.links import followed, may_read
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, builtin, file_text
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.workspace import Workspace

from .frontmatter import Described, described, markdown_below, project_folders
from .head import Budget
from .plugins import Plugin
from .settings import Sources

ALL_TOOLS = "All tools"
INHERITED = "inherit"
_ALL_BUT = f"{ALL_TOOLS} except "
_BUILT_IN_MODELS = {(V100, "Explore"): Known("haiku", SettingSource("the built-in agent Explore"))}
"""Recorded; later versions let Explore run on the model of the session."""


def worded(agents: Iterable[SubAgent], version: str, gates: Gates) -> Iterator[SubAgent]:
    """The agents of the listing, with the longer text of a built-in one for the models that are given it."""
    long = {agent.name: agent.long for agent in AGENTS[version] if agent.long}
    older = gates.layout_is("A'")
    for agent in agents:
        if agent.source == "built-in" and agent.name in long:
            text = builtin(f"agents.{agent.name}.long", long[agent.name], when=older)
            yield replace(agent, pieces=(*(piece.under(~older) for piece in agent.pieces), text))
        else:
            yield agent


@dataclass
class AgentGatherer:
    """Collects the agents of the listing: a project's hides a user's of the same name, both hide a built-in one."""

    workspace: Workspace
    version: str
    cwd: str
    root: str | None
    config: str
    sources: Sources
    plugins: tuple[Plugin, ...]
    follow_links: bool
    own: dict[str, SubAgent] = field(default_factory=dict)
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)

    def gather(self) -> tuple[SubAgent, ...]:
        """The agents in the order of the listing, those of other sessions too."""
        for folder in project_folders(self.cwd, self.root, "agents"):
            self.folder(folder, "project")
        self.folder(f"{self.config}/agents", "user")
        for plugin in self.plugins:
            self.folder(f"{plugin.folder}/agents", "plugin", plugin)
        built_in = [
            SubAgent(
                agent.name,
                (builtin(f"agents.{agent.name}", agent.description),),
                agent.tools,
                "built-in",
                tool_list=_built_in_tools(agent),
                without=_built_in_exceptions(agent),
                model=_BUILT_IN_MODELS.get((self.version, agent.name)),
                when=INTERACTIVE if agent.interactive else ALWAYS,
            )
            for agent in AGENTS[self.version]
        ]
        by_name = {agent.name: agent for agent in built_in} | dict(reversed(self.own.items()))
        agents = tuple(by_name.values())
        if self.version == V100:
            # The file system's order in the recording: user agents are put first here, then the project's by path.
            return agents
        return tuple(sorted(agents, key=lambda agent: (agent.name.lower(), agent.name)))

    def folder(self, folder: str, source: str, plugin: Plugin | None = None) -> None:
        if not may_read(self.workspace, folder, "agent", self.files):
            return
        for path in markdown_below(self.workspace, folder):
            found = (
                described(self.workspace, path, self.version, self.budget)
                if may_read(self.workspace, path, "agent", self.files)
                else None
            )
            if found is not None:
                self.add(path, found, source, plugin)

    def add(self, path: str, found: Described, source: str, plugin: Plugin | None = None) -> None:
        if problem := found.problem():
            self.diagnostics.append(problem)
        name, description = agent_name(found.values.get("name")), found.text("description").replace("\\n", "\n")
        if plugin and name:
            name = f"{plugin.name}:{name}"
        complete = Observed(
            "file",
            path,
            bool(name and description),
            "name and description are given",
            "name or description is missing, or the name has a blank in it",
            remedy=f"give `name` and `description` in {path}",
        )
        first = Observed(
            "file",
            path,
            name not in self.own,
            "no other agent has its name",
            f"another agent is called {name} already",
            remedy=f"give it another `name` in {path}",
        )
        listed = complete.ok and first.ok
        size, chars = found.source.size, len(found.source.text)
        let_in = plugin.when if plugin else self.sources.condition(source)
        when = complete & first & let_in & followed(self.workspace, path, self.follow_links)
        text = description if listed else ""
        self.files.append(FileDraft(path, found.source.real_path, "agent", "on-demand", when, size, chars, text))
        if not (listed and (plugin.enabled if plugin else self.sources.allows(source))):
            return
        tools, without = (tool_names(found.values.get(key)) for key in ("tools", "disallowedTools"))
        model = found.text("model").strip()
        self.own[name] = SubAgent(
            name=name,
            pieces=found.pieces(description),
            tools=tools_line(tools, without),
            source=source,
            body=_body(found),
            tool_list=None if tools is None else Known(tools, found.setting("tools")),
            without=None if without is None else Known(without, found.setting("disallowedTools")),
            model=Known(model, found.setting("model")) if model not in ("", INHERITED) else None,
        )


def _built_in_tools(agent: BuiltInAgent) -> Known[tuple[str, ...]] | None:
    tools = None if agent.tools.startswith(ALL_TOOLS) else tool_names(agent.tools)
    return None if tools is None else Known(tools, SettingSource(f"the built-in agent {agent.name}"))


def _built_in_exceptions(agent: BuiltInAgent) -> Known[tuple[str, ...]] | None:
    _, _, names = agent.tools.partition(_ALL_BUT)
    without = tool_names(names)
    return None if without is None else Known(without, SettingSource(f"the built-in agent {agent.name}"))


def agent_name(value: Json) -> str:
    """The name of an agent: a text without blanks, or "" where it is none (claude-code-new-facts.md)."""
    name = value.strip() if isinstance(value, str) else ""
    return "" if any(map(str.isspace, name)) else name


def tool_names(value: Json) -> tuple[str, ...] | None:
    """A comma list or a YAML list of tool names; None for nothing, an empty list or `*`."""
    items = value if isinstance(value, list) else str(value).split(",") if isinstance(value, str) else []
    names = tuple(name for item in items if (name := str(item).strip()))
    return None if not names or "*" in names else names


def tools_line(tools: tuple[str, ...] | None, without: tuple[str, ...] | None) -> str:
    """What stands behind `Tools:`."""
    if tools is not None:
        return ", ".join(tool for tool in tools if tool not in (without or ()))
    return f"All tools except {', '.join(without)}" if without else ALL_TOOLS


def _body(found: Described) -> tuple[Piece, ...]:
    """The agent's own system prompt."""
    stretch = next(iter(found.content.stretches), None)
    return (file_text(found.source.path, stretch.text, stretch.line),) if stretch and stretch.text else ()
