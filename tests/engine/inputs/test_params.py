"""Params: fields as a screen needs them, dotted names, and errors that name the nearest."""

from __future__ import annotations

from typing import Literal

import pytest

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import Params, fields_of, flatten, nested, param, validate, with_value


class Inner(Params):
    todoList: bool = param(True, title="todoList", group="Settings", help="a list")  # noqa: N815
    reads: int = param(5, title="reads", group="Settings", help="a number", ge=0)


class Outer(Params):
    diffEnabled: bool = param(True, title="diffEnabled", group="Tools", help="diffs")  # noqa: N815
    creation: bool | None = param(True, title="creation", group="Tools", help="three states")
    strategy: Literal["one", "many"] | None = param("one", title="strategy", group="Tools", help="which")
    index: dict[str, bool] | None = param(
        None, title="index", group="Tools", help="named", choices={"off": None, "ready": {"on": True}}
    )
    text: str = param("", title="text", group="Words", help="words")
    prompts: dict[str, Inner] = param(dict, title="prompts", group="Words", help="by name")
    settings: Inner = param(Inner, title="settings", group="Settings", help="nested")


def test_fields_are_flat_typed_and_grouped() -> None:
    fields = {f.name: f for f in fields_of(Outer)}
    assert list(fields) == [
        "diffEnabled", "creation", "strategy", "index", "text", "prompts", "settings.todoList", "settings.reads",
    ]  # fmt: skip
    assert [f.kind for f in fields.values()] == ["bool", "enum", "enum", "enum", "text", "object", "bool", "int"]
    assert [name for name, f in fields.items() if f.is_flag] == [
        "diffEnabled", "creation", "strategy", "index", "settings.todoList",
    ]  # fmt: skip
    assert fields["creation"].choices == (("on", True), ("off", False), ("not set", None))
    assert fields["index"].choices == (("off", None), ("ready", {"on": True}))
    assert fields["settings.todoList"].group == "Settings"
    assert fields["settings.reads"].default == 5


class Named(Params):
    short: Literal["a", "b"] = param("a", "Words", "", choices={"first": "a", "second": "b"})
    usual: str = param("a", "Words", "the usual ones", title="Usual", choices={"first": "a"})
    other: str = param("", "Words", "any")
    on: dict[str, int] | None = param(None, "Words", "", choices={"off": None, "1": {"n": 1}})
    count: int = param(0, "Words", "", choices={"none": 0, "one": 1})
    swapped: Literal["a", "b"] = param("a", "Words", "", choices={"a": "b", "b": "a"})
    bare: str = ""


def test_a_field_has_a_title_of_its_own_or_its_name() -> None:
    fields = {f.name: f for f in fields_of(Named)}
    assert [(f.title, f.help) for f in fields.values()] == [
        ("short", ""), ("Usual", "the usual ones"), ("other", "any"), ("on", ""), ("count", ""), ("swapped", ""),
        ("bare", ""),
    ]  # fmt: skip
    assert [name for name, f in fields.items() if f.free] == ["usual"], "a text with usual choices may be any other"


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("short", "second", "b"),
        ("short", "b", "b"),
        ("short", "third", "third"),
        ("usual", "first", "a"),
        ("on", False, None),  # YAML reads `off` so
        ("on", "1", {"n": 1}),
        ("on", None, None),
        ("swapped", "a", "a"),  # a value, and only then a label
        ("count", True, True),  # of no choice: only a number is 1
        ("count", "one", 1),
        ("count", 1, 1),
    ],
)
def test_a_choice_may_be_written_as_its_label(name: str, written: Json, value: Json) -> None:
    (found,) = (f for f in fields_of(Named) if f.name == name)
    assert found.resolve_label(written) == value
    assert type(found.resolve_label(written)) is type(value)


def test_a_word_for_a_choice_that_has_only_labels_names_the_nearest() -> None:
    with pytest.raises(ScenarioError, match=r"params\.on: unknown choice 'oof' \(did you mean off\?\)"):
        validate(Named, {"on": "oof"})
    for values in ({"on": 3}, {"short": "third"}, {"other": None}):
        with pytest.raises(ScenarioError, match="input should be"):
            validate(Named, values)


@pytest.mark.parametrize("size", [300, 500])
def test_an_error_is_at_most_400_characters_long(size: int) -> None:
    with pytest.raises(ScenarioError) as caught:
        validate(Inner, {"reads": "x" * size})
    message = caught.value.message
    assert message.startswith("input should be a valid integer")
    assert (len(message) == 400) is (size == 500)


class Needs(Params):
    name: str


def test_what_must_be_given_is_missed() -> None:
    with pytest.raises(ScenarioError, match=r"params\.name: field required"):
        validate(Needs, {})


def test_defaults_are_each_models_own() -> None:
    one, other = Outer.model_unset(), Outer.model_unset()
    assert one == other == Outer()
    assert one.prompts is not other.prompts
    assert one.settings is not other.settings


def test_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(ScenarioError) as caught:
        validate(Outer, {"diffEnable": False})
    assert caught.value.where == "params.diffEnable"
    assert caught.value.nearest == ("diffEnabled",)


def test_an_unknown_nested_key_names_its_siblings() -> None:
    with pytest.raises(ScenarioError, match=r"params\.settings\.todolist: .*todoList"):
        validate(Outer, {"settings": {"todolist": False}})


@pytest.mark.parametrize(
    ("values", "where", "nearest"),
    [
        ({"reads": 3}, "params.reads", "settings.reads"),
        ({"READS": 3}, "params.READS", "settings.reads"),
        ({"settings": {"strategy": "one"}}, "params.settings.strategy", "strategy"),
    ],
)
def test_a_key_of_another_object_is_named_with_its_place(values: dict[str, Json], where: str, nearest: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        validate(Outer, values)
    assert (caught.value.where, caught.value.nearest) == (where, (nearest,))


def test_a_wrong_value_says_what_is_allowed() -> None:
    with pytest.raises(ScenarioError, match=r"params\.strategy: input should be 'one' or 'many', not 'two'"):
        validate(Outer, {"strategy": "two"})


def test_dotted_values_merge_with_what_is_there() -> None:
    values = with_value({"settings": {"reads": 3}}, "settings.todoList", False)
    assert values == {"settings": {"reads": 3, "todoList": False}}
    assert with_value({"index": None}, "index.on", True) == {"index": {"on": True}}
    assert flatten(values)["settings.todoList"] is False
    assert flatten(values)["settings"] == {"reads": 3, "todoList": False}


@pytest.mark.parametrize("text", ["Inf", "-inf", "infinity", "NaN", "nan"])
def test_a_word_for_a_number_without_an_end_is_no_number(text: str) -> None:
    """Pydantic makes a number of such a text, and JSON has none."""

    class Limits(Params):
        share: float = param(0.5, "Limits", "of the window")

    with pytest.raises(ScenarioError, match="finite"):
        validate(Limits, {"share": text})
    assert validate(Limits, {"share": "0.25"}).share == 0.25


def test_dotted_names_are_a_tree_again() -> None:
    assert nested({"a.b": 1, "c": True, "a.d.e": None}) == {"a": {"b": 1, "d": {"e": None}}, "c": True}
