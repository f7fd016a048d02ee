"""What Codex takes in its settings: the keys it knows, and the type of those that it reads (specs/codex.md 4.2).

A value of another type, or a word that is none of those listed, stops the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.formats.document import Json

Kind = str | tuple[str, ...]
"""`bool`, `int`, `count`, `number`, `str`, `texts`, `table`, `tables`, or the words that a text can be."""

Kinds = Mapping[str, Kind]

_SANDBOX_TABLE: dict[str, Kind] = {
    "exclude_slash_tmp": "bool", "exclude_tmpdir_env_var": "bool", "network_access": "bool", "writable_roots": "texts",
}  # fmt: skip

_TYPED: dict[str, Kind] = {
    "model": "str", "model_provider": "str", "model_context_window": "int", "model_auto_compact_token_limit": "int",
    "model_reasoning_effort": "str", "model_reasoning_summary": ("auto", "concise", "detailed", "none"),
    "model_verbosity": ("low", "medium", "high"), "service_tier": "str",
    "personality": ("none", "friendly", "pragmatic"),
    "web_search": ("disabled", "cached", "indexed", "live"), "sandbox_workspace_write": "table",
    "sandbox_mode": ("read-only", "workspace-write", "danger-full-access"), "default_permissions": "str",
    "approvals_reviewer": ("user", "auto_review", "guardian_subagent"), "permissions": "table",
    "project_doc_max_bytes": "count", "project_doc_fallback_filenames": "texts", "project_root_markers": "texts",
    "projects": "table", "developer_instructions": "str", "instructions": "str", "model_instructions_file": "str",
    "compact_prompt": "str", "include_environment_context": "bool", "include_permissions_instructions": "bool",
    "include_collaboration_mode_instructions": "bool", "include_apps_instructions": "bool", "features": "table",
    "skills": "table", "mcp_servers": "table", "agents": "table", "tools": "table", "hooks": "table",
    "suppress_unstable_features_warning": "bool", "allow_login_shell": "bool", "hide_agent_reasoning": "bool",
    "show_raw_agent_reasoning": "bool", "tool_output_token_limit": "count", "review_model": "str", "notify": "texts",
    "history": "table", "memories": "table", "tui": "table", "shell_environment_policy": "table",
    "model_providers": "table", "profiles": "table", "plugins": "table", "marketplaces": "table",
}  # fmt: skip

_OTHERS = frozenset(
    {
        "analytics", "approval_policy", "apps", "apps_mcp_product_sku", "audio", "auto_review",
        "background_terminal_max_timeout", "chatgpt_base_url", "check_for_update_on_startup",
        "cli_auth_credentials_store", "debug", "desktop", "disable_paste_burst", "experimental_compact_prompt_file",
        "experimental_realtime_start_instructions", "experimental_realtime_ws_backend_prompt",
        "experimental_realtime_ws_base_url", "experimental_realtime_ws_model",
        "experimental_realtime_ws_startup_context", "experimental_thread_config_endpoint", "experimental_thread_store",
        "experimental_use_unified_exec_tool", "feedback", "file_opener", "forced_chatgpt_workspace_id",
        "forced_login_method", "ghost_snapshot", "log_dir", "mcp_oauth_callback_port", "mcp_oauth_callback_url",
        "mcp_oauth_credentials_store", "model_auto_compact_token_limit_scope", "model_catalog_json",
        "model_supports_reasoning_summaries", "notice", "openai_base_url", "oss_provider", "otel",
        "plan_mode_reasoning_effort", "profile", "realtime", "sqlite_home", "tool_suggest", "windows",
    }
)  # fmt: skip

_WITHIN: dict[str, Mapping[str, Kind]] = {
    "sandbox_workspace_write": _SANDBOX_TABLE,
    "skills": {"include_instructions": "bool", "bundled": "table", "config": "tables"},
}
"""Tables whose own keys are all known."""

_SERVER: dict[str, Kind] = {
    "enabled": "bool", "required": "bool", "enabled_tools": "texts", "disabled_tools": "texts", "command": "str",
    "args": "texts", "url": "str", "env": "table", "cwd": "str", "http_headers": "table", "env_http_headers": "table",
    "bearer_token_env_var": "str", "startup_timeout_sec": "number", "tool_timeout_sec": "number",
}  # fmt: skip
_TRUST: Kind = ("trusted", "untrusted")
_ROLE: dict[str, Kind] = {"description": "str", "config_file": "str", "nickname_candidates": "texts"}
_SEARCH: dict[str, Kind] = {
    "context_size": ("low", "medium", "high"), "allowed_domains": "texts", "location": "table",
}  # fmt: skip
_INNER: tuple[tuple[str, str, Kinds], ...] = (
    ("skills", "bundled", {"enabled": "bool"}),
    ("tools", "web_search", _SEARCH),
)

NOT_OF_PROJECTS = frozenset(
    {
        "apps_mcp_product_sku", "chatgpt_base_url", "experimental_realtime_ws_base_url", "model_provider",
        "model_providers", "notify", "openai_base_url", "otel", "profile", "profiles", "project_root_markers",
        "projects",
    }
)  # fmt: skip
"""Keys that the settings of a repository cannot set; they are left out with a warning (2.4) [source]."""


def unknown_keys(values: Mapping[str, Json]) -> Iterator[tuple[str, ...]]:
    """The paths of keys that Codex ignores."""
    for key, value in values.items():
        if key not in _TYPED and key not in _OTHERS:
            yield (key,)
        elif key in _WITHIN and isinstance(value, dict):
            yield from ((key, inner) for inner in value if inner not in _WITHIN[key])


def misfits(values: Mapping[str, Json]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The paths of values that stop the start, each with what is wrong."""
    for key, kind in _TYPED.items():
        if key in values and (problem := _problem(values[key], kind)):
            yield (key,), problem
    for key, inner in _WITHIN.items():
        yield from _below(values, key, inner)
    yield from _of_each(values, "mcp_servers", _SERVER)
    yield from _of_each(values, "projects", {"trust_level": _TRUST})
    agents = values.get("agents")
    if isinstance(agents, dict):  # beside the roles stand limits
        yield from _of_each({"agents": {k: v for k, v in agents.items() if isinstance(v, dict)}}, "agents", _ROLE)
    for key, name, kinds in _INNER:
        table = values.get(key)
        if isinstance(table, dict):
            yield from (((key, *path), text) for path, text in _below(table, name, kinds))
    yield from _below(values, "memories", {"use_memories": "bool"})
    features = values.get("features")
    for name, value in features.items() if isinstance(features, dict) else ():
        if not isinstance(value, (bool, dict)):
            yield ("features", name), "it is neither true nor false"


def unreachable(servers: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The MCP servers that stop the start: Codex cannot tell whether to run them or to call an address [source]."""
    for name, table in servers.items():
        if isinstance(table, dict):
            if "command" not in table and "url" not in table:
                yield name, "it has neither a command nor an address"
            elif "command" in table and "url" in table:
                yield name, "it has both a command and an address"


def _of_each(values: Mapping[str, Json], key: str, kinds: Kinds) -> Iterator[tuple[tuple[str, ...], str]]:
    """A table of tables that all have the same keys."""
    tables = values.get(key)
    if not isinstance(tables, dict):
        return
    for name, table in tables.items():
        if not isinstance(table, dict):
            yield (key, name), "it is not a table"
        yield from (((key, *path), text) for path, text in _below(tables, name, kinds))


def _below(values: Mapping[str, Json], key: str, kinds: Kinds) -> Iterator[tuple[tuple[str, ...], str]]:
    table = values.get(key)
    if isinstance(table, dict):
        for name, kind in kinds.items():
            if name in table and (problem := _problem(table[name], kind)):
                yield (key, name), problem


def _problem(value: Json, kind: Kind) -> str | None:
    if isinstance(kind, tuple):
        if isinstance(value, str) and value in kind:
            return None
        return f"it is none of {', '.join(kind)}"
    fits, what = _KINDS[kind]
    return None if fits(value) else f"it is not {what}"


def _whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_KINDS: Mapping[str, tuple[Callable[[Json], bool], str]] = {
    "bool": (lambda v: isinstance(v, bool), "true or false"),
    "int": (_whole, "a whole number"),
    "count": (lambda v: _whole(v) and v >= 0, "a whole number from 0 on"),
    "str": (lambda v: isinstance(v, str), "a text"),
    "texts": (_texts, "a list of texts"),
    "number": (lambda v: isinstance(v, (int, float)) and not isinstance(v, bool), "a number"),
    "table": (lambda v: isinstance(v, dict), "a table"),
    "tables": (lambda v: isinstance(v, list) and all(isinstance(i, dict) for i in v), "a list of tables"),
}
