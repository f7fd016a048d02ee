"""A `/command arguments` that the prompt begins with: its file takes the prompt's place (recorded 2.1.332).

The arguments are put in first. Then the client runs what is in !`…` and in fences that begin with ```!, and sends what
that prints. Nothing is run here: a placeholder that names the command takes its place.

Arguments are read as bash would read them: an apostrophe that nothing closes takes all that follows into one word, and
a `;`, a `#`, a line's end or a bracket ends the words, so only those of the first command count.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from promptscope_engine.agents.claude_code.materials import Typed
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.heads import is_yes
from promptscope_engine.agents.kit.disk.runs import named
from promptscope_engine.agents.kit.disk.settings import texts
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Span, builtin, computed, file_text, param_value, unpredictable
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.prompt.spans import joined, replaced

from .mcp import wire_name
from .session import Session
from .skills import DISPLAY_NAME, FoundSkill, SkillGatherer

_MOST = 10_000
"""Characters that are looked at."""
_PIECE = re.compile(
    r"""(?sxa)
      (?P<blank> (?: [^\S\n] | \\(?:\n|\Z) )+ )
    | (?P<end> [;&|\n] )
    | (?P<redirect> [<>]+ )
    | \\ (?P<escaped> .? )
    | '(?P<single> [^']* )'
    | "(?P<double> (?: [^"\\] | \\. )* )"
    | (?P<unclosed> ['"] .* )
    | (?P<expansion> \$\{[^}]*\} | \$'[^']*' | \$\w+ | \$(?=\s|\Z) )
    | (?P<substitution> \$\([^()]*\) )
    | (?P<ticks> `[^`]*` )
    | (?P<group> \([^()]*\) )
    | (?P<bracket> [()`] )
    | (?P<plain> [^\s\\'"$;&|<>()`]+ | . )
    """
)
_RESERVED = frozenset(("if", "elif", "else", "fi", "then", "while", "until", "do", "done", "esac", "{", "}", "!"))
_DECLARES = ("declare", "export", "local", "readonly", "typeset")
_ASSIGNMENT = r"(?a)[A-Za-z_]\w*(?:\[[^\]]*\])?\+?="
_TEST = r"\s*\[.*?\]+"
_REDIRECTED = re.compile(r"\s*[^\s;&|<>()]+")
_REDIRECTED_WHOLE = re.compile(r"(?:\||&&)[^;\n<>]*[<>]")
"""Several commands whose output goes elsewhere: no simple command comes first."""


def shell_words(arguments: str) -> list[str]:
    """The words of the first command; where there is none, all that blanks separate."""
    text = arguments[:_MOST]
    opening = re.match(_TEST, text)
    found = _words(text, opening.end() if opening else 0)
    if found and found[0] in _DECLARES:
        return found[:1]
    return found or arguments.split()


def _words(text: str, at: int) -> list[str]:
    words: list[str] = []
    pieces: list[tuple[str, str]] = []
    while match := _PIECE.match(text, at):
        kind = match.lastgroup or ""
        piece, at = match[kind], match.end()
        if not pieces and kind == "plain" and piece[0] == "#":
            break
        if not pieces and words and kind in ("substitution", "ticks", "bracket"):
            break
        if not pieces and piece.startswith("`"):
            return [text[match.start() + 1 :]]
        if kind == "group" and not words:
            at = at if pieces else match.start() + 1  # `(a b)` alone is a command of its own
        elif kind == "group":
            pieces = []
        elif kind not in ("blank", "end", "redirect", "bracket"):
            pieces.append((kind, piece))
        else:
            is_number = kind == "redirect" and "".join(part for _, part in pieces).isdigit()  # `2>x`
            words += [] if is_number else _word(pieces, is_first=not words)
            pieces = []
            if kind != "blank" and words:
                return [] if _REDIRECTED_WHOLE.match(text, match.start()) else words
            if kind == "redirect" and (target := _REDIRECTED.match(text, at)):
                at = target.end()
    return [*words, *_word(pieces, is_first=not words)]


def _word(pieces: list[tuple[str, str]], *, is_first: bool) -> list[str]:
    """The word that the pieces make; none for what bash takes for something else."""
    text = "".join(piece for _, piece in pieces)
    kind = pieces[0][0] if pieces else ""
    dropped = not pieces or (kind == "plain" and is_first and (text in _RESERVED or re.match(_ASSIGNMENT, text)))
    if not is_first and len(pieces) == 1:
        dropped = dropped or kind == "expansion" or (kind == "plain" and text == "=")
    return [] if dropped else [text]


_TYPED = r"(?sa)/([A-Za-z0-9][\w:-]*)(?:\s+(.*))?"
_OF_SERVER = r"(?sa)/([\w-]{1,100}):([\w-]{1,100}) \(MCP\)(?:\s+(.*))?"
_PLACES = (
    r"(?a)(?P<escape>(?<!\\)\\)?\$(?:ARGUMENTS\[(?P<at>\d{1,3})\]|(?P<all>ARGUMENTS)"
    r"|(?P<number>\d{1,3})(?!\w)|(?P<name>[A-Za-z_]\w*))"
    r"|\$\{(?P<variable>CLAUDE_\w+)\}"
)
_LOCAL = frozenset((
    "agents", "clear", "compact", "config", "context", "cost", "exit", "export", "help", "hooks", "ide",
    "install-github-app", "login", "logout", "mcp", "memory", "model", "output-style", "permissions", "plugin",
    "quit", "resume", "rewind", "status", "statusline", "usage", "vim",
))  # fmt: skip
"""Commands that the client carries out by itself: nothing is sent [recorded 2.1.332]."""
_OWN = ("doctor",)
"""Commands whose text is the client's own, though no skill has their name [recorded 2.1.332]."""
_SYSTEM_FOLDERS = (
    "bin", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "root", "run", "sys", "tmp", "usr", "var",
)  # fmt: skip
"""Folders that every machine has: what names one is not a command."""
_OTHER_COMMANDS = 28
"""Commands of the client's own that a headless session has besides the skills."""
_RUN = r"(?s)(?<!\S)!`(?P<inline>[^`]+)`|```!\s*(?P<fenced>.*?)\s*```"
_NEAR = 2
"""Letters by which a name may differ from one that was meant."""


def typed_command(skills: SkillGatherer, servers: Sequence[str]) -> Typed | None:
    """The command that the prompt begins with, None for other words. `servers`: those that may offer prompts."""
    params = skills.session.params
    # A terminal takes the blanks around away, and knows a slash alone for a command.
    prompt = params.prompt if params.args.print else params.prompt.lstrip()
    if not prompt.startswith("/"):
        return None
    if shown := re.fullmatch(_OF_SERVER, prompt.rstrip()):  # as a client shows a server's prompt
        prompt = f"/{wire_name(shown[1], shown[2])} {shown[3] or ''}"
    match = re.fullmatch(_TYPED, prompt.rstrip())
    if match is None:
        is_slash = not params.args.print and prompt.split()[0] == "/"
        return Typed("refused" if is_slash else "path", prompt)
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
        ("local", name in _LOCAL),
        ("built-in", name in _OWN or (name in offered and name not in own)),
    )
    if kind := next((kind for kind, fits in kinds if fits), None):
        return Typed(kind, name, arguments)
    server = next((each for each in servers if name.startswith(wire_name(each, ""))), None)
    if server is not None:
        text = f"(what the server {server} gives for {name.removeprefix(wire_name(server, ''))})"
        return Typed("server", name, arguments, (unpredictable("server.prompt", text),))
    if name in _SYSTEM_FOLDERS:
        return None
    if not skills.session.params.args.print:
        return Typed("refused", name, arguments)
    hidden = sum(not command.loaded for command in commands)
    names = [next((_called(c)[-1] for c in commands if c.name == each), each) for each in offered]
    close = _closest(name, [*names, *(n for c in commands for n in _called(c))])
    return Typed("unknown", name, arguments, close=close, known=tuple(names), more=_OTHER_COMMANDS + hidden)


def _own_command(found: FoundSkill, arguments: str, session: Session) -> Typed:
    if found.kind == "workflow":
        return Typed("body", found.name, arguments, tuple(_workflow(found, arguments)))
    model = found.described.text("model").strip()
    wanted = Sourced(model, found.described.setting("model")) if model and model != "inherit" else None
    body, runs = _without_runs(_body(found, arguments, session))
    return Typed("body", found.name, arguments, body, model=wanted, agent=found.fork, runs=runs)


def _workflow(found: FoundSkill, arguments: str) -> Iterator[Span]:
    """What the model is asked to do when a workflow is typed."""
    called = json.dumps(found.name, ensure_ascii=False)
    given = f", args: {json.dumps(arguments, ensure_ascii=False)}" if arguments else ""
    yield builtin("workflow.run", f"Start the workflow {called}.\n\n")
    yield from found.described.spans(found.described.text("description"))
    yield builtin("workflow.call", "\n\nCall: ")
    yield computed("workflow.call", f"Workflow({{ name: {called}{given} }})")
    yield builtin("workflow.change", "\n\nBefore you change it or write another one, load `workflow-authoring`.")


def given_skills(skills: SkillGatherer, names: Sequence[str]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The texts of the skills that a sub-agent names; a plugin's may lack the plugin's name [asked of 2.1.332]."""
    bundled = {skill.name for skill in skills.listed if skill.source == "bundled" and skill.when.holds(skills.facts)}
    items = [item for item in skills.items if item.loaded]
    for name in names:
        same = [item for item in items if item.name == name]
        same += [item for item in items if item.source == "plugin" and item.name.endswith(f":{name}")]
        if same:
            yield name, tuple(_body(same[0], "", skills.session))
        elif name in bundled:
            yield name, (builtin("command.body", f"(the client's own text of /{name})"),)


def invoked_skill(skills: SkillGatherer, name: str, arguments: str) -> tuple[str, tuple[Span, ...]] | None:
    """Where a skill or command is from, and its text as it is sent where it is called; None if there is none."""
    for item in skills.items:
        if item.loaded and name in _called(item):
            return item.source, tuple(_body(item, arguments, skills.session))
    bundled = any(skill.name == name and skill.source == "bundled" for skill in skills.listed)
    return ("builtin", (builtin("command.body", f"(the client's own text of /{name})"),)) if bundled else None


def _called(command: FoundSkill) -> tuple[str, ...]:
    """The names that a person may type."""
    shown = command.described.text("name").strip()
    named = command.kind == "skill" and DISPLAY_NAME.fullmatch(shown) is not None
    return (command.name, shown) if named else (command.name,)


def typed_notes(typed: Typed | None) -> Iterator[Diagnostic]:
    """What cannot be predicted of a command."""
    if typed is not None:
        path = next((span.origin.path for span in typed.body if span.origin.path), None)
        for kind in ("runs" if typed.runs else "", typed.kind):
            if kind in FOLDER.agent["notes"]:
                place = path if kind == "runs" else None
                yield FOLDER.note(kind, place, name=typed.name, runs=named(typed.runs))


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
    given = _Given(arguments, command.described.values.get("arguments"))
    variables = _variables(path, command.kind, session)
    used = False
    for stretch in command.described.content.untrimmed:
        text, line, end = stretch.text, stretch.line, 0
        for match in re.finditer(_PLACES, text):
            value = _value(match, given, variables)
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
        yield param_value("prompt", _harmless(arguments))


class _Given:
    """The arguments, whole, by number and by name. One that was named and not given is empty."""

    def __init__(self, arguments: str, names: Json) -> None:
        self.whole = arguments
        self.words = shell_words(arguments) if arguments else []
        called = names.split() if isinstance(names, str) else texts(names) or []
        self.named = {name: self._at(called.index(name)) or "" for name in called}

    def _at(self, number: int) -> str | None:
        return self.words[number] if number < len(self.words) else None

    def value(self, match: re.Match[str]) -> str | None:
        """What a placeholder stands for; None for nothing."""
        if match["all"]:
            return self.whole
        return self.named.get(match["name"]) if match["name"] else self._at(int(match["at"] or match["number"]))


def _value(match: re.Match[str], given: _Given, variables: Mapping[str, Span]) -> Span | None:
    """What takes the place of a placeholder; None where it stays as it is."""
    if match["variable"]:
        return variables.get(match["variable"])
    text = given.value(match)
    if match["escape"]:  # one backslash alone takes the placeholder for what it is
        return None if match["name"] and text is None else computed("escaped", match[0][1:])
    return None if text is None else param_value("prompt", _harmless(text))


def _harmless(text: str) -> str:
    """An argument cannot bring a command along."""
    return re.sub(r"(^|\s)!", r"\1\\!", text.replace("`!", "` !").replace("!`", "! `"))


def _without_runs(spans: Iterable[Span]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """The text with a placeholder for what each command prints, and the commands."""
    body = tuple(spans)
    found = [(*match.span(), match["inline"] or match["fenced"]) for match in re.finditer(_RUN, joined(body))]
    found = [each for each in found if each[2].strip()]
    places = [
        (start, end, (unpredictable("command.output", f"(what `{command}` prints)"),)) for start, end, command in found
    ]
    return replaced(body, places), tuple(command for _, _, command in found)


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
