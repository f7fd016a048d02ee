"""The policy pipeline (specs/openclaw.md 2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.tool_policy import (
    GROUPS,
    PROFILES,
    Policy,
    Subject,
    configured,
    expand,
    for_provider,
    idle,
    listed,
    matches,
    removed_by,
    sandbox_policy,
    subagent_policy,
)

NAMES = sorted({name for group in GROUPS.values() for name in group} | {"plug_a", "whatsapp_login"})
TOOLS = [Subject(name, "Plug" if name == "plug_a" else None) for name in NAMES]
ENTRY = st.sampled_from([*NAMES, "*", "web_*", "*_send", "group:fs", "group:plugins", "plug", "bash", " READ ", "none"])
POLICY = st.builds(
    Policy,
    label=st.just("step"),
    allow=st.lists(ENTRY, max_size=4).map(tuple),
    deny=st.lists(ENTRY, max_size=4).map(tuple),
    additive=st.booleans(),
)


def left(*steps: Policy | None, tools: list[Subject] = TOOLS) -> set[str]:
    removed = removed_by(tools, [step for step in steps if step])
    return {tool.name for at, tool in enumerate(tools) if at not in removed}


@given(st.lists(POLICY, max_size=4), POLICY)
def test_a_step_more_never_adds_a_tool(steps: list[Policy], more: Policy) -> None:
    assert left(*steps, more) <= left(*steps)


@given(st.lists(POLICY, max_size=4), POLICY)
def test_a_denial_wins_whatever_is_allowed(steps: list[Policy], last: Policy) -> None:
    denied = {name for name in NAMES if any(matches(name, pattern) for pattern in expand(last.deny))}
    assert not denied & left(*steps, last)


@given(st.lists(POLICY, max_size=4))
def test_a_removed_tool_names_the_step_that_did_it(steps: list[Policy]) -> None:
    for policy, how in removed_by(TOOLS, steps).values():
        assert policy in steps
        assert how in ("denies", "does not allow")


@pytest.mark.parametrize("profile", ["minimal", "coding", "messaging"])
def test_a_profile_leaves_its_tools(profile: str) -> None:
    policy = configured({"tools": {"profile": profile}}, {}, "main", None, None)[0]
    assert left(policy) == set(PROFILES[profile])


def test_full_and_unknown_profiles_limit_nothing() -> None:
    for profile in ("full", "nonsense"):
        assert configured({"tools": {"profile": profile}}, {}, "main", None, None)[0] is None


def test_the_agents_profile_replaces_the_global_one() -> None:
    steps = configured({"tools": {"profile": "coding"}}, {"tools": {"profile": "minimal"}}, "a", None, None)
    assert left(*steps) == {"session_status"}


def test_also_allow_adds_a_plugin_to_a_profile() -> None:
    steps = configured({"tools": {"profile": "messaging", "alsoAllow": ["plug"]}}, {}, "main", None, None)
    assert left(*steps) == {*PROFILES["messaging"], "plug_a"}


def test_exec_admits_apply_patch_even_where_exec_is_denied() -> None:
    assert left(Policy("p", ("exec",), ("exec",))) == {"apply_patch"}


@pytest.mark.parametrize("allow", [("plug",), ("plug_a", "group:plugins"), ("web_*",), ("no_such_tool",)])
def test_an_allow_list_without_a_core_tool_is_ignored_and_said(allow: tuple[str, ...]) -> None:
    policy = Policy("p", allow, ("read",))
    assert left(policy) == set(NAMES) - {"read"}
    assert idle(TOOLS, [policy]) == [policy]


def test_in_the_last_two_steps_it_is_not_ignored() -> None:
    assert left(Policy("p", ("web_*",), additive=False)) == {"web_search", "web_fetch"}


@pytest.mark.parametrize(("written", "meant"), [("bash", "exec"), (" Apply-Patch ", "apply_patch"), ("READ", "read")])
def test_names_are_compared_after_case_and_aliases(written: str, meant: str) -> None:
    assert left(Policy("p", (written,))) - {"apply_patch"} == {meant} - {"apply_patch"}


def test_the_openclaw_group_has_nineteen() -> None:
    assert len(expand(["group:openclaw"])) == 19
    assert set(expand(["group:openclaw"])).isdisjoint(GROUPS["fs"] + GROUPS["runtime"])


@pytest.mark.parametrize(
    ("model", "wanted"), [("gpt-5", {"deny": ["read"]}), ("other", {"deny": ["write"]}), (None, {"deny": ["write"]})]
)
def test_a_model_goes_before_its_provider(model: str | None, wanted: dict[str, Any]) -> None:
    tools = {"byProvider": {"OpenAI": {"deny": ["write"]}, "openai/GPT-5": {"deny": ["read"]}}}
    assert for_provider(tools, "openai", model) == wanted
    assert for_provider(tools, "acme", model) == {}


def test_also_allow_alone_adds_to_everything() -> None:
    assert listed({"alsoAllow": ["plug"]}, "p") == Policy("p", ("*", "plug"))
    assert listed({}, "p") is None


def test_a_sub_agent_that_starts_none_itself_loses_three_more() -> None:
    leaf, parent = (
        subagent_policy({}, 1),
        subagent_policy({"agents": {"defaults": {"subagents": {"maxSpawnDepth": 2}}}}, 1),
    )
    assert left(parent) - left(leaf) == {"sessions_list", "sessions_history", "sessions_spawn"}
    assert "session_status" not in left(parent)


def test_the_configuration_lifts_a_default_denial() -> None:
    config = {"tools": {"subagents": {"tools": {"alsoAllow": ["cron"], "deny": ["exec"]}}}}
    assert "cron" in left(subagent_policy(config, 1))
    assert "exec" not in left(subagent_policy(config, 1))


def test_the_sandbox_keeps_image_unless_it_is_denied() -> None:
    def config(**lists: list[str]) -> dict[str, Any]:
        return {"tools": {"sandbox": {"tools": lists}}}

    assert left(sandbox_policy(config(allow=["read"]), {})) == {"read", "image"}
    assert left(sandbox_policy(config(allow=["read"], deny=["image"]), {})) == {"read"}
    assert left(sandbox_policy(config(allow=["read"]), config(allow=["write"]))) == {"write", "image"}
    assert left(sandbox_policy({}, {})).isdisjoint({"browser", "cron", "web_search"})


@given(st.text(alphabet="ab*", max_size=12), st.text(alphabet="ab", max_size=12))
def test_a_pattern_matches_as_shells_do(pattern: str, name: str) -> None:
    from fnmatch import fnmatchcase

    assert matches(name, pattern) is fnmatchcase(name, pattern)


def test_a_pattern_of_many_stars_is_decided_at_once() -> None:
    assert not matches("a" * 200, "*a" * 60 + "*b")
