"""Settings files with their precedence.

system defaults < user < workspace (where trusted) < system < `params.settings`. Objects merge key by key, servers as a
whole by name; lists replace each other but for those to which all layers add. Some values keep the client from
starting: it uses them without a look at their type (recorded 0.61.0).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from promptscope_engine.agents.gemini.texts import FOLDER, SEATBELT, SYSTEM_DEFAULTS, SYSTEM_SETTINGS
from promptscope_engine.agents.kit.disk.layered import Content, Join, Layer, LayeredSettings, LayerReader
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.settings import below, mapping
from promptscope_engine.agents.kit.disk.settings_schema import Policy, Schema, Shape, load_schema
from promptscope_engine.formats.document import Json, Parsed, Path, with_texts
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import JsonSyntaxError, parse_jsonc, truthy
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.model import Diagnostic, SettingSource, Variable
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .folders import Places

_STARTED = (
    "skills.disabled", "context.includeDirectories", "context.fileFiltering.customIgnoreFilePaths", "policyPaths",
    "adminPolicyPaths", "extensions.disabled", "hooksConfig.disabled", "advanced.excludedEnvVars",
)  # fmt: skip
"""Lists that are there from the start: a text in the place of one adds an item [recorded 0.61.0]."""
_LETTERS = (
    "tools.exclude", "tools.allowed", "tools.confirmationRequired", "mcp.allowed", "mcp.excluded",
    "context.memoryBoundaryMarkers",
)  # fmt: skip
"""Lists in the place of which a text counts as its letters."""
_JOIN = Join(lists=("tools.exclude", *_STARTED), whole=("mcpServers",), nulls=True)
_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}:]+)(?::-([^}]*))?\})")
_MANAGED = {"darwin": "/Library/Application Support/GeminiCli", "win32": "/C:/ProgramData/gemini-cli"}


def _made_to_fit(value: Json, shape: str) -> bool:
    """Texts that say a number or a truth value count as such."""
    text = value if isinstance(value, str) else ""
    is_number = shape == "number" and _NUMBER(text.strip()) is not None
    return is_number or (shape == "bool" and text.lower() in ("true", "false"))


def _coerced(value: Json, shape: Shape, named: Mapping[str, Shape]) -> Json:
    """The value of a file in which everything fits: texts that say a number or a truth value have become one."""
    if isinstance(shape, str) and shape[:1] in "@[{":
        shape = named[shape[1:]] if shape[0] == "@" else shape
        if isinstance(shape, str) and isinstance(value, list):
            return [_coerced(item, shape[1:-1], named) for item in value]
        shape = {"*": shape[1:-1]} if isinstance(shape, str) else shape
    if isinstance(shape, dict) and isinstance(value, dict):
        return {key: _coerced(inner, shape.get(key, shape.get("*", "any")), named) for key, inner in value.items()}
    if isinstance(value, str) and isinstance(shape, str) and _made_to_fit(value, shape):
        return value.lower() == "true" if shape == "bool" else float(value)
    return value


def _listed(value: Json, key: str = "") -> Json:
    """The value with lists in place of the texts that the client takes for some."""
    if isinstance(value, dict):
        return {name: _listed(inner, f"{key}.{name}" if key else name) for name, inner in value.items()}
    if isinstance(value, str) and key in _STARTED:
        return [value]
    return [*value] if isinstance(value, str) and key in _LETTERS else value


@cache
def _schema() -> Schema:
    """What 0.61.0 takes in settings.json, by its own schema."""
    return load_schema(FOLDER.path / "settings.json", lenient=_made_to_fit)


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?").fullmatch
_POLICY = Policy("Gemini CLI", _schema, misfit="told")


class GeminiSettings(LayeredSettings, frozen=True):
    """The layers, weakest first, and what they come to."""

    env: Mapping[str, str] = {}
    """The variables that the client sees."""
    variables: tuple[Variable, ...] = ()
    """Those that an `.env` file sets."""

    def enabled(self, key: str, default: bool, *, in_group: bool = False) -> Condition:
        """A boolean setting is on: the client asks only whether JavaScript takes its value for true.

        `in_group`: it knows the default from its schema alone, where a value that is not an object takes the place of
        the whole group [recorded 0.61.0].
        """
        group = key.partition(".")[0]
        is_lost = in_group and any(not isinstance(layer.values.get(group, {}), dict) for layer in self.layers)
        known = self.known(key, default=default and not is_lost)
        is_on = Sourced(truthy(known.value), known.source)
        return is_on.is_(True, unset=False, yes=f"`{key}` is on", no=f"`{key}` is off")

    def is_list(self, key: str) -> bool:
        """Whether any layer sets a list."""
        return isinstance(self.at(key), list)

    def variable(self, name: str) -> Sourced[str]:
        """An environment variable, and whether the process or an `.env` file set it."""
        own = next((variable for variable in self.variables if variable.name == name), None)
        if own is not None:
            return Sourced(own.value, own.source)
        return Sourced(
            self.env.get(name, ""), SettingSource(f"env.{name}", is_set=name in self.env, overlay=f"env.{name}")
        )


@dataclass(eq=False, repr=False, kw_only=True)
class SettingsReader(LayerReader):
    """Reads settings files one by one; keeps their rows and what is wrong with them."""

    places: Places
    policy: Policy = _POLICY
    in_order: Condition = ALWAYS
    """No file is broken: one that is not a JSON object keeps the client from starting, in whatever folder."""

    def parsed(self, file: FileText) -> Content:
        """A file's JSON."""
        parsed, problem = read_json(file)
        if parsed is None:
            return Content(problem=problem.message if problem else "", place=problem.line if problem else None)
        return Content(parsed.value, parsed.lines.get, "settings are a JSON object", 1)

    def broken(self, path: str, content: Content) -> None:
        """Told, and a reason not to start."""
        self.warn("bad-settings", content.problem, path, content.place)
        self.in_order = self.in_order & FOLDER.reason("broken", path=path, shown=self.shown(path))

    def shown(self, path: str) -> str:
        """A path as a sentence has it."""
        return self.places.shown(path)

    def changed(self, layer: Layer) -> Layer:
        """With variables of the environment filled in."""
        filled = expanded(dict(layer.values), self.inputs.env)
        return _moved(replace(layer, values=filled)) if isinstance(filled, dict) else layer

    def check(self, layer: Layer) -> Layer:
        """With values that are made to fit, where all of the file fits."""
        before = len(self.diagnostics)
        layer = super().check(layer)
        values: Json = dict(layer.values)
        if not any(problem.code == "bad-settings" for problem in self.diagnostics[before:]):
            values = _coerced(values, _schema().root, _schema().named)
        return replace(layer, values=mapping(_listed(values)))

    def user_layers(self, params: Params) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        """The layers below and above the workspace's own file."""
        below, above = machine_files(self.inputs)
        low = [self.layer(below, listed=False), self.layer(f"{self.places.own}/settings.json")]
        managed = self.layer(above, listed=False)
        high = [managed and replace(managed, fixed=True), Layer(params.settings.model_dump(exclude_none=True))]
        return tuple(filter(None, low)), tuple(filter(None, high))

    def workspace_layer(self, trusted: Condition) -> tuple[Layer, ...]:
        """The workspace's own file; it is listed, and read whether it is trusted or not."""
        path = f"{self.places.project}/settings.json"
        if path == f"{self.places.own}/settings.json":  # started in the home folder there is one file for both
            return ()
        return tuple(filter(None, [self.layer(path, when=trusted)]))


_MOVED = (
    ("experimental.plan", "general.plan.enabled", False),
    ("tools.approvalMode", "general.defaultApprovalMode", False),
    ("experimental.codebaseInvestigatorSettings.enabled", "agents.overrides.codebase_investigator.enabled", True),
    ("experimental.cliHelpAgentSettings.enabled", "agents.overrides.cli_help.enabled", True),
)
"""Where the client moves keys of older versions, within each file; and whether also where the newer key is there
[source]."""


def _moved(layer: Layer) -> Layer:
    """The layer with keys of older versions where the client moves them, traced to where they are."""
    values: Json = dict(layer.values)
    places: dict[Path, Path] = {}
    for before, now, wins in _MOVED:
        old, new = tuple(before.split(".")), tuple(now.split("."))
        value = below(values, old)
        if value is not None and (wins or below(values, new) is None):
            places[new] = old
            for key in reversed(new):
                value = {key: value}
            values = _JOIN.over(values, value)

    def line(where: Path) -> int | None:
        return layer.line(places.get(where, where))

    return replace(layer, values=mapping(values), line=line)


def managed_folder(inputs: Inputs) -> str:
    """The folder of the machine's own settings and policies."""
    return inputs.managed or _MANAGED.get(inputs.environment.platform or "", "/etc/gemini-cli")


def machine_files(inputs: Inputs) -> tuple[str, str]:
    """The machine's settings below and above those of users. The former are beside the latter unless said otherwise."""
    said_above, said_below = inputs.env.get(SYSTEM_SETTINGS), inputs.env.get(SYSTEM_DEFAULTS)
    above = resolve(inputs.workspace, said_above) if said_above else f"{managed_folder(inputs)}/settings.json"
    below = resolve(inputs.workspace, said_below) if said_below else f"{above.rpartition('/')[0]}/system-defaults.json"
    return below, above


def read_json(file: FileText, code: str = "bad-settings") -> tuple[Parsed | None, Diagnostic | None]:
    """The file's JSON, in which comments may be, or what is wrong with it."""
    if not file.found:
        return None, None
    try:
        return parse_jsonc(file.text), None
    except JsonSyntaxError as error:
        return None, Diagnostic("warning", code, f"not valid JSON: {error.message}", file.path, error.line or 1)


def expanded(value: Json, env: Mapping[str, str]) -> Json:
    """The value with `$NAME`, `${NAME}` and `${NAME:-default}` filled in; what is not set stays as it is."""
    return with_texts(value, lambda text: _VARIABLE.sub(lambda found: _filled(found, env), text))


def _filled(found: re.Match[str], env: Mapping[str, str]) -> str:
    value = env.get(found[1] or found[2])
    if value:
        return value
    return found[3] if found[3] is not None else (found[0] if value is None else value)


_NO_EFFECT = {
    "contextFileName": "the client of this version reads `context.fileName` only",
    "context.discoveryMaxDirs": "nothing below the workspace is searched any more",
    "context.loadMemoryFromIncludeDirectories": "the context files of included folders are always loaded",
}
"""Settings that this version takes and that change nothing in the prompt."""


def without_effect(settings: GeminiSettings, told: Found) -> None:
    """Settings that are set and change nothing."""
    for key, why in _NO_EFFECT.items():
        if settings.at(key) is not None:
            told.warn_at(settings.known(key).source, "setting-without-effect", f"`{key}` has no effect: {why}")


def merged(
    layers: tuple[Layer, ...], places: Places, env: Mapping[str, str], variables: tuple[Variable, ...]
) -> GeminiSettings:
    """What the layers come to."""
    path = f"{places.own}/settings.json"
    unset = SettingSource("", path, places.shown(path), is_set=False)
    return GeminiSettings(layers, _JOIN.of(layers), unset, _JOIN, env, variables)


_EVEN_FALSY = (
    "context.memoryBoundaryMarkers", "context.fileFiltering.customIgnoreFilePaths", "modelConfigs.overrides",
    "skills.disabled", "general.maxAttempts", "model.maxSessionTurns",
)  # fmt: skip
"""Settings of which a value that JavaScript takes for false is used all the same."""
_TAKEN_APART = ("advanced", "experimental", "hooksConfig", "tools", "ui")
"""Groups of settings that the client takes apart even where they are null."""
_MODE = "general.defaultApprovalMode"
_FORMS = {"Positive": (r"\s*\+?0*(?:[1-9]\d*(?:\.\d*)?|\.0*[1-9]\d*)\s*", "the same as a string")}
_MODES: Shape = "=default|auto_edit|plan|yolo"
_WORD = re.compile(r"\s*([\w.+-]+)(?=\s|$)")
"""A program's name at the start of a command, if it is a plain one."""


def usable_settings(settings: GeminiSettings, inputs: Inputs, workspace: Workspace) -> Condition:
    """No value ends the start. Where the approval mode is given, the setting of it does not count."""
    when: Condition = ALWAYS
    login = settings.at("security.auth.selectedType")
    by_scenario = {
        **({_MODE: _MODES} if inputs.mode is None else {}),
        **(FOLDER.agent["shapes"]["usable_headless"] if inputs.params.args.print else {}),
        **({"security.auth.enforcedType": f"={login}"} if login and isinstance(login, str) else {}),
    }
    wrong: list[tuple[str, SettingSource, str]] = []
    for key, shape in {**FOLDER.agent["shapes"]["usable"], **by_scenario}.items():
        known = settings.known(key)
        schema = Schema(shape, forms=_FORMS)
        counts = known.value is not None and (key in _EVEN_FALSY or truthy(known.value))
        if counts and schema.findings(known.value):
            wrong.append((key, known.source, f"must be {schema.described(shape)}"))
    for key in _TAKEN_APART:
        layer = next((layer for layer in reversed(settings.layers) if layer.path and key in layer.values), None)
        if layer is not None and layer.values[key] is None:
            wrong.append((key, layer.source((key,)), "must not be null"))
    for key, source, why in wrong:
        no, remedy = f"`{key}` {source.place} {why}", f"edit `{key}` {source.place}".strip()
        when &= Fact("flag", key, False, "", no, remedy=remedy, source=source)
    path = [folder for folder in search_path(inputs.env) if workspace.is_dir(folder)]
    for key, programs in _programs(settings, inputs) if path else ():  # a pinned disk has no programs at all
        there = any(workspace.is_executable(f"{folder}/{name}") for name in programs for folder in path)
        source, listed = settings.known(key).source, " or ".join(programs)
        no = f"`{key}` {source.place} needs {listed}, which is not on PATH"
        when &= Fact("flag", key, there, "", no, remedy=f"install {listed}", source=source)
    return when


def _programs(settings: GeminiSettings, inputs: Inputs) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Settings that need a program, and the programs of which one has to be there."""
    command = settings.at("tools.discoveryCommand")
    if isinstance(command, str) and (word := _WORD.match(command)):
        yield "tools.discoveryCommand", (word[1],)
    sandbox = settings.at("tools.sandbox")
    if isinstance(sandbox, dict):
        sandbox = sandbox.get("enabled") is True and sandbox.get("command", True)
    if sandbox is True or sandbox == "true":
        own = (SEATBELT,) if inputs.environment.platform == "darwin" else ()
        yield "tools.sandbox", (*own, "docker", "podman")
    elif isinstance(sandbox, str) and sandbox not in ("", "false"):
        yield "tools.sandbox", (sandbox,)
