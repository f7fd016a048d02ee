"""The leaves that agents build their conditions from."""

from collections.abc import Sequence

from promptscope_engine.formats.document import Json

from .conditions import Condition, Fact, Test, show
from .model import Lever


def flag(name: str, *, yes: str | None = None, no: str | None = None) -> Condition:
    """The boolean param `name` is on."""
    return Test("flag", name, "is", True, yes or f"`{name}` is on", no or f"`{name}` is {{actual}}")


def equals(name: str, value: Json, *, yes: str | None = None, no: str | None = None) -> Condition:
    """The param `name` has the value `value`."""
    return Test("flag", name, "is", value, yes or f"`{name}` is {show(value)}", no or f"`{name}` is {{actual}}")


def above(name: str, limit: int) -> Condition:
    """The numeric param `name` is greater than `limit`."""
    return Test("flag", name, "above", limit, f"`{name}` is {{actual}}", f"`{name}` is {{actual}}")


def given(name: str, *, yes: str | None = None, no: str | None = None) -> Condition:
    """The param `name` is neither null nor empty."""
    return Test("flag", name, "given", True, yes or f"`{name}` is given", no or f"`{name}` is not given")


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


def mode_is(*slugs: str) -> Condition:
    """The mode in force is one of `slugs`."""
    return Test("mode", "slug", "in", slugs, "the mode is {actual}", "the mode is {actual}")


def mode_has(group: str) -> Condition:
    """The mode in force has the tool group `group`."""
    return Test("mode", "groups", "has", group, f"the mode has the group {group}", f"the mode lacks the group {group}")


def model_mentions(*words: str) -> Condition:
    """The model's id contains one of `words`."""
    on, remedy = (Lever("model", words[0]),), f"choose a model without {' or '.join(words)} in its name"
    fact = "the model is {actual}"
    return Test("model", "id", "mentions", words, fact, fact, on=on, remedy=remedy)


def version_is(*versions: str) -> Condition:
    """The agent's version is one of `versions`."""
    levers = (Lever("agent_version", versions[0]),)
    return Test("version", "", "in", versions, "the version is {actual}", "the version is {actual}", on=levers)


def one_of(name: str, values: tuple[Json, ...]) -> Condition:
    """The param `name` has one of the values."""
    return Test("flag", name, "in", values, f"`{name}` is {{actual}}", f"`{name}` is {{actual}}")


def model_is(*names: str) -> Condition:
    """The model's id is one of `names`."""
    on, fact = (Lever("model", names[0]),), "the model is {actual}"
    return Test("model", "id", "in", names, fact, fact, on=on, remedy=f"choose another model than {' or '.join(names)}")
