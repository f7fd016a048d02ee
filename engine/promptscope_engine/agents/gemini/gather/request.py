"""What the user sends: the prompt, what is piped in, commands, and files named with `@` (specs/gemini.md 12)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.gemini.materials import Mention
from promptscope_engine.agents.gemini.params import GeminiParams
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, computed, file_text, label, param_value
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .extensions import Extension
from .places import Places

_COMMAND = re.compile(r"/([^\s/][^\s]*)[ \t]*(.*)\Z", re.DOTALL)
_AT = re.compile(r"(?<!\S)@(\S+)")
_TRAILING = ",;!?()[]{}."
_MAX_MENTIONS = 100
_MAX_CHARS = 1_000_000


@frozen
class Sent:
    """The prompt's text, the files that it names, their rows."""

    prompt: tuple[Piece, ...]
    mentions: tuple[Mention, ...]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]


def gather_request(
    params: GeminiParams,
    places: Places,
    extensions: Sequence[Extension],
    directories: Sequence[str],
    trusted: Condition,
    facts: Facts,
    workspace: Workspace,
    *,
    hooks: bool,
) -> Sent:
    """What follows the session context. `hooks`: they run."""
    pieces: tuple[Piece, ...] = (param_value("prompt", params.prompt),)
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    # Headless, a hook's text or what is piped in stands in front of the prompt, which then begins with no slash.
    first = not params.args.print or not (params.stdin or (params.hooks.SessionStart and hooks))
    found = _COMMAND.match(params.prompt) if first else None
    if found and (command := _command(found[1], places, extensions, trusted, facts, workspace, files, diagnostics)):
        path, template = command
        pieces = tuple(_filled(template, path, found[2], params.prompt))
        if "!{" in template:
            text = "the command runs a shell command; it is not run here, so its output is missing"
            diagnostics.append(Diagnostic("warning", "command-not-run", text, path, 1))
    mentions = tuple(_mentions("".join(p.text for p in pieces), places, directories, workspace))
    files += [_row(mention, workspace) for mention in mentions]
    if params.args.print and params.stdin:
        pieces = (param_value("stdin", params.stdin), label("\n\n"), *pieces)
    return Sent(pieces, mentions, tuple(files), tuple(diagnostics))


def _command(
    name: str,
    places: Places,
    extensions: Sequence[Extension],
    trusted: Condition,
    facts: Facts,
    workspace: Workspace,
    files: list[FileDraft],
    diagnostics: list[Diagnostic],
) -> tuple[str, str] | None:
    """The file of a custom command and its prompt: the workspace's first, then the user's, then an extension's."""
    if ".." in name or "\0" in name:
        return None
    relative = f"commands/{name.replace(':', '/')}.toml"
    folders: list[tuple[str, Condition]] = [(places.project, trusted), (places.own, ALWAYS)]
    folders += [(extension.path, extension.when) for extension in extensions]
    for folder, gate in dict(folders).items():
        path = f"{folder}/{relative}"
        file = workspace.read(path)
        if file.problem == "missing":
            continue
        template, problem = _template(file.text) if file.found else ("", f"it cannot be read: {file.problem}")
        if problem:
            diagnostics.append(Diagnostic("warning", "bad-command", problem, path, 1))
        remedy = f"give {path} a `prompt`"
        when = gate & Observed("file", path, not problem, "it has a prompt", problem, remedy=remedy)
        files.append(
            FileDraft(path, file.real_path, "command", "on-demand", when, file.size, len(file.text), injected=template)
        )
        if when.holds(facts):
            return path, template
    return None


def _template(text: str) -> tuple[str, str]:
    if len(text) > _MAX_CHARS:
        return "", f"{len(text):,} characters are too many to be parsed here (at most {_MAX_CHARS:,})"
    import tomllib  # 6 ms: only for those who have such a file

    try:
        value = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return "", f"no TOML: {error}"[:200]
    prompt = value.get("prompt")
    return (prompt, "") if isinstance(prompt, str) else ("", "it has no `prompt`")


def _filled(template: str, path: str, arguments: str, invocation: str) -> Iterator[Piece]:
    """The command's prompt with its arguments; without a place for them the whole invocation follows."""
    arguments = js_trim(arguments)
    parts = template.split("{{args}}")
    for number, part in enumerate(parts):
        if number:
            yield param_value("prompt", arguments)
        yield computed(path, part)
    if len(parts) == 1 and arguments:
        yield label("\n\n")
        yield param_value("prompt", invocation)


def _mentions(text: str, places: Places, directories: Sequence[str], workspace: Workspace) -> Iterator[Mention]:
    """The files that a prompt names, each once."""
    seen: set[str] = set()
    for match in _AT.finditer(text):
        for token in dict.fromkeys((match[1], match[1].rstrip(_TRAILING))):
            path = _path(token, places, directories, workspace)
            if path is None:
                continue
            if path not in seen and len(seen) < _MAX_MENTIONS:
                seen.add(path)
                yield Mention(token, path, _content(path, workspace))
            break


def _path(token: str, places: Places, directories: Sequence[str], workspace: Workspace) -> str | None:
    if not token or "\0" in token or len(token) > 4096:
        return None
    for directory in dict.fromkeys([places.cwd, *directories]):
        path = resolve(directory, token)
        inside = any(path.startswith(each.rstrip("/") + "/") for each in directories)
        if inside and workspace.kind(path) == "file" and workspace.read(path).found:
            return path
    return None


def _content(path: str, workspace: Workspace) -> tuple[Piece, ...]:
    text = workspace.read(path).text
    return (file_text(path, text, 1),) if text else ()


def _row(mention: Mention, workspace: Workspace) -> FileDraft:
    file = workspace.read(mention.path)
    when = Observed("file", mention.path, True, "the prompt names it", "", remedy="take it out of the prompt")
    return FileDraft(
        mention.path, file.real_path, "mention", "on-demand", when, file.size, len(file.text), injected=file.text
    )
