"""Assemblies are kept until something is forgotten that they were made of."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Any

import pytest
from tests.tui.support.roo_shop import roo_shop_at, scenario_of
from tests.tui.support.session import Watched
from tests.tui.support.user import PATIENCE

from promptscope_engine import Counter, Workspace, assemble
from promptscope_engine.inputs.scenario import Environment, Scenario
from promptscope_engine.learned.model import Learned
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.tokenizers import get_tokenizer
from promptscope_tui.session import assembly_cache as module
from promptscope_tui.session.assembly_cache import AssemblyCache


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

    def interrupted(*asked: Any) -> Assembly:
        found = assemble(*asked)
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


def test_what_was_prepared_is_what_is_found_then(
    tmp_path: Path, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = roo_shop_at(tmp_path)
    off = code.with_value("diffEnabled", False)
    answers.find(code)
    answers.prepare(off)
    with monkeypatch.context() as patch:
        patch.setattr(module, "assemble", lambda *_: pytest.fail("it is assembled already"))
        patch.setattr(module, "possible", lambda *_: pytest.fail("it is prepared already"))
        found = answers.find(off)
        answers.prepare(code)
    assert found.to_dict() == assemble(off, Workspace(), Counter(get_tokenizer("o200k_base"))).to_dict()


def test_only_the_same_question_has_the_same_answer(
    tmp_path: Path, workspace: Workspace, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = roo_shop_at(tmp_path).with_value("diffEnabled", True)
    first = answers.find(on)
    assert answers.find(on.model_copy()) is first
    one = on.model_copy(update={"params": {"diffEnabled": 1}})
    assert one == on
    asked: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(module, "assemble", lambda scenario, *_: (asked.append(scenario), first)[1])
        answers.find(one)
        assert asked == [one], "to Python 1 is True"
        workspace.learned = Learned(())
        answers.find(on)
        assert asked == [one, on], "other wordings were learned"


def test_each_question_has_its_own_time(tmp_path: Path, answers: AssemblyCache) -> None:
    first, second = (scenario_of(tmp_path).model_copy(update={"environment": Environment()}) for _ in range(2))
    first.environment.__dict__["read_at"] = "2026-03-02T12:00:00+00:00"
    second.environment.__dict__["read_at"] = "2026-03-02T12:00:01+00:00"
    assert answers.find(first) is not answers.find(second)
    assert answers.find(first) is answers.find(first.model_copy())


def test_large_ones_are_neither_kept_nor_prepared(
    tmp_path: Path, answers: AssemblyCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECTIONS", 5)
    code = roo_shop_at(tmp_path)
    first = answers.find(code)
    assert answers.find(code) is not first
    monkeypatch.setattr(module, "possible", lambda *_: pytest.fail("it would take long"))
    answers.prepare(code.with_value("mode", "ask"))


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> queue.Queue[Scenario]:
    """What was prepared, or could not be, and no effects, which take most of the time."""
    monkeypatch.setattr("promptscope_tui.session.findings.each_effect", lambda *_: iter(()))
    prepare, found = AssemblyCache.prepare, queue.Queue[Scenario]()

    def told(self: AssemblyCache, scenario: Scenario) -> None:
        try:
            prepare(self, scenario)
        finally:
            found.put(scenario)

    monkeypatch.setattr(AssemblyCache, "prepare", told)
    return found


def test_a_switch_that_was_foreseen_is_set_without_assembling(
    tmp_path: Path, prepared: queue.Queue[Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Watched(tmp_path) as watched:
        session = watched.session
        for param, value in (("no.such", 1), ("diffEnabled", False)):  # anyone who sets the first one is told
            session.prefetch(param, value)
            prepared.get(timeout=PATIENCE)
        with monkeypatch.context() as patch:
            patch.setattr(module, "assemble", lambda *_: pytest.fail("it is assembled already"))
            session.set("diffEnabled", False)
            shown = watched.wait().assembly
        assert shown is not None
        assert not next(tool for tool in shown.tools if tool.name == "apply_diff").present


def test_of_the_switches_that_the_cursor_passes_only_the_last_is_prepared(
    tmp_path: Path, prepared: queue.Queue[Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("promptscope_tui.session.session.PASSING", 1.0)
    with Watched(tmp_path) as watched:
        for mode in ("ask", "debug", "architect"):
            watched.session.prefetch("mode", mode, passing=True)
        assert prepared.get(timeout=PATIENCE).mode == "architect"
        watched.session.prefetch("mode", "architect")  # as it is shown again
        watched.session.prefetch("mode", "ask")
        assert prepared.get(timeout=PATIENCE).mode == "ask"
        assert prepared.empty()


def _text(assembly: Assembly) -> str:
    return "".join(section.text for section in assembly.sections if section.present)
