"""Tools that keep the task list: TaskCreate, TaskGet, TaskList, TaskUpdate (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import NOTHING, ToolText, array, constant, either, mapping, parameters, string


def _shared(m: Materials) -> Condition:
    """A list that several agents work through; only recorded in 2.1.100."""
    return gates.IS_100 & m.gates.teams


# --- TaskCreate -------------------------------------------------------------------------------------------------------


def _create(m: Materials) -> Iterator[Piece]:
    shared = _shared(m)
    yield from lines("tools.TaskCreate", _CREATE)
    yield builtin("tools.TaskCreate.when_complex", _COMPLEX, when=~shared)
    yield builtin("tools.TaskCreate.when_complex", _COMPLEX_SHARED, when=shared)
    yield from lines("tools.TaskCreate", _CREATE_WHEN, before="\n")
    yield from lines("tools.TaskCreate.shared", _CREATE_SHARED, before="\n", when=shared)
    yield builtin("tools.TaskCreate.tip_duplicates", _CREATE_TIP)


_CREATE = {
    "purpose": "Adds to a list of tasks, by which the work of this coding session is kept in order. With it you do not lose track, work of many parts gets a structure, and nothing is forgotten that was asked for.\nThe user has the list before them as well, and can tell from it how far things are.",
    "when": "\n## When to Use This Tool",
    "when_lead": "\nUse it of your own accord in these cases here:",
    "when_steps": "\n- Several steps: the task takes three or more of them, each of which is work of its own",
}
_COMPLEX = "\n- Something bigger: it has to be thought through first, or several things have to be done on it"
_COMPLEX_SHARED = "\n- Something bigger: it has to be thought through first, or several things have to be done on it, possibly by several teammates at a time"
_CREATE_WHEN = {
    "when_plan": "- In plan mode: have a list of tasks there to keep track of the work",
    "when_asked": "- The user says it: they want a list of tasks, or a todo list, and tell you directly so",
    "when_several": "- You get more than one thing to do, be it as a list with numbers or bullets or in a sentence with commas",
    "when_new": "- There are new instructions: note down at once what they ask for, as tasks again",
    "when_start": "- Work on one begins: set it to in_progress, and do that BEFORE you begin it",
    "when_done": "- Work on one has ended: set it to completed, and add as new tasks whatever has turned out to be still missing",
    "when_not": "\n## When NOT to Use This Tool",
    "not_lead": "\nDo without it where:",
    "not_single": "- a single task is all, and it is a simple one",
    "not_trivial": "- it is so trivial that a list would be of no benefit to anyone here",
    "not_few": "- it is done in less than three steps that are trivial",
    "not_talk": "- somebody just talks with you or wants to know",
    "not_note": "\nNOTE: Is there no more than one task, and a trivial one? Then a list is not the right thing; it is better to go ahead and do what was asked.",
    "fields": "\n## Task Fields",
    "subject": '\n- **subject**: what is to be done, as a brief title in the imperative, e.g. "Paginate the list of orders"',
    "description": "- **description**: all there is to do there",
    "active_form": '- **activeForm** (optional): the same in the present continuous, e.g. "Paginating the list of orders". The spinner shows this while the task is in_progress, and the subject if it is missing',
    "pending": "\nWhat you create is `pending` to begin with.",
    "tips": "\n## Tips",
    "tip_subjects": "\n- Choose subjects that say clearly what will be there in the end",
    "tip_dependencies": "- Does one task have to wait for another? Tell it afterwards with TaskUpdate (blocks/blockedBy)",
}
_CREATE_SHARED = {
    "tip_detail": "- Let the description be so detailed that an agent other than you could do the work from it alone",
    "tip_owner": "- New tasks are 'pending' and belong to nobody. Give one to somebody by TaskUpdate, with the parameter `owner` for that",
}
_CREATE_TIP = "\n- Consult TaskList before, lest a task be there twice\n"
_ACTIVE_FORM = string('The present continuous for the spinner, shown while in_progress ("Running tests")')
TASK_CREATE = ToolText(
    _create,
    parameters(
        {
            "subject": string("The task in a brief title"),
            "description": string("All there is to do"),
            "activeForm": _ACTIVE_FORM,
            "metadata": mapping("Data of any kind to go with the task", {}),
        },
        "subject",
        "description",
    ),
)

# --- TaskGet ----------------------------------------------------------------------------------------------------------

_GET = {
    "purpose": "Shows a single task of the list in full, if you know its ID.",
    "when": "\n## When to Use This Tool",
    "when_start": "\n- Before work on a task begins: here is the whole description, with its context",
    "when_dependencies": "- To learn what has to come before a task, and what waits for it",
    "when_assigned": "- After you were given a task, for all that it demands",
    "output": "\n## Output",
    "output_lead": "\nFor one task you are told:",
    "subject": "- **subject**: what it is",
    "task_description": "- **description**: what has to be done, in detail",
    "status": "- **status**: 'pending', 'in_progress' or 'completed'",
    "blocks": "- **blocks**: the tasks that have to wait for it",
    "blocked_by": "- **blockedBy**: the tasks that have to be completed before this",
    "tips": "\n## Tips",
    "tip_blocked": "\n- Take a look at blockedBy before you begin; there should be nothing left in it",
    "tip_list": "- TaskList is there to have a look at them all\n",
}
TASK_GET = ToolText(
    fixed("tools.TaskGet", _GET), parameters({"taskId": string("The ID of the task to show")}, "taskId")
)

# --- TaskList ---------------------------------------------------------------------------------------------------------


def _list(m: Materials) -> Iterator[Piece]:
    shared = _shared(m)
    yield from lines("tools.TaskList", _LIST)
    yield builtin("tools.TaskList.when_assigning", _LIST_ASSIGNING, when=shared)
    yield from lines("tools.TaskList", _LIST_OUTPUT, before="\n")
    yield from lines("tools.TaskList.teammate", _LIST_TEAMMATE, before="\n\n", when=shared)


_LIST = {
    "purpose": "Shows all that is on the list of tasks there.",
    "when": "\n## When to Use This Tool",
    "when_available": "\n- To find out what could be begun with: 'pending', nobody's yet and blocked by nothing",
    "when_progress": "- To get an idea of how far the work is",
    "when_blocked": "- To find what is blocked, and what it would take to go on",
}
_LIST_ASSIGNING = "\n- Before you give tasks to teammates: who is there, and free?"
_LIST_OUTPUT = {
    "when_done": "- When a task is completed: perhaps another has become free by that, or you take the next one",
    "order": "- **Keep to the order of the IDs** if more than one is available, from the lowest on: what comes early is often what the later ones build on",
    "output": "\n## Output",
    "output_lead": "\nIn short, for every task:",
    "id": "- **id**: what TaskGet and TaskUpdate know it by",
    "subject": "- **subject**: its title, which is short",
    "status": "- **status**: 'pending', 'in_progress' or 'completed'",
    "owner": "- **owner**: agent that has it, by ID; empty if none",
    "blocked_by": "- **blockedBy**: the IDs of open tasks that stand in its way. As long as there is one, nobody can claim the task and begin work on it",
    "details": "\nAll else about a task, the description and the comments, is shown by TaskGet for its ID.",
}
_LIST_TEAMMATE = {
    "heading": "## Teammate Workflow",
    "lead": "\nWhen working as a teammate:",
    "again": "1. Whenever one of your tasks is over, call TaskList to see what is next",
    "available": "2. What you may take: 'pending', without an owner, blockedBy empty",
    "order": "3. **Keep to the order of the IDs** if more than one is available, from the lowest on: what comes early is often the ground for the rest",
    "claim": "4. Take one by setting its `owner` to your name with TaskUpdate, or wait until the lead gives you one",
    "blocked": "5. Blocked? Do what unblocks tasks, or tell the team's lead of it",
}
TASK_LIST = ToolText(_list, NOTHING)

# --- TaskUpdate -------------------------------------------------------------------------------------------------------

_UPDATE = {
    "purpose": "Changes a single task that is on the list there.",
    "when": "\n## When to Use This Tool",
    "resolve": "\n**Take a task as settled:**",
    "resolve_done": "- as soon as what it describes has really been done",
    "resolve_needless": "- if it is not needed, or something else replaced it",
    "resolve_own": "- IMPORTANT: what was yours has to be settled by you, always, when it is over",
    "resolve_next": "- after that, call TaskList and see what comes next",
    "completed_fully": "\n- A task is completed when all of it is there, and ONLY then, not before",
    "completed_errors": "- As long as there are errors, something in the way or parts missing, it is in_progress",
    "completed_blocked": "- If something is in the way, that makes a task of its own: add it here",
    "completed_never": "- A task is never completed while:",
    "never_tests": "  - tests fail at all",
    "never_partial": "  - some of it is missing",
    "never_errors": "  - errors have remained unresolved",
    "never_missing": "  - a file or a dependency could not be found at all",
    "delete": "\n**Remove tasks:**",
    "delete_needless": "- if they do not matter any longer, or were never meant so",
    "delete_for_good": "- by the status `deleted`, and there is no way back from it",
    "details": "\n**Alter what it says:**",
    "details_requirements": "- if what is wanted has changed or is clearer",
    "details_dependencies": "- to tell which of the tasks depends on which",
    "fields": "\n## Fields You Can Update",
    "field_status": "\n- **status**: how far the task is (see Status Workflow)",
    "field_subject": '- **subject**: another title, in the imperative (such as "Run the tests")',
    "field_description": "- **description**: another text on what to do",
    "field_active_form": '- **activeForm**: the present continuous for the spinner while in_progress (such as "Running tests")',
    "field_owner": "- **owner**: whose it is, by an agent's name",
    "field_metadata": "- **metadata**: keys to be merged with those it has; null deletes one from them",
    "field_blocks": "- **addBlocks**: tasks that from now on have to wait for this one",
    "field_blocked_by": "- **addBlockedBy**: tasks for which this one from now on has to wait",
    "workflow": "\n## Status Workflow",
    "workflow_order": "\nOne after another: `pending` → `in_progress` → `completed`",
    "workflow_deleted": "\n`deleted` takes a task away for ever after.",
    "staleness": "\n## Staleness",
    "staleness_get": "\nFirst get the task as it is at present, by `TaskGet`, and change it then.",
    "examples": "\n## Examples",
    "example_start": "\nTo say that you are beginning with a task:",
    "example_start_call": '```json\n{"taskId": "4", "status": "in_progress"}\n```',
    "example_finish": "\nTo say that the same one is completed now:",
    "example_finish_call": '```json\n{"taskId": "4", "status": "completed"}\n```',
    "example_delete": "\nTo remove it:",
    "example_delete_call": '```json\n{"taskId": "4", "status": "deleted"}\n```',
    "example_claim": "\nTo take a task, as its owner:",
    "example_claim_call": '```json\n{"taskId": "4", "owner": "importer"}\n```',
    "example_block": "\nTo let it wait for some:",
    "example_block_call": '```json\n{"taskId": "5", "addBlockedBy": ["4"]}\n```\n',
}
TASK_UPDATE = ToolText(
    fixed("tools.TaskUpdate", _UPDATE),
    parameters(
        {
            "taskId": string("The ID of the task to change"),
            "subject": string("Another title for it"),
            "description": string("Another text on what to do"),
            "activeForm": _ACTIVE_FORM,
            "status": either(
                "How far it is from now",
                {"type": "string", "enum": ["pending", "in_progress", "completed"]},
                constant("deleted"),
            ),
            "addBlocks": array(string(), "Tasks that wait for this (IDs)"),
            "addBlockedBy": array(string(), "Tasks this waits for (IDs)"),
            "owner": string("Whose it is from now on"),
            "metadata": mapping("Keys to be merged with those it has. One that is null is deleted.", {}),
        },
        "taskId",
    ),
)
