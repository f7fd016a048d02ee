"""What is wrong with a definition is named with file, line and column, and the nearest valid word."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.agents.declared.definition import KINDS, values_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.params import fields_of

from .places import FILE, HEAD, made, put, told

ONE = '[[section]]\nid = "a"\n'


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("", "1:1", "the key `id` is missing"),
        ("id = 5", "1:1", "`id`: input should be a valid string, not 5"),
        ('id = "A b"', "1:1", "a name like support-agent"),
        ('id = "roo"', "1:1", "an agent that promptscope knows is called roo already"),
        ("id = ", "1:6", "invalid value"),
        (HEAD + "x = [", "2:6", "invalid value"),
        (HEAD + "ab = = 1", "2:6", "invalid value"),
        (HEAD + 'id = "other"', "2:13", "cannot overwrite a value"),
        (HEAD + 'nam = "x"', "2:1", "unknown key 'nam' (did you mean name?)"),
        (HEAD + '[[section]]\nid = "a"\ntext = "t"\nwen = "x"', "5:1", "unknown key 'wen' (did you mean when?)"),
        (HEAD + ONE, "2:1", "a section has just one of `text`, `file`, `glob`, not none of them"),
        (HEAD + ONE + 'text = "a"\nfile = "b"', "5:1", "not `text` and `file`"),
        (HEAD + ONE + 'text = ""\n[[section]]\nid = "a"\ntext = ""', "6:1", "there are two sections 'a'"),
        (HEAD + "[[section]]\ntext = 'x'", "2:1", "the key `id` is missing"),
        (HEAD + ONE + "text = 'x'\n[[section]]\ntext = 'x'", "5:1", "the key `id` is missing"),
        (HEAD + ONE + "text = 'x'\nchannel = 'sytem'", "5:1", "input should be 'system' or 'messages'"),
        (HEAD + 'default_mode = "chta"\n[[mode]]\nslug = "chat"', "2:1", "unknown mode 'chta' (did you mean chat?)"),
        (HEAD + '[[mode]]\nslug = "a"\n[[mode]]\nslug = "a"', "5:1", "there are two modes 'a'"),
        (HEAD + "[params.mode]\ndefault = true", "2:1", "has a meaning of its own"),
        (HEAD + "[params.copy]\ndefault = true", "2:1", "has a meaning of its own"),
        (HEAD + '[params."a-b"]\ndefault = true', "2:1", "a name like reply_language"),
        (HEAD + '[params.a]\nkind = "enum"', "2:1", "an enum has `choices`"),
        (HEAD + '[params.a]\nkind = "object"', "3:1", "a param's kind is one of bool, enum, int, text"),
        (HEAD + '[params.a]\nchoices = ["x", "y"]\ndefault = "xx"', "4:1", "'xx' is none of the choices (did you mean"),
        (HEAD + '[params.a]\nkind = "int"\ndefault = true', "4:1", "the default of a param of kind int is not true"),
        (HEAD + "[params.a]\n[params.strict]\nkind = 5", "4:1", "`params.strict.kind`: input should be 'bool', "),
        (HEAD + "[params.a]\n[params.integer]\ndefault = 1.5", "4:1", "`params.integer.default`: true, false, a"),
        (HEAD + "[params.a]\ndefault = 1.5", "3:1", "true, false, a whole number or a text, not 1.5"),
        (HEAD + '[[tool]]\nname = "a"\nfile = "b"', "4:1", "not `name` and `file`"),
        (HEAD + '[[tool]]\nfile = "b"\ndescription = "x"', "4:1", "belongs to a tool with a `name`"),
        (HEAD + '[[tool]]\nname = "a b"', "3:1", "is not a valid tool name"),
        (HEAD + 'name = "a\\u202eb"', "2:1", "without any that nobody sees"),
        (HEAD + "window = 0", "2:1", "`window`: input should be greater than or equal to 1"),
        (HEAD + "window = inf", "2:1", "the number is not finite"),
        (HEAD + "a." * 100 + "b = 1", "2:1", "a key has at most 100 parts"),
        (HEAD + "a." * 99 + "b = 1", "2:1", "unknown key 'a'"),
        ("\n" + "a." * 100 + "b = 1", "2:1", "a key has at most 100 parts"),
        (HEAD + "x = " + "[" * 150 + "]" * 150, "2:1", "nested more than 100 levels"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, at: str, says: str) -> None:
    put(tmp_path, text)
    with pytest.raises(ScenarioError) as caught:
        made(tmp_path)
    assert says in str(caught.value)
    assert caught.value.where == f"{tmp_path}/workspace/{FILE}:{at}"


@pytest.mark.parametrize(
    ("when", "column", "says"),
    [
        ("'a'", 9, "unknown name a"),
        ('"mode == \\"x\\""', 8, "unknown mode x"),
        ("'''mode == \"x\"'''", 8, "unknown mode x"),
        ("'true or tool(\"y\")'", 9, "unknown name true"),
        ("'not tool(\"serch\")'", 18, "unknown tool serch (did you mean search?)"),
        ("'file(\"/etc/passwd\")'", 14, "a path is relative to the folder of the definition"),
        ("'file(\"../../x\")'", 14, "leads out of the repository"),
    ],
)
def test_mistakes_in_conditions(tmp_path: Path, when: str, column: int, says: str) -> None:
    put(tmp_path, f'{HEAD}[[tool]]\nname = "search"\n[[section]]\nid = "a"\ntext = "t"\nwhen = {when}\n')
    with pytest.raises(ScenarioError) as caught:
        made(tmp_path)
    assert says in str(caught.value)
    assert caught.value.where == f"{tmp_path}/workspace/{FILE}:7:{column}"


def test_tools_that_depend_on_each_other(tmp_path: Path) -> None:
    tools = "".join(f"[[tool]]\nname = '{one}'\nwhen = 'tool(\"{other}\")'\n" for one, other in ("ab", "bc", "ca"))
    put(tmp_path, HEAD + tools)
    with pytest.raises(ScenarioError, match=r"toml:10:14: whether a is offered would depend on itself"):
        made(tmp_path)


@pytest.mark.parametrize("key", ["file", "glob"])
@pytest.mark.parametrize("table", ["section", "tool"])
@pytest.mark.parametrize("path", ["/etc/passwd", "~/.ssh/id_rsa", "../../secret.md", "a/../../../b", ""])
def test_paths_that_a_definition_may_not_name(tmp_path: Path, table: str, key: str, path: str) -> None:
    head = 'id = "a"\n' if table == "section" else "\n"
    put(tmp_path, f'{HEAD}[[{table}]]\n{head}{key} = "{path}"\n')
    with pytest.raises(ScenarioError, match=rf"{FILE}:4:1: (a path is|the path leads)"):
        made(tmp_path)


def test_names_in_a_text(tmp_path: Path) -> None:
    put(tmp_path, HEAD + '[params.tone]\ndefault = "dry"\n' + ONE + 'text = """\nBe {{ tone }}.\nIn {{ton}}."""\n')
    with pytest.raises(ScenarioError, match=rf"{FILE}:8:4: unknown name ton .*did you mean tone"):
        made(tmp_path)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    put(tmp_path, HEAD)
    file = tmp_path / "workspace" / FILE
    file.write_bytes(b"id = '\xff'")
    with pytest.raises(ScenarioError, match="is UTF-8 text"):
        made(tmp_path)
    file.unlink()
    with pytest.raises(ScenarioError, match="cannot read the agent's definition: there is no such file"):
        made(tmp_path, definition=str(file))
    file.mkdir()
    with pytest.raises(ScenarioError, match="cannot read the agent's definition: it is a directory"):
        made(tmp_path)


def test_how_long_a_definition_may_be(tmp_path: Path) -> None:
    put(tmp_path, HEAD.ljust(1_000_000, "#"))
    assert made(tmp_path).agent == "mine"
    put(tmp_path, HEAD.ljust(1_000_001, "#"))
    with pytest.raises(ScenarioError, match="at most 1,000,000 characters"):
        made(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "most"),
    [
        ('[[section]]\nid = "s{0}"\ntext = "t"\n', 500),
        ('[[tool]]\nname = "t{0}"\n', 200),
        ("[params.p{0}]\n", 100),
        ('[[mode]]\nslug = "m{0}"\n', 50),
    ],
)
def test_how_many_of_each_are_used(tmp_path: Path, table: str, most: int) -> None:
    put(tmp_path, HEAD + "".join(table.format(n) for n in range(most)))
    assert told(made(tmp_path)) == []
    put(tmp_path, HEAD + "".join(table.format(n) for n in range(most + 1)))
    [found] = told(made(tmp_path))
    assert found.code == "definition-limit"
    assert f"the first {most:,} are used, the others are left out" in found.message
    assert found.line == 2 + most * table.count("\n")


def test_the_kinds_of_inputs() -> None:
    assert KINDS == ("bool", "enum", "int", "text")


@pytest.mark.parametrize("over", [-1, 0, 1])
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ('id = "{}"\n', 60),
        (HEAD + 'name = "{}"\n', 200),
        (HEAD + '[[section]]\nid = "{}"\ntext = ""\n', 60),
        (HEAD + '[[mode]]\nslug = "{}"\n', 60),
        (HEAD + "[params.{}]\ndefault = true\n", 60),
    ],
)
def test_so_long_a_name_may_be(tmp_path: Path, text: str, limit: int, over: int) -> None:
    put(tmp_path, text.format("a" * (limit + over)))
    if over <= 0:
        assert made(tmp_path).sections is not None
        return
    with pytest.raises(ScenarioError, match=f"of at most {limit} "):
        made(tmp_path)


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize(
    ("fits", "not_any_more"),
    [
        ("window = 1", "window = 0"),
        ("window = 100_000_000", "window = 100_000_001"),
        ("reserve = 0", "reserve = -1"),
        ("reserve = 100_000_000", "reserve = 100_000_001"),
        ("compact_at = 1", "compact_at = 0"),
        ("compact_at = 100_000_000", "compact_at = 100_000_001"),
        (f"gap = '{'-' * 200}'", f"gap = '{'-' * 201}'"),
        (f"[params.a]\nchoices = {list(range(50))}", f"[params.a]\nchoices = {list(range(51))}"),
    ],
)
def test_how_large_a_value_may_be(tmp_path: Path, fits: str, not_any_more: str, over: bool) -> None:
    put(tmp_path, f"{HEAD}{not_any_more if over else fits}\n")
    if not over:
        assert made(tmp_path).agent == "mine"
        return
    with pytest.raises(ScenarioError, match=rf"{FILE}:[23]:1"):
        made(tmp_path)


@pytest.mark.parametrize(("length", "is_cut"), [(100, False), (1_000, True)])
def test_what_is_wrong_is_told_in_400_characters(tmp_path: Path, length: int, is_cut: bool) -> None:
    put(tmp_path, f'id = "{"x" * length}"\n')
    with pytest.raises(ScenarioError) as caught:
        made(tmp_path)
    told = str(caught.value).partition("`id`: ")[2]
    assert told.startswith("a name like support-agent")
    assert (len(told) == 400) is is_cut
    assert ("x'" in told, "x" * 400 in told, told.count("x") > 300) == (not is_cut, False, is_cut)


@pytest.mark.parametrize(
    ("kind", "default", "fits"),
    [
        ("bool", "true", True), ("bool", "1", False), ("bool", '"a"', False),
        ("int", "1", True), ("int", "true", False), ("int", '"1"', False),
        ("text", '"a"', True), ("text", "1", False), ("text", "false", False),
    ],
)  # fmt: skip
def test_a_default_is_of_its_kind(tmp_path: Path, kind: str, default: str, fits: bool) -> None:
    put(tmp_path, f'{HEAD}[params.a]\nkind = "{kind}"\ndefault = {default}\n')
    if fits:
        assert made(tmp_path).agent == "mine"
        return
    with pytest.raises(ScenarioError, match=f"the default of a param of kind {kind} is not"):
        made(tmp_path)


@pytest.mark.parametrize(
    ("choices", "default", "says"),
    [
        ('["a", "b"]', '"b"', ""),
        ("[1, true]", "true", ""),
        ("[1, 2]", "true", "true is none of the choices"),
        ("[true, false]", "1", "1 is none of the choices"),
        ('["a", "a"]', '"a"', "the choice 'a' is there twice"),
        ("[1, true, 1]", "1", "the choice 1 is there twice"),
    ],
)
def test_a_choice_is_one_of_its_kind(tmp_path: Path, choices: str, default: str, says: str) -> None:
    """True is not 1 here."""
    put(tmp_path, f"{HEAD}[params.a]\nchoices = {choices}\ndefault = {default}\n")
    if not says:
        assert made(tmp_path).agent == "mine"
        return
    with pytest.raises(ScenarioError, match=says):
        made(tmp_path)


def test_only_an_enum_has_choices(tmp_path: Path) -> None:
    put(tmp_path, f'{HEAD}[params.a]\nkind = "text"\nchoices = ["a"]\n')
    with pytest.raises(ScenarioError, match=f"{FILE}:4:1: only an enum has `choices`, not a param of kind text"):
        made(tmp_path)


def test_an_unknown_key_is_named_once(tmp_path: Path) -> None:
    put(tmp_path, HEAD + 'nam = "x"')
    with pytest.raises(ScenarioError) as caught:
        made(tmp_path)
    assert caught.value.message == "unknown key 'nam'"


@pytest.mark.parametrize(("text", "column"), [("a {{ton}}", 11), ("a {\\u007bton}}", 8), ("a {{ ton }} {{tun}}", 11)])
def test_a_name_that_is_written_with_escapes_is_told_at_its_text(tmp_path: Path, text: str, column: int) -> None:
    put(tmp_path, f'{HEAD}{ONE}text = "{text}"\n')
    with pytest.raises(ScenarioError, match=rf"{FILE}:4:{column}: unknown name ton "):
        made(tmp_path)


def test_a_param_has_what_its_table_says(tmp_path: Path) -> None:
    tables = (
        "[params.on]\n[params.many]\nkind = 'int'\n[params.words]\nkind = 'text'\nhelp = 'Helps.'\n"
        "[params.one]\nchoices = ['b', 'a']\ntitle = 'One of them'\ngroup = 'Mine'\n"
    )
    put(tmp_path, HEAD + "name = 'My agent'\n" + tables)
    assert made(tmp_path).agent == "mine"
    agent = load_agent("mine")
    assert agent.name == "My agent"
    assert [(f.name, f.kind, f.default, f.help, f.group, f.title) for f in fields_of(agent.params)] == [
        ("on", "bool", False, "on", "Prompt", "on"),
        ("many", "int", 0, "many", "Prompt", "many"),
        ("words", "text", "", "Helps.", "Prompt", "words"),
        ("one", "enum", "b", "one", "Mine", "One of them"),
    ]
    put(tmp_path, HEAD)
    assert (made(tmp_path).agent, load_agent("mine").name) == ("mine", "mine")


def test_a_text_can_be_set_to_nothing(tmp_path: Path) -> None:
    """What a lever may set: the choices, and of a text only that there is none."""
    put(tmp_path, HEAD + "[params.words]\nkind = 'text'\n[params.one]\nchoices = ['b', 'a']\n[params.on]\n")
    made(tmp_path)
    assert values_of(load_agent("mine").params) == {"words": ("",), "one": ("b", "a"), "on": (True, False)}
