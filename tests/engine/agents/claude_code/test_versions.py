from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine.agents.claude_code.versions import message_layout, prompt_layout, resolve_model

if TYPE_CHECKING:
    from .conftest import Project


@pytest.mark.parametrize(
    ("asked", "version", "model", "prompt", "messages"),
    [
        (None, "2.1.100", "claude-sonnet-4-6", "A", "A"),
        ("opus", "2.1.100", "claude-opus-4-6", "A", "A"),
        ("claude-opus-4-1-20250805", "2.1.100", "claude-opus-4-1-20250805", "A", "A"),
        (None, "2.1.329", "claude-opus-5-5", "B", "B"),
        (None, "2.1.330", "claude-opus-5-5", "B", "B"),
        ("haiku", "2.1.329", "claude-haiku-5-5", "B", "B"),
        ("opusplan", "2.1.329", "claude-sonnet-5-5", "B", "B"),
        ("claude-opus-4-20250514", "2.1.329", "claude-opus-5-5", "B", "B"),
        ("claude-opus-4-1-20250805", "2.1.329", "claude-opus-5-5", "B", "B"),
        ("claude-sonnet-4-20250514", "2.1.329", "claude-sonnet-4-20250514", "A'", "A'"),
        ("claude-sonnet-4-5-20250929", "2.1.329", "claude-sonnet-4-5-20250929", "A'", "A'"),
        ("claude-opus-4-7", "2.1.329", "claude-opus-4-7", "A'", "A'"),
        ("claude-3-5-haiku-20241022", "2.1.329", "claude-3-5-haiku-20241022", "A'", "A'"),
        ("claude-opus-4-8", "2.1.329", "claude-opus-4-8", "B", "B"),
        ("claude-opus-5", "2.1.329", "claude-opus-5", "B", "B"),
        ("claude-sonnet-5", "2.1.329", "claude-sonnet-5", "A'", "B"),
        ("something-else", "2.1.329", "something-else", "B", "B"),
    ],
)
def test_model_and_layouts(asked: str | None, version: str, model: str, prompt: str, messages: str) -> None:
    found = resolve_model(asked, version)
    assert found.id == model
    assert (prompt_layout(version, found), message_layout(version, found)) == (prompt, messages)


def test_opusplan_is_opus_while_planning() -> None:
    assert resolve_model("opusplan", "2.1.329", "plan").id == "claude-opus-5-5"
    assert resolve_model("opusplan[1m]", "2.1.100", "plan").name == "claude-opus-4-6[1m]"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("claude-opus-5-5", False),
        ("claude-sonnet-5-5", False),
        ("something-else", False),
        ("claude-haiku-5-5", True),
        ("claude-opus-5", True),
        ("claude-opus-4-8", True),
        ("claude-sonnet-4-5-20250929", True),
    ],
)
def test_which_models_are_told_how_many_tokens_are_left(model: str, told: bool) -> None:
    assert resolve_model(model, "2.1.329").counts_tokens is told


def test_long_window_suffix() -> None:
    found = resolve_model("sonnet[1m]", "2.1.100")
    assert (found.id, found.long, found.name) == ("claude-sonnet-4-6", True, "claude-sonnet-4-6[1m]")


@pytest.mark.parametrize(
    ("asked", "version", "tokenizer"),
    [
        ("opus", "2.1.100", "claude-estimate"), (None, "2.1.100", "claude-estimate"),
        ("opus", "2.1.329", "claude-5-estimate"), (None, "2.1.329", "claude-5-estimate"),
    ],
)  # fmt: skip
def test_tokens_are_counted_for_the_model_that_an_alias_means(
    project: Project, asked: str | None, version: str, tokenizer: str
) -> None:
    assert project.assemble(version, model=asked, tokenizer=None).tokens.tokenizer == tokenizer


@pytest.mark.parametrize(
    ("model", "display"),
    [
        ("claude-opus-5-5", "Opus 5.5"),
        ("claude-sonnet-4-5-20250929", "Sonnet 4.5"),
        ("claude-sonnet-4-20250514", "Sonnet 4"),
        ("claude-3-7-sonnet-20250219", "Sonnet 3.7"),
        ("gpt-5", "gpt-5"),
    ],
)
def test_display(model: str, display: str) -> None:
    assert resolve_model(model, "2.1.329").display == display


@pytest.mark.parametrize(
    ("asked", "env", "found"),
    [
        ("fable", {}, "claude-fable-5-2"),
        ("BEST", {}, "claude-opus-5-5"),
        ("opus", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-opus-4-6"),
        (None, {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-opus-4-6[1m]"),
        (None, {"ANTHROPIC_DEFAULT_OPUS_MODEL": "sonnet"}, "claude-sonnet-5-5[1m]"),
        (None, {"ANTHROPIC_DEFAULT_MODEL": "sonnet"}, "claude-sonnet-5-5"),
        ("sonnet", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"}, "claude-sonnet-5-5"),
    ],
)
def test_variables_give_an_alias_another_model(asked: str | None, env: dict[str, str], found: str) -> None:
    assert resolve_model(asked, "2.1.330", env=env).name == found


@pytest.mark.parametrize(("asked", "known"), [("claude-opus-6", False), ("anthropic/claude-opus-4.5", True)])
def test_models_that_the_client_knows(asked: str, known: bool) -> None:
    assert resolve_model(asked, "2.1.330").known is known
