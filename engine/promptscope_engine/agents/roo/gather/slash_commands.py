"""The commands that words like `/review` stand for (specs/roo-user-messages.md 3.1)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping

from promptscope_engine.agents.kit.heads import near_keys
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.kit.settings import text as text_of
from promptscope_engine.agents.roo.mentions.expand import Command
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.front_matter import FrontMatter
from promptscope_engine.formats.yaml import CORE, YamlError
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, builtin, file_text
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.pieces import joined
from promptscope_engine.workspace import FileText, Workspace

from .found import Found

_MEANT = {"description": "description", "argument-hint": "argument-hint"}
"""The keys of a command's front matter."""


def find_commands(workspace: Workspace, cwd: str, home: str, names: Iterable[str]) -> Found[dict[str, Command]]:
    """Those of the names that are commands: of the project, else the user's, else built in."""
    commands: dict[str, Command] = {}
    files: list[FileDraft] = []
    notes: list[Diagnostic] = []
    for name in names:
        for folder in (cwd, home):
            path = posixpath.join(folder, ".roo/commands", f"{name}.md")
            file = workspace.read(path)
            if not file.found:
                continue
            shown = posixpath.relpath(path, cwd) if folder == cwd else path
            command, values = _parsed(shown, file)
            notes += near_keys(file, values, _MEANT)
            when = _comes_first(shown, commands.get(name))
            files.append(file_row(file, "command", "on-demand", when, joined(command.content), shown=shown))
            commands.setdefault(name, command)
        if own := FOLDER.bundled("commands", FOLDER.versions[-1]).get(name):
            commands.setdefault(name, Command((builtin(f"command.{name}", own.text),), own.head["description"]))
    return Found(commands, tuple(files), tuple(notes))


def _comes_first(shown: str, earlier: Command | None) -> Condition:
    if earlier is None:
        return ALWAYS
    why, remedy = f"{earlier.path} comes first", f"rename {earlier.path}"
    return Observed("file", shown, False, "no other command has its name", why, actual=earlier.path, remedy=remedy)


def _parsed(shown: str, file: FileText) -> tuple[Command, Mapping[str, Json]]:
    """gray-matter: YAML between `---` lines at the very start; what does not parse leaves the whole file."""
    text = file.text.removeprefix("\ufeff")
    content, values = text, mapping(None)
    if text.startswith("---") and not text.startswith("----"):
        head, closed, rest = text[3:].partition("\n---")
        try:
            values = mapping(FrontMatter(head.partition("\n")[2]).parse(CORE).value)
        except YamlError:
            pass
        else:
            content = rest if closed else ""
    trimmed = js_trim(content)
    pieces = (_at_the_end(shown, file.text, trimmed),) if trimmed else ()
    return Command(pieces, text_of(values.get("description")), shown), values


def _at_the_end(shown: str, whole: str, trimmed: str) -> Piece:
    """The content, found from the end of the file: the front matter may say the same."""
    return file_text(shown, trimmed, 1 + whole.count("\n", 0, whole.rindex(trimmed)))
