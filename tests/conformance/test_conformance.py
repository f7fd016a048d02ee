"""The recordings of the real agents, a test for each case of every agent that is registered."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.tokens import Counter, tokenizer_for_model

HERE = Path(__file__).parent


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("conformance_run", HERE / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _unfill(value: Any, root: Path) -> Any:
    """What `run.py` does of this name, on the text of it all in place of each of a hundred thousand strings."""
    text = json.dumps(value)
    for name in ("WORKSPACE", "HOME", "MANAGED"):
        text = text.replace(f"{root}/{name.lower()}", f"{{{name}}}")
    return json.loads(text.replace(str(root), "{ROOT}"))


RUN = _runner()
RUN.checker = cache(RUN.checker)  # one module for each agent, not one for each case
COUNTER = Counter(tokenizer_for_model(None))
"""Fixed prose is counted once, not once for each case."""
CASES = [path for agent in agent_ids() for path in sorted((HERE / "cases" / agent).glob("*.json"))]


def _assemble(scenario: dict[str, Any]) -> dict[str, Any]:
    """What `run.py` calls `assemble_here`, with a counter that is kept."""
    return assemble(Scenario.model_validate(scenario), counter=COUNTER).to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_recorded_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    monkeypatch.setattr(RUN, "unfill", _unfill)
    results = RUN.run_case(case, _assemble)
    assert not [f"{aspect}: {detail}" for aspect, agrees, detail in results if not agrees]


def test_placeholders_are_put_back_as_the_runner_does(tmp_path: Path) -> None:
    some = [f"{tmp_path}/workspace/a", {f"{tmp_path}/home": [f"see {tmp_path}/managed", None, 3]}, f"{tmp_path}", "x"]
    assert _unfill(some, tmp_path) == RUN.unfill(some, tmp_path)
