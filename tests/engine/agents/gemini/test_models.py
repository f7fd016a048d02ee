"""Which model is asked, by the names a person gives (specs/gemini.md 13)."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.gemini.texts import resolve_model


@pytest.mark.parametrize(
    ("configured", "routed", "plan", "wire", "variant", "family"),
    [
        ("auto", "flash", False, "gemini-3.8-flash", "modern", "gemini-3"),
        ("auto", "flash", True, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-3", "pro", False, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-2.5", "flash", False, "gemini-3.8-flash", "legacy", "gemini-3"),
        ("pro", "flash", False, "gemini-3.1-pro-preview", "modern", "gemini-3"),
        ("flash-lite", "flash", False, "gemini-3.5-flash-lite", "modern", "gemini-3"),
        ("gemini-3-flash-preview", "pro", True, "gemini-3-flash-preview", "modern", "gemini-3"),
        ("gemini-2.5-flash", "pro", False, "gemini-2.5-flash", "legacy", "default-legacy"),
        ("my-model", "flash", False, "my-model", "modern", "default-legacy"),
    ],
)
def test_models(configured: str, routed: Any, plan: bool, wire: str, variant: str, family: str) -> None:
    model = resolve_model(configured, routed, plan=plan)
    assert (model.name, model.variant, model.family) == (wire, variant, family)
