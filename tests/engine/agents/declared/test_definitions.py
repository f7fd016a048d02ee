"""What a definition comes to: sections, tools, modes, inputs, and the request in the shape that it asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import sent
from tests.support.repository import commit

from promptscope_engine import Scenario, ScenarioError, Workspace, assemble, check, compare, effects
from promptscope_engine.agents.declared import reading, tables
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.insight.sides import assemble_pinned, between

from .places import EXAMPLE, FILE, HEAD, asked, made, put, told

pytestmark = pytest.mark.slow

SMALL = HEAD + (
    'model = "claude-sonnet-4-5"\n[[mode]]\nslug = "chat"\n'
    '[[mode]]\nslug = "minimal"\n[params.polite]\ndefault = true\n'
    '[[section]]\nid = "role"\ntext = "You help."\n'
    '[[section]]\nid = "manners"\ntext = "Say please."\nwhen = \'polite and mode != "minimal"\'\n'
    '[[section]]\nid = "notes"\nfile = "notes.md"\nheading = "# Notes"\n'
    '[[section]]\nid = "rules"\nglob = "rules/**/*.md"\n'
    '[[section]]\nid = "hello"\nchannel = "messages"\ntext = "Hello."\n'
    '[[tool]]\nname = "search"\ndescription = "Find."\nwhen = \'tool("index") or not polite\'\n'
    '[[tool]]\nname = "index"\nwhen = \'mode == "minimal"\'\n'
)


def test_sections_stand_in_their_order(tmp_path: Path) -> None:
    put(tmp_path, SMALL, notes="\nMind the gap.\n\n", rules__b="B.\n", rules__a__x="X.\n")
    assembly = made(tmp_path)
    assert assembly.system_text == "You help.\n\nSay please.\n\n# Notes\nMind the gap.\n\nX.\n\nB."
    assert [section.id for section in assembly.sections] == [
        "role", "manners", "notes", "rules:rules/a/x.md", "rules:rules/b.md", "hello",
    ]  # fmt: skip
    notes = assembly.section("notes")
    assert notes is not None
    assert [(f.origin.kind, f.origin.start_line) for f in notes.fragments[-2:]] == [("label", None), ("file", 2)]
    role = assembly.section("role")
    assert role is not None
    assert (role.fragments[0].origin.path, role.fragments[0].origin.start_line) == (f"{tmp_path}/workspace/{FILE}", 11)


def test_what_is_absent_says_why_and_where(tmp_path: Path) -> None:
    put(tmp_path, SMALL)
    assembly = made(tmp_path, params={"polite": False})
    manners, notes, rules = (assembly.section(name) for name in ("manners", "notes", "rules"))
    assert manners is not None
    assert notes is not None
    assert rules is not None
    assert manners.why.text == "absent: `polite` is off"
    assert [(lever.param, lever.value) for lever in manners.why.levers] == [("polite", True)]
    assert manners.why.condition is not None
    source = manners.why.condition.children[0].source
    assert source is not None
    assert (source.place, source.path) == (f"in {FILE}:15", f"{tmp_path}/workspace/{FILE}")
    assert (notes.why.text, notes.why.remedy) == ("absent: there is no notes.md", "create notes.md")
    assert rules.why.text == "absent: no file with text is a rules/**/*.md"
    assert [(d.code, d.line) for d in told(assembly)] == [("definition-file-missing", 18)]


def test_tools_ask_for_each_other(tmp_path: Path) -> None:
    put(tmp_path, SMALL)
    assert [tool.present for tool in made(tmp_path).tools] == [False, False]
    search = made(tmp_path).tools[0]
    assert search.why.text == (
        "absent: the tool index is not offered: the mode is chat, not minimal and `polite` is on"
    )
    assert len(search.why.levers) == 1
    assert [tool.present for tool in made(tmp_path, mode="minimal").tools] == [True, True]


def test_modes_and_inputs(tmp_path: Path) -> None:
    put(tmp_path, SMALL)
    assembly = made(tmp_path)
    assert [mode.slug for mode in assembly.modes] == ["chat", "minimal"]
    assert (assembly.agent, assembly.mode, assembly.model) == ("mine", "chat", "claude-sonnet-4-5")
    with pytest.raises(ScenarioError, match=r"mode: unknown mode 'minimel' \(did you mean minimal\?\)"):
        made(tmp_path, mode="minimel")
    with pytest.raises(ScenarioError, match=r"unknown key 'polit' \(did you mean polite\?\)"):
        made(tmp_path, params={"polit": False})
    found = effects(asked(tmp_path))
    assert [(e.param, e.value, e.sections_removed, e.tools_added) for e in found] == [
        ("mode", "minimal", ("manners",), ("search", "index")),
        ("polite", False, ("manners",), ("search",)),
    ]


@pytest.mark.parametrize(
    ("protocol", "model", "shape"),
    [
        (None, "claude-x", "anthropic"),
        (None, "gpt-5", "chat"),
        ("responses", "gpt-5", "responses"),
        ("chat", None, "chat"),
    ],
)
def test_the_request_has_the_protocols_shape(
    tmp_path: Path, protocol: str | None, model: str | None, shape: str
) -> None:
    lines = (f'protocol = "{protocol}"\n' if protocol else "") + (f'model = "{model}"\n' if model else "")
    put(tmp_path, SMALL.replace('model = "claude-sonnet-4-5"\n', lines))
    assembly = assemble(asked(tmp_path, params={"polite": False}))
    plain = assembly.to_dict()["request"]
    assert plain["protocol"] == shape
    assert (sent(plain, "system"), sent(plain, "messages")) == ("You help.", "Hello.")
    tool = plain["tools"][0]
    inner = tool.get("function", tool)
    assert (inner["name"], inner["description"]) == ("search", "Find.")
    assert {"anthropic": "input_schema"}.get(shape, "parameters") in inner
    assert assembly.tokens.total == sum(value or 0 for value in assembly.tokens.by_channel.values())
    assert assembly.tokens.total == assembly.tokens.expected


SHAPES = {
    "anthropic": {"name": "t", "description": "d", "input_schema": {"type": "object"}},
    "chat": {"type": "function", "function": {"name": "t", "description": "d", "parameters": {"type": "object"}}},
    "responses": {"type": "function", "name": "t", "description": "d", "parameters": {"type": "object"}},
    "mcp": {"name": "t", "description": "d", "inputSchema": {"type": "object"}},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("around", ["alone", "list", "tools"])
def test_tools_of_files(tmp_path: Path, shape: str, around: str) -> None:
    put(tmp_path, HEAD + '[[tool]]\nfile = "t.json"\n')
    value: Any = SHAPES[shape]
    value = {"alone": value, "list": [value], "tools": {"tools": [value]}}[around]
    (tmp_path / "workspace" / "t.json").write_text(json.dumps(value, indent=1))
    [tool] = made(tmp_path).request.tools or ()
    assert tool == {"name": "t", "description": "d", "input_schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("{", "expecting property name enclosed in double quotes", 1),
        ('[\n{"name": "x"},\n5]', "a tool is an object", None),
        ('{"description": "x"}', "a tool has a `name`", None),
        ('{"name": "a\\u202e"}', "is not a valid tool name", None),
        ('{"name": "x", "input_schema": []}', "the schema of x must be an object", None),
        ("[" * 100_000, "it is nested too deeply", None),
        ('{"name": "x", "input_schema": {"a": 1e999}}', "not finite", None),
    ],
)
def test_files_that_describe_no_tool(tmp_path: Path, text: str, says: str, line: int | None) -> None:
    put(tmp_path, HEAD + '[[tool]]\nfile = "find.json"\n[[section]]\nid = "s"\ntext = "t"\nwhen = \'tool("find")\'\n')
    (tmp_path / "workspace" / "find.json").write_text(text)
    assembly = made(tmp_path)
    [found] = told(assembly)
    assert (found.code, found.line) == ("tool-invalid", line)
    assert says in found.message
    assert (assembly.tools[0].name, assembly.tools[0].present) == ("find", False)
    assert assembly.tools[0].why.remedy == "correct find.json"
    assert not assembly.sections[0].present


def test_of_two_tools_with_one_name_the_first_counts(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[[tool]]\nname = "t"\ndescription = "one"\n[[tool]]\nname = "t"\n')
    assembly = made(tmp_path)
    assert [(tool.name, tool.description) for tool in assembly.tools] == [("t", "one")]
    assert [(d.code, d.line) for d in told(assembly)] == [("tool-doubled", 5)]


def test_names_are_filled_in(tmp_path: Path) -> None:
    head = HEAD + '[params.tone]\nchoices = ["warm", "dry"]\n[params.on]\ndefault = true\n'
    text = head + '[[section]]\nid = "a"\ntext = "{{tone}} {{ on }} {{environment.date}} {{mode}}{{model}}"\n'
    text += (
        '[[section]]\nid = "b"\ntext = "{{tone}}"\nfill = false\n[[section]]\nid = "c"\nfile = "c.md"\nfill = true\n'
    )
    put(tmp_path, text, c="So {{tone}}, so {{tune}}.\n")
    assembly = made(tmp_path, model="m", params={"tone": "dry"})
    assert assembly.system_text == "dry on 2026-01-02 m\n\n{{tone}}\n\nSo dry, so {{tune}}."
    [found] = told(assembly)
    assert found.message == "{{tune}} stands for nothing; did you mean tone?"
    kinds = [fragment.origin.kind for fragment in assembly.sections[0].fragments]
    assert kinds[:3] == ["param", "file", "param"]


def test_texts_with_escapes_are_found_line_by_line(tmp_path: Path) -> None:
    text = HEAD + '[[section]]\nid = "a"\ntext = """\nOne \\"two\\".\nThree.\n"""\n'
    put(tmp_path, text)
    for each in (text, text.replace("\n", "\r\n")):
        put(tmp_path, each)
        assembly = made(tmp_path)
        assert assembly.system_text == 'One "two".\nThree.'
        last = assembly.sections[0].fragments[-1]
        assert (last.text, last.origin.kind, last.origin.start_line) == ("Three.", "file", 6)


def test_how_many_names_are_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_NAMES", 2)
    put(tmp_path, HEAD + '[[section]]\nid = "a"\ntext = "{{environment.date}} {{mode}}x{{mode}}y"\n')
    assembly = made(tmp_path)
    assert assembly.system_text == "2026-01-02 x{{mode}}y"
    assert [d.code for d in told(assembly)] == ["definition-limit"]


def test_how_many_files_a_pattern_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_FILES", 2)
    text = HEAD + '[[section]]\nid = "a"\nheading = "# A"\nglob = "r/*.md"\n'
    put(tmp_path, text, r__a="A", r__b="B")
    assert told(made(tmp_path)) == []
    put(tmp_path, text, r__c="C")
    assembly = made(tmp_path)
    assert assembly.system_text == "# A\n\nA\n\nB"
    assert [(d.code, d.message) for d in told(assembly)] == [
        ("definition-limit", "`r/*.md`: only the first 2 files are used")
    ]
    monkeypatch.setattr(reading, "MAX_LOOKED", 1)
    assert "only the first 1 names were looked at" in told(made(tmp_path))[0].message


# --- which definition it is -------------------------------------------------------------------------------------------


def test_a_workspaces_own_definition_comes_first(tmp_path: Path) -> None:
    put(tmp_path, SMALL, CLAUDE="Be brief.", AGENTS="Be brief.")
    assert made(tmp_path).agent == "mine"
    assert made(tmp_path, agent="claude-code", mode=None).agent == "claude-code"
    assert made(tmp_path, agent="mine").agent == "mine"
    assert [agent.id for agent in agents_for(asked(tmp_path))][-1] == "mine"
    with pytest.raises(ScenarioError, match=r"unknown agent 'mina' \(did you mean mine"):
        made(tmp_path, agent="mina")


def test_a_definition_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, 'id = "here"\n')
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.toml").write_text(SMALL)
    (other / "notes.md").write_text("There.")
    (tmp_path / "workspace" / "notes.md").write_text("Here.")
    assembly = made(tmp_path, definition=str(other / "a.toml"))
    assert assembly.agent == "mine"
    assert "# Notes\nThere." in assembly.system_text
    assert made(tmp_path, definition=str(other / "a.toml"), agent="codex", mode=None).agent == "codex"
    assert [agent.id for agent in agents_for(asked(tmp_path, definition=str(other / "a.toml")))][-1] == "mine"


def test_a_broken_definition_stands_in_nobodys_way(tmp_path: Path) -> None:
    put(tmp_path, "id = ")
    assert made(tmp_path, agent="roo", mode="code").agent == "roo"
    assert "mine" not in [agent.id for agent in agents_for(asked(tmp_path))]
    with pytest.raises(ScenarioError, match=f"{FILE}:1:6"):
        made(tmp_path)


def test_a_saved_definition_is_read_again(tmp_path: Path) -> None:
    put(tmp_path, SMALL, notes="One.")
    workspace = Workspace()
    first = made(tmp_path, workspace)
    watched = {str(tmp_path / "workspace" / name) for name in (FILE, "notes.md")}
    assert watched <= workspace.asked
    assert load_agent("mine").params.model_fields.keys() == {"polite"}

    put(tmp_path, SMALL.replace("[params.polite]", "[params.calm]\n[params.polite]"), notes="Two.")
    workspace.forget(workspace.changed())
    second = made(tmp_path, workspace)
    assert ("One." in first.system_text, "Two." in second.system_text) == (True, True)
    assert load_agent("mine").params.model_fields.keys() == {"calm", "polite"}


# --- over revisions, and held to budgets ------------------------------------------------------------------------------


def test_revisions_whose_definitions_differ(tmp_path: Path) -> None:
    put(tmp_path, SMALL, notes="One.")
    root = tmp_path / "workspace"
    commit(root, {})
    text = SMALL.replace("[params.polite]", "[params.calm]\n[params.polite]").replace("You help.", "You really help.")
    commit(root, {FILE: text})
    base = Scenario(agent="mine", workspace=str(root), home=str(tmp_path / "home"), env={})
    before, after = (assemble_pinned(side) for side in between("HEAD~1..HEAD", base))
    found = compare(before, after)
    assert [change.id for change in found.sections] == ["role"]
    assert "You really help." in after.system_text
    with pytest.raises(ScenarioError, match="unknown key 'calm'"):
        assemble_pinned(between("HEAD~1", base.with_value("calm", True))[0])


def test_check_holds_it_to_budgets(tmp_path: Path) -> None:
    put(tmp_path, SMALL)
    root = tmp_path / "workspace"
    (root / ".promptscope.toml").write_text('[[budget]]\nagent = "mine"\nsection = "role"\ntokens = 1\n')
    report = check(Scenario(workspace=str(root), env={}))
    assert [agent.agent for agent in report.prompts] == ["mine"]
    assert [(f.rule, f.path) for f in report.findings] == [("budget", ".promptscope.toml"), ("unresolved-import", FILE)]
    put(tmp_path, "id = ")
    with pytest.raises(ScenarioError, match=f"{FILE}:1:6"):
        check(Scenario(workspace=str(root), env={}))


def test_growth_since_a_revision_without_the_definition(tmp_path: Path) -> None:
    put(tmp_path, HEAD)
    root = tmp_path / "workspace"
    (root / FILE).unlink()
    commit(root, {"x": ""})
    put(tmp_path, HEAD + '[[section]]\nid = "a"\ntext = "A long text."\n')
    (root / ".promptscope.toml").write_text('[growth]\nagainst = "HEAD"\npercent = 1\n')
    assert check(Scenario(workspace=str(root), env={})).findings == ()
    commit(root, {})
    put(tmp_path, HEAD + '[[section]]\nid = "a"\ntext = "A much longer text than it was."\n')
    assert [f.rule for f in check(Scenario(workspace=str(root), env={})).findings] == ["growth"]


def test_the_example() -> None:
    """Three modes, six tools, and nothing to complain about."""
    assembly = assemble(Scenario(workspace=str(EXAMPLE), env={}), cached_only=True)
    assert (len(assembly.modes), len(assembly.tools), assembly.diagnostics) == (3, 6, ())
    assert assembly.system_text.startswith("You are the support desk of Greenhouse")
    reasons = {section.id: section.why.text for section in assembly.sections if not section.present}
    assert reasons["memory"] == "absent: the tool memory_search is not offered: `memory` is off"


@pytest.mark.parametrize(
    ("file", "name"), [("search.json", "search"), ("a/b.c/find.v2.json", "find"), ("bare", "bare"), (".json", "tool")]
)
def test_a_tool_whose_file_is_missing_has_its_name(tmp_path: Path, file: str, name: str) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "{file}"\n')
    assert [(tool.name, tool.present) for tool in made(tmp_path).tools] == [(name, False)]


@pytest.mark.parametrize(("count", "left"), [(199, 0), (200, 0), (201, 1), (205, 5)])
def test_so_many_tools_of_files_are_used(tmp_path: Path, count: int, left: int) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "tools.json"\n')
    tools = [{"name": f"t{number}", "description": "d"} for number in range(count)]
    (tmp_path / "workspace/tools.json").write_text(json.dumps(tools))
    found = made(tmp_path)
    assert len(found.tools) == min(count, 200)
    said = [d.message for d in found.diagnostics if d.code == "definition-limit"]
    assert said == ([f"the first 200 tools are used, {left} are left out"] if left else [])


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        ([], None),
        ({"name": "a", "description": "d"}, None),
        ({"tools": [{"name": "a"}]}, None),
        ({"tools": [], "name": "a"}, None),
        ({"function": {"name": "a"}}, None),
        (5, "a tool is an object with `name`, `description` and `input_schema`"),
        ({"description": "d"}, "a tool has a `name`, which is a text"),
        ({"name": "n" * 59, "description": 5}, f"the `description` of {'n' * 59} must be a string"),
        ({"name": "n" * 61, "description": 5}, f"the `description` of {'n' * 60} must be a string"),
        ({"name": "n" * 61, "parameters": 5}, f"the schema of {'n' * 60} must be an object"),
        ({"name": "n" * 129}, "is not a valid tool name: use letters, digits and _ . : / -, at most 128"),
        ({"name": "n" * 128}, None),
    ],
)
def test_what_is_no_tool(tmp_path: Path, tool: Any, says: str | None) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "tools.json"\n')
    (tmp_path / "workspace/tools.json").write_text(json.dumps(tool))
    said = [d.message for d in made(tmp_path).diagnostics if d.code == "tool-invalid"]
    assert [says in message for message in said if says] == ([True] if says else [])
    assert bool(said) is (says is not None)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ('"One"', [("One", 4)]),
        ('"One \\\\ two"', [("One \\ two", None)]),
        ('"""\nOne\nTwo"""', [("One\nTwo", 5)]),
        ('"""\nOne \\"x\\"\n\nTwo"""', [('One "x"', None), ("\n", None), ("\n", None), ("Two", 7)]),
        ('"Two\\nOne\\nTwo"', [("Two", 4), ("\n", None), ("One", 4), ("\n", None), ("Two", 4)]),
        ("'\"'", [('"', 4)]),
    ],
)
def test_a_text_has_the_lines_on_which_it_is_written(
    tmp_path: Path, text: str, fragments: list[tuple[str, int | None]]
) -> None:
    put(tmp_path, f'{HEAD}[[section]]\nid = "a"\ntext = {text}\n')
    found = made(tmp_path).sections[0].fragments
    assert [(each.text, each.origin.start_line) for each in found] == fragments
    assert [each.origin.kind == "file" for each in found] == [line is not None for _, line in fragments]


def test_where_lines_end_otherwise_a_text_is_found_line_by_line(tmp_path: Path) -> None:
    """No stretch of such a file is what the text has between two lines."""
    put(tmp_path, f'{HEAD}[[section]]\nid = "a"\ntext = """\nOne\nTwo"""\n'.replace("\n", "\r\n"))
    found = made(tmp_path).sections[0].fragments
    assert [(each.text, each.origin.start_line) for each in found] == [("One", 5), ("\n", None), ("Two", 6)]


@pytest.mark.parametrize(("trim", "line"), [("true", 4), ("false", 4)])
def test_the_first_name_of_a_file_that_stands_for_nothing_is_told_with_its_line(
    tmp_path: Path, trim: str, line: int
) -> None:
    put(
        tmp_path,
        f'{HEAD}[[section]]\nid = "a"\nfile = "a.md"\nfill = true\ntrim = {trim}\n',
        a="\n\nSo\n{{x}}\n{{y}}\n",
    )
    found = [(d.code, d.message, d.line) for d in told(made(tmp_path))]
    assert found == [("unknown-name", "{{x}} stands for nothing", line)]


def test_a_name_that_stands_for_nothing_may_follow_one_that_stands_for_little(tmp_path: Path) -> None:
    put(tmp_path, f'{HEAD}[[section]]\nid = "a"\nfile = "a.md"\nfill = true\n', a="{{mode}}\n{{x}}")
    assert [(d.code, d.message, d.line) for d in told(made(tmp_path))] == [
        ("unknown-name", "{{x}} stands for nothing", 2)
    ]


def test_files_of_a_pattern_stand_below_its_heading(tmp_path: Path) -> None:
    definition = '[[section]]\nid = "a"\nheading = "# A"\nglob = "r/*.md"\n[[section]]\nid = "b"\nglob = "r/*.md"\n'
    put(tmp_path, HEAD + definition, r__x="X.")
    assert [(section.id, section.title, section.parent) for section in made(tmp_path).sections] == [
        ("a", "A", None), ("a:r/x.md", "r/x.md", "a"), ("b:r/x.md", "r/x.md", None),
    ]  # fmt: skip


def test_what_is_in_a_file_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    """It is there if one of those who name it lets it in."""
    definition = (
        '[params.on]\n[[section]]\nid = "a"\nfile = "a.md"\nwhen = "on"\n[[section]]\nid = "b"\nfile = "a.md"\n'
        '[[section]]\nid = "c"\ntext = "In the definition."\n'
    )
    put(tmp_path, HEAD + definition, a="Text.")
    rows = [(Path(f.path).name, f.kind, f.present, f.injected_chars) for f in made(tmp_path).files]
    assert rows == [(FILE, "definition", True, 18), ("a.md", "section", True, 5)]


def test_a_condition_that_only_an_edit_changes_says_which_line(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[[mode]]\nslug = "m"\n[[section]]\nid = "a"\ntext = "t"\nwhen = \'mode != "m"\'\n')
    assert made(tmp_path).sections[0].why.remedy == f"edit `when = 'mode != \"m\"'` (in {FILE}:7)"


def test_what_a_tool_needs(tmp_path: Path) -> None:
    schema = '{type = "object", required = ["a"], properties = {a = {type = "string"}, b = {type = "string"}}}'
    put(tmp_path, f'{HEAD}[[tool]]\nname = "t"\ninput_schema = {schema}\n')
    (tool,) = made(tmp_path).tools
    assert [(parameter.name, parameter.required) for parameter in tool.parameters] == [("a", True), ("b", False)]


def test_a_name_that_no_tool_can_have_is_told_by_its_first_60_characters(tmp_path: Path) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nfile = "tools.json"\n')
    (tmp_path / "workspace/tools.json").write_text(json.dumps({"name": "n" * 129}))
    [found] = told(made(tmp_path))
    assert found.message.startswith(f"'{'n' * 60}' is not a valid tool name: ")


def test_a_mode_has_a_name_or_is_called_by_its_slug(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[[mode]]\nslug = "a"\nname = "First"\n[[mode]]\nslug = "b"\n')
    assert [(mode.slug, mode.name, mode.source) for mode in made(tmp_path).modes] == [
        ("a", "First", "line 3"), ("b", "b", "line 6"),
    ]  # fmt: skip


@pytest.mark.parametrize(("channel", "system", "messages"), [("system", 1, 0), ("messages", 0, 1)])
def test_what_nothing_is_said_in_is_not_sent(tmp_path: Path, channel: str, system: int, messages: int) -> None:
    put(tmp_path, f'{HEAD}[[section]]\nid = "a"\ntext = "t"\nchannel = "{channel}"\n')
    request = made(tmp_path).to_dict()["request"]
    assert (len(request["system"]), len(request["messages"])) == (system, messages)


def test_who_asks_for_a_tool_and_who_offers_it_have_a_line_each(tmp_path: Path) -> None:
    tool = '[params.on]\n[[tool]]\nname = "t"\nwhen = "on"\n'
    put(tmp_path, f"{HEAD}{tool}[[section]]\nid = 'a'\ntext = 't'\nwhen = 'tool(\"t\")'\n")
    asks = made(tmp_path).sections[0].why.condition
    assert asks is not None
    (offers,) = asks.children
    assert [(v.name, v.source and v.source.line) for v in (asks, offers)] == [("t", 9), ("on", 5)]
