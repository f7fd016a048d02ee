"""Tools that are always available: asking, finishing, slash commands and the todo list (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label
from promptscope_engine.prompt.leaves import flag

from .block import ALWAYS_GROUP, optional, required, tool, usage


@tool(ALWAYS_GROUP, parameters=required("question", "follow_up"))
def ask_followup_question(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """A question to the user, with suggested answers."""
    yield builtin(
        "ask_followup_question.description",
        "Description: Put a question to the user, to learn something without which the task cannot go on well: a clarification, or further details.\n\n",
    )
    yield label("Parameters:\n- question: (required) ")
    yield builtin("ask_followup_question.question", "A clear, specific question")
    yield label("\n- follow_up: (required) ")
    yield builtin(
        "ask_followup_question.follow_up",
        """\
2-4 suggested answers, each within a <suggest> tag of its own. They must be complete, actionable, and free of placeholders. With the optional attribute mode, an answer also switches to another mode

""",
    )
    yield label("Usage:\n<ask_followup_question>\n<question>")
    yield builtin("ask_followup_question.usage", "your question")
    yield label("</question>\n<follow_up>\n<suggest>")
    yield builtin("ask_followup_question.usage", "first answer")
    yield label('</suggest>\n<suggest mode="code">')
    yield builtin("ask_followup_question.usage", "answer that switches the mode")
    yield label("</suggest>\n</follow_up>\n</ask_followup_question>\n\n")
    yield builtin("ask_followup_question.example", "Example: asking for a decision\n")
    yield builtin(
        "ask_followup_question.example",
        "<ask_followup_question>\n<question>Which database should the service use?</question>\n<follow_up>\n<suggest>PostgreSQL, as the other services do</suggest>\n<suggest>SQLite, with one file per user</suggest>\n<suggest>None yet: keep the data in memory</suggest>\n</follow_up>\n</ask_followup_question>",
    )


@tool(ALWAYS_GROUP, parameters=required("result"))
def attempt_completion(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """The result, presented to the user."""
    yield builtin(
        "attempt_completion.description",
        """\
Description: Each tool call is answered by the user with its result, which tells you whether it succeeded and why it may have failed. Once such results have let you confirm that the task is done, present your result to the user with this tool. Someone who is not content with it may respond with feedback, from which you can improve and try once more.
""",
    )
    yield builtin(
        "attempt_completion.important",
        """\
IMPORTANT NOTE: Do NOT call this tool while the success of an earlier call is still open: a result that rests on an unnoticed failure leaves the user with broken code. Go through your calls in <thinking></thinking> tags beforehand, and see for each that the user has confirmed it. Where even one is lacking, this tool has to wait.
""",
    )
    yield label("Parameters:\n- result: (required) ")
    yield builtin(
        "attempt_completion.result",
        "The result of the task. Word it as final, so that it calls for nothing more from the user; no question and no offer of further help at its end.",
    )
    yield label("\nUsage:\n<attempt_completion>\n<result>\n")
    yield builtin("attempt_completion.usage", "a description of your final result")
    yield label("\n</result>\n</attempt_completion>\n\n")
    yield builtin("attempt_completion.example", "Example: presenting a result\n")
    yield builtin(
        "attempt_completion.example",
        "<attempt_completion>\n<result>\nOrders can now be filtered by date\n</result>\n</attempt_completion>",
    )


@tool(ALWAYS_GROUP, when=flag("experiments.runSlashCommand"), parameters=required("command") + optional("args"))
def run_slash_command(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """A slash command's instructions, an experiment."""
    yield builtin(
        "run_slash_command.description",
        "Description: Run a slash command to obtain the instructions or content it stands for. Slash commands are ready-made templates that guide you in detail through common tasks.\n\n",
    )
    yield label("Parameters:\n- command: (required) ")
    yield builtin("run_slash_command.command", 'Which slash command to run (such as "changelog", "review", "release")')
    yield label("\n- args: (optional) ")
    yield builtin("run_slash_command.args", "Further arguments or context for the command\n\n")
    yield from usage("run_slash_command", lead="", command="name of the command", args="arguments (may be left out)")
    yield builtin("run_slash_command.examples", "Examples:\n\n1. A command by itself:\n")
    yield builtin(
        "run_slash_command.examples", "<run_slash_command>\n<command>changelog</command>\n</run_slash_command>\n\n"
    )
    yield builtin("run_slash_command.examples", "2. A command with more context:\n")
    yield builtin(
        "run_slash_command.examples",
        "<run_slash_command>\n<command>review</command>\n<args>the files below src/billing</args>\n</run_slash_command>\n\n",
    )
    yield builtin(
        "run_slash_command.note", "What the command holds comes back to you, to be carried out or kept as guidance."
    )


@tool(ALWAYS_GROUP, when=flag("settings.todoListEnabled"), parameters=required("todos"))
def update_todo_list(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """The whole checklist of the task, written anew. The one block without a list of parameters."""
    yield builtin(
        "update_todo_list.description",
        """
**Description:**
Write the TODO list anew: the checklist you give replaces the old one entirely and must therefore be complete, with the present status of each item. The system shows the list to the user and keeps it through the whole task, so that everyone can see at any time what has been done, what is being worked on and what remains.

**Form of the checklist:**
- A markdown checklist of one level: no entries below entries
- Items stand in the order in which they are meant to be carried out
- The box before an item tells its status:
""",
    )
    yield label("   - [ ] ")
    yield builtin("update_todo_list.pending", "pending: not begun")
    yield label("\n   - [x] ")
    yield builtin("update_todo_list.completed", "completed: done in full")
    yield label("\n   - [-] ")
    yield builtin("update_todo_list.in_progress", "in_progress: being worked on at present")
    yield builtin(
        "update_todo_list.principles",
        """

**Principles:**
- Before an update, settle for each item whether it has been completed since the last one
- One update may change several statuses at once: mark an item as completed and the one after it as in progress
- When you come upon something new that has to be done in the course of a long or complex task, put it on the list right away
- Leave unfinished items on the list and do not remove them, unless you are told to or they no longer matter
- Mark an item as completed only once all of it is achieved, with nothing partial left and no open errors
- If something stands in the way of an item, keep it as in progress and add an item that says what has to be solved first

""",
    )
    yield label("**Usage Example:**\n<update_todo_list>\n<todos>\n")
    yield builtin(
        "update_todo_list.example",
        "[x] Find out where invoices are rounded\n[x] Write a test that shows the fault\n[-] Round each position, then the sum\n[ ] Run the whole test suite\n[ ] Mention the change in the changelog\n</todos>\n</update_todo_list>\n\n",
    )
    yield builtin(
        "update_todo_list.example",
        "*When the rounding is repaired, and wrong totals have turned up in the database:*\n",
    )
    yield builtin(
        "update_todo_list.example",
        "<update_todo_list>\n<todos>\n[x] Find out where invoices are rounded\n[x] Write a test that shows the fault\n[x] Round each position, then the sum\n[-] Run the whole test suite\n[ ] Mention the change in the changelog\n[ ] Correct the totals that are stored already\n</todos>\n</update_todo_list>\n\n",
    )
    yield builtin(
        "update_todo_list.when",
        """\
**When it is called for:**
- The task has several steps, or has to be followed up over some time
- The statuses of more than one item have to change
- Something new to do turned up while the work was going on
- The user asks for such a list
- The task is complex enough to gain from being tracked step by step

**When it is not:**
- There is a single, simple thing to do
- The task is done in one or two plain steps
- The user is merely talking or wants to know something

**How to manage the list:**
- Update it right after an item is finished, and mark the next as in progress
- Add items the moment you recognize them, each worded so that it is clear what has to be done
- Keep up work on the list until every item of the task is completed
""",
    )
