"""How a task ends, step by step: `attempt_completion` with what comes before and after it (docs/agents/roo.md#replies).

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
    - text: I think it is done.      # a reply without a tool call; "" for an empty one
    - beside: {before: read_file, result: Done.}     # another call of the same message; or after: …
    - rejected: {tool: write_to_file, result: Done.} # the user refused the call before it
    - new_task: {mode: code, message: Fix it.}       # a sub-task begins; the parent's conversation is kept
    - resumed: Go on.                # the saved task is taken up again; null without words
    - raw: <attempt_completion>…     # the model's reply as it wrote it, complete or cut off anywhere
    - output: 12 tests passed        # what the command printed, with the setting runCommand
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.replies import PARENT, Block, Message, StepChoice, Turn

from .completion import CompletionOutcome, attempt_completion
from .format_response import no_tools_used, text_block, too_many_mistakes, tool_denied
from .spoken import MAX_CHARS, SpokenCall, parse_spoken, remarks
from .tool_use import (
    RESUMPTION,
    interrupted_tool_text,
    push_tool_result,
    rejected_tool_text,
    resumption,
    second_tool_text,
)

_LABEL = "[attempt_completion]"
_WAITS = {
    "completion_result": "the user is asked whether that is all",
    "subtask": "the end of the sub-task is asked for",
}
_SETTINGS = ("preventCompletionWithOpenTodos", "hardened", "runCommand")
"""`runCommand` is no setting of 3.28.16: it brings back what older versions did with a command."""

_NOT_RUN = (
    "`command` is not run: 3.28.16 tells the model of no such parameter and executes none in a complete call; older "
    "versions did, see the setting runCommand"
)
_LEAD_EMPTY = "(The model gave no reply.)"
_LISTS = ("pending", "failed", "running")
_STATUSES = ("pending", "in_progress", "completed")
_LONGEST_MESSAGE = 200

CHOICES: tuple[StepChoice, ...] = (
    StepChoice(
        "todos",
        "the todo list of the task",
        [
            {"content": "Write the test", "status": "completed"},
            {"content": "Fix the rounding", "status": "in_progress"},
        ],
    ),
    StepChoice(
        "settings",
        "what guards the end; runCommand: as older versions did",
        {"preventCompletionWithOpenTodos": True, "hardened": False, "runCommand": False},
    ),
    StepChoice("partial", "the call is still being streamed", {"result": "The rounding is fi"}),
    StepChoice("result", "the model calls attempt_completion", {"result": "The rounding is fixed, and tested."}),
    StepChoice("answer", "the user's button: yes, or no to a sub-task", True),
    StepChoice("feedback", "the user's words about the result", {"text": "Negative amounts are still off by one."}),
    StepChoice("text", "the model answers without a tool call", "I think that is all."),
    StepChoice("beside", "attempt_completion with another call", {"before": "read_file", "result": "All is done."}),
    StepChoice("rejected", "the user refused the call before it", {"tool": "write_to_file", "result": "All is done."}),
    StepChoice("output", "what the command printed, with runCommand", "12 tests passed"),
    StepChoice("new_task", "a sub-task begins", {"mode": "code", "message": "Fix the rounding."}),
    StepChoice("resumed", "the saved task is taken up again, with words or null", "Go on with the tests."),
    StepChoice(
        "raw",
        "the model's reply as it wrote it",
        "<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>",
    ),
    StepChoice("subtask", "whether another task started this one", True),
    StepChoice("pending", "hardened: tool calls that wait for their results", ["read_file"]),
    StepChoice("failed", "hardened: file operations that failed", ["src/money.ts"]),
    StepChoice("running", "hardened: commands that are running", ["npm test"]),
    StepChoice("say_error", "showing a message fails with it; null: no more", "the panel is gone"),
)


MISTAKE_LIMIT = 3
"""consecutiveMistakeLimit where nobody has set it."""


class CompletionMachine(Struct, frozen=True):
    """How Roo ends a task, as `EndsTasks` offers it."""

    choices: tuple[StepChoice, ...] = CHOICES

    def play(self, steps: Sequence[Json]) -> tuple[Turn, ...]:
        """A turn for each step."""
        tasks = [_Task()]  # the parents, each with its own conversation, and the one that runs
        turns = []
        for number, step in enumerate(steps, start=1):
            try:
                turns.append(replace(tasks[-1].take(step), depth=len(tasks) - 1))
            except ScenarioError as error:
                raise ScenarioError(error.message, where=f"step {number}", nearest=error.nearest) from None
            if tasks[-1].child is not None:
                child, tasks[-1].child = tasks[-1].child, None
                tasks.append(child)
            elif tasks[-1].ended and len(tasks) > 1:
                tasks.pop()
                tasks[-1].hear(turns[-1].messages)
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
    recorded: list[Message] = field(default_factory=list)
    """The conversation so far."""
    child: _Task | None = None
    """The sub-task that begins with the next step."""
    ended: bool = False
    command: str | None = None
    """The command that waits for its approval, then for its output (older versions)."""
    running: bool = False
    printed: str = ""
    """What the command printed."""
    after: str | None = None
    """The tool that the model called behind attempt_completion, in the same message."""
    waiting: dict[str, str | None] | None = None
    """The call whose result waits for an answer."""

    def take(self, step: Json) -> Turn:
        """Do one step."""
        if isinstance(step, bool):  # `- yes` in a script
            step = {"answer": step}
        if not isinstance(step, Mapping) or len(step) != 1:
            raise _no("a step is one key with its value", step)
        ((kind, value),) = step.items()
        names = [choice.name for choice in CHOICES]
        if kind not in names:
            raise unknown("step", str(kind), names)
        if self.running and kind != "output":
            raise ScenarioError("the command still runs: `output` is what it prints")
        if kind == "output" and not self.running:
            raise ScenarioError("no command runs: it takes the setting runCommand, a command and its approval")
        if self.mistakes >= MISTAKE_LIMIT:
            return self._after_mistakes(str(kind), value, step)
        if self.waiting is not None and not self.running and kind not in ("answer", "feedback"):
            raise ScenarioError("the result still waits for its answer: `answer` or `feedback`")
        if kind in ("answer", "feedback") and self.waiting is None:
            raise ScenarioError(f"there is no result that waits for `{kind}`")
        if kind in _LISTS:
            return self._set_list(kind, value, step)
        turn: Turn = getattr(self, f"_take_{kind}")(value, step)
        self.recorded += [message for message in turn.messages if message.to is None]
        return turn

    def _after_mistakes(self, kind: str, value: Json, step: Json) -> Turn:
        """So many mistakes in a row stop the task: the user is asked, and the count begins anew."""
        text = value.get("text") if isinstance(value, Mapping) else value
        if kind not in ("answer", "feedback") or (kind == "feedback" and not isinstance(text, str)):
            raise ScenarioError(f"{MISTAKE_LIMIT} mistakes in a row: the user is asked first, `answer` or `feedback`")
        self.mistakes, self.waiting = 0, None
        words = (Message("user", (text_block(too_many_mistakes(str(text))),)),) if kind == "feedback" else ()
        self.recorded += words
        return self._turn(step, "the user is asked", words, (("ask", "mistake_limit_reached"),), "the agent goes on")

    def hear(self, messages: Sequence[Message]) -> None:
        """What a sub-task that ended left for this one."""
        self.recorded += [Message(message.role, message.blocks) for message in messages if message.to]

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
        for item in items:
            status = item.get("status", "pending") if isinstance(item, Mapping) else None
            if status not in _STATUSES or not isinstance(item.get("content"), str):
                raise _no(f"a todo has content and a status of {', '.join(_STATUSES)}", item)
            self.todos.append({"content": item["content"], "status": status})
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
                raise _no(f"`{name}` is on or off", on)
            self.settings[name] = on
        words = ", ".join(
            f"{name} {'on' if on else 'off'}" for name, on in self.settings.items() if on or name != "runCommand"
        )
        return self._turn(step, f"settings: {words}")

    def _take_subtask(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, bool):
            raise _no("`subtask` is true or false", value)
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
        spoken = Message("assistant", (text_block(_spoken(call)),))
        turn = self._attempted(call, spoken, step)
        told = (_NOT_RUN,) if call.get("command") and not self.settings["runCommand"] else ()
        note = "; ".join(filter(None, (turn.note, *told)))
        return replace(turn, note=note, remarks=remarks(call.get("result"), call.get("command")))

    def _attempted(self, call: dict[str, str | None], spoken: Message, step: Json) -> Turn:
        """The call runs, up to the question to the user."""
        outcome = self._attempt(call)
        asked = ("ask", "completion_result", "", False)
        waits = "subtask" if ("askFinishSubTaskApproval",) in outcome.events else "completion_result"
        if waits == "subtask" or asked in outcome.events:
            self.waiting = call
            at = outcome.events.index(("askFinishSubTaskApproval",) if waits == "subtask" else asked)
            self._remember(outcome)
            if self.settings["runCommand"] and call.get("command"):
                self.command = call["command"]
                events = [*outcome.events[:at], ("ask", "command", self.command, False)]
                note = f"the user is asked whether `{self.command}` may run (older versions)"
                return self._turn(step, "the result is shown", (spoken,), events, note)
            return self._turn(step, "the result is shown", (spoken,), outcome.events[: at + 1], _WAITS[waits])
        self._remember(outcome)
        answer = (Message("user", tuple(outcome.content)),) if outcome.content else ()
        failed = outcome.events[-1][0] == "handleError"
        title = "showing the result failed" if failed else "the result is refused"
        return self._turn(step, title, (spoken, *answer), outcome.events)

    def _take_answer(self, value: Json, step: Json) -> Turn:
        if value not in (True, False, "yes", "no"):
            raise _no("`answer` is yes or no", value)
        agreed = value in (True, "yes")
        if self.command is not None:
            return self._approved(agreed, step)
        if not self.subtask:
            if not agreed:
                raise ScenarioError("the question knows no `no`: the user accepts with yes, or writes `feedback`")
            outcome = self._answered(reply=None)
            messages = (Message("user", (*self._command_blocks(), *outcome.content, *self._second(ran=True))),)
            return self._turn(step, "the user accepts", messages, self._after(outcome), "the task rests here")
        result = str((self.waiting or {}).get("result"))
        outcome = self._answered(approve=agreed)
        if agreed:
            self.ended = True
            told = Message("user", (text_block(f"[new_task completed] Result: {result}"),), to=PARENT)
            return self._turn(step, "the sub-task ends", (told,), self._after(outcome), "its parent goes on")
        # The denial was pushed by the helper that asks.
        denial = Message("user", tuple(push_tool_result(_LABEL, tool_denied())))
        return self._turn(step, "the end of the sub-task is refused", (denial,), self._after(outcome))

    def _take_feedback(self, value: Json, step: Json) -> Turn:
        given = value if isinstance(value, Mapping) else {"text": value}
        images = given.get("images")
        if not isinstance(given.get("text"), str | None):
            raise _no("`feedback` is a text", given.get("text"))
        if self.subtask:
            raise ScenarioError("a sub-task is not asked for feedback: answer yes or no")
        reply = {"response": "messageResponse", "text": given.get("text"), "images": images}
        try:
            outcome = self._answered(reply=reply)
        except ValueError as error:
            raise ScenarioError(str(error)) from None
        # Feedback does not count as a tool's result: the next call of the same message runs.
        second = f"; the call of {self.after} behind it runs, as feedback is no tool result" if self.after else ""
        messages = (Message("user", (*self._command_blocks(), *outcome.content, *self._second(ran=False))),)
        return self._turn(step, "the user gives feedback", messages, self._after(outcome), f"the agent goes on{second}")

    # --- what older versions did with a command --------------------------------------------------------------------

    def _approved(self, agreed: bool, step: Json) -> Turn:
        """The answer to the question whether the command may run."""
        if agreed:
            self.running = True
            return self._turn(step, "the command runs", (), (("executeCommand", self.command),), "`output` ends it")
        self.command = self.waiting = None
        denial = Message("user", tuple(push_tool_result(_LABEL, tool_denied())))
        return self._turn(step, "the command is refused", (denial,), (("pushToolResult",),), "the agent goes on")

    def _take_output(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, str):
            raise _no("`output` is a text", value)
        self.running, self.command, self.printed = False, None, value
        event = ("askFinishSubTaskApproval",) if self.subtask else ("ask", "completion_result", "", False)
        waits = "subtask" if self.subtask else "completion_result"
        return self._turn(step, "the command has ended", (), (event,), _WAITS[waits])

    def _command_blocks(self) -> tuple[Block, ...]:
        """What the command printed, in front of the answer."""
        printed, self.printed = self.printed, ""
        return tuple(push_tool_result("[execute_command]", printed)) if printed else ()

    # --- other replies of the model --------------------------------------------------------------------------------

    def _take_text(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, str):
            raise _no("`text` is a text", value)
        self.mistakes += 1
        said = Message("assistant", (text_block(value or _LEAD_EMPTY),))
        answer = Message("user", (text_block(no_tools_used()),))
        title = "a reply without a tool call" if value else "an empty reply"
        return self._turn(step, title, (said, answer), (), "the task does not end: a result takes attempt_completion")

    def _take_beside(self, value: Json, step: Json) -> Turn:
        given = dict(value) if isinstance(value, Mapping) else {}
        others = {place: given.pop(place) for place in ("before", "after") if place in given}
        if len(others) != 1 or not isinstance(tool := next(iter(others.values())), str):
            raise ScenarioError("`beside` names the other tool: {before: read_file, result: …} or {after: …}")
        call = _call(given)
        written = (f"<{tool}>…</{tool}>", _spoken(call))
        if "before" in others:
            said = Message("assistant", (text_block("\n".join(written)),))
            blocks = (*push_tool_result(f"[{tool}]", "…"), text_block(second_tool_text("attempt_completion")))
            note = "only the first call of a message runs: nothing is announced, the task goes on"
            return self._turn(step, f"the result stands behind {tool}", (said, Message("user", blocks)), (), note)
        said = Message("assistant", (text_block("\n".join(reversed(written))),))
        turn = self._attempted(call, said, step)
        if self.waiting is not None:
            self.after = tool
            return turn
        messages = (*turn.messages[:-1], _with(turn.messages[-1], text_block(second_tool_text(tool))))
        return replace(turn, messages=messages)

    def _second(self, *, ran: bool) -> tuple[Block, ...]:
        """What becomes of the call behind attempt_completion: it does not run once there is a tool result."""
        tool, self.after = self.after, None
        if tool is None:
            return ()
        return (text_block(second_tool_text(tool)),) if ran else tuple(push_tool_result(f"[{tool}]", "…"))

    def _take_rejected(self, value: Json, step: Json) -> Turn:
        given = dict(value) if isinstance(value, Mapping) else {}
        tool, partial = given.pop("tool", None), given.pop("partial", False)
        if not isinstance(tool, str) or not isinstance(partial, bool):
            raise ScenarioError("`rejected` names the tool that the user refused: {tool: write_to_file, result: …}")
        said = Message("assistant", (text_block(f"<{tool}>…</{tool}>\n{_spoken(_call(given))}"),))
        left_out = interrupted_tool_text(_LABEL) if partial else rejected_tool_text(_LABEL)
        blocks = (*push_tool_result(f"[{tool}]", tool_denied()), text_block(left_out))
        note = "after a refusal no further call of the message runs"
        return self._turn(step, f"the user refused {tool}", (said, Message("user", blocks)), (), note)

    def _take_new_task(self, value: Json, step: Json) -> Turn:
        given = value if isinstance(value, Mapping) else {"message": value}
        mode, message = given.get("mode", "code"), given.get("message")
        if not isinstance(mode, str) or not isinstance(message, str):
            raise ScenarioError("`new_task` has a mode and a message")
        call = f"<new_task>\n<mode>{mode}</mode>\n<message>{message}</message>\n</new_task>"
        self.child = _Task(settings=dict(self.settings), subtask=True)
        asked = Message("assistant", (text_block(call),))
        first = Message("user", (text_block(f"<task>\n{message}\n</task>"),), to="the sub-task")
        self.child.recorded.append(Message("user", first.blocks))
        return self._turn(
            step, f"a sub-task begins in the mode {mode}", (asked, first), (), "this conversation is kept"
        )

    def _take_resumed(self, value: Json, step: Json) -> Turn:
        if value is not None and not isinstance(value, str):
            raise _no("`resumed` is the user's words or null", value)
        if not self.recorded:
            raise ScenarioError("nothing was said yet that could be taken up again")
        # A last message of the user is taken out and sent again in front.
        last = self.recorded.pop().blocks if self.recorded[-1].role == "user" else ()
        words = (text_block(resumption(value)),) if value else ()
        blocks = (*last, *words) or (text_block(RESUMPTION),)
        note = "the last message of the user is sent again in front" if last else ""
        return self._turn(step, "the task is resumed", (Message("user", blocks),), (), note)

    def _take_raw(self, value: Json, step: Json) -> Turn:
        if not isinstance(value, str):
            raise _no("`raw` is what the model wrote", value)
        if len(value) > MAX_CHARS:
            raise ScenarioError(f"`raw` has more than {MAX_CHARS:,} characters")
        turn = self._understood(value, step)
        # The conversation keeps what the model wrote, as it wrote it.
        as_written = tuple(
            Message("assistant", (text_block(value),)) if message.role == "assistant" and value else message
            for message in turn.messages
        )
        return replace(turn, messages=as_written)

    def _understood(self, value: str, step: Json) -> Turn:
        """The step that a reply comes to, as it is parsed."""
        parts = parse_spoken(value)
        calls = [part for part in parts if isinstance(part, SpokenCall)]
        end = next((call for call in calls if call.tool == "attempt_completion"), None)
        if not calls:
            return self._take_text(value, step)
        if end is None:
            raise ScenarioError(f"the reply calls {calls[0].tool}, not attempt_completion")
        params: dict[str, str | None] = {name: end.params.get(name) for name in ("result", "command")}
        params = {name: text for name, text in params.items() if text is not None}
        if end is not calls[0]:
            return self._take_beside({"before": calls[0].tool, **params}, step)
        if end.partial:
            return self._take_partial(params, step)
        if len(calls) > 1:
            return self._take_beside({"after": calls[1].tool, **params}, step)
        return self._take_result(params, step)

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
                self.last_message = {event[0]: event[1]}

    def _turn(
        self,
        step: Json,
        title: str,
        messages: tuple[Message, ...] = (),
        events: Sequence[tuple[Any, ...]] = (),
        note: str = "",
    ) -> Turn:
        if self.mistakes >= MISTAKE_LIMIT:
            stops = f"{MISTAKE_LIMIT} mistakes in a row: it stops and asks the user (`answer` or `feedback`)"
            note = f"{note}; {stops}" if note else stops
        return Turn(step, title, messages, tuple(events), note, self.mistakes)


def _no(meant: str, given: object) -> ScenarioError:
    """An error that ends with what was given, as far as anybody would read it."""
    return ScenarioError(f"{meant}, not {given!r}"[:_LONGEST_MESSAGE])


def _with(message: Message, block: Block) -> Message:
    return Message(message.role, (*message.blocks, block))


def _call(value: Json) -> dict[str, str | None]:
    given = value if isinstance(value, Mapping) else {"result": value}
    for name, text in given.items():
        if name not in ("result", "command"):
            raise unknown("parameter", str(name), ("result", "command"))
        if text is not None and not isinstance(text, str):
            raise _no(f"`{name}` is a text", text)
    return dict(given)


def _spoken(call: Mapping[str, str | None]) -> str:
    """The call as the model writes it."""
    parts = "".join(f"<{name}>\n{text}\n</{name}>\n" for name, text in call.items() if text is not None)
    return f"<attempt_completion>\n{parts}</attempt_completion>"
