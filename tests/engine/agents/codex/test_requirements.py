"""What an administrator's files require: managed_config.toml and requirements.toml [asked of 0.169.0, 0.171.0]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Answer, Codex

LITE = "gpt-6.1-sol"
SERVERS = [{"name": "srv", "status": "connected", "tools": [{"name": "one"}]}]
BOTH = 'allowed_permission_profiles = {":read-only" = true, ":workspace" = true}\n'
NEVER, ESCALATES = "Approval policy is currently never", "# Escalation Requests"


def required(codex: Codex, text: str, user: str = "", **given: Any) -> Answer:
    return codex({"managed/requirements.toml": text, "home/.codex/config.toml": user}, **given)


def managed(codex: Codex, text: str, user: str = "", **given: Any) -> Answer:
    return codex({"managed/managed_config.toml": text, "home/.codex/config.toml": user}, **given)


def mode(answer: Answer) -> str:
    return answer.text("permissions").partition("`sandbox_mode` is `")[2].partition("`")[0]


def refused(answer: Answer) -> bool:
    return "agent-refuses" in answer.codes


# --- managed_config.toml ----------------------------------------------------------------------------------------------


def test_managed_settings_win(codex: Codex, place: Path) -> None:
    text = 'developer_instructions = "Managed."\n'
    assert managed(codex, text, 'developer_instructions = "Mine."').text("developer_instructions") == "Managed."
    given = {"args": {"config": ["developer_instructions=Given"]}}
    assert managed(codex, text, **given).text("developer_instructions") == "Managed."
    assert managed(codex, "features.goals = false", model="gpt-5.5").tools.count("get_goal") == 0
    assert str(place / "managed/managed_config.toml") in {file.path for file in managed(codex, text).assembly.files}


def test_the_command_line_still_names_the_model(codex: Codex) -> None:
    assert managed(codex, 'model = "gpt-5.5"', model=LITE).body["model"] == LITE
    assert managed(codex, 'model = "gpt-5.5"', model=None).body["model"] == "gpt-5.5"


@pytest.mark.parametrize(
    ("text", "user", "found"),
    [
        ("read-only", "workspace-write", "read-only"),
        ("workspace-write", "read-only", "workspace-write"),
        ("workspace-write", "danger-full-access", "workspace-write"),
        ("danger-full-access", "read-only", "danger-full-access"),
    ],
)
def test_a_managed_sandbox(codex: Codex, text: str, user: str, found: str) -> None:
    assert mode(managed(codex, f'sandbox_mode = "{text}"', f'sandbox_mode = "{user}"')) == found


def test_a_managed_sandbox_is_required(codex: Codex) -> None:
    assert mode(managed(codex, 'sandbox_mode = "read-only"', args={"sandbox": "workspace-write"})) == "read-only"


@pytest.mark.parametrize(
    ("text", "says"),
    [("on-request", ESCALATES), ("on-failure", ESCALATES), ("never", NEVER)],
)
def test_a_managed_policy_is_the_only_one(codex: Codex, text: str, says: str) -> None:
    assert says in managed(codex, f'approval_policy = "{text}"').text("permissions")


@pytest.mark.parametrize("text", ["model = 3", "x = = 1", 'sandbox_mode = "x"', 'approval_policy = "untrusted"'])
def test_managed_settings_that_stop_the_start(codex: Codex, text: str) -> None:
    assert refused(managed(codex, text))


@pytest.mark.parametrize("text", ["no_such = 1", "features.no_such_feature = true"])
def test_managed_settings_that_nobody_knows(codex: Codex, text: str) -> None:
    assert not refused(managed(codex, text))
    assert {"unknown-setting", "unknown-feature"} & set(managed(codex, text).codes)


# --- requirements.toml: what stops the start --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "x = = 1",
        'allowed_approval_policies = "never"',
        "allowed_approval_policies = []",
        'allowed_approval_policies = ["no-such"]',
        'allowed_approval_policies = ["granular"]',
        "allowed_approvals_reviewers = []",
        'allowed_approvals_reviewers = ["x"]',
        "allowed_sandbox_modes = []",
        'allowed_sandbox_modes = ["workspace-write"]',
        'allowed_sandbox_modes = ["external-sandbox"]',
        'allowed_sandbox_modes = ["x"]',
        'allowed_web_search_modes = ["x"]',
        'allowed_permission_profiles = {":read-only" = true}',
        "allowed_permission_profiles = {}",
        "allowed_permission_profiles = 3",
        'default_permissions = ":read-only"',
        'default_permissions = ":workspace"\nallowed_permission_profiles = {":read-only" = true}',
        'default_permissions = ":nope"\nallowed_permission_profiles = {":nope" = true}',
        "features = {goals = 3}",
        "features = {multi_agent_v2 = {enabled = false}}",
        "mcp_servers = {srv = {}}",
        'mcp_servers = {srv = {identity = {command = {prefix = "x"}}}}',
        'rules = {prefix_rules = [{pattern = [{token = "rm"}], decision = "allow"}]}',
        'rules = {prefix_rules = [{pattern = [{token = "rm"}]}]}',
        'allow_managed_hooks_only = "x"',
        "additional_developer_instructions = 3",
        'enforce_residency = "x"',
    ],
)
def test_requirements_that_stop_the_start(codex: Codex, text: str) -> None:
    assert refused(required(codex, text))


@pytest.mark.parametrize(
    "text",
    [
        'allowed_approval_policies = ["never"]',
        'allowed_sandbox_modes = ["read-only", "workspace-write"]',
        BOTH,
        "features = {no_such = true}",
        "mcp_servers = {}",
        'rules = {prefix_rules = [{pattern = [{token = "rm"}], decision = "forbidden"}]}',
        'enforce_residency = "us"',
        'guardian_policy_config = "x"',
        "plugins = {}",
    ],
)
def test_requirements_that_are_taken(codex: Codex, text: str) -> None:
    assert not refused(required(codex, text))


@pytest.mark.parametrize("text", ["no_such = 1", 'model = "x"', 'developer_instructions = "x"', "ignore_rules = true"])
def test_requirements_that_nobody_knows(codex: Codex, text: str) -> None:
    assert required(codex, text).codes.count("unknown-setting") == 1
    assert not refused(required(codex, text))


# --- what is replaced -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "user", "found"),
    [
        ('allowed_sandbox_modes = ["read-only"]', 'sandbox_mode = "workspace-write"', "read-only"),
        ('allowed_sandbox_modes = ["read-only"]', 'default_permissions = ":workspace"', "read-only"),
        (
            'allowed_sandbox_modes = ["read-only", "workspace-write"]',
            'sandbox_mode = "workspace-write"',
            "workspace-write",
        ),
        (BOTH, 'sandbox_mode = "read-only"', "workspace-write"),
        (BOTH, 'default_permissions = ":read-only"', "read-only"),
        (BOTH, 'default_permissions = ":danger-full-access"', "workspace-write"),
        (BOTH + 'default_permissions = ":read-only"', 'sandbox_mode = "workspace-write"', "read-only"),
        (BOTH + 'default_permissions = ":read-only"', 'default_permissions = ":workspace"', "workspace-write"),
    ],
)
def test_a_sandbox_that_is_not_allowed(codex: Codex, text: str, user: str, found: str) -> None:
    assert mode(required(codex, text, user)) == found


def test_full_access_is_not_traded_for_less_where_nobody_is_asked(codex: Codex) -> None:
    text, user = 'allowed_sandbox_modes = ["read-only"]', 'sandbox_mode = "danger-full-access"\n'
    assert refused(required(codex, text, user))
    assert refused(required(codex, text, args={"bypassSandbox": True}))
    reviewed = required(codex, text, f'{user}approvals_reviewer = "auto_review"')
    assert not refused(reviewed)
    assert mode(reviewed) == "read-only"


def test_a_profile_of_the_administrator(codex: Codex) -> None:
    text = 'default_permissions = "corp"\nallowed_permission_profiles = {corp = true}\n'
    answer = required(codex, f'{text}[permissions.corp.filesystem]\n":root" = "read"\n"/opt/x" = "deny"\n')
    assert mode(answer) == "read-only"
    assert "- path `/opt/x`" in answer.text("permissions")


@pytest.mark.parametrize(
    ("allowed", "user", "says"),
    [
        (["never"], "", NEVER),
        (["never", "on-request"], "", NEVER),
        (["on-request"], "", ESCALATES),
        (["on-failure"], "", ESCALATES),
        (["on-request", "untrusted"], 'approval_policy = "never"', ESCALATES),
        (["untrusted", "on-request"], "", "each command is shown to the user first"),
        (["never"], 'approvals_reviewer = "auto_review"', NEVER),
    ],
)
def test_a_policy_that_is_not_allowed(codex: Codex, allowed: list[str], user: str, says: str) -> None:
    for model in (LITE, "gpt-5.5"):
        assert says in required(codex, f"allowed_approval_policies = {allowed}", user, model=model).text("permissions")


@pytest.mark.parametrize(
    ("allowed", "user", "reviewed"),
    [
        (["auto_review"], "", True),
        (["guardian_subagent"], "", True),
        (["user"], 'approvals_reviewer = "auto_review"', False),
        (["user", "auto_review"], "", False),
    ],
)
def test_a_reviewer_that_is_not_allowed(codex: Codex, allowed: list[str], user: str, reviewed: bool) -> None:
    answer = required(codex, f"allowed_approvals_reviewers = {allowed}", user)
    assert ("`approvals_reviewer`" in answer.text("permissions")) is reviewed


@pytest.mark.parametrize(
    ("allowed", "user", "search"),
    [
        (["disabled"], "", None),
        ([], "", None),
        (["cached"], 'web_search = "live"', {"external_web_access": False}),
        (["live"], "", {"external_web_access": True}),
        (["live", "cached"], 'web_search = "indexed"', {"external_web_access": False}),
        (["indexed"], 'web_search = "live"', {"external_web_access": True, "indexed_web_access": True}),
    ],
)
def test_a_web_search_that_is_not_allowed(
    codex: Codex, allowed: list[str], user: str, search: dict[str, Any] | None
) -> None:
    answer = required(codex, f"allowed_web_search_modes = {allowed}", user)
    found = [tool for tool in answer.body["tools"] if tool["type"] == "web_search"]
    known = {"type": "web_search", "search_content_types": ["text", "image"]}
    assert found == ([] if search is None else [{**known, **search}])


def test_features_are_switched_for_good(codex: Codex) -> None:
    text = "features = {goals = false}"
    assert "get_goal" in codex().tools
    assert "get_goal" not in required(codex, text, "features.goals = true").tools
    assert "get_goal" not in required(codex, text, args={"enable": ["goals"]}).tools
    second = required(codex, "features = {multi_agent_v2 = true}", "[features.multi_agent_v2]\nenabled = false\n")
    assert "collaboration.spawn_agent" in second.tools


@pytest.mark.parametrize(
    ("listed", "runs"),
    [
        ("{}", False),
        ('{srv = {identity = {command = "run"}}}', True),
        ('{srv = {identity = {command = "x"}}}', False),
        ('{srv = {identity = {url = "http://x"}}}', False),
        ('{other = {identity = {command = "run"}}}', False),
    ],
)
def test_servers_that_are_not_allowed(codex: Codex, listed: str, runs: bool) -> None:
    user = '[mcp_servers.srv]\ncommand = "run"\n'
    answer = required(codex, f"mcp_servers = {listed}", user, servers=SERVERS)
    assert ("mcp__srv" in answer.text("tools")) is runs
    assert ("read_mcp_resource" in answer.tools) is runs


def test_whose_hooks_run(codex: Codex) -> None:
    hook = '{hooks = [{type = "command", command = "x"}]}'
    mine: dict[str, str | bytes] = {
        "home/.codex/hooks.json": '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}]}}'
    }
    trusted = {"args": {"bypassHookTrust": True}, "hooks": {"SessionStart": "Said."}}
    assert codex(mine, **trusted).section("hooks.session_start").present
    only = {"managed/requirements.toml": "allow_managed_hooks_only = true"}
    assert not codex({**mine, **only}, **trusted).section("hooks.session_start").present
    theirs = {"managed/requirements.toml": f"hooks = {{SessionStart = [{hook}]}}"}
    assert codex(theirs, hooks={"SessionStart": "Said."}).section("hooks.session_start").present


def test_the_administrators_own_text(codex: Codex) -> None:
    answer = required(codex, 'additional_developer_instructions = "Mind this."')
    assert answer.text("managed_instructions") == (
        "<managed_developer_instructions>\nMind this.\n</managed_developer_instructions>"
    )
    assert not required(codex, 'additional_developer_instructions = ""').section("managed_instructions").present


def test_reads_that_are_denied(codex: Codex, place: Path) -> None:
    answer = required(codex, 'permissions = {filesystem = {deny_read = ["/opt/*.k", "/opt/a", "own", "~/b"]}}')
    said = answer.text("permissions").partition("## Denied filesystem reads")[2]
    paths = ["path `/opt/a`", f"path `{place}/managed/own`", f"path `{place}/home/b`", "glob `/opt/*.k`"]
    assert [said.index(f"- {path}") for path in paths] == sorted(said.index(f"- {path}") for path in paths)
    assert '<entry access="deny" escalatable="false"><glob>/opt/*.k</glob></entry>' in answer.text("environment")


def test_with_denied_reads_the_start_folder_is_a_root(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "ref: x", "workspace/AGENTS.md": "Root.", "workspace/sub/AGENTS.md": "Sub.",
        "managed/requirements.toml": 'permissions = {filesystem = {deny_read = ["/opt/x"]}}',
    }  # fmt: skip
    answer = codex(files, within="workspace/sub", mode="workspace-write")
    assert "Sub." in answer.instructions
    assert "Root." not in answer.instructions
    assert "Root." in codex(files, within="workspace/sub", mode="read-only").instructions
    assert "Root." in codex(files, within="workspace", mode="workspace-write").instructions


def test_what_is_required_and_not_modelled(codex: Codex) -> None:
    answer = required(codex, "experimental_network = {enabled = true}\nremote_sandbox_config = []\n")
    assert answer.codes.count("not-modelled") == 2
