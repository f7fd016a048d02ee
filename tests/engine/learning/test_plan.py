"""The runs that `learn` chooses, and the parts that no blank run shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engine.insight.made_up import assembly_of, ours, section

from promptscope_engine.agents.registry import built_in_ids, load_agent
from promptscope_engine.assembly.wording import ids, variant
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learned import BEHIND, LABEL, LINES, Wording
from promptscope_engine.learning.plan import Run, Texts, base_of, by_cause, candidates, cover, known_texts, shown_by
from promptscope_engine.learning.script import Folder, Script, Start, script_of
from promptscope_engine.prompt.conditions import AllOf, Condition, Fact, Facts
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Assembly, Fragment, Lever, Op, Origin, Reason

AGENTS = Path(__file__).parents[3] / "engine/promptscope_engine/agents"
SCRIPT = Script(
    package="x",
    programs=("x",),
    prompts=("hi",),
    start={"headless": Start(("-p",), seconds=1), "interactive": Start((), seconds=4, terminal=True)},
    workspace={"plain": Folder(), "project": Folder(git=True)},
    mode=("--mode", "{value}"),
)
RUNS = [Run("headless", "plain"), Run("interactive", "plain"), Run("headless", "project")]


def keys(*names: str) -> frozenset[tuple[str, str]]:
    return frozenset((name, "") for name in names)


def test_cheap_runs_come_first() -> None:
    shown = {0: keys("a", "b"), 1: keys("a", "b", "c", "d")}
    chosen = cover(shown, RUNS, SCRIPT)
    assert [each.run for each in chosen] == [RUNS[0], RUNS[1]]
    assert [each.new for each in chosen] == [keys("a", "b"), keys("c", "d")]


def test_a_run_that_shows_nothing_new_is_not_taken() -> None:
    shown = {0: keys("a", "b"), 2: keys("a")}
    assert [each.run for each in cover(shown, RUNS, SCRIPT)] == [RUNS[0]]
    assert cover(shown, RUNS, SCRIPT, known=keys("a", "b")) == ()
    assert len(cover({0: keys("a"), 2: keys("b")}, RUNS, SCRIPT, most=1)) == 1


def test_a_run_that_makes_no_sense_is_left_out() -> None:
    def assembled(run: Run) -> tuple[Assembly, dict[str, tuple[Fragment, ...]]]:
        if run.start == "interactive":
            raise ScenarioError("no such mode", where="mode")
        return assembly_of(section("intro", ours(f"You are {run.workspace}."))), {}

    shown = shown_by(RUNS, assembled)
    assert set(shown.by_run) == {0, 2}
    assert shown.by_run[0] != shown.by_run[2], "another text of ours is another variant"
    assert shown.parts == {"intro"}
    assert {part for part, _ in shown.texts} == {"intro"}


def told(*fragments: Fragment) -> Texts:
    """The texts of one part."""
    found = shown_by(RUNS[:1], lambda _: (assembly_of(section("intro", *fragments)), {}))
    return found.texts


def learned(*fragments: Fragment) -> Wording:
    return Wording("intro", variant(fragments), ids(fragments), ("Theirs.",))


ONE, TWO = (Fragment(text, Origin("builtin", id=name)) for text, name in (("One.", "a"), ("Two.", "b")))
BREAK, HEAD = (Fragment(text, Origin("label")) for text in ("\n\n", "Rules:\n"))


def test_a_text_is_known_by_its_own_words() -> None:
    texts = told(ONE, HEAD, TWO)
    assert len(texts) == 2
    assert known_texts(texts, [learned(ONE)]) == {("intro", variant([ONE]))}
    assert known_texts(texts, [learned(ONE), learned(TWO)]) == set(texts)
    assert known_texts(texts, []) == set()


def test_texts_are_known_that_were_learned_as_one_since_the_label_between_them_was_sent_otherwise() -> None:
    texts = told(ONE, HEAD, TWO)
    otherwise = Wording("intro", "label", LABEL, (HEAD.text,))
    assert known_texts(texts, [learned(ONE, HEAD, TWO), otherwise]) == set(texts)
    assert known_texts(texts, [learned(ONE, HEAD, TWO)]) == set(), "nothing says that the label is none"
    assert known_texts(told(ONE, BREAK, TWO), [learned(ONE, BREAK, TWO)]) == set(told(ONE, BREAK, TWO))


@pytest.mark.parametrize(
    "agent_id", [each for each in built_in_ids() if (AGENTS / each.replace("-", "_") / "learn.toml").is_file()]
)
def test_every_input_is_flipped_once_and_alone(agent_id: str) -> None:
    agent = load_agent(agent_id)
    script = script_of(AGENTS / agent_id.replace("-", "_"))
    assert script is not None
    runs = list(candidates(agent, script, ["one", "other"]))
    assert len({run.title for run in runs}) == len(runs), "no run twice"
    flips = [run for run in runs if run.flip]
    assert len(flips) > 40
    assert all(len(run.flip) == 1 for run in flips)
    assert {run.start for run in flips} == set(script.start)
    plain = [run for run in runs if not run.flip]
    assert len(plain) == len(script.start) * len(script.workspace)


def test_what_holds_for_every_run_is_in_its_scenario() -> None:
    script = script_of(AGENTS / "claude_code")
    assert script
    assert base_of(load_agent("claude-code"), script, workspace="/shop").params == {"online": False}


def test_an_agent_without_a_script_cannot_be_learned() -> None:
    assert script_of(AGENTS / "roo") is None


LOGIN = Script("x", ("x",), ("hi",), {"p": Start(())}, {"plain": Folder()}, unseen={"a login": ("auth",)})


def fact(op: Op, name: str, *, ok: bool = False) -> Fact:
    return Fact(op, name, ok, "it is", "it is not")


def cause(when: Condition, *levers: Lever) -> str:
    ((found, parts),) = by_cause([("part", Reason("absent", when.evaluate(Facts()), levers))], LOGIN).items()
    assert parts == ("part",)
    return found


@pytest.mark.parametrize(
    ("op", "name", "needs"),
    [
        ("flag", "auth", "a login"),
        ("flag", "hooks.SessionStart", "a hook that prints something"),
        ("mcp", "resources", "an MCP server that offers it"),
        ("version", "", "another version"),
        ("file", "memory", "a file of yours"),
        ("model", "id", "another model"),
        ("flag", "instructions", "an input that is not flipped"),
    ],
)
def test_what_keeps_a_part_away_is_its_cause(op: Op, name: str, needs: str) -> None:
    assert cause(AllOf((fact("mcp", "on", ok=True), fact(op, name)))) == needs


def test_the_levers_tell_where_there_are_some() -> None:
    assert cause(flag("x"), Lever("auth", "account")) == "a login"
    assert cause(flag("x"), Lever("model", "big")) == "another model"
    assert cause(flag("x"), Lever("model", "big"), Lever("x", True)) == "several inputs at once"


def test_parts_of_one_cause_are_together_in_their_order() -> None:
    why = Reason("absent", fact("mcp", "resources").evaluate(Facts()))
    assert by_cause([("b", why), ("a", why)], LOGIN) == {"an MCP server that offers it": ("b", "a")}


def test_texts_are_known_that_were_learned_line_by_line() -> None:
    texts = told(ONE, HEAD, TWO)
    by_line = Wording("intro", "l", (*LINES, "One.\nTwo."), ("Theirs.",))
    place = Wording("intro", "p", (*BEHIND, "One.\nTwo."), ("Theirs.",))
    assert known_texts(texts, [by_line]) == set(texts)
    assert known_texts(texts, [place]) == set(), "where lines are says nothing of their words"
