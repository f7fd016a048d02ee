"""The rows of `[reasons]` in each agent.toml, and the Python that names them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from promptscope_engine.agents import kit
from promptscope_engine.agents.kit.params import fact_of
from promptscope_engine.agents.kit.sources import Table, sources_of
from promptscope_engine.prompt.model import Lever

PACKAGES = Path(kit.__file__).parents[1]
AGENTS = [path.parent for path in sorted(PACKAGES.glob("*/agent.toml")) if "reasons" in sources_of(path.parent).agent]


def calls(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """The rows that Python names outright, each with the values that it fills in."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reason":
                keys = [each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)]
                yield from ((str(key), {str(keyword.arg) for keyword in node.keywords}) for key in keys)


def placeholders(row: Table) -> set[str]:
    """The values that a row names; one without a name is about a path."""
    levers = [row[key] for key in ("on", "off") if isinstance(row.get(key), dict)]
    texts = [row.get("name", "{path}"), *(row.get(key, "") for key in ("yes", "no", "remedy"))]
    texts += [value for lever in levers for value in lever.values() if isinstance(value, str)]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("folder", AGENTS, ids=lambda folder: folder.name)
def test_every_row_is_used_and_gets_the_values_that_it_names(folder: Path) -> None:
    rows = sources_of(folder).agent["reasons"]
    short = {key: placeholders(rows[key]) - given for key, given in calls(folder)}
    assert {key: names for key, names in short.items() if names} == {}
    written = " ".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert [key for key in rows if f'"{key}"' not in written] == []


def test_levers_set_a_value_that_may_be_filled_in_or_leave_an_input_out() -> None:
    row = {"yes": "{path} is there", "on": ["session"], "off": {"session": "agent:{me}", "again": True}}
    found = fact_of(row, True, {"actual": 3}, {"path": "/a", "me": "ops"})
    assert (found.op, found.name, found.yes, found.actual) == ("file", "/a", "/a is there", 3)
    assert found.on == (Lever("session", None),)
    assert found.off == (Lever("session", "agent:ops"), Lever("again", True))
