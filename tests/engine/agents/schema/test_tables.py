"""The tables of the files that define an agent: every key is known, documented and checked."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from msgspec import convert
from tests.support.generated import ROOT, assert_current_between

from promptscope_engine.agents import description, features
from promptscope_engine.agents.declared.definition import Definition
from promptscope_engine.agents.kit.text.expressions import Vocabulary
from promptscope_engine.agents.kit.text.folder import Folder
from promptscope_engine.agents.kit.text.sources import Layer, laid_over, laid_over_notes
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.agents.schema import built_in
from promptscope_engine.agents.schema.built_in import BuiltIn
from promptscope_engine.agents.schema.file import mistakes_in
from promptscope_engine.agents.schema.former import former_keys
from promptscope_engine.agents.schema.heads import SectionHead, ToolHead
from promptscope_engine.agents.schema.table import docs_of, headed, json_schema, keys_of, reference, tables_in
from promptscope_engine.captures.recipes import Recipe
from promptscope_engine.formats.document import toml
from promptscope_engine.learning.script import Script
from promptscope_engine.schemas import unfit

AGENTS = ROOT / "engine" / "promptscope_engine" / "agents"
FILES = sorted(AGENTS.glob("*/agent.toml"))
TABLES = {
    **tables_in(BuiltIn), **tables_in(Definition), **tables_in(Script), **tables_in(Recipe), **tables_in(SectionHead),
    **tables_in(ToolHead),
}  # fmt: skip
DOCUMENTED: dict[str, tuple[str, dict[str, type]]] = {
    "definition": ("agents/declared/definition.py", headed(Definition)),
    "sections": ("agents/schema/heads.py", {"front matter": SectionHead}),
    "tools": ("agents/schema/heads.py", {"front matter": ToolHead}),
    "built-in": ("agents/schema/built_in.py", headed(BuiltIn)),
    "learn": ("learning/script.py", headed(Script)),
    "recipes": ("captures/recipes.py", {"`[[recipe]]`": Recipe}),
}
"""The parts of docs/definitions.md, with the module and the tables that each is made from."""
SMALL = """id = "own"
name = "Own"
versions = ["1", "2"]
own_files = []
"""


def test_there_are_few_tables_and_every_key_is_documented() -> None:
    assert len(TABLES) <= 45
    for name, table in TABLES.items():
        assert [*docs_of(table)] == [*keys_of(table).values()], name
        assert table.__doc__, name


@pytest.mark.parametrize("part", DOCUMENTED)
def test_the_document_has_every_key(part: str) -> None:
    module, tables = DOCUMENTED[part]
    begins = f"<!-- {part}: from engine/promptscope_engine/{module}; a test writes it -->\n"
    assert_current_between("docs/definitions.md", begins, f"<!-- /{part} -->", reference(tables))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_built_in_agent_has_known_keys_alone(file: Path) -> None:
    text = file.read_text("utf-8")
    assert not [*former_keys(toml(text))]
    assert unfit(Folder(file.parent, Vocabulary())) == []
    for each, what in ((file, "built-in"), (file.with_name("learn.toml"), "learn")):
        if each.exists():
            first = each.read_text("utf-8").split("\n")[0].removeprefix("#:schema ")
            assert (each.parent / first).resolve() == ROOT / "schemas" / f"{what}.v1.json"


@pytest.mark.parametrize(
    ("table", "read"),
    [
        (built_in.State, description.State),
        (built_in.Quirk, description.Quirk),
        (built_in.Overfull, description.Overfull),
        (built_in.FirstMessage, features.FirstMessage),
    ],
)
def test_what_a_row_is_read_into_has_the_keys_of_its_table(table: type, read: type) -> None:
    assert {*keys_of(table).values()} == {*keys_of(read).values()}


def test_recipes_are_tables() -> None:
    rows = tomllib.loads((AGENTS.parent / "captures" / "recipes.toml").read_text("utf-8"))["recipe"]
    assert len(convert(rows, list[Recipe])) == len(rows)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("[gatez]\n", "agent.toml:5:1: unknown key 'gatez' (did you mean gates"),
        ("[first_mesage]\n", "agent.toml:5:1: unknown key 'first_mesage' (did you mean first_message"),
        ("[places.x]\nblock = 'a'\nblok = 'b'\n", "agent.toml:7:1: unknown key 'blok' (did you mean block?)"),
        ("[places.x]\n", "agent.toml:5:1: the key `block` is missing"),
        ("names = 'a'\n", "agent.toml:5:1: `names`: input should be a valid list, not 'a'"),
        ("[notes.x]\nsays = 3\n", "agent.toml:6:1: `notes.x.says`: input should be a valid string, not 3"),
        ("[notes]\nx = 3\n", "agent.toml:6:1: `notes.x`: "),
        ("[[rows.x]]\niff = {}\n", "agent.toml:6:1: unknown key 'iff' (did you mean if?)"),
        ("[languages]\n", "agent.toml:5:1: unknown key 'languages'"),
        ('[[sections]]\norder = []\n"order@3" = []\n', "agent.toml:7:1: there is no version 3"),
        ("[", "agent.toml:5:2: "),
    ],
)
def test_what_is_wrong_has_a_place_and_the_nearest_word(written: str, says: str) -> None:
    found = [str(error) for error in mistakes_in("agent.toml", SMALL + written, BuiltIn)]
    assert len(found) == 1
    assert found[0].startswith(says), found[0]


@pytest.mark.parametrize("written", ["", "[notes]\nx = 'says'\n", '[[sections]]\norder = []\n"order@1" = []\n'])
def test_what_is_right_is_no_mistake(written: str) -> None:
    assert [*mistakes_in("agent.toml", SMALL + written, BuiltIn)] == []


def test_lint_names_what_no_table_of_a_built_in_agent_has(tmp_path: Path) -> None:
    copied = shutil.copytree(AGENTS / "roo", tmp_path / "roo", ignore=shutil.ignore_patterns("__pycache__"))
    with (copied / "agent.toml").open("a", encoding="utf-8") as file:
        file.write('[gatez]\nx = "mcp"\n')
    [found] = unfit(Folder(copied, Vocabulary()))
    assert found.severity == "error"
    assert found.message == "unknown key 'gatez' (did you mean gates or state or after?)"
    assert re.fullmatch(rf"{copied}/agent\.toml:\d+:1", found.path or "")


def test_a_correction_may_have_words_of_earlier_versions(tmp_path: Path) -> None:
    written = '[languages]\nde = "Deutsch"\n["skill_limits@1"]\nx = 1\n[tools]\ncreated = ["a"]\n'
    (tmp_path / "agent.toml").write_text(written, "utf-8")
    layer = Layer("roo", "given", tmp_path)
    found = unfit(load_agent("roo").folder, layer)  # type: ignore[attr-defined]
    with laid_over(layer):
        notes = [each for each in laid_over_notes("roo") if each.code == "former-key"]
    for told in (found, notes):
        assert [(each.severity, each.message) for each in told] == [
            ("warning", "`languages` has no effect any more: promptscope has it in its own code"),
            ("warning", "`skill_limits@1` has no effect any more: promptscope has it in its own code"),
            ("warning", "`tools.created` has no effect any more: `tools.order` took its place"),
        ]


def test_a_correction_needs_not_be_whole_and_has_no_other_words(tmp_path: Path) -> None:
    (tmp_path / "agent.toml").write_text('[places.system]\ngap = "x"\n[first_message]\nparam = "prompt"\n', "utf-8")
    found = unfit(load_agent("roo").folder, Layer("roo", "given", tmp_path))  # type: ignore[attr-defined]
    assert found[0].message.startswith("`first_message.param`: unknown input 'prompt'")
    assert [each.line for each in found] == [4]


def test_an_editor_knows_older_orders_and_what_each_key_is() -> None:
    made = json_schema(BuiltIn, "built-in")
    assert "^order@" in made["$defs"]["Sections"]["patternProperties"]
    for table in (made, *made["$defs"].values()):
        assert all(info.get("description") for info in table.get("properties", {}).values()), table["title"]
