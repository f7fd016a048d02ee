"""What a captured run of Claude Code tells: its params, and its MCP servers."""

import re
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.agents.claude_code.gather.mcp import wire_name
from promptscope_engine.agents.kit.disk.servers import sent_servers
from promptscope_engine.agents.kit.sessions.command_line import options_from_argv
from promptscope_engine.captures.model import Content
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.scenario import McpServer

from .texts import FOLDER
from .versions import SDK

_HOOKS = {
    name: re.compile(rf"<system-reminder>\n{name}(?::startup)? hook success: (.*)\n</system-reminder>\n?", re.DOTALL)
    for name in ("SessionStart", "UserPromptSubmit")
}


def started_by(command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
    """A headless run calls itself `sdk-cli` in its header, and one of the Agent SDK `sdk-ts` or `sdk-py`."""
    said = options_from_argv(command, fields_of(FOLDER.params), FOLDER.agent["command_line"])
    return {"args.print": any(name in user_agent for name in SDK), **said}


def params_from_request(content: Content) -> Mapping[str, Json]:
    """What hooks printed, of which each has a reminder of its own; whether the maker's servers were reached."""
    said = [block.text for message in content.messages for block in message.blocks]
    found = ((name, pattern.fullmatch(text)) for text in said for name, pattern in _HOOKS.items())
    told: dict[str, Json] = {f"hooks.{name}": match[1] for name, match in found if match}
    told |= _by_sdk([block.text for block in content.system])
    tools = {tool.name for tool in content.tools}
    if "AskUserQuestion" in tools and "Artifact" not in tools and "safeguards" not in content.keys:
        told["online"] = False  # an interactive run that has none of what they switch on
    return told


def _by_sdk(system: Sequence[str]) -> Mapping[str, Json]:
    """The Agent SDK names itself in the first block; the second is the identity, and the third the prompt, if any."""
    found = _SDK.search(system[0]) if system else None
    if found is None:
        return {}
    own = "\n\n".join(system[2:])
    prompt = None if not own else "preset" if _HEADINGS.search(own) else own
    return {"sdk": {"systemPrompt": prompt}, "env.CLAUDE_CODE_ENTRYPOINT": found[1]}


_SDK = re.compile(r"\bcc_entrypoint=(sdk-(?:ts|py))\b")
_HEADINGS = re.compile(r"(?m)^# (?:System|Harness|Doing tasks|Environment)$")
"""Of the command line's own prompt."""


_UNSAID: Sequence[Mapping[str, Json]] = (
    {"env.DISABLE_TELEMETRY": "1"},
    {"env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
    {"env.ANTHROPIC_BASE_URL": "http://127.0.0.1"},
)
"""What may have been set and isn't in a recording, set by set: requests through a proxy, telemetry that is off."""


def alternatives(_model: str | None) -> Sequence[Mapping[str, Json]]:
    """What of a launch may not be recorded, and changes the prompt."""
    return _UNSAID


_LISTED = re.compile(r"^mcp__[\w-]+$", re.MULTILINE | re.ASCII)
_HEADING = "# MCP Server Instructions\n\n"
_SERVER = re.compile(r"(?:\A|\n\n)## ([^\n]{1,200})\n")
_NEXT = re.compile(r"\n\n[^\n]+:\n\n- |\n\nToday's date is ")
"""Where the instructions end: at the listing of skills, or at the date. They are in one block with these."""

_ABSENT = re.compile(r"mcp__<server>__\*[^\n]*:\n((?:[^\n]+(?:\n|\Z))+)")
_ABSENT_LINE = re.compile(r'(.{1,200}?)(?: \((\w+)\): "(.*)")?')
"""A server that does not answer: its name, with an error behind it if its connection failed."""


def servers(content: Content) -> tuple[McpServer, ...]:
    """Deferred tools are known by their names alone; those that do not answer (yet) come last."""
    said = [block.text for message in content.messages for block in message.blocks if block.kind == "text"]
    listed = [name for text in said for name in _LISTED.findall(text)]
    instructions = {name: text for each in said for name, text in _instructions(each)}
    tools = {wire_name(name, ""): name for name in instructions}
    found = sent_servers(content.tools, listed, {}, prefix="mcp__", separator="__")
    called = [(tools.get(wire_name(server.name, ""), server.name), server) for server in found]
    silent = [(name, McpServer(name=name)) for name in instructions if name not in {name for name, _ in called}]
    said_of = [{"name": name, "instructions": instructions.get(name)} for name, _ in (*called, *silent)]
    named = [server for _, server in (*called, *silent)]
    answering = [server.model_copy(update=more) for server, more in zip(named, said_of, strict=True)]
    return (*answering, *(server for text in said for server in _absent(text)))


def _absent(text: str) -> Iterator[McpServer]:
    for listed in _ABSENT.finditer(text):
        for line in filter(None, map(_ABSENT_LINE.fullmatch, listed[1].splitlines())):
            if line[2]:
                yield McpServer(name=line[1], status="disconnected", error=line[3], errorCode=line[2])
            else:
                yield McpServer(name=line[1], status="connecting")


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    before, found, rest = text.partition(_HEADING)
    if not found or (before and not before.endswith("\n")):
        return
    behind = _NEXT.search(rest)
    rest = rest[: behind.start()] if behind else rest
    places = [*_SERVER.finditer(rest)]
    ends = [*(following.start() for following in places[1:]), len(rest)]
    for place, end in zip(places, ends, strict=False):  # without any server there is an end all the same
        yield place[1], rest[place.end() : end]
