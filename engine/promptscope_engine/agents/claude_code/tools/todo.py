"""TodoWrite: the task list of a headless session of 2.1.100, with its examples (specs/claude-code.md 6)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import array, parameters, record
from .text import ToolText

_TODO = {
    "purpose": "With this tool you set up a structured list of tasks for the coding session you are in, and keep it up to date. It lets you follow your progress, organise work of several parts and show the user that you are thorough.\nThe user, too, sees from it how far the task has come and what became of their requests.",
    "when": "\n## When to use it\nUse it on your own initiative in these cases:\n",
    "when_steps": "1. Work of several steps: a task needs 3 or more separate steps or actions",
    "when_complex": "2. Work that is not trivial: it calls for careful planning or for several operations",
    "when_asked": "3. The user asks for a todo list outright",
    "when_several": "4. The user hands you several things to do, numbered or separated by commas",
    "when_new": "5. New instructions came in: record at once as todos what the user requires",
    "when_start": "6. You start on a task: mark it in_progress BEFORE the work begins. At best only one todo is in_progress at any time",
    "when_done": "7. You have finished a task: mark it completed, and add what the work has brought up",
    "when_not": "\n## When NOT to use it\n\nLeave it aside when:\n1. there is one straightforward task only\n2. the task is trivial, so that a list would gain nothing\n3. fewer than 3 trivial steps will do\n4. it is all talk or information\n\nNOTE: with a single trivial task, do not use this tool; simply do the task.",
    "examples": "\n## Examples of when to use the list\n",
    "example_export": "<example>\nUser: Customers should be able to export their invoices as CSV. Please write tests for it, and see that the linter is happy at the end!\nAssistant: *Makes a todo list:*\n1. Look at how invoices are loaded and shown today\n2. Write the CSV writer with quoting and encoding\n3. Add the endpoint and check permissions on it\n4. Put the export button onto the invoice page\n5. Write tests for writer and endpoint, run the linter, and mend what either reports\n*Starts on the first todo*\n\n<reasoning>\nThe assistant made a list because:\n1. The feature reaches from the data to the interface and has several parts that build on each other\n2. The user named tests and the linter on top of the feature; as the last todo they cannot be forgotten\n</reasoning>\n</example>\n",
    "example_rename": "<example>\nUser: Please rename the setting cache_ttl to cache_seconds all over the project\nAssistant: *Searches the project for the name*\nThe name occurs 27 times, in 11 files of different kinds.\n*Makes a todo list with one entry for the definition, one for each group of uses (server, workers, command line), one for the sample configuration and the documentation, and one for a note in the changelog*\n\n<reasoning>\nThe assistant made a list because:\n1. It looked first, and so learned how far the change reaches\n2. There are many places in several parts of the project, and each has to be treated in the same way\n3. With a list no place is overlooked, and the user sees what has been done already\n</reasoning>\n</example>\n",
    "example_features": "<example>\nUser: For the library app I need: reservations, reminders by mail, fines for late returns, and a page of statistics.\nAssistant: *Makes a todo list that breaks each of the four features down into tasks according to how the app is built*\nI begin with reservations, since reminders and fines depend on them.\n*Marks the first task of the reservations in_progress*\n\n<reasoning>\nThe assistant made a list because:\n1. The user named several features, separated by commas, each of which is larger than one step\n2. Breaking them down shows what depends on what, and in which order to work\n3. The user can follow progress across all four\n</reasoning>\n</example>\n",
    "example_slow": "<example>\nUser: The start page has become slow. Can you find out why and make it faster?\nAssistant: *Measures the page and reads the code behind it*\nI found five causes: a query that runs once per row, pictures in full size, a stylesheet that blocks rendering, a missing index, and a third-party script in the head.\n*Makes a todo list with an entry for each cause and a last one for measuring again*\nShall I start with the query, which costs the most?\n\n<reasoning>\nThe assistant made a list because:\n1. It first measured, and found that several things have to be changed\n2. Each can be changed and checked by itself\n3. The list keeps the changes apart and makes sure that the effect is measured at the end\n</reasoning>\n</example>\n",
    "counterexamples": "## Examples of when NOT to use the list\n",
    "counterexample_question": "<example>\nUser: How do I see which version of a package pip has installed?\nAssistant: With `pip show` and the name of the package; the line Version tells it.\n\n<reasoning>\nThe assistant made no list: this is a question that one sentence answers. There are no steps to follow and nothing to be done in the project.\n</reasoning>\n</example>\n",
    "counterexample_comment": "<example>\nUser: Put a comment above parse_header that says why it strips the first byte.\nAssistant: *Changes the file with the Edit tool*\nThe comment is in place.\n\n<reasoning>\nThe assistant made no list: there is a single change at a single place, and it was done right away. A list of one entry would have helped nobody.\n</reasoning>\n</example>\n",
    "counterexample_command": "<example>\nUser: Run the unit tests, please, and tell me if they pass.\nAssistant: *Runs the tests with the Bash tool*\nAll 318 tests pass.\n\n<reasoning>\nThe assistant made no list: one command with an immediate result. Had tests failed and had the user wanted them mended, a list with an entry for each failure would have been right.\n</reasoning>\n</example>\n",
    "states": '## States and how to handle them\n\n1. **States of a task**: they show how far it is\n   - pending: not begun\n   - in_progress: being worked on (ONE task at a time)\n   - completed: finished successfully\n\n   **IMPORTANT**: the description of a task has to come in two forms:\n   - content: the imperative, saying what has to be done ("Run the linter", "Write the migration")\n   - activeForm: the present continuous, shown while it is being done ("Running the linter", "Writing the migration")\n',
    "management": "2. **Handling tasks**:\n   - Change the status as you work, not afterwards\n   - Mark a task completed IMMEDIATELY when it is done (do not save several up)\n   - Exactly ONE task is in_progress at any time (not fewer, not more)\n   - Complete the current task before you begin another\n   - Take tasks that no longer matter off the list altogether\n",
    "completion": "3. **What completed means**:\n   - ONLY mark a task completed when it is done COMPLETELY\n   - With errors, blockers or an unfinished part, leave it in_progress\n   - When something blocks you, create a new task that says what has to be cleared up\n   - Never mark a task completed if:\n     - tests fail\n     - the implementation is partial\n     - errors are left unresolved\n     - files or dependencies could not be found\n",
    "breakdown": '4. **Breaking work down**:\n   - Make entries specific, so that it can be said whether they are done\n   - Split what is complex into steps of a size you can handle\n   - Give tasks clear names that describe them\n   - Always give both forms:\n     - content: "Repair the date filter"\n     - activeForm: "Repairing the date filter"\n',
    "doubt": "If you are in doubt, use the tool. Tending a list of tasks attentively shows that you take care, and makes sure that every requirement is met.\n",
}
_ITEM = record(
    {
        "content": {"type": "string", "minLength": 1},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string", "minLength": 1},
    },
    "content",
    "status",
    "activeForm",
)
TODO_WRITE = ToolText(
    fixed("tools.TodoWrite", _TODO), parameters({"todos": array(_ITEM, "The list as it should be now")}, "todos")
)
