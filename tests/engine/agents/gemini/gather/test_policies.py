"""The rules that settings, arguments, extensions and policy files make (docs/agents/gemini.md#tools)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    HEADLESS,
    POLICY,
    SERVER,
    Project,
    codes,
    rule,
    tools_of,
)

pytestmark = pytest.mark.slow


def test_the_argument_stands_in_place_of_the_setting(project: Project) -> None:
    settings = {"tools": {"allowed": ["write_file"]}}
    assert "write_file" not in tools_of(project.assemble(settings=settings, args={"allowedTools": ["web_fetch"]}))


def test_a_tool_that_a_file_excludes_names_its_line(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{\n "tools": {\n  "exclude": [\n   "glob"]\n }\n}'})
    tool = next(tool for tool in project.assemble().tools if tool.name == "glob")
    assert tool.why.text == "absent: `tools.exclude` names it (in ~/.gemini/settings.json:4)"


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


def test_an_extension_takes_tools_away_and_its_trust_is_ignored(project: Project) -> None:
    manifest = '{"name": "e", "excludeTools": ["glob"], "mcpServers": {"fx": {"trust": true}}}'
    project.write({"home/.gemini/extensions/e/gemini-extension.json": manifest})
    assembly = project.assemble(mcp_servers=[SERVER])
    assert not {"glob", "mcp_fx_find"} & set(tools_of(assembly))


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
            "the whole file is left out: in rule 2 `decision` is missing",
        ),
        ("rule = [1]", "the whole file is left out: in rule 1 there are no keys"),
        (
            DENY + 'modes = "plan"',
            "the whole file is left out: in rule 1 `modes` must be a list of items, each one of default,"
            " autoEdit, yolo, plan",
        ),
        (DENY + "commandPrefix = [1]", "the whole file is left out: in rule 1 `commandPrefix[0]` must be a string"),
        (DENY + 'mcpName = ["a"]', "the whole file is left out: in rule 1 `mcpName` must be a string"),
        (DENY + "argsPattern = 1", "the whole file is left out: in rule 1 `argsPattern` must be a string"),
        (f"[{'a' * 300}]\n" * 2, "this is not valid TOML: Cannot declare ('aaa"),
        ("a = " + "[" * 30_000, "this is not valid TOML: "),
        ("", ""),
        ("rule = []", ""),
    ],
)
def test_what_is_wrong_with_a_policy_file(project: Project, text: str, problem: str) -> None:
    project.write({POLICY: text})
    said = [each.message for each in project.gathered().diagnostics if each.code == "bad-policy"]
    cut = len(problem) if problem.startswith("this is not valid TOML") else None
    assert [message[:cut] for message in said] == [problem] * bool(problem)
    assert all(len(message) == 200 for message in said if "aaa" in message)


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


@pytest.mark.parametrize(("size", "counts"), [(99_999, True), (100_000, True), (100_001, False)])
def test_so_long_a_policy_file_is_read(project: Project, size: int, counts: bool) -> None:
    text = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n#'
    project.write({"home/.gemini/policies/p.toml": text.ljust(size, "x")})
    assembly = project.assemble()
    assert ("glob" not in tools_of(assembly)) is counts
    assert ("bad-policy" not in codes(assembly)) is counts
