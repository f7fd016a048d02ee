"""Every recorded case of the agent's replies, of `attempt_completion` and of its user messages."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent


def _load_checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_roo_responses", HERE / "check_roo_responses.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _cases() -> list[Any]:
    return [
        pytest.param(case | {"part": path.stem.removeprefix("roo-")}, id=f"{path.stem}/{case['name']}")
        for path in sorted((HERE / "cases-responses").glob("roo-*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
    ]


CHECKER = _load_checker()
API = importlib.import_module(CHECKER.MODULE)


@pytest.mark.parametrize("case", _cases())
def test_the_engine_agrees_with_the_recording(case: dict[str, Any]) -> None:
    assert CHECKER.run_case(API, case) == []


def test_a_wrong_reply_would_be_noticed() -> None:
    case = {"name": "x", "part": "responses", "call": "tool_result", "args": ["a"], "expect": {"output": "b"}}
    assert CHECKER.run_case(API, case) == ["wanted 'b', got 'a'"]
