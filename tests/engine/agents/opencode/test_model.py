"""The keys of the body beside texts and tools, in the protocol of the model's provider."""

from __future__ import annotations

from typing import Any

from promptscope_engine.agents.opencode.gather.model import COMPATIBLE, body_options
from promptscope_engine.agents.opencode.materials import Agent, Model
from promptscope_engine.formats.document import Json

PACKAGES = {
    "messages": "@ai-sdk/anthropic",
    "responses": "@ai-sdk/openai",
    "chat": COMPATIBLE,
    "gemini": "@ai-sdk/google",
}


def body(protocol: Any, options: dict[str, Json], *, package: str = "", reasoning: bool = False) -> dict[str, Json]:
    model = Model(
        "p/m", "p", "m", "m", package or PACKAGES[protocol], protocol, output=10, temperature=True, reasoning=reasoning
    )
    agent = Agent("build", "primary", hidden=False, description=(), prompt=None, rules=(), options=options)
    return body_options(model, agent, "", {})


def test_thinking_takes_the_place_of_a_temperature_and_adds_to_the_limit() -> None:
    made = body("messages", {"thinking": {"type": "enabled", "budgetTokens": 1_000}, "temperature": 1})
    assert made == {
        "model": "m", "max_tokens": 1_010, "stream": True, "thinking": {"type": "enabled", "budget_tokens": 1_000},
    }  # fmt: skip


def test_with_a_temperature_there_is_no_top_p() -> None:
    made = body("messages", {"temperature": 1, "top_p": 0.9})
    assert (made["temperature"], "top_p" in made) == (1, False)
    assert body("messages", {"top_p": 0.9})["top_p"] == 0.9


def test_an_option_has_another_name_in_each_protocol() -> None:
    options = {"reasoningEffort": "low", "textVerbosity": "high"}
    responses = body("responses", options)
    assert (responses["reasoning"], responses["text"]) == ({"effort": "low"}, {"verbosity": "high"})
    assert body("chat", options)["reasoning_effort"] == "low"
    assert body("chat", options, package="@openrouter/ai-sdk-provider")["reasoningEffort"] == "low"


def test_what_nothing_says_is_not_sent() -> None:
    assert body("responses", {}) == {"model": "m", "stream": True, "store": False}
    assert body("gemini", {"temperature": 1}) == {
        "model": "m",
        "generationConfig": {"maxOutputTokens": 10, "temperature": 1},
    }


def test_a_reasoning_model_of_the_responses_api_has_no_temperature() -> None:
    assert "temperature" in body("responses", {"temperature": 1})
    assert "temperature" not in body("responses", {"temperature": 1}, reasoning=True)
