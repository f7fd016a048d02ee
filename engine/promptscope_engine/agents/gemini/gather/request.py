"""What the user sends: the prompt, what is piped in, commands, and what is named with `@` (specs/gemini.md 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from promptscope_engine.agents.gemini.materials import Mentions
from promptscope_engine.agents.gemini.params import GeminiParams
from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.agents.kit.walking import files_below
from promptscope_engine.formats.toml import TomlError, read_toml
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, computed, label, param_value
from promptscope_engine.prompt.model import Diagnostic

from .extensions import Extension
from .mentions import MentionFinder
from .places import Places

Part = tuple[Piece, ...]

_COMMAND = re.compile(r"/(?![/*])")
_UNSAFE = re.compile(r"[^a-zA-Z0-9_.-]")
_LONGEST = 50
_MAX_COMMANDS = 500
_MAX_CHARS = 1_000_000


@frozen
class Sent:
    """The prompt's parts, what follows them, the rows."""

    prompt: tuple[Part, ...]
    mentions: Mentions
    ready: Condition
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


@frozen
class _Command:
    """A command's file: where it is from, and what its name takes in front where another one has it, too."""

    name: str
    path: str
    when: Condition
    origin: str


def gather_request(
    params: GeminiParams,
    places: Places,
    extensions: Sequence[Extension],
    trusted: Condition,
    facts: Facts,
    finder: MentionFinder,
    *,
    hooks: bool,
    shell: bool,
) -> Sent:
    """What follows the session context. `hooks`: they run. `shell`: a command may run one of the shell's, or asks."""
    commands = _Commands(places, extensions, trusted, facts, finder, shell)
    # Headless, a hook's text or what is piped in stands in front of the prompt, which then begins with no slash.
    first = not params.args.print or not (params.stdin or (params.hooks.SessionStart and hooks))
    parts = commands.parts(params.prompt) if first and _COMMAND.match(params.prompt) else None
    mentions = Mentions()
    if parts is None:
        pieces: Part = (param_value("prompt", params.prompt),)
        if params.args.print and params.stdin:
            pieces = (param_value("stdin", params.stdin), label("\n\n"), *pieces)
        pieces, mentions = finder.found(pieces)
        parts = (pieces,)
    return Sent(parts, mentions, commands.ready, (*commands.files, *finder.files), tuple(commands.diagnostics))


@dataclass(eq=False, repr=False)
class _Commands:
    """The custom commands, and what becomes of one that is typed."""

    places: Places
    extensions: Sequence[Extension]
    trusted: Condition
    facts: Facts
    finder: MentionFinder
    shell: bool
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

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
            self.ready = absent(path, f"the command {path} has a `@{{` without its end", f"write a `}}` into {path}")
            return ((),)
        if "!{" in template and not self.shell:
            no = f"the command {path} runs a shell command, which nobody can approve in a headless run"
            self.ready = Observed("mode", "mode", False, "", no, remedy="start it with --approval-mode yolo")
            return ((),)
        if "!{" in template:
            text = "the command runs a shell command; it is not run here, so its output is missing"
            self.diagnostics.append(Diagnostic("warning", "command-not-run", text, path, 1))
        found = tuple(self._filled(template, path, " ".join(words)))
        if words and "{{args}}" not in template:
            found = (*found[:-1], (*found[-1], label("\n\n"), param_value("prompt", typed)))
        return found

    def _named(self, name: str) -> _Command | None:
        """The command of a name. Two of one name both take the place that they are from in front of it."""
        known = [each for each in self._all() if each.when.holds(self.facts)]
        for each in known:
            if name not in (each.name, f"{each.origin}{each.name}"):
                continue
            same = [one for one in known if one.name == each.name and self._template(one) is not None]
            if name == (each.name if same == [each] else f"{each.origin}{each.name}") and each in same:
                return each
            if len(same) > 1:
                names = " or ".join(f"/{one.origin}{one.name}" for one in same)
                text = f"{len(same)} commands are called {each.name}, so none of them runs by that name: type {names}"
                self.diagnostics.append(Diagnostic("warning", "command-renamed", text, each.path, 1))
        return None

    def _all(self) -> Iterator[_Command]:
        folders: dict[str, tuple[str, Condition]] = {self.places.own: ("user.", ALWAYS)}
        folders.setdefault(self.places.project, ("workspace.", self.trusted))
        folders |= {each.path: (f"{each.name}:", each.when) for each in self.extensions}
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
                self.diagnostics.append(Diagnostic("warning", "bad-command", problem, path, 1))
            ready = Observed("file", path, not problem, "it has a prompt", problem, remedy=f"give {path} a `prompt`")
            self.files.append(file_row(file, "command", "on-demand", command.when & ready, template))
            self._templates[path] = None if problem else template
        return self._templates[path]

    def _filled(self, template: str, path: str, arguments: str) -> Iterator[Part]:
        """The parts of a command's prompt: its text with the arguments, and what `@{…}` puts in."""
        at = 0
        for start, end in _injections(template):
            if text := template[at:start]:
                yield _with_arguments(text, path, arguments)
            target = js_trim(template[start + 2 : end - 1])
            yield from self._content(target) or ((computed(path, template[start:end]),),)
            at = end
        if at == 0 or template[at:]:
            yield _with_arguments(template[at:], path, arguments)

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
            self.files.append(self.finder.row(path))
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


def _injections(template: str) -> Iterator[tuple[int, int]]:
    """Where `@{…}` begins and ends, braces within it counted; one without its end ends beyond the text."""
    start = template.find("@{")
    while start >= 0:
        depth, at = 1, start + 2
        while depth and at < len(template):
            depth += {"{": 1, "}": -1}.get(template[at], 0)
            at += 1
        yield start, at + depth
        start = template.find("@{", at)


def _with_arguments(text: str, path: str, arguments: str) -> Part:
    first, *others = text.split("{{args}}")
    pieces = [computed(path, first)]
    for other in others:
        pieces += [param_value("prompt", arguments), computed(path, other)]
    return tuple(pieces)


def _prompt_of(text: str) -> tuple[str, str]:
    """The prompt of a command's file, or why it has none."""
    try:
        value = read_toml(text, _MAX_CHARS)
    except TomlError as error:
        return "", error.message
    prompt = value.get("prompt")
    if not isinstance(value.get("description", ""), str):
        return "", "its `description` is no text"
    return (prompt, "") if isinstance(prompt, str) else ("", "it has no `prompt`")
