"""Rules that allow, deny or ask, by the name of a permission and a pattern: the last one that fits decides."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.glob import glob_matches, stars_match
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Setting, said_if, stated
from promptscope_engine.prompt.model import Lever, SettingSource

_ACTIONS = {"allow": "allowed", "deny": "denied", "ask": "asked for"}


class Rule(Struct, frozen=True):
    """What may be done with what fits `pattern`. `words` say whose rule it is, where no setting has it."""

    permission: str
    pattern: str
    action: str
    source: SettingSource | None = None
    words: str = ""


def rules_of(
    said: Mapping[str, Json], words: str = "", source: Callable[[str], SettingSource | None] = lambda _: None
) -> Iterator[Rule]:
    """The rules of a table in their order; `source` has the place of each key."""
    for name, value in said.items():
        for pattern, action in (mapping(value) or {"*": value}).items():
            if isinstance(action, str):
                yield Rule(name, pattern, action, source(name), words)


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern names something; `*` and `?` are special, a slash is not."""
    if "?" not in pattern:
        return stars_match(pattern, name)
    return glob_matches(pattern.replace("/", "\0"), name.replace("/", "\0"))


def deciding(rules: Iterable[Rule], name: str, what: str | None = None) -> Rule | None:
    """The last rule that fits a permission, and what it is asked for."""
    fits = (rule for rule in reversed(tuple(rules)) if matches(rule.permission, name))
    return next((rule for rule in fits if what is None or matches(rule.pattern, what)), None)


def kept(rules: Sequence[Rule], name: str, what: str | None = None) -> Condition:
    """No rule takes something away; a whole permission is taken away by the plain pattern `*` alone.

    It says the place of the setting, and has a lever where one acts.
    """
    rule = deciding(rules, name, what)
    if rule is None:
        return ALWAYS
    ok = rule.action != "deny" or (what is None and rule.pattern != "*")
    thing = f"`{rule.permission}`" + (f" for {rule.pattern}" if what or rule.pattern != "*" else "")
    text, source = f"{thing} is {_ACTIONS.get(rule.action, rule.action)}", rule.source
    if source is None:
        text = f"{text} by {rule.words}"
        others = (each.source for each in rules if what and each.permission == name and each.source)
        if missed := next(others, None):
            return Setting(missed, ok, "is", True, *said_if(ok, f"{text}, as no pattern of `{name}` fits {what}"))
        remedy = f"allow `{name}` in `permission` of the agent"
        return stated("tool", "permission", ok, text, remedy=remedy)
    overlay = source.overlay or ""
    is_plain = overlay == f"settings.permission.{name}" and not what
    on, off = (Lever(overlay, "allow"), Lever(overlay, "deny")) if is_plain else (None, None)
    return Setting(source, ok, "is", True, *said_if(ok, text), on, off)


def left_open(rules: Sequence[Rule], name: str, whats: Iterable[str]) -> tuple[SettingSource, list[str]] | None:
    """Of a list that only lets in: its place, and what is let in without being in it."""
    own = [rule for rule in rules if rule.permission == name]
    if not own or own[0].source is None or any(rule.action == "deny" for rule in own):
        return None
    found = [what for what in whats if not any(matches(rule.pattern, what) for rule in own)]
    return (own[0].source, found) if found and all(kept(rules, name, what).holds(Facts()) for what in found) else None
