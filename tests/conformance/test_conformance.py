"""The recordings of the real agents, a test for each case of every agent that is registered."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from promptscope_engine.agents.registry import agent_ids

HERE = Path(__file__).parent


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance_run", HERE / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _unfill(value: Any, root: Path) -> Any:
    """What `run.py` does of this name, without a path made anew for each of a million strings."""
    below = str(root)
    names = [(f"{below}/{name.lower()}", f"{{{name}}}") for name in ("WORKSPACE", "HOME", "MANAGED")]

    def walk(value: Any) -> Any:
        if isinstance(value, str) and below in value:
            for path, placeholder in (*names, (below, "{ROOT}")):
                value = value.replace(path, placeholder)
            return value
        if isinstance(value, list):
            return [walk(item) for item in value]
        return {walk(key): walk(item) for key, item in value.items()} if isinstance(value, dict) else value

    return walk(value)


RUN = _runner()
CASES = [path for agent in agent_ids() for path in sorted((HERE / "cases" / agent).glob("*.json"))]


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    monkeypatch.setattr(RUN, "unfill", _unfill)
    results = RUN.run_case(case, RUN.assemble_here)
    assert not [f"{aspect}: {detail}" for aspect, agrees, detail in results if not agrees]


def test_placeholders_are_put_back_as_the_runner_does(tmp_path: Path) -> None:
    some = [f"{tmp_path}/workspace/a", {f"{tmp_path}/home": [f"see {tmp_path}/managed", None, 3]}, f"{tmp_path}", "x"]
    assert _unfill(some, tmp_path) == RUN.unfill(some, tmp_path)
