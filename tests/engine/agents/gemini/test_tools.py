"""The tools of the request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.formats.document import Json

FIGURES = {
    "read_file start_line minimum": 1,
    "read_file end_line minimum": 1,
    "grep_search context minimum": 0,
    "grep_search after minimum": 0,
    "grep_search before minimum": 0,
    "grep_search max_matches_per_file minimum": 1,
    "grep_search total_max_matches minimum": 1,
    "ask_user questions minItems": 1,
    "ask_user questions maxItems": 4,
}


def figures(value: Json, place: str) -> Iterator[tuple[str, Json]]:
    """Every number of a schema, with where it is."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from figures(inner, place if key in ("properties", "items") else f"{place} {key}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield place, value


def test_every_figure_of_the_schemas() -> None:
    """Those of older models (`NAME@legacy`) have none of their own."""
    found = [figure for name, schema in FOLDER.sources.schemas.items() for figure in figures(schema, name)]
    assert dict(found) == FIGURES


@pytest.mark.parametrize(
    ("tool", "needed", "others"),
    [
        ("update_topic", ["strategic_intent"], ["title", "summary", "wait_for_previous"]),
        ("ask_user", ["questions"], []),
        ("invoke_agent", ["agent_name", "prompt"], ["wait_for_previous"]),
    ],
)
def test_which_parameters_a_call_cannot_do_without(tool: str, needed: list[str], others: list[str]) -> None:
    parameters = parameters_of(FOLDER.sources.schemas[tool])
    assert [each.name for each in parameters if each.required] == needed
    assert [each.name for each in parameters if not each.required] == others
