"""Tools of the group `modes`, which are always available (specs/roo.md 2.1): a mode that lists it has them first."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Choice, ParameterDraft, Piece, builtin, label
from promptscope_engine.prompt.leaves import flag

from .block import optional, required, tool, usage

TODOS = flag("settings.newTaskRequireTodos")


@tool("modes", parameters=required("mode_slug") + optional("reason"))
def switch_mode(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """A change of mode, which the user has to approve."""
    yield builtin(
        "switch_mode.description",
        "Description: Request a change to another mode. A mode may ask for it when the task needs something that another is better at, such as going to Code mode for changes of code. The user has to approve the change.\n",
    )
    yield label("Parameters:\n- mode_slug: (required) ")
    yield builtin("switch_mode.mode_slug", 'Slug of the mode to change to (such as "code", "ask", "architect")')
    yield label("\n- reason: (optional) ")
    yield builtin("switch_mode.reason", "Why the mode should change")
    yield from usage("switch_mode", mode_slug="slug of the mode", reason="why it should change")
    yield builtin("switch_mode.example", "Example: changing to code mode\n")
    yield builtin(
        "switch_mode.example",
        "<switch_mode>\n<mode_slug>code</mode_slug>\n<reason>The code has to be changed now</reason>\n</switch_mode>",
    )


@tool(
    "modes",
    parameters=(*required("mode", "message"), ParameterDraft("todos", when=TODOS)),
    variant=Choice(((TODOS, "with todos"),), "without todos"),
)
def new_task(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """A task of its own in a chosen mode; todos are named only where they are required."""
    yield builtin(
        "new_task.description",
        "Description: This starts a task instance of its own, in the mode you choose and with the message you provide",
    )
    yield builtin("new_task.description.todos", " and a list of its first todos (required)", when=TODOS)
    yield label(".\n\nParameters:\n- mode: (required) ")
    yield builtin("new_task.mode", "Slug of the mode that the task starts in (such as code, debug, architect).")
    yield label("\n- message: (required) ")
    yield builtin("new_task.message", "The user's first message or the instructions for the task.")
    yield label("\n- todos: (required) ", when=TODOS)
    yield builtin("new_task.todos", "The first todo list of the task, a markdown checklist.", when=TODOS)
    yield label("\n\nUsage:\n<new_task>\n<mode>")
    yield builtin("new_task.usage", "slug of the mode")
    yield label("</mode>\n<message>")
    yield builtin("new_task.usage", "instructions to begin with")
    yield label("</message>\n")
    yield label("<todos>\n[ ] ", when=TODOS)
    yield builtin("new_task.usage.todos", "first thing to do", when=TODOS)
    yield label("\n[ ] ", when=TODOS)
    yield builtin("new_task.usage.todos", "second thing to do", when=TODOS)
    yield label("\n[ ] ", when=TODOS)
    yield builtin("new_task.usage.todos", "third thing to do", when=TODOS)
    yield label("\n</todos>\n", when=TODOS)
    yield label("</new_task>\n\n")
    yield builtin("new_task.example", "Example:\n")
    yield label("<new_task>\n<mode>code</mode>\n<message>")
    yield builtin("new_task.example", "Add search to the list of orders")
    yield builtin("new_task.example.todos", ", with paging", when=TODOS)
    yield label("</message>\n")
    yield builtin(
        "new_task.example.todos",
        "<todos>\n[ ] Add the search endpoint\n[ ] Build the search field\n[ ] Page through the results\n[ ] Write tests for it\n</todos>\n",
        when=TODOS,
    )
    yield label("</new_task>\n")
    # The form with todos ends in one more line end (1.1).
    yield label("\n", when=TODOS)
