"""Claude Code's versions and environment variables (agent.toml), the models it knows, and the layouts they get.

The system prompt and the messages have a layout each. A: 2.1.100 with every model. From 2.1.329 on, A' (the long
prompt, reminders before the user's words): models before 4.8. B (the short prompt, a message of role `system`): 4.8 and
later, and ids that tell nothing. Sonnet 5 has the long prompt of A' with the messages of B.
"""

import json
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.sources import sources_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import variable
from promptscope_engine.workspace.paths import path_in

AGENT = sources_of(Path(__file__).parent).agent
"""agent.toml."""
VARIABLES = tuple(variable(name, said["help"], *said.get("values", ())) for name, said in AGENT["variables"].items())
"""What a person may set."""

TRUE_WORDS = ("1", "true", "yes", "on")


def is_on(value: str) -> bool:
    """Whether the agent takes a variable's value for true."""
    return value.strip().lower() in TRUE_WORDS


_DIGITS = 12


def number(env: Mapping[str, str], name: str) -> int | None:
    """A positive whole number from the environment."""
    text = env.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS and int(text) > 0 else None


WATCHED = ("claude-vscode",)
"""Ways to start a headless agent that somebody watches."""
HOSTED = (*WATCHED, "claude-desktop")
"""Those that tell a person what has ended in the background, as a terminal does [asked of 2.1.332]."""
SDK = ("sdk-cli", "sdk-ts", "sdk-py")
"""Those of programs."""


def entrypoint(env: Mapping[str, str], *, headless: bool, by_sdk: bool = False) -> str:
    """How the agent was started: CLAUDE_CODE_ENTRYPOINT of the process, else `cli`, headless `sdk-cli`.

    The Agent SDK sets the variable itself, to `sdk-ts` or `sdk-py`.
    """
    told = env.get("CLAUDE_CODE_ENTRYPOINT", "") or ("sdk-ts" if by_sdk else "")
    if told in ("", "cli") and is_on(env.get("CLAUDE_CODE_ACTION", "")):  # [asked of 2.1.332]
        return "claude-code-github-action"
    return told if told not in ("", "cli") else "sdk-cli" if headless else "cli"


def by_sdk(options: Any) -> dict[str, Json]:
    """The params, by dotted name, that the Agent SDK's options come to; none without the SDK (None)."""
    if options is None:
        return {}
    prompt, sources = options.systemPrompt, options.settingSources
    found: dict[str, Json] = {"args.print": True}
    found |= {} if prompt == "preset" else {"args.systemPrompt": prompt or ""}
    return found if sources is None else found | {"args.settingSources": ",".join(sources)}


def config_folder(env: Mapping[str, str], home: str, cwd: str) -> str:
    """`~/.claude`, or CLAUDE_CONFIG_DIR, which may be relative to the working directory; absolute."""
    return path_in(cwd, config_written(env, home))


def config_written(env: Mapping[str, str], home: str) -> str:
    """The folder as the agent writes it [recorded 2.1.332]: relative ones and `~` stay, an empty text is the cwd."""
    return posixpath.normpath(env.get("CLAUDE_CONFIG_DIR", f"{home.rstrip('/')}/.claude"))


VERSIONS: tuple[str, ...] = tuple(AGENT["versions"])
V100 = "2.1.100"
"""The version that Python knows by name: it has other algorithms (layout, budget of the listing, rules, links, order of
the agents). All later ones differ in their data alone."""
LATER = tuple(version for version in VERSIONS if version != V100)


_SINCE = {"mention_range": "2.1.331", "least_window": "2.1.332", "compacts_by_count": "2.1.332"}
"""Behaviour that a version added [recorded]. mention_range: the call for `@file#L2-3` names offset and limit."""


_UNTIL = {"late_auto_mode": "2.1.329"}
"""The last version with a behaviour [recorded]. late_auto_mode: most starts announced it to a model without one."""


def has(version: str, change: str) -> bool:
    """Whether a version has what came or went with one."""
    at, since, until = VERSIONS.index(version), _SINCE.get(change), _UNTIL.get(change)
    return (since is None or at >= VERSIONS.index(since)) and (until is None or at <= VERSIONS.index(until))


Layout = Literal["A", "A'", "B"]

CURRENT_MODEL = "claude-opus-5-5"
OLDER_MODEL = "claude-sonnet-4-5-20250929"
"""A model of layout B and one of layout A' in 2.1.329."""

_DATA: Mapping[str, Any] = json.loads(Path(__file__).with_name("models.json").read_text("utf-8"))
"""Aliases by version, the variables that redefine them, and what is particular about each model that is known."""
TOLD_CUTOFFS: Mapping[str, str] = _DATA["told_cutoffs"]
"""The models whose cutoff 2.1.100 tells, by id, as the vendor's public tables have it."""
_NAME = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d{1,2})(?:[-.](?P<minor>\d{1,2}))?(?!\d)", re.IGNORECASE)
_OLD_NAME = r"(?i)claude-(?P<major>\d)(?:[-.](?P<minor>\d))?-(?P<family>[a-z]+)"
_LARGEST = (5, 5)
"""From here on an answer may have 128,000 tokens."""
_BUFFERED = (4, 6)
"""From here on a part of the window is kept free for compaction."""
_SYSTEM_TURNS = (4, 8)
"""From here on the harness speaks in messages of role `system`."""
_RETIRED = ((4, 0), (4, 1))
"""Opus models that 2.1.329 replaces by the current one."""
_LONG = "[1m]"


class Model(Struct, frozen=True):
    """A model as asked for: `id` goes over the wire, `long` tells whether the `[1m]` suffix was there."""

    id: str
    long: bool = False
    family: str = ""
    version: tuple[int, ...] = ()
    sent: str = ""
    """The id that goes over the wire in the place of `id`: `modelOverrides` may say another one."""
    told: str = ""
    """The id that the prompt tells."""

    @property
    def name(self) -> str:
        """`claude-sonnet-4-6[1m]`: the id with its suffix."""
        return self.id + (_LONG if self.long else "")

    @property
    def shown(self) -> str:
        """The id of the request, with the suffix where that makes the window longer."""
        return (self.sent or self.id) + (_LONG if self.long and not self.has_million else "")

    @property
    def display(self) -> str:
        """`Opus 5.5`, as the commit trailer and /context name it; the id where the name does not tell."""
        if not self.family:
            return self.id
        name = self.key.replace("-", " ", 1).replace("-", ".").title()
        return f"{name} (1M context)" if self.marked_long else name

    @property
    def key(self) -> str:
        """`opus-5-5`, "" where the id does not tell."""
        major, minor = self.version or (0, 0)
        return f"{self.family}-{major}-{minor}".removesuffix("-0") if self.family else ""

    @property
    def marked_long(self) -> bool:
        """Whether its name says that it has a long window: not where it has one anyway."""
        return self.long and not (self.known and self.has_million)

    @property
    def cutoff(self) -> str:
        """How far its knowledge goes, "" where nothing is said of it."""
        return str(self._facts.get("cutoff", ""))

    @property
    def auto_mode(self) -> str:
        """The text that auto mode adds for it: `long`, `short` or none."""
        return str(self._facts.get("auto_mode", ""))

    @property
    def _facts(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = _DATA["models"].get(self.key, {})
        return found

    @property
    def known(self) -> bool:
        """Whether the id tells family and version."""
        return bool(self.family)

    @property
    def has_million(self) -> bool:
        """Whether a version after 2.1.100 gives it a window of a million tokens without the suffix."""
        return not self.known or bool(self._facts.get("million", False))

    @property
    def has_buffer(self) -> bool:
        """Whether /context of such a version has a row for the buffer of auto-compaction [asked of 2.1.332]."""
        return not self.known or self.version >= _BUFFERED

    @property
    def current(self) -> bool:
        """Whether it is of the newest family that 2.1.329 knows."""
        return self.version >= _LARGEST

    @property
    def counts_tokens(self) -> bool:
        """Whether it is told in a tag how many tokens are left."""
        return bool(self._facts.get("counts", False))


def aliases(version: str) -> Mapping[str, str]:
    """The names that `/model` takes, each with the model that a version means by it."""
    known = [since for since in _DATA["aliases"] if VERSIONS.index(since) <= VERSIONS.index(version)]
    found: Mapping[str, str] = _DATA["aliases"][known[-1]]
    return found


def overridden(model: Model, asked: str | None, version: str, overrides: Json) -> Model:
    """The model with the id that `modelOverrides` gives a known one [asked of 2.1.332].

    It is known by its full id. The prompt tells the new id where the model was asked for by an alias, or not at all.
    """
    own = overrides.get(model.id) if isinstance(overrides, dict) and model.known and version != V100 else None
    if not own or not isinstance(own, str):
        return model
    own, by_alias = (
        own.removesuffix(_LONG),
        (asked or "default").strip().removesuffix(_LONG).lower() in aliases(version),
    )
    return replace(model, sent=own, told=own if by_alias else "")


def resolve_model(
    asked: str | None,
    version: str,
    mode: str | None = None,
    env: Mapping[str, str] | None = None,
    *,
    written: bool = False,
) -> Model:
    """The model for an id, an alias (`opus`, `sonnet[1m]`) or None, in the agent's version.

    `written`: a setting, a variable or an agent says it, where `default` is no alias [asked of 2.1.332].

    Plan mode takes another model for some names, exactly as written. Variables may give an alias another model: an id,
    which may have the suffix. As the default, and for planning, such an Opus has the long window, and as the default it
    may be another alias (recorded 2.1.332).
    """
    variables = env or {}
    planned = _DATA["planning"].get(asked) if mode == "plan" else None
    name = (planned or asked or "default").strip()
    long = name.endswith(_LONG)
    name = name.removesuffix(_LONG)
    alias = name.lower()
    if written and asked is not None and alias == "default" and version != V100:
        return Model(name, long)
    usual = variables.get("ANTHROPIC_DEFAULT_MODEL") if asked is None and version != V100 else None
    if usual and usual.lower().removesuffix(_LONG) not in _DATA["never_default"]:
        return resolve_model(usual, version, None, {**variables, "ANTHROPIC_DEFAULT_MODEL": ""})
    redefined = _DATA["redefined_by"].get("opus" if alias == "default" else alias)
    own = variables.get(redefined, "").strip() if redefined and version != V100 else ""
    if own:
        long = long or planned == "opus" or alias == "default" or own.endswith(_LONG)
        own = own.removesuffix(_LONG)
        return _model(resolve_model(own, version, env=env).id if alias == "default" else own, long, version)
    model = _model(aliases(version).get(alias, name), long, version)
    if version != V100 and model.family == "opus" and model.version in _RETIRED and name != "claude-opus-4":
        return _model(CURRENT_MODEL, long, version)
    return model


def _model(model_id: str, long: bool, version: str) -> Model:
    found = _NAME.search(model_id) or re.search(_OLD_NAME, model_id)
    if not found:
        return Model(model_id, long)
    model = Model(model_id, long, found["family"].lower(), (int(found["major"]), int(found["minor"] or 0)))
    return model if version == V100 or model.key in _DATA["models"] else Model(model_id, long)


FALSE_WORDS = ("0", "false", "no", "off")


def prompt_layout(version: str, model: Model, short: str = "") -> Layout:
    """The layout of the system prompt, and of the texts of tools that go with it.

    `short` is CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT, which counts for every model [asked of 2.1.332].
    """
    if version == V100:
        return "A"
    if is_on(short):
        return "B"
    if short.strip().lower() in FALSE_WORDS:
        return "A'"
    long = model.family == "sonnet" and model.version == (5, 0)
    return "A'" if long else message_layout(version, model)


def message_layout(version: str, model: Model) -> Layout:
    """The layout of the messages."""
    if version == V100:
        return "A"
    return "A'" if model.known and model.version < _SYSTEM_TURNS else "B"


STANDARD_WINDOW = 200_000
LONG_WINDOW = 1_000_000
LEAST_WINDOW = 100_000
"""What a smaller window is taken for, with a warning [recorded 2.1.332]."""


def served(model: Model, version: str) -> Model:
    """The model that requests go to, whose window counts: that of `modelOverrides` [asked of 2.1.332]."""
    return _model(model.sent, model.long, version) if model.sent else model


def whole_window(model: Model, version: str, env: Mapping[str, str]) -> int:
    """The model's window in tokens, by its name and whether long windows are switched off."""
    model = served(model, version)
    long = model.long or (version != V100 and model.has_million)
    return LONG_WINDOW if long and not is_on(env.get("CLAUDE_CODE_DISABLE_1M_CONTEXT", "")) else STANDARD_WINDOW


def window_of(model: Model, version: str, env: Mapping[str, str]) -> int:
    """The window in tokens, as /context shows it.

    CLAUDE_CODE_MAX_CONTEXT_TOKENS counts for models that the client doesn't know, unless their name has the suffix
    [asked of 2.1.332].
    """
    unknown = version != V100 and not model.known and not model.long
    own = number(env, "CLAUDE_CODE_MAX_CONTEXT_TOKENS") if unknown else None
    size = own or whole_window(model, version, env)
    asked = number(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
    if asked and has(version, "least_window"):
        asked = max(asked, LEAST_WINDOW)
    return min(size, asked or size)


def usual_output(model: Model, version: str) -> int:
    """Tokens that an answer may have, as recorded (variants, d): larger for Opus from 4.6 and all from 4.8 on."""
    if version != V100 and model.current:
        return 128_000
    if model.version >= (4, 8) or (model.family == "opus" and model.version >= (4, 6)):
        return 64_000
    return 8_192 if model.family == "haiku" and model.version < (4, 0) else 32_000
