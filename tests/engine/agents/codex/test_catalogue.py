"""The models that Codex knows (docs/agents/codex.md#tools)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.codex.gates import COMPACT_PERCENT, USABLE_PERCENT, Model, model_named, models

ROWS = """
gpt-6.2-sol              500000 low    low  v2           lite     newest
gpt-6.2-astra            272000 low    low  v2           lite     newest
gpt-6.1-terra            500000 low    low  v2           lite     current
gpt-6.1-sol              500000 low    low  v2           lite     current
gpt-6-astra              272000 low    low  v2           lite     current
gpt-6-sol                272000 medium low  v2           lite     current
gpt-6-luna               272000 medium low  v2           lite     current
gpt-5.6-sol              272000 low    low  v2           lite     older
gpt-5.6-terra            272000 medium low  v2           lite     older
gpt-5.6-luna             272000 medium low  v1-deferred  lite     older
gpt-5.5                  272000 medium low  v1-deferred  classic  older
gpt-daybreak-blue-latest 272000 low    low  v2           lite     older
gpt-daybreak-red-latest  372000 medium high v2           lite     older
codex-auto-review        272000 medium low  v1-deferred  lite     older
"""


def row(model: Model) -> list[str]:
    return [
        model.name, str(model.window), str(model.effort), str(model.verbosity), model.sub_agents.replace(" ", "-"),
        "lite" if model.lite else "classic", "newest" if model.newest else "current" if model.current else "older",
    ]  # fmt: skip


def test_every_model_of_the_catalogue() -> None:
    """Its window, effort and verbosity, its kind of sub-agents, its shape, and whether it has a clock."""
    assert [row(model) for model in models().values()] == [line.split() for line in ROWS.strip().split("\n")]
    before = models("0.169.0")
    assert list(before)[:2] == ["gpt-6.1-sol", "gpt-6.1-terra"]
    assert before["gpt-6.1-sol"].window == 272_000
    assert row(model_named("o3")) == ["o3", "272000", "None", "None", "v1-direct", "classic", "older"]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("gpt-6-sol", "gpt-6-sol"),
        ("gpt-6-sol-2026", "gpt-6-sol"),
        ("openai/gpt-6-sol-2026", "gpt-6-sol"),
        ("a/b/gpt-6-sol", ""),
        ("/gpt-6-sol", "gpt-6-sol"),
        ("gpt-6-sol/x", "gpt-6-sol"),
        ("gpt-6", ""),
    ],
)
def test_a_model_goes_by_the_slug_that_its_name_begins_with(name: str, slug: str) -> None:
    assert (model_named(name).slug, model_named(name).name) == (slug, name)


def test_what_a_session_may_use_of_the_window() -> None:
    assert (USABLE_PERCENT, COMPACT_PERCENT) == (95, 90)
