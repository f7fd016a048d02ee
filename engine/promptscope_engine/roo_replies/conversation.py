"""How a task ends, step by step: `attempt_completion` with what comes before and after it.

A step is a mapping of one key, as a script writes it: steps.toml has them all with an example, and says what else
their values may be.
"""

import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError, unknown
from promptscope_engine.replies import PARENT, Completion, Message, StepChoice, Turn

from .completion import LABEL, REASONS, Reason
from .format_response import (
    RESUMPTION,
    interrupted_tool_text,
    no_tools_used,
    push_tool_result,
    rejected_tool_text,
    resumption,
    second_tool_text,
    text_block,
    tool_denied,
)
from .spoken import MAX_CHARS, SpokenCall, parse_spoken, remarks
from .task import MISTAKE_LIMIT, SETTINGS, Task, message, turn

_NOT_RUN = (
    "`command` is not run: 3.28.16 tells the model of no such parameter and executes none in a complete call; older "
    "versions did, see the setting runCommand"
)
_NO_REPLY = "(The model gave no reply.)"
_STATUSES = ("pending", "in_progress", "completed")
_LONGEST_MESSAGE = 200

CHOICES: tuple[StepChoice, ...] = tuple(
    StepChoice(**row) for row in tomllib.loads(Path(__file__).with_name("steps.toml").read_text("utf-8"))["steps"]
)


def play(steps: Sequence[Json], system: str = sys.platform) -> tuple[Turn, ...]:
    """A turn for each step; `system` is that of the task's machine, as in `sys.platform`."""
    tasks = [Task(system=system)]  # the parents, each with its own conversation, and the one that runs
    turns = []
    for number, step in enumerate(steps, start=1):
        try:
            turns.append(replace(_take(tasks[-1], step), depth=len(tasks) - 1))
        except ScenarioError as error:
            raise ScenarioError(error.message, where=f"step {number}", nearest=error.nearest) from None
        if tasks[-1].child is not None:
            child, tasks[-1].child = tasks[-1].child, None
            tasks.append(child)
        elif tasks[-1].ended and len(tasks) > 1:
            tasks.pop()
            tasks[-1].hear(turns[-1].messages)
    return tuple(turns)


COMPLETION = Completion(CHOICES, play)


def _take(task: Task, step: Json) -> Turn:
    """Do one step of a task."""
    if isinstance(step, bool):  # `- yes` in a script
        step = {"answer": step}
    if not isinstance(step, Mapping) or len(step) != 1:
        raise _not("a step is one key with its value", step)
    ((kind, value),) = step.items()
    if kind not in _STEPS:
        raise unknown("step", str(kind), list(_STEPS))
    task.check(kind)
    done = task.after_mistakes(kind, value) if task.stopped else _STEPS[kind](task, value)
    if kind not in REASONS:
        task.recorded += [each for each in done.messages if each.to is None]
    note = done.note
    if task.stopped:
        stops = f"{MISTAKE_LIMIT} mistakes in a row: it stops and asks the user (`answer` or `feedback`)"
        note = f"{note}; {stops}" if note else stops
    return replace(done, step=step, note=note, mistakes=task.mistakes)


# --- the state before the call ----------------------------------------------------------------------------------------


def _list(kind: Reason, task: Task, value: Json) -> Turn:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ScenarioError(f"`{kind}` is a list of texts")
    task.lists[kind] = value
    note = "" if task.settings["hardened"] else "the agent itself does not look at it; `hardened` is off"
    return turn(f"{kind}: {', '.join(value) or 'none'}", note=note)


def _todos(task: Task, value: Json) -> Turn:
    given = value if isinstance(value, list) else []
    task.todos = []
    for item in [{"content": item} if isinstance(item, str) else item for item in given]:
        status = item.get("status", "pending") if isinstance(item, Mapping) else None
        if status not in _STATUSES or not isinstance(item.get("content"), str):
            raise _not(f"a todo has content and a status of {', '.join(_STATUSES)}", item)
        task.todos.append({"content": item["content"], "status": status})
    if value and not given:
        raise ScenarioError("`todos` is a list")
    opened = sum(todo["status"] != "completed" for todo in task.todos)
    guard = "the setting refuses a result now" if opened and task.settings[SETTINGS[0]] else ""
    return turn(f"todos: {len(task.todos)}, {opened} open", note=guard)


def _settings(task: Task, value: Json) -> Turn:
    if not isinstance(value, Mapping):
        raise ScenarioError("`settings` is a mapping")
    for name, on in value.items():
        if name not in SETTINGS:
            raise unknown("setting", str(name), SETTINGS)
        if not isinstance(on, bool):
            raise _not(f"`{name}` is on or off", on)
        task.settings[name] = on
    shown = [(name, on) for name, on in task.settings.items() if on or name != "runCommand"]
    return turn("settings: " + ", ".join(f"{name} {'on' if on else 'off'}" for name, on in shown))


def _subtask(task: Task, value: Json) -> Turn:
    if not isinstance(value, bool):
        raise _not("`subtask` is true or false", value)
    task.is_subtask = value
    return turn("a sub-task: its result goes to its parent" if value else "a task of its own")


def _say_error(task: Task, value: Json) -> Turn:
    task.say_error = None if value is None else str(value)
    return turn(f"showing a message fails: {value}" if value else "messages are shown")


# --- the call and its answer ------------------------------------------------------------------------------------------


def _partial(task: Task, value: Json) -> Turn:
    outcome = task.attempt(_call(value), partial=True)
    messages = (Message("user", tuple(outcome.content)),) if outcome.content else ()
    note = "refused while it is still being streamed" if messages else "nothing is added to the conversation yet"
    return turn("a call is being streamed", messages, outcome.events, note)


def _result(task: Task, value: Json) -> Turn:
    call = _call(value)
    done = task.attempt_whole(call, _spoken(call))
    not_run = _NOT_RUN if call.get("command") and not task.settings["runCommand"] else ""
    note = "; ".join(filter(None, (done.note, not_run)))
    return replace(done, note=note, remarks=remarks(call.get("result"), call.get("command"), task.system))


def _answer(task: Task, value: Json) -> Turn:
    if value not in (True, False, "yes", "no"):
        raise _not("`answer` is yes or no", value)
    agreed = value in (True, "yes")
    # The denial of a sub-task's end is pushed by the helper that asks.
    denial = Message("user", tuple(push_tool_result(LABEL, tool_denied())))
    if task.command is not None:
        return task.approve_command(agreed, denial)
    if not task.is_subtask:
        if not agreed:
            raise ScenarioError("the question knows no `no`: the user accepts with yes, or writes `feedback`")
        outcome, events = task.answered()
        return turn("the user accepts", (task.reply_message(outcome, is_result=True),), events, "the task rests here")
    result = str((task.waiting or {}).get("result"))
    _, events = task.answered(approve=agreed)
    if not agreed:
        return turn("the end of the sub-task is refused", (denial,), events)
    task.ended = True
    handed = message("user", f"[new_task completed] Result: {result}", to=PARENT)
    return turn("the sub-task ends", (handed,), events, "its parent goes on")


def _feedback(task: Task, value: Json) -> Turn:
    given = value if isinstance(value, Mapping) else {"text": value}
    if not isinstance(given.get("text"), str | None):
        raise _not("`feedback` is a text", given.get("text"))
    if task.is_subtask:
        raise ScenarioError("a sub-task is not asked for feedback: answer yes or no")
    reply = {"response": "messageResponse", "text": given.get("text"), "images": given.get("images")}
    try:
        outcome, events = task.answered(reply=reply)
    except ValueError as error:
        raise ScenarioError(str(error)) from None
    # Feedback does not count as a tool's result: the next call of the same message runs.
    tool = task.second_tool
    second = f"; the call of {tool} after it runs, as feedback is not a tool result" if tool else ""
    words = task.reply_message(outcome, is_result=False)
    return turn("the user gives feedback", (words,), events, f"the agent goes on{second}")


def _output(task: Task, value: Json) -> Turn:
    return task.end_command(_text("output", value))


# --- other replies of the model ---------------------------------------------------------------------------------------


def _no_call(task: Task, value: Json) -> Turn:
    text = _text("text", value)
    task.mistakes += 1
    messages = (message("assistant", text or _NO_REPLY), message("user", no_tools_used()))
    title = "a reply without a tool call" if text else "an empty reply"
    return turn(title, messages, (), "the task does not end: a result takes attempt_completion")


def _beside(task: Task, value: Json) -> Turn:
    given = dict(value) if isinstance(value, Mapping) else {}
    others = {place: given.pop(place) for place in ("before", "after") if place in given}
    if len(others) != 1 or not isinstance(tool := next(iter(others.values())), str):
        raise ScenarioError("`beside` names the other tool: {before: read_file, result: …} or {after: …}")
    call = _call(given)
    if "before" in others:
        spoken = message("assistant", f"<{tool}>…</{tool}>\n{_spoken(call)}")
        blocks = (*push_tool_result(f"[{tool}]", "…"), text_block(second_tool_text("attempt_completion")))
        note = "only the first call of a message runs: nothing is announced, the task goes on"
        return turn(f"the result comes after {tool}", (spoken, Message("user", blocks)), (), note)
    done = task.attempt_whole(call, f"{_spoken(call)}\n<{tool}>…</{tool}>")
    if task.waiting is not None:
        task.second_tool = tool
        return done
    *before, last = done.messages
    answer = Message(last.role, (*last.blocks, text_block(second_tool_text(tool))))
    return replace(done, messages=(*before, answer))


def _rejected(_: Task, value: Json) -> Turn:
    given = dict(value) if isinstance(value, Mapping) else {}
    tool, is_partial = given.pop("tool", None), given.pop("partial", False)
    if not isinstance(tool, str) or not isinstance(is_partial, bool):
        raise ScenarioError("`rejected` names the tool that the user refused: {tool: write_to_file, result: …}")
    spoken = message("assistant", f"<{tool}>…</{tool}>\n{_spoken(_call(given))}")
    left_out = interrupted_tool_text(LABEL) if is_partial else rejected_tool_text(LABEL)
    answer = Message("user", (*push_tool_result(f"[{tool}]", tool_denied()), text_block(left_out)))
    return turn(f"the user refused {tool}", (spoken, answer), (), "after a refusal no further call of the message runs")


def _new_task(task: Task, value: Json) -> Turn:
    given = value if isinstance(value, Mapping) else {"message": value}
    mode, words = given.get("mode", "code"), given.get("message")
    if not isinstance(mode, str) or not isinstance(words, str):
        raise ScenarioError("`new_task` has a mode and a message")
    call = f"<new_task>\n<mode>{mode}</mode>\n<message>{words}</message>\n</new_task>"
    first = message("user", f"<task>\n{words}\n</task>", to="the sub-task")
    task.child = Task(
        dict(task.settings), system=task.system, is_subtask=True, recorded=[Message("user", first.blocks)]
    )
    messages = (message("assistant", call), first)
    return turn(f"a sub-task begins in the mode {mode}", messages, (), "this conversation is kept")


def _resumed(task: Task, value: Json) -> Turn:
    if value is not None and not isinstance(value, str):
        raise _not("`resumed` is the user's words or null", value)
    if not task.recorded:
        raise ScenarioError("nothing was said yet that could be taken up again")
    # A last message of the user is taken out and sent again in front.
    last = task.recorded.pop().blocks if task.recorded[-1].role == "user" else ()
    words = (text_block(resumption(value)),) if value else ()
    blocks = (*last, *words) or (text_block(RESUMPTION),)
    note = "the last message of the user is sent again in front" if last else ""
    return turn("the task is resumed", (Message("user", blocks),), (), note)


def _raw(task: Task, value: Json) -> Turn:
    if not isinstance(value, str):
        raise _not("`raw` is what the model wrote", value)
    if len(value) > MAX_CHARS:
        raise ScenarioError(f"`raw` has more than {MAX_CHARS:,} characters")
    done = _understood(task, value)
    # The conversation keeps what the model wrote, as it wrote it.
    written = [message("assistant", value) if m.role == "assistant" and value else m for m in done.messages]
    return replace(done, messages=tuple(written))


def _understood(task: Task, value: str) -> Turn:
    """The step that a reply amounts to, once it is parsed."""
    calls = [part for part in parse_spoken(value) if isinstance(part, SpokenCall)]
    end = next((call for call in calls if call.tool == "attempt_completion"), None)
    if not calls:
        return _no_call(task, value)
    if end is None:
        raise ScenarioError(f"the reply calls {calls[0].tool}, not attempt_completion")
    params = {name: end.params[name] for name in ("result", "command") if name in end.params}
    if end is not calls[0]:
        return _beside(task, {"before": calls[0].tool, **params})
    if end.partial:
        return _partial(task, params)
    if len(calls) > 1:
        return _beside(task, {"after": calls[1].tool, **params})
    return _result(task, params)


_STEPS: dict[str, Callable[[Task, Any], Turn]] = {
    "todos": _todos,
    "settings": _settings,
    "partial": _partial,
    "result": _result,
    "answer": _answer,
    "feedback": _feedback,
    "text": _no_call,
    "beside": _beside,
    "rejected": _rejected,
    "output": _output,
    "new_task": _new_task,
    "resumed": _resumed,
    "raw": _raw,
    "subtask": _subtask,
    **{kind: partial(_list, kind) for kind in REASONS},
    "say_error": _say_error,
}
"""In the order of the choices."""


def _not(meant: str, given: object) -> ScenarioError:
    """An error that ends with what was given, as far as anybody would read it."""
    return ScenarioError(f"{meant}, not {given!r}"[:_LONGEST_MESSAGE])


def _text(kind: str, value: Json) -> str:
    if not isinstance(value, str):
        raise _not(f"`{kind}` is a text", value)
    return value


def _call(value: Json) -> dict[str, str | None]:
    given = value if isinstance(value, Mapping) else {"result": value}
    for name, text in given.items():
        if name not in ("result", "command"):
            raise unknown("parameter", str(name), ("result", "command"))
        if text is not None and not isinstance(text, str):
            raise _not(f"`{name}` is a text", text)
    return dict(given)


def _spoken(call: Mapping[str, str | None]) -> str:
    """The call as the model writes it."""
    parts = "".join(f"<{name}>\n{text}\n</{name}>\n" for name, text in call.items() if text is not None)
    return f"<attempt_completion>\n{parts}</attempt_completion>"
