"""The sandbox, the environment context and the text on permissions (docs/agents/codex.md#environment)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.agents.codex.agent import CODEX
from promptscope_engine.agents.codex.gather.permissions import Sandbox, approvals
from promptscope_engine.agents.codex.gather.settings import CodexSettings
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.prompt.conditions import ALWAYS, Fact, Facts
from promptscope_engine.prompt.model import SettingSource

from .conftest import Answer, Codex, settings_of, untrusted

pytestmark = pytest.mark.slow


GRANULAR = {"granular": {"mcp_elicitations": True, "rules": True, "sandbox_approval": True}}


@pytest.mark.parametrize(
    ("mode", "args", "settings", "chosen"),
    [
        (None, {}, {}, "read-only"),
        (None, {}, {"sandbox_mode": "workspace-write"}, "workspace-write"),
        ("danger-full-access", {}, {"sandbox_mode": "workspace-write"}, "danger-full-access"),
        ("danger-full-access", {"sandbox": "read-only"}, {}, "read-only"),
        (None, {"sandbox": "read-only", "bypassSandbox": True}, {}, "danger-full-access"),
        (None, {}, {"default_permissions": ":workspace"}, "workspace-write"),
        (None, {}, {"default_permissions": ":read-only", "sandbox_mode": "workspace-write"}, "read-only"),
        (None, {"sandbox": "read-only"}, {"default_permissions": ":workspace"}, "read-only"),
    ],
)
def test_who_chooses_the_sandbox(
    codex: Codex, mode: str | None, args: dict[str, Any], settings: dict[str, Any], chosen: str
) -> None:
    answer = codex(mode=mode, args=args, settings=settings)
    assert answer.assembly.mode == chosen
    assert f"`sandbox_mode` is `{chosen}`" in answer.text("permissions")


def test_a_mode_that_does_not_exist(codex: Codex) -> None:
    with pytest.raises(ScenarioError, match="did you mean read-only"):
        codex(mode="readonly")


def test_texts_are_escaped(codex: Codex) -> None:
    answer = codex(within="a&b <c>", settings={"sandbox_mode": "danger-full-access"})
    text = answer.text("environment")
    assert "a&amp;b &lt;c&gt;</cwd>" in text
    assert '<permission_profile type="disabled"><file_system type="unrestricted" />' in text


@pytest.mark.parametrize(
    ("given", "env", "date"),
    [
        ("2026-11-20", {}, "2026-11-20"),
        ("2026-11-20T23:30:00+00:00", {}, "2026-11-20"),
        ("2026-11-20T23:30:00+00:00", {"TZ": "Asia/Tokyo"}, "2026-11-21"),
        ("2026-11-20T23:30:00+00:00", {"TZ": "nowhere"}, "2026-11-20"),
    ],
)
def test_the_zone_of_the_process_moves_the_date_alone(codex: Codex, given: str, env: dict[str, str], date: str) -> None:
    text = codex(env=env, environment={"date": given, "timezone": "Etc/UTC"}).text("environment")
    assert f"<current_date>{date}</current_date>\n  <timezone>Etc/UTC</timezone>" in text


@pytest.mark.parametrize(
    ("shell", "name"), [("/bin/zsh", "zsh"), ("bash", "bash"), ("/usr/bin/fish", "bash"), ("pwsh", "powershell")]
)
def test_shells(codex: Codex, shell: str, name: str) -> None:
    assert f"<shell>{name}</shell>" in codex(environment={"shell": shell}).text("environment")


def test_writable_roots_are_sorted_and_named_once(codex: Codex, place: Path) -> None:
    answer = codex(
        args={"sandbox": "workspace-write", "addDir": ["/b", "../other", "/b"]},
        settings={"sandbox_workspace_write": {"writable_roots": ["/a"], "network_access": True}},
        env={"TMPDIR": "/tmp/"},
    )
    roots = ["/a", "/b", f"{place}/other", f"{place}/workspace", "/tmp"]
    said = ", ".join(f"`{root}`" for root in sorted(roots, key=lambda p: p.split("/")))
    assert answer.text("permissions").endswith(f"\n The writable roots are {said}.\n</permissions instructions>")
    assert "Network access is enabled" in answer.text("permissions")
    shown = "".join(f"<root>{root}</root>" for root in (f"{place}/workspace", "/a", "/b", f"{place}/other"))
    assert shown in answer.text("environment")


def test_without_temporary_folders_there_is_one_root(codex: Codex, place: Path) -> None:
    table = {"exclude_slash_tmp": True, "exclude_tmpdir_env_var": True}
    answer = codex(mode="workspace-write", settings={"sandbox_workspace_write": table})
    assert f"\n The writable root is `{place}/workspace`.\n" in answer.text("permissions")
    assert "tmp" not in answer.text("environment").partition("<permission_profile")[2].replace(str(place), "")
    usual = codex(mode="workspace-write").text("environment")
    assert all(f'<entry access="write"><special>{name}</special>' in usual for name in (":slash_tmp", ":tmpdir"))


def test_a_profile_of_ones_own(codex: Codex, place: Path) -> None:
    filesystem = {
        "~/secret": "none", "/data": "read", ":tmpdir": "write", ":workspace_roots": {"docs": "write", "*.key": "deny"},
    }  # fmt: skip
    permissions = {"mine": {"filesystem": filesystem, "network": {"enabled": True}}}
    answer = codex(settings={"default_permissions": "mine", "permissions": permissions}, env={"TMPDIR": "/t"})
    entries = [
        'read"><path>/data<',
        'write"><special>:tmpdir<',
        f'deny" escalatable="false"><glob>{place}/workspace/*.key<',
        f'write"><path>{place}/workspace/docs<',
        f'deny" escalatable="false"><path>{place}/home/secret<',
    ]
    assert [part in answer.text("environment") for part in entries] == [True] * 5
    at = [answer.text("environment").index(part) for part in entries]
    assert at == sorted(at)
    text = answer.text("permissions")
    assert f"- path `{place}/home/secret`\n- glob `{place}/workspace/*.key`" in text
    assert f"The writable roots are `{place}/workspace/docs`, `/t`." in text or "`/t`, `" in text
    assert "`sandbox_mode` is `workspace-write`" in text


def extending(codex: Codex, text: str, **given: Any) -> Answer:
    config = f'default_permissions = "mine"\n[permissions.mine]\n{text}\n'
    return codex({"home/.codex/config.toml": config}, **given)


def test_a_profile_extends_a_built_in_one(codex: Codex, place: Path) -> None:
    answer = extending(codex, 'extends = ":workspace"\nworkspace_roots = {"/z" = true, "/a" = true, "/no" = false}')
    entries = (
        '<entry access="read"><special>:root</special></entry>'
        '<entry access="write"><special>:slash_tmp</special></entry>'
        '<entry access="write"><special>:tmpdir</special></entry>'
        f'<entry access="write"><path>{place}/workspace</path></entry>'
        '<entry access="write"><path>/a</path></entry><entry access="write"><path>/z</path></entry></file_system>'
    )
    assert entries in answer.text("environment")
    assert f"<workspace_roots><root>{place}/workspace</root></workspace_roots>" in answer.text("environment")
    assert "`sandbox_mode` is `workspace-write`" in answer.text("permissions")
    assert "Network access is restricted" in answer.text("permissions")
    network = extending(codex, 'extends = ":workspace"\nnetwork = {enabled = true, mode = "limited"}')
    assert "Network access is enabled" in network.text("permissions")


def test_a_profile_extends_another_of_ones_own(codex: Codex) -> None:
    other = '[permissions.other]\nextends = ":read-only"\n[permissions.other.filesystem]\n"/opt" = "write"'
    answer = extending(codex, f'extends = "other"\n{other}')
    assert "The writable root is `/opt`." in answer.text("permissions")


@pytest.mark.parametrize(
    "text",
    [
        'extends = ":danger-full-access"',
        'extends = "nowhere"',
        'extends = "mine"',
        'extends = "other"\n[permissions.other]\nextends = "mine"',
    ],
)
def test_what_no_profile_can_extend(codex: Codex, text: str) -> None:
    assert "agent-refuses" in extending(codex, text).codes


def test_what_a_profile_hides_from_codex(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "ref: x", "workspace/AGENTS.md": "Root.", "workspace/sub/AGENTS.md": "Sub.",
        "home/.codex/config.toml": 'default_permissions = "mine"\n[permissions.mine.filesystem]\n"/opt" = "read"\n',
    }  # fmt: skip
    answer = codex(files, within="workspace/sub")
    assert answer.instructions == ""
    assert not answer.file("workspace/AGENTS.md").present


REVIEWED = {"approvals_reviewer": "auto_review", "approval_policy": "on-request"}


@pytest.mark.parametrize(
    "case",
    [
        ("gpt-5.5", "exec", {}, {"approval_policy": "on-request"}, "Approval policy is currently never", False),
        ("gpt-5.5", "exec", {}, {"approvals_reviewer": "auto_review"}, "`approvals_reviewer` is `auto_review`", True),
        ("gpt-5.6-sol", "exec", {}, {"approvals_reviewer": "auto_review"}, "`approvals_reviewer` is", True),
        ("gpt-6.1-sol", "exec", {}, {"approvals_reviewer": "auto_review"}, "`approvals_reviewer` is", False),
        ("gpt-5.5", "exec", {}, {**REVIEWED, "approval_policy": "never"}, "Approval policy is currently never", False),
        ("gpt-5.5", "exec", {}, {**REVIEWED, "approval_policy": GRANULAR}, "# Approval Requests", False),
        ("gpt-5.5", "exec", {}, REVIEWED, "`approvals_reviewer` is `auto_review`", True),
        ("gpt-5.5", "exec", {"approval": "never"}, REVIEWED, "Approval policy is currently never", False),
        ("gpt-5.5", "exec", {"bypassSandbox": True}, REVIEWED, "Approval policy is currently never", False),
        (
            "gpt-5.5",
            "exec",
            {"approval": "on-request"},
            {"approvals_reviewer": "auto_review"},
            "`approvals_reviewer` is `auto_review`",
            True,
        ),
        ("gpt-5.5", "exec", {"approveForMe": True}, {}, "`approvals_reviewer` is `auto_review`", True),
        ("gpt-6.1-sol", "exec", {"approveForMe": True}, {}, "`approvals_reviewer` is `auto_review`", False),
        ("gpt-6.1-sol", "interactive", {}, {}, "# Escalation Requests", True),
        ("gpt-6.1-sol", "interactive", {}, {"approvals_reviewer": "auto_review"}, "`approvals_reviewer`", False),
        ("gpt-5.5", "interactive", {"approval": "never"}, {}, "Approval policy is currently never", False),
        ("gpt-5.5", "interactive", {}, {"approval_policy": GRANULAR}, "# Approval Requests", False),
        ("gpt-5.5", "interactive", {"bypassSandbox": True}, {}, "Approval policy is currently never", False),
    ],
)
def test_approvals(codex: Codex, case: tuple[str, str, dict[str, Any], dict[str, Any], str, bool]) -> None:
    model, entry, args, settings, says, headings = case
    text = codex(model=model, entry=entry, args=args, settings=settings).text("permissions")
    assert says in text
    assert ("## When to request escalation" in text) is headings


def test_an_interactive_session_in_an_untrusted_project(codex: Codex, place: Path) -> None:
    text = codex(entry="interactive", settings=untrusted(place)).text("permissions")
    assert "#" not in text
    assert "Approval policy" not in text


RULES = """
prefix_rule(pattern=["git", ["log", "diff"]], decision="allow")
prefix_rule(pattern=[["make", "ninja"]])
prefix_rule(pattern=["rm"], decision="forbidden")
host_executable(name="x", paths=["/x"])
"""


def test_allowed_prefixes_stand_where_the_headings_do(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.codex/rules/default.rules": RULES}
    text = codex(files, entry="interactive").text("permissions")
    assert text.rstrip().endswith('- ["make"]\n- ["ninja"]\n- ["git", "[log|diff]"]\n</permissions instructions>')
    assert "[" + '"make"]' not in codex().text("permissions")


def test_rules_that_cannot_be_read(codex: Codex) -> None:
    answer = codex({"home/.codex/rules/default.rules": "prefix_rule(pattern=["})
    assert answer.message("agent-refuses").startswith("Codex does not start: its rules fail: ")


@pytest.mark.parametrize(
    ("asked", "other"),
    [("read-only", "workspace-write"), ("workspace-write", "read-only"), ("danger-full-access", "read-only")],
)
def test_the_way_out_of_a_sandbox(asked: str, other: str) -> None:
    condition = Sandbox("read-only", "it is chosen", "mode").is_(asked)
    assert isinstance(condition, Fact)
    assert condition.holds(Facts()) is (asked == "read-only")
    assert [[(lever.param, lever.value) for lever in way or ()] for way in (condition.on, condition.off)] == [
        [("mode", asked)],
        [("mode", other)],
    ]


def test_the_entries_of_a_profile(codex: Codex) -> None:
    own = (
        'default_permissions = "mine"\n[permissions.mine.filesystem]\n":root" = "read"\n'
        '"/c" = "write"\n[permissions.mine.filesystem."/d"]\nx = "none"\n"" = "write"\n'
    )
    text = codex({"home/.codex/config.toml": own}).text("environment")
    entries = re.findall(r'<entry access="(\w+)"[^>]*>(.*?)</entry>', text)
    assert entries == [
        ("write", "<path>/c</path>"), ("write", "<path>/d</path>"), ("deny", "<path>/d/x</path>"),
        ("read", "<special>:root</special>"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "named", "param"),
    [
        ("on-request", "never", ("args.approval", "never")),
        ("never", "escalation", ("args.approval", "on-request")),
        ("on-request", "granular", None),
        ("on-request", "asks_untrusted", None),
    ],
)
def test_which_policies_a_switch_can_bring(policy: str, named: str, param: tuple[str, str] | None) -> None:
    values = {"approval_policy": policy}
    found = approvals(
        CODEX.params(entry="interactive"),
        settings_of(values),
        None,
        ALWAYS,
    )
    levers = found.gates[named].levers(Facts({"entry": "interactive"}), True)
    assert (levers and [(lever.param, lever.value) for lever in levers]) == (param and [param])


@pytest.mark.parametrize(
    ("params", "values", "policy", "line"),
    [
        ({}, {"approval_policy": "never"}, "never", 2),
        ({}, {"approval_policy": GRANULAR}, "granular", 2),
        ({}, {}, "on-request", None),
        ({"args": {"approval": "never"}}, {"approval_policy": "never"}, "never", None),
        ({"args": {"bypassSandbox": True}}, {"approval_policy": "never"}, "never", None),
    ],
)
def test_a_policy_is_led_to_the_line_that_decides_it(
    params: dict[str, Any], values: dict[str, Any], policy: str, line: int | None
) -> None:
    layer = Layer(values, "", "/h/config.toml", "~/config.toml", lambda _: 2)
    settings = CodexSettings((layer,), values, SettingSource("", "/h/config.toml", "~/config.toml", is_set=False))
    found = approvals(CODEX.params(entry="interactive", **params), settings, None, ALWAYS)
    source = found.because.evaluate(Facts()).source
    assert (found.policy, source and source.line) == (policy, line)


def test_relative_roots_begin_where_they_are_written_down(codex: Codex, place: Path) -> None:
    """Those of a file beside it, all others where Codex is started; `~` is the home folder."""
    files: dict[str, str | bytes] = {
        "home/.codex/config.toml": '[sandbox_workspace_write]\nwritable_roots = ["near", "~/far", "~"]\n'
    }
    answer = codex(files, mode="workspace-write", args={"addDir": ["here", "~/there"]})
    roots = ["workspace", "home/.codex/near", "home/far", "home", "workspace/here", "home/there"]
    assert re.findall("<root>(.*?)</root>", answer.text("environment")) == [f"{place}/{root}" for root in roots]
    table = {"sandbox_workspace_write": {"writable_roots": ["near"]}}
    assert f"<root>{place}/workspace/near</root>" in codex(settings=table).text("environment")


def test_the_stronger_layer_says_whether_a_profile_or_a_sandbox_counts(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.codex/config.toml": 'default_permissions = ":workspace"\n'}
    assert codex(files).assembly.mode == "workspace-write"
    assert codex(files, args={"config": ["sandbox_mode=read-only"]}).assembly.mode == "read-only"


@pytest.mark.parametrize(("enabled", "network"), [(True, "enabled"), (False, "restricted"), (None, "restricted")])
def test_a_profile_of_ones_own_may_open_the_network(codex: Codex, enabled: bool | None, network: str) -> None:
    mine = {"filesystem": {":root": "read"}, "network": {} if enabled is None else {"enabled": enabled}}
    answer = codex(settings={"default_permissions": "mine", "permissions": {"mine": mine}})
    assert f"Network access is {network}." in answer.text("permissions")
