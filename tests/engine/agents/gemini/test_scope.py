"""Which tools there are, and what the policy leaves of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.agents.gemini.conftest import HEADLESS, POLICY, SERVER, Project, rule, tools_of

from promptscope_engine.agents.gemini.scope import active, in_plan_mode, offered, registered
from promptscope_engine.agents.gemini.tool_policy import MODES, TOOLS
from promptscope_engine.prompt.conditions import ALWAYS

pytestmark = pytest.mark.slow


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
            for name in TOOLS:
                stays = m.policy.verdict(name, mode, interactive=interactive).stays
                expected = stays and registered(m, name).holds(facts)
                assert active(m, name).holds(facts) is expected, (name, mode, interactive)
                assert (active(m, name).evaluate(facts).ok) is expected
            for tool in m.mcp_tools:
                stays = m.policy.verdict(tool.name, mode, interactive=interactive, read_only=tool.read_only).stays
                assert dict(offered(m))[tool.name].holds(facts) is stays, (tool.name, mode, interactive)


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
    assert len(names) == len(TOOLS) + 2


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        (
            "write_file",
            {},
            "absent: the session is headless, the mode is default, not auto_edit, yolo or plan and nobody can allow "
            "it in a headless session",
        ),
        ("ask_user", {}, "absent: the session is headless and nobody answers in a headless session"),
        (
            "run_shell_command",
            {"mode": "plan", "dialog": True},
            "absent: the mode is plan, the folder is trusted, `general.plan.enabled` is on (not set in "
            "~/.gemini/settings.json) and plan mode denies what may change something",
        ),
        (
            "list_background_processes",
            {},
            "absent: the session is headless, the mode is default, not yolo or plan and no rule allows it in a "
            "headless session",
        ),
        ("glob", {"settings": {"tools": {"core": []}}}, "absent: `tools.core` leaves glob out"),
        (
            "glob",
            {"settings": {"tools": {"core": ["GlobTool"]}}},
            "absent: the mode is default, not plan and `tools.core` does not name it",
        ),
        ("glob", {"settings": {"tools": {"core": ["glob"]}}}, "present: `tools.core` names glob"),
        ("glob", {"settings": {"tools": {"exclude": ["glob"]}}}, "absent: `tools.exclude` names it"),
        ("glob", {}, "always present"),
    ],
)
def test_what_is_said_of_a_tool(project: Project, name: str, given: dict[str, Any], why: str) -> None:
    tool = next(tool for tool in project.assemble(**given).tools if tool.name == name)
    assert tool.why.text.partition(" (in ")[0] == why


@pytest.mark.parametrize(
    ("core", "skills", "is_registered"),
    [
        (None, True, True), (None, False, True), (["glob"], True, True), (["glob"], False, False),
        (["activate_skill"], False, True), ([], True, True), ([], False, False),
    ],
)  # fmt: skip
def test_skills_let_the_tool_that_opens_them_in_again(
    project: Project, core: list[str] | None, skills: bool, is_registered: bool
) -> None:
    found = project.gathered(
        settings={"skills": {"enabled": skills}} | ({"tools": {"core": core}} if core is not None else {})
    )
    when = registered(found.materials, "activate_skill")
    assert when.holds(found.facts) is is_registered
    assert (when is ALWAYS) is (core is None)
