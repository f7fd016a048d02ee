"""Plugins: those that are installed, and those of the command line, with the parts that their manifests name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping, texts
from promptscope_engine.agents.kit.disk.walking import first_there
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import resolve
from promptscope_engine.workspace import Workspace

_MANIFESTS = ("plugin.json", ".github/plugin/plugin.json", ".plugin/plugin.json", ".claude-plugin/plugin.json")
"""The manifest of a plugin, the first that is there."""
KINDS = {"plugin_skills": "skills", "plugin_commands": "commands", "plugin_agents": "agents"}
"""The folders that it may name, of each kind."""
GIVEN = {"plugin_skills": "given_skills"}
"""The kinds of one of the command line, whose skills go before the user's own [asked of 1.0.102]."""
_ENTRY = {"name": str, "marketplace": str, "enabled": bool, "installed_at": str}


class Plugin(Struct, frozen=True):
    """A plugin's folder, its name, its manifest, and the kinds of files that are looked for in folders of it."""

    workspace: Workspace
    folder: str
    name: str
    values: Mapping[str, Json]
    kinds: Mapping[str, str]

    def part(self, key: str, files: Sequence[str]) -> tuple[Mapping[str, Json], str | None]:
        """What counts of it: the first file that is there, else what the manifest says; of hooks that first [asked]."""
        said = self.values.get(key)
        there = first_there(self.workspace, (f"{self.folder}/{each}" for each in files))
        if there and not (key == "hooks" and said):
            return {}, there
        return mapping(said), self._within(said) if isinstance(said, str) else None

    def folders(self) -> Iterator[tuple[str, str]]:
        """Each kind of file with a folder of it."""
        for kind, usual in self.kinds.items():
            named = self.values.get(usual, usual)
            own = map(self._within, texts(named) or ([named] if isinstance(named, str) else []))
            yield from ((kind, each) for each in own if each)

    def _within(self, named: str) -> str | None:
        path = resolve(self.folder, named)
        return path if path.startswith(f"{self.folder}/") else None


class Plugins(Struct, frozen=True):
    """Looks for plugins: `state` is config.json, `switches` are `enabledPlugins`, and `values` reads a file."""

    workspace: Workspace
    cwd: str
    home: str
    state: Mapping[str, Json]
    switches: Mapping[str, Json]
    values: Callable[[str, str], Mapping[str, Json]]
    refuse: Callable[[str, str], None]

    def found(self, folders: Sequence[str]) -> tuple[Plugin, ...]:
        """The installed ones that are on, then those of `--plugin-dir`, which need a manifest [asked of 1.0.102]."""
        given = (resolve(self.cwd, each) for each in folders)
        return (*self._installed(), *(each for folder in given for each in self._plugin(folder, given=True)))

    def _installed(self) -> Iterator[Plugin]:
        """Those of config.json. One without a `cache_path` is in the usual folder, but its skills don't count."""
        listed = self.state.get("installedPlugins")
        for each in map(mapping, listed if isinstance(listed, list) else ()):
            name, market = each.get("name"), each.get("marketplace")
            if any(not isinstance(each.get(key), kind) for key, kind in _ENTRY.items()):
                self.refuse(f"an entry of `installedPlugins` needs {', '.join(_ENTRY)}", f"{self.home}/config.json")
            is_off = self.switches.get(f"{name}@{market}") is False
            if not isinstance(name, str) or each.get("enabled") is not True or is_off:
                continue
            path = each.get("cache_path")
            folder = path if isinstance(path, str) else f"{self.home}/installed-plugins/{market}/{name}"
            yield from self._plugin(folder, name, whole=isinstance(path, str))

    def _plugin(self, folder: str, name: str = "", *, whole: bool = True, given: bool = False) -> Iterator[Plugin]:
        """The plugin of a folder; without a name of its own it takes a manifest to be one."""
        path = first_there(self.workspace, (f"{folder}/{each}" for each in _MANIFESTS))
        if path is None and not name:
            return
        values = self.values(path, "settings") if path else {}
        kinds = {kind: usual for kind, usual in KINDS.items() if whole or usual == "agents"}
        kinds = {GIVEN.get(kind, kind) if given else kind: usual for kind, usual in kinds.items()}
        yield Plugin(self.workspace, folder, name or str(values.get("name") or basename(folder)), values, kinds)
