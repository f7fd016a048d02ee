"""The recordings of the real agents, a test for each case of every agent that is registered."""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType, NoneType
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.prompt.model import Origin, Reason, field_names, to_json
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

HERE = Path(__file__).parent


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance_run", HERE / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Seen(dict[str, Any]):
    """An object of an assembly as a mapping, each of its fields made when a checker reads it."""

    def __init__(self, value: object, plain: Callable[[Any], Any]) -> None:
        super().__init__()
        self._value, self._plain = value, plain
        self.names = field_names(type(value))

    def __missing__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        found = self[name] = self._plain(getattr(self._value, name))
        return found

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self.names else default

    def items(self) -> Any:
        return [(name, self[name]) for name in self.names]


def _plain(value: Any, root: Path) -> Any:
    """What the checkers read of an assembly: `to_dict` with the placeholders put back, but of reasons only the text,
    and only of what is absent.

    The runner makes the trees of all reasons and then goes through a hundred thousand strings; most are never read.
    """
    start, folders = str(root), _Folders(root)

    def plain(value: Any) -> Any:
        if isinstance(value, Reason):
            value = None if value.ok else {"text": value.text}
        kind = type(value)
        if kind is str:
            return UNFILL(value, folders) if start in value else value
        if kind in (int, float, bool, NoneType):
            return value
        if isinstance(value, dict):
            return {plain(key): plain(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [plain(part) for part in value]
        if kind is Assembly:  # a checker takes its own copy
            return {name: plain(getattr(value, name)) for name in field_names(kind)}
        return plain(to_json(value)) if kind is Origin else _Seen(value, plain)

    return plain(value)


class _Folders:
    """The root of a case as `unfill` uses it, which asks for the same three paths with each text."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._inside = {name: str(root / name) for name in ("workspace", "home", "managed")}

    def __truediv__(self, name: str) -> str:
        return self._inside[name]

    def __str__(self) -> str:
        return self._root


RUN = _runner()
UNFILL = RUN.unfill
RUN.checker = cache(RUN.checker)  # one module for each agent, not one for each case
COUNTER = Counter(tokenizer_for_model(None))
"""Fixed prose is counted once, not once for each case."""
CASES = [path for agent in agent_ids() for path in sorted((HERE / "cases" / agent).glob("*.json"))]


def _assemble(scenario: dict[str, Any], *, counted: bool = False) -> Assembly:
    """What `run.py` calls `assemble_here`, with a counter that is kept; `_plain` does the rest.

    Few cases expect tokens; for the others none are counted.
    """
    return assemble(Scenario.model_validate(scenario), counter=COUNTER, cached_only=not counted)


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    monkeypatch.setattr(RUN, "unfill", _plain)
    if case["agent"] == "codex":  # lists the writable folders by path, and was behind /tmp when it was recorded
        monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    if path.stem in ("v9-72-skills-shortened", "v9-74-skills-truncated"):  # what fits goes by the length of the paths
        folder = Path("/tmp/recorded-claws")
        folder.mkdir(exist_ok=True)
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
    results = RUN.run_case(case, partial(_assemble, counted="tokens" in case["expect"]))
    assert not [f"{aspect}: {detail}" for aspect, agrees, detail in results if not agrees]


def _with_short_reasons(value: Any) -> Any:
    """Reasons as `_plain` gives them."""
    if isinstance(value, dict):
        short = {key: _with_short_reasons(part) for key, part in value.items()}
        for key in ("why", "waits"):
            if isinstance(why := value.get(key), dict):
                short[key] = {"text": why["text"]} if why["condition"] and not why["condition"]["ok"] else None
        return short
    return [_with_short_reasons(part) for part in value] if isinstance(value, list) else value


def _whole(value: Any) -> Any:
    """What `_plain` gives, with every field."""
    if isinstance(value, dict):
        return {name: _whole(value[name]) for name in getattr(value, "names", value)}
    return [_whole(part) for part in value] if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.parametrize("agent", agent_ids())
def test_the_checkers_are_given_what_the_runner_gives_them(agent: str, tmp_path: Path) -> None:
    for name in ("workspace", "home", "managed"):
        (tmp_path / name).mkdir()
    for name in ("AGENTS.md", "CLAUDE.md", "SOUL.md"):
        (tmp_path / "workspace" / name).write_text(f"See {tmp_path}/home/x and @{tmp_path}/workspace/y.\n")
    scenario = {name: str(tmp_path / name) for name in ("workspace", "home", "managed")} | {"agent": agent}
    assembly = _assemble(scenario)
    assert _whole(_plain(assembly, tmp_path)) == _with_short_reasons(UNFILL(assembly.to_dict(), _Folders(tmp_path)))
