"""What session keys mean (docs/agents/openclaw.md#sessions)."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.openclaw.gather.runtime import agent_id, parse_session, unread_session

from .conftest import Claw


@pytest.mark.parametrize(
    ("key", "mode", "reduced", "agent"),
    [
        ("agent:main:main", "full", False, "main"),
        ("agent:main:subagent:x", "minimal", True, "main"),
        ("agent:Shed:SubAgent:x", "minimal", True, "shed"),
        ("subagent:abc", "minimal", True, None),
        ("SUBAGENT:abc", "minimal", True, None),
        ("agent:main:subagent", "full", False, "main"),
        ("agent:main:cron:job:run:r", "full", True, "main"),
        ("cron:job", "full", False, None),
        ("agent:main:telegram:group:1:thread:2", "full", False, "main"),
        (":agent::main:cron:x", "full", True, "main"),
        ("Agent:main:subagent:x", "full", False, None),
        ("agent:main", "full", False, None),
        ("", "full", False, None),
        (None, "full", False, None),
    ],
)
def test_a_key_decides_mode_files_and_agent(key: str | None, mode: str, reduced: bool, agent: str | None) -> None:
    session = parse_session(key)
    assert (session.mode("2026.2.24"), session.is_subagent or session.is_cron, session.agent_id) == (
        mode,
        reduced,
        agent,
    )
    assert session.mode("2026.9.6") == ("minimal" if reduced else "full")


@pytest.mark.parametrize(
    ("written", "wanted"), [(" Shed ", "shed"), ("", "main"), ("  ", "main"), (None, "main"), (7, "main"), ([], "main")]
)
def test_an_agent_without_a_name_is_the_main_one(written: object, wanted: str) -> None:
    assert agent_id(written) == wanted


@pytest.mark.parametrize(
    ("key", "depth"), [("subagent:a", 0), ("agent:m:subagent:a", 1), ("agent:m:subagent:a:subagent:b", 2)]
)
def test_depth_counts_inner_sub_agents(key: str, depth: int) -> None:
    assert parse_session(key).depth == depth


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        ("main", "main"),
        ("signal:direct:7", "direct"),
        ("slack:channel:c", "group"),
        ("slack:group:g:thread:t", "thread"),
    ],
)
def test_a_key_has_a_word_for_people(rest: str, kind: str) -> None:
    assert parse_session(f"agent:main:{rest}").kind == kind


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("subagent", "did you mean sub-agent?"),
        ("zzz", "known: main, sub-agent, cron, group, thread, direct"),
        ("agent:main:subagnet:1", "nothing reads `subagnet`; did you mean subagent?"),
        ("agent:shd:main", "lists no agent `shd`; did you mean shed?"),
    ],
)
def test_what_nobody_reads_of_a_key_is_said(key: str, says: str) -> None:
    assert [says in each.message for each in unread_session(parse_session(key), ["main", "shed"])] == [True]


@pytest.mark.parametrize(
    "key", ["", "subagent:1", "agent:main:main", "agent:main:matrix:group:1", "agent:main:notes", "agent:shed:cron:x"]
)
def test_other_keys_pass_in_silence(key: str) -> None:
    assert not list(unread_session(parse_session(key), ["main", "shed"]))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Ops Team", "ops-team"),
        ("ops_team-2", "ops_team-2"),
        ("_x", "_x"),
        ("--a b!!c--", "a-b-c"),
        ("größe", "gr-e"),
        ("日本", "main"),
        ("x" * 70, "x" * 64),
    ],
)
def test_an_id_is_made_of_plain_signs(written: str, wanted: str) -> None:
    assert agent_id(written) == wanted


def test_a_channel_and_a_key_of_another_channel_are_noted(claw: Claw) -> None:
    def said(**given: str) -> list[str]:
        return [d.message for d in claw(**given).diagnostics if d.code == "channel"]

    assert said(channel="telegram", sessionKey="agent:main:signal:direct:1") == [
        "the message comes by telegram, and the session `agent:main:signal:direct:1` is one of signal"
    ]
    assert not said(channel="telegram", sessionKey="agent:main:telegram:direct:1")
    assert not said(sessionKey="agent:main:signal:direct:1")
    assert not said(channel="telegram", sessionKey="agent:main:direct:1")
    assert not said(channel="telegram", sessionKey="agent:main:main")
