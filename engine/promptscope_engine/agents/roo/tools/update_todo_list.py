"""update_todo_list (specs/roo.md 2.3): the one block without a list of parameters."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label
from promptscope_engine.prompt.leaves import flag

from .block import ALWAYS_GROUP, required, tool


@tool(ALWAYS_GROUP, when=flag("settings.todoListEnabled"), parameters=required("todos"))
def update_todo_list(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """The whole checklist of the task, written anew."""
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
