"""Why a cache missed, on small made-up pairs of requests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.model import Capture, Header, Recorded, Usage
from promptscope_engine.insight.cache_miss import CacheMiss, CacheReport, cache_miss, consecutive
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

MARK = {"type": "ephemeral"}
COUNTER = Counter(get_tokenizer("o200k_base"))
LONG = "word " * 2000
"""Far more than a service may read less without a cause."""


def tool(name: str, description: str = "does a thing", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "input_schema": {"type": "object", "properties": {}}, **more}


def said(*texts: str, role: str = "user", kind: str = "text", mark: bool = False) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": kind, "text": text} for text in texts]
    if kind == "tool_result":
        blocks = [{"type": kind, "tool_use_id": "t", "content": text} for text in texts]
    if mark:
        blocks[-1]["cache_control"] = MARK
    return {"role": role, "content": blocks}


def body(
    *messages: dict[str, Any], system: str = "Be brief.\nToday is 2026-03-01.", tools: Any = (), **more: Any
) -> dict[str, Any]:
    blocks = [{"type": "text", "text": system, "cache_control": MARK}]
    return {"model": "m-1", "system": blocks, "tools": list(tools), "messages": list(messages), **more}


def request(sent: dict[str, Any], index: int, at: str = "", used: tuple[int, int] | None = None) -> Recorded:
    usage = Usage(10, 5, *used) if used else None
    path = "/v1/responses" if "input" in sent else "/v1/messages"
    return recorded(index, Exchange(path=path, body=sent, time=at or None, status=200, usage=usage))


ASK = said(LONG, mark=True)
NEXT = (said(LONG), said("ok", role="assistant"), said("and now?", mark=True))


def miss(one: dict[str, Any], other: dict[str, Any], **more: Any) -> CacheMiss:
    return cache_miss(request(one, 1, **more), request(other, 2, **more), COUNTER)


def kinds(found: CacheMiss) -> list[str]:
    return [each.kind for each in found.causes]


def test_a_conversation_that_goes_on_misses_nothing() -> None:
    found = miss(body(ASK), body(*NEXT))
    assert (found.again, found.parting, found.causes) == (0, None, ())
    assert found.estimated
    assert not found.missed


@pytest.mark.parametrize(
    ("before", "after", "kind", "place", "says"),
    [
        ([tool("A")], [tool("A"), tool("B")], "tools", "tools › B", "the tool B is new"),
        ([tool("A"), tool("B")], [tool("A")], "tools", "tools › B", "the tool B is gone"),
        ([tool("A"), tool("B")], [tool("B"), tool("A")], "tool order", "tools › B", "the tools are in another order"),
        ([tool("A")], [tool("A", "other")], "tool changed", "tools › A", "the tool A is described otherwise"),
        (
            [tool("A")], [tool("A"), tool("mcp__shop__buy"), tool("mcp__shop__sell")],
            "tools", "tools › mcp__shop__buy",
            "2 tools (mcp__shop__buy, mcp__shop__sell) are new (MCP server shop)",
        ),
    ],
)  # fmt: skip
def test_tools_that_came_went_changed_or_moved(before: Any, after: Any, kind: str, place: str, says: str) -> None:
    found = miss(body(ASK, tools=before), body(*NEXT, tools=after))
    assert kinds(found) == [kind]
    assert (found.place, found.causes[0].says) == (place, says)
    assert found.again == found.held > 2000


def test_a_tool_that_the_first_request_only_names_was_loaded() -> None:
    asked = said(f"These can be searched for:\nDraw\n{LONG}", mark=True)
    found = miss(body(asked, tools=[tool("A")]), body(asked, tools=[tool("A"), tool("Draw")]))
    assert kinds(found) == ["tool loaded"]


def test_a_deferred_tool_is_no_part_of_what_is_cached() -> None:
    deferred = tool("B", defer_loading=True)
    assert not miss(body(ASK, tools=[tool("A")]), body(*NEXT, tools=[tool("A"), deferred])).missed


@pytest.mark.parametrize(
    ("system", "kind", "says"),
    [
        ("Be brief.\nToday is 2026-03-02.", "date", "the date changed"),
        ("Be short.\nToday is 2026-03-01.", "system", "the system prompt changed"),
    ],
)
def test_a_changed_system_prompt_is_told_by_the_line(system: str, kind: str, says: str) -> None:
    found = miss(body(ASK), body(*NEXT, system=system))
    assert [(each.kind, each.says) for each in found.causes] == [(kind, says)]
    assert found.parting is not None
    assert found.parting.line == (2 if kind == "date" else 1)
    assert found.parting.after in system


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("It is 10:02.", "It is 10:03.", "time"),
        ("Sunday, March 1, 2026", "Monday, March 2, 2026", "date"),
        ("tool v1.2.3 here", "tool v1.2.4 here", "version"),
        ("7 files changed", "9 files changed", "number"),
    ],
)
def test_what_changes_with_the_clock_is_told(one: str, other: str, kind: str) -> None:
    assert kinds(miss(body(ASK, system=one), body(*NEXT, system=other))) == [kind]


@pytest.mark.parametrize(
    ("later", "kind"),
    [
        ((said("something else"), said("and now?", mark=True)), "conversation"),
        ((said(LONG), said("cut", kind="tool_result"), said("x", mark=True)), "result"),
        ((said(LONG), said("x", mark=True)), "left out"),
    ],
)
def test_earlier_messages_that_changed(later: Any, kind: str) -> None:
    first = body(said(LONG), said("printed", kind="tool_result", mark=True))
    assert kinds(miss(first, body(*later))) == [kind]


def test_what_was_put_in_front_of_earlier_blocks() -> None:
    first = body(said("hi"), said("printed", LONG, mark=True))
    found = miss(first, body(said("hi"), said("<system-reminder>x</system-reminder>", "printed", LONG, mark=True)))
    assert [each.says for each in found.causes] == ["a reminder was put in front of earlier ones"]
    assert found.place == "messages › 1 user"


def test_a_conversation_that_went_back_is_shorter() -> None:
    found = miss(body(said("a"), said("b", LONG, mark=True)), body(said("a", mark=True)))
    assert kinds(found) == ["shorter"]


def test_another_model_loses_all_and_a_setting_the_messages() -> None:
    found = miss(body(ASK), body(*NEXT, model="m-2"))
    assert [each.says for each in found.causes] == ["another model: m-1 → m-2"]
    assert found.again == found.held
    quiet = miss(body(ASK), body(*NEXT, thinking={"type": "disabled"}))
    assert kinds(quiet) == ["setting thinking"]
    assert 0 < quiet.again < quiet.held, "the system prompt can be read"


def test_time_to_live() -> None:
    one, other = (request(body(ASK), 1, "2026-03-01T10:00:00Z"), request(body(*NEXT), 2, "2026-03-01T10:07:00Z"))
    found = cache_miss(one, other, COUNTER)
    assert [each.says for each in found.causes] == ["7 min between the requests: an entry lives 5 min"]
    assert found.seconds == 420
    hour = json.loads(json.dumps(body(ASK)).replace('"ephemeral"', '"ephemeral", "ttl": "1h"'))
    later = json.loads(json.dumps(body(*NEXT)).replace('"ephemeral"', '"ephemeral", "ttl": "1h"'))
    assert not cache_miss(request(hour, 1, one.time or ""), request(later, 2, other.time or ""), COUNTER).missed


def test_more_blocks_than_the_service_looks_back_at() -> None:
    many = [said(str(number)) for number in range(30)]
    assert kinds(miss(body(ASK), body(said(LONG), *many, said("x", mark=True)))) == ["looked back"]
    assert not miss(body(ASK), body(said(LONG), *many[:10], said("x", mark=True))).missed


def test_breakpoints_that_are_gone() -> None:
    plain = {"model": "m-1", "system": "Be brief.\nToday is 2026-03-01.", "messages": [said(LONG)], "tools": []}
    usage = (9000, 0)
    found = cache_miss(request(body(ASK), 1, used=usage), request(plain, 2, used=(0, 0)), COUNTER)
    assert kinds(found) == ["breakpoints"]


def test_what_the_service_reports_counts() -> None:
    one, other = request(body(ASK), 1, used=(20_000, 500)), request(body(*NEXT), 2, used=(4_000, 17_000))
    found = cache_miss(one, other, COUNTER)
    assert (found.held, found.read, found.written, found.again, found.estimated) == (
        20_500,
        4_000,
        17_000,
        16_500,
        False,
    )
    assert kinds(found) == ["unknown"]
    assert not cache_miss(one, request(body(*NEXT), 2, used=(20_400, 300)), COUNTER).missed


def test_what_the_service_takes_out_is_no_difference() -> None:
    first, second = body(ASK), body(*NEXT)
    for sent, number in ((first, 1), (second, 2)):
        sent["system"].insert(0, {"type": "text", "text": f"x-anthropic-billing-header: n={number}"})
    assert not miss(first, second).missed


def test_without_breakpoints_the_longest_beginning_is_kept() -> None:
    def sent(*texts: str) -> dict[str, Any]:
        return {"model": "m", "instructions": "Be brief.", "input": [{"role": "user", "content": t} for t in texts]}

    found = miss(sent("a", LONG, "b"), sent("a", LONG, "c"))
    assert 0 < found.again < 10
    assert not miss(sent("a", LONG), sent("a", LONG, "c")).missed


def test_each_conversation_of_a_capture_is_compared_with_itself() -> None:
    def labelled(index: int, label: Any, *texts: str) -> Recorded:
        return replace(request(body(*map(said, texts)), index), label=label)

    found = [
        labelled(1, "main", "a"),
        labelled(2, "sub-agent", "x"),
        labelled(3, "main", "a", "b"),
        labelled(4, "title", "a"),
        labelled(5, "sub-agent", "y"),
        labelled(6, "other", "a", "b", "c"),
        labelled(7, "sub-agent", "x", "z"),
        labelled(8, "main", "a summary"),
    ]
    pairs = [(one.index, other.index) for one, other in consecutive(Capture(Header(), tuple(found)))]
    assert pairs == [(1, 3), (3, 6), (2, 7), (3, 8)]


def test_the_report_sums_what_was_written_again() -> None:
    found = miss(body(ASK), body(*NEXT, model="m-2"))
    told = CacheReport("run.jsonl", (found, found)).to_dict()
    assert told["again"] == 2 * found.again
    assert told["schema"] == "promptscope.cache.v1"
    assert told["pairs"][0]["causes"][0]["kind"] == "model"
