"""Assemblies are kept until something is forgotten that they were made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of

from promptscope_engine import Counter, Workspace, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.scenario import Environment
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.session import history as module
from promptscope_tui.session.history import AssemblyCache


@pytest.fixture
def workspace() -> Workspace:
    return Workspace()


@pytest.fixture
def answers(workspace: Workspace) -> AssemblyCache:
    return AssemblyCache(workspace, Counter(get_tokenizer("o200k_base")))


def test_the_same_question_has_the_same_answer_until_something_is_forgotten(
    tmp_path: Path, workspace: Workspace, answers: AssemblyCache
) -> None:
    code = roo_shop_at(tmp_path)
    ask = code.with_value("mode", "ask")
    first, other = answers.find(code), answers.find(ask)
    assert other.mode == "ask"
    assert answers.find(code) is first
    assert answers.find(ask) is other
    rule = tmp_path / "shop" / ".roo" / "rules" / "zz.md"
    rule.write_text("No secrets in logs.\n")
    workspace.forget([str(rule), str(rule.parent)])
    assert "No secrets in logs." in _text(answers.find(code))
    assert "No secrets in logs." in _text(answers.find(ask))


def test_what_is_forgotten_meanwhile_counts(
    tmp_path: Path, workspace: Workspace, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen may look something up in the same workspace, for a scenario that may read other places."""
    code = roo_shop_at(tmp_path)

    def interrupted(*asked: Any, **more: Any) -> Assembly:
        found = assemble(*asked, **more)
        workspace.forget([])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(module, "assemble", interrupted)
        first = answers.find(code)
    assert answers.find(code) is not first


def test_only_the_last_ones_are_kept(tmp_path: Path, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    code = roo_shop_at(tmp_path)
    modes = ("code", "ask", "code", "debug")
    first, ask, again, debug = (answers.find(code.with_value("mode", mode)) for mode in modes)
    assert again is first
    assert answers.find(code.with_value("mode", "code")) is first
    assert answers.find(code.with_value("mode", "debug")) is debug
    assert answers.find(code.with_value("mode", "ask")) is not ask


def test_only_the_same_question_has_the_same_answer(
    tmp_path: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [Knowledge()]
    answers = AssemblyCache(workspace, Counter(get_tokenizer("o200k_base")), lambda: known[-1])
    on = roo_shop_at(tmp_path).with_value("diffEnabled", True)
    first = answers.find(on)
    assert answers.find(on.model_copy()) is first
    one = on.model_copy(update={"params": {"diffEnabled": 1}})
    assert one == on
    asked: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(module, "assemble", lambda scenario, *_, **__: (asked.append(scenario), first)[1])
        answers.find(one)
        assert asked == [one], "to Python 1 is True"
        known.append(Knowledge(Learned(())))
        answers.find(on)
        assert asked == [one, on], "other wordings were learned"


def test_each_question_has_its_own_time(tmp_path: Path, answers: AssemblyCache) -> None:
    first, second = (scenario_of(tmp_path).model_copy(update={"environment": Environment()}) for _ in range(2))
    first.environment.__dict__["read_at"] = "2026-03-02T12:00:00+00:00"
    second.environment.__dict__["read_at"] = "2026-03-02T12:00:01+00:00"
    assert answers.find(first) is not answers.find(second)
    assert answers.find(first) is answers.find(first.model_copy())


def test_large_ones_are_not_kept(tmp_path: Path, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECTIONS", 5)
    code = roo_shop_at(tmp_path)
    first = answers.find(code)
    assert answers.find(code) is not first


def _text(assembly: Assembly) -> str:
    return "".join(section.text for section in assembly.sections if section.present)
