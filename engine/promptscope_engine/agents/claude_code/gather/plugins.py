"""Installed plugins: what they bring is named `plugin:name` (claude-code-new-facts.md)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from .settings import Settings, Sources, read_json, usable

_MAX_PLUGINS = 500


@frozen
class Plugin:
    """An installed plugin: `name` as its manifest says, the folder it was put into, and whether it is switched on."""

    name: str
    folder: str
    enabled: bool
    when: Condition


@frozen
class Plugins:
    """Every installed plugin by its key, the files that tell of them, and what is wrong with those."""

    all: tuple[Plugin, ...] = ()
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def gather_plugins(settings: Settings, sources: Sources, config: str, workspace: Workspace) -> Plugins:
    """The plugins of `plugins/installed_plugins.json`; `enabledPlugins` of the settings switches each on."""
    path = f"{config}/plugins/installed_plugins.json"
    if workspace.kind(path) is None:
        return Plugins()
    file = workspace.read(path)
    data, problem = read_json(file, "bad-plugins")
    listed = data.get("plugins") if isinstance(data, dict) else None
    when = usable(file, isinstance(listed, dict))
    draft = FileDraft(path, file.real_path, "settings", "always", when, file.size, len(file.text))
    found = tuple(_plugins(listed if isinstance(listed, dict) else {}, settings, sources, workspace))
    return Plugins(found, (draft,), (problem,) if problem else ())


def _plugins(listed: dict[str, Json], settings: Settings, sources: Sources, workspace: Workspace) -> Iterator[Plugin]:
    for key in sorted(listed)[:_MAX_PLUGINS]:
        installs = listed[key] if isinstance(listed[key], list) else [listed[key]]
        places = (install.get("installPath") for install in installs if isinstance(install, dict))
        folder = next((place.rstrip("/") for place in places if isinstance(place, str) and place.startswith("/")), None)
        if folder is None:
            continue
        switch = settings.member("enabledPlugins", key)
        no = f"the plugin {key} is not switched on in `enabledPlugins`"
        when = switch.is_(True, unset=False, yes=f"the plugin {key} is switched on", no=no)
        enabled = switch.value is True and not sources.safe
        yield Plugin(_name(folder, key, workspace), folder, enabled, when & sources.own)


def _name(folder: str, key: str, workspace: Workspace) -> str:
    manifest, _ = read_json(workspace.read(f"{folder}/.claude-plugin/plugin.json"), "bad-plugin")
    name = manifest.get("name") if isinstance(manifest, dict) else None
    return name if isinstance(name, str) and name else key.partition("@")[0]
