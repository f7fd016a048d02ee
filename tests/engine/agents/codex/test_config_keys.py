"""What Codex takes in config.toml: each fact was seen in 0.169.0."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.codex.gather.settings import schema, unreachable


def said(values: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.key, finding.reason) for finding in schema().findings(values)]


@pytest.mark.parametrize(
    ("values", "key", "reason"),
    [
        ({"hide_agent_reasoning": "yes"}, "hide_agent_reasoning", "must be true or false"),
        ({"project_doc_max_bytes": -1}, "project_doc_max_bytes", "must be a whole number of 0 or more"),
        ({"project_doc_max_bytes": 1.0}, "project_doc_max_bytes", "must be a whole number of 0 or more"),
        ({"model": 5}, "model", "must be a string"),
        ({"notify": ["a", 1]}, "notify[1]", "must be a string"),
        ({"web_search": "on"}, "web_search", "must be one of disabled, cached, indexed, live"),
        ({"mcp_servers": {"a": {"env": {"A": 1}}}}, "mcp_servers.a.env.A", "must be a string"),
        ({"mcp_servers": {"a": {"env": {"env_vars": ["K"]}}}}, "mcp_servers.a.env.env_vars", "must be a string"),
        ({"mcp_servers": {"a": {"startup_timeout_sec": True}}}, "mcp_servers.a.startup_timeout_sec",
         "must be a number"),
        ({"tui": {"notifications": "yes"}}, "tui.notifications", "must be true or false or a list of strings"),
        ({"shell_environment_policy": {"inherit": "some"}}, "shell_environment_policy.inherit", "must be one of core"),
        ({"skills": {"config": [{}]}}, "skills.config[0].enabled", "is missing"),
        ({"history": 5}, "history", "must be a table"),
        ({"features": {"goals": {"enabled": True}}}, "features.goals", "must be true or false"),
        ({"approval_policy": "untrusted"}, "approval_policy", "must be one of on-request, on-failure, never"),
        ({"mcp_oauth_callback_port": 70000}, "mcp_oauth_callback_port", "must be a whole number from 0 to 65535"),
        ({"otel": {"exporter": {"otlp-http": {"endpoint": "a", "protocol": "b"}}}}, "otel.exporter.otlp-http.protocol",
         "must be one of binary, json"),
        ({"profiles": {"deep": {"model": 5}}}, "profiles.deep.model", "must be a string"),
        ({"profiles": {"deep": {"features": {"goals": 5}}}}, "profiles.deep.features.goals", "must be true or false"),
        ({"features": {"code_mode": {"nope": 1}}}, "features.code_mode.nope", "unknown key"),
        ({"features": {"multi_agent_v2": {"min_wait_timeout_ms": 40_000}}},
         "features.multi_agent_v2", "needs `min_wait_timeout_ms` no higher than `default_wait_timeout_ms`"),
        ({"features": {"rollout_budget": {"enabled": True}}}, "features.rollout_budget", "needs `limit_tokens`"),
        ({"model_providers": {"amazon-bedrock": {"name": "x"}}}, "model_providers.amazon-bedrock", "takes only `auth`"),
        ({"model_providers": {"x": {"name": "x", "aws": {}}}}, "model_providers.x", "cannot have `aws`"),
    ],
)  # fmt: skip
def test_values_that_stop_the_start(values: dict[str, Any], key: str, reason: str) -> None:
    ((found, why),) = said(values)
    assert found == key
    assert why.startswith(reason)


@pytest.mark.parametrize(
    "values",
    [
        {"model": "", "notify": [], "model_context_window": -1},
        {"features": {"multi_agent_v2": {"enabled": True}, "warp": True}},
        {"agents": {"max_depth": 0, "reviewer": {"description": "d"}}},
        {"approval_policy": {"granular": {"mcp_elicitations": True, "rules": True, "sandbox_approval": False}}},
        {"profiles": {"deep": {"model": "m", "tui": {"session_picker_view": "dense"}}}},
        {"features": {"multi_agent_v2": {"max_wait_timeout_ms": 30_000}, "rollout_budget": False}},
        {"model_providers": {"amazon-bedrock": {"aws": {"region": "x"}, "supports_websockets": False}}},
        {"tui": {"notifications": ["a"]}, "otel": {"exporter": {"otlp-grpc": {"endpoint": "e"}}}},
        {"mcp_servers": {"a": {"command": "c", "startup_timeout_sec": 1.5, "env_vars": ["A", {"name": "B"}]}}},
        {"history": [], "skills": [], "sandbox_workspace_write": [], "model_providers": [], "tool_suggest": []},
        {"apps": {"_default": [], "x": []}, "plugins": {"p@m": []}, "marketplaces": {"m": []}},
        {"skills": {"bundled": []}, "tools": {"update_plan": []}, "tui": {"keymap": [], "effects": []}},
    ],
)
def test_values_that_fit(values: dict[str, Any]) -> None:
    assert said(values) == []


@pytest.mark.parametrize("key", ["analytics", "tools", "features", "shell_environment_policy", "agents", "mcp_servers"])
def test_an_empty_list_is_a_table_only_where_codex_takes_it_for_one(key: str) -> None:
    """Asked of 0.171.0, of each table."""
    assert said({key: []}) == [(key, "must be a table")]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"tui": {"project_doc_max_bytes": 1}},
            "Codex knows no setting `tui.project_doc_max_bytes`: `project_doc_max_bytes` is a top-level key, but is in "
            "[tui]",
        ),
        (
            {"exclude_slash_tmp": True},
            "Codex knows no setting `exclude_slash_tmp`: `exclude_slash_tmp` belongs in [sandbox_workspace_write], but "
            "is at the top level",
        ),
        ({"mdoel": "a"}, "Codex knows no setting `mdoel`; did you mean `model`?"),
        (
            {"mcp_servers": {"a.b": {"enabledTools": []}}},
            "Codex knows no setting `mcp_servers.a.b.enabledTools`; did you mean `mcp_servers.a.b.enabled_tools`?",
        ),
        ({"zzqqx": 1}, "Codex knows no setting `zzqqx`"),
    ],
)
def test_a_key_that_is_unknown_says_what_was_meant(values: dict[str, Any], sentence: str) -> None:
    (finding,) = schema().findings(values)
    assert f"Codex knows no setting `{finding.key}`{finding.hint('[{}]')}" == sentence


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"command": "a"}, []),
        ({"url": "a", "http_headers": {}}, []),
        ({}, ["it has neither a command nor an address"]),
        ({"command": "a", "url": "b"}, ["it has both a command and an address"]),
        ({"command": "a", "oauth": {}}, ["`oauth` cannot go with `command`"]),
        ({"url": "a", "args": [], "env": {}}, ["`args` cannot go with `url`", "`env` cannot go with `url`"]),
        ("a", []),
    ],
)
def test_a_server_is_run_or_called(table: Any, problem: list[str]) -> None:
    assert [text for _, text in unreachable({"s": table})] == problem
