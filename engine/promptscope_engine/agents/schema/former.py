"""Words that agent.toml had in earlier versions: a folder of corrections may still have them, without effect."""

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

_IN_CODE = (
    "agent_keys", "agents", "base", "base_parts", "before_boundary", "blind_spots", "bootstrap", "brought_along",
    "by_model", "channels", "classes", "classic", "claude_events", "commands", "config", "efforts", "families",
    "features", "further_tools", "importable", "in_slashes", "instructions", "judged", "kinds", "languages",
    "last_shell", "lists", "lite", "local_commands", "managed", "markdown", "minimal", "misses", "mod_events",
    "model_aliases", "model_form", "models", "modular", "months", "moved", "namespaces", "no_effect", "no_mcp_json",
    "not_modelled", "offered", "old_names", "other_permissions", "own_commands", "patching", "permissions",
    "personal", "plugin_hooks", "plugins", "policies", "profiles", "programs", "prompts", "resources", "roles",
    "rules", "run_denies", "runtime", "same_language", "schema", "second_form", "servers", "services", "shells",
    "since", "skill_limits", "skills", "styles", "system_folders", "titles", "tokens", "tool_aliases", "unfit_shells",
    "unknown_returns", "until", "usual_output", "wire", "windows", "workflow_sizes",
    "window.*", "after.compressed", "after.each_turn", "after.first", "after.first_chars", "after.kept*",
    "after.newest_chars", "after.notes", "after.other_model", "after.refused", "after.resumed", "after.said_*",
    "after.tasks_every", "after.token_chars", "command_line.unsaid", "facts.*.is", "facts.*.param", "notes.of_editor",
    "switches.*.keys.*.default", "switches.*.keys.*.gate", "switches.*.keys.*.in_group", "tools.aliases",
    "tools.controls", "tools.direct", "tools.former", "tools.in_code_mode", "tools.kinds", "tools.last",
    "tools.listed", "tools.running", "tools.when", "variables.*.section",
)  # fmt: skip
"""Dotted; `*` is any part of one. `NAME@VERSION` is the same word."""
_RENAMED = {
    "body_keys": "rows.body",
    "caching.*.session": "caching.EVENT.rules",
    "caching.*.static": "caching.EVENT.rules",
    "caching.*.turn": "caching.EVENT.rules",
    "command_line.entry": "command_line.headless",
    "conditions": "gates",
    "found": "names",
    "modes": "mode",
    "options": "rows.options",
    "protocols": "rows.protocol",
    "reminders": "rows.reminder",
    "renamed": "rows.renamed",
    "sampling": "rows.sampling",
    "tools.created": "tools.order",
    "usable": "shapes.usable",
    "usual_model": "model",
    "usual_options": "rows.options",
    "usual_window": "window",
}
"""What took the place of a word."""
_WORDS = {tuple(word.split(".")): _RENAMED.get(word, "") for word in (*_IN_CODE, *_RENAMED)}

Path = tuple[str | int, ...]


class Former(NamedTuple):
    """Such a word: where it is, and what is said of it."""

    path: Path
    says: str


def former_keys(value: Any, place: Path = ()) -> Iterator[Former]:
    """The words of that kind in what a file holds."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        path = (*place, key)
        now = next((now for word, now in _WORDS.items() if _is(path, word)), None)
        if now is None:
            yield from former_keys(each, path)
        else:
            why = f"`{now}` took its place" if now else "promptscope has it in its own code"
            yield Former(path, f"`{'.'.join(map(str, path))}` has no effect any more: {why}")


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
