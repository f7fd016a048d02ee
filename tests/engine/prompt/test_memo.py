"""What was made of a value is kept as long as the value lives."""

from __future__ import annotations

from weakref import ref

from promptscope_engine.prompt.memo import KeptWith


class _Item:
    """Equal to every other one: only identity tells them apart."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Item)

    def __hash__(self) -> int:
        return 1


def test_a_value_is_made_once_per_object_and_detail() -> None:
    kept: KeptWith[_Item, object] = KeptWith()
    one, other = _Item(), _Item()
    first = kept.get(one, "a", object)
    assert kept.get(one, "a", object) is first
    assert kept.get(other, "a", object) is not first
    second = kept.get(one, "b", object)
    assert second is not first
    assert kept.get(one, "b", object) is second
    assert kept.get(one, "a", object) not in (first, second)  # only the last detail's is kept


def test_many_values_are_kept_as_each_one_is() -> None:
    kept: KeptWith[_Item, object] = KeptWith()
    items = [_Item() for _ in range(3)]
    first = kept.each(items, "a", lambda _: object())
    assert kept.each(items, "a", lambda _: object()) == first
    assert kept.get(items[1], "a", object) is first[1]
    other = kept.each(items[:2], "b", lambda _: object())
    assert not set(map(id, other)) & set(map(id, first))
    assert kept.each([*items, items[0]], "b", lambda _: object())[:2] == other
    assert kept.each(items, "c", lambda item: item) == items


def test_nothing_is_kept_of_what_is_gone() -> None:
    kept: KeptWith[_Item, object] = KeptWith()
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    for _ in range(20):  # most of them get the place in memory of the one before
        kept.get(_Item(), "a", make)
    assert len(made) == 20


def test_what_was_made_of_it_goes_with_it() -> None:
    kept: KeptWith[_Item, _Item] = KeptWith()
    item = _Item()
    made = ref(kept.get(item, "a", _Item))
    assert made() is not None
    del item
    assert made() is None
