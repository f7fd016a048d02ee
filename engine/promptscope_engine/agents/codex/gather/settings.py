"""The settings in their layers (specs/codex.md 4).

/etc/codex/config.toml < $CODEX_HOME/config.toml < <profile>.config.toml < the repository's .codex/config.toml from the
root down < the command line < `settings` of the scenario. Tables merge key by key, everything else is overridden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.codex.config_keys import NOT_OF_PROJECTS, schema, unreachable
from promptscope_engine.agents.codex.feature_flags import ALIASES, KNOWN, ON, UNFINISHED
from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.agents.kit.settings_check import Policy, checked
from promptscope_engine.formats.document import Json, unfit
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.workspace import FileText, Workspace

Path = tuple[str, ...]
MAX_CHARS = 500_000
"""No settings file has a tenth of it."""
_POLICY = Policy("Codex", schema, misfit="start", because=", and --strict-config is given", table="[{}]")
MAX_PARTS = 20
"""Of a key on the command line."""


@frozen
class Layer:
    """One layer. `path` is "" for the command line and the scenario's own; `shown` is the path as a sentence has it."""

    values: Mapping[str, Json]
    path: str = ""
    shown: str = ""
    text: str = ""
    of_project: bool = False

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    def table(self, key: str) -> Mapping[str, Json]:
        """The table under a key, an empty one without it."""
        value = self.values.get(key)
        return value if isinstance(value, dict) else {}

    def source(self, path: Path, overlay: str | None) -> SettingSource:
        """Where the layer sets a key."""
        key = ".".join(path)
        if not self.path:
            return SettingSource(key, overlay=overlay)
        return SettingSource(key, self.path, self.shown, self.line(path), overlay=overlay)

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line of a key in its file."""
        return key_line(self.text, path, "toml") if self.path and path else None


@frozen
class Settings:
    """The layers, weakest first, and what they come to. `home_file` is where one that none has would stand."""

    layers: tuple[Layer, ...]
    values: Mapping[str, Json]
    home_file: str
    home_shown: str

    def known(self, *path: str, default: Json = None) -> Known[Json]:
        """The value under a key and the strongest layer that has it; the default where none has."""
        overlay = None if any("." in part for part in path) else ".".join(("settings", *path))
        layer = self.layer_of(*path)
        if layer is not None:
            return Known(below(self.values, path), layer.source(path, overlay))
        source = SettingSource(".".join(path), self.home_file, self.home_shown, is_set=False, overlay=overlay)
        return Known(default, source)

    def layer_of(self, *path: str) -> Layer | None:
        """The strongest layer that has the key."""
        return next((layer for layer in reversed(self.layers) if below(layer.values, path) is not None), None)

    def base_of(self, *path: str, cwd: str) -> str:
        """The folder in which a relative path under a key begins: that of the file that has it, if a file does."""
        layer = self.layer_of(*path)
        return (layer.folder if layer else "") or cwd

    def counts(self, key: str, other: str) -> bool:
        """Whether the strongest layer that has either key has this one."""
        return key in next((layer.values for layer in reversed(self.layers) if {key, other} & layer.values.keys()), {})

    def flag(self, *path: str, default: bool) -> Known[bool]:
        known = self.known(*path)
        return Known(known.value if isinstance(known.value, bool) else default, known.source)

    def text(self, *path: str) -> Known[str | None]:
        known = self.known(*path)
        return Known(known.value if isinstance(known.value, str) else None, known.source)

    def texts(self, *path: str) -> list[str] | None:
        value = below(self.values, path)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None

    def table(self, *path: str) -> Mapping[str, Json]:
        value = below(self.values, path)
        return value if isinstance(value, dict) else {}

    def feature(self, name: str) -> Known[bool]:
        """Whether a feature is on, by its name or an older one."""
        older = (alias for alias, now in ALIASES.items() if now == name)
        for key in (name, *older):
            known = self.known("features", key)
            value = known.value.get("enabled") if isinstance(known.value, dict) else known.value
            if isinstance(value, bool):
                overlay = f"settings.features.{name}"
                source = known.source
                return Known(value, SettingSource(source.key, source.path, source.shown, source.line, overlay=overlay))
        return Known(name in ON, self.known("features", name).source)


def below(values: Json, path: Sequence[str]) -> Json:
    """The value under the parts of a key, None where a level is missing or no table."""
    for part in path:
        if not isinstance(values, Mapping):
            return None
        values = values.get(part)
    return values


def merged(low: Json, high: Json) -> Json:
    """Tables merge key by key; everything else is overridden."""
    if isinstance(low, dict) and isinstance(high, dict):
        return {**low, **{key: merged(low[key], value) if key in low else value for key, value in high.items()}}
    return high


def shown(path: str, inputs: Inputs) -> str:
    """A path as a sentence has it: relative to the workspace, or from `~`."""
    for folder, short in ((inputs.workspace, ""), (inputs.home, "~/")):
        if path.startswith(folder.rstrip("/") + "/"):
            return short + path.removeprefix(folder.rstrip("/") + "/")
    return path


@dataclass(eq=False, repr=False)
class SettingsReader:
    """Reads the layers; what stops the start is the first of `refusals`."""

    inputs: Inputs
    workspace: Workspace
    codex_home: str
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refusals: list[Diagnostic] = field(default_factory=list)

    @property
    def params(self) -> CodexParams:
        assert isinstance(self.inputs.params, CodexParams)
        return self.inputs.params

    @property
    def system_folder(self) -> str:
        """The folder of the administrator's settings."""
        return self.inputs.managed or "/etc/codex"

    def personal(self) -> list[Layer]:
        """The layers that do not come with a repository, without the command line."""
        args = self.params.args
        system = f"{self.system_folder}/config.toml"
        left_out = Observed(
            "flag", "args.ignoreUserConfig", not args.ignoreUserConfig, "", "--ignore-user-config leaves it out",
            on=_set(("args.ignoreUserConfig", False)), off=_set(("args.ignoreUserConfig", True)),
        )  # fmt: skip
        user = f"{self.codex_home}/config.toml"
        layers = [self.file(system), self.file(user, None if not args.ignoreUserConfig else left_out)]
        if args.profile is not None:
            layers.append(self.profile(args.profile, layers))
        return [layer for layer in layers if layer is not None]

    def profile(self, name: str, layers: Sequence[Layer | None]) -> Layer | None:
        """The profile's own file. A missing one is silently fine: that is worth a word (specs/codex.md 4.1)."""
        if any(layer and below(layer.values, ("profiles", name)) is not None for layer in layers):
            self.refuse(f"the settings still hold [profiles.{name}]: profiles are files of their own")
        path = f"{self.codex_home}/{name}.config.toml"
        layer = self.file(path)
        if self.workspace.kind(path) is None:
            text = f"there is no {shown(path, self.inputs)}: Codex starts without the profile and does not say so"
            self.diagnostics.append(Diagnostic("warning", "missing-profile", text, path))
        return layer

    def project(self, folder: str, trusted: Condition, *, is_trusted: bool) -> Layer | None:
        """The settings that come with a repository, if it is trusted."""
        return self.file(f"{folder}/.codex/config.toml", trusted, reads=is_trusted, of_project=True)

    def file(
        self, path: str, when: Condition | None = None, *, reads: bool | None = None, of_project: bool = False
    ) -> Layer | None:
        """A settings file, None if it does not count."""
        found = self.workspace.read(path)
        reads = when is None if reads is None else reads
        values, problem = read_toml(found)
        there = Observed("file", path, found.found, "the file was found", "no such file", remedy=f"create {path}")
        counts = there if when is None else there & when
        self.files.append(FileDraft(path, found.real_path, "settings", "always", counts, found.size, len(found.text)))
        if not found.found or not reads:
            return None
        if problem is not None:
            text, line = problem
            self.refusals.append(Diagnostic("error", "agent-refuses", f"Codex does not start: {text}", path, line))
            return None
        layer = Layer(values, path, shown(path, self.inputs), found.text, of_project)
        if of_project:
            layer = self.without_personal(layer)
        self.check(layer)
        return layer

    def without_personal(self, layer: Layer) -> Layer:
        """A repository's settings without those that it cannot set."""
        denied = [key for key in layer.values if key in NOT_OF_PROJECTS]
        for key in denied:
            text = f"`{key}` is left out: a repository cannot set it"
            place = layer.source((key,), None)
            self.diagnostics.append(Diagnostic("warning", "project-setting", text, place.path, place.line))
        return replace(layer, values={key: value for key, value in layer.values.items() if key not in denied})

    def check(self, layer: Layer) -> None:
        """What stops the start, and what Codex ignores."""
        if not layer.values:
            return
        strict = self.params.args.strictConfig
        policy = replace(_POLICY, unknown="start") if strict else _POLICY
        found = checked(layer.values, policy, lambda path: (layer.path or None, layer.line(path)))
        self.diagnostics += found.problems
        self.refusals += found.refusals
        if "profile" in layer.values:
            self.refuse("`profile` is no longer a setting: a profile is a file that -p names", layer, ("profile",))
        features = layer.values.get("features")
        for name in features if isinstance(features, dict) and strict else ():
            if name not in KNOWN:
                self.refuse(f"it knows no feature `{name}`, and --strict-config is given", layer, ("features", name))

    def refuse(self, text: str, layer: Layer | None = None, path: Sequence[str | int] = ()) -> None:
        line = layer.line(path) if layer else None
        where = layer.path or None if layer else None
        self.refusals.append(Diagnostic("error", "agent-refuses", f"Codex does not start: {text}", where, line))

    # --- the command line -----------------------------------------------------------------------------------------

    def command_line(self) -> Layer:
        """`-c`, `--enable` and `--disable`."""
        values: dict[str, Json] = {}
        args = self.params.args
        for given in args.config:
            key, equals, text = given.partition("=")
            if not equals or not key.strip() or key.count(".") > MAX_PARTS:
                self.refuse(f"-c {given[:80]}: it is not `key=value`")
                continue
            values = merged(values, _nested(key.strip().split("."), _toml_value(text.strip())))
        for names, on in ((args.enable, True), (args.disable, False)):
            for name in names:
                if name not in KNOWN:
                    self.refuse(f"it knows no feature `{name}`")
                values = merged(values, {"features": {name: on}})
        layer = Layer(values)
        self.check(layer)
        return layer

    def overlay(self) -> Layer:
        """The scenario's own `settings`."""
        layer = Layer(self.params.settings.model_dump(exclude_none=True))
        self.check(layer)
        return layer

    def come_to(self, layers: Sequence[Layer]) -> Settings:
        values: Json = {}
        for layer in layers:
            values = merged(values, dict(layer.values))
        path = f"{self.codex_home}/config.toml"
        return Settings(tuple(layers), values, path, shown(path, self.inputs))

    def check_whole(self, settings: Settings) -> None:
        """What can be said only of all layers together; what the scenario lays over them is no reason to refuse."""
        given = self.come_to(settings.layers[:-1])
        for name, problem in unreachable(given.table("mcp_servers")):
            self.refuse(f"the MCP server {name}: {problem}", given.layer_of("mcp_servers", name), ("mcp_servers", name))
        args = self.params.args
        flagged = args.sandbox or args.approveForMe or args.bypassSandbox or self.inputs.mode
        chosen = flagged or given.text("sandbox_mode").value or settings.text("default_permissions").value
        if given.table("permissions") and not chosen:
            text = "`[permissions]` describes profiles, and `default_permissions` names none of them"
            self.refuse(text, given.layer_of("permissions"), ("permissions",))

    def features(self, settings: Settings) -> Iterator[Diagnostic]:
        """Features that Codex warns of, or does not know."""
        if settings.flag("suppress_unstable_features_warning", default=False).value:
            return
        for name in settings.table("features"):
            known = settings.known("features", name)
            value = known.value.get("enabled") if isinstance(known.value, dict) else known.value
            place = known.source
            if name in UNFINISHED and value is True:
                text = f"the feature `{name}` is under development: Codex warns of it"
                yield Diagnostic("warning", "unstable-feature", text, place.path, place.line)
            elif name not in KNOWN:
                yield Diagnostic("info", "unknown-feature", f"Codex knows no feature `{name}`", place.path, place.line)


def read_toml(file: FileText) -> tuple[dict[str, Json], tuple[str, int | None] | None]:
    """The file's values, or what is wrong with it and in which line."""
    if not file.found:
        return {}, None
    if len(file.text) > MAX_CHARS:
        return {}, (f"{len(file.text):,} characters of settings are not read here", 1)
    import tomllib  # 6 ms: only for those who have such a file

    try:
        file.data.decode("utf-8")
        values = _without_dates(tomllib.loads(file.text.removeprefix("\ufeff")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        return {}, (f"this is no TOML: {error}"[:278], _line_in(str(error)))
    assert isinstance(values, dict)
    problem = unfit(values)
    return ({}, (problem[1], 1)) if problem else (values, None)


def _without_dates(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(inner) for inner in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _line_in(message: str) -> int | None:
    """The line that tomllib names at the end of what it says; in front of it a key of the file may stand."""
    found = re.search(r"\(at line (\d+), column \d+\)$", message)
    return int(found[1]) if found else None


def _toml_value(text: str) -> Json:
    """The value of `-c key=value`: TOML, else the text itself without quotes around it."""
    import tomllib  # 6 ms: only for those who have such a file

    try:
        value = _without_dates(tomllib.loads(f"value = {text}")["value"])
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, KeyError):
        return text.strip("\"'")
    return text if unfit(value) else value


def _nested(parts: Sequence[str], value: Json) -> dict[str, Json]:
    inner: Json = value
    for part in reversed(parts):
        inner = {part: inner}
    assert isinstance(inner, dict)
    return inner


def _set(*levers: tuple[str, Json]) -> tuple[Lever, ...]:
    return tuple(Lever(param, value) for param, value in levers)
