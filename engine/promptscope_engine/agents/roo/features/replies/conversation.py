"""How a task ends, step by step: `attempt_completion` with what comes before and after it (specs/roo.md 7).

A step is a mapping of one key, as a script writes it:

    - settings: {preventCompletionWithOpenTodos: true, hardened: false}
    - todos: [{content: Write the test, status: pending}]      # or plain texts, which are pending
    - pending: [read_file]           # what the hardened variant looks at; also failed: […], running: […]
    - subtask: true                  # the task was started by another one
    - say_error: the panel is gone   # showing a message fails from now on; null: no more
    - partial: {result: The first ha}
    - result: All is done.           # or {result: …, command: …}; {} for a call without a result
    - answer: yes                    # no refuses the end of a sub-task
    - feedback: The test fails.      # or {text: …, images: […]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from promptscope_engine.agents.replies import Message, StepChoice, Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import ScenarioError, unknown

from .completion import CompletionOutcome, attempt_completion
from .format_response import text_block, tool_denied
from .tool_use import push_tool_result

_LABEL = "[attempt_completion]"
_WAITS = {
    "completion_result": "the user is asked whether that is all",
    "subtask": "the end of the sub-task is asked for",
}
_SETTINGS = ("preventCompletionWithOpenTodos", "hardened")
_LISTS = ("pending", "failed", "running")
_STATUSES = ("pending", "in_progress", "completed")

CHOICES: tuple[StepChoice, ...] = (
    StepChoice(
        "todos",
        "the todo list of the task",
        [
            {"content": "Write the test", "status": "completed"},
            {"content": "Fix the rounding", "status": "in_progress"},
        ],
    ),
    StepChoice("settings", "what guards the end", {"preventCompletionWithOpenTodos": True, "hardened": False}),
    StepChoice("partial", "the call is still being streamed", {"result": "The rounding is fi"}),
    StepChoice("result", "the model calls attempt_completion", {"result": "The rounding is fixed, and tested."}),
    StepChoice("answer", "the user's button: yes, or no to a sub-task", True),
    StepChoice("feedback", "the user's words about the result", {"text": "Negative amounts are still off by one."}),
    StepChoice("subtask", "whether another task started this one", True),
    StepChoice("pending", "hardened: tool calls that wait for their results", ["read_file"]),
    StepChoice("failed", "hardened: file operations that failed", ["src/money.ts"]),
    StepChoice("running", "hardened: commands that are running", ["npm test"]),
    StepChoice("say_error", "showing a message fails with it; null: no more", "the panel is gone"),
)


@frozen(slots=False)
class CompletionMachine:
    """How Roo ends a task, as `EndsTasks` offers it."""

    choices: tuple[StepChoice, ...] = CHOICES

    def play(self, steps: Sequence[Json]) -> tuple[Turn, ...]:
        """A turn for each step."""
        task = _Task()
        turns = []
        for number, step in enumerate(steps, start=1):
            try:
                turns.append(task.take(step))
            except ScenarioError as error:
                raise ScenarioError(error.message, where=f"step {number}", nearest=error.nearest) from None
        return tuple(turns)


@dataclass
class _Task:
    """The state of a task between two steps."""

    settings: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(_SETTINGS, False))
    lists: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in _LISTS})
    todos: list[dict[str, str]] = field(default_factory=list)
    subtask: bool = False
    say_error: str | None = None
    mistakes: int = 0
    last_message: dict[str, str] | None = None
    waiting: dict[str, str | None] | None = None
    """The call whose result waits for an answer."""

    def take(self, step: Json) -> Turn:
        """Do one step."""
        if isinstance(step, bool):  # `- yes` in a script
            step = {"answer": step}
        if not isinstance(step, Mapping) or len(step) != 1:
            raise ScenarioError(f"a step is one key with its value, not {step!r}"[:200])
        ((kind, value),) = step.items()
        names = [choice.name for choice in CHOICES]
        if kind not in names:
            raise unknown("step", str(kind), names)
        if self.waiting is not None and kind not in ("answer", "feedback"):
            raise ScenarioError("the result still waits for its answer: `answer` or `feedback`")
        if kind in ("answer", "feedback") and self.waiting is None:
            raise ScenarioError(f"there is no result that waits for `{kind}`")
        if kind in _LISTS:
            return self._set_list(kind, value, step)
        turn: Turn = getattr(self, f"_take_{kind}")(value, step)
        return turn

    # --- the state before the call -----------------------------------------------------------------------------

    def _set_list(self, kind: str, value: Json, step: Json) -> Turn:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ScenarioError(f"`{kind}` is a list of texts")
        self.lists[kind] = value
        note = "" if self.settings["hardened"] else "the agent itself does not look at it; `hardened` is off"
        return self._turn(step, f"{kind}: {', '.join(value) or 'none'}", note=note)

    def _take_todos(self, value: Json, step: Json) -> Turn:
        items = (
            [{"content": item} if isinstance(item, str) else item for item in value] if isinstance(value, list) else []
        )
        self.todos = []
        for number, item in enumerate(items, start=1):
            status = item.get("status", "pending") if isinstance(item, Mapping) else None
            if status not in _STATUSES or not isinstance(item.get("content"), str):
                raise ScenarioError(f"a todo has content and a status of {', '.join(_STATUSES)}, not {item!r}"[:200])
            self.todos.append({"id": str(number), "content": item["content"], "status": status})
        if value and not items:
            raise ScenarioError("`todos` is a list")
        opened = sum(todo["status"] != "completed" for todo in self.todos)
        guard = "the setting refuses a result now" if opened and self.settings[_SETTINGS[0]] else ""
        return self._turn(step, f"todos: {len(self.todos)}, {opened} open", note=guard)

    def _take_settings(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, Mapping):
            raise ScenarioError("`settings` is a mapping")
        for name, on in value.items():
            if name not in _SETTINGS:
                raise unknown("setting", str(name), _SETTINGS)
            if not isinstance(on, bool):
                raise ScenarioError(f"`{name}` is on or off, not {on!r}"[:200])
            self.settings[name] = on
        words = ", ".join(f"{name} {'on' if on else 'off'}" for name, on in self.settings.items())
        return self._turn(step, f"settings: {words}")

    def _take_subtask(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, bool):
            raise ScenarioError(f"`subtask` is true or false, not {value!r}"[:200])
        self.subtask = value
        return self._turn(step, "a sub-task: its result goes to its parent" if value else "a task of its own")

    def _take_say_error(self, value: Json, step: Json) -> Turn:
        self.say_error = None if value is None else str(value)
        return self._turn(step, f"showing a message fails: {value}" if value else "messages are shown")

    # --- the call and its answer --------------------------------------------------------------------------------

    def _take_partial(self, value: Json, step: Json) -> Turn:
        outcome = self._attempt(_call(value), partial=True)
        self._remember(outcome)
        messages = (Message("user", tuple(outcome.content)),) if outcome.content else ()
        note = "refused while it is still being streamed" if messages else "nothing is added to the conversation yet"
        return self._turn(step, "a call is being streamed", messages, outcome.events, note)

    def _take_result(self, value: Json, step: Json) -> Turn:
        call = _call(value)
        outcome = self._attempt(call)
        spoken = Message("assistant", (text_block(_spoken(call)),))
        asked = ("ask", "completion_result", "", False)
        waits = "subtask" if ("askFinishSubTaskApproval",) in outcome.events else "completion_result"
        if waits == "subtask" or asked in outcome.events:
            self.waiting = call
            at = outcome.events.index(("askFinishSubTaskApproval",) if waits == "subtask" else asked)
            self._remember(outcome)
            return self._turn(step, "the result is shown", (spoken,), outcome.events[: at + 1], _WAITS[waits])
        self._remember(outcome)
        answer = (Message("user", tuple(outcome.content)),) if outcome.content else ()
        failed = outcome.events[-1][0] == "handleError"
        title = "showing the result failed" if failed else "the result is refused"
        return self._turn(step, title, (spoken, *answer), outcome.events)

    def _take_answer(self, value: Json, step: Json) -> Turn:
        if value not in (True, False, "yes", "no"):
            raise ScenarioError(f"`answer` is yes or no, not {value!r}"[:200])
        agreed = value in (True, "yes")
        if not self.subtask:
            if not agreed:
                raise ScenarioError("the question knows no `no`: the user accepts with yes, or writes `feedback`")
            outcome = self._answered(reply=None)
            messages = (Message("user", tuple(outcome.content)),)
            return self._turn(step, "the user accepts", messages, self._after(outcome), "the task rests here")
        result = str((self.waiting or {}).get("result"))
        outcome = self._answered(approve=agreed)
        if agreed:
            told = Message("user", (text_block(f"[new_task completed] Result: {result}"),), to="the parent task")
            return self._turn(step, "the sub-task ends", (told,), self._after(outcome), "its parent goes on")
        # The denial was pushed by the helper that asks (specs/roo.md, section 7, point 5).
        denial = Message("user", tuple(push_tool_result(_LABEL, tool_denied())))
        return self._turn(step, "the end of the sub-task is refused", (denial,), self._after(outcome))

    def _take_feedback(self, value: Json, step: Json) -> Turn:
        given = value if isinstance(value, Mapping) else {"text": value}
        images = given.get("images")
        if not isinstance(given.get("text"), str | None):
            raise ScenarioError(f"`feedback` is a text, not {given.get('text')!r}"[:200])
        if self.subtask:
            raise ScenarioError("a sub-task is not asked for feedback: answer yes or no")
        reply = {"response": "messageResponse", "text": given.get("text"), "images": images}
        try:
            outcome = self._answered(reply=reply)
        except ValueError as error:
            raise ScenarioError(str(error)) from None
        messages = (Message("user", tuple(outcome.content)),)
        return self._turn(step, "the user gives feedback", messages, self._after(outcome), "the agent goes on")

    # --- helpers ------------------------------------------------------------------------------------------------

    def _attempt(
        self,
        call: Mapping[str, str | None],
        *,
        partial: bool = False,
        approve: bool = True,
        reply: Mapping[str, Any] | None = None,
    ) -> CompletionOutcome:
        return attempt_completion(
            call,
            partial,
            self.settings["preventCompletionWithOpenTodos"],
            self.todos,
            self.last_message,
            self.subtask,
            approve,
            reply,
            self.say_error,
            self.mistakes,
            hardened=self.settings["hardened"],
            pending_tools=self.lists["pending"],
            failed_files=self.lists["failed"],
            running_commands=self.lists["running"],
        )

    def _answered(self, *, approve: bool = True, reply: Mapping[str, Any] | None = None) -> CompletionOutcome:
        """Runs the waiting call again with its answer; the events up to the question repeat."""
        outcome = self._attempt(self.waiting or {}, approve=approve, reply=reply)
        self.waiting = None
        self._remember(outcome)
        return outcome

    def _after(self, outcome: CompletionOutcome) -> list[tuple[Any, ...]]:
        """The events after the question."""
        kinds = [event[0] for event in outcome.events]
        question = "askFinishSubTaskApproval" if self.subtask else "ask"
        return outcome.events[kinds.index(question) + 1 :]

    def _remember(self, outcome: CompletionOutcome) -> None:
        self.mistakes = outcome.mistakes
        for event in outcome.events:
            if event[0] in ("say", "ask"):
                self.last_message = {"type": event[0], event[0]: event[1]}

    def _turn(
        self,
        step: Json,
        title: str,
        messages: tuple[Message, ...] = (),
        events: Sequence[tuple[Any, ...]] = (),
        note: str = "",
    ) -> Turn:
        return Turn(step, title, messages, tuple(events), note, self.mistakes)


def _call(value: Json) -> dict[str, str | None]:
    given = value if isinstance(value, Mapping) else {"result": value}
    for name, text in given.items():
        if name not in ("result", "command"):
            raise unknown("parameter", str(name), ("result", "command"))
        if text is not None and not isinstance(text, str):
            raise ScenarioError(f"`{name}` is a text, not {text!r}"[:200])
    return dict(given)


def _spoken(call: Mapping[str, str | None]) -> str:
    """The call as the model writes it."""
    parts = "".join(f"<{name}>\n{text}\n</{name}>\n" for name, text in call.items() if text is not None)
    return f"<attempt_completion>\n{parts}</attempt_completion>"
