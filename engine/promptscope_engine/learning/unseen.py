"""Parts that no blank run shows, by their cause: what their own conditions ask for."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from promptscope_engine.prompt.model import Reason, Verdict

from .script import Script

_GENERAL = (
    ("a hook that prints something", "flag:hooks.*"),
    ("an MCP server that offers it", "mcp:*"),
    ("another version", "*:agent_version"),
    ("another version", "version:*"),
    ("a file of yours", "file:*"),
    ("another model", "model:*"),
    ("an input that is not flipped", "flag:*"),
    ("an input that is not flipped", "tool:*"),
)
"""Causes, each with a pattern of an operator and a name: the first that fits, where learn.toml names none."""
SEVERAL, REST = "several inputs at once", "nothing that is known"


def by_cause(parts: Iterable[tuple[str, Reason]], script: Script) -> Mapping[str, tuple[str, ...]]:
    """The parts by what would bring them, each with its reason to be absent."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, why in parts:
        found[_cause(why, script)].append(name)
    return {cause: tuple(names) for cause, names in found.items()}


def _cause(why: Reason, script: Script) -> str:
    named = dict.fromkeys(_asked_for(why))
    own = [(cause, pattern) for cause, patterns in script.unseen.items() for pattern in patterns]
    for cause, pattern in own:
        if any(fnmatchcase(name.partition(":")[2], pattern) for name in named):
            return cause
    if len(why.levers) > 1:
        return SEVERAL
    return next((c for c, pattern in _GENERAL if any(fnmatchcase(name, pattern) for name in named)), REST)


def _asked_for(why: Reason) -> Iterator[str]:
    """What decides: the levers, or the leaves where no lever is known; each as `operator:name`."""
    if why.levers:
        for lever in why.levers:
            yield f"{lever.param if lever.param == 'model' else 'flag'}:{lever.param}"
    elif why.condition:
        yield from (f"{leaf.op}:{leaf.name}" for leaf in _deciding(why.condition))


def _deciding(verdict: Verdict) -> Iterator[Verdict]:
    """The leaves that keep a condition from being fulfilled."""
    if not verdict.children:
        yield verdict
    for child in verdict.children:
        if child.ok is verdict.ok or verdict.op == "not":
            yield from _deciding(child)
