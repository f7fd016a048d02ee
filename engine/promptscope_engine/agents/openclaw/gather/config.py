"""The configuration `~/.openclaw/openclaw.json` and the `.env` files, as OpenClaw reads them.

JSON5, then `$include`d files merged in, then the variables that it sets itself, then `${VAR}` substituted, then the
built-in aliases for the models it names. What cannot be read, a key that is unknown or a value that does not fit stops
the start [2026.2.24].
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path as FilePath

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.disk.settings import MAX_ITEMS, at, mapping, shortened, too_long
from promptscope_engine.agents.kit.disk.settings_schema import Policy, Schema, checked, load_schema
from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER
from promptscope_engine.formats.document import Json, with_texts
from promptscope_engine.formats.dotenv import entries
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import MAX_JSON5_CHARS, parse_json5
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.paths import path_in


def completed(inputs: Inputs, workspace: Workspace) -> tuple[Inputs, tuple[FileDraft, ...]]:
    """The inputs with the variables of both files, and the rows of those that are there.

    First that of the folder it is started in, then that of the state folder. What is set already stays, even if it is
    empty [recorded].
    """
    files: list[FileDraft] = []
    for is_state in (False, True):
        file = workspace.read(f"{state_dir(inputs) if is_state else inputs.workspace}/.env")
        if not file.found or file.path in [row.path for row in files]:
            continue
        new = {name: value for name, value, _ in entries(file.text) if name not in inputs.env}
        files.append(file_row(file, "env", "always", FOLDER.reason("sets", bool(new), path=file.path)))
        inputs = replace(inputs, env={**new, **inputs.env})
    return replace(inputs, env={**inputs.env, **older_place(inputs, workspace)}), tuple(files)


MAX_INCLUDE_DEPTH = 10
MAX_INCLUDES = 200
"""Files of one configuration: ten levels of lists could name billions."""

_BRANDS = ("OPENCLAW", "CLAWDBOT")
_NAMES = ("openclaw", "clawdbot", "moldbot", "moltbot")
"""What OpenClaw is called, and what it was called."""


@cache
def schema(version: str) -> Schema:
    """What a version takes in openclaw.json, by its own published schema."""
    older = f"settings@{FOLDER.versions[0]}.json"
    return load_schema(FilePath(__file__).parents[1] / ("settings.json" if version >= NEWER else older))


def policy_of(version: str) -> Policy:
    """What does not fit the schema stops the start."""
    return Policy("OpenClaw", partial(schema, version), misfit="start", unknown="start")


def _with_entries(values: Mapping[str, Json]) -> Mapping[str, Json]:
    """The configuration with `agents.list` as `agents.entries`: the one older key that 2026.9.6 still takes.

    It takes it alone, of objects with ids that differ [asked]; any other stays, as a key that it does not know.
    """
    agents = mapping(values.get("agents"))
    listed = agents.get("list")
    if not isinstance(listed, list) or "entries" in agents:
        return values
    entries = {
        entry.get("id"): {key: value for key, value in entry.items() if key != "id"} for entry in map(mapping, listed)
    }
    if len({_ID.fullmatch(name) and name.lower() for name in map(str, entries)} - {None}) < len(listed):
        return values
    return {**values, "agents": {**{key: value for key, value in agents.items() if key != "list"}, "entries": entries}}


_ID = re.compile(r"(?i)[a-z0-9][a-z0-9_-]{0,63}")


class Config(Struct, frozen=True):
    """What the configuration says, and the environment after its own `env` entries."""

    settings: SettingLevers
    env: Mapping[str, str]
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    refused: Diagnostic | None = None
    """What keeps OpenClaw from starting."""

    @property
    def values(self) -> Mapping[str, Json]:
        """The values of all keys."""
        return self.settings.values


class _BrokenError(Exception):
    """Something that makes the whole configuration useless."""

    def __init__(self, message: str, path: str, line: int | None = None, *, own: bool = False) -> None:
        super().__init__(message)
        self.path, self.line, self.own = path, line, own
        """`own`: a limit of what is read here, which OpenClaw does not have."""


@dataclass(eq=False, repr=False)
class _Reader:
    """One reading: collects the files that it opens."""

    workspace: Workspace
    folder: str
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    json5_chars: int = 0

    def load(self, path: str, above: tuple[str, ...] = (), *, required: bool = True) -> Json:
        """The parsed file with its includes."""
        if len(self.files) > MAX_INCLUDES:
            raise _BrokenError(f"`$include` names more than {MAX_INCLUDES} files", path, own=True)
        file = self.workspace.read(path)
        self.files.append(_file(file, above))
        if not file.found:
            if file.problem == "missing" and not required:
                return {}
            raise _BrokenError(f"cannot be read: {file.detail}", path)
        if self.json5_chars > MAX_JSON5_CHARS:
            text = f"the files before it hold more than {MAX_JSON5_CHARS:,} characters of JSON5"
            raise _BrokenError(text, path, own=True)
        parsed = parse_json5(file.text.removeprefix("\ufeff"))
        if parsed.problem:
            own = "too large" in parsed.problem or "too deep" in parsed.problem
            raise _BrokenError(parsed.problem, path, parsed.line, own=own)
        self.json5_chars += 0 if parsed.is_plain else len(file.text)
        if name := next(too_long(parsed.value), None):
            text = f"only the first {MAX_ITEMS:,} items of `{name}` are used"
            self.diagnostics.append(Diagnostic("warning", "config", text, path, key_line(file.text, name, "json")))
        return self.included(shortened(parsed.value), path, (*above, path))

    def included(self, value: Json, path: str, above: tuple[str, ...]) -> Json:
        """`$include` replaced by the files it names; keys beside it are merged over them."""
        if isinstance(value, list):
            return [self.included(item, path, above) for item in value]
        if not isinstance(value, Mapping):
            return value
        rest = {key: self.included(item, path, above) for key, item in value.items() if key != "$include"}
        if "$include" not in value:
            return rest
        names = value["$include"]
        merged: Json = {}
        for name in [names] if isinstance(names, str) else names if isinstance(names, list) else [names]:
            if not isinstance(name, str):
                raise _BrokenError("`$include` names something that is not a path", path)
            loaded = self._include(name, path, above)
            merged = _merge(merged, loaded) if isinstance(names, list) else loaded
        if rest and not isinstance(merged, Mapping):
            raise _BrokenError("`$include` with keys beside it must name an object", path)
        return _merge(merged, rest) if rest else merged

    def _include(self, name: str, path: str, above: tuple[str, ...]) -> Json:
        target = path_in(posixpath.dirname(path), name)
        if not target.startswith(self.folder.rstrip("/") + "/"):
            raise _BrokenError(f"`$include` leads out of {self.folder}: {name}", path)
        if target in above:
            raise _BrokenError(f"`$include` is circular: {name}", path)
        if len(above) > MAX_INCLUDE_DEPTH:
            raise _BrokenError(f"`$include` is nested more than {MAX_INCLUDE_DEPTH} deep: {name}", path)
        return self.load(target, above)


def load_config(
    inputs: Inputs, given: Mapping[str, Json] | None, overlay: Mapping[str, Json], workspace: Workspace
) -> Config:
    """The configuration in force: `given`, the scenario's, is taken as it is, in place of the loaded file.

    Recordings made with one show it neither validated nor completed: a limit of 300.7 counts there. `overlay` goes
    over either, over a broken file as well: a switch that does nothing until a file is mended would look broken too.
    """
    if given is not None:
        return Config(SettingLevers(mapping(overlaid(given, overlay)), overlaid=overlay), inputs.env)
    path = config_path(inputs)
    reader = _Reader(workspace, posixpath.dirname(path))

    def settings(values: Mapping[str, Json]) -> SettingLevers:
        return SettingLevers(values, path, short_path(path, inputs.home), workspace.read(path).text, overlay)

    try:
        raw = reader.load(path, required=False)
        if not isinstance(raw, Mapping):
            raise _BrokenError("must be an object of keys and values", path)
        raw = mapping(overlaid(raw, overlay))
        env = {**inputs.env, **_own_env(raw, inputs.env)}
        plain = mapping(_substituted(raw, env, path))
        text = workspace.read(path).text
        version = inputs.agent_version
        known = _with_entries(plain) if version >= NEWER else plain
        found = checked(known, policy_of(version), lambda where: (path, key_line(text, where, "json")))
        problems = (*reader.diagnostics, *found.refusals[1:])
        values = mapping(_with_aliases(_without_main_key(plain) if version >= NEWER else plain))
        return Config(settings(values), env, tuple(reader.files), problems, next(iter(found.refusals), None))
    except _BrokenError as broken:
        files = tuple(reader.files)
        if not broken.own:
            text = f"OpenClaw does not start: its configuration is not valid: {broken}"
            refused = Diagnostic("error", "agent-refuses", text, broken.path, broken.line)
            return Config(settings(overlay), inputs.env, files, refused=refused)
        text = f"{broken}; that much is not read here, and the configuration counts as empty"
        problem = Diagnostic("error", "config", text, broken.path, broken.line)
    except RecursionError:
        problem = Diagnostic("error", "config", "nested too deeply", path)
    return Config(settings(overlay), inputs.env, tuple(reader.files), (problem,))


def _without_main_key(values: Mapping[str, Json]) -> Mapping[str, Json]:
    """2026.9.6 takes `session.mainKey` and goes by main all the same [asked]."""
    session = {key: value for key, value in mapping(values.get("session")).items() if key != "mainKey"}
    return {**values, "session": session} if "session" in values else values


def short_path(path: str, home: str) -> str:
    """The path with the home folder as `~`."""
    prefix = home.rstrip("/") + "/"
    return f"~/{path[len(prefix) :]}" if path.startswith(prefix) else path


def home_of(inputs: Inputs) -> str:
    """The folder that `~` stands for: OPENCLAW_HOME, else the home folder. Skills of a person's own ask for neither."""
    named = js_trim(inputs.env.get("OPENCLAW_HOME", ""))
    return absolute(named, inputs.workspace, inputs.home) if named else inputs.home


def _named(inputs: Inputs, variable: str) -> str:
    """What a variable names; one of the older name counts where there is none."""
    return next((name for brand in _BRANDS if (name := js_trim(inputs.env.get(f"{brand}_{variable}", "")))), "")


def state_dir(inputs: Inputs) -> str:
    """OpenClaw's own folder: `~/.openclaw`, or what OPENCLAW_STATE_DIR names."""
    named = _named(inputs, "STATE_DIR")
    return user_path(named, inputs) if named else f"{home_of(inputs)}/.openclaw"


def config_path(inputs: Inputs) -> str:
    """The configuration file's path."""
    named = _named(inputs, "CONFIG_PATH")
    return user_path(named, inputs) if named else f"{state_dir(inputs)}/openclaw.json"


def places_of(inputs: Inputs) -> tuple[str, ...]:
    """The folders that variables move somewhere else."""
    return tuple({home_of(inputs): 0, state_dir(inputs): 0, posixpath.dirname(config_path(inputs)): 0})


def older_place(inputs: Inputs, workspace: Workspace) -> dict[str, str]:
    """The variable that names the configuration, if none does and one of these exists (recorded 2026.2.24).

    They are looked for in the state folder, in `~/.openclaw`, and under OpenClaw's older names.
    """
    if _named(inputs, "CONFIG_PATH"):
        return {}
    folders = (state_dir(inputs), *(f"{home_of(inputs)}/.{name}" for name in _NAMES))
    paths = (f"{folder}/{name}.json" for folder in dict.fromkeys(folders) for name in _NAMES)
    file = next((path for path in paths if workspace.kind(path) is not None), None)
    return {} if file is None else {f"{_BRANDS[-1]}_CONFIG_PATH": file}


def user_paths(paths: Iterable[str], inputs: Inputs) -> list[str]:
    """Those of the paths that are not blank."""
    return [user_path(path, inputs) for path in paths if js_trim(path)]


def user_path(path: str, inputs: Inputs) -> str:
    """A path as a person writes it: `~` is the home, anything else is relative to where the agent is started."""
    path = js_trim(path).replace("\0", "")
    if path == "~" or path.startswith("~/"):
        path = home_of(inputs) + path[1:]
    return path_in(inputs.workspace, path)


def _file(file: FileText, above: tuple[str, ...]) -> FileDraft:
    key = "configured" if file.problem in (None, "missing") else "unreadable"
    when = FOLDER.reason(key, file.found, path=file.path, detail=file.detail)
    by = above[-1] if above else None
    return file_row(file, "settings", "import" if by else "always", when, imported_by=by, chars=utf16_len(file.text))


def _merge(under: Json, over: Json) -> Json:
    """Objects merge key by key, lists are joined, anything else is replaced."""
    if isinstance(under, list) and isinstance(over, list):
        return [*under, *over]
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{k: _merge(under[k], v) if k in under else v for k, v in over.items()}}
    return over


def overlaid(under: Json, over: Json) -> Json:
    """Objects merge key by key, anything else is replaced, lists too: an overlay can make a list shorter."""
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: overlaid(under.get(key), value) for key, value in over.items()}}
    return over


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEVER_SET = re.compile(
    r"NODE_OPTIONS|NODE_PATH|PYTHONHOME|PYTHONPATH|PERL5LIB|PERL5OPT|RUBYLIB|RUBYOPT|BASH_ENV|ENV|SHELL|SHELLOPTS|PS4"
    r"|GCONV_PATH|IFS|SSLKEYLOGFILE|HOME|ZDOTDIR|(?:DYLD_|LD_|BASH_FUNC_).*",
    re.I,
)
"""Variables that programs start by, which a configuration does not set."""


def _own_env(raw: Mapping[str, Json], env: Mapping[str, str]) -> dict[str, str]:
    """Variables that the configuration sets under `env`, where the environment has none or a blank one."""
    own = mapping(raw.get("env"))
    pairs = {**mapping(own.get("vars")), **{k: v for k, v in own.items() if k not in ("vars", "shellEnv")}}
    named = {k: v for key, v in pairs.items() if _NAME.fullmatch(k := js_trim(key)) and not _NEVER_SET.fullmatch(k)}
    return {k: v for k, v in named.items() if isinstance(v, str) and js_trim(v) and not js_trim(env.get(k, ""))}


_VARIABLE = re.compile(r"\$(\$?)\{([A-Z_][A-Z0-9_]*)\}")


def _substituted(value: Json, env: Mapping[str, str], path: str) -> Json:
    """`${NAME}` replaced by the variable, `$${NAME}` by `${NAME}`; an unset or empty one breaks the configuration."""

    def replace(found: re.Match[str]) -> str:
        if found[1]:
            return found[0][1:]
        if not env.get(found[2]):
            raise _BrokenError(f"names the variable {found[2]}, which is not set", path)
        return env[found[2]]

    return with_texts(value, lambda text: _VARIABLE.sub(replace, text))


MODEL_ALIASES = {
    "anthropic/claude-opus-4-6": "opus",
    "anthropic/claude-sonnet-4-6": "sonnet",
    "openai/gpt-5.2": "gpt",
    "openai/gpt-5-mini": "gpt-mini",
    "google/gemini-3-pro-preview": "gemini",
    "google/gemini-3-flash-preview": "gemini-flash",
}
"""Given to these models where the configuration lists one without an alias: a recording shows `opus` for a listed
claude-opus-4-6; the other five are the published defaults of that month."""


def _with_aliases(config: Json) -> Json:
    """The configuration with the built-in aliases of the models that it lists without one."""
    models = mapping(at(config, "agents.defaults.models"))
    missing = {
        ref: {**entry, "alias": alias}
        for ref, alias in MODEL_ALIASES.items()
        if isinstance(entry := models.get(ref), Mapping) and "alias" not in entry
    }
    if not missing:
        return config
    return _merge(config, {"agents": {"defaults": {"models": missing}}})
