"""What `promptscope why` tells of a knob: whether the client's prompt changed when it was asked."""

from __future__ import annotations

import json
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.registry import load_agent

from .changes import prompt_part
from .store import rows
from .worlds import version_of

_KINDS = {
    "env": "variables", "env?": "variables", "flag": "options", "setting": "settings", "setting?": "settings",
    "config": "settings", "feature": "settings", "state (global)": "settings",
}  # fmt: skip


def told(agent: str) -> str:
    """The text of an agent's asked.json: the names of its variables, options and settings, by what the client did.

    A value that keeps the client from starting tells nothing about the knob: most are of a wrong type.
    """
    seen: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in rows(agent):
        kind = _KINDS.get(row.turns[0].knob.kind.partition(":")[0])
        if len(row.turns) == 1 and kind and row.change is not None:
            name = row.turns[0].knob.knob
            seen[kind][name] = seen[kind].get(name, False) or bool(prompt_part(row.change))
    said = {
        kind: {word: sorted(name for name in names if names[name] is does) for word, does in _WORDS.items()}
        for kind, names in sorted(seen.items())
    }
    lines = json.dumps({"version": version_of(agent), **said}, ensure_ascii=False, indent=1).split("\n")
    return _filled(lines) + "\n"


_WORDS = {"changes": True, "same": False}
_WIDTH = 120


def _filled(lines: list[str]) -> str:
    """Indented JSON with the items of its lists beside each other."""
    made: list[str] = []
    for line in lines:
        is_item = line.startswith('   "')
        if is_item and made[-1].startswith('   "') and len(made[-1]) + len(line) < _WIDTH:
            made[-1] += f" {line.strip()}"
        else:
            made.append(line)
    return "\n".join(made)


def file_of(agent: str) -> Path:
    """Where it is."""
    return Path(str(files(package_of(load_agent(agent))))) / "asked.json"
