"""The settings in their layers.

/etc/codex/config.toml < $CODEX_HOME/config.toml < <profile>.config.toml < the repository's .codex/config.toml from the
root down < the command line < /etc/codex/managed_config.toml < `settings` of the scenario; what requirements.toml says
of features is above all of them. Tables merge key by key, everything else is overridden.
A value that does not fit stops the start; an unknown key does with --strict-config, if Codex notices it [0.169.0].
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import TypeVar

from msgspec.structs import replace

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.layered import Content, Join, Layer, LayeredSettings, LayerReader
from promptscope_engine.agents.kit.settings import filled
from promptscope_engine.agents.kit.settings_schema import Policy, Schema, checked, load_schema
from promptscope_engine.agents.kit.walking import from_home
from promptscope_engine.formats.document import Json, Path, unfit
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.formats.toml import TomlError, read_toml
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .requirements import Requirements

_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
WHITE_SPACE = f"\t\n\x0b\x0c\r \x85\xa0\u1680{_SPACES}\u2028\u2029\u202f\u205f\u3000"
"""What Rust trims: unlike Python's, without the separators U+001C to U+001F."""


def trimmed(text: str) -> str:
    """The text without white space around it, as Rust has it."""
    return text.strip(WHITE_SPACE)


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_blank(text: str) -> bool:
    """Whether there is nothing but white space, as Rust has it."""
    return not trimmed(text)


def single_line(text: str) -> str:
    """Runs of white space as one blank, none at the ends."""
    for sign in WHITE_SPACE:
        text = text.replace(sign, " ")
    return " ".join(filter(None, text.split(" ")))


@cache
def schema() -> Schema:
    """What 0.169.0 takes in config.toml; each key and type was compared with the program."""
    return load_schema(FOLDER.path / "settings.json", "toml")


def unreachable(servers: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The MCP servers that stop the start: Codex cannot tell whether to run them or to call an address [0.169.0]."""
    for name, table in servers.items():
        if not isinstance(table, dict):
            continue
        if "command" not in table and "url" not in table:
            yield name, "it has neither a command nor an address"
        elif "command" in table and "url" in table:
            yield name, "it has both a command and an address"
        else:
            key = "command" if "command" in table else "url"
            for other in (other for other in FOLDER.agent["config"]["not_with"][key] if other in table):
                yield name, f"`{other}` cannot go with `{key}`"


MAX_CHARS = 500_000
"""No settings file has a tenth of it."""
POLICY = Policy("Codex", schema, misfit="start", because=", and --strict-config is given", table="[{}]")
MAX_PARTS = 20
"""Of a key on the command line."""
PROJECT = "project"
"""The kind of layer that comes with a repository."""
SCENARIO = "scenario"
"""The kind of layer that the scenario lays over the files."""
JOIN = Join()
T = TypeVar("T")
_FEATURES = FOLDER.agent["features"]
DECIDING = tuple(next(table["keys"] for table in FOLDER.agent["switches"] if table.get("below") == "features"))
"""Those that decide something here: they are drawn as switches."""
KNOWN = frozenset((*_FEATURES["on"], *_FEATURES["unfinished"], *_FEATURES["quiet"], *_FEATURES["aliases"]))


class CodexSettings(LayeredSettings, frozen=True):
    """The layers, weakest first, and what they come to."""

    def counts(self, key: str, other: str) -> bool:
        """Whether the strongest layer that has either key has this one."""
        return key in next((layer.values for layer in reversed(self.layers) if {key, other} & layer.values.keys()), {})

    def whole(self, *key: str) -> int | None:
        """A whole number above zero, None where it is none."""
        given = self.known(*key).value
        return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else None

    def feature(self, name: str) -> Sourced[bool]:
        """Whether a feature is on, by its name or an older one: the last of them in the alphabet counts [0.169.0]."""
        names = [name, *(alias for alias, now in _FEATURES["aliases"].items() if now == name)]
        for key in sorted(names, reverse=True):
            known = self.known("features", key)
            value = _switched(known.value)
            if isinstance(value, bool):
                return Sourced(value, replace(known.source, overlay=f"settings.features.{name}"))
        return Sourced(name in _FEATURES["on"], self.known("features", name).source)


@dataclass(eq=False, repr=False, kw_only=True)
class Session(LayerReader):
    """Gathering for one scenario: settings come first. The first of `refusals` is what stops the start."""

    cwd: str
    codex_home: str
    policy: Policy = POLICY
    settings: CodexSettings = field(init=False)
    requirements: Requirements = field(init=False)

    @property
    def system_folder(self) -> str:
        """The folder of the administrator's settings."""
        return self.inputs.managed or "/etc/codex"

    @property
    def placeless(self) -> bool:
        """Whether there is no place in which commands run, nor a project then."""
        return self.inputs.env.get("CODEX_EXEC_SERVER_URL") == "none"

    def path_of(self, path: str, layer: Layer | None) -> str:
        """A path that a layer names: it begins at the file that holds it, else in the working directory."""
        full = from_home(path, self.inputs.home)
        return full if full.startswith("/") else f"{layer.folder if layer and layer.path else self.cwd}/{full}"

    def parsed(self, file: FileText) -> Content:
        """A file's TOML."""
        line = lambda where: key_line(file.text, where, "toml") if where else None  # noqa: E731
        try:
            return Content(values_of(file), line)
        except TomlError as error:
            return Content(None, line, error.message, error.line)

    def broken(self, path: str, content: Content) -> None:
        """A broken file stops the start."""
        self.refuse(content.problem, path, content.place)

    def changed(self, layer: Layer) -> Layer:
        """A repository's settings without those that it cannot set."""
        own = FOLDER.agent["config"]["not_of_projects"] if layer.kind == PROJECT else ()
        denied = [key for key in layer.values if key in own]
        for key in denied:
            self.diagnostics.append(FOLDER.note("project-setting", layer.source((key,)), key=key))
        return replace(layer, values={key: value for key, value in layer.values.items() if key not in denied})

    def personal(self) -> list[Layer]:
        """The layers that do not come with a repository, without the command line."""
        args = self.params.args
        system = f"{self.system_folder}/config.toml"
        user = f"{self.codex_home}/config.toml"
        when = FOLDER.reason("ignored") if args.ignoreUserConfig else ALWAYS
        layers = [self.layer(system), self.layer(user, when=when, reads=not args.ignoreUserConfig)]
        if args.profile is not None:
            layers.append(self.profile(args.profile, layers))
        return [layer for layer in layers if layer is not None]

    def profile(self, name: str, layers: Sequence[Layer | None]) -> Layer | None:
        """The profile's own file. A missing one is silently fine: that is worth a word."""
        if any(layer and name in layer.table("profiles") for layer in layers):
            self.refuse(f"the settings still hold [profiles.{name}]: profiles are files of their own")
        path = f"{self.codex_home}/{name}.config.toml"
        layer = self.layer(path)
        if self.workspace.kind(path) is None:
            names = [each.name for each in self.workspace.list(self.codex_home).entries]
            known = [each.removesuffix(".config.toml") for each in names if each.endswith(".config.toml")]
            note = FOLDER.note("missing-profile", path, shown=self.shown(path), meant=meant(name, known, 1))
            self.diagnostics.append(note)
        return layer

    def check(self, layer: Layer) -> Layer:
        """What Codex ignores in a layer.

        A wrong value stops the start with --strict-config; else only if no stronger layer has the key (`check_whole`)
        [0.169.0].
        """
        found = checked(layer.values, self.policy, lambda where: (layer.path or None, layer.line(where)))
        self.diagnostics += found.problems
        if self.params.args.strictConfig:
            self.refusals += found.refusals
            for name in layer.table("features").keys() - KNOWN:
                text = f"it knows no feature `{name}`, and --strict-config is given"
                self.refuse(text, layer.source(("features", name)))
        return layer

    # --- the command line -----------------------------------------------------------------------------------------

    def command_line(self) -> Layer:
        """`-c`, `--enable` and `--disable`."""
        values: Json = {}
        args = self.params.args
        for given in args.config:
            key, equals, text = given.partition("=")
            if not equals or not key.strip() or key.count(".") > MAX_PARTS:
                self.refuse(f"-c {given[:80]}: it is not `key=value`")
                continue
            parts = reversed(key.strip().split("."))
            values = JOIN.over(values, reduce(lambda inner, part: {part: inner}, parts, _toml_value(text.strip())))
        for names, on in ((args.enable, True), (args.disable, False)):
            for name in names:
                if name not in KNOWN:
                    self.refuse(f"it knows no feature `{name}`")
                values = JOIN.over(values, {"features": {name: on}})
        return self.check(Layer(values))

    def overlay(self) -> Layer:
        """The scenario's own `settings`."""
        return self.check(Layer(filled(self.params.settings.model_dump(exclude_none=True)), SCENARIO))

    def come_to(self, layers: Sequence[Layer]) -> CodexSettings:
        """What layers come to. Over or below a table, a feature's truth value is the table's `enabled` [0.169.0]."""
        tables = {
            name for layer in layers for name, value in layer.table("features").items() if isinstance(value, dict)
        }
        layers = [_with_tables(layer, tables) for layer in layers] if tables else layers
        path = f"{self.codex_home}/config.toml"
        unset = SettingSource("", path, self.shown(path), is_set=False)
        return CodexSettings(tuple(layers), JOIN.of(tuple(layers)), unset, JOIN)

    def check_whole(self, settings: CodexSettings) -> None:
        """What stops the start in what all layers come to; of servers, what the scenario lays over them does not."""

        def place(where: Path) -> tuple[str | None, int | None]:
            layer = settings.layer_of(*map(str, where)) if all(isinstance(part, str) for part in where) else None
            return (layer.path or None, layer.line(where)) if layer else (None, None)

        self.refusals += checked(settings.plain, POLICY, place).refusals
        if "profile" in settings.plain:
            text = "`profile` is no longer a setting: a profile is a file that -p names"
            self.refuse(text, settings.known("profile").source)
        given = self.come_to([layer for layer in settings.layers if layer.kind != SCENARIO])
        for name, problem in unreachable(given.table("mcp_servers")):
            self.refuse(f"the MCP server {name}: {problem}", given.known("mcp_servers", name).source)
        args = self.params.args
        flagged = args.sandbox or args.approveForMe or args.bypassSandbox or self.inputs.mode
        chosen = flagged or given.text("sandbox_mode").value or settings.text("default_permissions").value
        if given.table("permissions") and not chosen:
            text = "`[permissions]` describes profiles, and `default_permissions` names none of them"
            self.refuse(text, given.known("permissions").source)

        self._features(settings)
        self._not_modelled(settings)

    def _not_modelled(self, settings: CodexSettings) -> None:
        """What is known to change the prompt and is left out here."""
        table = FOLDER.agent["not_modelled"]
        demands = self.requirements.layer
        for key, what in table["settings"].items():
            if (known := settings.known(*key.split("."))).value not in (None, False):
                self.diagnostics.append(FOLDER.note("not-modelled", known.source, key=key, what=what))
        for key in (key for key in table["requirements"] if key in demands.values):
            self.diagnostics.append(FOLDER.note("not-modelled", demands.source((key,)), key=key, what=""))
        for name, counted in table["variables"].items():
            if self.inputs.env.get(name, "") not in counted:
                self.diagnostics.append(FOLDER.note("not-modelled", key=name, what=""))

    def _features(self, settings: CodexSettings) -> None:
        """Features that Codex warns of, or does not know."""
        if settings.flag("suppress_unstable_features_warning", default=False).value:
            return
        for name in settings.table("features"):
            known = settings.known("features", name)
            value, place = _switched(known.value), known.source
            if name in _FEATURES["unfinished"] and value is True:
                self.warn_at(place, "unstable-feature", f"the feature `{name}` is under development: Codex warns of it")
            elif name not in KNOWN:
                text = f"Codex knows no feature `{name}`{meant(name, KNOWN, 1)}"
                self.say("info", "unknown-feature", text, place.path, place.line)


def in_files(known: Sourced[T]) -> Sourced[T]:
    """A key below a feature: the scenario's switch of that is a truth value, so that nothing can be laid over files."""
    return replace(known, source=replace(known.source, overlay=None))


def _switched(value: Json) -> Json:
    """What a feature is set to: over or below a table, the table's `enabled`."""
    return value.get("enabled") if isinstance(value, dict) else value


def values_of(file: FileText) -> dict[str, Json]:
    """The file's values. Raises TomlError."""
    if not file.found:
        return {}
    if not is_utf8(file.data):
        raise TomlError("this is not valid TOML: it is not UTF-8")
    values = _without_dates(read_toml(file.text, MAX_CHARS))
    assert isinstance(values, dict)
    if problem := unfit(values):
        raise TomlError(problem[1], 1)
    return values


def _without_dates(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(inner) for inner in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _toml_value(text: str) -> Json:
    """The value of `-c key=value`: TOML, else the text itself without quotes around it."""
    try:
        value = _without_dates(read_toml(f"value = {text}", MAX_CHARS)["value"])
    except (TomlError, KeyError):
        return text.strip("\"'")
    return text if unfit(value) else value


def _with_tables(layer: Layer, names: Collection[str]) -> Layer:
    """The layer with tables for those features that another layer has as a table."""
    features = {
        name: {"enabled": value} if name in names and isinstance(value, bool) else value
        for name, value in layer.table("features").items()
    }
    return replace(layer, values={**layer.values, "features": features}) if features else layer
