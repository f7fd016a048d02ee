"""A definition whose texts are files, in the form that every agent's texts have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, ScenarioError, Workspace
from promptscope_engine.agents.declared import texts

from .places import FILE, HEAD, made, put

AGENT = (
    HEAD
    + """versions = ["1", "2"]
[[mode]]
slug = "chat"
[[mode]]
slug = "email"
[params.tone]
choices = ["warm", "dry"]
[params.polite]
default = true
[[sections]]
order = ["role", "rules.*"]
[[sections]]
order = ["modes", "@notes"]
when = "polite"
opens = "## {heading}\\n"
closes = "\\n--"
[[sections]]
order = ["hello"]
place = "first"
[places.first]
message = 0
[tools.groups]
Find = ["find", "look"]
[[section]]
id = "notes"
file = "notes.md"
"""
)
TEXTS = {
    "notes": "Notes.",
    "sections__role": "You help. Be {{ tone }}.{% if not polite %} Be brief.{% endif %}\n",
    "sections__rules__b": "B.\n",
    "sections__rules__a": '---\nwhen: mode == "chat"\n---\nA.\n',
    "sections__modes": "---\nheading: Modes\n---\n{% for mode in modes %}\n- {{ mode.slug }}\n{% endfor %}\nEnd.\n",
    "sections__hello": '---\nstability: turn\n---\n{% if version >= "2" %}\nNew.\n{% endif %}\n{{ environment.date }}',
    "tools__find": "---\nwhen: polite\n---\nFinds.\n",
    "tools__look": '---\nwhen: tool("find")\nsince: 2\n---\nLooks.\n',
}
FIND = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "when": "not polite"}}}


def own(place: Path, agent: str = AGENT, **texts: str) -> Path:
    """The agent with some of its texts otherwise."""
    put(place, agent, **{**TEXTS, **texts})
    (place / "workspace/tools/find.json").write_text(json.dumps(FIND))
    return place


def wrong(place: Path, **more: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        made(place, **more)
    return str(caught.value).removeprefix(f"{place}/workspace/")


def test_sections_and_tools_are_files(tmp_path: Path) -> None:
    own(tmp_path)
    assembly = made(tmp_path)
    assert assembly.diagnostics == ()
    assert assembly.system_text == ("You help. Be warm.\n\nA.\n\nB.\n\n## Modes\n- chat\n- email\nEnd.\n--\n\nNotes.")
    assert [(s.id, s.title, s.stability, s.parent) for s in assembly.sections] == [
        ("role", "role", "session", None),
        ("rules.a", "rules.a", "static", None),
        ("rules.b", "rules.b", "static", None),
        ("modes", "Modes", "session", None),
        ("notes", "notes", "session", None),
        ("hello", "hello", "turn", None),
    ]
    [first] = assembly.to_dict()["request"]["messages"]
    assert first["content"][0]["text"] == "New.\n2026-01-02"
    find, look = assembly.request.tools or ()
    assert find == {
        "name": "find",
        "description": "Finds.",
        "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    assert look == {"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}
    assert [(tool.name, tool.group) for tool in assembly.tools] == [("find", "Find"), ("look", "Find")]


def test_every_text_knows_its_line(tmp_path: Path) -> None:
    own(tmp_path)
    modes = made(tmp_path).section("modes")
    assert modes is not None
    path = f"{tmp_path}/workspace/sections/modes.md"
    lines = [(f.text, f.origin.start_line) for f in modes.fragments if f.origin.path == path]
    assert lines == [("- ", 5), ("\n", 5), ("- ", 5), ("\n", 5), ("End.", 7)]
    rows = {Path(file.path).name: (file.kind, file.present, file.injected_chars) for file in made(tmp_path).files}
    assert rows["modes.md"] == ("section", True, 10)
    assert rows["find.md"] == ("tool", True, 0)


def test_what_is_absent_leads_to_its_line(tmp_path: Path) -> None:
    own(tmp_path)
    assembly = made(tmp_path, mode="email", params={"polite": False})
    rule, modes = assembly.section("rules.a"), assembly.section("modes")
    assert rule is not None
    assert modes is not None
    assert (rule.why.text, rule.why.condition and rule.why.condition.source and rule.why.condition.source.place) == (
        "absent: the mode is email, not chat", "in sections/rules/a.md:2",
    )  # fmt: skip
    assert (modes.why.text, modes.why.levers[0].param) == ("absent: `polite` is off", "polite")
    assert modes.why.condition is not None
    assert modes.why.condition.source is not None
    assert modes.why.condition.source.place == f"in {FILE}:15"
    look = assembly.tools[1]
    assert look.why.text == "absent: the tool find is not offered: `polite` is off"
    assert assembly.system_text.startswith("You help. Be warm. Be brief.")


def test_an_older_version_has_what_it_had(tmp_path: Path) -> None:
    own(tmp_path)
    assembly = made(tmp_path, agent_version="1")
    assert [tool.name for tool in assembly.tools if tool.present] == ["find"]
    assert assembly.tools[1].why.levers[0].value == "2"
    assert assembly.to_dict()["request"]["messages"][0]["content"][0]["text"] == "2026-01-02"


def test_a_text_goes_through_the_tools_that_are_offered(tmp_path: Path) -> None:
    listed = "Tools:{% for tool in tools %} {{ tool.name }} ({{ tool.group }}){% endfor %}"
    own(tmp_path, sections__role=listed, tools__look='---\nwhen: mode == "email"\n---\nLooks.')
    assert made(tmp_path).system_text.startswith("Tools: find (Find)\n")
    assert made(tmp_path, mode="email").system_text.startswith("Tools: find (Find) look (Find)\n")


def test_a_text_that_goes_through_the_tools_has_all_that_is_sent_of_them(tmp_path: Path) -> None:
    listed = "{% for tool in tools %}{{ tool.name }}: {{ tool.description }} {{ tool.input_schema }}\n{% endfor %}"
    own(tmp_path, AGENT + '[[tool]]\nfile = "more.json"\n', sections__role=listed, tools__find="Finds{{ tone }}ly.")
    (tmp_path / "workspace/more.json").write_text('{"name": "m", "description": "More."}')
    empty = '{"type": "object", "properties": {}}'
    for polite, gated in (True, ""), (False, ', "b": {"type": "string"}'):
        found = made(tmp_path, params={"polite": polite})
        assert found.system_text.split("\n\nA.")[0] == (
            f'find: Findswarmly. {{"type": "object", "properties": {{"a": {{"type": "string"}}{gated}}}}}\n'
            f"look: Looks. {empty}\nm: More. {empty}\n"
        )
        sent = {tool["name"]: tool["description"] for tool in found.request.tools or ()}
        assert sent == {"find": "Findswarmly.", "look": "Looks.", "m": "More."}
    role = made(tmp_path).section("role")
    assert role is not None
    lines = {f.text: (Path(f.origin.path or "").name, f.origin.start_line) for f in role.fragments}
    assert lines["Finds"] == ("find.md", 1)
    assert lines["More."] == ("more.json", 1)


def test_a_tool_whose_description_names_itself_is_a_mistake_with_its_line(tmp_path: Path) -> None:
    own(tmp_path, tools__find="x\n{% for tool in tools %}{{ tool.description }}{% endfor %}")
    assert wrong(tmp_path) == "tools/find.md:2: `tool.description`: the description of find would be a part of itself"


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("sections__role", "Be {{ tune }}.", "sections/role.md:1: unknown name tune (did you mean tone?"),
        ("sections__role", "\n{% if polit %}x{% endif %}", "sections/role.md:2: `polit`: unknown name polit (did you"),
        ("sections__role", "\n\n{{ tone", "sections/role.md:3: `{{` has no end"),
        (
            "sections__role",
            "{% for x in tone %}{% endfor %}",
            "sections/role.md:1: unknown list tone; known: tools, modes",
        ),
        (
            "sections__role",
            '{% if tool("fnd") %}x{% endif %}',
            'sections/role.md:1: `tool("fnd")`: unknown tool fnd (did',
        ),
        (
            "sections__role",
            '{% if file("/etc") %}x{% endif %}',
            'sections/role.md:1: `file("/etc")`: a path is relative',
        ),
        ("sections__role", "---\nwen: polite\n---\nx", "sections/role.md:2: unknown key `wen`; did you mean `when`?"),
        ("sections__role", '---\nwhen: mode == "x"\n---\nx', 'sections/role.md:2: `mode == "x"`: unknown mode x'),
        ("sections__role", "---\nplace: nowhere\n---\nx", "sections/role.md:2: `place`: there is no place nowhere"),
        ("tools__find", "---\nsince: 3\n---\nx", "tools/find.md:2: `since`: there is no version 3; known: 1, 2"),
        ("tools__find", '---\n\nwhen: tool("look")\n---\nx', "whether find is offered would depend on itself"),
    ],
)
def test_a_mistake_has_its_file_and_line(tmp_path: Path, file: str, text: str, says: str) -> None:
    own(tmp_path, **{file: text})
    assert says in wrong(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"role"', '"rule"', f"{FILE}:12: there is no section rule"),
        ('"@notes"', '"@nodes"', f"{FILE}:14:19: there is no [[section]] nodes (did you mean notes?)"),
        ('"modes", ', '"role", ', f"{FILE}:14:10: there are two sections 'role'"),
        ('when = "polite"', 'when = "polit"', f"{FILE}:15: `polit`: unknown name polit (did you mean polite?)"),
        (
            'place = "first"',
            'place = "frist"',
            f"{FILE}:20: `place`: there is no place frist; known: system, messages, first",
        ),
        ('"look"', '"book"', f"{FILE}:24: there is no tools/book.md"),
        ('"look"', '"find"', f"{FILE}:24:17: there are two tools 'find'"),
        ("message = 0", "message = -1", f"{FILE}:22:1: `places.first.message`: input should be greater than or"),
    ],
)
def test_a_mistake_in_the_definition_too(tmp_path: Path, old: str, new: str, says: str) -> None:
    own(tmp_path, AGENT.replace(old, new))
    assert wrong(tmp_path).startswith(says)


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ("{", "tools/find.json:1: expecting property name"),
        ("[]", "tools/find.json: this is not a tool schema"),
        ('{"properties": [1]}', "tools/find.json: this is not a tool schema"),
        ('{"required": 5}', "tools/find.json: this is not a tool schema"),
        ('{"properties": {"a": {"forms": []}}}', "tools/find.json: this is not a tool schema"),
        ('{"properties": {"a": {"when": 5}}}', "tools/find.json:1: `5`: this is not a condition"),
        ('{"properties": {"a":\n {"when": "polit"}}}', "tools/find.json:2: `polit`: unknown name polit"),
        ("[" * 100_000, "tools/find.json: it is nested too deeply"),
        ('{"a": 1e999}', "tools/find.json: the number is not finite"),
    ],
)
def test_a_schema_that_is_none(tmp_path: Path, schema: str, says: str) -> None:
    own(tmp_path)
    (tmp_path / "workspace/tools/find.json").write_text(schema)
    assert wrong(tmp_path).startswith(says)


def test_a_file_that_holds_no_text_is_absent_and_says_why(tmp_path: Path) -> None:
    own(tmp_path, sections__role=" \n", sections__more="x", tools__more="x")
    (tmp_path / "workspace/sections/hello.md").write_bytes(b"\0" * 100)
    assembly = made(tmp_path)
    why = {section.id: (section.why.text, section.why.remedy) for section in assembly.sections if not section.present}
    assert why == {
        "role": ("absent: sections/role.md is blank", "write something into sections/role.md"),
        "hello": ("absent: sections/hello.md is not a text file", "put a text file at sections/hello.md"),
    }
    unused = {file.path.removeprefix(f"{tmp_path}/workspace/"): file.why.text for file in assembly.files}
    assert unused["sections/more.md"] == "absent: sections/more.md is in no `order` of [[sections]]: it is not used"
    assert unused["tools/more.md"] == "absent: tools/more.md is in no group of [tools]: it is not used"
    assert [(d.severity, d.code) for d in assembly.diagnostics] == [("info", "unused-text")] * 2


def test_only_a_definition_with_tools_reads_their_folder(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[[sections]]\norder = ["role"]\n[[tool]]\nglob = "tools/*.json"\n', sections__role="x")
    (tmp_path / "workspace/tools").mkdir()
    (tmp_path / "workspace/tools/t.json").write_text('{"name": "t"}')
    assembly = made(tmp_path)
    assert ([tool.name for tool in assembly.tools], assembly.diagnostics) == (["t"], ())


def test_a_saved_text_is_read_again(tmp_path: Path) -> None:
    own(tmp_path)
    workspace = Workspace()

    def again(**texts: str) -> Assembly:
        own(tmp_path, **texts)
        workspace.forget(workspace.changed())
        return made(tmp_path, workspace)

    assert again().system_text.startswith("You help.")
    assert again(sections__role="You listen.").system_text.startswith("You listen.")
    assert "C." in again(sections__rules__c="C.").system_text
    assert workspace.asked >= {f"{tmp_path}/workspace/{name}" for name in ("sections/role.md", "tools/find.json")}


def test_how_large_a_text_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_BYTES", 40)
    own(tmp_path, sections__rules__b="x" * 41)
    section = made(tmp_path).section("rules.b")
    assert section is not None
    assert section.why.text == "absent: sections/rules/b.md is larger than 40 bytes"


def test_the_old_form_still_works_and_says_how_to_write_it_now(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[[section]]\nid = "a.b"\ntext = "{% x %} {{mode}}"\n[[tool]]\nname = "t"\n')
    assembly = made(tmp_path)
    assert assembly.system_text == "{% x %} "
    assert [(d.severity, d.code, d.line) for d in assembly.diagnostics] == [("info", "old-form", 2)]
    assert "sections/a/b.md has its text, an `order` of [[sections]] `a.b`" in assembly.diagnostics[0].message
    put(tmp_path, HEAD + '[[section]]\nid = "a"\nfile = "a.md"\n', a="x")
    assert "an `order` of [[sections]] has `@a`" in made(tmp_path).diagnostics[0].message
    put(tmp_path, HEAD + '[[tool]]\nname = "t"\n')
    assert "tools/t.md and .json describe it, [tools.groups] has `t`" in made(tmp_path).diagnostics[0].message
