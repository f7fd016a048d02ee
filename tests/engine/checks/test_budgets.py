"""Budgets, growth and the order of findings, on assemblies made up for it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import TOKENS, WHY, assembly_of, ours, section

from promptscope_engine.checks.budgets import grown, over_budget, spent
from promptscope_engine.checks.context import Context
from promptscope_engine.checks.findings import Finding
from promptscope_engine.checks.ranking import in_order
from promptscope_engine.checks.settings import Budget, Growth
from promptscope_engine.prompt.model import Assembly, SourceFile, Tool, ToolTokens
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import EmptyDisk

COUNTER = Counter(get_tokenizer("o200k_base"))


def context(assembly: Assembly) -> Context:
    return Context("/shop", assembly, None, Workspace(EmptyDisk()), COUNTER)


def tool(name: str, tokens: int | None, *, present: bool = True) -> Tool:
    return Tool(name, "g", present, WHY, "", None, (), None, ToolTokens(None, None, tokens), "exact", None)


def file(path: str, tokens: int | None, *, present: bool = True) -> SourceFile:
    return SourceFile(path, path, "rules", "always", present, WHY, 1, 1, 1, False, tokens)


WHOLE = replace(
    assembly_of(
        section("a", ours("x"), expected_tokens=10),
        section("b", ours("x"), expected_tokens=20),
        section("unknown", ours("x")),
        section("gone", ours("x"), expected_tokens=99, present=False),
    ),
    tools=(tool("read", 5), tool("write", 6), tool("later", None), tool("never", 99, present=False)),
    files=(
        file("/shop/a.md", 7),
        file("/shop/b.md", None),
        file("/etc/a.md", 99),
        file("/shop/no.md", 99, present=False),
    ),
    tokens=replace(TOKENS, expected=100, window=1_000),
)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ({"section": "*", "tokens": 9}, ["section a takes 10 tokens, 1 over its budget of 9", "section b takes 20"]),
        ({"section": "*", "tokens": 10}, ["section b takes 20 tokens, 10 over its budget of 10"]),
        ({"section": "*", "tokens": 20}, []),
        ({"section": "unknown", "tokens": 0}, []),
        ({"tool": "*", "tokens": 5}, ["tool write takes 6 tokens, 1 over its budget of 5"]),
        ({"tool": "later", "tokens": 0}, []),
        ({"file": "*", "tokens": 6}, ["a.md takes 7 tokens, 1 over its budget of 6"]),
        ({"file": "*", "tokens": 7}, []),
        ({"file": "b.md", "tokens": 0}, []),
        ({"tokens": 99}, ["the prompt of claude-code takes 100 tokens, 1 over its budget of 99"]),
        ({"tokens": 100}, []),
        ({"share": 0.099}, ["the prompt of claude-code takes 100 tokens, 1 over its budget of 99"]),
        ({"share": 0.1}, []),
        ({"share": 0.1, "tokens": 99}, ["the prompt of claude-code takes 100 tokens, 1 over"]),
        ({"share": 0.099, "tokens": 200}, ["the prompt of claude-code takes 100 tokens, 1 over"]),
        ({"mode": "ask", "tokens": 99}, ["the prompt of claude-code in mode ask takes 100"]),
    ],
)
def test_what_is_over_a_budget_is_told_by_how_much(budget: dict[str, Any], told: list[str]) -> None:
    found = [each.message for each in over_budget(Budget.model_validate(budget), context(WHOLE))]
    assert len(found) == len(told)
    assert all(message.startswith(begin) for message, begin in zip(found, told, strict=True))


def test_what_is_not_counted_is_over_no_budget() -> None:
    uncounted = replace(WHOLE, tokens=replace(WHOLE.tokens, expected=None))
    assert list(over_budget(Budget(tokens=0), context(uncounted))) == []
    (dearest,) = spent(2, Budget(section="*", tokens=15), context(WHOLE))
    assert (dearest.number, dearest.what, dearest.tokens, dearest.limit) == (2, "section b", 20, 15)
    assert list(spent(1, Budget(section="none", tokens=15), context(WHOLE))) == []
    (unknown,) = spent(1, Budget(section="unknown", tokens=15), context(WHOLE))
    assert unknown.tokens == 0


@pytest.mark.parametrize(
    ("growth", "before", "allowed"),
    [
        ({"tokens": 9}, 90, 9),
        ({"tokens": 10}, 90, None),
        ({"percent": 10}, 90, 9),
        ({"percent": 11}, 90, 9),
        ({"percent": 12}, 90, None),  # 10.8: 10 are allowed
        ({"percent": 11, "tokens": 50}, 90, 9),
        ({"percent": 50, "tokens": 9}, 90, 9),
        ({"percent": 50}, None, 0),
        ({"tokens": 0}, 100, None),
        ({"tokens": 0}, 101, None),
    ],
)
def test_growth_is_held_against_tokens_and_a_share(
    growth: dict[str, Any], before: int | None, allowed: int | None
) -> None:
    old = replace(WHOLE, tokens=replace(WHOLE.tokens, expected=before))
    found = list(grown(Growth.model_validate({"against": "HEAD", **growth}), old, context(WHOLE)))
    if allowed is None:
        assert found == []
    else:
        (only,) = found
        assert only.message.endswith(f"; {allowed:,} are allowed")
        assert f"({before or 0} → 100)" in only.message
    unknown = replace(WHOLE, tokens=replace(WHOLE.tokens, expected=None))
    assert list(grown(Growth.model_validate({"against": "HEAD", **growth}), old, context(unknown))) == []


def test_findings_are_sorted_by_level_place_and_rule_and_told_once() -> None:
    def finding(level: Any, path: str | None, line: int | None, rule: str = "budget", agent: str = "a") -> Finding:
        return Finding(rule, level, "m", path, line, (agent,))

    ordered = [
        finding("error", None, None),
        finding("error", "a.md", None),
        finding("error", "a.md", 1),
        finding("error", "b.md", None),
        finding("warning", None, None),
        finding("info", None, None),
    ]
    assert in_order(reversed(ordered)) == tuple(ordered)
    twice = [finding("error", "a.md", 1, agent=agent) for agent in "aba"]
    assert [each.agents for each in in_order(twice)] == [("a", "b")]
