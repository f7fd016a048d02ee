"""Frozen classes behave as dataclasses do, before and after their `__init__` is written."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import pytest

from promptscope_engine.frozen import frozen


def _made() -> type[Any]:
    @frozen
    class Point:
        x: int
        y: int = 2
        names: list[str] = field(default_factory=list)
        kept: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    return Point


def _used() -> type[Any]:
    """The same once so many instances were made that `__init__` was written."""
    point = _made()
    for number in range(21):
        point(number)
    return point


BOTH = pytest.mark.parametrize("make", [_made, _used])


@BOTH
def test_arguments_go_to_fields_by_place_and_by_name(make: Callable[[], type[Any]]) -> None:
    point = make()
    assert [
        (p.x, p.y, p.names, p.kept) for p in (point(1), point(1, 3), point(x=1, names=["a"]), point(1, 3, ["b"]))
    ] == [
        (1, 2, [], {}),
        (1, 3, [], {}),
        (1, 2, ["a"], {}),
        (1, 3, ["b"], {}),
    ]
    assert point(1).names is not point(1).names
    assert point(1).kept is not point(1).kept


@BOTH
@pytest.mark.parametrize(
    ("args", "given", "says"),
    [
        ((), {}, "missing 1 required positional argument: 'x'"),
        ((1,), {"x": 1}, "multiple values for argument 'x'"),
        ((1, 2, [], {}), {}, "takes from 2 to 4 positional arguments but 5 were given"),
        ((1,), {"z": 1}, "unexpected keyword argument 'z'"),
        ((1,), {"kept": {}}, "unexpected keyword argument 'kept'"),
    ],
)
def test_wrong_arguments_are_refused(
    make: Callable[[], type[Any]], args: tuple[Any, ...], given: dict[str, Any], says: str
) -> None:
    with pytest.raises(TypeError, match=says):
        make()(*args, **given)


@BOTH
def test_instances_are_equal_by_value_and_cannot_be_changed(make: Callable[[], type[Any]]) -> None:
    point = make()
    one = point(1, 3, ["a"])
    assert one == point(1, 3, ["a"])
    assert one != point(1, 3, ["b"])
    assert one != _made()(1, 3, ["a"])
    assert repr(one).endswith("Point(x=1, y=3, names=['a'])")
    assert replace(one, y=4) == point(1, 4, ["a"])
    assert [each.name for each in fields(one)] == ["x", "y", "names", "kept"]
    with pytest.raises(FrozenInstanceError, match="x"):
        one.x = 2
    with pytest.raises(FrozenInstanceError, match="x"):
        del one.x


def test_what_a_class_defines_itself_stays() -> None:
    @frozen(slots=False, eq=False)
    class Named:
        name: str

        def __repr__(self) -> str:
            return f"<{self.name}>"

        @cached_property
        def loud(self) -> str:
            return self.name.upper()

    named = Named("a")
    assert (repr(named), named.loud) == ("<a>", "A")
    assert named != Named("a")


@pytest.mark.parametrize("slots", [True, False])
def test_fields_have_the_types_that_are_written(slots: bool) -> None:
    @frozen(slots=slots)
    class Base:
        x: int

    @frozen(slots=slots)
    class Point(Base):
        of: ClassVar[int] = 3
        y: str = ""

    @frozen(slots=slots)
    class Named(Point):
        name: str = "n"

    assert [(each.name, each.type) for each in fields(Named)] == [("x", "int"), ("y", "str"), ("name", "str")]
    assert [(each.name, each.type) for each in fields(Base)] == [("x", "int")]
    assert Named.__annotations__ == {"name": "str"}
    assert Base.__annotations__ == {"x": "int"}
    assert (Named(1, "a"), Named.of) == (Named(1, "a", "n"), 3)


def test_it_can_be_referred_to_weakly_if_it_is_meant_to() -> None:
    @frozen(weakref=True)
    class Kept:
        name: str

    kept = Kept("a")
    assert weakref.ref(kept)() is kept
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(_made()(1))


def test_a_constructor_is_written_for_the_21st_instance() -> None:
    point = _made()
    shared = point.__init__
    for _ in range(10):
        point(1, 2, [])
        point(1)
        assert point.__init__ is shared
    point(1, 2, [])
    assert point.__init__ is not shared


def test_what_is_no_field_stays_none() -> None:
    @frozen
    class Named:
        known: ClassVar[int] = 3

    @frozen
    class Marked:
        _: KW_ONLY

    assert fields(Named) == fields(Marked) == ()
    assert Named().known == 3


def test_equal_instances_have_one_hash() -> None:
    @frozen
    class Pair:
        x: int
        y: str = "a"

    @dataclass(frozen=True)
    class Empty:
        pass

    assert hash(Pair(1)) == hash(Pair(1, "a"))
    assert len({Pair(1), Pair(1), Pair(2)}) == 2
    assert hash(frozen(Empty)()) == hash(frozen(Empty)())


def test_no_signature_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """`dataclass` writes one into a class without a docstring, and parses a text for it."""

    def asked(*_: object) -> None:
        pytest.fail("a signature is asked for")

    monkeypatch.setattr(inspect, "signature", asked)
    assert _made().__doc__ == "Point"


def test_a_class_keeps_what_it_says_of_itself() -> None:
    @frozen
    class Told:
        """What it is."""

    assert Told.__doc__ == "What it is."


def test_a_field_without_a_default_is_needed_from_the_first_instance_on() -> None:
    @frozen
    class Named:
        name: str

    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Named()  # type: ignore[call-arg]
