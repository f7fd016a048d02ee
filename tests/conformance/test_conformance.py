"""The recordings of the real agents, a test for each case of every agent that is registered."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

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


RUN = _runner()
CASES = [path for agent in agent_ids() for path in sorted((HERE / "cases" / agent).glob("*.json"))]


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    results = RUN.run_case(case, RUN.assemble_here)
    assert not [f"{aspect}: {detail}" for aspect, agrees, detail in results if not agrees]
