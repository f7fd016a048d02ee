"""Models: declared like pydantic's, validated by it, and values of their own."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any, Literal

import pytest
from pydantic import ValidationError

from promptscope_engine.inputs.models import Model, field, problems_of


def _lower(name: str) -> str:
    return name.lower()


def _known(name: str) -> str:
    if name not in ("ant", "bee"):
        raise ValueError(f"there is no {name}")
    return name


class Inner(Model):
    """A part."""

    count: int = field(default=1, ge=1, description="how many")
    name: str = field(default="ant", before=_lower, after=_known)


class Outer(Model):
    must: str
    kind: Literal["one", "two"] = "one"
    inner: Inner = field(default_factory=Inner)
    more: list[Inner] = field(default_factory=list)
    maybe: Inner | None = None
    by_name: dict[str, Any] = field(default_factory=dict)

    def model_check(self) -> None:
        """It is not too much."""
        if len(self.more) > 2:
            raise ValueError("more than two")

    @cached_property
    def made(self) -> object:
        return object()


class Open(Model, extra="allow"):
    known: int | None = None


class Exact(Model, strict=True):
    flag: bool = False


class Wider(Inner):
    wide: bool = False


def problems(model: type[Model], values: object) -> list[tuple[Any, ...]]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(values)
    return [(*each["loc"], each["type"]) for each in problems_of(caught.value)]


def test_values_become_fields_those_of_parts_too() -> None:
    made = Outer(must="x", inner={"count": 3}, more=[{}, Inner(count=2)], maybe={"name": "BEE"}, by_name={"a": [None]})
    assert (made.must, made.kind, made.inner.count, made.by_name) == ("x", "one", 3, {"a": [None]})
    assert made.more == [Inner(), Inner(count=2)]
    assert made.maybe == Inner(name="bee")
    assert type(made.maybe) is Inner


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({}, ("must", "missing")),
        ({"must": "x", "kind": "three"}, ("kind", "literal_error")),
        ({"must": "x", "other": 1}, ("other", "extra_forbidden")),
        ({"must": "x", "inner": {"count": 0}}, ("inner", "count", "greater_than_equal")),
        ({"must": "x", "more": [{}, {"name": "cat"}]}, ("more", 1, "name", "value_error")),
        ({"must": "x", "more": [{}, {}, {}]}, ("value_error",)),
        ({"must": "x", "inner": 7}, ("inner", "model_type")),
        (None, ("model_type",)),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(values: object, problem: tuple[Any, ...]) -> None:
    assert problems(Outer, values) == [problem]


def test_an_error_reads_as_one() -> None:
    with pytest.raises(
        ValidationError, match=r"^1 validation error for Inner\ncount\n  Input should be greater than or equal to 1 "
    ):
        Inner(count=0)


def test_what_must_be_given_is_missed_without_any_value() -> None:
    with pytest.raises(ValidationError):
        Outer()


def test_nothing_given_is_what_a_validator_makes_of_nothing() -> None:
    assert Inner() == Inner.model_unset() == Inner.model_validate({}) == Inner.model_construct()
    assert Inner().model_fields_set == set()
    assert Outer(must="x").by_name is not Outer(must="x").by_name


def test_a_copy_has_other_values_unvalidated_and_keeps_what_was_worked_out() -> None:
    one = Outer(must="x")
    other = one.model_copy(update={"must": 5})
    assert (one.must, other.must, other.kind) == ("x", 5, "one")
    assert other.model_fields_set == {"must"}
    assert one.model_copy(update={"kind": "two"}).model_fields_set == {"must", "kind"}
    made = one.made
    assert one.model_copy(update={}).made is made


def test_keys_that_are_no_field_are_kept_where_that_is_said() -> None:
    made = Open.model_validate({"known": 1, "other": {"a": 2}})
    assert (made.model_extra, made.other, made.model_dump()) == (
        {"other": {"a": 2}},
        {"a": 2},
        {"known": 1, "other": {"a": 2}},
    )
    assert Open.model_construct(other=1) == Open(other=1) == Open().model_copy(update={"other": 1})
    assert Open(other=1) != Open()
    assert Inner().model_extra is None
    with pytest.raises(AttributeError, match="'Open' has no attribute 'missing'"):
        _ = made.missing


def test_strict_turns_nothing_into_another_type() -> None:
    assert problems(Exact, {"flag": "yes"}) == [("flag", "bool_type")]


def test_values_are_never_changed_in_place() -> None:
    made: Any = Inner()
    with pytest.raises(AttributeError, match="cannot assign"):
        made.count = 2
    with pytest.raises(AttributeError, match="cannot delete"):
        del made.count
    with pytest.raises(AttributeError, match="cannot assign"):
        copy(made)  # `model_copy` is the way
    assert made.count == 1


def test_equal_are_the_same_class_with_the_same_values() -> None:
    assert Inner(count=1) == Inner()
    assert hash(Inner(count=1)) == hash(Inner())
    assert Inner(count=2) != Inner()
    assert Wider() != Inner()
    assert Inner() != 1
    assert repr(Inner(count=2)) == "Inner(count=2, name='ant')"


def test_a_class_has_the_fields_of_its_base_too() -> None:
    assert list(Wider.model_fields) == ["count", "name", "wide"]
    assert list(Inner.model_fields) == ["count", "name"]
    assert Wider(count=2, wide=True).model_dump() == {"count": 2, "name": "ant", "wide": True}
    assert Outer.model_fields["must"].is_required()
    assert not Outer.model_fields["inner"].is_required()


def test_what_is_dumped_may_leave_out_what_is_none_or_was_not_given() -> None:
    made = Outer(must="x", more=[Inner(count=2)], by_name={"a": Inner()})
    inner = {"count": 1, "name": "ant"}
    assert made.model_dump(exclude_none=True) == {
        "must": "x", "kind": "one", "inner": inner, "more": [{"count": 2, "name": "ant"}], "by_name": {"a": inner},
    }  # fmt: skip
    assert made.model_dump(exclude_unset=True) == {"must": "x", "more": [{"count": 2}], "by_name": {"a": {}}}
    assert made.model_dump()["maybe"] is None


def test_the_schema_is_of_the_fields() -> None:
    schema = Outer.model_json_schema()
    assert schema["required"] == ["must"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["description"] == "A part."
    count = {"default": 1, "description": "how many", "minimum": 1, "title": "Count", "type": "integer"}
    assert schema["$defs"]["Inner"]["properties"]["count"] == count
    assert schema["properties"]["more"] == {"items": {"$ref": "#/$defs/Inner"}, "title": "More", "type": "array"}
