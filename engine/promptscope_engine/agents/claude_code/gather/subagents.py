"""Sub-agents: the built-in ones and those of files, their memories, and the one whose prompt is asked for."""

import re
from collections.abc import Iterator
from functools import reduce
from operator import and_
from typing import Any

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.materials import GENERAL, AgentMemory, SubAgent
from promptscope_engine.agents.claude_code.selection import permitted
from promptscope_engine.agents.claude_code.texts import (
    FOLDER,
    HEADLESS,
    INTERACTIVE,
    NO_BUILT_IN_AGENTS,
    Gates,
    variable_is_on,
)
from promptscope_engine.agents.claude_code.versions import SDK, V100, is_on
from promptscope_engine.agents.kit.disk.rows import file_row, followed
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.text.folder import Bundled
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.json import truthy
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Setting
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, file_text, param_value
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .content import Described, Finder, listed, project_folders, tool_rules
from .memory import MAX_BYTES, cut
from .plugins import Plugin
from .session import Session
from .settings import MANAGED

ALL_TOOLS = "All tools"
_MEMORIES = ("project", "user", "local")
INHERITED = "inherit"
_AGENT_RULE = r"(?:Agent|Task)\(([^()]+)\)"
_ALL_BUT = f"{ALL_TOOLS} except "
"""Recorded; later versions let Explore run on the model of the session."""


class AgentGatherer(Finder):
    """Collects the agents of the listing.

    Of equal names the first counts: organisation, --agents [recorded 2.1.332], project (a later added directory before
    an earlier one [recorded]), user, plugin, built in [D]. `own` has those of files and of --agents, `by_folder` their
    names by folder, `heads` the files of the listed ones.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "agents")
        self.own: dict[str, SubAgent] = {}
        self.by_folder: list[list[str]] = []
        self.heads: list[Described] = []
        # bare, it knows those of --agents and the built-in ones alone [asked of 2.1.332]
        simple = session.variable("CLAUDE_CODE_SIMPLE")
        self.is_bare = self.version != V100 and (session.params.args.bare or is_on(simple.value))
        given = flag("args.bare", yes="--bare is given", no="--bare is not given")
        self.looks = ALWAYS if self.version == V100 else ~given & ~variable_is_on(simple)

    def gather(self) -> tuple[SubAgent, ...]:
        """The agents in the order of the listing, those of other sessions too."""
        session = self.session
        self.folder(f"{session.managed}/.claude/agents", MANAGED)
        self.given()
        for folder in project_folders(self.session, "agents"):
            self.folder(folder, "project")
        if self.version != V100:
            for folder in reversed(session.added):
                self.folder(f"{folder}/.claude/agents", "project")
        self.folder(f"{session.config}/agents", "user")
        for plugin in session.plugins.of_agents:
            for path in plugin.agents:
                self.folder(path, "plugin", plugin)
        built_in = map(self.built_in, FOLDER.bundled("agents", self.version).values())
        # In 2.1.100 the folder that counts least comes first; within one the file system's order, here that of paths.
        own = {name: self.own[name] for names in reversed(self.by_folder) for name in names}
        agents = tuple(({agent.name: agent for agent in built_in} | own).values())
        if self.version == V100:
            return agents
        return tuple(in_locale_order(agents, lambda agent: agent.name))

    def folder(self, folder: str, source: str, plugin: Plugin | None = None) -> None:
        """Take up the agents of a folder."""
        before = len(self.own)
        for path in self.below(folder, "agent", plugin):
            if found := self.read(path, "agent"):
                self.add(path, found, source, plugin, path[len(folder) + 1 :].rpartition("/")[0])
        self.by_folder.append([*self.own][before:])

    def given(self) -> None:
        """Take up the agents of --agents: nothing but safe mode leaves them out [recorded 2.1.332]."""
        before, path = len(self.own), self.session.arguments.agents_path

        def span(key: str) -> tuple[Span, ...]:
            text = str(each[key])
            whole = self.workspace.read(path).text if path else ""
            at = whole.find(text)
            line = whole.count("\n", 0, at) + 1
            return (file_text(path, text, line) if path and at >= 0 else param_value("args.agents", text),)

        for name, value in self.session.arguments.agents.items():
            each, source = mapping(value), SettingSource("--agents", overlay="args.agents")
            if name in self.own or self.sources.safe:
                continue
            tools, without = (tool_names(each.get(key), self.version) for key in ("tools", "disallowedTools"))
            tool_list, left_out = (None if found is None else Sourced(found, source) for found in (tools, without))
            model, memory = str(each.get("model") or ""), each.get("memory")
            self.own[name] = SubAgent(
                name,
                span("description"),
                tools_line(tool_list, left_out),
                "command line",
                span("prompt") if each["prompt"] else (),
                tool_list,
                left_out,
                Sourced(model, source) if model not in ("", INHERITED) else None,
                self.permitted(name),
                str(memory) if memory in _MEMORIES else "",
            )
        self.by_folder.append([*self.own][before:])

    def add(self, path: str, found: Described, source: str, plugin: Plugin | None = None, inner: str = "") -> None:
        """Take up an agent of a file."""
        name = agent_name(found.values.get("name"), self.version)
        written = found.values.get("description")
        is_text = isinstance(written, str) or self.version == V100  # which takes a number as well
        description = found.text("description").replace("\\n", "\n") if is_text else ""
        spans = found.spans(description)
        if plugin and self.version != V100 and not description:
            description = f"Agent from {plugin.name} plugin"
            spans = (computed("agent.description", description),)
        if plugin and self.version != V100:
            name = name or path.rpartition("/")[2].removesuffix(".md")
        if plugin and name:
            name = ":".join(filter(None, (plugin.name, inner.replace("/", ":"), name)))
        hooks = found.values.get("hooks")
        unfit = self.version != V100 and truthy(hooks) and not isinstance(hooks, dict)
        lacks = "its `hooks` are not a mapping" if unfit else _lacking(found, name, self.version)
        complete = FOLDER.reason("complete", bool(name and description and not unfit), path=path, lacks=lacks)
        first = FOLDER.reason("first_agent", name not in self.own, path=path, name=name)
        listed = complete.ok and first.ok
        let_in = plugin.when if plugin else self.sources.condition(source)
        permitted = self.permitted(name)
        when = complete & first & let_in & permitted & followed(self.workspace, path, self.session.follow)
        self.row(found.source, "agent", "on-demand", when & self.looks, description if listed else "")
        if self.is_bare or not (listed and (plugin.enabled if plugin else self.sources.allows(source))):
            return
        self.heads.append(found)
        tools, without = (_tools(found, key, self.version) for key in ("tools", "disallowedTools"))
        model, memory = found.text("model").strip(), found.values.get("memory")
        more = _later(found) if self.version != V100 else {}
        self.own[name] = SubAgent(
            name=name,
            spans=spans,
            tools=tools_line(tools, without),
            source=source,
            body=found.content.spans(path),
            tool_list=tools,
            without=without,
            model=Sourced(model, found.setting("model")) if model not in ("", INHERITED) else None,
            when=permitted,
            memory_scope=str(memory) if self.version != V100 and memory in _MEMORIES else "",
            servers=_brought(found.values.get("mcpServers")) if self.version != V100 else (),
            path=path,
            **more,
        )

    def built_in(self, agent: Bundled) -> SubAgent:
        """A built-in agent. Variables switch all of them or some off, a setting the agent view's [recorded 2.1.332]."""
        settings, tools = self.session.settings, agent.head["tools"]
        source = SettingSource(f"the built-in agent {agent.name}")
        named = None if tools.startswith(ALL_TOOLS) else tool_names(tools)
        without = tool_names(tools.partition(_ALL_BUT)[2])
        when = self.offered(agent) & self.permitted(agent.name)
        if self.version != V100:
            when = ~(HEADLESS & variable_is_on(self.session.variable(NO_BUILT_IN_AGENTS))) & when
        if "off_by" in agent.head:
            when = ~variable_is_on(self.session.variable(agent.head["off_by"])) & when
        if agent.name == "claude":
            view = settings.known("disableAgentView", default=False)
            when = when & view.is_(False, unset=True, no="`disableAgentView` is on")
        return SubAgent(
            agent.name,
            (builtin(f"agents.{agent.name}", agent.text),),
            tools,
            "built-in",
            tool_list=None if named is None else Sourced(named, source),
            without=None if without is None else Sourced(without, source),
            model=Sourced(agent.head["model"], source) if agent.head.get("model") else None,
            when=when,
        )

    def offered(self, agent: Bundled) -> Condition:
        """What a built-in agent is there for: people, or what they set up themselves."""
        told = _is_told(self.session)
        if "interactive" in agent.head and told and self.version != V100:
            return FOLDER.reason("by_person", self.session.started_as not in SDK)
        if "interactive" in agent.head:
            return INTERACTIVE
        return self.sources.own if "sets_up" in agent.head else ALWAYS

    def permitted(self, name: str) -> Condition:
        """No rule denies the agent: `Agent(Explore)` takes a single one off the listing [D]."""

        def denies(rule: str) -> bool:
            found = re.fullmatch(_AGENT_RULE, rule.strip())
            return found is not None and found[1].strip() == name

        return reduce(and_, permitted(self.session.rules, denies), ALWAYS)


def agent_name(value: Json, version: str) -> str:
    """The name of an agent (no colon, line break or leading dash; to 2.1.100 no blank), "" if it isn't one."""
    if not isinstance(value, str):
        return ""
    if version == V100:
        name = value.strip()
        return "" if any(map(str.isspace, name)) else name
    return "" if ":" in value or "\n" in value or value.startswith("-") else value


def _lacking(found: Described, name: str, version: str) -> str:
    """What an agent's file has to say besides."""
    value, written = found.values.get("name"), found.values.get("description")
    if name:
        is_text = written is None or isinstance(written, str) or version == V100
        return "it has no description" if is_text else "its description is not a text"
    if found.content.problem and not found.values:
        return "its front matter is lost, as it is not valid YAML"
    if value is None or value == "":
        return "it has no name"
    if not isinstance(value, str):
        return "its name is not a text"
    problems = (("has a blank in it", version == V100), ("begins with a dash", value.startswith("-")))
    problem = next((problem for problem, applies in problems if applies), None)
    return f"its name {problem or ('has a colon in it' if ':' in value else 'has a line break in it')}"


def _brought(value: Json) -> tuple[tuple[str, Json], ...]:
    """The servers that an agent's `mcpServers` configures, an item of the list each [asked of 2.1.332].

    A name alone is one of the session's servers, which the agent has anyway.
    """
    items = [item for item in value if isinstance(item, dict) and len(item) == 1] if isinstance(value, list) else []
    return tuple((name, config) for item in items for name, config in item.items() if isinstance(config, dict))


def _later(found: Described) -> dict[str, Any]:
    """What later versions read besides [asked of 2.1.332]."""
    initial, omits = found.values.get("initialPrompt"), found.values.get("omitClaudeMd")
    said = isinstance(initial, str) and initial.strip()
    return {
        "skills": tuple(name for name in listed(found.values.get("skills")) if name),
        "omits_files": omits is True or omits == "true",
        "plans": found.values.get("permissionMode") == "plan",
        "isolated": found.values.get("isolation") in ("worktree", "remote"),
        "initial": Sourced(said, found.setting("initialPrompt")) if said else None,
    }


def tool_names(value: Json, version: str = "") -> tuple[str, ...] | None:
    """A list of tool names in a text or in YAML; None for nothing, an empty list or `*`. 2.1.100 knows commas alone."""
    names = tuple(name for name in listed(value) if name) if version == V100 else tuple(tool_rules(value))
    return None if not names or "*" in names else names


def _tools(found: Described, key: str, version: str) -> Sourced[tuple[str, ...]] | None:
    """The tools that a file lists. `tools` with nothing that is a name leaves none [asked of 2.1.332]."""
    value = found.values.get(key)
    names = tool_names(value, version)
    if names is None and key == "tools" and key in found.values and version != V100 and "*" not in tool_rules(value):
        names = ()
    return None if names is None else Sourced(names, found.setting(key))


def tools_line(tools: Sourced[tuple[str, ...]] | None, without: Sourced[tuple[str, ...]] | None) -> str:
    """What is behind `Tools:`."""
    left_out = without.value if without else ()
    if tools is not None and tools.value:
        return ", ".join(tool for tool in tools.value if tool not in left_out) or "None"
    return f"{_ALL_BUT}{', '.join(left_out)}" if left_out else ALL_TOOLS


_TOOLS = ("Write", "Edit", "Read")
"""What an agent with a memory has beside the tools that it lists."""


def _memory_of(agent: SubAgent, session: Session) -> AgentMemory:
    """The index of an agent's memory. Of a repository's own, one that is reached by a link does not count."""
    workspace, project = session.workspace, f"{session.cwd}/.claude"
    local = "-local" if agent.memory_scope == "local" else ""
    own = f"agent-memory{local}/{re.sub(r'[^A-Za-z0-9_-]', '-', agent.name)}"
    folder, written = (session.config, session.written) if agent.memory_scope == "user" else (project, project)
    source = workspace.read(f"{folder}/{own}/MEMORY.md")
    linked = source.real_path != f"{workspace.real_path(session.cwd)}/.claude/{own}/MEMORY.md"
    refused = source.problem != "missing" and (not source.found or (agent.memory_scope != "user" and linked))
    text, told = cut("" if refused or source.size > MAX_BYTES else source.text.rstrip())
    spans = (file_text(source.path, text, 1),) if text.strip() else ()
    return AgentMemory(f"{written}/{own}/", spans, told, refused, source.path)


def _is_told(session: Session) -> bool:
    """A program says how it started the agent."""
    return session.started_as not in ("cli", "sdk-cli")


PARAM = "subagent"

EXPLORE = "Explore"
WITHOUT_PROJECT = (EXPLORE, "Plan")
"""Built-in agents that get neither instruction files nor git status."""


class Agents(AgentGatherer):
    """The agents of the listing. `main` drives the session, as `asked` says; `sub` is the one on show."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.listed, self.asked = self.gather(), self._asked()
        self.main = self._called(self.asked.value)
        self.sub = next((each for each in self.listed if each.name == session.params.subagent), None)

    def _asked(self) -> Sourced[str | None]:
        """The agent that is to drive the session: --agent, the setting `agent` [D], a plugin's [asked of 2.1.332]."""
        named, given = self.session.settings.known("agent"), self.session.params.args.agent
        plugins = (each.agent for each in self.session.plugins.all if each.enabled and each.agent)
        of_plugin = next(plugins, None)
        if not given and not isinstance(named.value, str) and of_plugin:
            return Sourced(of_plugin.value, of_plugin.source)
        if given or not isinstance(named.value, str):
            return Sourced(given, SettingSource("--agent", overlay="args.agent"))
        return Sourced(named.value or None, replace(named.source, overlay=None))

    def _called(self, name: str | None) -> SubAgent | None:
        """The agent of this name with a prompt, else one of a plugin whose name ends so [asked of 2.1.332]."""
        found = [each for each in self.listed if name and self._may_drive(each)]
        exact = (each for each in found if each.name == name)
        return next(exact, None) or next((each for each in found if each.name.endswith(f":{name}")), None)

    def _may_drive(self, agent: SubAgent) -> bool:
        """Built-in agents may, as long as the session has them; a rule keeps none from it [asked of 2.1.332]."""
        session = self.session
        if not self._is_headless_built_in(agent):
            return agent.has_prompt
        none_built_in = is_on(session.variable(NO_BUILT_IN_AGENTS).value)
        person = _is_told(session) and session.started_as not in SDK
        wants_person = "interactive" in FOLDER.bundled("agents", self.version)[agent.name].head
        return not none_built_in and (person or not wants_person)

    def _is_later_built_in(self, agent: SubAgent) -> bool:
        return self.version != V100 and agent.source == "built-in"

    def _is_headless_built_in(self, agent: SubAgent) -> bool:
        return self._is_later_built_in(agent) and self.session.params.args.print

    def conditions(self) -> dict[str, Condition]:
        """Whether a sub-agent's prompt is shown, it gets instruction files and git status, and an agent drives."""
        found, name, asked = self.sub, self.session.params.subagent, self.asked
        no = f"no sub-agent is called {name}" if name else "it is the main session's prompt"
        yes = f"it is the prompt of the sub-agent {found.name}" if found else "it is the prompt of a sub-agent"
        source, on = SettingSource(PARAM, overlay=PARAM), Lever(PARAM, GENERAL)
        delegated = Setting(source, found.name if found else None, "given", True, yes, no, on, Lever(PARAM, None))
        sees = found is None or found.source != "built-in" or found.name not in WITHOUT_PROJECT
        sees_project = FOLDER.reason("sees_project", sees, name=name)
        key = asked.source.key if asked.source.key == "--agent" else f"the setting `{asked.source.key}`"
        no = f"no agent with a prompt of its own is called {asked.value}" if asked.value else "no --agent is given"
        able = (each for each in self.listed if each.has_prompt and not self._is_headless_built_in(each))
        replacing = next(able, None)
        drive = Lever("args.agent", replacing.name) if replacing else None
        off = Lever("args.agent", None) if asked.source.overlay else None
        driving, yes = self.main.name if self.main else None, f"{key} replaces the sections"
        agent_body: Condition = Setting(asked.source, driving, "given", True, yes, no, drive, off)
        if self.main and self._is_later_built_in(self.main):
            # headless it brings its tools and its model along, and leaves the prompt as it is [asked of 2.1.332]
            agent_body = agent_body & INTERACTIVE
        wants_files = FOLDER.reason("wants_files", found is None or not found.omits_files)
        return {
            "delegated": delegated,
            "sees_project": sees_project,
            "wants_files": wants_files,
            "agent_body": agent_body,
        }

    def problems(self, facts: Facts) -> Iterator[Diagnostic]:
        """What is wrong with the names. From 2.1.329 on a wrong one on the command line stops the start [recorded]."""
        asked, name = self.asked, self.session.params.subagent
        known = ", ".join(agent.name for agent in self.listed if agent.when.holds(facts))
        text = f"no agent is called {asked.value}; known: {known}"
        if not asked.value or self.main:
            pass
        elif any(agent.name == asked.value and not self._is_headless_built_in(agent) for agent in self.listed):
            yield Diagnostic("warning", "agent-without-prompt", f"the agent {asked.value} has no prompt of its own")
        elif self.version != V100 and asked.source.key == "--agent":
            yield Diagnostic("error", "agent-refuses", f"Claude Code does not start: {text}")
        else:
            yield Diagnostic("warning", "unknown-agent", text, asked.source.path, asked.source.line)
        if name and self.sub is None:
            yield Diagnostic("warning", "unknown-subagent", f"no sub-agent is called {name}; known: {known}")
        elif name and self.sub and self.sub.source == "built-in" and not self.sub.has_prompt:
            text = f"the prompt of the built-in sub-agent {name} was not recorded: the text around it is shown"
            yield Diagnostic("info", "subagent-unrecorded", text)

    def remember(self) -> None:
        """Give the agents their memories, and the tools to keep them."""
        self.listed = tuple(map(self._with_memory, self.listed))
        by_name = {agent.name: agent for agent in self.listed}
        self.main, self.sub = (agent and by_name[agent.name] for agent in (self.main, self.sub))

    def _with_memory(self, agent: SubAgent) -> SubAgent:
        if not agent.memory_scope:
            return agent
        found = replace(agent, memory=_memory_of(agent, self.session))
        if agent.tool_list is None:
            return found
        tools = replace(agent.tool_list, value=tuple(dict.fromkeys((*agent.tool_list.value, *_TOOLS))))
        return replace(found, tools=tools_line(tools, agent.without), tool_list=tools)

    def memory_rows(self) -> Iterator[FileDraft]:
        """A row for the index of each memory; it is sent to its own agent alone."""
        for agent in self.listed:
            memory = agent.memory
            if memory is None or (file := self.workspace.read(memory.path)).problem == "missing":
                continue
            shown = agent is (self.sub or self.main)
            when: Condition = FOLDER.reason("memory_of", shown, path=file.path, agent=agent.name)
            if memory.refused:
                when = when & FOLDER.reason("memory_refused", path=file.path)
            text = "".join(span.text for span in memory.spans)
            yield file_row(file, "memory", "on-demand", when, text, truncated=memory.cut is not None)

    def worded(self, gates: Gates) -> Iterator[SubAgent]:
        """The agents, with the longer text of a built-in one for the models that are given it."""
        older, along = gates.layout_is("A'"), FOLDER.bundled("agents", self.version)
        for agent in self.listed:
            long = along[agent.name].forms.get("long") if agent.source == "built-in" else None
            if long is None:
                yield agent
            else:
                text = builtin(f"agents.{agent.name}.long", long, when=older)
                yield replace(agent, spans=(*(span.under(~older) for span in agent.spans), text))
