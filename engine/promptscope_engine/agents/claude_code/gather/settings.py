"""Settings files with their precedence (specs/claude-code.md 6).

managed > `--settings` (params.settings) > .claude/settings.local.json > .claude/settings.json >
~/.claude/settings.json.
Lists of all layers are joined, objects are merged, everything else is overridden.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace

from promptscope_engine.agents.claude_code.gates import SAFE_MODE, variable_is_on
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.agents.claude_code.variables import VARIABLES, is_on
from promptscope_engine.agents.kit.settings import MAX_ITEMS, at, shortened, too_long
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import no_constant
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource, Variable
from promptscope_engine.workspace import FileText, Workspace

_SOURCES = ("user", "project", "local")
MANAGED = "managed"
"""What an organisation puts on the machine; no argument leaves it out."""


@frozen
class Sources:
    """What `--setting-sources` lets in: `user`, `project`, `local`; all without it, and nothing in safe mode."""

    named: str | None
    safe_mode: Known[str] = Known("", SettingSource(f"env.{SAFE_MODE}"))

    @property
    def safe(self) -> bool:
        """Safe mode is on."""
        return is_on(self.safe_mode.value)

    @property
    def own(self) -> Condition:
        """What is not the agent's own is let in: skills, agents, styles, plugins, hooks, servers."""
        return ~variable_is_on(self.safe_mode)

    def allows(self, source: str) -> bool:
        """Whether the source is let in; an organisation's files always are."""
        return source == MANAGED or (self.named_in(source) and not self.safe)

    def named_in(self, source: str) -> bool:
        """Whether the argument lets the source in."""
        return self.named is None or source in {part.strip() for part in self.named.split(",")}

    def condition(self, source: str) -> Condition:
        """True while the source is let in; the levers are the argument and the variable."""
        if source == MANAGED:
            return ALWAYS
        return self._named(source) & self.own if self.safe_mode.value else self._named(source)

    def _named(self, source: str) -> Condition:
        if self.named is None:
            return ALWAYS
        overlay = "args.settingSources"
        names = {part.strip() for part in self.named.split(",")}
        rest = ",".join(other for other in _SOURCES if other != source and other in names)
        return Setting(
            SettingSource("--setting-sources", overlay=overlay),
            source if source in names else rest,
            "mentions",
            (source,),
            f"--setting-sources names {source}",
            f"--setting-sources leaves {source} files out",
            on=Lever(overlay, None),
            off=Lever(overlay, rest),
        )


@frozen
class Layer:
    """A settings file that is read, or `--settings` (`path` is ""). No switch overrides a managed one."""

    values: Mapping[str, Json]
    path: str = ""
    shown: str = ""
    text: str = ""
    managed: bool = False
    shared: bool = False
    """The project's own file, which comes with the repository."""

    def source(self, key: str, overlay: str | None, line_of: str | tuple[str | int, ...]) -> SettingSource:
        """Where the layer sets a key."""
        if not self.path:
            return SettingSource(key, overlay=overlay)
        return SettingSource(key, self.path, self.shown, key_line(self.text, line_of, "json"), overlay=overlay)


@frozen
class Settings:
    """The layers, weakest first, and what they come to."""

    layers: tuple[Layer, ...]
    plain: Mapping[str, Json]
    """The values in force, by key."""
    unset: SettingSource
    """The user's file, where a setting that no layer has would stand."""
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]

    def known(self, key: str, default: Json = None) -> Known[Json]:
        """The value under a dotted key and the strongest layer that has it."""
        return self._known(key, at(self.plain, key), self.layers, default)

    def personal(self, key: str) -> Known[Json]:
        """The value under a dotted key that a project may not set."""
        layers = tuple(layer for layer in self.layers if not layer.shared)
        return self._known(key, next((at(v.values, key) for v in reversed(layers) if at(v.values, key)), None), layers)

    def _known(self, key: str, value: Json, layers: tuple[Layer, ...], default: Json = None) -> Known[Json]:
        overlay = f"settings.{key}"
        for layer in reversed(layers):
            if at(layer.values, key) is not None:
                return Known(value, layer.source(key, None if layer.managed else overlay, key))
        file = self.unset
        return Known(default, SettingSource(key, file.path, file.shown, is_set=False, overlay=overlay))

    def member(self, key: str, name: str) -> Known[Json]:
        """The value under one name of an object that all layers add to; the name may hold any character."""
        overlay = None if "." in name else f"settings.{key}.{name}"
        for layer in reversed(self.layers):
            members = layer.values.get(key)
            if isinstance(members, dict) and name in members:
                source = layer.source(f"{key}.{name}", None if layer.managed else overlay, (key, name))
                return Known(members[name], source)
        file = self.unset
        return Known(None, SettingSource(f"{key}.{name}", file.path, file.shown, is_set=False, overlay=overlay))

    def items(self, key: str) -> tuple[Known[str], ...]:
        """The texts of a list that all layers add to. Only an item of `--settings` has an overlay: the whole list."""
        found: dict[str, Known[str]] = {}
        for layer in self.layers:
            value = at(layer.values, key)
            for number, item in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(item, str):
                    where: str | tuple[str | int, ...] = (*key.split("."), number) if isinstance(value, list) else key
                    overlay = None if layer.path else f"settings.{key}"
                    found.setdefault(item, Known(item, layer.source(key, overlay, where)))
        return tuple(found.values())

    def environment(self, inputs: Inputs) -> dict[str, str]:
        """The variables that the agent sees: settings may set some, which win over the process's own."""
        extra = self.plain.get("env")
        given = extra.items() if isinstance(extra, dict) else ()
        return {**inputs.env, **{str(name): _text(value) for name, value in given if isinstance(value, (str, int))}}

    def variable(self, name: str, env: Mapping[str, str]) -> Known[str]:
        """An environment variable, and whether settings or the process set it."""
        key = f"env.{name}"
        if isinstance(at(self.plain, key), (str, int)):
            return Known(env.get(name, ""), self.known(key).source)
        return Known(env.get(name, ""), SettingSource(key, is_set=name in env, overlay=key))

    def personal_variable(self, name: str, env: Mapping[str, str]) -> Known[str]:
        """A variable that is looked at before a project's settings are: theirs do not count."""
        found = self.personal(f"env.{name}")
        if isinstance(found.value, (str, int)):
            return replace(found, value=_text(found.value))
        layers = self.plain.get("env")
        elsewhere = isinstance(layers, dict) and name in layers
        return Known("" if elsewhere else env.get(name, ""), SettingSource(f"env.{name}", overlay=f"env.{name}"))

    def variables(self) -> tuple[Variable, ...]:
        """The variables the agent reads that settings set: these win over the process's own."""
        found = [(field.title, self.known(field.name)) for field in VARIABLES]
        return tuple(Variable(n, str(k.value), k.source) for n, k in found if isinstance(k.value, (str, int)))


def _text(value: str | int) -> str:
    """A value as JavaScript writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_json(file: FileText, code: str) -> tuple[Json, Diagnostic | None]:
    """The file's JSON, or None and what is wrong with it, with its line."""
    if not file.found:
        return None, None
    try:
        value = json.loads(file.text.removeprefix("\ufeff"), parse_constant=no_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        return None, Diagnostic("warning", code, f"not valid JSON: {error.msg}", file.path, error.lineno)
    except (ValueError, RecursionError) as error:
        return None, Diagnostic("warning", code, f"cannot be read as JSON: {error}", file.path, 1)
    if problem := too_deep(value):
        return None, Diagnostic("warning", code, f"it is not read: {problem}", file.path, 1)
    return value, None


def _finite(digits: str) -> float:
    """A number; one that JavaScript takes for infinite is the largest there is, which decides the same."""
    return max(-sys.float_info.max, min(sys.float_info.max, float(digits)))


def gather_settings(
    inputs: Inputs, params: ClaudeCodeParams, config: str, managed: str, workspace: Workspace
) -> Settings:
    """Every settings file in rising precedence, and what they come to."""
    sources = Sources(params.args.settingSources)
    layers: list[Layer] = []
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    user = f"{config}/settings.json"
    for source, path in (
        ("user", user),
        ("project", f"{inputs.workspace}/.claude/settings.json"),
        ("local", f"{inputs.workspace}/.claude/settings.local.json"),
        ("--settings", ""),
        (MANAGED, f"{managed}/managed-settings.json"),
    ):
        if not path:
            layers.append(Layer(params.settings.model_dump(exclude_none=True)))
            continue
        file = workspace.read(path)
        data, problem = read_json(file, "bad-settings")
        if name := next(too_long(data), None):
            text = f"only the first {MAX_ITEMS:,} items of `{name}` are used"
            diagnostics.append(Diagnostic("warning", "bad-settings", text, path, key_line(file.text, name, "json")))
            data = shortened(data)
        if problem:
            diagnostics.append(problem)
        elif file.found and not isinstance(data, dict):
            diagnostics.append(Diagnostic("warning", "bad-settings", "settings are a JSON object", path, 1))
        when = usable(file, isinstance(data, dict))
        when = when & sources.condition(source)
        files.append(FileDraft(path, file.real_path, "settings", "always", when, file.size, len(file.text)))
        if isinstance(data, dict) and sources.allows(source):
            layers.append(
                Layer(data, path, shown(path, inputs), file.text, managed=source == MANAGED, shared=source == "project")
            )
    plain: dict[str, Json] = {}
    for layer in layers:
        plain = _merge(plain, {key: value for key, value in layer.values.items() if value is not None})
    unset = SettingSource("", user, shown(user, inputs), is_set=False)
    return Settings(tuple(layers), plain, unset, tuple(files), tuple(diagnostics))


def usable(file: FileText, is_object: bool) -> Condition:
    """A file of settings was found and holds a JSON object."""
    missing = not file.found
    no = "no such file" if missing else "it cannot be used"
    remedy = f"create {file.path}" if missing else f"make {file.path} a JSON object"
    return Observed("file", file.path, is_object, "the file was found", no, remedy=remedy)


def shown(path: str, inputs: Inputs) -> str:
    """A path as a sentence has it: relative to the working directory, or from `~`."""
    for folder, short in ((inputs.workspace, ""), (inputs.home, "~/")):
        if path.startswith(folder.rstrip("/") + "/"):
            return short + path.removeprefix(folder.rstrip("/") + "/")
    return path


def _merge(low: Json, high: Json) -> Json:
    if isinstance(low, dict) and isinstance(high, dict):
        return {**low, **{key: _merge(low[key], value) if key in low else value for key, value in high.items()}}
    if isinstance(low, list) and isinstance(high, list):
        return [*low, *(item for item in high if item not in low)]
    return high
