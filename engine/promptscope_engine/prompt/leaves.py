"""The leaves that agents build their conditions from."""

from collections.abc import Sequence

from promptscope_engine.formats.document import Json

from . import conditions
from .conditions import NOT, Condition, Fact, Test, show
from .model import Lever

EXAMPLE = "TEXT"
"""What a lever gives where any text will do."""


def flag(name: str, *, yes: str | None = None, no: str | None = None) -> Condition:
    """The boolean param `name` is on."""
    return Test("flag", name, "is", True, yes or f"`{name}` is on", no or f"`{name}` is {{actual}}")


def equals(name: str, value: Json, *, yes: str | None = None, no: str | None = None) -> Condition:
    """The param `name` has the value `value`."""
    fact, otherwise = either(f"`{name}` is {{actual}}", (value,))
    return Test("flag", name, "is", value, yes or fact, no or otherwise)


def above(name: str, limit: int) -> Condition:
    """The numeric param `name` is greater than `limit`."""
    fact = f"`{name}` is {{actual}}"
    return Test("flag", name, "above", limit, f"{fact}, above {limit:,}", f"{fact}, not above {limit:,}")


def given(name: str, *, yes: str | None = None, no: str | None = None, example: Json = EXAMPLE) -> Condition:
    """The param `name` is neither null nor empty. `example` is what its lever gives, None if there is none."""
    yes, no = yes or f"`{name}` is given", no or f"`{name}` is not given"
    return Test("flag", name, "given", True, yes, no, example=example)


def stated(name: str, *, yes: str, no: str) -> Condition:
    """The param `name` is not null, be it empty."""
    return ~Test("flag", name, "is", None, no, yes, example=EXAMPLE)


def param_decides(name: str, ok: bool, words: tuple[str, str], *, on: Json, off: Json) -> Condition:
    """A gathered fact that follows from the param `name`; `words` state it either way, levers set `on` and `off`."""
    return Fact("flag", name, ok, *words, on=(Lever(name, on),), off=(Lever(name, off),))


def in_list(name: str, option: str, given: Sequence[str], item: str, *, wanted: bool = True) -> Condition:
    """A list of the command line, the param `name`, names an item, or does not, as is wanted."""
    others = [each for each in given if each != item]
    named, unnamed = f"{option} names {item}", f"{option} does not name {item}"
    with_it, without = (Lever(name, [*others, item]),), (Lever(name, others),)
    yes, no = (named, unnamed) if wanted else (unnamed, named)
    on, off = (with_it, without) if wanted else (without, with_it)
    remedy = f"change what {option} names"
    return Fact("flag", name, (item in given) is wanted, yes, no, on=on, off=off, remedy=remedy)


def by_reading(path: str, *, is_imagined: bool = True) -> Condition:
    """A file is there since another one was read. `is_imagined`: by the scenario's `reads`, and not by its prompt."""
    off = (Lever("reads", []),) if is_imagined else None
    return Fact("file", path, True, f"loaded by reading {path}", "", actual=path, off=off)


def mode_is(*slugs: str) -> Condition:
    """The mode in force is one of `slugs`."""
    return Test("mode", "slug", "in", slugs, *either("the mode is {actual}", slugs))


def mode_has(group: str) -> Condition:
    """The mode in force has the tool group `group`."""
    return Test("mode", "groups", "has", group, f"the mode has the group {group}", f"the mode lacks the group {group}")


def model_mentions(*words: str) -> Condition:
    """The model's id contains one of `words`."""
    on, names, fact = (Lever("model", words[0]),), " or ".join(words), "the model is {actual}"
    remedy = f"choose a model without {names} in its name"
    return Test("model", "id", "mentions", words, fact, f"{fact}{NOT}a {names}", on=on, remedy=remedy)


def version_is(*versions: str, side: str = "") -> Condition:
    """The agent's version is one of `versions`. `side` is what they have in common: `before 2.1.329`, `not after 2`."""
    levers, fact = (Lever("agent_version", versions[0]),), "the version is {actual}"
    if not side:
        return Test("version", "", "in", versions, *either(fact, versions), on=levers)
    other = side.removeprefix("not ") if side.startswith("not ") else f"not {side}"
    return Test("version", "", "in", versions, f"{fact}, {side}", f"{fact}, {other}", on=levers)


def ships_with(*versions: str) -> Condition:
    """The agent's version, one of `versions`, has the tool."""
    no = f"not part of {{actual}}, only of {named(versions)}"
    return Test("version", "", "in", versions, "part of {actual}", no, on=(Lever("agent_version", versions[0]),))


def one_of(name: str, values: tuple[Json, ...]) -> Condition:
    """The param `name` has one of the values."""
    return Test("flag", name, "in", values, *either(f"`{name}` is {{actual}}", values))


def model_is(*names: str) -> Condition:
    """The model's id is one of `names`."""
    on, remedy = (Lever("model", names[0]),), f"choose another model than {' or '.join(names)}"
    return Test("model", "id", "in", names, *either("the model is {actual}", names), on=on, remedy=remedy)


def either(fact: str, wanted: Sequence[Json]) -> tuple[str, str]:
    """What is said of a value that is among those that are wanted, and of one that is not, which names them."""
    return fact, fact if wanted in ((True,), (False,)) else f"{fact}{NOT}{named(wanted)}"


_NAMED = 3


def named(values: Sequence[Json]) -> str:
    """Values of which one will do: `a, b or c`."""
    names = [show(value) for value in values]
    if len(names) > _NAMED:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    return conditions.one_of(names)
