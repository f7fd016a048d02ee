"""The features of `[features]`: which are on by default, and which Codex calls unfinished (specs/codex.md 7.7)."""

from __future__ import annotations

ON = frozenset(
    {
        "apps", "browser_use", "computer_use", "deferred_tool_world_state", "enable_request_compression", "fast_mode",
        "goals", "guardian_approval", "hooks", "image_generation", "mentions_v2", "multi_agent", "personality",
        "plugins", "shell_snapshot", "shell_tool", "skill_mcp_dependency_install", "sleep_tool", "tool_suggest",
        "unified_exec", "unified_exec_tty", "view_image",
    }
)  # fmt: skip
"""On unless somebody switches them off."""

UNFINISHED = frozenset(
    {
        "apply_patch_streaming_events", "artifact", "auth_elicitation", "child_agents_md", "chronicle", "code_mode",
        "code_mode_buffered_exec", "code_mode_only", "concurrent_reasoning_summaries", "current_time_reminder",
        "default_mode_request_user_input", "deferred_executor", "enable_fanout", "enable_mcp_apps",
        "exec_permission_approvals", "executed_tool_call_metadata", "executor_capability_discovery", "guardianv2",
        "image_resize_notice", "imagegenext", "item_ids", "local_thread_store_compression",
        "model_catalog_in_context", "non_prefixed_mcp_tool_names", "omit_skill_descriptions", "realtime_conversation",
        "remote_plugin", "request_permissions_tool", "resize_all_images", "respect_system_proxy", "rollout_budget",
        "runtime_metrics", "send_message_to_user_async", "shell_zsh_fork", "standalone_web_search",
        "terminal_visualization_instructions", "token_budget", "tool_search_always_defer_mcp_tools",
        "unified_exec_zsh_fork", "use_agent_identity",
    }
)  # fmt: skip
"""Under development: Codex warns when one is switched on."""

QUIET = frozenset(
    {
        "apply_patch_freeform", "apps_mcp_path_override", "browser_use_external", "browser_use_full_cdp_access",
        "code_mode_host", "codex_git_commit", "codex_hooks", "collab", "collaboration_modes", "connectors",
        "elevated_windows_sandbox",
        "enable_experimental_windows_sandbox", "experimental_use_unified_exec_tool", "experimental_windows_sandbox",
        "external_migration", "image_detail_original", "in_app_browser", "js_repl", "js_repl_tools_only", "memories",
        "memory_tool", "multi_agent_v2", "network_proxy", "plugin_hooks", "plugin_sharing", "prevent_idle_sleep",
        "remote_compaction_v2", "remote_control", "remote_models", "request_permissions", "request_rule",
        "responses_websocket_response_processed", "responses_websockets", "responses_websockets_v2", "search_tool",
        "secret_auth_storage", "skill_env_var_dependency_prompt", "skill_search", "sqlite", "steer", "telepathy",
        "terminal_resize_reflow", "tool_call_mcp_elicitation", "tool_search", "tui_app_server",
        "unavailable_dummy_tools", "undo", "use_legacy_landlock", "use_linux_sandbox_bwrap", "web_search",
        "web_search_cached", "web_search_request", "workspace_dependencies", "workspace_owner_usage_nudge",
    }
)  # fmt: skip
"""Off unless switched on, and without a warning then."""

ALIASES = {"collab": "multi_agent", "codex_hooks": "hooks", "memory_tool": "memories", "connectors": "apps"}
"""Older names of features."""

KNOWN = ON | UNFINISHED | QUIET
