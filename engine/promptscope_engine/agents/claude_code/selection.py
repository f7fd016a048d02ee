"""Which tools there are: versions, modes, switches, deferring, MCP. Names are exact."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from operator import and_

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Named, Setting
from promptscope_engine.prompt.leaves import ships_with
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .materials import Materials, SubAgent
from .texts import FOLDER
from .versions import V100

_ASKED = "args.permissionPromptTool"
PLACEHOLDER = "DeferredToolPlaceholder"
"""A tool that 2.1.329 sends for those that are deferred."""
MCP_GROUP = "MCP"
STRUCTURED = "StructuredOutput"
"""The tool for an answer that fits a schema."""
_RUNNING = ("Bash", "CronCreate", "Monitor", "PowerShell", "WebFetch", "Workflow")
"""Tools that run commands or code, or fetch pages, which --restricted leaves out [asked of 2.1.332]."""
_FORMER = {
    "AgentOutputTool": "TaskOutput",
    "BashOutput": "TaskOutput",
    "BashOutputTool": "TaskOutput",
    "Brief": "SendUserMessage",
    "KillBash": "TaskStop",
    "KillShell": "TaskStop",
    "ListMcpResources": "ListMcpResourcesTool",
    "ListPeers": "ListAgents",
    "ReadMcpResource": "ReadMcpResourceTool",
    "ReadMcpResourceDir": "ReadMcpResourceDirTool",
    "Task": "Agent",
}
"""Tools by the names that they had once: rules, --tools and agents' lists still know these [recorded]."""
_RULE = re.compile(r"(?:[^\s,(]|\([^)]*\)?)+")
_EVERY_COMMAND = re.compile(r"Bash\([\s*]+\)")


def names(m: Materials) -> list[str]:
    """Every built-in tool of the version, in the order of the wire."""
    ordered = sorted(FOLDER.tool_names(m.version))
    # 2.1.100 does not heed the tools of the agent that drives the session.
    wanted = m.main_agent.tool_list if m.main_agent and not m.sub_agent and m.version != V100 else None
    if wanted is None:
        return ordered
    # Recorded: an agent's tools keep the order of its own list.
    first = dict.fromkeys(name for rule in wanted.value for name in ordered if lists_tool(rule, name))
    return [*first, *(name for name in ordered if name not in first)]


@lru_cache(maxsize=64)  # the tools of one scenario: sections and tools ask for each several times
def available(m: Materials, name: str) -> Condition:
    """The tool can be called, directly or after ToolSearch has loaded it."""
    server = name.startswith("mcp__")
    there: Condition = Fact("mcp", name, True, "its server is connected", "") if server else _exists(m, name)
    there = reduce(and_, _restrictions(m, name, built_in=not server), there)
    if name == "ToolSearch":
        there = there & _finds_something(m)
    if server:
        given = m.given_servers  # mostly none: with thousands of tools each need not look through all
        kept = bool(given) and any(tool.name == name and tool.server in given for tool in m.mcp_tools)
    else:
        kept = FOLDER.says(name, "bare", m.version)
    return there if kept else there & ~m.gates.bare


def sent(m: Materials, name: str) -> Condition:
    """The tool is in the request. Tool search defers some: these are named only, and loaded by ToolSearch."""
    if name == PLACEHOLDER:
        # Recorded with --agent: sent even where nothing is deferred, and whatever --tools says. A sub-agent is given
        # its own tools and no others, but with those of servers. Not where it would be the only tool. Models that have
        # the long prompt by themselves are sent it with ToolSearch alone [asked of 2.1.332].
        looked_for = ["ToolSearch", *(tool.name for tool in m.mcp_tools if can_wait(m, tool.name))]
        search = AnyOf(tuple(available(m, each) for each in looked_for))
        listed = reduce(and_, _restrictions(m, "ToolSearch", built_in=True))
        there = m.gates.tool_search & (m.gates.short_by_itself() | searches(m)) & (~m.gates.delegated | search)
        return there & (~listed | _finds_something(m)) & _others_are_sent(m)
    if can_wait(m, name):
        return available(m, name) & ~searches(m)
    there = available(m, name)
    return there & _kept_loaded(m, name) if name in always_loaded(m) else there


@lru_cache(maxsize=1)
def _finds_something(m: Materials) -> Condition:
    """There is a tool to be looked for: ToolSearch is not sent where a list names none besides [asked of 2.1.332]."""
    lists = [agent.tool_list for agent in (m.main_agent, m.sub_agent) if agent] + [m.params.args.tools]
    if m.version == V100 or all(each is None for each in lists):
        return ALWAYS
    there = AnyOf(tuple(available(m, each) for each in deferrable(m)))
    return Named("tool", "ToolSearch", there, yes="there are tools to look for", no="it has no tools to look for")


@lru_cache(maxsize=1)
def _kept_loaded(m: Materials, name: str) -> Condition:
    """What has the tool of a server loaded from the start."""
    place = next((tool.place for tool in m.mcp_tools if tool.name == name), "")
    return FOLDER.reason("always_loaded", True, {"source": SettingSource("alwaysLoad", place)} if place else {})


def always_loaded(m: Materials) -> frozenset[str]:
    """The tools of servers that no search defers."""
    return frozenset(tool.name for tool in m.mcp_tools if tool.always)


def _others_are_sent(m: Materials) -> Condition:
    others = [*(name for name in names(m) if name != PLACEHOLDER), *(tool.name for tool in m.mcp_tools)]
    there = AnyOf(tuple(sent(m, name) for name in others))
    return Named("tool", PLACEHOLDER, there, yes="other tools are sent", no="no other tool is sent")


def deferred(m: Materials, name: str) -> Condition:
    """The tool's name is listed for ToolSearch."""
    return available(m, name) & lists_deferred(m)


def lists_deferred(m: Materials) -> Condition:
    """The names of tools that could be deferred are listed, also where ToolSearch waits for the tools to be many."""
    return searches(m) | (m.gates.names_tools & ~m.gates.tool_search)


def can_wait(m: Materials, name: str) -> bool:
    """Whether tool search defers the tool."""
    if name.startswith("mcp__"):
        return name not in always_loaded(m)
    return FOLDER.says(name, "deferred", m.version)


@lru_cache(maxsize=1)
def searches(m: Materials) -> Condition:
    """Tools can be looked for: tool search is on and its tool is not taken away."""
    yes = "only its name is sent: tool search defers it"
    return Named("tool", "ToolSearch", available(m, "ToolSearch"), yes=yes)


def _exists(m: Materials, name: str) -> Condition:
    """What the version, the mode and other tools say, as the tool's front matter has it."""
    versions = FOLDER.versions_of(name)
    has = ships_with(*versions)
    if m.version not in versions or _plans(m, name):
        return has
    scope = _answers(m).within({"of_version": has, "asked_for": lambda: _asked_for(m, name)})
    return FOLDER.exists(name, scope, otherwise=has)


@lru_cache(maxsize=1)
def _answers(m: Materials) -> Scope:
    """What front matter may name besides the version."""
    # An agent that does without Bash is not given its stand-ins in its place, and may have Monitor without listing
    # Bash [recorded 2.1.332].
    session = _with_agents(m, lambda agent: replace(agent, without=None))
    unlisted = _with_agents(m, lambda agent: replace(agent, tool_list=None))
    older = m.gates.messages_are("A'")
    # A server that has the capability is enough [asked of 2.1.332]: of a stand-in, that the key is given.
    said = {"resources", "resourceTemplates"}
    offered = any(said & server.model_fields_set for server in m.servers)
    names = {
        "older_model": Named("model", "id", older, "older models have it", "newer models lack it"),
        "bash_searches": lambda: _bash(available(session, "Bash"), "Bash searches instead", "Bash is not there"),
        "bash_runs": lambda: _bash(_runs_commands(unlisted), "Bash is there", "it needs Bash"),
        "resources": FOLDER.reason("resources", offered),
        "language_servers": FOLDER.reason("language_servers", m.language_servers),
        "schema_given": FOLDER.reason("schema_given", m.schema is not None),
    }
    return m.gates.scope.within(names)


def _bash(condition: Condition, yes: str, no: str) -> Condition:
    return Named("tool", "Bash", condition, yes, no)


def _with_agents(m: Materials, change: Callable[[SubAgent], SubAgent]) -> Materials:
    main, sub = (agent and change(agent) for agent in (m.main_agent, m.sub_agent))
    return replace(m, main_agent=main, sub_agent=sub)


def _runs_commands(m: Materials) -> Condition:
    """Bash is there and not denied as a whole: a rule of blanks and stars removes Monitor alone [recorded 2.1.332]."""
    cli = SettingSource("--disallowed-tools", overlay="args.disallowedTools")
    rules = [*m.denied, *(Sourced(rule, cli) for rule in rules_in(m.params.args.disallowedTools))]
    return reduce(and_, permitted(rules, _EVERY_COMMAND.fullmatch), available(m, "Bash"))


def permitted(rules: Sequence[Sourced[str]], denies: Callable[[str], object]) -> Iterator[Condition]:
    """None of the rules that deny it is there; the lever leaves them out of their list."""
    kept = [rule for rule in rules if not denies(rule.value)]
    for rule in rules:
        if denies(rule.value):
            overlay = rule.source.overlay
            on = Lever(overlay, [other.value for other in kept if other.source.overlay == overlay]) if overlay else None
            no = f"`{rule.source.key}` names {rule.value}"
            yield Setting(rule.source, [rule.value], "given", False, "it is not denied", no, on=on)


def _asked_for(m: Materials, name: str) -> Condition:
    """--tools brings some that would not be there otherwise (variants, e)."""
    given = [_today(tool) for tool in rules_in(m.params.args.tools or [])]
    source = SettingSource("--tools", overlay="args.tools")
    # Without a list, a lever that names one tool would take all others away.
    on = Lever("args.tools", [*given, name]) if given else None
    return Setting(source, given, "has", name, "--tools names it", "--tools does not name it", on=on)


def _restrictions(m: Materials, name: str, *, built_in: bool) -> Iterator[Condition]:
    """--tools, --disallowed-tools, permissions.deny and the list of the agent that drives the session.

    Only an agent's list takes away the tool for the answer that --json-schema asks for [recorded 2.1.332].
    """
    if name != STRUCTURED:
        yield from _of_arguments(m, name, built_in=built_in)
    if name == m.params.args.permissionPromptTool and m.version != V100:  # [asked of 2.1.332]
        source, back = SettingSource("--permission-prompt-tool", overlay=_ASKED), Lever(_ASKED, None)
        yield Setting(source, True, "is", False, "", "it is asked for permission, in the user's place", on=back)
    forks = m.typed is not None and m.typed.agent is not None
    if m.sub_agent:
        back = Lever("subagent", None)
        never = not name.startswith("mcp__") and FOLDER.says(name, "main_session", m.version)
        if forks:
            never = never and not FOLDER.says(name, "fork", m.version)  # recorded 2.1.332
        never = never and not _plans(m, name)
        there: Condition = FOLDER.reason("sub_agents", not never)
        if never and FOLDER.says(name, "fork", m.version):
            there = there | ~m.gates.background  # nor where no agent works in the background [asked of 2.1.332]
        yield there
        yield from _of_agent(m.sub_agent, f"the sub-agent {m.sub_agent.name}", name, back)
    # a command's fork is left what the agent that drives the session may call, too [recorded 2.1.332]
    if m.main_agent and m.version != V100 and (forks or not m.sub_agent):
        yield from _of_agent(m.main_agent, f"the agent {m.main_agent.name}", name, Lever("args.agent", None))


def _plans(m: Materials, name: str) -> bool:
    """Whether it is the tool that ends the planning of a sub-agent [asked of 2.1.332]."""
    return name == "ExitPlanMode" and m.sub_agent is not None and m.sub_agent.plans


def _of_arguments(m: Materials, name: str, *, built_in: bool) -> Iterator[Condition]:
    """--tools, --disallowed-tools and permissions.deny."""
    args = m.params.args
    if built_in and args.tools is not None and "default" not in args.tools:
        source, given = SettingSource("--tools", overlay="args.tools"), [_today(tool) for tool in rules_in(args.tools)]
        kept = [tool for tool in given if tool != name]
        on, off = Lever("args.tools", [*args.tools, name]), Lever("args.tools", kept)
        yield Setting(source, given, "has", name, "--tools names it", "--tools leaves it out", on, off)
    if args.restricted and name in _RUNNING and name not in rules_in(args.tools or ()):
        source, off = SettingSource("--restricted", overlay="args.restricted"), Lever("args.restricted", False)
        yield Setting(source, True, "is", False, "", "--restricted leaves out what runs something", on=off)
    source, rules = SettingSource("--disallowed-tools", overlay="args.disallowedTools"), args.disallowedTools
    kept = [rule for rule in rules if not any(names_tool(each, name) for each in rules_in([rule]))]
    on, off = Lever("args.disallowedTools", [*rules, name]), Lever("args.disallowedTools", kept)
    named = [name] if len(kept) < len(rules) else []
    yield ~Setting(source, named, "has", name, "--disallowed-tools names it", "it is not disallowed", on, off)
    yield from permitted(m.denied, partial(names_tool, name=name))


def _of_agent(agent: SubAgent, who: str, name: str, back: Lever) -> Iterator[Condition]:
    """What an agent may call: its own list, or all tools but those that it does without."""
    if agent.tool_list is not None:
        listed = any(lists_tool(rule, name) for rule in agent.tool_list.value)
        yes, no = f"{who} has it", f"{who} does not list it"
        yield Setting(agent.tool_list.source, listed, "is", True, yes, no, on=back)
    if agent.without is not None:
        # it may name all servers [recorded 2.1.332]
        of_server, rules = name.startswith("mcp__"), agent.without.value
        kept = not any(lists_tool(rule, name) or (rule == "mcp__*" and of_server) for rule in rules)
        yes, no = f"{who} keeps it", f"{who} does without it"
        yield Setting(agent.without.source, kept, "is", True, yes, no, on=back)


def _today(name: str) -> str:
    """A tool's name for one that it may have had once."""
    return _FORMER.get(name, name)


def rules_in(given: Sequence[str]) -> list[str]:
    """The rules of an argument: commas and blanks part them, but for those in brackets [asked of 2.1.332]."""
    return [rule for text in given for rule in _RULE.findall(text)]


def is_rule(rule: str) -> bool:
    """Whether settings accept it as a rule: no name in small letters, no condition on a server's calls [recorded]."""
    return "(" not in rule if rule.startswith("mcp__") else not rule[:1].islower()


def names_tool(rule: str, name: str) -> bool:
    """Whether a rule means a whole tool: `Bash`, `Web*`, `mcp__server`, but not `Bash(rm *)` [recorded 2.1.332]."""
    rule = rule.removesuffix("(*)")
    return (
        _today(rule) == name or stars_match(rule, name) or (rule.startswith("mcp__") and name.startswith(f"{rule}__"))
    )


def lists_tool(rule: str, name: str) -> bool:
    """Whether an agent's list has the tool, even with a condition on its calls; a star means a server's [recorded]."""
    tool = rule.partition("(")[0].removesuffix("__*")
    return _today(tool) == name or (tool.startswith("mcp__") and name.startswith(f"{tool}__"))


def any_offered(m: Materials, *wanted: str) -> Condition:
    """At least one of the tools can be called."""
    conditions = tuple(offers(m, name) for name in wanted)
    return conditions[0] if len(conditions) == 1 else AnyOf(conditions)


def lists_agent(m: Materials, agent: SubAgent) -> Condition:
    """The agent is listed: a built-in one only where a tool that it names can be called [recorded 2.1.332]."""
    when = agent.when & let_in(None if m.sub_agent else m.main_agent, agent.name, m.version)
    if agent.source != "built-in" or agent.tool_list is None or m.version == V100:
        return when
    return when & any_offered(m, *agent.tool_list.value)


_AGENTS_NAMED = re.compile(r"(?:Agent|Task)\(([^()]*)\)")


def let_in(main: SubAgent | None, name: str, version: str) -> Condition:
    """The agent that drives the session may name those that it starts: `Agent(reader), Agent(writer)` [asked 2.1.332].

    `Agent` beside them or with nothing in its brackets names none. Names are compared letter by letter.
    """
    if main is None or main.tool_list is None or version == V100:
        return ALWAYS
    written = ",".join(main.tool_list.value)  # the commas in brackets divide it too
    named = [each.strip() for found in _AGENTS_NAMED.findall(written) for each in found.split(",") if each.strip()]
    if not named:
        return ALWAYS
    yes, no = f"the agent {main.name} may start it", f"the agent {main.name} may start only {', '.join(named)}"
    return Setting(main.tool_list.source, named, "has", name, yes, no, on=Lever("args.agent", None))


def offers(m: Materials, name: str) -> Condition:
    """The tool can be called: for a section or a bullet that names it."""
    return Named("tool", name, available(m, name), yes=f"{name} is offered", no=f"{name} is not offered")


def deferrable(m: Materials) -> list[str]:
    """The tools that tool search defers: built-in ones sorted, then MCP tools sorted."""
    all_names = [*sorted(names(m)), *(tool.name for tool in m.mcp_tools)]
    return [name for name in all_names if can_wait(m, name)]
