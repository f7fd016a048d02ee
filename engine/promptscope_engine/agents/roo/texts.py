"""Roo's sections and tools as text (agent.toml, sections/, tools/), and what their conditions and values are."""

from pathlib import Path

from promptscope_engine.agents.kit.sessions.earlier import drafted, named
from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.javascript.text import to_posix
from promptscope_engine.prompt.conditions import AnyOf, Condition, Named, Test
from promptscope_engine.prompt.derived import Derived, FoundOut
from promptscope_engine.prompt.drafts import computed, environment
from promptscope_engine.prompt.leaves import flag, model_mentions
from promptscope_engine.prompt.model import Lever

MODEL_USES_COMPUTERS = "model.supportsComputerUse"
"""The gathered condition that the model is listed as one that can use a computer."""

BROWSER = Derived("supportsComputerUse", FoundOut(MODEL_USES_COMPUTERS) & flag("browserToolEnabled"))
"""The argument alone: the clauses do not ask whether the mode has the browser group. A task passes the model's
flag and the setting."""

_MAX_LINES = "editor.maxReadFileLine"
PARTIAL_READS = Derived(
    "partialReadsEnabled",
    Test(
        "flag",
        _MAX_LINES,
        "above",
        -1,
        f"`{_MAX_LINES}` is {{actual}}",
        f"`{_MAX_LINES}` is {{actual}}: whole files are read",
        on=(Lever(_MAX_LINES, 500),),
        off=(Lever(_MAX_LINES, -1),),
    ),
)
"""A task passes whether the limit is another one than -1."""

FILES_LISTED = Derived(
    "includeFileDetails",
    ~flag("editor.laterTurn", yes="it is a later message of the task", no="it is the first message of the task"),
)
"""Only the first message after a start or a resume lists the files."""

USE_AGENT_RULES: Condition = flag("settings.useAgentRules")

USE_ROO_IGNORE: Condition = flag("useRooIgnore")

DRAFTED: Condition = drafted("a task")
"""Without a task there is no first message."""

HISTORY: Condition = named("taskFile", "a task's file")


def _not_empty(name: str, what: str) -> Condition:
    """The list in the param `name` is not empty."""
    yes, no, off = f"`{name}` is not empty", f"`{name}` is empty", (Lever(name, []),)
    return Test("flag", name, "given", True, yes, no, off=off, remedy=f"add {what} to `{name}` of the scenario")


_GATES = {
    "browser": BROWSER,
    "code_index": Named(
        "flag",
        "codeIndex",
        flag("codeIndex.enabled", no="the code index is off")
        & flag("codeIndex.configured", no="the code index is not configured")
        & flag("codeIndex.initialized", no="the code index is not initialized"),
        yes="the code index is ready",
        no="the code index is not ready",
    ),
    # these models are given the short form of read_file
    "simple_read": model_mentions("grok-code-fast-1", "code-supernova"),
    "partial_reads": PARTIAL_READS,
    "files_listed": FILES_LISTED,
    "drafted": DRAFTED,
    "modified": _not_empty("editor.recentlyModified", "a file"),
    "has_todos": _not_empty("editor.todos", "a todo"),
}

FOLDER = Folder(Path(__file__).parent, Vocabulary.of(RooParams, _GATES))

LANGUAGES = {
    "ca": "Català",
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "hi": "हिन्दी",
    "id": "Bahasa Indonesia",
    "it": "Italiano",
    "ja": "日本語",
    "ko": "한국어",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt-BR": "Português",
    "ru": "Русский",
    "tr": "Türkçe",
    "vi": "Tiếng Việt",
    "zh-CN": "简体中文",
    "zh-TW": "繁體中文",
}
"""Names of languages by code; any other code is its own name."""


def scope_of(materials: Materials, **own: object) -> Scope:
    """What texts may name: the values and conditions of a scenario, and `own` ones of some sections."""
    machine, servers = materials.inputs.environment, materials.servers
    names = {
        "generated": materials.override.generated,
        "override": materials.override.condition,
        "override_text": materials.override.text,
        "mcp": materials.mcp,
        "any_server": AnyOf(tuple(server.when for server in servers)),
        "cwd": environment("cwd", materials.inputs.workspace),
        "cwd_in_slashes": environment("cwd", to_posix(materials.inputs.workspace)),
        "home": environment("home", to_posix(materials.inputs.home)),
        "os_name": environment("os_name", machine.os_name or ""),
        "shell": environment("shell", materials.shell),
        "mode": materials.mode,
        "modes": [
            {"shown": computed(f"modes.{mode.slug}", f'"{mode.name}" mode ({mode.slug})'), "listed": mode.listed}
            for mode in materials.modes
        ],
    }
    return Scope(names | own, params=materials.params)
