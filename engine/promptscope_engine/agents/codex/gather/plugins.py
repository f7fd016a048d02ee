"""Plugins: what `[plugins."NAME@MARKET"]` of the settings names and the client has in its cache [asked of 0.171.0]."""

import re
from collections.abc import Iterator
from posixpath import basename

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping, object_in
from promptscope_engine.agents.kit.disk.walking import first_there
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.workspace import Workspace

from .settings import Session

_MANIFESTS = (".codex-plugin/plugin.json", ".claude-plugin/plugin.json")
_NUMBER = re.compile("[0-9]+")


class Plugin(Struct, frozen=True):
    """A plugin that is on: its folder, its marketplace's, the name before those of its skills, and where these are."""

    folder: str
    market: str
    name: str
    skills: str


def plugins_of(session: Session) -> Iterator[Plugin]:
    """Those that no setting switches off. One without a manifest is none."""
    if not session.settings.feature("plugins").value:
        return
    for key, said in sorted(mapping(session.settings.plain.get("plugins")).items()):
        name, _, market = key.partition("@")
        above = f"{session.codex_home}/plugins/cache/{market}/{name}"
        folder = f"{above}/{_version(session.workspace, above)}"
        path = first_there(session.workspace, (f"{folder}/{each}" for each in _MANIFESTS))
        if path is None or mapping(said).get("enabled") is False:
            continue
        file = session.workspace.read(path)
        session.row(file, "settings", "always", ALWAYS)
        values = object_in(file.text) or {}
        own, skills = values.get("name"), values.get("skills")
        yield Plugin(
            folder,
            above.rpartition("/")[0],
            own if isinstance(own, str) else basename(above),
            resolve(folder, skills if isinstance(skills, str) else "skills").rstrip("/"),
        )


def _version(workspace: Workspace, folder: str) -> str:
    """The version that counts of those in the cache: `local`, else the newest."""
    names = [entry.name for entry in workspace.list(folder).entries]
    return max(names, key=lambda name: (name == "local", [int(part) for part in _NUMBER.findall(name)]), default="")
