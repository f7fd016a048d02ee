"""The settings in their layers.

/etc/codex/config.toml < $CODEX_HOME/config.toml < <profile>.config.toml < the repository's .codex/config.toml from the
root down < the command line < /etc/codex/managed_config.toml < `settings` of the scenario; what requirements.toml says
of features is above all of them. Tables merge key by key, everything else is overridden.
A value that does not fit stops the start; an unknown key does with --strict-config, if Codex notices it [0.169.0].
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import TypeVar

from msgspec.structs import replace

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import Content, Join, Layer, LayeredSettings, LayerReader
from promptscope_engine.agents.kit.disk.settings import filled
from promptscope_engine.agents.kit.disk.settings_schema import Policy, Schema, checked, load_schema
from promptscope_engine.agents.kit.disk.walking import from_home
from promptscope_engine.formats.document import Json, Path, unfit
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.formats.toml import TomlError, read_toml
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .requirements import Requirements

_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
WHITE_SPACE = f"\t\n\x0b\x0c\r \x85\xa0\u1680{_SPACES}\u2028\u2029\u202f\u205f\u3000"
"""What Rust trims: unlike Python's, without the separators U+001C to U+001F."""


def trimmed(text: str) -> str:
    """The text without white space around it, as Rust has it."""
    return text.strip(WHITE_SPACE)


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_blank(text: str) -> bool:
    """Whether there is nothing but white space, as Rust has it."""
    return not trimmed(text)


def single_line(text: str) -> str:
    """Runs of white space as one blank, none at the ends."""
    for sign in WHITE_SPACE:
        text = text.replace(sign, " ")
    return " ".join(filter(None, text.split(" ")))


@cache
def schema() -> Schema:
    """What 0.169.0 takes in config.toml; each key and type was compared with the program."""
    return load_schema(FOLDER.path / "settings.json", "toml")


def unreachable(servers: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The MCP servers that stop the start: Codex cannot tell whether to run them or to call an address [0.169.0]."""
    for name, table in servers.items():
        if not isinstance(table, dict):
            continue
        if "command" not in table and "url" not in table:
            yield name, "it has neither a command nor an address"
        elif "command" in table and "url" in table:
            yield name, "it has both a command and an address"
        else:
            key = "command" if "command" in table else "url"
            for other in (other for other in _NOT_WITH[key] if other in table):
                yield name, f"`{other}` cannot go with `{key}`"


MAX_CHARS = 500_000
"""No settings file has a tenth of it."""
POLICY = Policy("Codex", schema, misfit="start", because=", and --strict-config is given", table="[{}]")
MAX_PARTS = 20
"""Of a key on the command line."""
PROJECT = "project"
"""The kind of layer that comes with a repository."""
SCENARIO = "scenario"
"""The kind of layer that the scenario lays over the files."""
JOIN = Join()
T = TypeVar("T")
_NOT_OF_PROJECTS = (
    "apps_mcp_product_sku", "chatgpt_base_url", "experimental_realtime_ws_base_url", "model_provider",
    "model_providers", "notify", "openai_base_url", "otel", "profile", "profiles", "project_root_markers",
)  # fmt: skip
"""Keys that the settings of a repository cannot set; they are left out with a warning [source]."""
_NOT_WITH = {
    "command": (
        "bearer_token", "bearer_token_env_var", "http_headers", "http_headers_helper", "env_http_headers", "oauth",
        "oauth_resource",
    ),
    "url": ("args", "bearer_token", "env", "env_vars", "cwd"),
}  # fmt: skip
"""What cannot go with the `command` or the `url` of a server [0.169.0]."""
_NOT_MODELLED = {
    "features.token_budget.context_window_as_tool_output": " (the window is told as an answer of a tool)",
    "features.current_time_reminder.clock_source": " (a clock outside of Codex)",
    "features.multi_agent_v2.message_board_remote": " (a board that other agents write on)",
}
"""Settings that Codex goes by and promptscope does not, with why that is so."""
_DEMANDS_NOT_MODELLED = ("experimental_network", "remote_sandbox_config")
"""The same of requirements.toml."""
_VARIABLES_NOT_MODELLED = {"CODEX_EXEC_SERVER_URL": ("", "none")}
"""The same of variables, with the values that do count."""
ON = (
    "api_key_cyber_access_programs", "api_key_model_discovery", "apps", "bedrock_setup_wizard",
    "browser_annotation_api", "browser_use", "cli_daybreak", "code_mode_host_grpc",
    "code_mode_host_output_truncation", "code_mode_interrupt", "compaction_image_budget", "computer_use",
    "content_item_kinds", "daemon_auto_start", "deferred_tool_world_state", "enable_request_compression",
    "fast_mode", "goals", "guardian_approval", "guardian_include_additional_context",
    "guardian_reuse_parent_compaction", "hooks", "image_generation", "in_app_chat", "in_app_dictation",
    "in_app_local_automation", "in_app_updates", "in_app_voice", "incremental_tools", "incremental_tools_legacy_gcp",
    "instant_interrupt", "mcp_oauth_refresh_coordination", "mentions_v2", "multi_agent", "personality", "plugins",
    "prediction_preserve_parent_tools", "reasoning_effort_override", "retain_client_tool_outputs", "shell_snapshot",
    "shell_tool", "skill_mcp_dependency_install", "sleep_tool", "system_proxy_fallback", "tool_suggest",
    "ultrafast_mode", "unbounded_connection_retries", "unified_exec", "unified_exec_tty", "unified_image_budget",
    "untrusted_as_tool_output", "view_image", "write_stdin_approval",
)  # fmt: skip
"""The features that are on unless somebody switches them off."""
_UNFINISHED = (
    "agent_message_board", "agent_message_board_mcp", "app_server_websocket_compression",
    "apply_patch_streaming_events", "apps_early_resource_discovery", "artifact", "async_compaction",
    "async_compaction_root_only", "auth_elicitation", "background_paginated_rollout_migration",
    "catalog_apps_instructions", "child_agents_md", "chronicle", "cli_resume_account_check", "code_mode",
    "code_mode_buffered_exec", "code_mode_only", "code_mode_only_strict_3p_tools", "code_mode_prewarm",
    "code_mode_tool_search", "codex_apps_mcp_2026_07_28", "command_sessions_world_state",
    "concurrent_reasoning_summaries", "context_management", "credential_masking", "critical_path_timing",
    "current_time_reminder", "cwd_relative_turn_diffs", "daybreak_program_propagation",
    "default_mode_request_user_input", "defer_mailbox_preemption", "deferred_executor", "enable_fanout",
    "enable_mcp_apps", "exec_permission_approvals", "executed_tool_call_metadata", "executor_capability_discovery",
    "executor_capability_discovery_v2", "external_agent_memory_import", "file_backed_tool_audio",
    "guardian_conversation_history_tools", "guardian_denial_reconsideration",
    "guardian_enhanced_node_repl_transcripts", "guardian_native_multi_agent_history",
    "guardian_nested_approval_context", "guardian_node_repl_transcript_images", "guardian_recorded_items",
    "guardian_root_handoff_context", "guardian_trust_orchestrator_connectors", "guardianv2",
    "guardianv2_decisions_comparison", "guardianv3", "hosted_search_policy", "image_generation_animation",
    "image_resize_notice", "imagegenext", "incremental_exec_tools", "interrupt_on_cancel", "item_ids",
    "local_thread_store_compression", "mcp_2026_07_28", "mcp_connection_sharing", "mcp_lazy_stdio_startup",
    "mcp_shared_repl_cwd", "mcp_tool_list_changed", "model_catalog_in_context", "multi_agent_v2_dynamic_tools",
    "multi_env_copy_file", "multi_environment_mcp", "non_prefixed_mcp_tool_names", "nonfatal_clock_read_errors",
    "omit_app_server_notification_media", "omit_skill_descriptions", "output_token_replay",
    "per_environment_context", "powershell_shell_version", "prefer_mxc", "psp", "realtime_conversation",
    "remote_plugin", "request_permissions_tool", "resize_all_images", "respect_system_proxy",
    "restored_history_prewarm", "retain_client_developer_messages", "rollout_budget", "runtime_agent_instances",
    "runtime_metrics", "safe_image_decoder", "send_message_to_user_async", "shell_snapshot_v2", "shell_zsh_fork",
    "simplified_selection_hints", "skill_catalog_deltas", "skip_host_skill_discovery", "standalone_web_search",
    "step_model_switching", "subagent_default_context_limits", "subagent_thread_environments",
    "terminal_visualization_instructions", "token_budget", "tool_search_always_defer_mcp_tools", "tui_multi_backend",
    "unified_exec_zsh_fork", "use_agent_identity", "use_xaa", "utc_environment_date", "wake_on_agent_messages",
    "windows_sandbox_service",
)  # fmt: skip
"""Those under development: Codex warns when one is switched on."""
_QUIET = (
    "analytics_plan_history", "apply_patch_freeform", "apply_patch_preserve_line_endings", "apps_mcp_path_override",
    "browser_use_external", "browser_use_full_cdp_access", "code_mode_host", "code_mode_tool_description_first",
    "codex_git_commit", "codex_hooks", "collab", "collaboration_modes", "connectors", "elevated_windows_sandbox",
    "enable_experimental_windows_sandbox", "experimental_use_unified_exec_tool", "experimental_windows_sandbox",
    "external_migration", "gateway_setup_wizard", "gcp_setup_wizard", "guardian_ext", "image_detail_original",
    "in_app_browser", "incremental_tools_legacy", "js_repl", "js_repl_tools_only",
    "local_thread_store_shared_compression", "login_shell_package_path", "memories", "memory_tool",
    "multi_agent_mode", "multi_agent_v2", "network_proxy", "plugin_discovery_prefetch", "plugin_hooks",
    "plugin_sharing", "prevent_idle_sleep", "recommended_plugins", "remote_compaction_v2", "remote_control",
    "remote_models", "request_permissions", "request_rule", "responses_websocket_response_processed",
    "responses_websockets", "responses_websockets_v2", "search_tool", "secret_auth_storage", "send_async_message",
    "skill_env_var_dependency_prompt", "skill_search", "sqlite", "stable_environment_tools", "steer",
    "suppress_model_change_announcements", "telepathy", "terminal_resize_reflow", "tool_call_mcp_elicitation",
    "tool_registry", "tool_search", "transcript_v2", "tui_app_server", "tui_extensions_statusline", "tui_workspace",
    "unavailable_dummy_tools", "undo", "use_legacy_landlock", "use_linux_sandbox_bwrap", "web_search",
    "web_search_cached", "web_search_request", "workspace_dependencies", "workspace_owner_usage_nudge", "worktrees",
)  # fmt: skip
"""Those that are off unless switched on, and without a warning then."""
ALIASES = {
    "collab": "multi_agent",
    "codex_hooks": "hooks",
    "memory_tool": "memories",
    "connectors": "apps",
    "request_permissions": "exec_permission_approvals",
}
"""Older names of features."""
DECIDING = tuple(next(table["keys"] for table in FOLDER.agent["switches"] if table.get("below") == "features"))
"""Those that decide something here: they are drawn as switches."""
KNOWN = frozenset((*ON, *_UNFINISHED, *_QUIET, *ALIASES))


class CodexSettings(LayeredSettings, frozen=True):
    """The layers, weakest first, and what they come to."""

    def counts(self, key: str, other: str) -> bool:
        """Whether the strongest layer that has either key has this one."""
        return key in next((layer.values for layer in reversed(self.layers) if {key, other} & layer.values.keys()), {})

    def whole(self, *key: str) -> int | None:
        """A whole number above zero, None where it is none."""
        given = self.known(*key).value
        return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else None

    def feature(self, name: str) -> Sourced[bool]:
        """Whether a feature is on, by its name or an older one: the last of them in the alphabet counts [0.169.0]."""
        names = [name, *(alias for alias, now in ALIASES.items() if now == name)]
        for key in sorted(names, reverse=True):
            known = self.known("features", key)
            value = _switched(known.value)
            if isinstance(value, bool):
                return Sourced(value, replace(known.source, overlay=f"settings.features.{name}"))
        return Sourced(name in ON, self.known("features", name).source)


@dataclass(eq=False, repr=False, kw_only=True)
class Session(LayerReader):
    """Gathering for one scenario: settings come first. The first of `refusals` is what stops the start."""

    cwd: str
    codex_home: str
    policy: Policy = POLICY
    settings: CodexSettings = field(init=False)
    requirements: Requirements = field(init=False)

    @property
    def system_folder(self) -> str:
        """The folder of the administrator's settings."""
        return self.inputs.managed or "/etc/codex"

    @property
    def placeless(self) -> bool:
        """Whether there is no place in which commands run, nor a project then."""
        return self.inputs.env.get("CODEX_EXEC_SERVER_URL") == "none"

    def path_of(self, path: str, layer: Layer | None) -> str:
        """A path that a layer names: it begins at the file that holds it, else in the working directory."""
        full = from_home(path, self.inputs.home)
        return full if full.startswith("/") else f"{layer.folder if layer and layer.path else self.cwd}/{full}"

    def parsed(self, file: FileText) -> Content:
        """A file's TOML."""
        line = lambda where: key_line(file.text, where, "toml") if where else None  # noqa: E731
        try:
            return Content(values_of(file), line)
        except TomlError as error:
            return Content(None, line, error.message, error.line)

    def broken(self, path: str, content: Content) -> None:
        """A broken file stops the start."""
        self.refuse(content.problem, path, content.place)

    def changed(self, layer: Layer) -> Layer:
        """A repository's settings without those that it cannot set."""
        own = _NOT_OF_PROJECTS if layer.kind == PROJECT else ()
        denied = [key for key in layer.values if key in own]
        for key in denied:
            self.diagnostics.append(FOLDER.note("project-setting", layer.source((key,)), key=key))
        return replace(layer, values={key: value for key, value in layer.values.items() if key not in denied})

    def personal(self) -> list[Layer]:
        """The layers that do not come with a repository, without the command line."""
        args = self.params.args
        system = f"{self.system_folder}/config.toml"
        user = f"{self.codex_home}/config.toml"
        when = FOLDER.reason("ignored") if args.ignoreUserConfig else ALWAYS
        layers = [self.layer(system), self.layer(user, when=when, reads=not args.ignoreUserConfig)]
        if args.profile is not None:
            layers.append(self.profile(args.profile, layers))
        return [layer for layer in layers if layer is not None]

    def profile(self, name: str, layers: Sequence[Layer | None]) -> Layer | None:
        """The profile's own file. A missing one is silently fine: that is worth a word."""
        if any(layer and name in layer.table("profiles") for layer in layers):
            self.refuse(f"the settings still hold [profiles.{name}]: profiles are files of their own")
        path = f"{self.codex_home}/{name}.config.toml"
        layer = self.layer(path)
        if self.workspace.kind(path) is None:
            names = [each.name for each in self.workspace.list(self.codex_home).entries]
            known = [each.removesuffix(".config.toml") for each in names if each.endswith(".config.toml")]
            note = FOLDER.note("missing-profile", path, shown=self.shown(path), meant=meant(name, known, 1))
            self.diagnostics.append(note)
        return layer

    def check(self, layer: Layer) -> Layer:
        """What Codex ignores in a layer.

        A wrong value stops the start with --strict-config; else only if no stronger layer has the key (`check_whole`)
        [0.169.0].
        """
        found = checked(layer.values, self.policy, lambda where: (layer.path or None, layer.line(where)))
        self.diagnostics += found.problems
        if self.params.args.strictConfig:
            self.refusals += found.refusals
            for name in layer.table("features").keys() - KNOWN:
                text = f"it knows no feature `{name}`, and --strict-config is given"
                self.refuse(text, layer.source(("features", name)))
        return layer

    # --- the command line -----------------------------------------------------------------------------------------

    def command_line(self) -> Layer:
        """`-c`, `--enable` and `--disable`."""
        values: Json = {}
        args = self.params.args
        for given in args.config:
            key, equals, text = given.partition("=")
            if not equals or not key.strip() or key.count(".") > MAX_PARTS:
                self.refuse(f"-c {given[:80]}: it is not `key=value`")
                continue
            parts = reversed(key.strip().split("."))
            values = JOIN.over(values, reduce(lambda inner, part: {part: inner}, parts, _toml_value(text.strip())))
        for names, on in ((args.enable, True), (args.disable, False)):
            for name in names:
                if name not in KNOWN:
                    self.refuse(f"it knows no feature `{name}`")
                values = JOIN.over(values, {"features": {name: on}})
        return self.check(Layer(values))

    def overlay(self) -> Layer:
        """The scenario's own `settings`."""
        return self.check(Layer(filled(self.params.settings.model_dump(exclude_none=True)), SCENARIO))

    def come_to(self, layers: Sequence[Layer]) -> CodexSettings:
        """What layers come to. Over or below a table, a feature's truth value is the table's `enabled` [0.169.0]."""
        tables = {
            name for layer in layers for name, value in layer.table("features").items() if isinstance(value, dict)
        }
        layers = [_with_tables(layer, tables) for layer in layers] if tables else layers
        path = f"{self.codex_home}/config.toml"
        unset = SettingSource("", path, self.shown(path), is_set=False)
        return CodexSettings(tuple(layers), JOIN.of(tuple(layers)), unset, JOIN)

    def check_whole(self, settings: CodexSettings) -> None:
        """What stops the start in what all layers come to; of servers, what the scenario lays over them does not."""

        def place(where: Path) -> tuple[str | None, int | None]:
            layer = settings.layer_of(*map(str, where)) if all(isinstance(part, str) for part in where) else None
            return (layer.path or None, layer.line(where)) if layer else (None, None)

        self.refusals += checked(settings.plain, POLICY, place).refusals
        if "profile" in settings.plain:
            text = "`profile` is no longer a setting: a profile is a file that -p names"
            self.refuse(text, settings.known("profile").source)
        given = self.come_to([layer for layer in settings.layers if layer.kind != SCENARIO])
        for name, problem in unreachable(given.table("mcp_servers")):
            self.refuse(f"the MCP server {name}: {problem}", given.known("mcp_servers", name).source)
        args = self.params.args
        flagged = args.sandbox or args.approveForMe or args.bypassSandbox or self.inputs.mode
        chosen = flagged or given.text("sandbox_mode").value or settings.text("default_permissions").value
        if given.table("permissions") and not chosen:
            text = "`[permissions]` describes profiles, and `default_permissions` names none of them"
            self.refuse(text, given.known("permissions").source)

        self._features(settings)
        self._not_modelled(settings)

    def _not_modelled(self, settings: CodexSettings) -> None:
        """What is known to change the prompt and is left out here."""
        demands = self.requirements.layer
        for key, what in _NOT_MODELLED.items():
            if (known := settings.known(*key.split("."))).value not in (None, False):
                self.diagnostics.append(FOLDER.note("not-modelled", known.source, key=key, what=what))
        for key in (key for key in _DEMANDS_NOT_MODELLED if key in demands.values):
            self.diagnostics.append(FOLDER.note("not-modelled", demands.source((key,)), key=key, what=""))
        for name, counted in _VARIABLES_NOT_MODELLED.items():
            if self.inputs.env.get(name, "") not in counted:
                self.diagnostics.append(FOLDER.note("not-modelled", key=name, what=""))

    def _features(self, settings: CodexSettings) -> None:
        """Features that Codex warns of, or does not know."""
        if settings.flag("suppress_unstable_features_warning", default=False).value:
            return
        for name in settings.table("features"):
            known = settings.known("features", name)
            value, place = _switched(known.value), known.source
            if name in _UNFINISHED and value is True:
                self.warn_at(place, "unstable-feature", f"the feature `{name}` is under development: Codex warns of it")
            elif name not in KNOWN:
                text = f"Codex knows no feature `{name}`{meant(name, KNOWN, 1)}"
                self.say("info", "unknown-feature", text, place.path, place.line)


def in_files(known: Sourced[T]) -> Sourced[T]:
    """A key below a feature: the scenario's switch of that is a truth value, so that nothing can be laid over files."""
    return replace(known, source=replace(known.source, overlay=None))


def _switched(value: Json) -> Json:
    """What a feature is set to: over or below a table, the table's `enabled`."""
    return value.get("enabled") if isinstance(value, dict) else value


def values_of(file: FileText) -> dict[str, Json]:
    """The file's values. Raises TomlError."""
    if not file.found:
        return {}
    if not is_utf8(file.data):
        raise TomlError("this is not valid TOML: it is not UTF-8")
    values = _without_dates(read_toml(file.text, MAX_CHARS))
    assert isinstance(values, dict)
    if problem := unfit(values):
        raise TomlError(problem[1], 1)
    return values


def _without_dates(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(inner) for inner in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _toml_value(text: str) -> Json:
    """The value of `-c key=value`: TOML, else the text itself without quotes around it."""
    try:
        value = _without_dates(read_toml(f"value = {text}", MAX_CHARS)["value"])
    except (TomlError, KeyError):
        return text.strip("\"'")
    return text if unfit(value) else value


def _with_tables(layer: Layer, names: Collection[str]) -> Layer:
    """The layer with tables for those features that another layer has as a table."""
    features = {
        name: {"enabled": value} if name in names and isinstance(value, bool) else value
        for name, value in layer.table("features").items()
    }
    return replace(layer, values={**layer.values, "features": features}) if features else layer
