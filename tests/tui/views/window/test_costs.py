"""The cost in the window."""

from __future__ import annotations

from msgspec.structs import replace
from tests.tui.support import make
from tests.tui.support.roo_shop import texts

from promptscope_engine.insight.costs import cost_of
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.views.window.rows import cost_rows, explanation, prices, unpriced


def shown(assembly: Assembly) -> str:
    return "\n".join(texts(cost_rows(assembly)))


def test_the_cost_cold_and_what_is_not_known_of_the_cache() -> None:
    assembly = make.assembly(make.section("role", "Be brief.", tokens=100_000))
    found, cost = shown(assembly), cost_of(assembly)
    assert "$0.3000 cold   unknown cached" in found
    assert cost is not None
    assert "no cache breakpoints" in explanation(cost)
    assert "list prices of 2026-10-27" in prices(cost)
    assert "list prices" not in found, "the command says what it rests on"
    assert "no cost: own-model is not in the price table" in unpriced("own-model")
    assert "no cost: no model is named" in unpriced(None)
    assert not shown(replace(assembly, model=None))


def test_what_a_service_caches_by_itself() -> None:
    assembly = replace(make.assembly(make.section("role", "Be brief.", tokens=100_000)), model="gpt-6.1-sol")
    cost = cost_of(assembly)
    assert "$0.2500 cold   $0.0100 cached" in shown(assembly)
    assert cost is not None
    assert "100,000 of 100,000 tokens can be cached" in explanation(cost)


def test_what_the_service_reported() -> None:
    assembly = make.assembly(make.section("role", "Be brief.", tokens=90))
    reported = replace(assembly, tokens=replace(assembly.tokens, reported=100))
    assert "=100 tokens as the service reported for this request; ours is 90, 10.0% below" in shown(reported)


def test_nothing_while_it_is_not_counted() -> None:
    assert shown(make.assembly(make.section("role", "Be brief.", tokens=None))) == ""
