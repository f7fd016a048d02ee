"""The gatherer: sessions, files, channels, models, machine (docs/agents/openclaw.md#bootstrap-files)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.openclaw.gather.runtime import default_agent_id
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.prompt.model import Assembly, SourceFile

from .conftest import Claw

pytestmark = pytest.mark.slow

ALL = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")
FILES: dict[str, str | bytes] = {f"workspace/{name}": f"text of {name}\n" for name in (*ALL, "MEMORY.md")}


def shown(assembly: Assembly) -> list[str]:
    return [s.title for s in assembly.children("project_context") if s.present]


def file(assembly: Assembly, name: str) -> SourceFile:
    return next(f for f in assembly.files if f.kind in ("bootstrap", "memory") and f.path.endswith("/" + name))


def runtime(assembly: Assembly) -> dict[str, str]:
    section = assembly.section("runtime")
    assert section is not None
    line = section.text.split("\n")[2].removeprefix("Runtime: ")
    return {name: value for name, _, value in (part.partition("=") for part in line.split(" | "))}


def test_the_loaders_order(claw: Claw) -> None:
    assembly = claw(FILES)
    assert shown(assembly) == [*ALL, "MEMORY.md"]
    assert "bootstrap" not in [d.code for d in assembly.diagnostics]
    assert [f.kind for f in assembly.files if f.present] == [*["bootstrap"] * 7, "memory"]


@pytest.mark.parametrize("key", ["agent:main:subagent:1", "agent:main:cron:job"])
def test_sub_agents_and_cron_jobs_are_given_five_files(claw: Claw, key: str) -> None:
    assembly = claw(FILES, sessionKey=key)
    assert shown(assembly) == ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md"]
    heartbeat = file(assembly, "HEARTBEAT.md")
    assert (heartbeat.present, heartbeat.injected_chars) == (False, 0)
    assert [lever.param for lever in heartbeat.why.levers] == ["sessionKey"]
    assert "git-commit" not in assembly.system_text


def test_missing_files_leave_markers_and_memory_does_not(claw: Claw, place: Path) -> None:
    assembly = claw({"workspace/AGENTS.md": "a\n"})
    assert shown(assembly) == list(ALL)
    assert f"[MISSING] Expected at: {place}/workspace/SOUL.md" in assembly.system_text
    assert not file(assembly, "SOUL.md").present
    assert "project_context.soul" in {f.origin.id for s in assembly.sections for f in s.fragments}


def test_both_memories_where_they_are_two_files(claw: Claw, place: Path) -> None:
    assert shown(claw({"workspace/MEMORY.md": "a", "workspace/memory.md": "b"}))[-2:] == ["MEMORY.md", "memory.md"]
    (place / "workspace/memory.md").unlink()
    (place / "workspace/memory.md").symlink_to("MEMORY.md")
    assert shown(claw())[-1] == "MEMORY.md"


def test_what_cannot_be_read_counts_as_missing(claw: Claw, place: Path) -> None:
    (place / "workspace/AGENTS.md").mkdir()
    (place / "workspace/SOUL.md").symlink_to("SOUL.md")
    (place / "vault").mkdir()
    (place / "vault/file").write_text("a secret")
    (place / "workspace/TOOLS.md").symlink_to(place / "vault/file")
    assembly = claw({"workspace/USER.md": b"\0\xff\xfe binary"})
    assert "a secret" not in assembly.system_text
    paths = {d.path.rpartition("/")[2] for d in assembly.diagnostics if d.code == "bootstrap" and d.path}
    assert paths == {"AGENTS.md", "SOUL.md", "TOOLS.md", "USER.md"}
    assert not file(assembly, "AGENTS.md").present
    told = next(d.message for d in assembly.diagnostics if d.path == str(place / "workspace/AGENTS.md"))
    assert told == "cannot be read and counts as missing: is a directory"


def test_a_link_out_is_left_out_and_no_marker_stands_for_it(claw: Claw, place: Path) -> None:
    (place / "vault").mkdir()
    (place / "vault/file").write_text("a secret")
    (place / "workspace/SOUL.md").symlink_to(place / "vault/file")
    (place / "workspace/TOOLS.md").symlink_to("nowhere.md")
    assembly = claw()
    assert f"Expected at: {place}/workspace/SOUL.md" not in assembly.system_text
    assert f"Expected at: {place}/workspace/TOOLS.md" in assembly.system_text
    out = f"absent: left out here: it leads to {place}/vault/file; OpenClaw"
    [section] = [each for each in assembly.sections if each.id == "project_context.SOUL.md"]
    assert section.why.text == f"{out} would read it"
    assert file(assembly, "SOUL.md").why.text == f"{out} 2026.2.24 would read it"
    assert file(assembly, "TOOLS.md").why.text == "absent: the link leads nowhere: there is no nowhere.md"


@pytest.mark.parametrize(
    ("entries", "session", "tools"),
    [
        ([("main", "~/ws"), ("designer", "{here}")], "agent:designer:main", 1),
        ([("designer", "{here}"), ("main", "{here}")], "agent:main:main", None),  # the default one comes first
        ([("main", "~/ws"), ("designer", "~/other")], None, None),
        ([("main", "~/ws"), ("designer", "workspace")], None, None),  # from where a gateway starts is not known
    ],
)
def test_the_agent_is_the_one_whose_workspace_the_folder_is(
    claw: Claw, place: Path, entries: list[tuple[str, str]], session: str | None, tools: int | None
) -> None:
    here = str(place / "workspace")
    listed = [{"id": who, "workspace": where.format(here=here)} for who, where in entries]
    for entry in listed:
        if entry["id"] == "designer":
            entry |= {"tools": {"profile": "minimal"}, "skills": []}  # type: ignore[dict-item]
    assembly = claw(config={"agents": {"list": listed}})
    derived = {each.param: each.computed for each in assembly.derived}
    assert derived.get("sessionKey") == session
    assert tools is None or len([tool for tool in assembly.tools if tool.present]) == tools


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        ([], "main"),
        ([{"id": "a"}], "a"),
        ([{"id": "a"}, {"id": "main"}], "main"),
        ([{"id": "a"}, {"id": "main"}, {"id": "b", "default": True}], "b"),
        ([{"id": "a"}, {"id": "main", "default": True}, {"id": "b", "default": True}], "main"),
        ([{"id": "a", "default": True}, {"id": "main", "default": True}], "a"),
    ],
)
def test_the_default_agent(entries: list[dict[str, Any]], wanted: str) -> None:
    assert default_agent_id(SettingLevers({"agents": {"list": entries}})) == wanted


@pytest.mark.parametrize(
    ("profile", "folder"),
    [("", "workspace"), ("default", "workspace"), (" Default ", "workspace"), ("work", "workspace-work")],
)
def test_a_profile_has_a_workspace_of_its_own(place: Path, profile: str, folder: str) -> None:
    asked = {
        "agent": "openclaw",
        "agent_version": "2026.2.24",
        "home": str(place),
        "params": {"config": {}, "useConfiguredWorkspace": True},
    }
    found = assemble(Scenario.model_validate({**asked, "env": {"OPENCLAW_PROFILE": profile}}), cached_only=True)
    assert any(f.path == f"{place}/.openclaw/{folder}/AGENTS.md" for f in found.files)


@pytest.mark.parametrize("last", ["c", "\uffff"])
def test_a_cut_through_a_surrogate_pair_is_not_in_the_file(claw: Claw, last: str) -> None:
    text = "\n" + "a" * 137 + "\n🦀" + "b" * 99 + "\n🦀" + "c" * 38 + last
    assembly = claw({"workspace/AGENTS.md": text}, config={"agents": {"defaults": {"bootstrapMaxChars": 200}}})
    section = assembly.section("project_context.AGENTS.md")
    assert section is not None
    kept = [(f.origin.kind, f.text, f.origin.start_line) for f in section.fragments if f.origin.kind != "label"]
    assert kept == [
        ("file", "\n" + "a" * 137 + "\n", 1),
        ("computed", "\ufffd", None),
        ("computed", "\ufffd", None),
        ("file", "c" * 38 + last, 4),
    ]
    lost = [(f.origin.kind, f.text, f.origin.start_line) for f in section.absent]
    assert lost == [("computed", "\ufffd", None), ("file", "b" * 99 + "\n", 3), ("computed", "\ufffd", None)]


@pytest.mark.parametrize("first", ["a", "🦀"])
def test_a_file_that_begins_with_a_surrogate_pair_is_in_it(claw: Claw, first: str) -> None:
    section = claw({"workspace/AGENTS.md": f"{first}bc"}).section("project_context.AGENTS.md")
    assert section is not None
    assert [f.text for f in section.fragments if f.origin.kind == "file"] == [f"{first}bc"]


def test_a_stand_in_for_a_file_is_as_long_as_its_text(claw: Claw) -> None:
    given = [{"name": "AGENTS.md", "path": "/w/AGENTS.md", "content": "tüt"}, {"name": "x", "path": " "}]
    assembly = claw(bootstrapFiles=given)
    found = file(assembly, "AGENTS.md")
    assert (found.bytes, found.raw_chars, found.present) == (4, 3, True)
    assert [d.message for d in assembly.diagnostics if d.code == "bootstrap"] == [
        "the entry x has no path and is skipped"
    ]


@pytest.mark.parametrize(("length", "truncated"), [(19_999, False), (20_000, False), (20_001, True)])
def test_a_file_may_have_20_000_characters(claw: Claw, length: int, truncated: bool) -> None:
    found = file(claw({"workspace/AGENTS.md": "a" * length}), "AGENTS.md")
    assert found.truncated is truncated
    assert [(edge.allowed, edge.wanted) for edge in found.limits] == [(20_000, length), (150_000, length)]


def test_a_file_that_the_session_is_not_given_takes_nothing_of_the_total(claw: Claw) -> None:
    found = file(claw(FILES, sessionKey="agent:main:subagent:1"), "HEARTBEAT.md")
    length = len("text of HEARTBEAT.md")
    assert [edge.wanted for edge in found.limits] == [length, length]


@pytest.mark.parametrize(("total", "limit"), [(1_201, "MaxChars"), (1_200, "MaxChars"), (1_199, "TotalMaxChars")])
def test_the_limit_that_cuts_a_file_is_the_lower_one(claw: Claw, total: int, limit: str) -> None:
    """A file of 200 characters is before it, and 1,000 may be in each."""
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "a" * 200, "workspace/SOUL.md": "b" * 3_000}
    config = {"agents": {"defaults": {"bootstrapMaxChars": 1_000, "bootstrapTotalMaxChars": total}}}
    text = file(claw(files, config=config), "SOUL.md").why.text
    assert f"of 3,000 characters (bootstrap{limit})" in text


def test_head_and_tail_are_stretches_with_their_lines(claw: Claw) -> None:
    text = "".join(f"line {number}\n" for number in range(1, 101))
    config = {"agents": {"defaults": {"bootstrapMaxChars": 200}}}
    assembly = claw({"workspace/AGENTS.md": text}, config=config)
    section = assembly.section("project_context.AGENTS.md")
    assert section is not None
    stretches = [(f.origin.start_line, f.origin.end_line) for f in section.fragments if f.origin.kind == "file"]
    assert stretches == [(1, 19), (96, 100)]
    assert section.why.text.startswith("present: cut to its first 140 and last 40 of 791 characters")
    found = file(assembly, "AGENTS.md")
    assert (found.truncated, found.raw_chars) == (True, 792)


def test_files_that_found_no_room_are_named_with_the_reason(claw: Claw) -> None:
    config = {"agents": {"defaults": {"bootstrapTotalMaxChars": 30}}}
    assembly = claw({"workspace/AGENTS.md": "x" * 100}, config=config)
    section = assembly.section("project_context.AGENTS.md")
    assert section is not None
    assert not section.present
    assert "used up the total of 30 characters" in section.why.text
    assert (file(assembly, "AGENTS.md").present, file(assembly, "AGENTS.md").truncated) == (True, True)


def test_extra_files_wait_for_a_gateway(claw: Claw) -> None:
    hook = {"enabled": True, "paths": ["packages/*/AGENTS.md", "../AGENTS.md", "docs/{NOTES,USER}.md"]}
    config = {"hooks": {"internal": {"enabled": True, "entries": {"bootstrap-extra-files": hook}}}}
    files: dict[str, str | bytes] = {
        "workspace/packages/b/AGENTS.md": "b\n",
        "workspace/packages/a/AGENTS.md": "a\n",
        "workspace/docs/NOTES.md": "n\n",
        "workspace/docs/USER.md": "u\n",
    }
    off = claw(files, config=config)
    extra = [f for f in off.files if "/packages/" in f.path or "/docs/" in f.path]
    assert [f.present for f in extra] == [False, False, False]
    assert [(lever.param, lever.value) for lever in extra[0].why.levers] == [("internalHooks", True)]
    on = claw(config=config, internalHooks=True)
    extra = [f for f in on.files if "/packages/" in f.path or "/docs/" in f.path]
    assert all(f.present for f in extra)
    names = [f.path.split("workspace/")[1] for f in extra]
    assert names == ["packages/a/AGENTS.md", "packages/b/AGENTS.md", "docs/USER.md"]
    assert any("NOTES.md" in d.message for d in on.diagnostics)


def test_the_workspace_can_be_the_configured_one(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "other/AGENTS.md": "another folder\n",
        "home/.openclaw/workspace-work/AGENTS.md": "profile\n",
        "home/.openclaw/workspace/AGENTS.md": "default\n",
    }
    config = {"agents": {"defaults": {"workspace": str(place / "other")}}}
    taken = claw(files, config=config, useConfiguredWorkspace=True)
    assert "another folder" in taken.system_text
    assert "workspace" not in [d.code for d in taken.diagnostics]
    passed_over = claw(config=config)
    assert "another folder" not in passed_over.system_text
    (note,) = [d.message for d in passed_over.diagnostics if d.code == "workspace"]
    assert note == f"the configuration names the workspace {place}/other; `useConfiguredWorkspace` takes it"
    assert "profile\n" in claw(useConfiguredWorkspace=True, env={"OPENCLAW_PROFILE": "work"}).system_text
    assert "default\n" in claw(useConfiguredWorkspace=True, env={"OPENCLAW_PROFILE": "default"}).system_text


def test_a_sandbox_shows_its_own_copy(claw: Claw) -> None:
    config = {"agents": {"defaults": {"sandbox": {"mode": "non-main", "workspaceAccess": "ro"}}}}
    main, other = (claw(FILES, config=config, sessionKey=key) for key in (None, "agent:main:telegram:group:1"))
    assert not next(s for s in main.sections if s.id == "sandbox").present
    text = other.system_text
    assert "/home/.openclaw/sandboxes/agent-main-" in text
    assert "text of AGENTS.md" in text
    assert "Agent workspace access: ro (mounted at /agent)" in text
    assert {"edit", "write", "browser"}.isdisjoint({t.name for t in other.tools if t.present})


@pytest.mark.parametrize(
    ("key", "params", "line"),
    [
        (None, {}, "HEARTBEAT.md"),
        ("agent:shed:main", {}, "(configured)"),
        (None, {"heartbeatDefault": False}, "(configured)"),
        ("agent:shed:main", {"heartbeatDefault": True}, "HEARTBEAT.md"),
    ],
)
def test_only_the_default_agent_has_the_heartbeat(
    claw: Claw, key: str | None, params: dict[str, Any], line: str
) -> None:
    section = claw(sessionKey=key, **params).section("heartbeats")
    assert section is not None
    assert line in section.text.split("\n")[2]


def test_the_runtime_line_tells_the_machine(claw: Claw, place: Path) -> None:
    (place / "workspace/.git").mkdir()
    config = {"agents": {"defaults": {"model": {"primary": "fast"}, "models": {"acme/a": {"alias": "Fast"}}}}}
    found = runtime(claw(config=config, model="acme/b", channel="imsg", env={"CLAWDBOT_SHELL": "/opt/zsh.exe"}))
    assert found == {
        "agent": "main", "host": "studio", "repo": str(place / "workspace"), "os": "Linux 6.8.0 (x64)",
        "node": "v22.12.0", "model": "acme/b", "default_model": "acme/a", "shell": "zsh", "channel": "imessage",
        "capabilities": "none", "thinking": "off",
    }  # fmt: skip


def test_a_configured_repository_goes_first(claw: Claw, place: Path) -> None:
    (place / "repo").mkdir()
    assert runtime(claw(config={"agents": {"defaults": {"repoRoot": str(place / "repo")}}}))["repo"] == str(
        place / "repo"
    )
    assert "repo" not in runtime(claw(config={"agents": {"defaults": {"repoRoot": "/no/where"}}}))


@pytest.mark.parametrize("levels", [11, 12, 13])
def test_a_repository_is_looked_for_so_far_up(place: Path, levels: int) -> None:
    folder = place / "other" / "/".join("x" * (levels - 1))
    folder.mkdir(parents=True)
    (place / "other/.git").write_text("gitdir: elsewhere")
    scenario = Scenario(
        agent="openclaw", agent_version="2026.2.24", workspace=str(folder), home=str(place / "home"), env={}
    )
    found = runtime(assemble(scenario, cached_only=True))
    assert found.get("repo") == (str(place / "other") if levels <= 12 else None)


def test_a_chat_brings_its_facts_and_the_groups_own_prompt(claw: Claw) -> None:
    groups = {"groups": {"7": {"systemPrompt": " be kind ", "tools": {"deny": ["exec"]}}, "*": {"systemPrompt": "all"}}}
    assembly = claw(
        config={"channels": {"telegram": groups}}, channel="telegram", sessionKey="agent:main:telegram:group:7"
    )
    section = assembly.section("extra_context")
    assert section is not None
    assert '{\n  "schema": "openclaw.inbound_meta.v1"' in section.text
    assert section.text.endswith("\n\nbe kind")
    assert "exec" not in {t.name for t in assembly.tools if t.present}


def test_a_groups_list_of_unknown_tools_is_ignored_and_named_by_its_channel(claw: Claw) -> None:
    groups = {"groups": {"7": {"tools": {"allow": ["nothing-known"]}}}}
    assembly = claw(
        config={"channels": {"telegram": groups}}, channel="telegram", sessionKey="agent:main:telegram:group:7"
    )
    assert "exec" in {t.name for t in assembly.tools if t.present}
    (said,) = [d.message for d in assembly.diagnostics if d.code == "tools"]
    assert said.startswith("channels.telegram.groups tools: ")


@pytest.mark.parametrize(
    ("shared", "own", "is_there"),
    [(None, None, True), (True, True, True), (None, False, False), (False, None, False), (False, True, False)],
)
def test_elevated_commands_are_switched_for_all_and_for_one_agent(
    claw: Claw, shared: bool | None, own: bool | None, is_there: bool
) -> None:
    tools = {"elevated": {"allowFrom": {"telegram": ["*"]}, **({} if shared is None else {"enabled": shared})}}
    agent = {"id": "main", "tools": {"elevated": {} if own is None else {"enabled": own}}}
    sandboxed = {"sandbox": {"mode": "all"}}
    config = {"tools": tools, "agents": {"defaults": sandboxed, "list": [agent]}}
    assembly = claw(config=config, channel="telegram", sessionKey="agent:main:telegram:direct:1")
    assert ("Current elevated level: on" in assembly.system_text) is is_there


def test_speech_has_a_hint_with_its_numbers(claw: Claw) -> None:
    assert not next(s for s in claw().sections if s.id == "voice").present
    prefs = {"home/.openclaw/settings/tts.json": '{"tts": {"maxLength": 900, "summarize": false}}'}
    section = claw(prefs, config={"messages": {"tts": {"auto": "tagged"}}}).section("voice")
    assert section is not None
    assert "at most 900 characters" in section.text
    assert "(summary off)" in section.text


@pytest.mark.parametrize(
    ("zone", "wanted"), [("asia/tokyo", "asia/tokyo"), ("Mars/Olympus", "Europe/Vienna"), ("", "Europe/Vienna")]
)
def test_a_zone_that_is_none_falls_back(claw: Claw, zone: str, wanted: str) -> None:
    section = claw(config={"agents": {"defaults": {"userTimezone": zone}}}).section("date_and_time")
    assert section is not None
    assert section.text.endswith(f"Time zone: {wanted}")


def test_every_file_that_decides_something_is_listed(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "home/.openclaw/openclaw.json": "{}",
        "home/.openclaw/settings/tts.json": "{}",
        "home/.openclaw/extensions/p/openclaw.plugin.json": '{"id": "p", "skills": ["s"]}',
        "workspace/skills/a/SKILL.md": "---\ndescription: d\n---\n",
    }
    listed = {f.path.removeprefix(f"{place}/") for f in claw(files).files if f.present}
    assert listed == set(files)


def test_it_compacts_before_the_end_and_shows_no_reserve(claw: Claw) -> None:
    tokens = claw().tokens
    assert (tokens.reserve, tokens.compact_at) == (0, 180_000)


@pytest.mark.parametrize(
    ("node", "passed", "is_told"),
    [
        ("v22.12.0", {}, False),
        ("", {}, True),
        ("", {"runtimeInfo": None}, False),
        ("v22.12.0", {"runtimeInfo": {"host": "h"}}, True),
        ("", {"runtimeInfo": {"node": "v1"}}, False),
    ],
)
def test_a_runtime_line_without_node_is_told(claw: Claw, node: str, passed: dict[str, Any], is_told: bool) -> None:
    assembly = claw(environment={"node": node}, passed=passed)
    assert any("the runtime line lacks node=" in d.message for d in assembly.diagnostics) is is_told


BUTTONS, NO_BUTTONS = "buttons=[[", "capabilities.inlineButtons"


@pytest.mark.parametrize(
    ("channel", "own", "says", "silent"),
    [
        ("telegram", {}, BUTTONS, NO_BUTTONS),
        ("telegram", {"capabilities": {"inlineButtons": "off"}}, f"telegram.{NO_BUTTONS}", BUTTONS),
        ("slack", {}, f"slack.{NO_BUTTONS}", BUTTONS),
        ("slack", {"capabilities": ["inlineButtons"]}, BUTTONS, NO_BUTTONS),
        (None, {}, "### message tool", "nline buttons"),
    ],
)
def test_buttons_go_by_the_channel_of_the_message(
    claw: Claw, channel: str | None, own: dict[str, Any], says: str, silent: str
) -> None:
    section = claw(channel=channel, config={"channels": {channel or "telegram": own}}).section("messaging.message_tool")
    assert section is not None
    assert says in section.text
    assert silent not in section.text
    hint = [each.why.text for each in section.absent if each.origin.id == "message_tool.buttons_hint"]
    assert not any("None" in why for why in hint)


@pytest.mark.parametrize(
    ("channel", "key", "chat", "kind"),
    [
        ("telegram", "agent:main:telegram:group:7", "7", "group"),
        ("telegram", "agent:main:telegram:group:7:thread:1", "7", "group"),
        ("signal", "agent:main:signal:direct:42", "42", "direct"),
        ("signal", None, "main", "direct"),
    ],
)
def test_what_a_message_tells_of_its_chat(claw: Claw, channel: str, key: str | None, chat: str, kind: str) -> None:
    section = claw(channel=channel, sessionKey=key).section("extra_context")
    assert section is not None
    told = json.loads(section.text.partition("```json\n")[2].partition("\n```")[0])
    assert told == {
        "schema": "openclaw.inbound_meta.v1", "chat_id": chat, "channel": channel, "provider": channel,
        "surface": channel, "chat_type": kind,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("hooks", "entry", "names"),
    [
        ({"enabled": True}, {"paths": ["a/AGENTS.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"enabled": False, "paths": ["a/AGENTS.md"]}, []),
        ({"enabled": False}, {"paths": ["a/AGENTS.md"]}, []),
        ({}, {"paths": ["a/AGENTS.md"]}, []),
        ({"enabled": True}, {}, []),
        ({"enabled": True}, {"paths": [], "patterns": ["a/*.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"paths": [" "], "files": ["./a/AGENTS.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"paths": ["b/AGENTS.md"], "files": ["a/AGENTS.md"]}, []),
        ({"enabled": True}, {"paths": ["a/AGENTS.md", "a/*.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"paths": ["{place}/workspace/a/AGENTS.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"paths": ["{place}/AGENTS.md"]}, []),
        ({"enabled": True}, {"paths": ["../AGENTS.md"]}, []),
        ({"enabled": True}, {"paths": ["a/../a/AGENTS.md"]}, ["a/AGENTS.md"]),
        ({"enabled": True}, {"paths": ["[a]/AGENTS.md"]}, []),  # a pattern needs one of *?{, as its source says
        ({"enabled": True}, {"paths": ["[a]*/AGENTS.md"]}, ["a/AGENTS.md"]),
    ],
)
def test_which_extra_files_are_loaded(
    claw: Claw, place: Path, hooks: dict[str, Any], entry: dict[str, Any], names: list[str]
) -> None:
    named = {
        key: [name.format(place=place) for name in value] if isinstance(value, list) else value
        for key, value in entry.items()
    }
    internal = {**hooks, "entries": {"bootstrap-extra-files": named}}
    files: dict[str, str | bytes] = {"workspace/a/AGENTS.md": "a", "AGENTS.md": "outside"}
    found = claw(files, config={"hooks": {"internal": internal}}, internalHooks=True).files
    paths = [f.path.removeprefix(f"{place}/") for f in found if f.path.endswith("AGENTS.md") and f.present]
    assert paths == [f"workspace/{name}" for name in names]


@pytest.mark.parametrize(
    ("channel", "own", "off"),
    [
        ("telegram", {}, {"inlineButtons": "off"}),
        ("slack", {"capabilities": ["threads", "InlineButtons"]}, ["threads"]),
    ],
)
def test_what_would_take_the_buttons_away(claw: Claw, channel: str, own: dict[str, Any], off: Any) -> None:
    section = claw(channel=channel, config={"channels": {channel: own}}).section("messaging.message_tool")
    assert section is not None
    levers = [(lever.param, lever.value) for lever in section.absent[0].why.levers]
    assert levers == [(f"configOverlay.channels.{channel}.capabilities", off)]


def test_entries_of_lists_that_match_nothing_have_a_note(claw: Claw) -> None:
    skill = "---\nname: paint\ndescription: Paints.\n---\n"
    tools = {"allow": ["read", "reed", "sess*", "group:fs", "group:fss", "bash"], "deny": ["zzz"]}
    agents = {"list": [{"id": "main", "skills": ["paint", "paintt"], "tools": tools}]}
    assembly = claw({"workspace/skills/paint/SKILL.md": skill}, config={"agents": agents})
    assert [d.message for d in assembly.diagnostics if d.code == "unmatched-entry"] == [
        "`agents.list[0].tools.allow` names reed: there is no such tool or group; did you mean read?",
        "`agents.list[0].tools.allow` names group:fss: there is no such tool or group; did you mean group:fs?",
        "`agents.list[0].tools.deny` names zzz: there is no such tool or group",
        "`agents.list[0].skills` names paintt: there is no such skill here; did you mean paint?",
    ]


def test_such_a_note_names_the_line_of_its_entry(claw: Claw, place: Path) -> None:
    text = '{\n  // tools\n  tools: {\n    allow: [\n      "read",\n      "reed",\n    ],\n  },\n}\n'
    (found,) = (d for d in claw({"home/.openclaw/openclaw.json": text}).diagnostics if d.code == "unmatched-entry")
    assert (found.path, found.line) == (str(place / "home/.openclaw/openclaw.json"), 6)


@pytest.mark.parametrize("known", [True, False])
def test_bundled_skills_that_are_not_there_have_a_note_where_the_package_is_known(
    claw: Claw, place: Path, known: bool
) -> None:
    skill = "---\nname: weather\ndescription: Looks out.\n---\n"
    folder = {"bundledSkillsDir": str(place / "package")} if known else {}
    config = {"skills": {"allowBundled": ["weather", "wether"]}}
    assembly = claw({"package/weather/SKILL.md": skill}, config=config, **folder)
    told = ["`skills.allowBundled` names wether: there is no such skill here; did you mean weather?"] if known else []
    assert [d.message for d in assembly.diagnostics if d.code == "unmatched-entry" and "wether" in d.message] == told


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("workspace/skills/a/Skill.md", "only the name SKILL.md counts (this is Skill.md)"),
        ("workspace/skills/a.md", "a skill is a folder with a SKILL.md in it"),
        ("workspace/skills/a/b/SKILL.md", "it is too deep: a skill is a folder directly in the folder of skills"),
        ("home/.openclaw/skills/a/skill.md", "only the name SKILL.md counts (this is skill.md)"),
        ("workspace/skill/a/SKILL.md", "OpenClaw looks for skills in skills and .agents/skills of the agent's"),
        ("workspace/.claude/skills/a/SKILL.md", "OpenClaw looks for skills in skills and .agents/skills of the"),
        ("home/skills/a/SKILL.md", "OpenClaw looks for skills in skills and .agents/skills of the agent's workspace"),
    ],
)
def test_what_is_nearly_a_skill_has_a_row(claw: Claw, place: Path, path: str, reason: str) -> None:
    rows = {file.path: file.why.text for file in claw({path: "---\nname: a\ndescription: b\n---\n"}).files}
    assert rows[str(place / path)].startswith(f"absent: not read: {reason}")


def test_a_skill_below_another_one_is_no_near_miss(claw: Claw) -> None:
    skill = "---\nname: {}\ndescription: b\n---\n"
    files = {"workspace/skills/a/SKILL.md": skill.format("a"), "workspace/skills/a/b/SKILL.md": skill.format("b")}
    assert [file.present for file in claw(files).files if file.kind == "skill"] == [True, True]


def test_a_plugin_of_ones_own_may_bring_tools(claw: Claw) -> None:
    on = {"mine": {"enabled": True}, "lobster": {"enabled": True}, "telegram": {"enabled": True}}
    config = {"plugins": {"entries": on}, "tools": {"alsoAllow": ["mine", "lobster", "llm-task"]}}
    notes = [d.message for d in claw(config=config).diagnostics if d.code in ("plugins", "unmatched-entry")]
    assert notes == ["the plugin mine is on: plugins are not run, so tools that it brings are not shown"]


@pytest.mark.parametrize(
    ("defaults", "told"),
    [
        (
            {},
            [
                "OpenClaw writes SOUL.md, TOOLS.md, IDENTITY.md, HEARTBEAT.md when it starts, unless"
                " `agents.defaults.skipBootstrap` is on; here they are shown as missing"
            ],
        ),
        ({"skipBootstrap": True}, []),
    ],
)
def test_files_that_openclaw_writes_itself_are_told(claw: Claw, defaults: dict[str, Any], told: list[str]) -> None:
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "a", "workspace/USER.md": "b"}
    assembly = claw(files, config={"agents": {"defaults": defaults}})
    assert [note.message for note in assembly.diagnostics if note.code == "seeded"] == told


@pytest.mark.parametrize(("missing", "says"), [("SOUL.md", "it is"), ("SOUL.md, TOOLS.md", "they are")])
def test_of_one_missing_file_openclaw_says_that_it_is_shown(claw: Claw, missing: str, says: str) -> None:
    names = ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT")
    files: dict[str, str | bytes] = {f"workspace/{n}.md": "x" for n in names if f"{n}.md" not in missing.split(", ")}
    (told,) = [note.message for note in claw(files).diagnostics if note.code == "seeded"]
    assert told.startswith(f"OpenClaw writes {missing} when it starts")
    assert told.endswith(f"; here {says} shown as missing")
