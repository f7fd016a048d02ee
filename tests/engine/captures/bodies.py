"""A small request of each protocol that says the same."""

from __future__ import annotations

from typing import Any

SYSTEM = "You are a tester.\n\n# Rules\n\nBe brief."
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}

ANTHROPIC: dict[str, Any] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 10,
    "system": [{"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
    "tools": [{"name": "read", "description": "Reads.", "input_schema": SCHEMA}],
}
CHAT: dict[str, Any] = {
    "model": "gpt-5",
    "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "hi"}],
    "tools": [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}}],
}
RESPONSES: dict[str, Any] = {
    "model": "gpt-5",
    "input": [
        {"type": "additional_tools", "tools": [
            {"type": "function", "name": "read", "description": "Reads.", "parameters": SCHEMA},
        ]},
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": SYSTEM}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
    ],
}  # fmt: skip
GEMINI: dict[str, Any] = {
    "systemInstruction": {"parts": [{"text": SYSTEM}]},
    "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
    "tools": [{"functionDeclarations": [{"name": "read", "description": "Reads.", "parametersJsonSchema": SCHEMA}]}],
}
BODIES = {
    "anthropic": (ANTHROPIC, "/v1/messages?beta=true"),
    "chat": (CHAT, "/v1/chat/completions"),
    "responses": (RESPONSES, "/v1/responses"),
    "gemini": (GEMINI, "/v1beta/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse"),
}
"""By protocol: the body and the path it is sent to."""
