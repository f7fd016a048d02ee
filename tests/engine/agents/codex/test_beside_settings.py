"""What is in the folders of the settings: roles, rules, hooks, skills, and who may say what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Codex
from .test_skills import BARE, listed, skill

pytestmark = pytest.mark.slow

HOME = "home/.codex/config.toml"
ROLE = 'name = "mine"\ndescription = "Mine."\ndeveloper_instructions = "x"\n'
ALLOW = 'prefix_rule(pattern=["{}"], decision="allow")\n'
HOOK = '{{"hooks": {{"SessionStart": [{{{}"hooks": [{{"type": "command", "command": "x"}}]}}]}}}}'


def roles_of(codex: Codex, files: dict[str, str | bytes], **params: Any) -> str:
    schema = codex(files, model="x", **params).tool("multi_agent_v1.spawn_agent").input_schema
    said: str = schema["properties"].get("agent_type", {}).get("description", "")
    return said


# --- roles ------------------------------------------------------------------------------------------------------


def test_a_role_may_be_described_by_the_file_that_its_table_names(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        HOME: '[agents.a]\nconfig_file = "roles/a.toml"\n[agents.b]\ndescription = "B"\nconfig_file = "roles/b.toml"\n',
        "home/.codex/roles/a.toml": 'description = " From the file. "\n',
        "home/.codex/roles/b.toml": 'name = "better"\ndescription = "Nearer."\n',
    }
    said = roles_of(codex, files)
    assert "a: {\nFrom the file.\n}\nbetter: {\nNearer.\n}" in said


def test_a_role_without_description_is_told_with_its_line(codex: Codex) -> None:
    answer = codex({HOME: "[agents]\nmax_threads = 2\n[agents.mute]\n"}, model="x")
    [found] = [d for d in answer.assembly.diagnostics if d.code == "role-dropped"]
    assert (found.path, found.line) == (str(answer.place / HOME), 3)


def test_a_role_of_a_built_in_name_replaces_it(codex: Codex) -> None:
    said = roles_of(codex, {HOME: '[agents.worker]\ndescription = "Mine."\n'})
    assert said.count("worker: {") == 1
    assert "worker: {\nMine.\n}" in said


def test_roles_lie_in_folders_and_in_trusted_projects(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/agents/deep/er/x.toml": ROLE.replace("mine", "deep"),
        "home/.codex/agents/x.md": "name = 1",
        "workspace/.codex/agents/p.toml": ROLE.replace("mine", "ours"),
    }
    assert "deep: {" in roles_of(codex, files)
    assert "ours: {" not in roles_of(codex, files)
    assert "ours: {" in roles_of(codex, files, args={"trust": True})


def test_trust_is_no_remedy_for_a_file_that_describes_no_role(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"workspace/.codex/agents/p.toml": "---", "workspace/.codex/agents/q.toml": ROLE}
    answer = codex(files)
    broken, fine = (answer.file(name) for name in files)
    assert "not valid TOML" in broken.why.text
    assert not broken.why.levers
    assert [lever.param for lever in fine.why.levers] == ["args.trust"]


# --- rules ------------------------------------------------------------------------------------------------------


def test_rules_of_a_trusted_project_count(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"workspace/.codex/rules/x.rules": ALLOW.format("npm")}
    assert '- ["npm"]' not in codex(files, entry="interactive").text("permissions")
    assert '- ["npm"]' in codex(files, entry="interactive", args={"trust": True}).text("permissions")


@pytest.mark.parametrize(("number", "more"), [(100, False), (101, True)])
def test_a_hundred_prefixes_are_listed(codex: Codex, number: int, more: bool) -> None:
    rules = "".join(ALLOW.format(f"c{n:03}") for n in range(number))
    text = codex({"home/.codex/rules/x.rules": rules}, entry="interactive").text("permissions")
    assert text.count('\n- ["c') == 100
    assert ("There are more of them" in text) is more


@pytest.mark.parametrize(("length", "kept"), [(4_999, 4_999), (5_000, 5_000), (5_001, 5_000)])
def test_prefixes_are_cut_after_five_thousand_characters(codex: Codex, length: int, kept: int) -> None:
    rules = ALLOW.format("x" * (length - len('- [""]')))
    section = codex({"home/.codex/rules/x.rules": rules}, entry="interactive").section("permissions")
    assert [len(f.text) for f in section.fragments if f.origin.name == "approved_prefixes"] == [kept]
    assert ("There are more of them" in section.text) is (length > 5_000)


# --- hooks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matcher", "runs"),
    [("", True), ('"matcher": "startup",', True), ('"matcher": "resume|startup",', True), ('"matcher": "*",', True),
     ('"matcher": "resume",', False), ('"matcher": "clear|compact",', False)],
)  # fmt: skip
def test_a_hook_can_be_kept_to_some_starts(codex: Codex, matcher: str, runs: bool) -> None:
    answer = codex(
        {"home/.codex/hooks.json": HOOK.format(matcher)},
        hooks={"SessionStart": "said"}, args={"bypassHookTrust": True},
    )  # fmt: skip
    assert (["said"] in answer.parts) is runs


def test_hooks_of_a_trusted_project_count(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"workspace/.codex/hooks.json": HOOK.format("")}
    for trusted in (False, True):
        args = {"bypassHookTrust": True, "trust": trusted}
        assert (["said"] in codex(files, hooks={"SessionStart": "said"}, args=args).parts) is trusted


# --- skills -------------------------------------------------------------------------------------------------------


def test_the_administrators_skills_come_between_codexs_own_and_the_projects(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "managed/skills/m/SKILL.md": skill("m"),
        "home/.agents/skills/a/SKILL.md": skill("a"),
        "workspace/.agents/skills/z/SKILL.md": skill("z"),
    }
    answer = codex(files, settings=BARE)
    assert [line[2] for line in listed(answer)] == ["m", "z", "a"]
    assert f"- `r1` = `{answer.place}/managed/skills`" in answer.text("skills")


def test_only_the_users_settings_switch_skills_and_their_words_add_up(codex: Codex) -> None:
    files: dict[str, str | bytes] = {f"home/.agents/skills/{n}/SKILL.md": skill(n) for n in "abcd"}
    off = '[[skills.config]]\nname = "{}"\nenabled = false\n'
    files[HOME] = off.format(" a ") + '[[skills.config]]\nname = "d"\npath = "/x"\nenabled = false\n'
    files["workspace/.codex/config.toml"] = off.format("b")
    args = {"trust": True, "config": ['skills.config=[{name="c", enabled=false}]']}
    answer = codex(files, settings=BARE, args=args)
    assert [line[2] for line in listed(answer)] == ["b", "d"]
    assert "~/.codex/config.toml:1" in answer.file("home/.agents/skills/a/SKILL.md").why.text


# --- who may set what ---------------------------------------------------------------------------------


def test_a_repository_cannot_set_everything(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"workspace/.codex/config.toml": 'profile = "x"\nmodel = "gpt-5.6-sol"\n'}
    answer = codex(files, model=None, args={"trust": True})
    assert answer.codes == ["project-setting"]
    assert answer.assembly.model == "gpt-5.6-sol"
    assert "`profile`" in codex({HOME: 'profile = "x"\n'}).message("agent-refuses")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[mcp_servers.s]\nenabled = true\n", "neither a command nor an address"),
        ('[mcp_servers.s]\ncommand = "x"\nurl = "y"\n', "both a command and an address"),
        ("[mcp_servers.s]\ncommand = 1\n", "must be a string"),
        ('[mcp_servers.s]\ncommand = "x"\nargs = "y"\n', "list of strings"),
        ('[permissions.mine.filesystem]\n":root" = "read"\n', "names none of them"),
        ('[tools.web_search]\ncontext_size = "huge"\n', "one of low"),
        ("[skills.bundled]\nenabled = 1\n", "true or false"),
        ("[agents.a]\ndescription = 1\n", "must be a string"),
    ],
)
def test_what_stops_the_start_of_nested_tables(codex: Codex, content: str, says: str) -> None:
    answer = codex({HOME: content})
    assert says in answer.message("agent-refuses")
    assert answer.assembly.diagnostics[0].line


def test_layers_may_complete_a_server(codex: Codex) -> None:
    files: dict[str, str | bytes] = {HOME: '[mcp_servers.s]\ncommand = "x"\n'}
    assert "agent-refuses" not in codex(files, args={"config": ["mcp_servers.s.enabled=false"]}).codes
    assert "agent-refuses" in codex(args={"config": ["mcp_servers.t.enabled=false"]}).codes


def test_profiles_of_permissions_need_no_name_where_a_sandbox_is_chosen(codex: Codex) -> None:
    files: dict[str, str | bytes] = {HOME: '[permissions.mine.filesystem]\n":root" = "read"\n'}
    assert "agent-refuses" not in codex(files, args={"sandbox": "read-only"}).codes


def test_a_strict_start_knows_every_feature(codex: Codex) -> None:
    files: dict[str, str | bytes] = {HOME: "[features]\nwarp = true\n"}
    assert codex(files).codes == ["unknown-feature"]
    assert "no feature `warp`" in codex(files, args={"strictConfig": True}).message("agent-refuses")


def test_the_folder_of_the_settings_must_be_there(codex: Codex, place: Path) -> None:
    assert "no such folder" in codex(env={"CODEX_HOME": str(place / "none")}).message("agent-refuses")
    near = codex({"workspace/cx/AGENTS.md": "near"}, env={"CODEX_HOME": "cx"})
    assert near.instructions == "near"
    assert "agent-refuses" not in codex(env={"CODEX_HOME": ""}).codes


def test_texts_of_the_user_that_are_no_utf8(codex: Codex) -> None:
    base = codex({"home/base.md": b"a\xff"}, settings={"model_instructions_file": "~/base.md"})
    assert "is not UTF-8" in base.message("agent-refuses")
    on = {"features": {"memories": True}}
    memory: dict[str, str | bytes] = {"home/.codex/memories/memory_summary.md": b"a\xff"}
    assert not codex(memory, settings=on).section("memory").present


def test_memories_can_be_kept_without_being_used(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.codex/memories/memory_summary.md": "learned"}
    on = {"features": {"memories": True}}
    assert codex(files, settings=on).section("memory").present
    assert not codex(files, settings={**on, "memories": {"use_memories": False}}).section("memory").present


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (ROLE, ""),
        (f"\ufeff{ROLE}", ""),
        (f"{ROLE}[tui]\nwarp = 1\n", ""),
        (f'{ROLE}nickname_candidates = ["a b", "c-d"]\n', ""),
        (f"{ROLE}nickname_candidates = []\n", "`nickname_candidates` must be"),
        (f'{ROLE}nickname_candidates = ["a", " a"]\n', "`nickname_candidates` must be"),
        (f'{ROLE}nickname_candidates = ["é"]\n', "`nickname_candidates` must be"),
        (f"{ROLE}warp = 1\n", "`warp`: unknown key"),
        (f"{ROLE}model = 5\n", "`model`: must be a string"),
        (f"{ROLE}[mcp_servers.x]\nargs = []\n", "the MCP server x: it has neither"),
        ('name = "mine"\ndescription = "Mine."\n', "it has no `developer_instructions`"),
        (ROLE.replace('"x"', '" "'), "its `developer_instructions` are blank"),
        (ROLE.replace('"Mine."', '" "'), "its `description` is blank"),
        (ROLE.replace('"mine"', "5"), "`name` must be a string"),
        (ROLE.replace('"mine"', '" "'), "it has no `name`"),
        ("name = ", "this is not valid TOML"),
        ("", "it has no `name`"),
    ],
)
def test_a_file_is_a_role_with_name_description_and_instructions(codex: Codex, content: str, problem: str) -> None:
    answer = codex({"home/.codex/agents/r.toml": content}, model="x")
    schema = answer.tool("multi_agent_v1.spawn_agent").input_schema
    assert ("agent_type" in schema["properties"]) is not problem
    assert ("role-dropped" in answer.codes) is bool(problem)
    row = answer.file("home/.codex/agents/r.toml")
    assert row.present is not problem
    assert row.why.text.startswith(f"absent: {problem}" if problem else "present: it describes a role")


def test_a_role_without_a_description_has_that_of_a_weaker_layer(codex: Codex) -> None:
    half = ROLE.replace('description = "Mine."\n', "")
    files: dict[str, str | bytes] = {"home/.codex/agents/a.toml": ROLE, "workspace/.codex/agents/b.toml": half}
    assert "mine: {\nMine.\n}" in roles_of(codex, files, args={"trust": True})


def test_the_first_file_of_a_name_counts_and_a_table_before_it(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        f"home/.codex/agents/{name}.toml": ROLE.replace("Mine.", name) for name in ("b", "a")
    }
    assert "mine: {\na\n}" in roles_of(codex, files)
    files[HOME] = '[agents.mine]\ndescription = "T"\n'
    assert "mine: {\nT\n}" in roles_of(codex, files)


def test_links_to_roles_and_to_their_folders_count(codex: Codex, place: Path) -> None:
    """[0.169.0]"""
    codex(
        {
            "workspace/one.toml": ROLE,
            "workspace/more/two.toml": ROLE.replace('"mine"', '"two"'),
            "home/.codex/agents/x": "",
        }
    )
    (place / "home/.codex/agents/one.toml").symlink_to(place / "workspace/one.toml")
    (place / "home/.codex/agents/more").symlink_to(place / "workspace/more")
    said = roles_of(codex, {})
    assert "mine: {" in said
    assert "two: {" in said


@pytest.mark.parametrize(
    ("content", "present"),
    [('description = "d"', True), ('name = "n"', True), ("", True), ("x = 1", False), ("x", False)],
)
def test_the_file_of_a_table_need_not_describe_the_role(codex: Codex, content: str, present: bool) -> None:
    files: dict[str, str | bytes] = {
        HOME: "".join(f'[agents.{name}]\ndescription = "D"\nconfig_file = "r.toml"\n' for name in "ab"),
        "home/.codex/r.toml": content,
    }
    assert codex(files, model="x").file("home/.codex/r.toml").present is present  # one row for both


@pytest.mark.parametrize(
    ("content", "present"),
    [(HOOK.format(""), True), ("{}", True), ("{", False), ("[]", False)],
)
def test_a_file_of_hooks_is_there_if_it_can_be_read(codex: Codex, content: str, present: bool) -> None:
    answer = codex({"home/.codex/hooks.json": content}, args={"bypassHookTrust": True})
    assert answer.file("home/.codex/hooks.json").present is present
    assert ("bad-hooks" in answer.codes) is not present


def test_a_file_of_hooks_says_that_they_are_not_trusted(codex: Codex) -> None:
    row = codex({"home/.codex/hooks.json": HOOK.format("")}).file("home/.codex/hooks.json")
    assert "you haven't trusted the hooks" in row.why.text


@pytest.mark.parametrize(
    ("group", "runs"),
    [
        ('{"hooks": [{"type": "command", "command": "x"}]}', True),
        ('{"hooks": [5, {"type": "command", "command": "x"}]}', True),
        ('{"hooks": [{"type": "prompt", "command": "x"}]}', False),
        ('{"hooks": [{"type": "command", "command": ""}]}', False),
        ('{"hooks": [{"type": "command"}]}', False),
        ('{"hooks": [{"command": "x"}]}', False),
        ('{"hooks": []}', False),
        ('{"hooks": {}}', False),
        ("{}", False),
        ("5", False),
    ],
)
def test_a_hook_is_a_command(codex: Codex, group: str, runs: bool) -> None:
    answer = codex(
        {"home/.codex/hooks.json": f'{{"hooks": {{"UserPromptSubmit": [{group}]}}}}'},
        hooks={"UserPromptSubmit": "said"}, args={"bypassHookTrust": True},
    )  # fmt: skip
    assert (["said"] in answer.parts) is runs


def test_hooks_that_cannot_be_read_say_why(codex: Codex) -> None:
    answer = codex({"home/.codex/hooks.json": "[]", "managed/hooks.json/x": ""})
    assert answer.file("home/.codex/hooks.json").why.text == "absent: it is not a JSON object"
    assert answer.file("managed/hooks.json").why.text == "absent: is a directory"


def test_the_file_of_a_role_may_lie_in_the_home_folder(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        HOME: '[agents.a]\nconfig_file = "~/roles/a.toml"\n', "home/roles/a.toml": 'description = "From home."\n',
    }  # fmt: skip
    assert "a: {\nFrom home.\n}" in roles_of(codex, files)


@pytest.mark.parametrize(("size", "is_read"), [(499_999, True), (500_000, True), (500_001, False)])
def test_so_long_a_file_of_a_role_is_read(codex: Codex, size: int, is_read: bool) -> None:
    text = f"{ROLE}#".ljust(size, "x")
    assert codex({"home/.codex/agents/r.toml": text}).file("home/.codex/agents/r.toml").present is is_read


def test_what_is_wrong_with_rules_is_told_in_300_characters(codex: Codex) -> None:
    rules = f"{'x' * 5_000}(1)"
    assert len(codex({"home/.codex/rules/x.rules": rules}).message("agent-refuses")) == 300


# --- one's own texts -------------------------------------------------------------------------------------------


def test_a_base_of_ones_own_lies_beside_what_names_it(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        HOME: 'model_instructions_file = "base.md"\n', "home/.codex/base.md": "home", "workspace/base.md": "here",
    }  # fmt: skip
    assert codex(files).parts[0] == ["home"]
    assert codex(files, settings={"model_instructions_file": "base.md"}).parts[0] == ["here"]


def test_a_summary_of_memories_has_a_row_if_it_is_there(codex: Codex) -> None:
    path = "home/.codex/memories/memory_summary.md"
    assert not [file for file in codex().assembly.files if file.kind == "memory"]
    assert codex({path: "learned"}).file(path).kind == "memory"


def test_every_hook_is_listed_with_its_event(codex: Codex) -> None:
    files = {"home/.codex/hooks.json": HOOK.format('"matcher": "resume", ').replace('"x"', '"echo a"')}
    (program,) = codex(files, args={"bypassHookTrust": True}).assembly.programs
    assert (program.name, program.event, program.matcher, program.present) == (
        "echo a",
        "SessionStart",
        "resume",
        False,
    )
    (program,) = codex({"home/.codex/hooks.json": HOOK.format("")}).assembly.programs
    assert "you haven't trusted the hooks" in program.why.text
