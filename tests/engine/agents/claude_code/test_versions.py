from __future__ import annotations

import pytest

from promptscope_engine.agents.claude_code.versions import layout_of, resolve_model


@pytest.mark.parametrize(
    ("asked", "version", "model", "layout"),
    [
        (None, "2.1.100", "claude-sonnet-4-6", "A"),
        ("opus", "2.1.100", "claude-opus-4-6", "A"),
        (None, "2.1.329", "claude-opus-5-5", "B"),
        ("haiku", "2.1.329", "claude-haiku-5-5", "B"),
        ("claude-sonnet-4-5-20250929", "2.1.329", "claude-sonnet-4-5-20250929", "A'"),
        ("something-else", "2.1.329", "something-else", "A'"),
    ],
)
def test_model_and_layout(asked: str | None, version: str, model: str, layout: str) -> None:
    found = resolve_model(asked, version)
    assert found.id == model
    assert layout_of(version, found) == layout


def test_long_window_suffix() -> None:
    found = resolve_model("sonnet[1m]", "2.1.100")
    assert (found.id, found.long, found.name) == ("claude-sonnet-4-6", True, "claude-sonnet-4-6[1m]")


@pytest.mark.parametrize(
    ("model", "display"),
    [
        ("claude-opus-5-5", "Opus 5.5"),
        ("claude-sonnet-4-5-20250929", "Sonnet 4.5"),
        ("claude-opus-4-20250514", "Opus 4"),
        ("gpt-5", "gpt-5"),
    ],
)
def test_display(model: str, display: str) -> None:
    assert resolve_model(model, "2.1.329").display == display
