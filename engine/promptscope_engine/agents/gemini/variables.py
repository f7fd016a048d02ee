"""The environment variables that Gemini CLI reads for its prompt (specs/gemini.md 3, 12, 13)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.inputs.params import variable

TRUST = "GEMINI_CLI_TRUST_WORKSPACE"
MODEL = "GEMINI_MODEL"
SYSTEM_MD = "GEMINI_SYSTEM_MD"
HOME = "GEMINI_CLI_HOME"
SANDBOX = "SANDBOX"
SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
SYSTEM_DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SEATBELT = "sandbox-exec"

SECTIONS = {
    "preamble": "GEMINI_PROMPT_PREAMBLE",
    "core_mandates": "GEMINI_PROMPT_COREMANDATES",
    "sub_agents": "GEMINI_PROMPT_AGENTCONTEXTS",
    "skills": "GEMINI_PROMPT_AGENTSKILLS",
    "hook_context": "GEMINI_PROMPT_HOOKCONTEXT",
    "plan": "GEMINI_PROMPT_PLANNINGWORKFLOW",
    "primary_workflows": "GEMINI_PROMPT_PRIMARYWORKFLOWS",
    "operational_guidelines": "GEMINI_PROMPT_OPERATIONALGUIDELINES",
    "yolo": "GEMINI_PROMPT_INTERACTIVEYOLOMODE",
    "sandbox": "GEMINI_PROMPT_SANDBOX",
    "git": "GEMINI_PROMPT_GIT",
    "final_reminder": "GEMINI_PROMPT_FINALREMINDER",
}
"""The switch of each section (3)."""

VARIABLES = (
    variable(TRUST, "whether the workspace is trusted, before anything else says so", "true", "false"),
    variable(MODEL, "the model, unless one is chosen"),
    variable(SYSTEM_MD, "a file in place of the built-in prompt; `1`: .gemini/system.md", "1", "0"),
    variable(SANDBOX, "the sandbox that the client runs in", SEATBELT, "docker"),
    variable(HOME, "the folder that stands for the home folder"),
    variable(SYSTEM_SETTINGS, "the settings file of the machine, which wins over all others"),
    variable(SYSTEM_DEFAULTS, "the settings file of the machine's defaults"),
    *(
        variable(name, f"`0` leaves the section out: {title.replace('_', ' ')}", "0", group="Sections")
        for title, name in SECTIONS.items()
    ),
)
"""What a person may set."""

OFF_WORDS = ("0", "false")
"""What switches a section off, or the override file; any case, white space around it."""
ON_WORDS = ("1", "true")


def home_folder(env: Mapping[str, str], home: str) -> str:
    """The home folder: the user's, or GEMINI_CLI_HOME (13)."""
    return (env.get(HOME) or home).rstrip("/") or "/"
