"""Which tools stay (specs/gemini.md 9)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from promptscope_engine.agents.gemini.gather.mcp import wire_name
from promptscope_engine.agents.gemini.tool_policy import MODES, Rule, named_tool, policy_of
from promptscope_engine.agents.gemini.tools.selection import (
    ORDER,
    active,
    in_plan_mode,
    mcp_active,
    offered,
    registered,
)

from .conftest import Project, codes, tools_of

pytestmark = pytest.mark.slow

HEADLESS = [
    "update_topic", "list_directory", "read_file", "grep_search", "glob", "google_web_search", "enter_plan_mode",
    "invoke_agent",
]  # fmt: skip
EVERY = [
    "update_topic", "list_directory", "read_file", "grep_search", "glob", "replace", "write_file", "web_fetch",
    "run_shell_command", "list_background_processes", "read_background_output", "google_web_search", "ask_user",
    "enter_plan_mode", "invoke_agent", "activate_skill",
]  # fmt: skip
SERVER = {
    "name": "fx",
    "instructions": "Ask fx.",
    "tools": [{"name": "find", "annotations": {"readOnlyHint": True}}, {"name": "put"}],
}


@pytest.mark.parametrize(
    ("mode", "dialog", "tools"),
    [
        ("default", False, HEADLESS),
        ("auto_edit", False, [*HEADLESS[:5], "replace", "write_file", "web_fetch", *HEADLESS[5:]]),
        ("yolo", False, [name for name in EVERY if name != "ask_user"]),
        (
            "plan",
            False,
            [*HEADLESS[:5], "replace", "write_file", "google_web_search", "exit_plan_mode", "invoke_agent"],
        ),
        ("default", True, EVERY),
        ("auto_edit", True, EVERY),
        ("yolo", True, [name for name in EVERY if name != "enter_plan_mode"]),
        (
            "plan",
            True,
            [*EVERY[:8], "google_web_search", "ask_user", "exit_plan_mode", "invoke_agent", "activate_skill"],
        ),
    ],
)
def test_the_table_of_modes(project: Project, mode: str, dialog: bool, tools: list[str]) -> None:
    assert tools_of(project.assemble(mode=mode, dialog=dialog)) == tools


def test_a_rule_with_arguments_keeps_a_tool_but_takes_none_away() -> None:
    allow = Rule(("t",), "allow", 4, "", narrowed=True)
    deny = Rule(("t",), "deny", 5, "", narrowed=True)
    whole = Rule(("t",), "deny", 3, "")
    verdict = policy_of((allow, deny, whole)).verdict
    assert verdict("t", "default", interactive=False).rule is allow
    assert not policy_of((deny, whole)).verdict("t", "default", interactive=True).stays
    assert policy_of((deny,)).verdict("t", "default", interactive=True).stays
    assert not policy_of((deny,)).verdict("t", "default", interactive=False).stays


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("read_file", ("read_file", False)),
        ("ShellTool(ls)", ("run_shell_command", True)),
        ("run_shell_command(git status)", ("run_shell_command", True)),
        ("ReadFileTool", ("ReadFileTool", False)),
        ("a(b", ("a(b", False)),
    ],
)
def test_entries_that_name_a_tool(entry: str, found: tuple[str, bool]) -> None:
    assert named_tool(entry) == found


@pytest.mark.parametrize(
    ("tools", "dialog", "expected"),
    [
        ({"core": []}, False, []),
        ({"core": ["read_file", "write_file"]}, False, ["read_file", "write_file"]),
        ({"core": ["ReadFileTool", "ShellTool(x)"]}, True, ["run_shell_command"]),
        (
            {"exclude": ["search_file_content", "GlobTool"]},
            False,
            [n for n in HEADLESS if n not in ("grep_search", "glob")],
        ),
        ({"allowed": ["run_shell_command(git)"]}, False, [*HEADLESS[:5], "run_shell_command", *HEADLESS[5:]]),
        ({"confirmationRequired": ["write_file"]}, False, [*HEADLESS[:5], "write_file", *HEADLESS[5:]]),
        ({"allowed": ["glob"], "exclude": ["glob"]}, False, [n for n in HEADLESS if n != "glob"]),
    ],
)
def test_settings_make_rules(project: Project, tools: dict[str, Any], dialog: bool, expected: list[str]) -> None:
    assert tools_of(project.assemble(settings={"tools": tools}, dialog=dialog)) == expected


def test_the_argument_stands_in_place_of_the_setting(project: Project) -> None:
    settings = {"tools": {"allowed": ["write_file"]}}
    assert "write_file" not in tools_of(project.assemble(settings=settings, args={"allowedTools": ["web_fetch"]}))


def test_a_tool_that_a_file_excludes_names_its_line(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{\n "tools": {\n  "exclude": [\n   "glob"]\n }\n}'})
    tool = next(tool for tool in project.assemble().tools if tool.name == "glob")
    assert tool.why.text == "absent: `tools.exclude` names it (in ~/.gemini/settings.json:4)"


def test_core_tools_that_are_lost_are_named(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{"tools": {\n"core": [\n"ReadFileTool", "nope"]}}'})
    found = codes(project.assemble())
    assert (found["core-tool-lost"].line, "read_file" in found["core-tool-lost"].message) == (3, True)
    assert found["unknown-tool"].message == "`tools.core`: no tool is called nope"


def test_skills_are_listed_without_the_tool_that_opens_them(project: Project) -> None:
    assert "activate_skill is not sent" in codes(project.assemble())["skills-without-tool"].message
    assert "skills-without-tool" not in codes(project.assemble(dialog=True))


@pytest.mark.parametrize("policy", ["home/.gemini/policies/p.toml", "own/p.toml"])
def test_policy_files(project: Project, policy: str) -> None:
    rule = '[[rule]]\ntoolName = ["web_fetch", "glob"]\ndecision = "{}"\npriority = {}\n'
    project.write({policy: rule.format("deny", 10) + rule.format("allow", 11).replace(', "glob"', "")})
    args = {"policy": [f"{project.root}/own"]} if policy.startswith("own") else {}
    found = tools_of(project.assemble(args=args))
    assert "web_fetch" in found
    assert "glob" not in found


DENY = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[rule]", 1),
        ("rule = 5", 1),
        (DENY.replace("priority = 1\n", ""), 1),
        (DENY + '[[rule]]\ndecision = "deny"\npriority = 1000\n', 5),
        (DENY + '[[rule]]\ndecision = "ask"\npriority = 1\n', 5),
        (DENY + DENY + 'modes = ["auto_edit"]\n', 5),
        (DENY + "toolAnnotations = 1\nmcpName = 5\n", 1),
    ],
)
def test_one_wrong_rule_drops_the_whole_policy_file(project: Project, text: str, line: int) -> None:
    project.write({"home/.gemini/policies/p.toml": text})
    assembly = project.assemble()
    assert "glob" in tools_of(assembly)
    assert codes(assembly)["bad-policy"].line == line
    project.write({"home/.gemini/policies/p.toml": DENY + 'modes = ["autoEdit", "default"]\n'})
    assert "glob" not in tools_of(project.assemble())
    assert "glob" in tools_of(project.assemble(mode="yolo"))


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("fx", "find", "mcp_fx_find"),
        ("mcp_srv", "t", "mcp_srv_t"),
        ("my server", "do it!", "mcp_my_server_do_it_"),
        ("s", "名🎉", "mcp_s____"),
        ("s", "x" * 57, f"mcp_s_{'x' * 57}"),
        ("s", "x" * 58, f"mcp_s_{'x' * 24}...{'x' * 30}"),
    ],
)
def test_names_of_servers_tools(server: str, tool: str, name: str) -> None:
    assert wire_name(server, tool) == name


@pytest.mark.parametrize(
    ("config", "given", "tools"),
    [
        ({}, {}, []),
        ({"trust": True}, {}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"mode": "plan"}, []),
        ({}, {"mode": "plan", "dialog": True}, ["mcp_fx_find"]),
        ({}, {"dialog": True}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True, "excludeTools": ["find"]}, {}, ["mcp_fx_put"]),
        ({"trust": True, "includeTools": ["find"]}, {}, ["mcp_fx_find"]),
        ({"trust": True, "includeTools": ["find(x)"]}, {}, ["mcp_fx_find"]),
        ({"trust": True, "excludeTools": ["find(x)"]}, {}, ["mcp_fx_find", "mcp_fx_put"]),
        ({}, {"settings": {"mcp": {"allowed": []}}, "dialog": True}, ["mcp_fx_find", "mcp_fx_put"]),
        ({}, {"settings": {"mcp": {"excluded": ["*"]}}, "dialog": True}, []),
        ({}, {"args": {"allowedMcpServerNames": ["fx"]}}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"args": {"allowedMcpServerNames": ["other"]}}, []),
        ({}, {"settings": {"mcp": {"allowed": ["fx"]}}}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"trust": True}, {"settings": {"mcp": {"excluded": ["fx"]}}}, []),
        ({"trust": True}, {"settings": {"tools": {"core": ["glob"]}}}, []),
    ],
)
def test_servers_tools(project: Project, config: dict[str, Any], given: dict[str, Any], tools: list[str]) -> None:
    settings = {**given.pop("settings", {}), "mcpServers": {"fx": {"command": "x", **config}}}
    assembly = project.assemble(mcp_servers=[SERVER], settings=settings, **given)
    assert [name for name in tools_of(assembly) if name.startswith("mcp_")] == tools


def test_the_argument_starts_a_server_that_is_excluded_but_brings_no_tools(project: Project) -> None:
    settings = {"mcp": {"excluded": ["fx"]}}
    assembly = project.assemble(mcp_servers=[SERVER], settings=settings, args={"allowedMcpServerNames": ["fx"]})
    assert assembly.section("mcp_instructions:fx").present  # type: ignore[union-attr]
    assert "mcp_fx_find" not in tools_of(assembly)


def test_instructions_are_sent_without_the_tools(project: Project) -> None:
    assembly = project.assemble(mcp_servers=[SERVER])
    assert assembly.section("mcp_instructions:fx").present  # type: ignore[union-attr]
    assert codes(assembly)["instructions-without-tools"].message.startswith("the instructions of fx are sent")


def test_a_rule_that_misses_its_server(project: Project) -> None:
    server = {"name": "my server", "tools": [{"name": "t"}]}
    assembly = project.assemble(mcp_servers=[server], settings={"mcpServers": {"my server": {"trust": True}}})
    assert "mcp_my_server_t" not in tools_of(assembly)
    assert "server-rule-misses" in codes(assembly)


def test_an_extension_takes_tools_away_and_its_trust_is_ignored(project: Project) -> None:
    manifest = '{"name": "e", "excludeTools": ["glob"], "mcpServers": {"fx": {"trust": true}}}'
    project.write({"home/.gemini/extensions/e/gemini-extension.json": manifest})
    assembly = project.assemble(mcp_servers=[SERVER])
    assert not {"glob", "mcp_fx_find"} & set(tools_of(assembly))


@pytest.mark.parametrize(
    ("model", "given", "present"),
    [
        ("gemini-2.5-pro", {}, True),
        ("gemini-2.0-flash", {}, True),
        ("auto-gemini-2.5", {}, False),
        (None, {}, False),
        ("gemini-2.5-pro", {"useWriteTodos": False}, False),
        ("gemini-2.5-pro", {"experimental": {"taskTracker": True}}, False),
    ],
)
def test_todos(project: Project, model: str | None, given: dict[str, Any], present: bool) -> None:
    assert ("write_todos" in tools_of(project.assemble(model=model, settings=given, dialog=True))) is present


@pytest.mark.parametrize("rg", [True, False])
def test_grep_has_two_shapes(project: Project, rg: bool) -> None:
    assembly = project.assemble(ripgrep=rg)
    tool = next(tool for tool in assembly.tools if tool.name == "grep_search")
    assert ("context" in tool.input_schema["properties"]) is rg
    assert [p.name for p in tool.absent_parameters] == (
        [] if rg else ["case_sensitive", "fixed_strings", "context", "after", "before", "no_ignore"]
    )


def rule(decision: str, priority: int, **more: str) -> str:
    """A rule on glob, as a policy file has it."""
    further = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[rule]]\ntoolName = "glob"\ndecision = "{decision}"\npriority = {priority}\n{further}'


@pytest.mark.parametrize(
    ("rules", "headless", "interactive"),
    [
        (rule("deny", 1), "", ""),
        (rule("allow", 1), "default auto_edit yolo plan", "default auto_edit yolo plan"),
        (rule("deny", 1, interactive="true"), "default auto_edit yolo plan", ""),
        (rule("deny", 1, interactive="false"), "", "default auto_edit yolo plan"),
        (rule("deny", 1, modes='["plan"]'), "default auto_edit yolo", "default auto_edit yolo"),
        (rule("deny", 1, modes='["plan", "yolo"]'), "default auto_edit", "default auto_edit"),
        (rule("deny", 1, modes='["default", "plan"]'), "auto_edit yolo", "auto_edit yolo"),
        (rule("deny", 1) + rule("allow", 2, modes='["plan"]', interactive="true"), "", "plan"),
        (rule("deny", 1) + rule("allow", 2, modes='["yolo"]', interactive="false"), "yolo", ""),
        (rule("deny", 2) + rule("allow", 1, modes='["yolo"]', interactive="false"), "", ""),
        (rule("deny", 1, modes='["yolo"]') + rule("deny", 2, interactive="false"), "", "default auto_edit plan"),
    ],
)
def test_a_rule_decides_in_its_sessions_only(project: Project, rules: str, headless: str, interactive: str) -> None:
    project.write({"home/.gemini/policies/p.toml": rules})
    for dialog, modes in ((False, headless), (True, interactive)):
        found = [
            mode
            for mode in ("default", "auto_edit", "yolo", "plan")
            if "glob" in tools_of(project.assemble(mode=mode, dialog=dialog))
        ]
        assert found == modes.split(), dialog


POLICY = "home/.gemini/policies/p.toml"


@pytest.mark.parametrize(("priority", "counts"), [(-1, False), (0, True), (999, True), (1_000, False), ("true", False)])
def test_a_priority_is_a_whole_number_from_0_to_999(project: Project, priority: object, counts: bool) -> None:
    project.write({POLICY: f'[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = {priority}\n'})
    assembly = project.assemble()
    assert ("glob" not in tools_of(assembly)) is counts
    assert ("bad-policy" in codes(assembly)) is not counts


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            DENY + "rule2 = 1\n[[rule]]\n",
            "the whole file is left out: in rule 2 `decision` is none of allow, ask_user, deny",
        ),
        ("rule = [1]", "the whole file is left out: in rule 1 there are no keys"),
        (
            DENY + 'modes = "plan"',
            "the whole file is left out: in rule 1 `modes` is no list of default, autoEdit, yolo, plan",
        ),
        (DENY + "commandPrefix = [1]", "the whole file is left out: in rule 1 `commandPrefix` is no text"),
        (DENY + 'mcpName = ["a"]', "the whole file is left out: in rule 1 `mcpName` is no text"),
        (DENY + "argsPattern = 1", "the whole file is left out: in rule 1 `argsPattern` is no text"),
        ("a" * 300 + " = [", "no TOML: "),
        ("a = " + "[" * 30_000, "no TOML: "),
        ("", ""),
        ("rule = []", ""),
    ],
)
def test_what_is_wrong_with_a_policy_file(project: Project, text: str, problem: str) -> None:
    project.write({POLICY: text})
    said = [each.message for each in project.gathered().diagnostics if each.code == "bad-policy"]
    assert [message[: len(problem)] if problem.startswith("no TOML") else message for message in said] == [
        problem
    ] * bool(problem)
    assert all(len(message) <= 200 for message in said)


def shell_and_glob(decision: str, **keys: str) -> str:
    return f'[[rule]]\ndecision = "{decision}"\npriority = 5\n' + "".join(f"{k} = {v}\n" for k, v in keys.items())


@pytest.mark.parametrize(
    ("text", "more", "fewer"),
    [
        (shell_and_glob("allow", commandPrefix='"ls"'), {"run_shell_command"}, set()),
        (shell_and_glob("allow", commandPrefix='["ls", "cat"]'), {"run_shell_command"}, set()),
        (shell_and_glob("allow", commandRegex='"^ls"'), {"run_shell_command"}, set()),
        (shell_and_glob("ask_user", toolName='"write_file"'), {"write_file"}, set()),
        (shell_and_glob("deny"), set(), {*HEADLESS}),
        (shell_and_glob("deny", argsPattern='"x"'), set(), set()),
        (shell_and_glob("deny", toolName='"search_file_content"'), set(), {"grep_search"}),
        (shell_and_glob("deny", toolName='"search_file_content"', mcpName='""'), set(), {"grep_search"}),
        (shell_and_glob("deny", toolName='"search_file_content"', mcpName='"fx"'), set(), set()),
        (shell_and_glob("allow", mcpName='"fx"'), {"mcp_fx_find", "mcp_fx_put"}, set()),
        (shell_and_glob("allow", mcpName='"fx"', toolName='"put"'), {"mcp_fx_put"}, set()),
        (shell_and_glob("allow", mcpName='"fx"', toolAnnotations="{readOnlyHint = true}"), {"mcp_fx_find"}, set()),
        (
            shell_and_glob("allow", mcpName='"fx"', toolAnnotations="{readOnlyHint = false}"),
            {"mcp_fx_find", "mcp_fx_put"},
            set(),
        ),
        (shell_and_glob("allow", mcpName='"other"'), set(), set()),
    ],
)
def test_what_a_rule_speaks_of(project: Project, text: str, more: set[str], fewer: set[str]) -> None:
    found = set(tools_of(project.write({POLICY: text}).assemble(mcp_servers=[SERVER])))
    assert found - {*HEADLESS} == more
    assert {*HEADLESS} - found == fewer


@pytest.mark.parametrize("count", [1, 2, 60])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_rule_of_a_file_is_named_with_its_line(project: Project, mark: str, count: int) -> None:
    last = shell_and_glob("deny", toolName='"glob"')
    project.write({POLICY: mark + shell_and_glob("deny", toolName='"x"') * (count - 1) + last})
    tool = next(tool for tool in project.assemble().tools if tool.name == "glob")
    place = f"~/.gemini/policies/p.toml:{4 * count - 3}"
    assert tool.why.text == f"absent: a rule of ~/.gemini/policies/p.toml speaks of it (in {place})"
    project.write({POLICY: mark + shell_and_glob("deny", toolName='"x"') * (count - 1) + "[[rule]]\n"})
    [said] = [each for each in project.gathered().diagnostics if each.code == "bad-policy"]
    assert said.line == 4 * count - 3


@pytest.mark.parametrize(("fillers", "counts"), [(1_999, True), (2_000, False)])
def test_two_thousand_rules_of_policy_files_count(project: Project, fillers: int, counts: bool) -> None:
    filler = '{decision="deny",priority=1,toolName="x"}'
    project.write({POLICY: f"rule=[{','.join([filler] * fillers)}]", "home/.gemini/policies/q.toml": DENY})
    found = project.gathered()
    assert (("glob",) in [rule.tools for rule in found.materials.policy.rules]) is counts
    said = [(each.message, each.path) for each in found.diagnostics if each.code == "too-many-rules"]
    what = ("2,000 rules of policy files count; the others are left out", f"{project.home}/.gemini/policies/q.toml")
    assert said == ([] if counts else [what])


@pytest.mark.parametrize(("before", "counts"), [(198, True), (199, True), (200, False)])
def test_two_hundred_policy_files_of_a_folder_are_read(project: Project, before: int, counts: bool) -> None:
    project.write({f"home/.gemini/policies/{number:03}.toml": "" for number in range(before)})
    project.write({"home/.gemini/policies/z.toml": DENY, "managed/policies/admin.toml": "", POLICY + ".txt": "["})
    found = project.gathered()
    assert (("glob",) in [rule.tools for rule in found.materials.policy.rules]) is counts
    assert len([draft for draft in found.files if draft.kind == "policy"]) == min(before + 1, 200) + 1
    said = [(each.message, each.path) for each in found.diagnostics if each.code == "too-many-files"]
    what = ("200 policy files are read; the others are left out", f"{project.home}/.gemini/policies")
    assert said == ([] if counts else [what])


@pytest.mark.parametrize(
    ("files", "settings", "stays"),
    [
        ({POLICY: rule("allow", 399)}, {"exclude": ["glob"]}, False),
        ({POLICY: rule("allow", 401)}, {"exclude": ["glob"]}, True),
        ({POLICY: rule("deny", 299)}, {"allowed": ["glob"]}, True),
        ({POLICY: rule("deny", 301)}, {"allowed": ["glob"]}, False),
        ({POLICY: rule("allow", 249)}, {"core": ["read_file"]}, False),
        ({POLICY: rule("deny", 349)}, {"confirmationRequired": ["glob"]}, True),
        ({POLICY: rule("deny", 351)}, {"confirmationRequired": ["glob"]}, False),
        ({"managed/policies/p.toml": rule("deny", 0), POLICY: rule("allow", 999)}, {}, False),
        ({"managed/policies/p.toml": rule("allow", 0)}, {"exclude": ["glob"]}, True),
    ],
)
def test_the_priorities_of_files_and_settings(
    project: Project, files: dict[str, str], settings: dict[str, Any], stays: bool
) -> None:
    assert ("glob" in tools_of(project.write(files).assemble(settings={"tools": settings}))) is stays


@pytest.mark.parametrize(
    ("text", "given", "more", "fewer"),
    [
        (rule("deny", 1), {}, set(), {"glob"}),
        (rule("ask_user", 1).replace("glob", "write_file"), {}, {"write_file"}, set()),
        (rule("allow", 1).replace("glob", "write_file"), {}, set(), set()),
        (rule("deny", 1, modes='["yolo"]'), {"mode": "yolo"}, set(), set()),
        (rule("deny", 1, modes='["default", "yolo"]'), {}, set(), set()),
    ],
)
def test_the_policy_of_an_extension_may_not_loosen_anything(
    project: Project, text: str, given: dict[str, Any], more: set[str], fewer: set[str]
) -> None:
    before = set(tools_of(project.assemble(**given)))
    folder = "home/.gemini/extensions/e"
    project.write({f"{folder}/gemini-extension.json": '{"name": "e"}', f"{folder}/policies/p.toml": text})
    found = set(tools_of(project.assemble(**given)))
    assert (found - before, before - found) == (more, fewer)


def test_an_extension_that_is_not_active_has_no_rules(project: Project) -> None:
    folder = "home/.gemini/extensions/e"
    project.write({f"{folder}/gemini-extension.json": '{"name": "e"}', f"{folder}/policies/p.toml": DENY})
    assembly = project.assemble(args={"extensions": ["other"]})
    assert "glob" in tools_of(assembly)
    assert not project.file(f"{folder}/policies/p.toml", args={"extensions": ["other"]}).present


@pytest.mark.parametrize(
    ("mcp", "given", "tools"),
    [
        ({"autoAllowInHeadless": True}, {}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"autoAllowInHeadless": True}, {"mode": "plan"}, []),
        ({"autoAllowInHeadless": True}, {"mode": "yolo"}, ["mcp_fx_find", "mcp_fx_put"]),
        ({"autoAllowInHeadless": "true"}, {}, []),
        ({"autoAllowInHeadless": False}, {"dialog": True}, ["mcp_fx_find", "mcp_fx_put"]),
    ],
)
def test_servers_tools_are_allowed_headless_by_a_setting(
    project: Project, mcp: dict[str, Any], given: dict[str, Any], tools: list[str]
) -> None:
    project.write({"home/.gemini/settings.json": json.dumps({"mcp": mcp})})
    assembly = project.assemble(mcp_servers=[SERVER], **given)
    assert [name for name in tools_of(assembly) if name.startswith("mcp_")] == tools


SPOKEN_OF = [
    {},
    {"tools": {"core": ["glob", "run_shell_command(ls)", "GrepTool", "activate_skill"]}},
    {"tools": {"core": ["glob"], "exclude": ["glob"], "allowed": ["write_file"]}},
    {"tools": {"core": [], "confirmationRequired": ["write_file", "glob"]}},
    {"mcpServers": {"fx": {"trust": True}}, "tools": {"exclude": ["web_fetch", "mcp_fx_put"]}},
    {"mcp": {"autoAllowInHeadless": True, "excluded": ["other"]}, "experimental": {"taskTracker": True}},
]


RULES = [
    "",
    rule("deny", 1, modes='["yolo", "plan"]') + rule("allow", 2, interactive="true").replace("glob", "web_fetch"),
    rule("deny", 300, interactive="false") + rule("ask_user", 1, modes='["plan"]').replace("glob", "*"),
]


@pytest.mark.parametrize(
    ("settings", "rules"), [*zip(SPOKEN_OF, RULES * 2, strict=True), *((s, "") for s in SPOKEN_OF[1:])]
)
def test_a_tool_is_active_where_the_policy_lets_it_stay(project: Project, settings: dict[str, Any], rules: str) -> None:
    project.write({"home/.gemini/settings.json": json.dumps(settings), POLICY: rules})
    found = project.gathered(mcp_servers=[SERVER])
    m = found.materials
    for mode in MODES:
        for interactive in (False, True):
            facts = replace(found.facts, mode=mode, params={**found.facts.params, "args.print": not interactive})
            for name in ORDER:
                stays = m.policy.verdict(name, mode, interactive=interactive).stays
                expected = stays and registered(m, name).holds(facts)
                assert active(m, name).holds(facts) is expected, (name, mode, interactive)
                assert (active(m, name).evaluate(facts).ok) is expected
            for tool in m.mcp_tools:
                stays = m.policy.verdict(tool.name, mode, interactive=interactive, read_only=tool.read_only).stays
                assert mcp_active(m, tool).holds(facts) is stays, (tool.name, mode, interactive)


def test_plan_mode_is_told_of_the_tools_that_it_leaves(project: Project) -> None:
    found = project.gathered(mcp_servers=[SERVER])

    def left(interactive: bool) -> list[str]:
        facts = replace(found.facts, mode="plan", params={**found.facts.params, "args.print": not interactive})
        return [name for name, _, when in in_plan_mode(found.materials) if when.holds(facts)]

    headless = [*HEADLESS[:5], "replace", "write_file", "google_web_search", "exit_plan_mode", "invoke_agent"]
    dialog = [*HEADLESS[:5], "activate_skill", "replace", "write_file", "web_fetch", "google_web_search", "ask_user",
              "exit_plan_mode", "invoke_agent", "mcp_fx_find"]  # fmt: skip
    assert (left(False), left(True)) == (headless, dialog)


@pytest.mark.parametrize(("skills", "place"), [(True, -1), (False, 5)])
def test_where_the_tool_that_opens_skills_stands(project: Project, skills: bool, place: int) -> None:
    found = project.gathered(mcp_servers=[SERVER], settings={"skills": {"enabled": skills}})
    names = [name for name, _ in offered(found.materials)]
    assert names.index("activate_skill") == (len(names) - 1 if place == -1 else place)
    assert len(names) == len(ORDER) + 2


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        (
            "write_file",
            {},
            "absent: the session is headless and the mode is default and nobody can allow it in a headless session",
        ),
        ("ask_user", {}, "absent: the session is headless and nobody answers in a headless session"),
        (
            "run_shell_command",
            {"mode": "plan", "dialog": True},
            "absent: the mode is plan, the folder is trusted and `general.plan.enabled` is on (not set in "
            "~/.gemini/settings.json) and plan mode denies what may change something",
        ),
        (
            "list_background_processes",
            {},
            "absent: the session is headless and the mode is default and no rule allows it in a headless session",
        ),
        ("glob", {"settings": {"tools": {"core": []}}}, "absent: `tools.core` leaves glob out"),
        (
            "glob",
            {"settings": {"tools": {"core": ["GlobTool"]}}},
            "absent: the mode is default and `tools.core` does not name it",
        ),
        ("glob", {"settings": {"tools": {"core": ["glob"]}}}, "present: `tools.core` names glob"),
        ("glob", {"settings": {"tools": {"exclude": ["glob"]}}}, "absent: `tools.exclude` names it"),
        ("glob", {}, "always present"),
    ],
)
def test_what_is_said_of_a_tool(project: Project, name: str, given: dict[str, Any], why: str) -> None:
    tool = next(tool for tool in project.assemble(**given).tools if tool.name == name)
    assert tool.why.text.partition(" (in ")[0] == why
