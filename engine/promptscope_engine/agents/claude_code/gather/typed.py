"""`/command arguments` as the prompt: the command's file takes its place, with the arguments put in.

Recorded with 2.1.332.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

from promptscope_engine.agents.claude_code.materials import Skill, Typed
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.heads import is_yes
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import Piece, computed, file_text, param_value, unpredictable
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic

from .delegation import GENERAL
from .frontmatter import Described
from .mcp import wire_name
from .skills import DISPLAY_NAME, Found

_TYPED = re.compile(r"/([A-Za-z0-9][\w:-]*)(?:\s+(.*))?", re.DOTALL | re.ASCII)
_OF_SERVER = re.compile(r"/([\w-]{1,100}):([\w-]{1,100}) \(MCP\)(?:\s+(.*))?", re.DOTALL | re.ASCII)
_PLACES = re.compile(
    r"\\?\$(?:ARGUMENTS\[(?P<at>\d{1,3})\]|(?P<all>ARGUMENTS)|(?P<number>\d{1,3})|(?P<name>[A-Za-z_]\w*))"
    r"|\$\{(?P<variable>CLAUDE_\w+)\}"
)
_OTHER_COMMANDS = 28
"""Commands of the client's own that a headless session has besides the skills."""
_RUN = re.compile(r"!`[^`\n]+`|^```!", re.MULTILINE)
_NEAR = 2
"""Letters by which a name may differ from one that was meant."""


@frozen
class Command:
    """A skill or command that a prompt may begin with: `names` are those it goes by. `hidden`: from the model."""

    name: str
    names: tuple[str, ...]
    kind: str
    described: Described
    hidden: bool
    typed: bool
    """False: `user-invocable` keeps it from people."""


def commands_of(found: Iterable[Found]) -> tuple[Command, ...]:
    """Those of what was found that are there at all, the one that counts first."""
    return tuple(_command(item) for item in found if item.callable)


def _command(item: Found) -> Command:
    shown = item.described.text("name").strip()
    named = item.kind == "skill" and DISPLAY_NAME.fullmatch(shown) is not None
    typed = is_yes(item.described.values.get("user-invocable", True))
    return Command(
        item.name, (item.name, shown) if named else (item.name,), item.kind, item.described, not item.loaded, typed
    )


@frozen
class Surroundings:
    """What variables in a command's text stand for."""

    project: str
    plugin_of: Callable[[str], str | None]
    """The folder of the plugin that a file belongs to."""
    servers: Sequence[str] = ()
    """The MCP servers that may offer prompts, by name."""


def typed_command(
    prompt: str, commands: Sequence[Command], listed: Sequence[Skill], facts: Facts, around: Surroundings
) -> Typed | None:
    """The command that the prompt begins with, None for other words."""
    if not prompt.startswith("/"):
        return None
    if shown := _OF_SERVER.fullmatch(prompt.rstrip()):  # as a client shows a server's prompt
        prompt = f"/{wire_name(shown[1], shown[2])} {shown[3] or ''}"
    match = _TYPED.fullmatch(prompt.rstrip())
    if match is None:
        return Typed("path", prompt)
    name, arguments = match[1], (match[2] or "").strip()
    kept_from_people = [command for command in commands if not command.typed]
    commands = [command for command in commands if command.typed]
    found = next((command for command in commands if name in command.names), None)
    if found is not None:
        model = found.described.text("model").strip()
        wanted = Known(model, found.described.setting("model")) if model and model != "inherit" else None
        forks = found.described.values.get("context") == "fork"
        agent = (found.described.text("agent").strip() or GENERAL) if forks else None
        return Typed("body", found.name, arguments, tuple(_body(found, arguments, around)), model=wanted, agent=agent)
    if any(name in command.names for command in kept_from_people):
        return Typed("kept", name, arguments)
    if name in FOLDER.agent["local_commands"]:
        return Typed("local", name, arguments)
    own = {command.name for command in commands}
    offered = [skill.name for skill in listed if skill.when.holds(facts)]
    if name in FOLDER.agent["own_commands"] or (name in offered and name not in own):
        return Typed("built-in", name, arguments)
    server = next((each for each in around.servers if name.startswith(wire_name(each, ""))), None)
    if server is not None:
        text = f"(what the server {server} gives for {name.removeprefix(wire_name(server, ''))})"
        return Typed("server", name, arguments, (unpredictable("server.prompt", text),))
    if name in FOLDER.agent["system_folders"]:
        return Typed("path", prompt)
    hidden = sum(command.hidden for command in commands)
    names = [next((c.names[-1] for c in commands if c.name == each), each) for each in offered]
    close = _closest(name, [*names, *(n for c in commands for n in c.names)])
    return Typed("unknown", name, arguments, close=close, known=tuple(names), more=_OTHER_COMMANDS + hidden)


def typed_notes(typed: Typed | None) -> Iterator[Diagnostic]:
    """What cannot be predicted of a command."""
    if typed is None:
        return
    path = next((piece.origin.path for piece in typed.body if piece.origin.path), None)
    if _RUN.search(typed.text):
        text = f"/{typed.name} runs commands (`!`) and sends what they print: none is run here"
        yield Diagnostic("info", "command-runs", text, path)
    if typed.kind == "server":
        text = f"/{typed.name} is a prompt of an MCP server, if the server has it: what it gives is unknown here"
        yield Diagnostic("info", "command-of-server", text)
    if typed.kind == "kept":
        text = f"/{typed.name} is for the model alone (`user-invocable`): nothing is sent"
        yield Diagnostic("warning", "command-kept", text)
    if typed.kind == "local":
        text = f"/{typed.name} is carried out by the client itself: nothing is sent"
        yield Diagnostic("info", "command-local", text)


def _closest(name: str, names: Sequence[str]) -> str:
    near = [(_distance(name.lower(), other.lower()), number) for number, other in enumerate(names[:500])]
    best = min(near, default=(_NEAR + 1, 0))
    return names[best[1]] if best[0] <= _NEAR else ""


def _distance(one: str, other: str) -> int:
    """How many letters have to be changed, at most a few more than `_NEAR`."""
    if abs(len(one) - len(other)) > _NEAR:
        return _NEAR + 1
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for at, match in enumerate(other, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (letter != match))
    return row[-1]


def _body(command: Command, arguments: str, around: Surroundings) -> Iterator[Piece]:
    path = command.described.source.path
    if command.kind == "skill":
        yield computed("skill.folder", f"Base directory for this skill: {path.removesuffix('/SKILL.md')}\n\n")
    used = False
    words = _words(arguments)
    named = dict(zip(_names(command.described.values.get("arguments")), words, strict=False))
    variables = _variables(path, command.kind, around)
    for stretch in command.described.content.untrimmed:
        text, line, end = stretch.text.replace("\r\n", "\n"), stretch.line, 0
        for match in _PLACES.finditer(text):
            value = _value(match, arguments, words, named, variables)
            if value is None:
                continue
            if match.start() > end:
                yield file_text(path, text[end : match.start()], line)
            used = used or value.origin.kind == "param"
            yield value
            line += text.count("\n", end, match.end())
            end = match.end()
        if end < len(text):
            yield file_text(path, text[end:], line)
    if arguments and not used:
        yield computed("arguments", "\n\nARGUMENTS: ")
        yield param_value("prompt", arguments)


def _value(
    match: re.Match[str], arguments: str, words: Sequence[str], named: dict[str, str], variables: dict[str, Piece]
) -> Piece | None:
    """What takes the place of a placeholder; None where it stays as it is."""
    if match["variable"]:
        return variables.get(match["variable"])
    at = match["at"] or match["number"]
    if at:
        text = words[int(at)] if int(at) < len(words) else None
    else:
        text = arguments if match["all"] else named.get(match["name"])
    if match[0].startswith("\\"):
        return None if match["name"] and text is None else computed("escaped", match[0][1:])
    return None if text is None else param_value("prompt", text)


def _words(arguments: str) -> list[str]:
    """The arguments as a shell takes them apart."""
    try:
        return shlex.split(arguments)
    except ValueError:
        return arguments.split()


def _names(value: Json) -> list[str]:
    if isinstance(value, str):
        return value.replace(",", " ").split()
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _variables(path: str, kind: str, around: Surroundings) -> dict[str, Piece]:
    found = {
        "CLAUDE_PROJECT_DIR": computed("project", around.project),
        "CLAUDE_SESSION_ID": unpredictable("session", "00000000-0000-0000-0000-000000000000"),
        "CLAUDE_EFFORT": computed("effort", "medium"),
    }
    if kind == "skill":
        found["CLAUDE_SKILL_DIR"] = computed("skill.folder", path.removesuffix("/SKILL.md"))
    if plugin := around.plugin_of(path):
        found["CLAUDE_PLUGIN_ROOT"] = computed("plugin.folder", plugin)
    return found
