"""What the prompt itself brings along: `@` mentions, and `/command arguments`.

The files and folders that are mentioned are read before the prompt is sent. A command's file takes the prompt's place,
with the arguments put in [recorded 2.1.332].
"""

import json
import re
import shlex
from collections.abc import Collection, Iterator, Sequence

from promptscope_engine.agents.claude_code.materials import Mention, Mentions, Typed
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import V100, has
from promptscope_engine.agents.kit.heads import is_yes
from promptscope_engine.agents.kit.settings import texts
from promptscope_engine.agents.kit.walking import absolute
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import Span, computed, file_text, param_value, unpredictable
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .instruction_files import DeniedReads
from .mcp import wire_name
from .memory import size_shown
from .session import Gatherer, Session
from .skills import DISPLAY_NAME, FoundSkill, SkillGatherer
from .subagents import GENERAL

MAX_LINES = 2_000
"""Lines that one Read gives in 2.1.100; later versions give a file whole."""
MAX_BYTES = 256 * 1024
"""A larger file is named only (recorded 2.1.332)."""
_MAX_MENTIONS = 50
_MAX_ENTRIES = 1_000
_QUOTED = r'(?<!\S)@"([^"]{1,4096})"'
_PLAIN = r'(?<!\S)@([^\s"]\S{0,4095}(?a:\b))'
_RANGE = r"L?(\d{1,9})(?:-L?(\d{1,9}))?"
_AGENT = "agent-"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def tokens(prompt: str) -> list[str]:
    r"""What is behind each `@` at the start of a word, once each: quoted ones first (recorded 2.1.332).

    A plain one ends at the last border of an ASCII word, as `\\b` has it: `notes.txt,` is `notes.txt`.
    """
    quoted = (match[1] for match in re.finditer(_QUOTED, prompt))
    plain = (match[1] for match in re.finditer(_PLAIN, prompt))
    return list(dict.fromkeys((*quoted, *plain)))[:_MAX_MENTIONS]


def mentioned_paths(prompt: str, cwd: str, home: str) -> tuple[str, ...]:
    """The paths that the words of the prompt name, wherever they are: the person who wrote them wants them read."""
    found = (absolute(token.partition("#")[0], cwd, home) for token in tokens(prompt))
    return tuple(path for path in found if path != "/")


class MentionFinder(Gatherer):
    """Looks for what the prompt mentions. `denied`: the rules that forbid to read. `when`: mentions are read at all."""

    def __init__(self, session: Session, when: Condition) -> None:
        super().__init__(session)
        self.denied, self.when = DeniedReads(session.rules, session.cwd, session.home, session.config), when

    def find(self, prompt: str, agents: Collection[str]) -> Mentions:
        """The mentioned files, folders and agents that are there, in order; each file has a row."""
        found: list[Mention] = []
        named: dict[str, None] = {}
        looked_at: dict[str, None] = {}
        for token in tokens(prompt):
            agent = _agent(token, agents)
            if agent is not None:
                named[agent] = None
                continue
            path_text, _, fragment = token.partition("#")
            path = absolute(path_text, self.cwd, self.session.home)
            looked_at[path] = None
            kind = self.workspace.kind(path)
            if kind == "directory":
                lines = tuple((None, entry.name) for entry in self.workspace.list(path).entries[:_MAX_ENTRIES])
                asked = _input(command=f"ls {path}", description=f"Lists files in {path}")
                found.append(Mention(path, "folder", asked, lines))
            elif kind == "file" and (mention := self._file(path, re.fullmatch(_RANGE, fragment))):
                found.append(mention)
        large, read = (tuple(each for each in found if (each.kind == "large") is it) for it in (True, False))
        return Mentions(read, large, tuple(named), tuple(looked_at), self.when)

    def _file(self, path: str, wanted: re.Match[str] | None) -> Mention | None:
        source = self.workspace.read(path)
        why = f"it cannot be read: {source.problem} ({source.detail})" if source.problem else ""
        remedy = f"make {path} a readable file"
        there = Fact("file", path, source.found, "the prompt mentions it", why, remedy=remedy)
        when = there & self.denied.permitted(path) & self.when
        mention, truncated = _read(path, source, wanted, self.version)
        text = "\n".join(line for _, line in mention.lines)
        if mention.kind == "binary":
            no, remedy = "it is binary: only its name is sent", "mention a text"
            when = when & Fact("file", path, False, "it is a text", no, remedy=remedy)
        if all(draft.path != path for draft in self.files):
            self.row(source, "mention", "on-demand", when, text, truncated=truncated)
        refused = source.problem not in (None, "too-large") or mention.kind == "binary"
        return None if refused or self.denied.denying(path) else mention


def _agent(token: str, agents: Collection[str]) -> str | None:
    """The agent that `agent-NAME` or `"NAME (agent)"` names."""
    name = token.removeprefix(_AGENT) if token.startswith(_AGENT) else token.removesuffix(" (agent)")
    return name if name != token and name in agents else None


def _input(**values: str | int) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _read(path: str, source: FileText, wanted: re.Match[str] | None, version: str) -> tuple[Mention, bool]:
    """What Read answers, and whether lines were left out."""
    if path.lower().endswith(_IMAGES):
        return Mention(path, "image", _input(file_path=path)), False
    if path.lower().endswith(".pdf"):
        text = f"PDF file read: {path} ({size_shown(source.size)})"
        return Mention(path, "pdf", _input(file_path=path), ((None, text),)), False
    if source.size > MAX_BYTES and version != V100:
        return Mention(path, "large", size_shown(source.size)), True
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\0" in text:
        return Mention(path, "binary", ""), False
    if version == V100:
        lines = tuple(enumerate(text.removesuffix("\n").split("\n"), 1))
        return Mention(path, "file", _input(file_path=path), lines[:MAX_LINES]), len(lines) > MAX_LINES
    return _lines(path, text, wanted, version), False


def _lines(path: str, text: str, wanted: re.Match[str] | None, version: str) -> Mention:
    every = tuple(enumerate(text.split("\n"), 1))
    if not wanted:
        return Mention(path, "file" if text else "empty", _input(file_path=path), every if text else ())
    first, last = int(wanted[1]), int(wanted[2] or wanted[1])
    asked = {"offset": first, "limit": last - first + 1} if last >= first and has(version, "mention_range") else {}
    lines = every[first - 1 : last] if first else ()
    kind = "file" if lines else "beyond"
    return Mention(path, kind, _input(file_path=path, **asked), lines, (first, len(every)))


def woken_by(mentions: Mentions) -> list[str]:
    """The paths whose folders' files and rules load: those of files and of what is not there, not of folders."""
    folders = {mention.path for mention in mentions.read if mention.kind == "folder"}
    return [path for path in mentions.looked_at if path not in folders]


_TYPED = r"(?sa)/([A-Za-z0-9][\w:-]*)(?:\s+(.*))?"
_OF_SERVER = r"(?sa)/([\w-]{1,100}):([\w-]{1,100}) \(MCP\)(?:\s+(.*))?"
_PLACES = (
    r"\\?\$(?:ARGUMENTS\[(?P<at>\d{1,3})\]|(?P<all>ARGUMENTS)|(?P<number>\d{1,3})|(?P<name>[A-Za-z_]\w*))"
    r"|\$\{(?P<variable>CLAUDE_\w+)\}"
)
_OTHER_COMMANDS = 28
"""Commands of the client's own that a headless session has besides the skills."""
_RUN = r"(?m)!`[^`\n]+`|^```!"
_NEAR = 2
"""Letters by which a name may differ from one that was meant."""


def typed_command(skills: SkillGatherer, servers: Sequence[str]) -> Typed | None:
    """The command that the prompt begins with, None for other words. `servers`: those that may offer prompts."""
    prompt = skills.session.params.prompt
    if not prompt.startswith("/"):
        return None
    if shown := re.fullmatch(_OF_SERVER, prompt.rstrip()):  # as a client shows a server's prompt
        prompt = f"/{wire_name(shown[1], shown[2])} {shown[3] or ''}"
    match = re.fullmatch(_TYPED, prompt.rstrip())
    if match is None:
        return Typed("path", prompt)
    return _typed(skills, servers, match[1], (match[2] or "").strip()) or Typed("path", prompt)


def _typed(skills: SkillGatherer, servers: Sequence[str], name: str, arguments: str) -> Typed | None:
    """What a command of this name is; None for a folder of the system."""
    every = [item for item in skills.items if item.callable]
    commands = [item for item in every if is_yes(item.described.values.get("user-invocable", True))]
    found = next((command for command in commands if name in _called(command)), None)
    if found is not None:
        return _own_command(found, arguments, skills.session)
    own = {command.name for command in commands}
    offered = [skill.name for skill in skills.listed if skill.when.holds(skills.facts)]
    kinds: tuple[tuple[str, bool], ...] = (
        ("kept", any(name in _called(command) for command in every)),
        ("local", name in FOLDER.agent["local_commands"]),
        ("built-in", name in FOLDER.agent["own_commands"] or (name in offered and name not in own)),
    )
    if kind := next((kind for kind, fits in kinds if fits), None):
        return Typed(kind, name, arguments)
    server = next((each for each in servers if name.startswith(wire_name(each, ""))), None)
    if server is not None:
        text = f"(what the server {server} gives for {name.removeprefix(wire_name(server, ''))})"
        return Typed("server", name, arguments, (unpredictable("server.prompt", text),))
    if name in FOLDER.agent["system_folders"]:
        return None
    hidden = sum(not command.loaded for command in commands)
    names = [next((_called(c)[-1] for c in commands if c.name == each), each) for each in offered]
    close = _closest(name, [*names, *(n for c in commands for n in _called(c))])
    return Typed("unknown", name, arguments, close=close, known=tuple(names), more=_OTHER_COMMANDS + hidden)


def _own_command(found: FoundSkill, arguments: str, session: Session) -> Typed:
    model = found.described.text("model").strip()
    wanted = Sourced(model, found.described.setting("model")) if model and model != "inherit" else None
    forks = found.described.values.get("context") == "fork"
    agent = (found.described.text("agent").strip() or GENERAL) if forks else None
    return Typed("body", found.name, arguments, tuple(_body(found, arguments, session)), model=wanted, agent=agent)


def _called(command: FoundSkill) -> tuple[str, ...]:
    """The names that a person may type."""
    shown = command.described.text("name").strip()
    named = command.kind == "skill" and DISPLAY_NAME.fullmatch(shown) is not None
    return (command.name, shown) if named else (command.name,)


def typed_notes(typed: Typed | None) -> Iterator[Diagnostic]:
    """What cannot be predicted of a command."""
    if typed is not None:
        path = next((span.origin.path for span in typed.body if span.origin.path), None)
        notes = FOLDER.agent["command_notes"]
        for kind in ("runs" if re.search(_RUN, typed.text) else "", typed.kind):
            if kind in notes:
                said = notes[kind]
                text = said["text"].replace("{name}", typed.name)
                yield Diagnostic(said["severity"], said["code"], text, path if kind == "runs" else None)


def _closest(name: str, names: Sequence[str]) -> str:
    """The first of the names that differ least, in few letters; "" where none does."""
    near = (other for most in range(_NEAR + 1) for other in names[:500] if _differ(name.lower(), other.lower(), most))
    return next(near, "")


def _differ(one: str, other: str, most: int) -> bool:
    """Whether so many letters at most have to be changed, taken out or put in."""
    if one == other or not most:
        return one == other
    shorter = min(len(one), len(other))
    same = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    one, other = one[same:], other[same:]
    rests = ((one[1:], other), (one, other[1:]), (one[1:], other[1:]))
    return any(_differ(*rest, most - 1) for rest in rests)


def _body(command: FoundSkill, arguments: str, session: Session) -> Iterator[Span]:
    path = command.described.source.path
    if command.kind == "skill":
        yield computed("skill.folder", f"Base directory for this skill: {path.removesuffix('/SKILL.md')}\n\n")
    used = False
    words = _words(arguments)
    given = command.described.values.get("arguments")
    names = given.replace(",", " ").split() if isinstance(given, str) else texts(given) or []
    named = dict(zip(names, words, strict=False))
    variables = _variables(path, command.kind, session)
    for stretch in command.described.content.untrimmed:
        text, line, end = stretch.text.replace("\r\n", "\n"), stretch.line, 0
        for match in re.finditer(_PLACES, text):
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
    match: re.Match[str], arguments: str, words: Sequence[str], named: dict[str, str], variables: dict[str, Span]
) -> Span | None:
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


def _variables(path: str, kind: str, session: Session) -> dict[str, Span]:
    found = {
        "CLAUDE_PROJECT_DIR": computed("project", session.cwd),
        "CLAUDE_SESSION_ID": unpredictable("session", "00000000-0000-0000-0000-000000000000"),
        "CLAUDE_EFFORT": computed("effort", "medium"),
    }
    if kind == "skill":
        found["CLAUDE_SKILL_DIR"] = computed("skill.folder", path.removesuffix("/SKILL.md"))
    if plugin := next((p.folder for p in session.plugins.all if path.startswith(p.folder + "/")), None):
        found["CLAUDE_PLUGIN_ROOT"] = computed("plugin.folder", plugin)
    return found
