"""The message: what is piped in and the words, or the custom command that they begin with (recorded 0.61.0).

A command's text is put together in this order: `@{…}` puts files in, `{{args}}` the arguments, `!{…}` what a command of
the shell prints. Nothing is run here: a placeholder that names the command takes its place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from promptscope_engine.agents.gemini.materials import Mentions
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.disk.hooks import CONTEXT, said_by
from promptscope_engine.agents.kit.disk.rows import absent
from promptscope_engine.agents.kit.disk.runs import named
from promptscope_engine.formats.toml import TomlError, read_toml, toml_line
from promptscope_engine.inputs.params import Params
from promptscope_engine.javascript.text import js_trim, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import Span, label, param_value, traced_lines, unpredictable
from promptscope_engine.prompt.spans import cut, joined, replaced

from .request import MentionFinder, files_below

Part = tuple[Span, ...]

_COMMAND = re.compile(r"/(?![/*])")
_UNSAFE = re.compile(r"[^a-zA-Z0-9_.-]")
_LONGEST = 50
_MAX_COMMANDS = 500
_MAX_CHARS = 1_000_000
_ARGUMENTS = "{{args}}"
_SHELL = "!{"


class _Command(Struct, frozen=True):
    """A command's file: where it is from, and what its name takes in front where another one has it, too."""

    name: str
    path: str
    when: Condition
    origin: str


def planned(params: Params, *, hooks: bool) -> str | None:
    """What is sent of a prompt that is the client's own command `/plan`, in plan mode then; None of any other prompt.

    Where nothing follows it, it is sent itself; `/plan copy` is another command [asked of 0.61.0].
    """
    typed = js_trim(params.prompt)
    name, *words = js_trim(typed[1:]).split() or [""]
    if name != "plan" or words[:1] == ["copy"] or not _COMMAND.match(typed) or not _begins(params, hooks=hooks):
        return None
    return " ".join(words) or typed


def _begins(params: Params, *, hooks: bool) -> bool:
    """Whether the message begins with the prompt: headless, what a hook says or what is piped in is in front of it."""
    return not (params.args.print and (params.stdin or (hooks and said_by(params.hooks.SessionStart, *CONTEXT))))


def gather_request(
    finder: MentionFinder, *, hooks: bool, shell: bool, plan: bool
) -> tuple[tuple[Part, ...], Mentions, Condition]:
    """The prompt's parts, what follows them, and whether it can be sent.

    `hooks` run; `shell`: commands may run its; `plan`: in plan mode.
    """
    params = finder.session.params
    prompt = params.prompt if params.args.print else js_trim(params.prompt)
    commands = _Commands(finder, shell)
    parts = commands.parts(prompt) if _begins(params, hooks=hooks) and _COMMAND.match(prompt) else None
    if plan and (asked := planned(params, hooks=hooks)) is not None:  # the client's own commands go first
        parts = ((param_value("prompt", asked),),)
    mentions = Mentions()
    if parts is None:
        spans: Part = (param_value("prompt", prompt),)
        if params.args.print and params.stdin:
            spans = (param_value("stdin", params.stdin), label("\n\n"), *spans)
        spans, mentions = finder.mentions(spans)
        parts = (spans,)
    return parts, mentions, commands.ready


@dataclass(eq=False, repr=False)
class _Commands:
    """The custom commands, and what becomes of one that is typed."""

    finder: MentionFinder
    shell: bool
    ready: Condition = ALWAYS
    """The command that is typed has no mistake that ends the client."""
    _templates: dict[str, str | None] = field(default_factory=dict)

    def parts(self, typed: str) -> tuple[Part, ...] | None:
        """The prompt of the command that is typed; None if there is none."""
        typed = js_trim(typed)
        name, *words = js_trim(typed[1:]).split() or [""]
        command = self._named(name)
        if command is None:
            return None
        template, path = self._template(command) or "", command.path
        if any(end > len(template) for _, end in _injections(template)):
            return self._stopped(path, "@{")
        found = tuple(self._filled(template, path))
        if _ARGUMENTS in template or _SHELL in template:  # then also in the files that are put in
            runs: list[str] = []
            found = tuple(self._carried_out(part, path, " ".join(words), runs) for part in found)
            if runs and self.ready is ALWAYS:
                note = FOLDER.note("command-not-run", path, 1, name=name, runs=named(runs))
                self.finder.found.diagnostics.append(note)
        if words and _ARGUMENTS not in template:
            found = (*found[:-1], (*found[-1], label("\n\n"), param_value("prompt", typed)))
        return found if self.ready is ALWAYS else ((),)

    def _stopped(self, path: str, opening: str) -> tuple[Part, ...]:
        self.ready = absent(path, f"the command {path} has a `{opening}` without its end", f"write a `}}` into {path}")
        return ((),)

    def _carried_out(self, part: Part, path: str, arguments: str, runs: list[str]) -> Part:
        """A part with the arguments, and a placeholder for what each `!{…}` prints; `runs` get the commands."""
        text, at = joined(part), 0
        places: list[tuple[int, int, Part]] = []
        for start, end in (*_injections(text, _SHELL), (len(text), len(text))):
            if end > len(text):
                self._stopped(path, _SHELL)
                return part
            found = (match.span() for match in re.finditer(re.escape(_ARGUMENTS), text[at:start]))
            places += [(at + first, at + last, (param_value("prompt", arguments),)) for first, last in found]
            command = js_trim(text[start + len(_SHELL) : end - 1].replace(_ARGUMENTS, _quoted(arguments)))
            output = (unpredictable("command.output", f"(what `{command}` prints)"),)
            places.append((start, end, output if command else ()))
            runs += [command] if command else []
            at = end
        if runs and not self.shell:
            self.ready = FOLDER.reason("unapproved", command=path)
        return replaced(part, places)

    def _named(self, name: str) -> _Command | None:
        """The command of a name. Two of one name both take the place that they are from in front of it."""
        known = [each for each in self._all() if each.when.holds(self.finder.facts)]
        for each in known:
            if name not in (each.name, f"{each.origin}{each.name}"):
                continue
            same = [one for one in known if one.name == each.name and self._template(one) is not None]
            if name == (each.name if same == [each] else f"{each.origin}{each.name}") and each in same:
                return each
            if len(same) > 1:
                names = " or ".join(f"/{one.origin}{one.name}" for one in same)
                note = FOLDER.note("command-renamed", each.path, 1, count=len(same), name=each.name, names=names)
                self.finder.found.diagnostics.append(note)
        return None

    def _all(self) -> Iterator[_Command]:
        places, session = self.finder.places, self.finder.session
        folders: dict[str, tuple[str, Condition]] = {places.own: ("user.", ALWAYS)}
        folders.setdefault(places.project, ("workspace.", session.trusted))
        folders |= {each.path: (f"{each.name}:", each.when) for each in session.extensions}
        for folder, (origin, when) in folders.items():
            top = f"{folder}/commands"
            below = files_below(self.finder.workspace, top, lambda _: True)
            for path in [path for path in below if path.endswith(".toml")][:_MAX_COMMANDS]:
                name = ":".join(map(_safe, path.removesuffix(".toml").split("/")))
                yield _Command(name, f"{top}/{path}", when, origin)

    def _template(self, command: _Command) -> str | None:
        """The prompt of a command's file, and its row."""
        path = command.path
        if path not in self._templates:
            file = self.finder.workspace.read(path)
            template, problem = _prompt_of(file.text) if file.found else ("", f"it cannot be read: {file.problem}")
            if problem:
                self.finder.found.warn("bad-command", problem, path, 1)
            ready = Fact("file", path, not problem, "it has a prompt", problem, remedy=f"give {path} a `prompt`")
            self.finder.found.row(file, "command", "on-demand", command.when & ready, template)
            self._templates[path] = None if problem else template
        return self._templates[path]

    def _filled(self, template: str, path: str) -> Iterator[Part]:
        """The parts of a command's prompt: its text, and what `@{…}` puts in."""
        whole = self.finder.workspace.read(path).text
        spans = tuple(traced_lines(path, whole, template, toml_line(whole, ("prompt",)) or 1, path))
        at = 0
        for start, end in _injections(template):
            if template[at:start]:
                yield cut(spans, at, start)
            target = js_trim(template[start + 2 : end - 1])
            yield from self._content(target) or (cut(spans, start, end),)
            at = end
        if at == 0 or template[at:]:
            yield cut(spans, at, len(template))

    def _content(self, target: str) -> Iterator[Part] | None:
        """What a file or folder puts into a command; None where there is none."""
        finder, workspace = self.finder, self.finder.workspace
        paths = (resolve(directory, target) for directory in finder.directories)
        inside = [path for path in paths if "\0" not in path and finder.is_inside(path) and workspace.kind(path)]
        if not inside:
            return None
        return self._folder(target, inside[0]) if workspace.is_dir(inside[0]) else self._file(inside[0])

    def _file(self, path: str) -> Iterator[Part]:
        if not self.finder.loader.ignored.hides(path):
            self.finder.row(path)
            yield self.finder.text(path, trims=False)

    def _folder(self, target: str, path: str) -> Iterator[Part]:
        yield (label(f"--- Start of content for directory: {target} ---\n"),)
        for name in files_below(self.finder.workspace, path, lambda _: True):
            inner = f"{path}/{name}"
            if not self.finder.loader.ignored.hides(inner):
                yield (label(f"--- {name} ---\n"),)
                yield from self._file(inner)
                yield (label("\n"),)
        yield (label(f"--- End of content for directory: {target} ---"),)


def _safe(name: str) -> str:
    """A part of a command's name, made from that of a file or a folder."""
    name = _UNSAFE.sub("_", name)
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."


def _injections(template: str, opening: str = "@{") -> Iterator[tuple[int, int]]:
    """Where `@{…}` begins and ends, braces within it counted; one without its end ends beyond the text."""
    start = template.find(opening)
    while start >= 0:
        depth, at = 1, start + 2
        while depth and at < len(template):
            depth += {"{": 1, "}": -1}.get(template[at], 0)
            at += 1
        yield start, at + depth
        start = template.find(opening, at)


def _quoted(text: str) -> str:
    """The arguments as one word of bash (npm's shell-quote)."""
    if re.search(r'["\s\\]', text) and "'" not in text:
        return f"'{text}'"
    if re.search(r"[\"'\s]", text):
        return '"' + re.sub(r'(["\\$`!])', r"\\\1", text) + '"'
    return re.sub(r"([#!\"$&'()*,:;<=>?@[\\\]^`{|}])", r"\\\1", text)


def _prompt_of(text: str) -> tuple[str, str]:
    """The prompt of a command's file, or why it has none."""
    try:
        value = read_toml(text, _MAX_CHARS)
    except TomlError as error:
        return "", error.message
    prompt = value.get("prompt")
    if not isinstance(value.get("description", ""), str):
        return "", "its `description` must be a string"
    return (prompt, "") if isinstance(prompt, str) else ("", "it has no `prompt`")
