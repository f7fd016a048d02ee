"""An agent that keeps a memory of its own [recorded 2.1.332]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.subagents import tool_names, tools_line
from promptscope_engine.agents.claude_code.materials import SubAgent
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .conftest import ENVIRONMENT
from .prompts import section
from .recorded_tools import reference

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Project


pytestmark = pytest.mark.slow

V100, V329 = "2.1.100", "2.1.329"
REVIEWER = "---\nname: rev\ndescription: Reviews\ntools: Read, Grep\n---\nYou review.\n"


@pytest.mark.parametrize(
    ("tools", "without", "line"),
    [
        (None, None, "All tools"),
        ("Read, Grep", None, "Read, Grep"),
        (["Read", "Bash"], None, "Read, Bash"),
        ([], None, "All tools"),
        (None, "Write, Edit", "All tools except Write, Edit"),
        ("*", None, "All tools"),
        ("Read, Grep", "Grep, Edit", "Read"),
    ],
)
def test_tools_line(tools: object, without: object, line: str) -> None:
    names = tool_names(tools), tool_names(without)
    assert tools_line(*(each and Sourced(each, SettingSource("key")) for each in names)) == line


def write(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/agents/rev.md": REVIEWER,
            "workspace/.claude/agents/same.md": "---\nname: same\ndescription: Project\n---\nx\n",
            "home/.claude/agents/same.md": "---\nname: same\ndescription: User\n---\nx\n",
            "workspace/.claude/agents/nameless.md": "---\ndescription: d\n---\nx\n",
        }
    )


@pytest.mark.parametrize(
    ("name", "source", "body", "known"),
    [
        ("Explore", "built-in", "", True),
        ("statusline-setup", "built-in", "", False),
        ("Explore", "project", "", False),
        ("mine", "project", "Look.", True),
    ],
)
def test_the_prompt_of_an_agent_is_its_text_or_was_recorded(name: str, source: str, body: str, known: bool) -> None:
    spans = (computed("body", body),) if body else ()
    assert SubAgent(name, (), "All tools", source, spans).has_prompt is known


def test_the_listing(project: Project) -> None:
    write(project)
    agents = {a.name: "".join(p.text for p in a.spans) for a in project.materials().agents}
    assert agents["same"] == "Project"
    assert [name for name in agents if name in ("rev", "same")] == ["rev", "same"]
    assert list(agents) == sorted(agents, key=str.lower)
    assert "another agent is called same" in project.file("home/.claude/agents/same.md").why.text
    assert "it has no name" in project.file("workspace/.claude/agents/nameless.md").why.text


def test_it_stands_in_the_tool_or_in_the_message(project: Project) -> None:
    write(project)
    tool = next(t for t in project.assemble(V100).tools if t.name == "Agent")
    assert "\n- rev: Reviews (Tools: Read, Grep)" in tool.description
    section = project.assemble(V329).section("agents")
    assert section is not None
    assert "\n- rev: Reviews (Tools: Read, Grep)" in section.text


@pytest.mark.parametrize(
    ("value", "args", "gone"),
    [("1", {"print": True}, True), ("yes", {"print": True}, True), ("0", {"print": True}, False), ("1", {}, False)],
)
def test_a_variable_takes_the_built_in_agents_out_of_a_headless_session(
    project: Project, value: str, args: dict[str, Any], gone: bool
) -> None:
    write(project)
    env = {"CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS": value}
    section = project.assemble(V329, env=env, params={"args": args}).section("agents")
    assert section is not None
    assert ("- Explore:" not in section.text) is gone
    assert "- rev:" in section.text


def test_an_agent_drives_the_session(project: Project) -> None:
    write(project)
    params = {"args": {"agent": "rev"}}
    for version in (V100, V329):
        assert project.assemble(version, params=params).request.system[-1]["text"] == "You review."
    names = [t["name"] for t in project.assemble(V329, params=params).request.tools]
    assert names == ["Read", "DeferredToolPlaceholder", "Grep"]
    assert len(project.assemble(V100, params=params).request.tools) > 20


def test_agents_of_added_directories(project: Project) -> None:
    """The project's goes before them, they before the user's, and the last of them before the others."""

    def agent(name: str, text: str) -> str:
        return f"---\nname: {name}\ndescription: {text}\n---\nb\n"

    project.write(
        {
            "one/.claude/agents/a.md": agent("a", "one"),
            "two/.claude/agents/a.md": agent("a", "two"),
            "two/.claude/agents/p.md": agent("p", "two"),
            "home/.claude/agents/a.md": agent("a", "user"),
            "workspace/.claude/agents/p.md": agent("p", "project"),
        }
    )
    args = {"addDir": ["../one", "../two"]}
    for version, found in (("2.1.329", {"a": "two", "p": "project"}), (V100, {"a": "user", "p": "project"})):
        agents = project.materials(version, params={"args": args}).agents
        assert {a.name: "".join(p.text for p in a.spans) for a in agents if a.source != "built-in"} == found


def test_agents_are_in_the_order_of_a_dictionary(project: Project) -> None:
    names = ["_x", "a_b", "a.b", "ab", "aB", "Ab", "explore"]
    project.write({f"workspace/.claude/agents/{n}.md": f"---\nname: {n}\ndescription: d\n---\n" for n in names})
    found = [agent.name for agent in project.materials().agents]
    assert [name for name in found if name in names] == names
    assert found.index("explore") + 1 == found.index("Explore")


def test_an_unknown_agent_is_a_diagnostic(project: Project) -> None:
    assembly = project.assemble(V100, params={"args": {"agent": "nobody"}})
    assert [d.code for d in assembly.diagnostics] == ["unknown-agent"]
    intro = assembly.section("intro")
    assert intro is not None
    assert intro.present


@pytest.mark.parametrize(
    ("text", "older", "newer"),
    [
        ("---\nname: x\ndescription: |\n  one\n  two\n---\n", "one\ntwo\n", "one\ntwo\n"),
        ("---\nname: x\ndescription: one\\ntwo\n---\n", "one\ntwo", "one\ntwo"),
        ("---\nname: x\ndescription: a\ndescription: b\n---\n", None, "b"),
        ("---\nname: x\ndescription: a\n", None, None),
        ("---\nname: x\n\tdescription: a\n---\n", None, None),
        ("---\nname: 42\ndescription: a\n---\n", None, None),
        ("---\nname: two words\ndescription: a\n---\n", None, "a"),
        ("---\nname: ' blank '\ndescription: a\n---\n", "a", "a"),
        ("---\nname: a:b\ndescription: a\n---\n", "a", None),
        ("---\nname: x\ndescription: Use it: now\n---\n", "Use it: now", "Use it: now"),
    ],
)
def test_bad_heads(project: Project, text: str, older: str | None, newer: str | None) -> None:
    project.write({"workspace/.claude/agents/a.md": text})
    for version, wanted in ((V100, older), (V329, newer)):
        own = [a for a in project.materials(version).agents if a.source == "project"]
        assert ["".join(p.text for p in a.spans) for a in own] == ([] if wanted is None else [wanted])


def test_the_order_of_names(project: Project) -> None:
    for name in ("beta", "Alpha", "zeta"):
        project.write({f"workspace/.claude/agents/{name}.md": f"---\nname: {name}\ndescription: d\n---\n"})
    gathered = project.gathered(params={"args": {"print": True}})
    names = [a.name for a in gathered.materials.agents if a.when.holds(gathered.facts)]
    assert names == ["Alpha", "beta", "claude", "Explore", "general-purpose", "Plan", "statusline-setup", "zeta"]
    assert [a.name for a in project.materials(V100).agents][:4] == [
        "general-purpose",
        "statusline-setup",
        "Explore",
        "Plan",
    ]


# --- the prompt of a sub-agent ----------------------------------------------------------------------------------------

MEMORY = {"workspace/CLAUDE.md": "mark-project\n"}


def of(
    project: Project, name: str, version: str = V329, environment: Mapping[str, str] = ENVIRONMENT, **more: object
) -> Assembly:
    return project.assemble(version, params={"subagent": name, **more}, environment=environment)


def present(assembly: Assembly) -> set[str]:
    return {section.id for section in assembly.sections if section.present}


def offered(assembly: Assembly) -> set[str]:
    return {tool.name for tool in assembly.tools if tool.present}


@pytest.mark.parametrize("version", [V100, V329])
def test_an_agent_of_the_repository_has_its_own_prompt_and_tools(repository: Project, version: str) -> None:
    write(repository)
    repository.write(MEMORY)
    assembly = of(repository, "rev", version)
    assert "You review." in assembly.system_text
    assert not present(assembly) & {"intro", "system", "harness", "memory_instructions", "session_guidance"}
    assert "Notes:" in assembly.system_text
    assert "Read" in offered(assembly)
    assert offered(assembly) <= {"Read", "Grep"}
    assert present(assembly) >= {"user_context.file:CLAUDE.md", "git_status"}
    body = assembly.section("subagent_prompt")
    assert body is not None
    assert [f.origin.path for f in body.fragments] == [str(repository.cwd / ".claude/agents/rev.md")]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(("name", "told"), [("general-purpose", True), ("Explore", False), ("Plan", False)])
def test_agents_that_only_read_are_not_told_of_the_project(
    repository: Project, version: str, name: str, told: bool
) -> None:
    repository.write(MEMORY)
    assembly = of(repository, name, version)
    about = {"user_context.file:CLAUDE.md", "git_status"}
    assert present(assembly) & about == (about if told else set())
    assert ("Edit" in offered(assembly)) is told
    assert not offered(assembly) & {"AskUserQuestion", "ExitPlanMode"}


def test_the_billing_line_tells_a_sub_agent_from_2_1_329_on(project: Project) -> None:
    def billing(version: str, **params: object) -> str:
        section = project.assemble(version, params=params).section("billing")
        assert section is not None
        return section.text

    assert billing(V329, subagent="Plan").endswith(" cc_is_subagent=true;")
    assert "cc_is_subagent" not in billing(V329) + billing(V100, subagent="Plan")


def test_an_agents_own_model_goes_before_that_of_the_session(project: Project) -> None:
    head = "name: quick\ndescription: d\nmodel: haiku"
    project.write({"workspace/.claude/agents/quick.md": f"---\n{head}\n---\nx\n"})
    assert of(project, "quick").model == "claude-haiku-5-5"
    assert of(project, "Explore", V100).model == "claude-haiku-4-5-20251001"
    assert of(project, "Explore").model == project.assemble(V329).model
    assert of(project, "Plan", V100).model == project.assemble(V100).model


def test_an_agent_can_do_without_some_tools(project: Project) -> None:
    head = "name: safe\ndescription: d\ndisallowedTools: Bash, Write"
    project.write({"workspace/.claude/agents/safe.md": f"---\n{head}\n---\nx\n"})
    assembly = of(project, "safe")
    assert not offered(assembly) & {"Bash", "Write"}
    assert "Edit" in offered(assembly)
    bash = next(tool for tool in assembly.tools if tool.name == "Bash")
    assert "the sub-agent safe does without it" in bash.why.text
    assert any(lever.param == "subagent" for lever in bash.why.levers)


def test_an_unknown_name_is_a_diagnostic_and_changes_nothing(project: Project) -> None:
    assembly = of(project, "nobody")
    assert [d.code for d in assembly.diagnostics] == ["unknown-subagent"]
    assert "Explore" in assembly.diagnostics[0].message
    assert present(assembly) == present(project.assemble(V329))


def test_of_an_agent_that_was_not_recorded_only_the_surroundings_are_shown(project: Project) -> None:
    assembly = of(project, "claude")
    assert "subagent-unrecorded" in [d.code for d in assembly.diagnostics]
    body = assembly.section("subagent_prompt")
    assert body is not None
    assert not body.present
    assert "its prompt is not known" in body.why.text
    assert "subagent_notes" in present(assembly)


def test_the_way_to_a_sub_agent_and_back_is_a_lever(project: Project) -> None:
    notes = project.assemble(V329).section("subagent_notes")
    assert notes is not None
    assert ("subagent", "general-purpose") in {(lever.param, lever.value) for lever in notes.why.levers}
    intro = of(project, "Plan").section("intro")
    assert intro is not None
    assert ("subagent", None) in {(lever.param, lever.value) for lever in intro.why.levers}


def test_what_belongs_to_the_main_session_is_left_out(project: Project) -> None:
    settings = {"outputStyle": "Learning", "language": "french"}
    assembly = of(project, "general-purpose", settings=settings, hooks={"SessionStart": "mark-start"})
    assert not present(assembly) & {"output_style", "output_style.reminder", "language", "hook.session_start"}


def test_each_listed_agent_leads_to_its_prompt_and_back(project: Project) -> None:
    path = "workspace/.claude/agents/reviewer.md"
    project.write({path: "---\nname: reviewer\ndescription: Reviews.\n---\nBe strict.\n"})
    views = {view.title: view for view in project.assemble(V329).views}
    reviewer = views["reviewer"]
    assert (reviewer.section, reviewer.path) == ("agents", str(project.root / path))
    assert (reviewer.lever.param, reviewer.lever.value) == ("subagent", "reviewer")
    assert views["Plan"].path is None
    assert views["the main session"].lever.value is None
    assert "claude-code-guide" in views
    headless = project.assemble(V329, params={"args": {"print": True}}).views
    assert "claude-code-guide" not in {view.title for view in headless}, "it is not listed there"


def agent(description: str, **more: str) -> str:
    lines = [f"description: {description}", *(f"{key}: {value}" for key, value in more.items())]
    return "---\n" + "\n".join(lines) + "\n---\nYou help.\n"


def listed(project: Project, version: str, **more: Any) -> list[str]:
    """The names of the listing."""
    gathered = project.gathered(version, **more)
    return [a.name for a in gathered.materials.agents if a.when.holds(gathered.facts)]


@pytest.mark.parametrize("version", [V100, V329])
def test_an_organisations_agent_goes_before_all_others(project: Project, version: str) -> None:
    project.write(
        {
            "managed/.claude/agents/m.md": agent("Organisation", name="same"),
            "workspace/.claude/agents/p.md": agent("Project", name="same"),
            "home/.claude/agents/u.md": agent("User", name="same"),
        }
    )
    for sources in (None, "user"):
        agents = project.materials(version, params={"args": {"settingSources": sources}}).agents
        assert ["".join(p.text for p in a.spans) for a in agents if a.name == "same"] == ["Organisation"]


def test_the_older_version_lists_the_folder_that_counts_least_first(project: Project) -> None:
    folders = {"workspace": ("beta", "alpha"), "home": ("user",), "managed": ("managed",)}
    project.write(
        {f"{place}/.claude/agents/{n}.md": agent("d", name=n) for place, names in folders.items() for n in names}
    )
    assert listed(project, V100)[-4:] == ["user", "alpha", "beta", "managed"]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("rule", ["Agent(rev)", "Task(rev)"])
def test_a_rule_takes_one_agent_off_the_listing(project: Project, version: str, rule: str) -> None:
    write(project)
    denied = {"params": {"settings": {"permissions": {"deny": [rule]}}}}
    disallowed = {"params": {"args": {"disallowedTools": [rule, "Agent(Explore)"]}}}
    assert "rev" in listed(project, version)
    assert "rev" not in listed(project, version, **denied)
    assert not {"rev", "Explore"} & {*listed(project, version, **disallowed)}
    file = project.file("workspace/.claude/agents/rev.md", version, **disallowed)
    assert not file.present
    assert f"`--disallowed-tools` names {rule}" in file.why.text
    assert [(lever.param, lever.value) for lever in file.why.levers] == [("args.disallowedTools", ["Agent(Explore)"])]


def test_a_comma_inside_of_a_tool_is_no_border() -> None:
    assert tool_names("Agent(worker, reviewer), Read") == ("Agent(worker, reviewer)", "Read")


def test_the_setting_names_the_agent_that_drives_the_session(project: Project) -> None:
    write(project)
    project.write({"workspace/.claude/settings.json": '{\n"agent": "rev"\n}'})
    section = project.assemble().section("agent_prompt")
    assert section is not None
    assert section.present
    assert section.text == "You review."
    other = project.assemble(params={"args": {"agent": "same"}}).section("agent_prompt")
    assert other is not None
    assert other.text == "x"


def test_a_built_in_agent_can_drive_the_session(project: Project) -> None:
    assembly = project.assemble(params={"args": {"agent": "Explore", "print": True}})
    assert [(part, section(assembly, part).present) for part in ("agent_prompt", "harness", "closing")] == [
        ("agent_prompt", False),
        ("harness", True),
        ("closing", True),
    ]
    assert "the session is headless" in section(assembly, "agent_prompt").why.text
    watched = project.assemble(params={"args": {"agent": "Explore"}})
    assert section(watched, "agent_prompt").present
    assert not section(watched, "harness").present
    sent = [tool.name for tool in assembly.tools if tool.present]
    assert "Read" in sent
    assert not {"Agent", "Edit", "Write", "NotebookEdit"} & {*sent}
    assert not [d for d in assembly.diagnostics if "agent" in d.code]


def test_an_agent_of_the_session_has_its_tools_with_whatever_limit_and_its_model(project: Project) -> None:
    text = agent("d", name="t", tools="Bash(git log *), Agent(a, b), Read", disallowedTools="Agent", model="haiku")
    project.write({"workspace/.claude/agents/t.md": text})
    assembly = project.assemble(params={"args": {"agent": "t", "print": True}})
    assert {tool.name for tool in assembly.tools if tool.present} == {"Bash", "Read", "DeferredToolPlaceholder"}
    assert assembly.model == "claude-haiku-5-5"
    assert project.assemble(model="opus", params={"args": {"agent": "t"}}).model == "claude-opus-5-5"


def test_an_agent_without_a_prompt_is_named_as_that(project: Project) -> None:
    project.write({"workspace/.claude/agents/e.md": "---\nname: e\ndescription: d\n---\n"})
    said = [d.message for d in project.assemble(params={"args": {"agent": "e"}}).diagnostics]
    assert "the agent e has no prompt of its own" in said


@pytest.mark.parametrize(
    ("version", "variant", "name"),
    [
        (V100, "headless-agent-general, request 2", "general-purpose"),
        (V100, "headless-agent, request 2", "Explore"),
        (V329, "headless-agent-general, request 3 (ordinary)", "general-purpose"),
        (V329, "headless-agent, request 3 (ordinary)", "Explore"),
    ],
)
def test_a_sub_agents_tools_are_those_that_were_recorded(
    project: Project, version: str, variant: str, name: str
) -> None:
    recorded = reference(version)["variants"][variant]
    assembly = project.assemble(version, params={"subagent": name, "args": {"print": True}})
    assert [tool["name"] for tool in assembly.request.tools] == recorded["tools"]
    section = assembly.section("deferred_tools")
    lines = section.text.split("\n") if section and section.present else []
    assert [line for line in lines if line in reference(version)["tools"]] == recorded["deferred"]


@pytest.mark.parametrize(
    ("machine", "lines"),
    [
        ({}, ["Platform: linux", "Shell: bash", "OS Version: Linux 6.1.0"]),
        ({"platform": "darwin", "shell": "fish"}, ["Platform: darwin", "Shell: fish", "OS Version: Linux 6.1.0"]),
        ({"shell": ""}, ["Platform: linux", "Shell: unknown", "OS Version: Linux 6.1.0"]),
    ],
)
def test_a_sub_agent_is_told_of_the_machine(project: Project, machine: dict[str, str], lines: list[str]) -> None:
    assembly = of(project, "general-purpose", V100, environment=ENVIRONMENT | machine)
    section = assembly.section("subagent_environment")
    assert section is not None
    text = section.text
    assert text[text.index("Is a git") : text.index("\n</env>")].split("\n") == ["Is a git repository: false", *lines]


@pytest.mark.parametrize(
    ("args", "listed"),
    [
        ({}, True),
        ({"tools": ["Task", "Edit"]}, True),
        ({"tools": ["Task", "Write"]}, False),
        ({"disallowedTools": ["Read"]}, True),
        ({"disallowedTools": ["Read", "Edit"]}, False),
    ],
)
def test_a_built_in_agent_needs_one_of_the_tools_that_it_names(
    project: Project, args: dict[str, list[str]], listed: bool
) -> None:
    project.write({"workspace/.claude/agents/rev.md": REVIEWER})
    section = project.assemble(params={"args": {"print": True, **args}}).section("agents")
    assert section is not None
    assert "\n- rev: " in section.text, "one's own is listed whatever it may call"
    assert ("\n- statusline-setup: " in section.text) is listed


def test_a_sub_agent_has_its_listings_without_attachments(project: Project) -> None:
    project.write({"workspace/.claude/agents/rev.md": "---\nname: rev\ndescription: Reviews\n---\nYou review.\n"})
    for subagent, there in ((None, False), ("rev", True)):
        found = project.assemble(params={"subagent": subagent}, env={"CLAUDE_CODE_DISABLE_ATTACHMENTS": "1"})
        assert [section.id for section in found.sections if section.id == "skills" and section.present] == [
            "skills"
        ] * there


_INDEX = {
    "project": "workspace/.claude/agent-memory/a-b/MEMORY.md",
    "local": "workspace/.claude/agent-memory-local/a-b/MEMORY.md",
    "user": "home/.claude/agent-memory/a-b/MEMORY.md",
}


def write_memory(project: Project, head: str) -> None:
    project.write({path: f"index of {scope}\n" for scope, path in _INDEX.items()})
    project.write({"workspace/.claude/agents/a.md": f"---\nname: a b\ndescription: d\n{head}\n---\nbody\n"})


@pytest.mark.parametrize("scope", _INDEX)
@pytest.mark.parametrize("who", [{"subagent": "a b"}, {"args": {"agent": "a b"}}])
def test_its_index_follows_its_prompt(project: Project, scope: str, who: dict[str, object]) -> None:
    write_memory(project, f"memory: {scope}")
    assembly = project.assemble(params=who)
    section = assembly.section("subagent_memory" if "subagent" in who else "agent_memory")
    assert section is not None
    assert section.text.strip().startswith("# Persistent Agent Memory")
    assert section.text.endswith(f"## MEMORY.md\n\nindex of {scope}")
    assert project.file(_INDEX[scope], params=who).present
    row = project.file(_INDEX[scope])
    assert (row.present, row.why.levers[0].value) == (False, "a b")


@pytest.mark.parametrize("head", ["memory: Project", "memory: true", "memory: [project]", "color: red"])
def test_no_other_word_asks_for_a_memory(project: Project, head: str) -> None:
    write_memory(project, head)
    assert project.assemble(params={"subagent": "a b"}).section("subagent_memory") is None


def test_it_has_the_tools_to_keep_it(project: Project) -> None:
    write_memory(project, "memory: project\ntools: Bash, Edit")
    asked = {"subagent": "a b"}
    sent = {tool.name for tool in project.assemble(params=asked).tools if tool.present}
    assert sent == {"Bash", "Edit", "Write", "Read"}
    off = project.assemble(params=asked, env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    assert {tool.name for tool in off.tools if tool.present} == {"Bash", "Edit"}
    assert off.section("subagent_memory") is None


def test_a_linked_index_of_a_repository_is_not_loaded(project: Project) -> None:
    write_memory(project, "memory: project")
    (project.root / "other.md").write_text("linked words")
    index = project.root / _INDEX["project"]
    index.unlink()
    index.symlink_to("../../../../other.md")
    section = project.assemble(params={"subagent": "a b"}, outside_links="follow").section("subagent_memory")
    assert section is not None
    assert "linked words" not in section.text
    assert "was not loaded" in section.text


def test_an_empty_and_a_long_index_say_so(project: Project) -> None:
    write_memory(project, "memory: user")
    project.write({_INDEX["user"]: "x\n" * 300})
    section = project.assemble(params={"subagent": "a b"}).section("subagent_memory")
    assert section is not None
    assert "> WARNING: MEMORY.md is 300 lines (limit: 200)" in section.text


def test_without_an_index_it_is_told_so(project: Project) -> None:
    write_memory(project, "memory: user")
    (project.root / _INDEX["user"]).unlink()
    section = project.assemble(params={"subagent": "a b"}).section("subagent_memory")
    assert section is not None
    assert "nothing in it yet" in section.text


@pytest.mark.parametrize(
    ("tools", "listed"),
    [
        ("Agent(aa), Agent(bb), Read", {"aa", "bb"}),
        ("Agent(aa, bb), Read", {"aa", "bb"}),
        ("Task(aa), Read", {"aa"}),
        ("[Agent(aa), Read]", {"aa"}),
        ("Agent(aa), Agent, Read", {"aa"}),
        ("Agent(Explore), Read", {"Explore"}),
        ("Agent(AA), Read", set()),
        ("Agent(), Read", {"aa", "bb", "lead", "Explore"}),
        ("Agent, Read", {"aa", "bb", "lead", "Explore"}),
    ],
)
def test_the_agent_that_drives_names_those_that_it_starts(project: Project, tools: str, listed: set[str]) -> None:
    heads = {"aa": "", "bb": "", "lead": f"tools: {tools}\n"}
    project.write(
        {
            f"workspace/.claude/agents/{name}.md": f"---\nname: {name}\ndescription: of {name}\n{more}---\nBody.\n"
            for name, more in heads.items()
        }
    )
    text = "".join(
        section.text
        for section in project.assemble("2.1.332", params={"args": {"agent": "lead", "print": True}}).sections
    )
    assert {name for name in ("aa", "bb", "lead", "Explore") if f"\n- {name}: " in text} == listed


def as_sub_agent(project: Project, front: str, version: str = "2.1.332") -> Assembly:
    project.write(
        {
            "workspace/.claude/agents/rev.md": f"---\nname: rev\ndescription: Reviews\n{front}\n---\nYou review.\n",
            "workspace/.claude/skills/fold/SKILL.md": "---\ndescription: Folds\n---\nFold it.\n",
            "workspace/CLAUDE.md": "Ours.\n",
        }
    )
    return project.assemble(version, params={"subagent": "rev", "args": {"print": True}}, environment=ENVIRONMENT)


@pytest.mark.parametrize("tools", ["", "7", "[]", "true", "[7]", "Nope", "[Nope]", "mcp__nope", "ExitPlanMode"])
def test_one_whose_tools_are_none_is_not_started(project: Project, tools: str) -> None:
    made = as_sub_agent(project, f"tools: {tools}")
    assert "subagent-toolless" in {note.code for note in made.diagnostics}
    assert not section(made, "subagent_prompt").present


@pytest.mark.parametrize("tools", ["'*'", "Nope, Read"])
def test_one_with_a_tool_is_started(project: Project, tools: str) -> None:
    assert section(as_sub_agent(project, f"tools: {tools}"), "subagent_prompt").present


@pytest.mark.parametrize("skills", ["fold", "[fold]", "nope, fold"])
def test_its_skills_follow_its_task(project: Project, skills: str) -> None:
    made = as_sub_agent(project, f"skills: {skills}")
    assert section(made, "skill.name:0").text.startswith("<command-message>fold</command-message>\n")
    assert section(made, "skill.text:0").text.endswith("Fold it.\n")


@pytest.mark.parametrize(("value", "reads"), [("true", False), ("'true'", False), ("yes please", True), ("1", True)])
def test_it_may_want_no_instruction_files(project: Project, value: str, reads: bool) -> None:
    assert section(as_sub_agent(project, f"omitClaudeMd: {value}"), "user_context").present is reads


def test_what_an_agent_begins_with_is_before_the_prompt(project: Project) -> None:
    as_sub_agent(project, "initialPrompt: Look around.")
    made = project.assemble("2.1.332", params={"prompt": "hi", "args": {"print": True, "agent": "rev"}})
    assert section(made, "prompt").text == "Look around.\n\nhi"
