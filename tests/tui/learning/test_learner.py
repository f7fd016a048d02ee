"""Runs of a client in scratch folders; the client is a small script that tells what it finds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir

import pytest
from msgspec.structs import replace
from tests.tui.support.client import CLIENT, POISON, program

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learning.plan import Chosen, Run
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.learning import learner as learning
from promptscope_tui.learning.clients import client_at, script_for
from promptscope_tui.learning.learner import Learner, Plan, Progress
from promptscope_tui.learning.offer import why_not_offline
from promptscope_tui.learning.work import Result

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
    return Plan(tuple(Chosen(run, frozenset(), 1.0) for run in runs), {})


HEADLESS = Run("headless", "project")


def ran(learner: Learner, plan: Plan, *, offline: bool = False) -> list[Progress]:
    told: list[Progress] = []

    def tell(progress: Progress) -> bool:
        told.append(progress)
        return True

    learner.run(plan, tell, offline=offline)
    return told


def test_no_plan_without_git_which_would_leave_most_of_it_out(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ScenarioError, match="git is not on PATH"):
        learner.plan()


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


@pytest.mark.parametrize("said", ["Quuxmark instructions 4411.", ""])
def test_a_run_is_one_with_servers_if_they_answered_before_it_was_sent(tmp_path: Path, said: str) -> None:
    client = program(tmp_path / "claude", CLIENT.replace('"text": asked', f'"text": asked + {said!r}'))
    with closing(made(client)) as learner:
        (progress,) = ran(learner, one(Run("headless", "servers")))
        assert progress.problem == ""
        (lesson,) = learner.lessons._found.values()
    assert lesson.facts["place.servers"] is bool(said)
    assert lesson.facts["place.configured"] is True


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


HELP = """Options:
  --bare       Known to the model
  --resume     Never tried
  --brisk      Be brisk
  --dull       Be dull
  --odd <on>   A value (one, two)
  --mean       Does not start
"""
OPTIONS = f"""
import sys
if "--help" in sys.argv:
    print({HELP!r}, file=sys.stderr)
    sys.exit()
if "--mean" in sys.argv:
    sys.exit("\\x1b[31mwhat is --mean?")
""" + CLIENT.replace(
    "headers =",
    """end = "two" if "two" in sys.argv else "one"
body["system"] = [{"type": "text", "text": f"Session {os.getpid()}.\\nBe brief.\\nEnd with {end}."}]
if "--brisk" in sys.argv:
    body["messages"][0]["content"].append({"type": "text", "text": "Be brisk."})
    body["tools"].append({"name": "Whip", "description": "Cracks.", "input_schema": {"type": "object"}})
headers =""",
)


def test_options_that_the_model_does_not_know_are_tried_alone(tmp_path: Path) -> None:
    client = program(tmp_path / "claude", OPTIONS)
    with closing(made(client)) as learner:
        learner.version = "2.1.332"
        told = ran(learner, replace(one(HEADLESS), options=20))
        learned = learner.learned()
    effects = {effect.option: effect for effect in learned.options}
    assert list(effects) == ["--brisk", "--dull", "--mean", "--odd one", "--odd two"]
    assert re.fullmatch(r"\+\d+ tokens, 1 new text, 1 new tool \(Whip\)", effects["--brisk"].words)
    assert effects["--dull"].words == effects["--odd one"].words == "nothing changed"
    assert effects["--odd two"].words == "+0 tokens, 1 text changed"
    assert effects["--mean"].problem.startswith("the client did not take it: it ended and sent nothing: ")
    assert [tool.seen for tool in learned.added if tool.name == "Whip"] == ["it is sent only with --brisk"]
    assert [each.text for each in learned.sections if "--brisk" in each.seen] == [("Be brisk.",)]
    assert len(told) == 1 + 5
    assert learner.options == learner.tried == 5


def test_without_time_left_no_option_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "ENOUGH", 0.0)
    with closing(made(program(tmp_path / "claude", OPTIONS))) as learner:
        assert ran(learner, Plan((), {}, options=20)) == []
        assert (learner.options, learner.tried) == (5, 0), "what is left out can be said"


TELLING = """
import json, os
out = os.environ.get("OBSERVE_OUT")
if out:
    told = {"lean_body": "Be brief.", "novel": "Sing.", "pronouns": "They."}
    sections = [{"id": name, "text": text} for name, text in told.items()]
    open(out, "w").write(json.dumps({"format": "promptscope-observe/1", "compose": [{"sections": sections}]}))
"""


def named_by(tmp_path: Path, said: str) -> Learner:
    """A run of a client that tells its sections, whose system prompt is this."""
    at = CLIENT.index('body["system"]')
    client = CLIENT[:at] + f"body['system'] = [{{'type': 'text', 'text': {said}}}]" + CLIENT[CLIENT.index("\n", at) :]
    with closing(made(program(tmp_path / "claude-2.1.332/claude", TELLING + client))) as learner:
        learner.version = "2.1.332"
        (progress,) = ran(learner, one(HEADLESS))
        assert progress.problem == ""
        return learner


def test_the_sections_bear_the_clients_own_names(tmp_path: Path) -> None:
    learner = named_by(tmp_path, "'Be brief.\\n\\nSing.\\n\\nThey.'")
    (lesson,) = learner.lessons._found.values()
    assert learner.unnamed == ""
    assert ("pronouns",) in lesson.names.values()
    assert lesson.names["intro"] == ("lean_body",)


def test_a_request_that_the_observing_mod_changes_teaches_no_names(tmp_path: Path) -> None:
    learner = named_by(tmp_path, "'Be brief.' + str(out is None)")
    (lesson,) = learner.lessons._found.values()
    assert learner.unnamed == "its request with the observing mod is another one than without"
    assert lesson.names == {}
