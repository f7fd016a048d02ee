"""An agent as text and data: what its folder makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.lint import mistakes, mistakes_in
from promptscope_engine.agents.kit.text.sources import FolderError, Layer
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Choice, Place, SectionDraft, builtin, computed, environment, label
from promptscope_engine.prompt.leaves import flag, mode_is
from promptscope_engine.prompt.spans import joined

X = flag("x")
AGENT = """
id = "own"
versions = ["1.0"]
[[sections]]
order = ["intro", "@made", "a.b"]
opens = "# {heading}\\n"
closes = "\\n\\n"
measured = true

[[sections]]
name = "end"
order = ["end"]
when = "mcp"
place = "last"
stability = "turn"

[places.last]
block = "user"
message = 0

[tools]
opens = "## {name}\\n"
section = "tools.{name}"
[tools.groups]
read = ["Read"]
"""
SECTIONS = {
    "intro": "---\nheading: INTRO\n---\n{.who}You are{=} 1\n",
    "a/b": '---\ntitle: B\nheading: BE\nwhen: x\nopens: ""\n---\n'
    "{% for item in items %}\n{.each}- {{ item.name }}\n{% endfor %}\n",
    "end": "{{ cwd }}{% if mcp %}{.mcp} with servers{% endif %}\n",
}
TOOL = """---
group: read
when: x
parameters:
  path: required
  lines: optional if x
variants:
  short: x
  long: else
---
{.does}Reads.
"""


@pytest.fixture
def agent(tmp_path: Path) -> Folder:
    for name, text in {"agent.toml": AGENT, "tools/Read.md": TOOL}.items():
        (tmp_path / "a" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a" / name).write_text(text, "utf-8")
    for name, text in SECTIONS.items():
        path = tmp_path / "a" / "sections" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Folder(tmp_path / "a", Vocabulary({"x": X}, own=frozenset({"mcp", "items"})))


def scope(**names: object) -> Scope:
    """What a scenario answers."""
    return Scope({"cwd": environment("cwd", "/w"), "mcp": flag("mcp"), "items": [], **names})


def test_sections_stand_in_the_order_of_agent_toml(agent: Folder) -> None:
    made = SectionDraft("made", "Made", ())
    found = list(agent.sections(scope(), {"made": lambda: [made]}))
    assert [section.id for section in found] == ["intro", "made", "a.b"]
    assert found[1] is made


def test_a_section_is_what_its_file_and_its_group_say(agent: Folder) -> None:
    intro, _, inner = agent.sections(scope(), {"made": lambda: [SectionDraft("made", "", ())]})
    assert list(intro.spans) == [label("# INTRO\n"), builtin("intro.who", "You are"), label(" 1"), label("\n\n")]
    assert (intro.title, intro.heading, intro.stability, intro.reference) == ("INTRO", "INTRO", "static", "intro")
    assert (inner.title, inner.heading, inner.when, inner.parent, inner.stability) == ("B", "BE", X, "a", "session")

    [end] = agent.sections(scope(), group="end")
    assert (end.place, end.when, end.stability) == (Place("user", 0), flag("mcp"), "turn")
    assert list(end.spans) == [environment("cwd", "/w"), builtin("end.mcp", " with servers", when=flag("mcp"))]


def test_corrections_for_a_version_that_is_not_modelled_are_told_of(agent: Folder, tmp_path: Path) -> None:
    for name in ("intro@9.9", "intro@1.0", "other"):
        (tmp_path / "own/sections").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"own/sections/{name}.md").write_text("x\n", "utf-8")
    found = {Path(d.path or "").name: d.message for d in mistakes_in(agent, Layer("own", "own", tmp_path / "own"))}
    assert found == {
        "intro@9.9.md": "there is no version 9.9; known: 1.0",
        "other.md": "it replaces no text of the built-in agent, and no order in agent.toml names it: it is not used",
    }


def test_each_section_of_a_place_may_have_a_block_of_its_own(agent: Folder) -> None:
    toml = agent.path / "agent.toml"
    toml.write_text(toml.read_text("utf-8").replace('block = "user"', 'block = "{name}"'), "utf-8")
    [end] = Folder(agent.path, Vocabulary({"x": X}, own=frozenset({"mcp", "items"}))).sections(scope(), group="end")
    assert end.place == Place("end", 0)


def test_a_file_may_say_that_a_section_has_no_parent(agent: Folder) -> None:
    file = agent.path / "sections/a/b.md"
    file.write_text('---\nparent: ""\nheading:\n  x: ONE\n  else: TWO\nopens: ""\n---\n{=}text\n', "utf-8")
    inner = list(agent.sections(scope(), {"made": list}))[-1]
    assert inner.parent is None
    assert [span.text for span in inner.spans] == ["text", "\n\n"]


class Item(Struct):
    """An item of a list."""

    name: str
    when: Condition = ALWAYS


def test_a_section_may_be_there_for_each_item_of_a_list(agent: Folder) -> None:
    agent.path.joinpath("sections/end.md").write_text(
        "---\neach: items\nid: end:{name}\ntitle: The {name}\n---\n{=}<{{ each.name }}{=}>\n"
    )
    items = [Item("a"), Item("b", X)]
    a, b = agent.sections(scope(items=items), group="end")
    assert [(each.id, each.title) for each in (a, b)] == [("end:a", "The a"), ("end:b", "The b")]
    assert [joined(each.spans) for each in (a, b)] == ["<a>", "<b>"]
    assert (b.when.levers(Facts(), True), a.place) == ((flag("mcp") & X).levers(Facts(), True), Place("user", 0))


def test_a_gate_may_ask_the_scenario_and_name_those_before_it(agent: Folder) -> None:
    toml = agent.path / "agent.toml"
    gates = '[gates]\nfixed = "x"\nmcp = \'on("A")\'\nitems = "mcp and fixed"\n'
    toml.write_text(toml.read_text("utf-8") + gates, "utf-8")
    own = Folder(agent.path, Vocabulary({"x": X}, own=frozenset({"mcp", "items"}), words=frozenset({"on"})))
    asked = flag("asked")
    assert own.gates_of(Scope({}, {"on": lambda _: asked})) == {"mcp": asked, "items": asked & X}


def test_headings_and_measured_sizes_may_go_by_conditions(agent: Folder) -> None:
    agent.path.joinpath("sections/intro.md").write_text(
        '---\nheading:\n  x: "## ONE"\n  else: TWO\nmeasured:\n  mcp: one\n  never: none\n  else: two\n---\n{=}text\n'
    )
    names = Vocabulary({"x": X}, own=frozenset({"mcp", "items", "never"}))
    answers = scope(never=False)
    intro = next(Folder(agent.path, names).sections(answers, {"made": lambda: [SectionDraft("made", "", ())]}))
    assert intro.heading == Choice(((X, "## ONE"),), "TWO")
    assert intro.title == Choice(((X, "ONE"),), "TWO")
    assert intro.reference == Choice(((flag("mcp"), "one"),), "two")
    assert [(span.text, span.when) for span in intro.spans] == [
        ("# ## ONE\n", X),
        ("# TWO\n", ~X),
        ("text", ALWAYS),
        ("\n\n", ALWAYS),
    ]


def test_a_section_may_have_an_id_of_its_own_and_a_value_in_its_heading(agent: Folder) -> None:
    (agent.path / "sections" / "end.md").write_text(
        '---\nid: who.am_i\nparent: ""\nplace: own\nmeasured: true\nheading:\n'
        '  x: "# I am {{ name }}"\n  else: "# I am"\n---\n{.a}I\n'
    )
    toml = agent.path / "agent.toml"
    toml.write_text(toml.read_text() + '[places.own]\nblock = "{name}"\n')
    [section] = Folder(agent.path, agent._given).sections(scope(name=label("Ann")), group="end")
    assert (section.id, section.parent, section.reference) == ("who.am_i", None, "who.am_i")
    assert section.heading == Choice(((X, "# I am Ann"),), "# I am")
    assert section.place == Place("who.am_i")
    assert [span.text for span in section.spans] == ["I"]
    assert [span.origin.id for span in section.spans] == ["who.am_i.a"]


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("", X),
        ("exists: mcp\n", flag("mcp")),
        ('exists:\n  version == "1.0": not mcp\n  else: mcp\n', ~flag("mcp")),
    ],
)
def test_a_tool_says_whether_there_is_one_by_version(agent: Folder, said: str, condition: Condition) -> None:
    (agent.path / "tools" / "Read.md").write_text(f"---\ngroup: read\n{said}---\nx\n")
    assert agent.exists("Read", Scope({"mcp": flag("mcp")}, version="1.0"), otherwise=X) == condition


def test_a_list_is_gone_through_item_by_item_each_under_its_condition(agent: Folder) -> None:
    items = [{"name": computed("n", "one")}, {"name": computed("n", "two"), "when": X}]
    *_, inner = agent.sections(scope(items=items), {"made": lambda: [SectionDraft("made", "", ())]})
    each = "a.b.each"
    assert [(span.text, span.when) for span in inner.spans] == [
        ("- ", ALWAYS), ("one", ALWAYS), ("\n", ALWAYS), ("- ", X), ("two", X), ("\n", X), ("\n\n", ALWAYS),
    ]  # fmt: skip
    assert [span.origin.id for span in inner.spans][:3] == [each, None, each]


def test_a_tool_with_its_parameters_and_variants(agent: Folder) -> None:
    tool = agent.tool("Read", scope(), flag("mode"))
    assert list(tool.description) == [label("## Read\n"), builtin("Read.does", "Reads.")]
    assert (tool.group, tool.when, tool.section) == ("read", flag("mode") & X, "tools.Read")
    assert [(each.name, each.required, each.when) for each in tool.parameters] == [
        ("path", True, ALWAYS),
        ("lines", False, X),
    ]
    assert isinstance(tool.variant, Choice)
    assert tool.variant.under(Facts(params={"x": True})) == "short"
    assert tool.variant.under(Facts(params={"x": False})) == "long"


def test_spans_that_are_the_same_in_every_scenario_are_the_same_objects(agent: Folder) -> None:
    first, second = (next(agent.sections(scope(), {"made": list})).spans for _ in range(2))
    assert first[1] is second[1]


def test_an_installation_that_cannot_be_written_keeps_its_texts_in_the_cache_folder(
    agent: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("os.access", lambda *_: False)
    assert set(agent.sources.sections) == {"intro", "a.b", "end"}
    assert [path.name for path in (tmp_path / "cache" / "promptscope").iterdir()] == ["a.json"]
    assert not (agent.path / "__pycache__").exists()


def test_the_words_of_a_tool_that_has_no_conditions(agent: Folder) -> None:
    text = "---\ngroup: read\n---\nAsks\n{% if x %}\nmore\n{% endif %}\n"
    (agent.path / "tools/Ask.md").write_text(text, "utf-8")
    assert agent.words("Read") == "Reads."
    with pytest.raises(FolderError, match=r"tools/Ask\.md:5: only plain text is allowed here"):
        agent.words("Ask")


def test_what_comes_along_with_a_version(tmp_path: Path) -> None:
    (tmp_path / "bundled/skills").mkdir(parents=True)
    order = '[tools]\norder = ["a", "b"]\n"order@1.0" = ["a"]\n'
    table = '[bundled.skills]\nkeys = ["columns"]\norder = ["run", "new"]\n"order@1.0" = ["run"]\n'
    files = {
        "agent.toml": f'id = "own"\nversions = ["1.0", "2.0", "2.1"]\n{table}{order}',
        "bundled/skills/run.md": "---\ncolumns: 12\n---\nRuns.\n",
        "bundled/skills/run@1.0.md": "Ran.\n",
        "bundled/skills/run@long.md": "Runs for long.\n",
        "bundled/skills/new.md": "---\nsince: 2.1\n---\nIs new.\n",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text, "utf-8")
    agent = Folder(tmp_path, Vocabulary())
    found = {version: agent.bundled("skills", version) for version in ("1.0", "2.0", "2.1")}
    assert {version: [each.text for each in items.values()] for version, items in found.items()} == {
        "1.0": ["Ran."],
        "2.0": ["Runs."],
        "2.1": ["Runs.", "Is new."],
    }
    assert found["2.0"]["run"].head == {"columns": "12"}
    assert [dict(found[version]["run"].forms) for version in ("1.0", "2.0")] == [{}, {"long": "Runs for long."}]
    assert [agent.tool_order(version) for version in ("1.0", "2.0")] == [("a",), ("a", "b")]


def test_what_front_matter_says_of_a_version(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "agent.toml").write_text(
        'id = "own"\nversions = ["1.0", "2.0"]\n[tools]\nkeys = ["waits", "calm"]\n', "utf-8"
    )
    head = 'group: a\nwaits: version >= "2.0"\ncalm: true\n'
    (tmp_path / "tools/T.md").write_text(f"---\n{head}---\nx\n", "utf-8")
    agent = Folder(tmp_path, Vocabulary())
    assert [agent.says("T", "waits", version) for version in ("1.0", "2.0")] == [False, True]
    assert agent.says("T", "calm", "1.0")
    assert not agent.says("T", "other", "1.0")


def test_where_the_wording_of_an_id_stands(agent: Folder) -> None:
    assert agent.place_of("a.b.each") == (agent.path / "sections/a/b.md", 8)
    assert agent.place_of("Read.does") == (agent.path / "tools/Read.md", 11)
    assert agent.place_of("Read.other") is None


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("sections/intro.md", "\n{% if nope %}x{% endif %}\n", "sections/intro.md:2: `nope`: unknown name nope"),
        (
            "sections/intro.md",
            "---\nwhen: nope\n---\n",
            "sections/intro.md:2: `nope`: unknown name nope (did you mean mode?)",
        ),
        ("tools/Read.md", "---\ngroup: read\nparameters:\n  a: maybe\n---\n", "tools/Read.md:4: `a` is `required` or"),
    ],
)
def test_a_mistake_is_named_with_its_file(agent: Folder, file: str, text: str, said: str) -> None:
    (agent.path / file).write_text(text, "utf-8")
    with pytest.raises(FolderError) as error:
        _all_of(agent)
    assert str(error.value).startswith(f"{agent.path}/{said}")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("sections/intro.md", "---\nplace: nowhere\n---\n", "sections/intro.md:2: `place`: there is no place nowhere"),
        ("sections/intro.md", "---\nstability: often\n---\n", "sections/intro.md:2: `stability`: there is no"),
        ("sections/intro.md", "---\nwhen:\n  a: b\n---\n", "sections/intro.md:2: `when` has one value, on its line"),
        ("sections/intro.md", "---\nwhen: true\n---\n", "sections/intro.md:2: `when` is text: put it in quotes"),
        ("tools/Read.md", "---\nparameters: a\n---\n", "tools/Read.md:2: `parameters` has lines of its own below it"),
        ("tools/Read.md", "---\nparameters:\n  a: required if nope\n---\n", "tools/Read.md:3: `nope`: unknown name"),
        ("tools/Read.md", "---\nvariants:\n  a: nope\n---\n", "tools/Read.md:3: `nope`: unknown name nope"),
        ("tools/Read.json", '{"properties":\n{"a": {"when": "nope == \\"a\\""}}}', "tools/Read.json:2: `nope =="),
    ],
)
def test_what_no_scenario_can_use_is_named_with_its_line(agent: Folder, file: str, text: str, said: str) -> None:
    (agent.path / file).write_text(text, "utf-8")
    with pytest.raises(FolderError) as error:
        raise next(mistakes(agent))
    assert str(error.value).startswith(f"{agent.path}/{said}")


def _all_of(agent: Folder) -> None:
    for section in agent.sections(scope(), {"made": list}):
        list(section.spans)
    agent.tool("Read", scope())


def test_gates_and_names_may_be_said_in_agent_toml(agent: Folder) -> None:
    file = agent.path / "agent.toml"
    file.write_text(
        'names = ["own_one"]\n' + AGENT + '\n[gates]\nplain = "not x"\nboth = "plain and mode == \'plan\'"\n'
    )
    found = Folder(agent.path, Vocabulary({"x": X}))
    assert found.vocabulary.own == {"own_one"}
    assert repr(found.condition("both", scope(), "agent.toml")) == repr(~X & mode_is("plan"))


@pytest.mark.parametrize("text", ["own_one", "unheard_of"])
def test_a_gate_is_the_same_in_every_scenario(agent: Folder, text: str) -> None:
    (agent.path / "agent.toml").write_text(f'names = ["own_one"]\n{AGENT}\n[gates]\nplain = "{text}"\n')
    with pytest.raises(FolderError, match=rf"agent\.toml:\d+: `{text}`"):
        _ = Folder(agent.path, Vocabulary({"x": X})).vocabulary
