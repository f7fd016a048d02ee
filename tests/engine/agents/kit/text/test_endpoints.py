"""Where the request goes, of every agent: method and address, and what decides them."""

from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.registry import built_in_ids
from promptscope_engine.prompt.model import Assembly, Endpoint

KEY = {"GOOGLE_API_KEY": "x"}
VERTEX = {"CLAUDE_CODE_USE_VERTEX": "1", "CLOUD_ML_REGION": "us-east5", "ANTHROPIC_VERTEX_PROJECT_ID": "proj"}
STREAM = "models/gemini-3.8-flash:streamGenerateContent?alt=sse"


def assembly_of(place: Any, agent: str, **more: Any) -> Assembly:
    values = {"agent": agent, "workspace": str(place), "home": str(place), **more}
    return assemble(Scenario.model_validate(values), cached_only=True)


def copilot(kind: str, wire: str, **more: str) -> dict[str, dict[str, str]]:
    given = {"TYPE": kind, "WIRE_API": wire, "BASE_URL": "http://h/b", **more}
    return {"env": {f"COPILOT_PROVIDER_{name}": value for name, value in given.items()}}


def opencode(package: str, **more: Any) -> dict[str, Any]:
    stub = {"npm": package, "models": {"m": {}}, "options": {"baseURL": "http://h/b"}, **more}
    return {"model": "stub/m", "params": {"settings": {"provider": {"stub": stub}}}}


def openclaw(api: str, base: str) -> dict[str, Any]:
    stub = {"baseUrl": base, "api": api, "models": [{"id": "one", "name": "one"}]}
    return {"model": "stub/one", "params": {"configOverlay": {"models": {"providers": {"stub": stub}}}}}


@pytest.mark.parametrize(
    ("agent", "asked", "url"),
    [
        ("claude-code", {}, "https://api.anthropic.com/v1/messages?beta=true"),
        ("claude-code", {"env": {"ANTHROPIC_BASE_URL": "http://h/a/b/"}}, "http://h/a/b/v1/messages?beta=true"),
        ("claude-code", {"env": {"ANTHROPIC_BASE_URL": "http://me:secret@h"}}, "http://h/v1/messages?beta=true"),
        (
            "claude-code",
            {"env": {**VERTEX, "ANTHROPIC_VERTEX_BASE_URL": "http://h"}, "model": "claude-opus-5-5"},
            "http://h/projects/proj/locations/us-east5/publishers/anthropic/models/claude-opus-5-5:streamRawPredict",
        ),
        (
            "claude-code",
            {"env": {"CLAUDE_CODE_USE_BEDROCK": "1", "AWS_REGION": "us-east-1"}},
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/{model id of Bedrock}/invoke-with-response-stream",
        ),
        (
            "claude-code",
            {"env": {"CLAUDE_CODE_USE_FOUNDRY": "1", "ANTHROPIC_FOUNDRY_BASE_URL": "http://h"}},
            "http://h/v1/messages?beta=true",
        ),
        ("codex", {}, "https://api.openai.com/v1/responses"),
        ("codex", {"params": {"auth": "chatgpt"}}, "https://chatgpt.com/backend-api/codex/responses"),
        ("copilot", {}, "{COPILOT_PROVIDER_BASE_URL}/chat/completions"),
        ("copilot", {"params": {"login": True}, "model": "gpt-5.4"}, "https://api.githubcopilot.com/responses"),
        ("copilot", copilot("openai", "completions"), "http://h/b/chat/completions"),
        ("copilot", copilot("openai", "responses"), "http://h/b/responses"),
        ("copilot", copilot("anthropic", "responses"), "http://h/b/v1/messages"),
        ("copilot", copilot("azure", "completions"), "http://h/b/openai/v1/chat/completions"),
        ("copilot", copilot("azure", "responses"), "http://h/b/openai/v1/responses"),
        (
            "copilot",
            {**copilot("azure", "completions", AZURE_API_VERSION="2026-01-01"), "model": "gpt-5.4"},
            "http://h/b/openai/deployments/gpt-5.4/chat/completions?api-version=2026-01-01",
        ),
        (
            "copilot",
            copilot("azure", "responses", AZURE_API_VERSION="2026-01-01"),
            "http://h/b/openai/responses?api-version=2026-01-01",
        ),
        ("gemini", {}, f"https://generativelanguage.googleapis.com/v1beta/{STREAM}"),
        ("gemini", {"env": {"GOOGLE_GEMINI_BASE_URL": "http://h/x/"}}, f"http://h/x/v1beta/{STREAM}"),
        (
            "gemini",
            {"params": {"authType": "vertex-ai"}, "env": {**KEY, "GOOGLE_VERTEX_BASE_URL": "http://h"}},
            f"http://h/v1beta1/publishers/google/{STREAM}",
        ),
        ("openclaw", openclaw("anthropic-messages", "http://h"), "http://h/v1/messages"),
        ("openclaw", openclaw("anthropic-messages", "http://h/v1"), "http://h/v1/messages"),
        ("openclaw", openclaw("openai-completions", "http://h"), "http://h/chat/completions"),
        ("openclaw", openclaw("openai-responses", "http://h"), "http://h/responses"),
        ("openclaw", openclaw("google-generative-ai", "http://h"), "http://h/models/one:streamGenerateContent?alt=sse"),
        ("openclaw", openclaw("ollama", "http://h"), "http://h/api/chat"),
        ("opencode", {"model": "anthropic/claude-sonnet-5"}, "https://api.anthropic.com/v1/messages"),
        ("opencode", opencode("@ai-sdk/anthropic"), "http://h/b/messages"),
        ("opencode", opencode("@ai-sdk/openai"), "http://h/b/responses"),
        ("opencode", opencode("@ai-sdk/azure"), "http://h/b/responses"),
        ("opencode", opencode("@ai-sdk/google"), "http://h/b/models/m:streamGenerateContent?alt=sse"),
        ("opencode", opencode("@ai-sdk/openai-compatible"), "http://h/b/chat/completions"),
        ("opencode", opencode("@ai-sdk/groq"), "http://h/b/chat/completions"),
        ("opencode", opencode("@ai-sdk/openai", options={}, api="http://h/api"), "http://h/api/responses"),
        ("roo", {"params": {"apiProvider": "anthropic"}}, "https://api.anthropic.com/v1/messages"),
        ("roo", {"params": {"apiProvider": "openrouter"}}, "https://openrouter.ai/api/v1/chat/completions"),
        ("roo", {}, ""),
    ],
)
def test_the_address_is_the_one_that_the_client_asks(
    tmp_path: Any, agent: str, asked: dict[str, Any], url: str
) -> None:
    found = assembly_of(tmp_path, agent, **asked).endpoint
    assert found is not None
    assert (found.method, found.url) == ("POST", url)


def test_a_provider_of_codex_has_its_own_address(tmp_path: Any) -> None:
    home = tmp_path / ".codex"
    home.mkdir()
    (home / "config.toml").write_text(
        'model_provider = "az"\n[model_providers.az]\nname = "az"\nbase_url = "http://h/openai"\n'
        'query_params = {api-version = "2026"}\n'
    )
    found = assembly_of(tmp_path, "codex").endpoint
    assert found == Endpoint(
        "POST", "http://h/openai/responses?api-version=2026", "`model_providers.az.base_url` names the host"
    )


@pytest.mark.parametrize("agent", built_in_ids())
def test_every_agent_says_where_its_request_goes_and_why(tmp_path: Any, agent: str) -> None:
    answer = assembly_of(tmp_path, agent).to_dict()["endpoint"]
    assert isinstance(answer, dict)
    assert answer["method"] == "POST"
    assert answer["why"]


def test_what_a_row_lacks_the_last_one_has() -> None:
    rows = [{"if": {"a": 1}, "path": "/one"}, {"bases": ["B"], "base": "http://{host}", "path": "/x", "says": "usual"}]
    assert endpoint(rows, {"a": 1, "host": "h"}, {}) == Endpoint("POST", "http://h/one", "usual")
    assert endpoint(rows, {"a": 2}, {"B": "http://b/"}) == Endpoint("POST", "http://b/x", "`B` names the host")
    assert endpoint(rows, {"a": 2, "host": None}, {}).url == "http://{host}/x"
