"""Every tool of both versions against its recording: schemas key by key, texts point by point in size."""

from __future__ import annotations

import json

import pytest

from promptscope_engine.agents.claude_code.texts import FOLDER

from .recorded_tools import (
    V100,
    V329,
    Points,
    body,
    descriptions,
    drafted,
    near,
    points,
    reference,
    schemas,
    sent_schema,
    skeleton,
)

RECORDED = [(version, name) for version in (V100, V329) for name in reference(version)["tools"]]


@pytest.mark.parametrize("version", [V100, V329])
def test_the_tools_are_those_that_were_recorded(version: str) -> None:
    asked = {"LSP"} if version == V329 else set()  # it comes with a plugin's language server, which none of these had
    assert set(FOLDER.tool_names(version)) == set(reference(version)["tools"]) | asked


@pytest.mark.parametrize(("version", "name"), RECORDED)
@pytest.mark.slow
def test_a_schema_equals_the_recorded_one_in_every_variant(version: str, name: str) -> None:
    variants = [found for found in schemas(version) if found[0] == name]
    assert variants
    for _, recorded, _, model, scenario in variants:
        facts, tools = drafted(version, model, scenario)
        ours = sent_schema(tools[name], facts)
        assert json.dumps(skeleton(ours)) == json.dumps(recorded), (model, scenario)


@pytest.mark.parametrize(("version", "name"), RECORDED)
@pytest.mark.slow
def test_parameters_are_described_where_the_recorded_ones_are_and_at_their_length(version: str, name: str) -> None:
    for _, _, recorded, model, scenario in (found for found in schemas(version) if found[0] == name):
        facts, tools = drafted(version, model, scenario)
        schema = sent_schema(tools[name], facts)
        ours = dict(descriptions(schema))
        sizes = {path: size["chars"] for path, size in recorded["description_sizes"].items()}
        assert set(ours) == set(sizes)
        assert not {path: (len(text), sizes[path]) for path, text in ours.items() if not near(len(text), sizes[path])}
        assert near(len(json.dumps(schema, ensure_ascii=False, separators=(",", ":"))), recorded["schema"]["chars"])


def test_a_schema_names_its_dialect() -> None:
    named = {name: schema.get("$schema") for name, schema in FOLDER.sources.schemas.items()}
    without = {"StructuredOutput", "DeferredToolPlaceholder"}
    assert {name for name, dialect in named.items() if not dialect} == without
    assert {named[name] for name in named.keys() - without} == {"https://json-schema.org/draft/2020-12/schema"}


@pytest.mark.parametrize("recorded", points(), ids=lambda recorded: f"{recorded.tool}-{recorded.variant}")
def test_a_description_makes_each_point_at_about_its_recorded_length(recorded: Points) -> None:
    ours = recorded.ours
    assert len(ours) == len(recorded.units)
    pairs = zip((len(body(unit)) for unit in ours), recorded.units, strict=True)
    assert not [(index, size, real) for index, (size, real) in enumerate(pairs) if not near(size, real)]
    assert near(sum(map(len, ours)), recorded.chars)
