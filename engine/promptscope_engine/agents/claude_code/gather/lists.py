"""Lists that name tools, skills, servers and instruction files: an entry that matches nothing is a note.

What the user's own settings or an organisation's name of a project may be there in another one: only names that are the
same everywhere, those of tools, are looked at in all of them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial

from promptscope_engine.agents.claude_code.materials import McpTool
from promptscope_engine.agents.claude_code.selection import is_rule, names_tool, rules_in
from promptscope_engine.agents.claude_code.texts import COMMANDS, FOLDER
from promptscope_engine.agents.claude_code.versions import V100, VERSIONS
from promptscope_engine.agents.kit.disk.settings import Names, note
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace

from .content import Described
from .mcp import Servers, wire_name
from .session import Session
from .settings import MANAGED
from .skills import SkillGatherer

_RULES = ("permissions.allow", "permissions.ask", "permissions.deny")
_ARGUMENTS = {"--tools": "tools", "--allowed-tools": "allowedTools", "--disallowed-tools": "disallowedTools"}
_SERVERS = ("enabledMcpjsonServers", "disabledMcpjsonServers")
_SKILL = "skill here"
_FURTHER_TOOLS = frozenset((
    "AgentOutputTool", "BashOutput", "BashOutputTool", "Brief", "EndConversation", "KillBash", "KillShell",
    "ListMcpResources", "ListPeers", "Projects", "PushNotification", "ReadMcpResource", "ReadMcpResourceDir",
    "RemoteTrigger", "ShareOnboardingGuide", "SuggestBackgroundPR", "Task", "WaitForMcpServers", "default",
))  # fmt: skip
"""What rules may name besides the tools of these versions: the client warns of any other name [recorded 2.1.332].

`default` is a word of --tools.
"""
_RELATIVE = re.compile(r"(?:\./)?[\w.-](?!:)[^|]*")
_SIGNS = re.compile(r"[*?{}\[\]()!|]")


def lists_of_names(
    session: Session, offered: Sequence[McpTool], agents: Sequence[Described], skills: SkillGatherer, servers: Servers
) -> Iterator[Names]:
    """The lists of settings, command line and files. `offered`: servers' tools. `agents`: the listed agents'."""
    settings, tools = session.settings, partial(_names_a_tool, offered)
    known = [*_built_in(), *(tool.name for tool in offered)]
    for key in _RULES:
        yield Names(key, "tool", settings.items(key), known, lambda rule: is_rule(rule) and tools(rule))
    for key, name in _ARGUMENTS.items():
        source, given = SettingSource(key, overlay=f"args.{name}"), getattr(session.params.args, name)
        yield Names(key, "tool", [Sourced(entry, source) for entry in rules_in(given or ())], known, tools)
    own = settings.without("user", MANAGED)
    for found in agents:
        for key in ("tools", "disallowedTools"):
            yield Names(key, "tool", found.entries(key, tools=session.version != V100), known, tools)
    # recorded 2.1.332: it decides what runs unasked, and nothing of the prompt
    for found in (item.described for item in skills.items if item.loaded):
        yield Names("allowed-tools", "tool", found.entries("allowed-tools", tools=True), known, tools)
    if session.workspace.kind(session.home) is not None:  # a check leaves it out: the user's own skills are not known
        listed = [skill.name for skill in skills.listed]
        called = partial(_names_a_skill, listed)
        for found in agents:
            yield Names("skills", _SKILL, found.entries("skills"), listed, called)
        switches = own.table("skillOverrides") if session.version != V100 else ()
        entries = [Sourced(name, own.member("skillOverrides", name).source) for name in switches]
        yield Names("skillOverrides", _SKILL, entries, listed, called)
    for key in _SERVERS:
        yield Names(key, "server in .mcp.json", own.items(key), servers.places)


@cache
def _built_in() -> frozenset[str]:
    return frozenset(name for version in VERSIONS for name in FOLDER.tool_names(version))


def _names_a_tool(offered: Iterable[McpTool], entry: str) -> bool:
    """Whether a rule means a tool. One of a server of which no tool is known may be there."""
    name = entry.partition("(")[0].strip()
    if not name.startswith("mcp__"):
        return not name or "*" in name or name in _built_in() or name in _FURTHER_TOOLS
    of_server = [tool.name for tool in offered if name.startswith(wire_name(tool.server, ""))]
    return not of_server or any(names_tool(name, tool) for tool in of_server)


def _names_a_skill(skills: Iterable[str], entry: str) -> bool:
    name = entry.strip().removeprefix("/")
    return name in COMMANDS or any(f":{skill}".endswith(f":{name}") for skill in skills)


def never_excluding(excludes: Iterable[Sourced[str]], workspace: Workspace) -> Iterator[Diagnostic]:
    """Notes on patterns of `claudeMdExcludes` that can match no file: they are compared with absolute paths."""
    for entry in excludes:
        if why := _never(entry.value, workspace):
            yield note(f"`claudeMdExcludes` names {entry.value}: {why}", entry.source)


def _never(pattern: str, workspace: Workspace) -> str:
    if _RELATIVE.fullmatch(pattern):
        any_folder = f"**/{pattern.removeprefix('./')}"
        return f"a pattern has to match the whole path of a file, from the root on; did you mean {any_folder}?"
    if not pattern.startswith("/") or _SIGNS.search(pattern) or not workspace.allows(pattern):
        return ""
    kind = workspace.kind(pattern)
    if kind == "directory":
        return f"this is a folder; did you mean {pattern.rstrip('/')}/**?"
    return "" if kind else "no such file"
