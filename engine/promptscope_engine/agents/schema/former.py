"""Words that agent.toml had in earlier versions: a folder of corrections may still have them, without effect."""

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

_WORDS = (
    "agent_keys", "agents", "base", "base_parts", "before_boundary", "blind_spots", "body_keys", "bootstrap",
    "brought_along", "by_model", "channels", "classes", "classic", "claude_events", "commands", "conditions", "config",
    "efforts", "families", "features", "found", "further_tools", "importable", "in_slashes", "instructions", "judged",
    "kinds", "languages", "last_shell", "lists", "lite", "local_commands", "managed", "markdown", "minimal", "misses",
    "mod_events", "model_aliases", "model_form", "models", "modes", "modular", "months", "moved", "namespaces",
    "no_effect", "no_mcp_json", "not_modelled", "offered", "old_names", "options", "other_permissions",
    "own_commands", "patching", "permissions", "personal", "plugin_hooks", "plugins", "policies", "profiles",
    "programs", "prompts", "protocols", "reminders", "renamed", "resources", "roles", "rules", "run_denies",
    "runtime", "same_language", "sampling", "schema", "second_form", "servers", "services", "shells", "since",
    "skill_limits", "skills", "styles", "system_folders", "titles", "tokens", "tool_aliases", "unfit_shells",
    "unknown_returns", "until", "usable", "usual_model", "usual_options", "usual_output", "usual_window", "wire",
    "window.*", "windows", "workflow_sizes",
    "after.compressed", "after.each_turn", "after.first", "after.first_chars", "after.kept*", "after.newest_chars",
    "after.notes", "after.other_model", "after.refused", "after.resumed", "after.said_*", "after.tasks_every",
    "after.token_chars", "caching.*.session", "caching.*.static", "caching.*.turn", "command_line.entry",
    "command_line.unsaid", "facts.*.is", "facts.*.param", "notes.of_editor", "switches.*.keys.*.default",
    "switches.*.keys.*.gate", "switches.*.keys.*.in_group", "tools.aliases", "tools.controls", "tools.created",
    "tools.direct", "tools.former", "tools.in_code_mode", "tools.kinds", "tools.last", "tools.listed", "tools.running",
    "tools.when", "variables.*.section",
)  # fmt: skip
"""Dotted; `*` is any part of one. `NAME@VERSION` is the same word."""


Path = tuple[str | int, ...]
NO_EFFECT = "has no effect any more: promptscope has it in its own code"


def former_keys(value: Any, place: Path = ()) -> Iterator[Path]:
    """Where such words are in what a file holds."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        path = (*place, key)
        if any(_is(path, word.split(".")) for word in _WORDS):
            yield path
        else:
            yield from former_keys(each, path)


def _is(path: Path, word: Sequence[str]) -> bool:
    plain = (str(part).partition("@")[0] for part in path)
    return len(path) == len(word) and all(map(fnmatchcase, plain, word))


def without(value: Any, paths: Collection[Path], place: Path = ()) -> Any:
    """The value without what is at these places, and without tables of which nothing is left."""
    if not isinstance(value, dict | list):
        return value
    items = value.items() if isinstance(value, dict) else enumerate(value)
    kept = {key: without(each, paths, (*place, key)) for key, each in items if (*place, key) not in paths}
    kept = {key: each for key, each in kept.items() if each != {} or value[key] == {}}
    return kept if isinstance(value, dict) else [*kept.values()]
