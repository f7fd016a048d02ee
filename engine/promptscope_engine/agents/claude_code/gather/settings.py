"""Settings files with their precedence, and what makes Claude Code drop one (docs/agents/claude-code.md#settings).

managed-settings.d/*.json > managed-settings.json > `--settings` (params.settings) > settings.local.json of the
repository > that of the folder > .claude/settings.json > ~/.claude/settings.json. Lists of all layers are joined,
objects are merged, everything else is overridden. A value of a wrong type drops its whole file; an organisation's file
loses the setting alone, and must be JSON for a start [2.1.332].
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path as FilePath

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.texts import variable_is_on
from promptscope_engine.agents.claude_code.versions import V100, VARIABLES, is_on
from promptscope_engine.agents.kit.disk.layered import Content, Join, Layer, LayeredSettings, LayerReader, usable
from promptscope_engine.agents.kit.disk.rows import locked
from promptscope_engine.agents.kit.disk.settings import at, filled, note
from promptscope_engine.agents.kit.disk.settings_schema import Policy, Schema, checked, load_schema
from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.formats.document import Json, Path, too_deep
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import no_constant
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Named, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource, Variable
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.paths import path_in

_SOURCES = ("user", "project", "local")
_PERSONAL = ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE", "CLAUDE_CONFIG_DIR")
"""What the settings of a project cannot set, nor the local ones [recorded: 2.1.200 took CLAUDE_CODE_SIMPLE, 2.1.270
does not]. With CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS it is a race, mostly lost in a project without skills."""
_ONLY_MANAGED = "allowManagedPermissionRulesOnly"
MANAGED = "managed"
"""What an organisation puts on the machine; no argument leaves it out."""


class Sources(Struct, frozen=True):
    """What `--setting-sources` lets in: `user`, `project`, `local`; all without it, and nothing in safe mode."""

    named: str | None
    safe_mode: Sourced[str] | None = None
    """The variable for it; None in a version that has no such mode."""
    closed: Sourced[Json] = Sourced(False, SettingSource("strictPluginOnlyCustomization"))
    """What is left to the organisation and to plugins: some of skills, agents, hooks, mcp, or true for all of them."""
    surface: str = ""
    """Which of these is asked about; "" for all else, which stays open."""

    def of(self, surface: str) -> Sources:
        """The sources of skills, agents, hooks or mcp."""
        return replace(self, surface=surface)

    @property
    def open(self) -> Condition:
        """The surface is not left to the organisation and to plugins [recorded 2.1.332]."""
        listed = self.closed.value if isinstance(self.closed.value, list) else ()
        if not self.surface or not (self.closed.value is True or self.surface in listed):
            return ALWAYS
        key = self.closed.source.key
        no = f"`{key}` leaves {self.surface} to your organisation and to plugins"
        return Setting(self.closed.source, self.closed.value, "is", False, "", no)

    @property
    def safe(self) -> bool:
        """Safe mode is on."""
        return self.safe_mode is not None and is_on(self.safe_mode.value)

    @property
    def own(self) -> Condition:
        """What is not the agent's own is let in: skills, agents, styles, plugins, hooks, servers."""
        if self.safe_mode is None:
            return ALWAYS
        is_set = variable_is_on(self.safe_mode)
        return ~Named("flag", "safe", is_set, yes="safe mode is on", no="safe mode is off")

    def allows(self, source: str) -> bool:
        """Whether the source is let in; an organisation's files always are."""
        return source == MANAGED or (self.named_in(source) and not self.safe and self.open is ALWAYS)

    def named_in(self, source: str) -> bool:
        """Whether the argument lets the source in."""
        return self.named is None or source in {part.strip() for part in self.named.split(",")}

    def condition(self, source: str) -> Condition:
        """True while the source is let in; the levers are the argument and the variable."""
        if source == MANAGED:
            return ALWAYS
        safe = self.own if self.safe_mode and self.safe_mode.value else ALWAYS
        return self._named(source) & safe & self.open

    def _named(self, source: str) -> Condition:
        if self.named is None:
            return ALWAYS
        overlay, names = "args.settingSources", {part.strip() for part in self.named.split(",")}
        rest = ",".join(other for other in _SOURCES if other != source and other in names)
        argument, value = SettingSource("--setting-sources", overlay=overlay), source if source in names else rest
        yes, no = f"--setting-sources names {source}", f"--setting-sources leaves {source} files out"
        on, off = Lever(overlay, None), Lever(overlay, rest)
        return Setting(argument, value, "mentions", (source,), yes, no, on, off)


def named_sources(params: Params) -> str | None:
    """The sources that the command line lets in; --restricted lets in none of the user's own [asked of 2.1.332]."""
    return "" if params.args.restricted else params.args.settingSources


_PARTS = "managed-settings.d"
_JOIN = Join(lists=None, once=True)
_SERVERS = ("enabledMcpjsonServers", "disabledMcpjsonServers")


@cache
def _schema() -> Schema:
    """What 2.1.332 takes in settings.json: each key was compared with the program."""
    return load_schema(FilePath(__file__).parents[1] / "settings.json")


@cache
def hook_events() -> tuple[str, ...]:
    """The events that a hook may be for."""
    shapes = json.loads((FilePath(__file__).parents[1] / "settings.json").read_text("utf-8"))
    return tuple(name.rstrip("~") for name in shapes["Hooks"])


_POLICY = Policy("Claude Code", _schema, misfit="file")


def _closing(key: str, value: Json) -> Json:
    """An organisation's setting that closes something still counts if its type is wrong [recorded 2.1.332].

    It counts as on, unless it is the text "false"; a list of what is allowed counts as empty. Other settings are
    dropped.
    """
    if key in ("allowedMcpServers", "forceLoginOrgUUID"):
        return []
    if key == "strictPluginOnlyCustomization":
        return True
    closes = key.startswith(("allowManaged", "disable")) and "null" in _schema().root[key]
    return value != "false" if closes else None


_MANAGED_POLICY = Policy("Claude Code", _schema, misfit="value", inner=("permissions",), instead=_closing)


class ClaudeCodeSettings(LayeredSettings, frozen=True):
    """The layers with what they come to, and what was found on the way.

    `left_out` are the layers of sources that `--setting-sources` or safe mode leaves out.
    """

    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[Layer, ...] = ()

    def directories(self, inputs: Inputs, workspace: Workspace, *, trusted: bool) -> tuple[Sourced[str], ...]:
        """The existing `permissions.additionalDirectories` outside cwd; a project's own count once trusted."""
        skipped = () if trusted else ("project",)
        found: dict[str, Sourced[str]] = {}
        for item in self.without(*skipped).items("permissions.additionalDirectories", overlays=True):
            path = absolute(item.value.strip(), inputs.workspace, inputs.home)
            if item.value.strip() and not f"{path}/".startswith(f"{inputs.workspace}/") and workspace.is_dir(path):
                found.setdefault(path, Sourced(path, item.source))
        return tuple(found.values())

    def items(self, key: str, *, lone: bool = True, overlays: bool = True) -> tuple[Sourced[str], ...]:
        """The texts of a list that all layers add to. Only an item of `--settings` has an overlay: the whole list."""
        return LayeredSettings.items(self, key, lone=lone, overlays=overlays)

    def rules(self, key: str) -> tuple[Sourced[str], ...]:
        """The entries of a list of permission rules that count: only an organisation's, if it says so."""
        own = self.of(MANAGED)
        return (own if own.at(_ONLY_MANAGED) is True else self).items(key, lone=True, overlays=True)

    def uncounted(self, key: str) -> Iterator[Diagnostic]:
        """A note on each rule that does not count."""
        for rule in set(self.items(key)).difference(self.rules(key)):
            why = f"your organisation's settings have `{_ONLY_MANAGED}` on"
            yield note(f"`{key}` has {rule.value}, which doesn't count: {why}", rule.source)

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """The variables that the agent sees: settings may set some, which win over the process's own."""
        given = self.table("env").items()
        return {**env, **{name: as_variable(value) for name, value in given if isinstance(value, (str, int))}}

    def variable(self, name: str, env: Mapping[str, str]) -> Sourced[str]:
        """An environment variable, and whether settings or the process set it."""
        key = f"env.{name}"
        if isinstance(at(self.plain, key), (str, int)):
            return Sourced(env.get(name, ""), self.known(key).source)
        return Sourced(env.get(name, ""), SettingSource(key, is_set=name in env, overlay=key))

    def variables(self) -> tuple[Variable, ...]:
        """The variables the agent reads that settings set: these win over the process's own."""
        found = [(field.title, self.known(field.name)) for field in VARIABLES]
        return tuple(Variable(n, str(k.value), k.source) for n, k in found if isinstance(k.value, (str, int)))


def as_variable(value: str | int) -> str:
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


@dataclass(eq=False, repr=False, kw_only=True)
class _Reader(LayerReader):
    """Reads the files one by one; those of sources that are left out are held to the schema, too."""

    sources: Sources
    policy: Policy = _POLICY
    layers: list[Layer] = field(default_factory=list)
    left_out: list[Layer] = field(default_factory=list)

    def read(self, kind: str, path: str) -> None:
        """One settings file."""
        self.policy = _MANAGED_POLICY if kind == MANAGED else _POLICY
        layer = self.layer(path, kind, when=self.sources.condition(kind))
        if layer is not None:
            kept = self.layers if self.sources.allows(kind) else self.left_out
            kept.append(replace(layer, fixed=kind == MANAGED))

    def changed(self, layer: Layer) -> Layer:
        """Without the variables that a project does not set, and a server by itself as a list of it."""
        if self.inputs.agent_version != V100:
            layer = self._listed(layer)
        env = layer.table("env")
        mine = [name for name in _PERSONAL if name in env and layer.kind in ("project", "local")]
        if not mine or self.inputs.agent_version == V100:
            return layer
        for name in mine:
            where = layer.source(("env", name))
            self.diagnostics.append(note(f"`{name}` doesn't count here: the settings of a project can't set it", where))
        left = {name: value for name, value in env.items() if name not in _PERSONAL}
        return replace(layer, values={**layer.values, "env": left})

    def _listed(self, layer: Layer) -> Layer:
        """A text is a list of one server; in an organisation's file it counts for nothing [asked of 2.1.332]."""
        alone = {key: value for key in _SERVERS if isinstance(value := layer.values.get(key), str)}
        if not alone:
            return layer
        values = {key: value for key, value in layer.values.items() if key not in alone}
        lists = {} if self.policy is _MANAGED_POLICY else {key: [value] for key, value in alone.items()}
        return replace(layer, values={**values, **lists})

    def named(self, path: str) -> None:
        """The file of `--settings`: without it the agent does not start [recorded 2.1.332]."""
        self.policy = _POLICY
        if not (file := self.workspace.read(path)).found:
            text = "Claude Code does not start: --settings names a file that cannot be read"
            self.say("error", "agent-refuses", text, path)
            self.row(file, "settings", "always", usable(file, False))
        elif layer := self.layer(path, "given"):
            self.layers.append(layer)

    def given(self, values: Mapping[str, Json]) -> None:
        """What `--settings` gives: a wrong value drops all of it."""
        found = checked(values, _POLICY, lambda _: (None, None))
        self.diagnostics += (replace(each, message=f"--settings: {each.message}") for each in found.problems)
        layer = Layer(found.values, "--settings")
        self.layers.append(layer if self.inputs.agent_version == V100 else self._listed(layer))

    def parsed(self, file: FileText) -> Content:
        """A file's JSON; a blank file sets nothing."""

        def line(where: Path) -> int | None:
            return key_line(file.text, where, "json")

        if not file.text.removeprefix("\ufeff").strip():
            return Content({}, line)
        values, problem = read_json(file, "bad-settings")
        if problem is not None:
            return Content(None, line, problem.message, problem.line)
        return Content(values, line, "settings are a JSON object", 1)

    def broken(self, path: str, content: Content) -> None:
        """Only an organisation's file stops the start."""
        if self.policy is _MANAGED_POLICY:
            text = f"Claude Code does not start: {content.problem}"
            self.say("error", "agent-refuses", text, path, content.place)
        else:
            self.warn("bad-settings", content.problem, path, content.place)


def gather_settings(
    inputs: Inputs, config: str, managed: str, root: str | None, workspace: Workspace
) -> ClaudeCodeSettings:
    """Every settings file in rising precedence, and the merged settings.

    `root`: the repository's own folder, whose settings.local.json counts in its folders and linked worktrees [2.1.332].
    """
    params = inputs.params
    reader = _Reader(inputs=inputs, workspace=workspace, sources=Sources(named_sources(params)))
    user = f"{config}/settings.json"
    reader.read("user", user)
    if (project := f"{inputs.workspace}/.claude/settings.json") != user:
        reader.read("project", project)
    for folder in dict.fromkeys((inputs.workspace, root or inputs.workspace)):
        local = f"{folder}/.claude/settings.local.json"
        workspace.allow([local])  # of a linked work tree it is outside of what was announced
        reader.read("local", local)
    if named := params.args.settings:
        reader.named(path_in(inputs.workspace, named))
    reader.given(filled(params.settings.model_dump(exclude_none=True)))
    reader.read(MANAGED, f"{managed}/managed-settings.json")
    reader.files += locked(workspace, f"{managed}/{_PARTS}", "settings")
    for path in _parts(managed, workspace):
        reader.read(MANAGED, path)
    unset = SettingSource("", user, reader.shown(user), is_set=False)
    layers = tuple(reader.layers)
    rest = tuple(reader.files), tuple(reader.diagnostics), tuple(reader.left_out)
    return ClaudeCodeSettings(layers, _JOIN.of(layers), unset, _JOIN, *rest)


def _parts(managed: str, workspace: Workspace) -> Iterator[str]:
    """The organisation's further files, the later of which wins. Hidden ones and other endings are not read."""
    folder = f"{managed}/{_PARTS}"
    names = [entry.name for entry in workspace.list(folder).entries]
    for name in sorted(name for name in names if name.endswith(".json") and not name.startswith(".")):
        yield f"{folder}/{name}"
