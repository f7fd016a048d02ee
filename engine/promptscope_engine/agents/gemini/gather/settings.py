"""Settings files with their precedence (specs/gemini.md 13).

system defaults < user < workspace (where trusted) < system < `params.settings`. Objects merge key by key, servers as a
whole by name; lists replace each other but for those of `JOINED`, to which all layers add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path as FilePath

from promptscope_engine.agents.gemini.params import GeminiParams
from promptscope_engine.agents.gemini.variables import SYSTEM_DEFAULTS, SYSTEM_SETTINGS
from promptscope_engine.agents.kit.settings import MAX_ITEMS, at, shortened, too_long
from promptscope_engine.agents.kit.settings_check import Policy, checked
from promptscope_engine.agents.kit.settings_schema import Schema, load_schema
from promptscope_engine.formats.document import Json, Parsed
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, SettingSource, Variable
from promptscope_engine.workspace import FileText, Workspace

from .places import Places

JOINED = ("tools.exclude", "skills.disabled", "context.includeDirectories")
"""Lists that all layers add to; an item counts once, but for folders."""
_WHOLE = ("mcpServers",)
"""Objects whose members replace each other as a whole."""
_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}:]+)(?::-([^}]*))?\})")
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n\r]*|/\*.*?\*/', re.DOTALL)
_MANAGED = {"darwin": "/Library/Application Support/GeminiCli", "win32": r"C:\ProgramData\gemini-cli"}


def _made_to_fit(value: Json, shape: str) -> bool:
    """Texts that say a number or a truth value count as such."""
    text = value.strip() if isinstance(value, str) else ""
    return (shape == "bool" and text.lower() in ("true", "false")) or (shape == "number" and _NUMBER(text) is not None)


@cache
def _schema() -> Schema:
    """What 0.61.0 takes in settings.json, by its own schema."""
    return load_schema(FilePath(__file__).parents[1] / "settings.json", lenient=_made_to_fit)


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?").fullmatch
_POLICY = Policy("Gemini CLI", _schema, misfit="told")

NO_EFFECT = {
    "contextFileName": "the client of this version reads `context.fileName` only",
    "context.discoveryMaxDirs": "nothing below the workspace is searched any more",
    "context.loadMemoryFromIncludeDirectories": "the context files of included folders are always loaded",
}
"""Settings that this version takes and that change nothing in the prompt (5.2, 8.2, 14)."""


@frozen
class Layer:
    """A settings file that is read, or `params.settings` (`path` is ""). No switch overrides a system one."""

    values: Mapping[str, Json]
    parsed: Parsed | None = None
    path: str = ""
    shown: str = ""
    fixed: bool = False

    def source(self, key: str, where: tuple[str | int, ...]) -> SettingSource:
        """Where the layer sets a key."""
        overlay = f"settings.{key}"
        if self.parsed is None:
            return SettingSource(key, overlay=overlay)
        return SettingSource(
            key, self.path, self.shown, self.parsed.lines.get(where), overlay=None if self.fixed else overlay
        )


@frozen
class Settings:
    """The layers, weakest first, and what they come to."""

    layers: tuple[Layer, ...]
    plain: Mapping[str, Json]
    unset: SettingSource
    """The user's file, where a setting that no layer has would stand."""
    env: Mapping[str, str]
    """The variables that the client sees."""
    variables: tuple[Variable, ...] = ()
    """Those that an `.env` file sets."""

    def known(self, key: str, default: Json = None) -> Known[Json]:
        """The value under a dotted key and the strongest layer that has it."""
        where = tuple(key.split("."))
        for layer in reversed(self.layers):
            if at(layer.values, key) is not None:
                return Known(at(self.plain, key), layer.source(key, where))
        return Known(default, self._unset(key))

    def _unset(self, key: str) -> SettingSource:
        return SettingSource(key, self.unset.path, self.unset.shown, is_set=False, overlay=f"settings.{key}")

    def enabled(self, key: str, default: bool) -> Condition:
        """A boolean setting is on."""
        known = self.known(key, default)
        value = known.value if isinstance(known.value, bool) else default
        return Known(value, known.source).is_(True, unset=False, yes=f"`{key}` is on", no=f"`{key}` is off")

    def items(self, key: str) -> tuple[Known[str], ...]:
        """The texts of a list with where each stands; for a list of JOINED those of all layers."""
        found: list[Known[str]] = []
        for layer in self.layers:
            value = at(layer.values, key)
            if isinstance(value, list):
                where = tuple(key.split("."))
                if key not in JOINED:
                    found = []
                found += [
                    Known(x, self._item(layer, key, (*where, n))) for n, x in enumerate(value) if isinstance(x, str)
                ]
        return tuple(found)

    def _item(self, layer: Layer, key: str, where: tuple[str | int, ...]) -> SettingSource:
        source = layer.source(key, where)
        return SettingSource(source.key, source.path, source.shown, source.line)

    def is_list(self, key: str) -> bool:
        """Whether any layer sets a list."""
        return isinstance(at(self.plain, key), list)

    def member(self, key: str, name: str) -> SettingSource:
        """Where a member of an object is set, by the strongest layer that has it."""
        for layer in reversed(self.layers):
            members = at(layer.values, key)
            if isinstance(members, dict) and name in members:
                source = layer.source(key, (*key.split("."), name))
                return SettingSource(f"{key}.{name}", source.path, source.shown, source.line)
        return SettingSource(f"{key}.{name}", self.unset.path, self.unset.shown, is_set=False)

    def variable(self, name: str) -> Known[str]:
        """An environment variable, and whether the process or an `.env` file set it."""
        own = next((variable for variable in self.variables if variable.name == name), None)
        if own is not None:
            return Known(own.value, own.source)
        return Known(
            self.env.get(name, ""), SettingSource(f"env.{name}", is_set=name in self.env, overlay=f"env.{name}")
        )


class SettingsReader:
    """Reads settings files one by one; keeps their rows and what is wrong with them."""

    def __init__(self, inputs: Inputs, places: Places, workspace: Workspace) -> None:
        self.inputs, self.places, self.workspace = inputs, places, workspace
        self.files: list[FileDraft] = []
        self.diagnostics: list[Diagnostic] = []
        self.in_order: Condition = ALWAYS
        """No file is broken: one that is no JSON object keeps the client from starting, in whatever folder."""

    def user_layers(self, params: GeminiParams) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        """The layers below and above the workspace's own file."""
        below, above = machine_files(self.inputs)
        defaults = self.layer(below)
        user = self.layer(self.places.user_settings, listed=True)
        system = self.layer(above, fixed=True)
        given = Layer(params.settings.model_dump(exclude_none=True))
        return (*defaults, *user), (*system, given)

    def workspace_layer(self, trusted: Condition) -> tuple[Layer, ...]:
        """The workspace's own file; it is listed, and read whether it is trusted or not."""
        path = self.places.workspace_settings
        if path == self.places.user_settings:  # started in the home folder there is one file for both
            return ()
        return self.layer(path, when=trusted, listed=True)

    def layer(
        self, path: str, *, when: Condition = ALWAYS, fixed: bool = False, listed: bool = False
    ) -> tuple[Layer, ...]:
        """The file's layer, () if there is none. `listed`: a missing file has a row too."""
        file = self.workspace.read(path)
        parsed, problem = read_json(file)
        value = parsed.value if parsed else None
        if parsed and (name := next(too_long(value), None)):
            text = f"only the first {MAX_ITEMS:,} items of `{name}` are used"
            self.diagnostics.append(
                Diagnostic("warning", "bad-settings", text, path, parsed.line(tuple(name.split("."))))
            )
            value = shortened(value)
        if problem:
            self.diagnostics.append(problem)
        elif file.found and not isinstance(value, dict):
            self.diagnostics.append(Diagnostic("warning", "bad-settings", "settings are a JSON object", path, 1))
        if file.found and not isinstance(value, dict):
            no = f"the settings file {self.places.shown(path)} is no JSON object"
            self.in_order = self.in_order & Observed("file", path, False, "", no, remedy=f"make {path} a JSON object")
        if listed or file.problem != "missing":
            usable_file = usable(file, isinstance(value, dict))
            self.files.append(
                FileDraft(path, file.real_path, "settings", "always", usable_file & when, file.size, len(file.text))
            )
        if not isinstance(value, dict):
            return ()
        filled = expanded(value, self.inputs.env)
        found = checked(filled, _POLICY, lambda where: (path, parsed.lines.get(where) if parsed else None))
        self.diagnostics += found.problems
        return (Layer(filled, parsed, path, self.places.shown(path), fixed),)


def managed_folder(inputs: Inputs) -> str:
    """The folder of the machine's own settings and policies."""
    return inputs.managed or _MANAGED.get(inputs.environment.platform or "", "/etc/gemini-cli")


def machine_files(inputs: Inputs) -> tuple[str, str]:
    """The machine's settings below and above those of users. The former lie beside the latter unless said otherwise."""
    said_above, said_below = inputs.env.get(SYSTEM_SETTINGS), inputs.env.get(SYSTEM_DEFAULTS)
    above = resolve(inputs.workspace, said_above) if said_above else f"{managed_folder(inputs)}/settings.json"
    below = resolve(inputs.workspace, said_below) if said_below else f"{above.rpartition('/')[0]}/system-defaults.json"
    return below, above


def read_json(file: FileText, code: str = "bad-settings") -> tuple[Parsed | None, Diagnostic | None]:
    """The file's JSON, in which comments may stand, or what is wrong with it."""
    if not file.found:
        return None, None
    try:
        return parse_json(_without_comments(file.text)), None
    except JsonSyntaxError as error:
        return None, Diagnostic("warning", code, f"not valid JSON: {error.message}", file.path, error.line or 1)


def _without_comments(text: str) -> str:
    """The text with blanks for comments: every line stays where it was."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text) if "/" in text else text


def expanded(value: Json, env: Mapping[str, str]) -> Json:
    """The value with `$NAME`, `${NAME}` and `${NAME:-default}` filled in; what is not set stays as it is (13)."""
    if isinstance(value, dict):
        return {key: expanded(inner, env) for key, inner in value.items()}
    if isinstance(value, list):
        return [expanded(inner, env) for inner in value]
    if isinstance(value, str) and "$" in value:
        return _VARIABLE.sub(lambda found: _filled(found, env), value)
    return value


def _filled(found: re.Match[str], env: Mapping[str, str]) -> str:
    value = env.get(found[1] or found[2])
    if value:
        return value
    return found[3] if found[3] is not None else (found[0] if value is None else value)


def usable(file: FileText, is_object: bool) -> Condition:
    """A file was found and holds a JSON object."""
    no, remedy = "it cannot be used", f"make {file.path} a JSON object"
    if file.problem == "missing":
        no, remedy = "no such file", f"create {file.path}"
    return Observed("file", file.path, is_object, "the file was found", no, remedy=remedy)


def without_effect(settings: Settings) -> tuple[Diagnostic, ...]:
    """Settings that are set and change nothing."""
    found = []
    for key, why in NO_EFFECT.items():
        if at(settings.plain, key) is not None:
            source = settings.known(key).source
            text = f"`{key}` has no effect: {why}"
            found.append(Diagnostic("warning", "setting-without-effect", text, source.path, source.line))
    return tuple(found)


def merged(
    layers: tuple[Layer, ...], places: Places, env: Mapping[str, str], variables: tuple[Variable, ...]
) -> Settings:
    """What the layers come to."""
    plain: Mapping[str, Json] = {}
    for layer in layers:
        plain = _merge(plain, layer.values, "")
    unset = SettingSource("", places.user_settings, places.shown(places.user_settings), is_set=False)
    return Settings(layers, plain, unset, env, variables)


def _merge(low: Mapping[str, Json], high: Mapping[str, Json], place: str) -> dict[str, Json]:
    result = dict(low)
    for key, value in high.items():
        path = f"{place}.{key}" if place else key
        before = result.get(key)
        if value is None:
            continue
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = {**before, **value} if path in _WHOLE else _merge(before, value, path)
        elif isinstance(before, list) and isinstance(value, list) and path in JOINED:
            result[key] = [*before, *value]
        else:
            result[key] = value
    return result
