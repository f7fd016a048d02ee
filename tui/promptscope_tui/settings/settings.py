"""The user's settings: `settings.toml` in the config folder. What is wrong in it is named, and the rest holds."""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import toml
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import ScenarioError, nearest, unknown
from promptscope_engine.inputs.models import Model, field, problems_of
from promptscope_engine.tokens.models import get_tokenizer

from .paths import SETTINGS, config_folder

MAX_BYTES = 1 << 20
"""Settings that are larger are some other file."""


def _known(look_up: Callable[[str], object], name: str | None) -> str | None:
    """The name, if something has it. Raises ValueError."""
    if name is not None:
        look_up(name)
    return name


class Settings(Model, strict=True):
    """What can be set. The descriptions are the README's."""

    theme: Literal["last", "dark", "light", "ansi"] = field(
        "last", description="the colours at start: `dark`, `light`, `ansi` (the terminal's own), or those shown `last`"
    )
    tab: Literal["last", "overview", "prompt", "tools", "files", "window", "request", "changes", "after"] = field(
        "last",
        description="the page at start, by its name in lower case, or the one that the folder was left on `last`",
    )
    agent: str | None = field(
        None,
        after=partial(_known, load_agent),
        description="whose prompt it is where neither an option nor a scenario says so; else the files tell",
    )
    tokenizer: str | None = field(
        None,
        after=partial(_known, get_tokenizer),
        description="how to count, e.g. `o200k_base`; by default the model's tokenizer",
    )
    editor: str | None = field(
        None, description="the command that opens files, e.g. `code --wait`; by default `$VISUAL`, then `$EDITOR`"
    )
    mouse: bool = field(True, description="`false` leaves the mouse to the terminal, which then selects text itself")
    keymap: dict[str, str] = field(
        default_factory=dict,
        description='other keys for an action, by its id: `theme = "f2"`; several are separated by commas',
    )


DEFAULTS = Settings()


class FoundSettings(Struct, frozen=True):
    """The settings in force, and what is wrong with the file, each as `path:line: words`."""

    settings: Settings = DEFAULTS
    problems: tuple[str, ...] = ()


def settings_path() -> Path:
    """The file; it need not exist."""
    return config_folder() / SETTINGS


def read_settings(path: Path | None = None, bindings: Collection[str] = ()) -> FoundSettings:
    """The settings in a file, by default the user's; a key or value that is wrong is left out, and named.

    `bindings` are the ids that a keymap may name; without them its names are taken as they are.
    """
    path = path or settings_path()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return FoundSettings()
    except OSError as error:
        return FoundSettings(problems=(f"{path}: cannot read the settings: {error.strerror}",))
    if len(data) > MAX_BYTES:
        return FoundSettings(problems=(f"{path}: larger than {MAX_BYTES:,} bytes",))
    try:
        text = data.decode("utf-8-sig")
        values = toml(text)
    except UnicodeDecodeError:
        return FoundSettings(problems=(f"{path}: is not UTF-8 text",))
    except (ValueError, RecursionError) as error:
        return FoundSettings(problems=(_unparsed(path, error),))
    return _validated(path, text, values, bindings)


def _unparsed(path: Path, error: Exception) -> str:
    """The message of tomllib with the line in front, where compilers have it."""
    words, _, place = str(error).partition(" (at line ")
    line = place.partition(",")[0]
    return f"{path}:{line if line.isdecimal() else 1}: {words or 'nested too deeply'}; the defaults hold"


def _validated(path: Path, text: str, values: dict[str, Any], bindings: Collection[str]) -> FoundSettings:
    lines: list[tuple[int, str]] = []
    kept: dict[str, Any] = {}
    for name, value in values.items():
        is_keymap = name == "keymap" and isinstance(value, dict)
        parts = {(name, key): {key: each} for key, each in value.items()} if is_keymap else {(name,): value}
        for key, part in parts.items():
            if said := _problem(name, part, bindings):
                lines.append((key_line(text, key, "toml") or 1, said))
            else:
                kept[name] = kept.get(name, {}) | part if is_keymap else part
    return FoundSettings(Settings.model_validate(kept), tuple(f"{path}:{line}: {said}" for line, said in sorted(lines)))


def _problem(name: str, value: Any, bindings: Collection[str]) -> str:
    """What is wrong with a setting, or with one key of the keymap; "" if nothing is."""
    for action, keys in value.items() if name == "keymap" and isinstance(value, dict) else ():
        if bindings and action not in bindings:
            return str(unknown("action", action, bindings))
        if isinstance(keys, str) and not all(key.strip() for key in keys.split(",")):
            return f"keymap: no key is given for {action!r}"
    try:
        Settings.model_validate({name: value})
    except ValueError as error:
        return _words(dict(problems_of(error)[0]))
    return ""


def _words(error: dict[str, Any]) -> str:
    name = ".".join(map(str, error["loc"][:1]))
    if error["type"] == "extra_forbidden":
        return str(unknown("key", name, Settings.model_fields))
    if error["type"] == "value_error":
        return f"{name}: {str(error['ctx']['error']).removeprefix(f'{name}: ')}"
    choices = str(error.get("ctx", {}).get("expected", "")).replace(" or ", ", ").replace("'", "").split(", ")
    close = nearest(str(error["input"]), choices) if choices != [""] else ()
    said = f"{error['msg'][0].lower()}{error['msg'][1:]}, not {error['input']!r}"
    return f"{name}: {ScenarioError(said, nearest=close)}"
