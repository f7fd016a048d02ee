"""The rows of `[reasons]` and `[notes]` in each agent.toml, and the Python that names them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from promptscope_engine.agents import kit
from promptscope_engine.agents.kit.text.params import fact_of
from promptscope_engine.agents.kit.text.sources import Table, sources_of
from promptscope_engine.prompt.model import Lever

PACKAGES = Path(kit.__file__).parents[1]
TABLES = [
    (path.parent, table)
    for path in sorted(PACKAGES.glob("*/agent.toml"))
    for table in ("reasons", "notes")
    if table in sources_of(path.parent).agent
]


def calls(folder: Path, method: str) -> Iterator[tuple[str, set[str]]]:
    """The rows that Python names outright, each with the values that it fills in."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"FOLDER.{method}":
                keys = [each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)]
                yield from ((str(key), {str(keyword.arg) for keyword in node.keywords}) for key in keys)


def placeholders(row: Table | str, method: str) -> set[str]:
    """The values that a row names; one without a name is about a path."""
    if method == "note":
        row = {"name": row if isinstance(row, str) else row["says"]}
    assert isinstance(row, dict)
    levers = [row[key] for key in ("on", "off") if isinstance(row.get(key), dict)]
    texts = [row.get("name", "{path}"), *(row.get(key, "") for key in ("yes", "no", "remedy"))]
    texts += [value for lever in levers for value in lever.values() if isinstance(value, str)]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("folder", "table"), TABLES, ids=lambda each: each if isinstance(each, str) else each.name)
def test_every_row_is_used_and_gets_the_values_that_it_names(folder: Path, table: str) -> None:
    rows, method = sources_of(folder).agent[table], table.removesuffix("s")
    short = {key: placeholders(rows[key], method) - given for key, given in calls(folder, method)}
    assert {key: names for key, names in short.items() if names} == {}
    written = " ".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert [key for key in rows if f'"{key}"' not in written] == []


def test_levers_set_a_value_that_may_be_filled_in_or_leave_an_input_out() -> None:
    row = {"yes": "{path} is there", "on": ["session"], "off": {"session": "agent:{me}", "again": True}}
    found = fact_of(row, True, {"actual": 3}, {"path": "/a", "me": "ops"})
    assert (found.op, found.name, found.yes, found.actual) == ("file", "/a", "/a is there", 3)
    assert found.on == (Lever("session", None),)
    assert found.off == (Lever("session", "agent:ops"), Lever("again", True))
