"""A step through a capture tells in Changes what it made of the cache."""

from __future__ import annotations

from dataclasses import replace as with_fields
from pathlib import Path

import pytest
from tests.tui.support.sent import captured
from tests.tui.support.user import NOON

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.files import as_lines, read_capture
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.changes import ChangeLog
from promptscope_tui.session.snapshot import Change, Snapshot
from promptscope_tui.session.worker import Job
from promptscope_tui.text.escape import visible
from promptscope_tui.views.changes import change_rows

COUNTER = Counter(get_tokenizer("o200k_base"))


@pytest.fixture
def scenario(tmp_path: Path) -> Scenario:
    """A capture of two main requests of which the second has a tool less."""
    for name in ("home", "managed", "shop"):
        (tmp_path / name).mkdir()
    place = {"workspace": str(tmp_path / "shop"), "home": str(tmp_path / "home"), "managed": str(tmp_path / "managed")}
    asked = Scenario.model_validate({**place, "agent": "claude-code", "agent_version": "2.1.329", "env": {}})
    path = captured(asked, tmp_path / "run.jsonl")
    capture = read_capture(path.read_bytes())
    main = capture.requests[1]
    later = with_fields(main, index=3, body={**main.body, "tools": main.body["tools"][1:]})
    path.write_bytes(b"".join(as_lines(with_fields(capture, requests=(*capture.requests, later)))))
    return Scenario.model_validate({**place, "agent": None, "env": {}, "capture": str(path)})


def stepped(scenario: Scenario, *numbers: int) -> tuple[Change, ...]:
    """The entries after these requests were shown."""
    log, now = ChangeLog(Workspace(), lambda: NOON), Snapshot(scenario)
    for step, number in enumerate(numbers):
        shown = scenario.model_copy(update={"params": {"request": number}})
        assembly = assemble(shown, Workspace(), COUNTER)
        log.look(shown, assembly, COUNTER)
        now = log.answered(now, assembly, Job(shown, step=step), scenario)
    return now.changes


def text_of(change: Change, scenario: Scenario) -> str:
    rows = change_rows(Snapshot(scenario, changes=(change,)))
    return "\n".join("".join(visible(span.text) for span in each.left) for each in rows)


def test_a_later_request_has_what_was_written_again(scenario: Scenario) -> None:
    (change,) = stepped(scenario, 2, 3)
    assert change.cache is not None
    assert [cause.kind for cause in change.cache.causes] == ["tools"]
    shown = text_of(change, scenario)
    assert "request 2 → 3" in shown
    assert "tokens written again" in shown
    assert "cause: the tool Agent is gone" in shown


def test_a_step_back_has_none(scenario: Scenario) -> None:
    assert not [change for change in stepped(scenario, 3, 2) if change.cache]
