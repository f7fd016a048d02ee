"""Tools that keep the task list: TaskCreate, TaskGet, TaskList, TaskUpdate (specs/claude-code.md 6)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import NOTHING, ToolText, array, mapping, parameters, string

_CREATE = {
    "purpose": "With this tool you set up a structured list of tasks for the coding session you are in. It lets you follow your progress, organise work of several parts and show the user that you are thorough.\nThe user, too, sees from it how far the task has come and what became of their requests.",
    "when": "\n## When to use it\n\nUse it on your own initiative in these cases:\n",
    "when_steps": "- Work of several steps: a task needs 3 or more separate steps or actions",
    "when_complex": "- Work that is not trivial: it calls for careful planning or for several operations",
    "when_plan": "- Plan mode: when planning, make a task list to follow the work",
    "when_asked": "- The user asks for a todo list outright",
    "when_several": "- The user hands you several things to do, numbered or separated by commas",
    "when_new": "- New instructions came in: record at once as tasks what the user requires",
    "when_start": "- You start on a task: mark it in_progress BEFORE the work begins",
    "when_done": "- You have finished a task: mark it completed, and add what the work has brought up",
    "when_not": "\n## When NOT to use it\n\nLeave it aside when:\n- there is one straightforward task only\n- the task is trivial, so that a list would gain nothing\n- fewer than 3 trivial steps will do\n- it is all talk or information\n\nNOTE: with a single trivial task, do not use this tool; simply do the task.",
    "fields": "\n## Fields of a task\n",
    "subject": '- **subject**: a short, actionable title in the imperative ("Paginate the list of orders")',
    "description": "- **description**: what has to be done, with what is needed in order to know when it is done",
    "active_form": '- **activeForm** (optional): the present continuous form that the spinner shows while the task is in_progress ("Paginating the list of orders"). Without it the spinner shows the subject.',
    "pending": "\nEvery task begins with the status `pending`.",
    "tips": "\n## Tips\n",
    "tip_subjects": "- Give tasks clear, specific subjects that name the outcome, and descriptions with enough detail that somebody else (another agent, for instance) could understand the task and complete it from them alone",
    "tip_dependencies": "- After creating tasks, set up what depends on what (blocks/blockedBy) with TaskUpdate where needed",
    "tip_duplicates": "- Look at TaskList first, so as to create no task twice\n- Create the tasks of a piece of work together, in the order in which you mean to do them: it gives them ascending IDs",
}
TASK_CREATE = ToolText(
    fixed("tools.TaskCreate", _CREATE),
    parameters(
        {
            "subject": string("Short title of the task"),
            "description": string("What has to be done"),
            "activeForm": string('Present continuous form that the spinner shows while in_progress ("Running tests")'),
            "metadata": mapping("Any metadata to be kept with the task", {}),
        },
        "subject",
        "description",
    ),
)

_GET = {
    "purpose": "With this tool you fetch one task of the list by its ID.",
    "when": "\n## When to use it\n",
    "when_start": "- You need the whole description and context before you begin with a task",
    "when_dependencies": "- You want to know what depends on the task and what it depends on",
    "when_assigned": "- A task has been assigned to you and you need all that it requires",
    "output": "\n## What it returns\n\nAll details of the task:",
    "fields": "- **subject**: its title\n- **description**: the requirements in detail, with context\n- **status**: 'pending', 'in_progress' or 'completed'\n- **blocks**: tasks that wait for this one\n- **blockedBy**: tasks that have to be over before this one can begin",
    "tips": "\n## Tips\n",
    "tip_blocked": "- See that blockedBy is empty before you start with the work.\n- For an overview of all tasks, call TaskList.",
}
TASK_GET = ToolText(
    fixed("tools.TaskGet", _GET), parameters({"taskId": string("ID of the task that is wanted")}, "taskId")
)

_LIST = {
    "purpose": "With this tool you see all tasks of the list.",
    "when": "\n## When to use it\n",
    "when_available": "- To see which tasks can be worked on (status 'pending', no owner, not blocked)",
    "when_progress": "- To see how the project as a whole is getting on",
    "when_blocked": "- To find tasks that are blocked and wait for something to be resolved",
    "when_done": "- After a task is completed, to see which are free now, or to take up the next one",
    "order": "- **Work through tasks in the order of their IDs** (lowest first) where several are open: earlier ones often prepare the ground for later ones",
    "output": "\n## What it returns\n\nA summary of each task:",
    "fields": "- **id**: what identifies the task (for TaskGet, TaskUpdate)\n- **subject**: what it is about, in brief\n- **status**: 'pending', 'in_progress' or 'completed'\n- **owner**: the ID of the agent it is assigned to, empty if it is free\n- **blockedBy**: IDs of open tasks that have to be settled first (a task with blockedBy cannot be claimed until they are)",
    "details": "\nTaskGet with a certain ID shows every detail, description and comments included.",
}
TASK_LIST = ToolText(fixed("tools.TaskList", _LIST), NOTHING)

_UPDATE = {
    "purpose": "With this tool you change a task of the list.",
    "when_resolved": "\n## When to use it\n\n**Mark tasks as resolved:**\n- when the work that a task describes is done\n- when a task has become needless or has been superseded\n- IMPORTANT: always mark the tasks assigned to you as resolved when you finish them\n- then call TaskList to find the next one\n",
    "completed_fully": "- ONLY mark a task completed when it is done COMPLETELY: what it describes is there and has been seen to work",
    "completed_errors": "- With errors, blockers or an unfinished part, leave it in_progress",
    "completed_blocked": "- When something blocks you, create a new task that says what has to be cleared up",
    "completed_never": "- Never mark a task completed if:\n  - tests fail\n  - the implementation is partial\n  - errors are left unresolved\n  - files or dependencies could not be found",
    "delete": "\n**Delete tasks:**\n- when a task no longer matters or was created by mistake\n- the status `deleted` removes it for good",
    "details": "\n**Change their details:**\n- when requirements change or become clearer\n- when dependencies between tasks arise or cease\n- when a task passes to another agent, or one takes it up: set its owner, so that nobody else begins with it",
    "fields": "\n## What you can change\n",
    "field_list": '- **status**: the status of the task (see below)\n- **subject**: its title (imperative, as in "Run tests")\n- **description**: its description\n- **activeForm**: present continuous form for the spinner while in_progress ("Running tests")\n- **owner**: who owns it (name of an agent)\n- **metadata**: keys to merge into its metadata (null deletes a key)\n- **addBlocks**: tasks that cannot start before this one is completed\n- **addBlockedBy**: tasks that have to be completed before this one can start',
    "workflow": "\n## The way of a status\n\n`pending` → `in_progress` → `completed`\n\n`deleted` removes a task permanently.",
    "stale": "\n## Stale data\n\nRead the latest state of a task with `TaskGet` before you change it: others may have changed it since.",
    "examples": '\n## Examples\n\nBegin with a task:\n```json\n{"taskId": "4", "status": "in_progress"}\n```\n\nFinish it:\n```json\n{"taskId": "4", "status": "completed"}\n```\n\nDelete one:\n```json\n{"taskId": "4", "status": "deleted"}\n```\n\nMake it wait for another:\n```json\n{"taskId": "5", "addBlockedBy": ["4"]}\n```',
}
TASK_UPDATE = ToolText(
    fixed("tools.TaskUpdate", _UPDATE),
    parameters(
        {
            "taskId": string("ID of the task that is to be changed"),
            "subject": string("New title of the task"),
            "description": string("New description of the task"),
            "activeForm": string('Present continuous form that the spinner shows while in_progress ("Running tests")'),
            "status": {
                "description": "New status of the task",
                "anyOf": [
                    {"type": "string", "enum": ["pending", "in_progress", "completed"]},
                    {"type": "string", "const": "deleted"},
                ],
            },
            "addBlocks": array({"type": "string"}, "IDs of tasks that this one blocks"),
            "addBlockedBy": array({"type": "string"}, "IDs of tasks that block this one"),
            "owner": string("New owner of the task"),
            "metadata": mapping("Keys to merge into the task's metadata. A key set to null is deleted.", {}),
        },
        "taskId",
    ),
)
