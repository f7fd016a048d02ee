"""A task of Roo's between two steps: what it knows, and what a call of `attempt_completion` does in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.replies import Block, Message, Turn

from .completion import CompletionCall, Event, Reason
from .format_response import push_tool_result, second_tool_text, text_block, too_many_mistakes

SETTINGS = ("preventCompletionWithOpenTodos", "hardened", "runCommand")
"""`runCommand` is not a setting of 3.28.16: it brings back what older versions did with a command."""
MISTAKE_LIMIT = 3
"""The default of consecutiveMistakeLimit."""

Call = Mapping[str, str | None]
"""`result` and `command` of a call, either of which may be missing."""

_ASKS_PARENT = ("askFinishSubTaskApproval",)
_ASKS_USER = ("ask", "completion_result", "", False)


def message(role: str, *texts: str, to: str | None = None) -> Message:
    """A message of text blocks."""
    return Message("user" if role == "user" else "assistant", tuple(map(text_block, texts)), to)


def turn(title: str, messages: Sequence[Message] = (), events: Sequence[Event] = (), note: str = "") -> Turn:
    """What a step did; the step itself is filled in by the one who took it."""
    return Turn(None, title, tuple(messages), tuple(events), note)


@dataclass
class Task:
    """The state of a task between two steps."""

    settings: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(SETTINGS, False))
    lists: dict[Reason, list[str]] = field(default_factory=dict)
    todos: list[dict[str, str]] = field(default_factory=list)
    is_subtask: bool = False
    system: str = ""
    """That of the machine, as in `sys.platform`."""
    say_error: str | None = None
    mistakes: int = 0
    last_message: dict[str, str] | None = None
    recorded: list[Message] = field(default_factory=list)
    """The conversation so far."""
    child: Task | None = None
    """The sub-task that begins with the next step."""
    ended: bool = False
    command: str | None = None
    """The command that waits for its approval, then for its output (older versions)."""
    running: bool = False
    printed: str = ""
    """What the command printed."""
    second_tool: str | None = None
    """The tool that the model called after attempt_completion, in the same message."""
    waiting: Call | None = None
    """The call whose result waits for an answer."""

    # --- which steps it takes -----------------------------------------------------------------------------------

    def check(self, kind: str) -> None:
        """Raise ScenarioError for a step that makes no sense now."""
        if self.running and kind != "output":
            raise ScenarioError("the command still runs: `output` is what it prints")
        if kind == "output" and not self.running:
            raise ScenarioError("no command runs: it takes the setting runCommand, a command and its approval")
        if self.stopped:
            return
        if self.waiting is not None and not self.running and kind not in ("answer", "feedback"):
            raise ScenarioError("the result still waits for its answer: `answer` or `feedback`")
        if kind in ("answer", "feedback") and self.waiting is None:
            raise ScenarioError(f"there is no result that waits for `{kind}`")

    @property
    def stopped(self) -> bool:
        """Whether so many mistakes in a row have stopped it: the user is asked."""
        return self.mistakes >= MISTAKE_LIMIT

    def after_mistakes(self, kind: str, value: Json) -> Turn:
        """The user's answer after too many mistakes: the count starts again."""
        text = value.get("text") if isinstance(value, Mapping) else value
        if kind not in ("answer", "feedback") or (kind == "feedback" and not isinstance(text, str)):
            raise ScenarioError(f"{MISTAKE_LIMIT} mistakes in a row: the user is asked first, `answer` or `feedback`")
        self.mistakes, self.waiting = 0, None
        words = (message("user", too_many_mistakes(str(text))),) if kind == "feedback" else ()
        return turn("the user is asked", words, (("ask", "mistake_limit_reached"),), "the agent goes on")

    def hear(self, messages: Sequence[Message]) -> None:
        """Record what a sub-task that ended left for this one."""
        self.recorded += [Message(each.role, each.blocks) for each in messages if each.to]

    # --- the call -----------------------------------------------------------------------------------------------

    def attempt(
        self, call: Call, *, partial: bool = False, approve: bool = True, reply: Mapping[str, Any] | None = None
    ) -> CompletionCall:
        """Run a call, and keep the count of mistakes and the last message."""
        outcome = CompletionCall(
            call,
            partial=partial,
            prevent_open_todos=self.settings["preventCompletionWithOpenTodos"],
            todos=self.todos,
            last_message=self.last_message,
            parent_task=self.is_subtask,
            approve=approve,
            reply=reply,
            say_error=self.say_error,
            mistakes=self.mistakes,
            hardened=self.settings["hardened"],
            in_the_way=self.lists,
        ).run()
        self.mistakes = outcome.mistakes
        for event in outcome.events:
            if event[0] in ("say", "ask"):
                self.last_message = {event[0]: event[1]}
        return outcome

    def attempt_whole(self, call: Call, spoken: str) -> Turn:
        """Run a complete call, up to the question to the user; `spoken` is what the model wrote."""
        outcome, written = self.attempt(call), message("assistant", spoken)
        asked = next((event for event in (_ASKS_PARENT, _ASKS_USER) if event in outcome.events), None)
        if asked is None:
            answer = (Message("user", tuple(outcome.content)),) if outcome.content else ()
            failed = outcome.events[-1][0] == "handleError"
            title = "showing the result failed" if failed else "the result is refused"
            return turn(title, (written, *answer), outcome.events)
        self.waiting = call
        before = outcome.events[: outcome.events.index(asked)]
        if self.settings["runCommand"] and call.get("command"):
            self.command = call["command"]
            events = [*before, ("ask", "command", self.command, False)]
            note = f"the user is asked whether `{self.command}` may run (older versions)"
            return turn("the result is shown", (written,), events, note)
        return turn("the result is shown", (written,), [*before, asked], self._question)

    @property
    def _question(self) -> str:
        return "the end of the sub-task is asked for" if self.is_subtask else "the user is asked whether that is all"

    def answered(
        self, *, approve: bool = True, reply: Mapping[str, Any] | None = None
    ) -> tuple[CompletionCall, list[Event]]:
        """Run the waiting call again with its answer: the outcome, and the events after the question."""
        outcome = self.attempt(self.waiting or {}, approve=approve, reply=reply)
        self.waiting = None
        question = "askFinishSubTaskApproval" if self.is_subtask else "ask"
        return outcome, outcome.events[[event[0] for event in outcome.events].index(question) + 1 :]

    def reply_message(self, outcome: CompletionCall, *, is_result: bool) -> Message:
        """The user's message after an answer: the command's output, what the call gave, and the call after it.

        That call does not run once there is a tool result.
        """
        printed, self.printed = self.printed, ""
        tool, self.second_tool = self.second_tool, None
        blocks: list[Block] = [*push_tool_result("[execute_command]", printed)] if printed else []
        blocks += outcome.content
        if tool is not None:
            blocks += [text_block(second_tool_text(tool))] if is_result else push_tool_result(f"[{tool}]", "…")
        return Message("user", tuple(blocks))

    # --- what older versions did with a command -----------------------------------------------------------------

    def approve_command(self, agreed: bool, denial: Message) -> Turn:
        """The answer to the question whether the command may run."""
        if agreed:
            self.running = True
            return turn("the command runs", (), (("executeCommand", self.command),), "`output` ends it")
        self.command = self.waiting = None
        return turn("the command is refused", (denial,), (("pushToolResult",),), "the agent goes on")

    def end_command(self, printed: str) -> Turn:
        """The command has ended: now the user is asked about the result."""
        self.running, self.command, self.printed = False, None, printed
        asked = _ASKS_PARENT if self.is_subtask else _ASKS_USER
        return turn("the command has ended", (), (asked,), self._question)
