"""Sub-agents: the built-in ones and those of `.claude/agents` (specs/claude-code.md 2.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.claude_code.bundled import agents as built_in_agents
from promptscope_engine.agents.claude_code.gates import INTERACTIVE, Gates
from promptscope_engine.agents.claude_code.materials import SubAgent
from promptscope_engine.agents.claude_code.variables import from_sdk
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.folder import Bundled
from promptscope_engine.agents.kit.rows import file_row, followed
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed, Setting
from promptscope_engine.prompt.drafts import Piece, builtin, computed, file_text
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Lever, SettingSource

from .frontmatter import Described, Finder, listed, project_folders
from .plugins import Plugin
from .settings import MANAGED

ALL_TOOLS = "All tools"
_MEMORIES = ("project", "user", "local")
INHERITED = "inherit"
_COUNTING = """
    name description tools disallowedTools model permissionMode maxTurns skills mcpServers hooks memory background
    effort isolation color initialPrompt
"""
_MEANT = {
    **{key: key for key in _COUNTING.split()},
    **dict.fromkeys(("tool", "allowed-tools", "allowed_tools", "allowedTools"), "tools"),
}
"""Keys of an agent's front matter, and what other files call them."""
_AGENT_RULE = re.compile(r"(?:Agent|Task)\(([^()]+)\)")
_ALL_BUT = f"{ALL_TOOLS} except "
"""Recorded; later versions let Explore run on the model of the session."""


def with_long_texts(agents: Iterable[SubAgent], version: str, gates: Gates) -> Iterator[SubAgent]:
    """The agents of the listing, with the longer text of a built-in one for the models that are given it."""
    long = {agent.name: agent.forms["long"] for agent in built_in_agents(version).values() if "long" in agent.forms}
    older = gates.layout_is("A'")
    for agent in agents:
        if agent.source == "built-in" and agent.name in long:
            text = builtin(f"agents.{agent.name}.long", long[agent.name], when=older)
            yield replace(agent, pieces=(*(piece.under(~older) for piece in agent.pieces), text))
        else:
            yield agent


@dataclass(eq=False, repr=False)
class AgentGatherer(Finder):
    """Collects the agents of the listing. Of equal names the organisation's counts, then the project's, where the last
    added directory goes before the others [recorded], the user's, a plugin's and at last the built-in one [D]."""

    denied: tuple[Known[str], ...]
    """Rules that forbid tools. `Agent(Explore)` takes a single agent off the listing [D]."""
    started_as: str
    agent_view: Condition
    """The setting that leaves the agent of the agent view in the listing [recorded 2.1.332]."""
    with_built_in: Condition
    """The built-in agents are not switched off [recorded 2.1.332]."""
    own: dict[str, SubAgent] = field(default_factory=dict)
    by_folder: list[list[str]] = field(default_factory=list)
    """The names of `own`, folder by folder."""
    heads: list[Described] = field(default_factory=list)
    """The files of the agents that are listed."""

    def gather(self) -> tuple[SubAgent, ...]:
        """The agents in the order of the listing, those of other sessions too."""
        self.folder(f"{self.managed}/.claude/agents", MANAGED)
        for folder in project_folders(self.cwd, self.root, "agents"):
            self.folder(folder, "project")
        if self.version != V100:
            for folder in reversed(self.added):
                self.folder(f"{folder}/.claude/agents", "project")
        self.folder(f"{self.config}/agents", "user")
        for plugin in self.plugins:
            for path in plugin.agents:
                self.folder(path, "plugin", plugin)
        built_in = [
            SubAgent(
                agent.name,
                (builtin(f"agents.{agent.name}", agent.text),),
                agent.head["tools"],
                "built-in",
                tool_list=_built_in_tools(agent),
                without=_built_in_exceptions(agent),
                model=_built_in_model(agent),
                when=self.with_built_in
                & self.offered(agent)
                & self.permitted(agent.name)
                & (self.agent_view if agent.name == "claude" else ALWAYS),
            )
            for agent in built_in_agents(self.version).values()
        ]
        # In 2.1.100 the folder that counts least comes first; within one the file system's order, here that of paths.
        own = {name: self.own[name] for names in reversed(self.by_folder) for name in names}
        agents = tuple(({agent.name: agent for agent in built_in} | own).values())
        if self.version == V100:
            return agents
        return tuple(agents[number] for number in locale_order([agent.name for agent in agents]))

    def folder(self, folder: str, source: str, plugin: Plugin | None = None) -> None:
        before = len(self.own)
        for path in self.below(folder, "agent", plugin):
            if found := self.read(path, "agent", _MEANT):
                self.add(path, found, source, plugin, path[len(folder) + 1 :].rpartition("/")[0])
        self.by_folder.append([*self.own][before:])

    def add(self, path: str, found: Described, source: str, plugin: Plugin | None = None, inner: str = "") -> None:
        name = agent_name(found.values.get("name"), self.version)
        written = found.values.get("description")
        is_text = isinstance(written, str) or self.version == V100  # which takes a number as well
        description = found.text("description").replace("\\n", "\n") if is_text else ""
        pieces = found.pieces(description)
        if plugin and self.version != V100 and not description:
            description = f"Agent from {plugin.name} plugin"
            pieces = (computed("agent.description", description),)
        if plugin and self.version != V100:
            name = name or path.rpartition("/")[2].removesuffix(".md")
        if plugin and name:
            name = ":".join(filter(None, (plugin.name, inner.replace("/", ":"), name)))
        complete = Observed(
            "file",
            path,
            bool(name and description),
            "name and description are given",
            ("it has no description" if written is None or is_text else "its description is not a text")
            if name
            else _no_name(found, self.version),
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
        let_in = plugin.when if plugin else self.sources.condition(source)
        permitted = self.permitted(name)
        when = complete & first & let_in & permitted & followed(self.workspace, path, self.follow_links)
        self.files.append(file_row(found.source, "agent", "on-demand", when, description if listed else ""))
        if not (listed and (plugin.enabled if plugin else self.sources.allows(source))):
            return
        self.heads.append(found)
        tools, without = (tool_names(found.values.get(key)) for key in ("tools", "disallowedTools"))
        model = found.text("model").strip()
        self.own[name] = SubAgent(
            name=name,
            pieces=pieces,
            tools=tools_line(tools, without),
            source=source,
            body=_body(found),
            tool_list=None if tools is None else Known(tools, found.setting("tools")),
            without=None if without is None else Known(without, found.setting("disallowedTools")),
            model=Known(model, found.setting("model")) if model not in ("", INHERITED) else None,
            when=permitted,
            memory_scope=scope if self.version != V100 and (scope := found.values.get("memory")) in _MEMORIES else "",
        )

    def offered(self, agent: Bundled) -> Condition:
        """What a built-in agent is there for: people, or what they set up themselves."""
        told = self.started_as not in ("cli", "sdk-cli")
        if "interactive" in agent.head and told and self.version != V100:
            remedy = "set `CLAUDE_CODE_ENTRYPOINT` to another value, or to none"
            yes, no = "a person uses it", "a program runs it (`CLAUDE_CODE_ENTRYPOINT`)"
            return Observed("flag", "CLAUDE_CODE_ENTRYPOINT", not from_sdk(self.started_as), yes, no, remedy=remedy)
        if "interactive" in agent.head:
            return INTERACTIVE
        return self.sources.own if "sets_up" in agent.head else ALWAYS

    def permitted(self, name: str) -> Condition:
        """No rule denies the agent."""
        condition: Condition = ALWAYS
        for rule in self.denied:
            found = _AGENT_RULE.fullmatch(rule.value.strip())
            if found and found[1].strip() == name:
                overlay = rule.source.overlay
                kept = [other.value for other in self.denied if other.source.overlay == overlay and other is not rule]
                condition = condition & Setting(
                    rule.source,
                    [rule.value],
                    "given",
                    False,
                    "no rule denies it",
                    f"the rule {rule.value} denies it",
                    on=Lever(overlay, list(kept)) if overlay else None,
                )
        return condition


def _built_in_model(agent: Bundled) -> Known[str] | None:
    model = agent.head.get("model")
    return Known(model, SettingSource(f"the built-in agent {agent.name}")) if model else None


def _built_in_tools(agent: Bundled) -> Known[tuple[str, ...]] | None:
    tools = None if agent.head["tools"].startswith(ALL_TOOLS) else tool_names(agent.head["tools"])
    return None if tools is None else Known(tools, SettingSource(f"the built-in agent {agent.name}"))


def _built_in_exceptions(agent: Bundled) -> Known[tuple[str, ...]] | None:
    _, _, names = agent.head["tools"].partition(_ALL_BUT)
    without = tool_names(names)
    return None if without is None else Known(without, SettingSource(f"the built-in agent {agent.name}"))


def agent_name(value: Json, version: str) -> str:
    """The name of an agent, "" where it is none: a text without a colon or a line break, and no dash in front.

    To 2.1.100 one without blanks.
    """
    if not isinstance(value, str):
        return ""
    if version == V100:
        name = value.strip()
        return "" if any(map(str.isspace, name)) else name
    return "" if ":" in value or "\n" in value or value.startswith("-") else value


def _no_name(found: Described, version: str) -> str:
    value = found.values.get("name")
    if found.content.problem and not found.values:
        return "its front matter is lost, as it is not valid YAML"
    if value is None or value == "":
        return "it has no name"
    if not isinstance(value, str):
        return "its name is not a text"
    if version == V100:
        return "its name has a blank in it"
    if value.startswith("-"):
        return "its name begins with a dash"
    return "its name has a colon in it" if ":" in value else "its name has a line break in it"


def tool_names(value: Json) -> tuple[str, ...] | None:
    """A comma list or a YAML list of tool names; None for nothing, an empty list or `*`."""
    names = tuple(name for name in listed(value) if name)
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
