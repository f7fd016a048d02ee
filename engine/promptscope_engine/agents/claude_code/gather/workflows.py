"""Workflows that are saved: scripts in `workflows`, which are listed with the skills [asked of 2.1.332].

A script begins with `export const meta = {…}`, a literal that has to give `name` and `description`. It is not run.
"""

import json
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.workspace.paths import path_in

from .content import MAX_FILES, Content, Described, project_folders
from .plugins import Plugin
from .session import Session

_BEGINS = r"(?s)(?:\s+|//[^\n]*\n|/\*.*?\*/)*export\s+const\s+meta\s*=\s*(?=\{)"
_PIECES = r"""(?xs)
    (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' ) | `(?P<template> (?:[^`\\$]|\\.|\$(?!\{))* )`
    | //[^\n]* | /\*.*?\*/ | (?P<brace> [{}] ) | [^"'`/{}]+ | .
    """
_MOST = 20_000
"""Characters of a literal that are looked through."""


class Workflow(Struct, frozen=True):
    """A saved workflow: its name, with its plugin's in front, and its words as those of front matter."""

    name: str
    described: Described
    source: str
    plugin: Plugin | None = None


def workflows(session: Session) -> Iterator[Workflow]:
    """Those of plugins, of the project (the nearest folder first) and of the user, in the order of the listing."""
    for plugin in session.plugins.all:
        for folder in plugin.workflows:
            yield from _in(folder, session, "plugin", plugin)
    for folder in project_folders(session, "workflows"):
        yield from _in(folder, session, "project")
    yield from _in(f"{session.config}/workflows", session, "user")


def _in(folder: str, session: Session, source: str, plugin: Plugin | None = None) -> Iterator[Workflow]:
    if not session.workspace.is_dir(folder):
        return
    names = sorted(entry.name for entry in session.workspace.list(folder).entries if entry.name.endswith(".js"))
    for name in names[:MAX_FILES]:
        file = session.workspace.read(path_in(folder, name))
        meta = _meta(file.text)
        called, description, when = (meta.get(key) for key in ("name", "description", "whenToUse"))
        if file.found and isinstance(called, str) and isinstance(description, str) and called and description:
            head: dict[str, Json] = {"description": description}
            head |= {"when_to_use": when} if isinstance(when, str) else {}
            full = f"{plugin.name}:{called}" if plugin else called
            yield Workflow(full, Described(file, Content((), (), head)), source, plugin)


def _meta(text: str) -> Mapping[str, Json]:
    """The literal that a script begins with; empty where it begins otherwise, or with something to be computed."""
    begins = re.match(_BEGINS, text)
    if begins is None:
        return {}
    depth, literal = 0, ""
    for piece in re.finditer(_PIECES, text[begins.end() : begins.end() + _MOST]):
        template = piece["template"]
        literal += piece[0] if template is None else json.dumps(template.replace("\\`", "`"))
        depth += {"{": 1, "}": -1}.get(piece["brace"] or "", 0)
        if depth == 0:
            return mapping(parse_json5(literal).value)
    return {}
