"""The policy pipeline (docs/agents/openclaw.md#tools)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw import tool_policy
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.tool_policy import Offer, Policy, for_provider, listed, lists_of
from promptscope_engine.formats.document import Path
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.prompt.conditions import ALWAYS

LISTS = lists_of("2026.2.24")
GROUPS, PROFILES, expand = LISTS.groups, LISTS.profiles, LISTS.expand
idle, removed_by, sandbox_policy, subagent_policy, without = (
    partial(getattr(tool_policy, name), lists=LISTS)
    for name in ("idle", "removed_by", "sandbox_policy", "subagent_policy", "without")
)


def configured(settings: SettingLevers, own: Path, agent: str, *model: str | None) -> list[Policy | None]:
    """The steps of the configuration; `model` is its provider and its name."""
    provider, name = model
    return tool_policy.configured(settings, own, agent, (provider, name), LISTS)


NAMES = sorted({name for group in GROUPS.values() for name in group} | {"plug_a", "whatsapp_login"})
TOOLS = [Offer(name, ALWAYS, "Plug" if name == "plug_a" else None) for name in NAMES]
ENTRY = st.sampled_from([*NAMES, "*", "web_*", "*_send", "group:fs", "group:plugins", "plug", "bash", " READ ", "none"])
POLICY = st.builds(
    Policy,
    label=st.just("step"),
    allow=st.lists(ENTRY, max_size=4).map(tuple),
    deny=st.lists(ENTRY, max_size=4).map(tuple),
    additive=st.booleans(),
)

SHARED, OWN = ("tools",), ("agents", "list", 0, "tools")


def left(*steps: Policy | None, tools: list[Offer] = TOOLS) -> set[str]:
    removed = {at for step in steps if step for at in removed_by(tools, step)}
    return {tool.name for at, tool in enumerate(tools) if at not in removed}


@given(st.lists(POLICY, max_size=4), POLICY)
def test_a_step_more_never_adds_a_tool(steps: list[Policy], more: Policy) -> None:
    assert left(*steps, more) <= left(*steps)


@given(st.lists(POLICY, max_size=4), POLICY)
@pytest.mark.slow
def test_a_denial_wins_whatever_is_allowed(steps: list[Policy], last: Policy) -> None:
    denied = {name for name in NAMES if any(stars_match(pattern, name) for pattern in expand(last.deny))}
    assert not denied & left(*steps, last)


@given(POLICY)
def test_a_removed_tool_has_a_denial_or_no_admission(step: Policy) -> None:
    for entry, lacks in removed_by(TOOLS, step).values():
        assert entry in step.deny if entry is not None else lacks


@pytest.mark.parametrize("profile", ["minimal", "coding", "messaging"])
def test_a_profile_leaves_its_tools(profile: str) -> None:
    policy = configured(SettingLevers({"tools": {"profile": profile}}), (), "main", None, None)[0]
    assert left(policy) == set(expand(PROFILES[profile]))


def test_full_and_unknown_profiles_limit_nothing() -> None:
    for profile in ("full", "nonsense"):
        assert configured(SettingLevers({"tools": {"profile": profile}}), (), "main", None, None)[0] is None


def test_the_agents_profile_replaces_the_global_one() -> None:
    agents = {"list": [{"id": "a", "tools": {"profile": "minimal"}}]}
    settings = SettingLevers({"tools": {"profile": "coding"}, "agents": agents})
    steps = configured(settings, ("agents", "list", 0), "a", None, None)
    assert left(*steps) == {"session_status"}


def test_also_allow_adds_a_plugin_to_a_profile() -> None:
    settings = SettingLevers({"tools": {"profile": "messaging", "alsoAllow": ["plug"]}})
    steps = configured(settings, (), "main", None, None)
    assert left(*steps) == {*PROFILES["messaging"], "plug_a"}


@pytest.mark.parametrize(
    ("shared", "own", "named", "path"),
    [
        ({"profile": "minimal"}, {}, SHARED, SHARED),
        ({}, {"profile": "minimal", "alsoAllow": []}, OWN, OWN),
        ({"alsoAllow": ["read"]}, {"profile": "minimal"}, OWN, SHARED),
        ({"profile": "minimal"}, {"alsoAllow": ["read"]}, SHARED, OWN),
        ({"profile": "minimal", "alsoAllow": ["read"]}, {"profile": "coding", "alsoAllow": []}, OWN, OWN),
    ],
)
@pytest.mark.parametrize("rest", [(), ("byProvider", "p")])
def test_a_profile_knows_where_its_lists_stand(
    shared: dict[str, Any], own: dict[str, Any], named: Path, path: Path, rest: Path
) -> None:
    tools, theirs = ({"byProvider": {"p": each}} if rest else each for each in (shared, own))
    settings = SettingLevers({"tools": tools, "agents": {"list": [{"id": "a", "tools": theirs}]}})
    step = configured(settings, ("agents", "list", 0), "a", "p", None)[1 if rest else 0]
    assert step is not None
    assert (step.named, step.path) == ((*named, *rest, "profile"), (*path, *rest))


def test_a_list_beside_a_providers_profile_would_stand_where_the_profile_stands() -> None:
    agents = {"list": [{"id": "a", "tools": {"byProvider": {"p": {"profile": "minimal"}}}}]}
    step = configured(SettingLevers({"agents": agents}), ("agents", "list", 0), "a", "p", None)[1]
    assert step is not None
    assert step.path == (*OWN, "byProvider", "p")


@pytest.mark.parametrize("plugins", [True, False])
def test_the_group_of_plugins_is_a_name_like_any_other_without_one(plugins: bool) -> None:
    tools = TOOLS if plugins else [tool for tool in TOOLS if tool.plugin is None]
    step = Policy("p", ("group:plugins",), additive=False)
    assert left(step, tools=tools) == ({"plug_a"} if plugins else set())


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
    assert for_provider(tools, "openai", model)[1] == wanted
    assert for_provider(tools, "acme", model)[1] == {}


def test_also_allow_alone_adds_to_everything() -> None:
    assert listed({"alsoAllow": ["plug"]}, "p") == Policy("p", ("*", "plug"))
    assert listed({}, "p") is None


def test_a_sub_agent_that_starts_none_itself_loses_three_more() -> None:
    leaf, parent = (
        subagent_policy(SettingLevers({}), 1),
        subagent_policy(SettingLevers({"agents": {"defaults": {"subagents": {"maxSpawnDepth": 2}}}}), 1),
    )
    assert left(parent) - left(leaf) == {"sessions_list", "sessions_history", "sessions_spawn"}
    assert "session_status" not in left(parent)


def test_the_configuration_can_allow_what_is_denied_by_default() -> None:
    config = {"tools": {"subagents": {"tools": {"alsoAllow": ["cron"], "deny": ["exec"]}}}}
    assert "cron" in left(subagent_policy(SettingLevers(config), 1))
    assert "exec" not in left(subagent_policy(SettingLevers(config), 1))


def test_the_sandbox_keeps_image_unless_it_is_denied() -> None:
    def policy(shared: dict[str, list[str]], own: dict[str, list[str]] | None = None) -> Policy:
        lists = [{"tools": {"sandbox": {"tools": each}}} for each in (shared, own or {})]
        return sandbox_policy(SettingLevers({**lists[0], "agents": {"list": [lists[1]]}}), ("agents", "list", 0))

    assert left(policy({"allow": ["read"]})) == {"read", "image"}
    assert left(policy({"allow": ["read"], "deny": ["image"]})) == {"read"}
    assert left(policy({"allow": ["read"]}, {"allow": ["write"]})) == {"write", "image"}
    assert left(policy({})).isdisjoint({"browser", "cron", "web_search"})


@given(st.text(alphabet="ab*", max_size=12), st.text(alphabet="ab", max_size=12))
def test_a_pattern_matches_as_shells_do(pattern: str, name: str) -> None:
    from fnmatch import fnmatchcase

    assert stars_match(pattern, name) is fnmatchcase(name, pattern)


def test_a_pattern_of_many_stars_is_decided_at_once() -> None:
    assert not stars_match("*a" * 60 + "*b", "a" * 200)


@pytest.mark.parametrize(
    ("depth", "most", "is_leaf"),
    [
        (0, None, False),
        (1, None, True),
        (2, None, True),
        (0, 0, False),
        (1, 0, True),
        (1, 2, False),
        (2, 2, True),
        (3, 2, True),
    ],
)
def test_a_sub_agent_at_the_greatest_depth_starts_none(depth: int, most: int | None, is_leaf: bool) -> None:
    settings = SettingLevers({"agents": {"defaults": {"subagents": {"maxSpawnDepth": most}}}})
    assert ("sessions_spawn" not in left(subagent_policy(settings, depth))) is is_leaf


@pytest.mark.parametrize(
    ("config", "allow", "deny"),
    [
        ({"allow": []}, (), ()),
        ({"deny": ["a", "b"]}, (), ("a", "b")),
        ({"allow": ["a", "a", "b"]}, ("a", "b"), ()),
        ({"allow": ["a"], "alsoAllow": ["b", "a"]}, ("a", "b"), ()),
        ({"allow": [], "alsoAllow": ["b"]}, ("*", "b"), ()),
        ({"alsoAllow": ["b"], "deny": ["a"]}, ("*", "b"), ("a",)),
    ],
)
def test_the_lists_of_a_step(config: dict[str, Any], allow: tuple[str, ...], deny: tuple[str, ...]) -> None:
    assert listed(config, "p") == Policy("p", allow, deny, is_empty=config == {"allow": []})


@pytest.mark.parametrize(
    ("lists", "allow", "lifted"),
    [
        ({}, (), set()),
        ({"alsoAllow": ["cron"]}, (), {"cron"}),
        ({"allow": ["read", "cron"]}, ("read", "cron"), {"cron"}),
        ({"allow": ["read"], "alsoAllow": ["Cron"]}, ("read", "Cron"), {"cron"}),
        ({"allow": []}, (), set()),
    ],
)
def test_what_a_sub_agent_may_use_all_the_same(lists: dict[str, Any], allow: tuple[str, ...], lifted: set[str]) -> None:
    usual = set(subagent_policy(SettingLevers({}), 1).deny)
    found = subagent_policy(SettingLevers({"tools": {"subagents": {"tools": lists}}}), 1)
    assert (found.allow, usual - set(found.deny)) == (allow, lifted)


@pytest.mark.parametrize(
    ("shared", "own", "path"),
    [
        ({}, None, ("tools", "sandbox", "tools")),
        ({}, {}, ("tools", "sandbox", "tools")),
        ({"deny": ["read"]}, {"deny": ["exec"]}, ("agents", "list", 0, "tools", "sandbox", "tools")),
    ],
)
def test_where_the_lists_of_a_sandbox_stand(shared: dict[str, Any], own: dict[str, Any] | None, path: Path) -> None:
    entry = {"tools": {"sandbox": {"tools": own}}}
    settings = SettingLevers({"tools": {"sandbox": {"tools": shared}}, "agents": {"list": [entry]}})
    assert sandbox_policy(settings, () if own is None else ("agents", "list", 0)).path == path


def test_an_empty_list_of_a_sandbox_allows_everything() -> None:
    assert sandbox_policy(SettingLevers({"tools": {"sandbox": {"tools": {"allow": []}}}}), ()).allow == ()


@pytest.mark.parametrize(
    ("provider", "model", "key"),
    [
        ("openai", "gpt-5", "openai/GPT-5"),
        (" OpenAI ", "openai/gpt-5", "openai/GPT-5"),
        ("openai", "other/gpt-5", "OpenAI"),
        ("openai", "", "OpenAI"),
        ("none", "gpt-5", None),
        ("empty", "gpt-5", None),
        ("", "gpt-5", None),
        (None, "openai/gpt-5", None),
    ],
)
def test_which_key_of_a_provider_counts(provider: str | None, model: str, key: str | None) -> None:
    tools = {"byProvider": {"OpenAI": {"deny": ["a"]}, "openai/GPT-5": {"deny": ["b"]}, "empty": {}}}
    assert for_provider(tools, provider, model)[0] == (key or "")


@pytest.mark.parametrize(
    ("deny", "name", "rest"),
    [
        (("read", "exec"), "exec", ["read"]),
        (("group:runtime",), "exec", ["process"]),
        (("web_*",), "web_search", []),
        (("read",), "exec", ["read"]),
        (("bash",), "exec", []),
    ],
)
def test_the_denials_without_a_tool(deny: tuple[str, ...], name: str, rest: list[str]) -> None:
    assert without(Policy("p", deny=deny), name) == rest
