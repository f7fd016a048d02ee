"""The tool `attempt_completion` as a state machine (docs/agents/roo.md#replies).

The result is announced (telemetry and event) before the user has answered, and again on each later attempt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.javascript.text import JS_WHITESPACE
from promptscope_engine.prompt.spans import joined

from .format_response import (
    REFUSALS,
    Block,
    image_blocks,
    missing_tool_parameter_error,
    push_tool_result,
    text_block,
    tool_error,
)

Event = tuple[Any, ...]
"""A kind and its members, as the table in conformance/RESPONSES.md lists them."""

Reason = Literal["pending", "failed", "running"]
REASONS: tuple[Reason, ...] = get_args(Reason)

_TOOL = "attempt_completion"
LABEL = f"[{_TOOL}]"


class _ShowingFailedError(Exception):
    """A message of the chat could not be shown."""


def attempt_completion(params: Mapping[str, str | None], **facts: Any) -> CompletionCall:
    """Run one call of the tool; the facts are the fields of `CompletionCall`."""
    return CompletionCall(params, **facts).run()


@dataclass
class CompletionCall:
    """One call of the tool with `params` `{"result", "command"}`, either of which may be absent.

    `partial` marks a call that is still being streamed. `prevent_open_todos` is the setting
    preventCompletionWithOpenTodos, `todos` the list `[{id, content, status}]` that it looks at. `last_message` is the
    chat's last one, `{type, say | ask}`. A task with a `parent_task` hands its result up if `approve` says so; any
    other asks the user, whose `reply` is `{response, text?, images?}`, None for accepted. With `say_error` showing a
    message fails with that text.

    `hardened` is not the agent's own behaviour but what it lacks: a call is refused while other tool calls are pending,
    after a file operation failed and while a command runs. `in_the_way` names them, and counts only then.
    """

    params: Mapping[str, str | None]
    partial: bool = False
    prevent_open_todos: bool = False
    todos: Sequence[Mapping[str, Any]] | None = None
    last_message: Mapping[str, Any] | None = None
    parent_task: bool = False
    approve: bool = True
    reply: Mapping[str, Any] | None = None
    say_error: str | None = None
    mistakes: int = 0
    """Consecutive ones, before the call and then after it."""
    task_id: str = "T"
    hardened: bool = False
    in_the_way: Mapping[Reason, Sequence[str]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    """What it did, in order: tuples whose first member is the kind."""
    content: list[Block] = field(default_factory=list)
    """Content blocks that go to the model with the next request."""

    def run(self) -> Self:
        """Run the call, once."""
        is_open = self.prevent_open_todos and any(todo.get("status") != "completed" for todo in self.todos or ())
        refusal = REFUSALS["open_todos"] if is_open else None
        if refusal is None and self.hardened:  # the first reason that holds
            found = ((why, self.in_the_way.get(why)) for why in REASONS)
            refusal = next((REFUSALS[why].format(names=", ".join(names)) for why, names in found if names), None)
        result = self.params.get("result")
        try:
            # Open work stops partial calls too, and comes before the look for a missing result.
            if refusal is not None:
                self._refuse(refusal)
            elif self.partial:
                self._stream(result, self.params.get("command"))
            elif not result:
                self._miss("result")
            else:
                self._complete(str(result), self.reply or {"response": "yesButtonClicked"})
        except _ShowingFailedError as failure:
            # The label was taken over from the browser tool.
            self.events.append(("handleError", "inspecting site", str(failure)))
        return self

    def _say(self, kind: str, text: str, images: list[str] | None, partial: bool | None) -> None:
        self.events.append(("say", kind, text, images, partial))
        if self.say_error is not None:
            raise _ShowingFailedError(self.say_error)

    def _ask(self, kind: str, text: str, partial: bool) -> None:
        self.events.append(("ask", kind, text, partial))

    def _push(self, result: str) -> None:
        self.events.append(("pushToolResult",))
        self.content += push_tool_result(LABEL, result)

    def _announce(self) -> None:
        self.events.append(("telemetry", "captureTaskCompleted", self.task_id))
        self.events.append(("emit", "taskCompleted", self.task_id))

    def _refuse(self, error: str) -> None:
        self.mistakes += 1
        self.events.append(("recordToolError", _TOOL))
        self._push(tool_error(error))

    def _miss(self, parameter: str) -> None:
        self.mistakes += 1
        self.events.append(("recordToolError", _TOOL))
        self.events.append(("sayAndCreateMissingParamError", _TOOL, parameter))
        self._push(tool_error(missing_tool_parameter_error(parameter)))

    def _stream(self, result: str | None, command: str | None) -> None:
        """Show what has arrived so far; with a command the result before it is complete."""
        if not command:
            self._say("completion_result", _without_open_tag("result", result), None, True)
            return
        if (self.last_message or {}).get("ask") != "command":
            self._say("completion_result", _without_open_tag("result", result), None, False)
            self._announce()
        self._ask("command", _without_open_tag("command", command), True)

    def _complete(self, result: str, reply: Mapping[str, Any]) -> None:
        """Present the result. A command is never executed here."""
        self.mistakes = 0
        self._say("completion_result", result, None, False)
        self._announce()
        if self.parent_task:
            self.events.append(("askFinishSubTaskApproval",))
            if self.approve:
                self.events.append(("finishSubTask", result))
            return
        self._ask("completion_result", "", False)
        if reply.get("response") == "yesButtonClicked":
            self._push("")
        else:
            self._take_feedback(reply.get("text"), reply.get("images"))

    def _take_feedback(self, text: str | None, images: list[str] | None) -> None:
        """Words go into the content directly: no tool result is pushed."""
        self._say("user_feedback", text or "", images, None)
        lead = joined(FOLDER.spans("feedback", Scope({})))
        self.content += [
            text_block(f"{LABEL} Result:"),
            text_block(f"{lead}\n<feedback>\n{'undefined' if text is None else text}\n</feedback>"),
            *image_blocks(images),
        ]


def _without_open_tag(tag: str, text: str | None) -> str:
    """`text` of a call still being streamed, without the beginnings of its closing tag at the very end.

    Any letters of the tag in their order will do after `<`, also none: a lone `<` goes too.
    """
    letters = "".join(f"(?:{letter})?" for letter in tag)
    return re.sub(rf"[{JS_WHITESPACE}]?</?{letters}\Z", "", text or "")
