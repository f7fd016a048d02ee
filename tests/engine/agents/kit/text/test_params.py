"""Settings as inputs: the switches of agent.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.kit.text.params import Fields, params_of
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import Params, fields_of, validate

TOML = """
id = "x"
inputs.Settings = {doc = "Settings.", switches = true}

[[switches]]
group = "Settings"
[switches.keys]
"tools.shell.asks" = "commands ask back"
"tools.names" = {help = "names", type = ["text", "[text]"]}
size = {help = "bytes", type = "int 1.."}
style = {help = "the manner", type = "=short|long"}

[[switches]]
group = "Features"
below = "features"
[switches.keys]
goals = "goals"
"""


@pytest.fixture
def settings(tmp_path: Path) -> type[Params]:
    (tmp_path / "agent.toml").write_text(TOML)
    return params_of(tmp_path)


def test_switches_are_fields_in_their_groups(settings: type[Params]) -> None:
    rows = [(field.name, field.title, field.group, field.kind) for field in fields_of(settings)]
    assert rows == [
        ("tools.shell.asks", "tools.shell.asks", "Settings", "enum"),
        ("tools.names", "tools.names", "Settings", "text"),
        ("size", "size", "Settings", "int"),
        ("style", "style", "Settings", "enum"),
        ("features.goals", "goals", "Features", "enum"),
    ]


def test_switches_take_their_types_and_keep_other_keys(settings: type[Params]) -> None:
    given = {"tools": {"names": ["a"], "more": 1}, "style": "short", "further": {"x": 2}}
    made = validate(settings, given).model_dump(exclude_none=True)
    assert made == {"tools": {"shell": {}, **given["tools"]}, "style": "short", "features": {}, "further": {"x": 2}}  # type: ignore[dict-item]
    with pytest.raises(ScenarioError, match="greater than or equal to 1"):
        validate(settings, {"size": 0})
    with pytest.raises(ScenarioError):
        validate(settings, {"style": "none"})


FIELDS = """
id = "x"

[inputs.Inputs]
group = "Inputs"
keys.place = "where it is"
keys.size = {type = "=small|large?", help = "how much", choices = [["any"], ["few", "small"]]}
keys.boxes = {type = "[Box]?", help = "what it holds"}

[inputs.Box]
doc = "A box."
keys = {name = {type = "text"}, open = {type = "bool", default = false}, notes = {type = "{text?}?"}}
"""


class Inputs(Params):
    """Inputs."""


def test_a_model_has_the_fields_that_the_folder_says(tmp_path: Path) -> None:
    (tmp_path / "agent.toml").write_text(FIELDS)
    model = Fields(tmp_path)(Inputs)
    fields = {field.name: field for field in fields_of(model)}
    assert (fields["place"].help, fields["place"].group, fields["place"].default) == ("where it is", "Inputs", None)
    assert fields["size"].choices == (("any", None), ("few", "small"))
    given = model.model_validate({"place": "x", "boxes": [{"name": "a", "notes": {"b": None}}]})
    assert given.model_dump()["boxes"] == [{"name": "a", "open": False, "notes": {"b": None}}]


@pytest.mark.parametrize("wrong", [{"size": "huge"}, {"boxes": [{}]}, {"place": None, "other": 1}])
def test_such_a_model_takes_nothing_else(tmp_path: Path, wrong: dict[str, object]) -> None:
    (tmp_path / "agent.toml").write_text(FIELDS)
    with pytest.raises(ScenarioError):
        validate(Fields(tmp_path)(Inputs), wrong)
