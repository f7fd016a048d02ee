"""What a turn's prompt costs cold and cached."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.engine.captures.bodies import ANTHROPIC, CHAT

from promptscope_engine import Scenario, assemble
from promptscope_engine.insight.costs import Cost, cost_of
from promptscope_engine.prompt.model import Assembly


def observed(folder: Path, body: dict[str, Any]) -> Assembly:
    (folder / "body.json").write_text(json.dumps(body))
    return assemble(Scenario(capture=str(folder / "body.json"), workspace=str(folder), home=str(folder)))


def cost(assembly: Assembly) -> Cost:
    found = cost_of(assembly)
    assert found is not None
    return found


def test_breakpoints_say_what_is_written_and_read(tmp_path: Path) -> None:
    assembly = observed(tmp_path, ANTHROPIC)  # the only breakpoint ends the system prompt
    found = cost(assembly)
    by_channel = assembly.tokens.expected_by_channel
    messages = by_channel["messages"] or 0
    assert (found.caching, found.tokens) == ("breakpoints", assembly.tokens.expected)
    assert found.prefix == found.tokens - messages
    assert found.cold == pytest.approx((found.prefix * 3.75 + messages * 3) / 1e6, rel=1e-9)
    assert found.cached == pytest.approx((found.prefix * 0.30 + messages * 3) / 1e6, rel=1e-9)


def test_an_hour_in_the_cache_costs_more_to_write(tmp_path: Path) -> None:
    body = deepcopy(ANTHROPIC)
    body["system"][0]["cache_control"]["ttl"] = "1h"
    body["messages"][0]["content"][0]["cache_control"] = {"type": "ephemeral"}
    found = cost(observed(tmp_path, body))
    minutes = cost(observed(tmp_path, ANTHROPIC))
    assert found.prefix == found.tokens
    rest = found.tokens - minutes.prefix
    assert found.cold == pytest.approx((minutes.prefix * 6 + rest * 3.75) / 1e6)
    assert found.cached == pytest.approx(found.tokens * 0.30 / 1e6)


def test_without_breakpoints_nobody_knows_what_is_cached(tmp_path: Path) -> None:
    body = deepcopy(ANTHROPIC)
    del body["system"][0]["cache_control"]
    found = cost(observed(tmp_path, body))
    assert (found.caching, found.prefix, found.cached) == ("unmarked", 0, None)
    assert found.cold == pytest.approx(found.tokens * 3 / 1e6)


def test_a_service_that_caches_by_itself_keeps_what_comes_before_the_turn(tmp_path: Path) -> None:
    assembly = observed(tmp_path, CHAT)
    found = cost(assembly)
    assert (found.caching, found.prefix) == ("automatic", found.tokens - (assembly.tokens.by_channel["messages"] or 0))
    assert found.cached == pytest.approx((found.prefix * 0.125 + (found.tokens - found.prefix) * 1.25) / 1e6)


def test_no_price_no_cost(tmp_path: Path) -> None:
    assert cost_of(observed(tmp_path, {**ANTHROPIC, "model": "claude-opus-6"})) is None
