"""Runs of a client in scratch folders; the client is a small script that tells what it finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir

import pytest
from tests.tui.support.client import CLIENT, POISON, program

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.plan import Chosen, Run
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import get_tokenizer
from promptscope_tui.learning import learner as learning
from promptscope_tui.learning.clients import client_at, script_for
from promptscope_tui.learning.jobs import Result
from promptscope_tui.learning.learner import Learner, Plan, Progress
from promptscope_tui.learning.offer import why_not_offline

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("poisoned")]


@pytest.fixture
def learner(client: Path) -> Iterator[Learner]:
    with closing(made(client)) as found:
        yield found


def made(client: Path) -> Learner:
    agent = load_agent("claude-code")
    script = script_for(agent)
    assert script is not None
    return Learner(agent, script, client_at(str(client), script), Counter(get_tokenizer("o200k_base")))


def one(*runs: Run) -> Plan:
    return Plan(tuple(Chosen(run, frozenset(), 1.0) for run in runs), frozenset())


HEADLESS = Run("headless", "project")


def ran(learner: Learner, plan: Plan, *, offline: bool = False) -> list[Progress]:
    told: list[Progress] = []

    def tell(progress: Progress) -> bool:
        told.append(progress)
        return True

    learner.run(plan, tell, offline=offline)
    return told


@pytest.mark.parametrize("offline", [False, True])
def test_nothing_of_the_person_is_there(
    learner: Learner, poisoned: Path, monkeypatch: pytest.MonkeyPatch, offline: bool
) -> None:
    if offline and (reason := why_not_offline(Path(gettempdir()))):
        pytest.skip(reason)
    monkeypatch.setenv("SHELL", "/bin/zsh")
    results: list[Result] = []
    learn = Learner._learn
    monkeypatch.setattr(Learner, "_learn", lambda self, result, run: results.append(result) or learn(self, result, run))
    (progress,) = ran(learner, one(HEADLESS), offline=offline)
    assert progress.problem == ""
    (result,) = results
    assert POISON not in result.capture
    assert str(poisoned) not in result.capture
    request = next(row for row in map(json.loads, result.capture.splitlines()) if row["type"] == "request")
    found = json.loads(request["body"]["system"][0]["text"])
    assert found["env"]["HOME"].endswith("/home")
    assert found["env"]["SHELL"] == "/bin/zsh", "a fact of the prompt, which is as on the person's own terminal"
    assert any(path.endswith("/home/.claude/CLAUDE.md") for path in found["files"]), "the marked files are there"
    assert learner.lessons.runs == 1


def test_a_client_that_hangs_is_ended_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "TIMEOUT", 2.0)
    hanging = program(tmp_path / "claude", f"import sys, time\nif '--bare' in sys.argv: time.sleep(60)\n{CLIENT}")
    with closing(made(hanging)) as learner:
        told = ran(learner, one(Run("headless", "plain", ("--bare",)), HEADLESS))
        assert sorted(progress.problem[:30] for progress in told) == ["", "it sent nothing in 2 seconds"]
        assert learner.lessons.runs == 1


def test_a_client_that_crashes_says_why(tmp_path: Path) -> None:
    crashing = program(tmp_path / "claude", "import sys\nsys.exit('no \\x1b[31mlogin\\x1b[0m here')\n")
    with closing(made(crashing)) as learner:
        (progress,) = ran(learner, one(HEADLESS))
    assert progress.problem.startswith("it ended and sent nothing: no ")


def test_its_folders_are_gone_afterwards(client: Path) -> None:
    learner = made(client)
    ran(learner, one(HEADLESS))
    root = learner._root
    learner.close()
    assert not root.exists()


def test_it_stops_when_told_to(learner: Learner) -> None:
    learner.run(one(HEADLESS, Run("headless", "plain")), lambda _: False, offline=False)
    assert learner.lessons.runs == 1
