"""The environment variables that decide by themselves, and conditions that parts of the prompt share.

agent.toml names them for the texts.
"""

from collections.abc import Mapping

from promptscope_engine.prompt.conditions import Condition, Setting
from promptscope_engine.prompt.leaves import flag, mode_is
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.sourced import Sourced

TRUST = "GEMINI_CLI_TRUST_WORKSPACE"
MODEL = "GEMINI_MODEL"
SYSTEM_MD = "GEMINI_SYSTEM_MD"
HOME = "GEMINI_CLI_HOME"
SANDBOX = "SANDBOX"
SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
SYSTEM_DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SEATBELT = "sandbox-exec"

OFF_WORDS = ("0", "false")
"""What switches a section off, or the override file; any case, white space around it."""
ON_WORDS = ("1", "true")


def home_folder(env: Mapping[str, str], home: str) -> str:
    """The home folder: the user's, or GEMINI_CLI_HOME."""
    return (env.get(HOME) or home).rstrip("/") or "/"


HEADLESS: Condition = flag("args.print", yes="the session is headless", no="the session is interactive")
INTERACTIVE: Condition = ~HEADLESS


def approval(*slugs: str, trusted: Condition) -> Condition:
    """One of these approval modes, of which none is the usual one: all of them take a trusted folder."""
    return mode_is(*slugs) & trusted


def section_switch(variable: Sourced[str]) -> Condition:
    """No `GEMINI_PROMPT_…` leaves the section out."""
    name, overlay = variable.source.key.removeprefix("env."), variable.source.overlay
    off = variable.value.strip().lower() in OFF_WORDS
    yes, no = f"`{name}` does not leave it out", f"`{name}` leaves it out"
    on, switch = (Lever(overlay, "1"), Lever(overlay, "0")) if overlay else (None, None)
    return Setting(variable.source, "0" if off else "1", "in", ("1",), yes, no, on=on, off=switch)


def sandbox_gates(variable: Sourced[str]) -> dict[str, Condition]:
    """The client runs in a sandbox; it is that of macOS."""
    overlay = variable.source.overlay
    named = f"`{SANDBOX}` is {{actual}}"
    any_one = Setting(
        variable.source, variable.value, "given", True, named, f"`{SANDBOX}` is not set",
        on=Lever(overlay, "docker") if overlay else None, off=Lever(overlay, "") if overlay else None,
    )  # fmt: skip
    seatbelt = Setting(
        variable.source, variable.value, "is", SEATBELT, named, named,
        on=Lever(overlay, SEATBELT) if overlay else None, off=Lever(overlay, "docker") if overlay else None,
    )  # fmt: skip
    return {"sandboxed": any_one, "seatbelt": seatbelt}
