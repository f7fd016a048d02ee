"""Whether AGENTS.md is read: the four modes of a built-in mod, and its switch [recorded 2.1.332]."""

from promptscope_engine.agents.kit.disk.layered import LayeredSettings
from promptscope_engine.agents.kit.disk.settings import below
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.sourced import Sourced

from .settings import ClaudeCodeSettings

_IDS = ("cc-plugin-agents-md@builtin", "agents-md@builtin")
"""The mod's names, the one that counts first in one layer."""
_SWITCHES = tuple(("enabledPlugins", name) for name in _IDS)
FALLBACK, BOTH, CLAUDE, MANAGED_ONLY = (
    "claude-md-or-agents-md",
    "claude-md-and-agents-md",
    "claude-md",
    "managed-only",
)
_OPTIONS = {
    "instructionFiles": {mode: mode for mode in (FALLBACK, BOTH, CLAUDE, MANAGED_ONLY)},
    "projectInstructions": {"agents-fallback": FALLBACK, "both": BOTH, "claude": CLAUDE, "none": MANAGED_ONLY},
}
"""The option's names, the one that counts first in any layer, and what its words mean; any other is the usual mode."""


READ_BOTH = Lever(f"settings.pluginConfigs.{_IDS[0]}.options.instructionFiles", BOTH)
"""Has AGENTS.md read, whatever is beside it."""


def mode_of(settings: ClaudeCodeSettings) -> Sourced[str]:
    """How instruction files are read, and what decides it.

    The options of a repository's own settings don't count, a switch counts in every layer. The strongest layer decides,
    under whichever name it has the mod.
    """
    switch = _strongest(settings, *_SWITCHES)
    if switch is not None and switch.value is False:
        return Sourced(CLAUDE, switch.source)
    counting = settings.without("project", "local")
    for option, words in _OPTIONS.items():
        found = _strongest(counting, *(("pluginConfigs", name, "options", option) for name in _IDS))
        if found is not None:
            return Sourced(_meant(words, found.value), found.source)
    return Sourced(FALLBACK, counting.known("pluginConfigs").source)


def mod_switch(settings: ClaudeCodeSettings) -> tuple[str, Condition]:
    """The mod's name and whether it is on."""
    switch = _strongest(settings, *_SWITCHES) or settings.known(*_SWITCHES[0], default=True)
    name = switch.source.key.partition(".")[2]
    return _IDS[0], switch.is_(True, unset=True, no=f"`enabledPlugins` switches {name} off")


def _strongest(settings: LayeredSettings, *keys: tuple[str, ...]) -> Sourced[Json] | None:
    """The one of these settings that the strongest layer has; of two in one layer the first [asked of 2.1.332]."""
    for layer in reversed(settings.layers):
        for key in keys:
            if below(layer.values, key) is not None:
                return settings.known(*key)
    return None


def _meant(words: dict[str, str], value: Json) -> str:
    return words.get(value, FALLBACK) if isinstance(value, str) else FALLBACK


def reads_agents_md(mode: Sourced[str]) -> Condition:
    """AGENTS.md may be read."""
    if mode.value in (FALLBACK, BOTH):
        return ALWAYS
    on = None if mode.source.key.startswith("enabledPlugins") else READ_BOTH
    no = f"`{mode.source.key}` leaves AGENTS.md out"
    return Setting(mode.source, mode.value, "in", [FALLBACK, BOTH], "", no, on=on)


def reads_own(mode: Sourced[str]) -> Condition:
    """Instruction files of the user and of the project are read at the start."""
    if mode.value != MANAGED_ONLY:
        return ALWAYS
    no = f"`{mode.source.key}` lets an organisation's instructions alone in"
    return Setting(mode.source, mode.value, "in", [FALLBACK, BOTH, CLAUDE], "", no)
