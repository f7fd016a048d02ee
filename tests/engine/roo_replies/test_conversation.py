"""Stepping through the end of a task."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.roo.responses import attempt_completion
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import Turn, block_text, running_totals
from promptscope_engine.roo_replies.conversation import CHOICES, play

DONE = {"result": "Done."}
OLDER: list[Any] = [{"settings": {"runCommand": True}}, {"result": {"result": "Done.", "command": "npm start"}}]


def said(turn: Turn) -> str:
    return "\n".join(block_text(block) for message in turn.messages for block in message.blocks)


def test_a_result_waits_and_is_accepted() -> None:
    asked, accepted = play([DONE, {"answer": True}])
    assert said(asked) == "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>"
    assert asked.mistakes == accepted.mistakes == 0
    assert asked.events[-1] == ("ask", "completion_result", "", False)
    assert accepted.events == (("pushToolResult",),)
    assert "no output" in said(accepted)


def test_the_two_halves_are_the_whole_call() -> None:
    turns = play([DONE, {"feedback": "Not yet."}])
    outcome = attempt_completion({"result": "Done."}, reply={"response": "messageResponse", "text": "Not yet."})
    assert [event for turn in turns for event in turn.events] == outcome.events
    assert [dict(block) for block in turns[1].messages[0].blocks] == outcome.content


def test_open_todos_refuse_and_mistakes_add_up() -> None:
    steps: list[Any] = [
        {"settings": {"preventCompletionWithOpenTodos": True}},
        {"todos": ["a"]},
        {"partial": "x"},
        DONE,
    ]
    *_, partial, refused = play(steps)
    assert (partial.mistakes, refused.mistakes) == (1, 2)
    assert "open in the todo list" in said(refused)
    assert play([*steps, {"todos": []}, DONE])[-1].mistakes == 0


@pytest.mark.parametrize("setting", ["preventCompletionWithOpenTodos", "hardened", None])
@pytest.mark.parametrize(
    ("todos", "number", "opened"),
    [
        ([], 0, 0),
        (["a"], 1, 1),
        ([{"content": "a", "status": "completed"}], 1, 0),
        ([{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}, "c"], 3, 2),
    ],
)
def test_open_todos_are_counted_and_matter_under_one_setting(
    setting: str | None, todos: list[Any], number: int, opened: int
) -> None:
    settings: list[Any] = [{"settings": {setting: True}}] if setting else []
    turn = play([*settings, {"todos": todos}])[-1]
    assert turn.title == f"todos: {number}, {opened} open"
    refused = opened > 0 and setting == "preventCompletionWithOpenTodos"
    assert turn.note == ("the setting refuses a result now" if refused else "")


def test_the_settings_are_told_as_they_are() -> None:
    turn = play([{"settings": {"hardened": True}}])[0]
    assert turn.title == "settings: preventCompletionWithOpenTodos off, hardened on"


def test_the_hardened_variant_looks_at_what_the_agent_does_not() -> None:
    running = {"running": ["npm test"]}
    assert "does not look" in play([running])[0].note
    assert play([running, DONE])[-1].note.startswith("the user is asked")
    assert "npm test" in said(play([{"settings": {"hardened": True}}, running, DONE])[-1])


def test_a_sub_task_goes_to_its_parent_or_is_refused() -> None:
    ended = play([{"subtask": True}, DONE, {"answer": "yes"}])[-1]
    assert ended.messages[0].to == "the parent task"
    assert said(ended) == "[new_task completed] Result: Done."
    refused = play([{"subtask": True}, DONE, False])[-1]
    assert said(refused).startswith("[attempt_completion] Result:\n")


def test_a_missing_result_and_a_failing_panel() -> None:
    assert "'result'" in said(play([{"result": {}}])[-1])
    failed = play([{"say_error": "gone"}, DONE])[-1]
    assert failed.events[-1][0] == "handleError"
    assert failed.title == "showing the result failed"
    assert play([{"result": {}}])[-1].title == "the result is refused"
    assert play([{"say_error": "gone"}, {"say_error": None}, DONE])[-1].events[-1][0] == "ask"


def test_a_command_is_asked_for_once() -> None:
    first, second = play([{"partial": {"result": "R", "command": "ls"}}] * 2)
    assert [event[0] for event in first.events] == ["say", "telemetry", "emit", "ask"]
    assert [event[0] for event in second.events] == ["ask"]


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([{"answer": True}], "step 1: there is no result that waits"),
        ([DONE, DONE], "step 2: the result still waits"),
        ([DONE, {"todos": []}], "still waits"),
        ([DONE, False], "knows no `no`"),
        ([{"subtask": True}, DONE, {"feedback": "x"}], "not asked for feedback"),
        ([{"reslt": "x"}], "did you mean result"),
        ([{"settings": {"hard": True}}], "did you mean hardened"),
        ([{"settings": {"hardened": 1}}], "on or off"),
        ([{"settings": 1}], "a mapping"),
        ([{"result": {"text": "x"}}], "did you mean|unknown parameter"),
        ([{"result": {"result": 1}}], "is a text"),
        ([{"todos": [{"content": "x", "status": "done"}]}], "a todo has content"),
        ([{"todos": {"a": 1}}], "is a list"),
        ([{"todos": [1]}], "a todo has content"),
        ([{"pending": "x"}], "a list of texts"),
        ([{"subtask": "x"}], "true or false"),
        ([DONE, {"feedback": False}], "is a text"),
        ([DONE, {"answer": "maybe"}], "yes or no"),
        ([DONE, {"feedback": {"text": "x", "images": ["y"]}}], "not a data URL"),
        (["x"], "one key"),
        ([{"text": 5}], "`text` is a text, not 5"),
        ([{"raw": 5}], "`raw` is what the model wrote, not 5"),
        ([{"raw": "<read_file><path>x</path></read_file>"}], "the reply calls read_file, not attempt_completion"),
        ([DONE, True, {"resumed": 5}], "`resumed` is the user's words or null, not 5"),
        ([*OLDER, True, {"output": 5}], "`output` is a text, not 5"),
        ([{"resumed": None}], "nothing was said yet"),
        ([{"output": "x"}], "no command runs"),
        ([*OLDER, True, {"text": "x"}], "the command still runs"),
        ([{"rejected": {"result": "Done."}}], "`rejected` names the tool"),
        ([{"rejected": {"tool": "read_file", "partial": 1, "result": "Done."}}], "`rejected` names the tool"),
        ([{"new_task": {"mode": 5, "message": "Fix it."}}], "`new_task` has a mode and a message"),
        ([{"new_task": {"mode": "code"}}], "`new_task` has a mode and a message"),
        ([{"beside": {"before": "read_file", "after": "read_file"}}], "`beside` names the other tool"),
    ],
)
def test_what_makes_no_sense_names_its_step(steps: list[Any], says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        play(steps)


@pytest.mark.parametrize(("given", "length"), [(164, 199), (165, 200), (166, 200), (5_000, 200)])
def test_what_was_given_is_told_so_far(given: int, length: int) -> None:
    with pytest.raises(ScenarioError) as caught:
        play([{"raw": ["x" * (given - 4)]}])
    assert len(caught.value.message) == length
    assert caught.value.message.startswith("`raw` is what the model wrote, not ['xxx")


def test_every_choice_has_an_example_that_can_be_taken_somewhere() -> None:
    for choice in CHOICES:
        before = {"answer": [DONE], "feedback": [DONE], "resumed": [DONE, True], "output": [*OLDER, True]}.get(
            choice.name, []
        )
        assert play([*before, {choice.name: choice.example}])


@pytest.mark.parametrize(("names", "words"), [([], "none"), (["a"], "a"), (["a", "b"], "a, b")])
def test_what_is_running_is_listed(names: list[str], words: str) -> None:
    assert play([{"running": names}])[0].title == f"running: {words}"


LONG = "x" * 300


@pytest.mark.parametrize("step", [LONG, {"todos": [{LONG: 1}]}, {"settings": {"hardened": LONG}}, {"subtask": LONG}])
def test_a_long_value_is_cut_in_what_is_said_of_it(step: Any) -> None:
    with pytest.raises(ScenarioError) as raised:
        play([step])
    assert len(str(raised.value).removeprefix("step 1: ")) == 200


def test_a_command_is_not_run_and_the_stepper_says_so() -> None:
    (asked,) = play([{"result": {"result": "Done.", "command": "npm start"}}])
    assert "`command` is not run: 3.28.16" in asked.note
    assert asked.events[-1] == ("ask", "completion_result", "", False)
    assert play([DONE])[0].note == "the user is asked whether that is all"
    assert play(OLDER)[-1].note == "the user is asked whether `npm start` may run (older versions)"


def test_older_versions_asked_ran_and_sent_the_output_in_front() -> None:
    *_, asked, runs, ended, answered = play([*OLDER, True, {"output": "ready"}, {"feedback": "No."}])
    assert asked.events[-1] == ("ask", "command", "npm start", False)
    assert runs.events == (("executeCommand", "npm start"),)
    assert ended.note == "the user is asked whether that is all"
    words = said(answered)
    assert words.index("ready") < words.index("<feedback>")


def test_a_refused_command_ends_the_attempt() -> None:
    *_, refused = play([*OLDER, False])
    assert refused.title == "the command is refused"
    assert play([*OLDER, False, DONE])[-1].title == "the result is shown"


def test_an_output_needs_a_command_that_runs() -> None:
    with pytest.raises(ScenarioError, match="no command runs"):
        play([DONE, {"output": "x"}])
    with pytest.raises(ScenarioError, match="still runs"):
        play([*OLDER, True, {"feedback": "x"}])


def test_words_alone_end_nothing() -> None:
    turns = play([{"text": "That is all."}, {"text": ""}])
    assert [turn.mistakes for turn in turns] == [1, 2]
    assert "[ERROR]" in said(turns[0])
    assert [block_text(turn.messages[0].blocks[0]) for turn in turns] == ["That is all.", "(The model gave no reply.)"]


def test_behind_another_call_the_result_does_not_count() -> None:
    (turn,) = play([{"beside": {"before": "read_file", "result": "Done."}}])
    assert turn.events == ()
    assert "Tool [attempt_completion] did not run" in said(turn)


@pytest.mark.parametrize(("answer", "runs"), [({"answer": True}, False), ({"feedback": "No."}, True)])
def test_what_becomes_of_a_call_behind_the_result(answer: Any, runs: bool) -> None:
    _, answered = play([{"beside": {"after": "read_file", "result": "Done."}}, answer])
    assert ("[read_file] Result:" in said(answered)) is runs
    assert ("Tool [read_file] did not run" in said(answered)) is not runs


def test_a_call_behind_a_result_that_is_refused_does_not_run() -> None:
    (refused,) = play([{"beside": {"after": "read_file"}}])
    assert [message.role for message in refused.messages] == ["assistant", "user"]
    texts = [block_text(block) for block in refused.messages[1].blocks]
    assert texts[0] == "[attempt_completion] Result:"
    assert [text.startswith("Tool [read_file] did not run") for text in texts] == [False, False, True]


@pytest.mark.parametrize(("partial", "words"), [(False, "was left out"), (True, "was broken off")])
def test_after_a_refusal_no_call_runs(partial: bool, words: str) -> None:
    (turn,) = play([{"rejected": {"tool": "write_to_file", "partial": partial, "result": "Done."}}])
    assert f"Tool [attempt_completion] {words}" in said(turn)


def test_sub_tasks_go_as_deep_as_they_are_asked_to_and_parents_keep_their_own() -> None:
    steps: list[Any] = [{"text": "Hm."}, {"new_task": {"message": "a"}}, {"new_task": {"message": "b"}}]
    turns = play([*steps, DONE, True, DONE, True, {"text": "Hm."}, DONE, {"answer": True}])
    assert [turn.depth for turn in turns] == [0, 0, 1, 2, 2, 1, 1, 0, 0, 0]
    assert turns[7].mistakes == 2  # the parent's count was kept
    assert turns[4].messages[0].to == turns[6].messages[0].to == "the parent task"
    sizes = list(running_totals(turns, len))
    assert sizes[7][1] > sizes[1][1] + sizes[7][0]  # the parent's conversation goes on, with what came up
    assert sizes[2][1] == sizes[2][0]  # a sub-task starts with an empty one


def test_a_resumed_task_sends_the_last_message_again() -> None:
    *_, resumed = play([DONE, {"feedback": "No."}, {"resumed": "Go on."}])
    words = said(resumed)
    assert words.index("<feedback>") < words.index("<user_message>\nGo on.")
    with pytest.raises(ScenarioError, match="nothing was said"):
        play([{"resumed": "x"}])


def test_a_parent_that_is_resumed_sends_what_its_sub_task_left() -> None:
    *_, resumed = play([{"new_task": "Fix it."}, DONE, True, {"resumed": None}])
    assert said(resumed) == "[new_task completed] Result: Done."


WHOLE = "Well. <attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (WHOLE, "the result is shown"),
        (WHOLE[:-1], "a call is being streamed"),
        (WHOLE[:30], "a call is being streamed"),
        (WHOLE[:10], "a reply without a tool call"),
        (f"<read_file><path>a</path></read_file>{WHOLE}", "the result comes after read_file"),
        (f"{WHOLE}<read_file><path>a</path>", "the result is shown"),
    ],
)
def test_a_raw_reply_becomes_the_step_that_it_is(raw: str, title: str) -> None:
    assert [turn.title for turn in play([{"raw": raw}])] == [title]


def test_a_raw_reply_may_call_another_tool_behind_the_result() -> None:
    *_, answered = play([{"raw": f"{WHOLE}<read_file><path>a</path></read_file>"}, {"answer": True}])
    assert "Tool [read_file] did not run" in said(answered)


def test_a_raw_reply_is_kept_as_it_was_written() -> None:
    for raw in (f"{WHOLE} trailing", f"<read_file><path>a</path></read_file>{WHOLE}", "Only words."):
        [turn] = play([{"raw": raw}])
        assert [message.blocks[0]["text"] for message in turn.messages if message.role == "assistant"] == [raw]


def test_a_command_is_remarked_on_by_the_system_of_the_task() -> None:
    done = [{"result": {"result": "Done.", "command": "open index.html"}}]
    assert any("is a command of macOS" in each for each in play(done, "linux")[-1].remarks)
    assert not any("is a command of" in each for each in play(done, "darwin")[-1].remarks)


def test_a_raw_reply_has_a_limit() -> None:
    assert len(play([{"raw": "x" * 200_000}])) == 1
    with pytest.raises(ScenarioError, match="more than 200,000 characters"):
        play([{"raw": "x" * 200_001}])


def test_a_raw_reply_may_be_cut_off_anywhere() -> None:
    for end in range(len(WHOLE) + 1):
        assert len(play([{"raw": WHOLE[:end]}])) == 1


def test_three_mistakes_in_a_row_stop_the_task_and_the_user_is_asked() -> None:
    steps: list[Any] = [{"text": "words"}] * 3
    stopped = play(steps)[-1]
    assert "3 mistakes in a row" in stopped.note
    asked = play([*steps, {"feedback": "try again"}])[-1]
    assert asked.mistakes == 0
    assert "<feedback>\ntry again\n</feedback>" in asked.messages[0].blocks[0]["text"]
    assert play([*steps, {"answer": "yes"}])[-1].messages == ()
    with pytest.raises(ScenarioError, match="the user is asked first"):
        play([*steps, {"result": "done"}])
