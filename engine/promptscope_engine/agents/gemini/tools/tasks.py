"""Tools that keep lists of work: the task tracker, and write_todos of the older models."""

from __future__ import annotations

from promptscope_engine.agents.gemini.wording import fixed, lines

from .schema import ToolText, array, parameters, record, string

_TYPES = ["epic", "task", "bug"]
_STATES = ["open", "in_progress", "blocked", "closed"]
_ID = string("The task's id, of six characters.")

TRACKER_CREATE_TASK = ToolText(
    fixed("tools.tracker_create_task", "Puts a new task into the tracker."),
    parameters(
        {
            "title": string("What the task is called, in a few words."),
            "description": string("What has to be done, in detail."),
            "type": string(
                "Its kind. An 'epic' holds other tasks together.",
                enum=_TYPES,
            ),
            "parentId": string("Optional: the id of the task that this one is a part of."),
            "dependencies": array(string(), "Optional: the ids of tasks that have to be closed first."),
        },
        "title", "description", "type",
    ),
)  # fmt: skip
TRACKER_UPDATE_TASK = ToolText(
    fixed("tools.tracker_update_task", "Changes a task that is in the tracker."),
    parameters(
        {
            "id": _ID,
            "title": string("Optional: its new name."),
            "description": string("Optional: what has to be done now."),
            "status": string("Optional: where it stands now.", enum=_STATES),
            "dependencies": array(string(), "Optional: the ids of all that have to be closed first."),
        },
        "id",
    ),
)
TRACKER_GET_TASK = ToolText(
    fixed("tools.tracker_get_task", "Shows all that is known of one task."),
    parameters({"id": _ID}, "id"),
)
TRACKER_LIST_TASKS = ToolText(
    fixed("tools.tracker_list_tasks", "Lists the tasks, all of them or those of one state, kind or parent."),
    parameters(
        {
            "status": string("Optional: only this state.", enum=_STATES),
            "type": string("Optional: only this kind.", enum=_TYPES),
            "parentId": string("Optional: only parts of this task."),
        }
    ),
)
TRACKER_ADD_DEPENDENCY = ToolText(
    fixed("tools.tracker_add_dependency", "Makes one task wait for another one."),
    parameters(
        {
            "taskId": string("The id of the task that has to wait."),
            "dependencyId": string("The id of the task that has to be closed before the other can be done."),
        },
        "taskId", "dependencyId",
    ),
)  # fmt: skip
TRACKER_VISUALIZE = ToolText(
    fixed("tools.tracker_visualize", "Draws the tasks as a tree, in plain characters."),
    parameters({}),
)

_TODOS = {
    "purpose": "This tool keeps a list of what is left to do for what the user has asked. It shows you, and the user, the single steps of a larger piece of work, and which of them is being done right now. With its help nothing that was asked for is forgotten, the user can see how far things are, and you do not lose your way while you read, try and correct. Always hand over the whole list: it takes the place of the one before.",
    "depth": '\nHow fine the steps are depends on the work. A step is one thing that can be done, checked, and then called done. What takes an hour of work with many files may have ten of them, what takes three calls has none. Steps that say nothing about the work at hand, such as "Understand the request" or "Finish up", are of no use to anybody.',
    "when": "\nWhen to use it:",
    "when_many": "- Wherever a request takes several steps that are not obvious at first sight, or touches more than one part of the project, write the list before you begin.",
    "when_found": "- As soon as something turns up on the way that has to be done as well, put it on the list, at the place where it belongs.",
    "when_changed": "- As soon as the user wants something else, or something more, change the list before you change anything else.",
    "when_not": "\nWhen not to use it:",
    "not_small": "- Where the request is answered with one or two calls of tools, or with words alone, do without a list. It would only be read, and cost more than it tells.",
    "not_known": "- Where a single command, a small correction or the explanation of a few lines is asked for, just do it.",
    "states": "\nThe states of a step:",
    "state_pending": "- pending: nothing has been done about it so far.",
    "state_progress": "- in_progress: it is being done. One step is in this state at a time, and never more than one.",
    "state_completed": "- completed: it has been done, and you have seen for yourself that it works. A test that fails, a file that was not found or a part that is missing all mean that it is not.",
    "state_cancelled": "- cancelled: it is not needed any more, since the user said so or since something else has made it superfluous.",
    "state_blocked": "- blocked: it cannot be done for the time being, because something outside of your reach has to come first. Say to the user what that is.",
    "how": "\nHow to use it:",
    "how_1": "1. Write the list as soon as you know enough of the work to name its steps. Looking around first is right, if you do not know the project.",
    "how_2": "2. Set a step to in_progress before you begin with it, and to completed as soon as it is done. Do that step by step, not for several of them at the end.",
    "how_3": "3. Go through the list from the top. Where the order turns out to be wrong, put it right.",
    "how_4": "4. Steps that were found to be unnecessary are set to cancelled. Take none of them off the list without a trace, for the user may be looking for it.",
    "how_5": "5. When everything is completed or cancelled, look at the request once more: whatever was asked for has to be on the list and done. Only then tell the user that you are through.",
    "how_6": "6. Say nothing about the list itself in your answers. The user sees it, so that there is no need to repeat it or to announce that it was changed.",
    "task": "\nHow a step is described:",
    "task_1": '- In the words of the work: "Let parse_date take two-digit years" tells what is to happen, "Dates" does not.',
    "task_2": "- Small enough to be done in one go, and large enough to be worth a line.",
    "task_3": "- Testing, building and checking are steps as well. Name them where the request calls for them, together with what has to come out.",
    "examples": "\nWhere a list is of use:",
    "example_1": "\nThe user: Let people log in with their mail address, and send them a mail if they have forgotten their password.",
    "example_1_list": "The list:\n1. Find out how logging in works at present, and where names are looked up\n2. Let the login look for the mail address as well, and adapt its form\n3. Write the page on which a new password is asked for\n4. Send the mail with an address that can be used once, within an hour\n5. Write tests for both, and run all that there are\n6. Describe the settings for sending mail in the manual",
    "example_1_why": "Why a list: the request has two parts that touch several places, and one of them rests on the other. Somebody who stops after the second step has to be able to see what is missing.",
    "example_2": "\nThe user: The tests of the importer have been failing since yesterday. Find out why and mend it.",
    "example_2_list": "The list:\n1. Run the tests of the importer and note which of them fail, and how\n2. Go through what was changed since yesterday and find the cause\n3. Correct it\n4. Run all tests again",
    "example_2_why": "Why a list: what the second step brings to light decides about the third, which may well become three steps of its own.",
    "without": "\nWhere a list is of no use:",
    "example_3": "\nThe user: What does the switch --strict of our command do?",
    "example_3_why": "Why none: one search finds the place, and the answer is a sentence or two.",
    "example_4": "\nThe user: Rename the variable tmp in load_rows to rows.",
    "example_4_why": "Why none: it is a single change in a single function, and it is done faster than the list could be read.",
}


WRITE_TODOS = ToolText(
    lambda _: lines("tools.write_todos", _TODOS),
    parameters(
        {
            "todos": array(
                record(
                    {
                        "description": string("What is to be done in this step, told in the words of the work."),
                        "status": string(
                            "Where the step stands.",
                            enum=["pending", "in_progress", "completed", "cancelled", "blocked"],
                        ),
                    },
                    "description", "status",
                ),
                "All steps, in the order in which they are to be done. It takes the place of the list before; steps that are left out are gone.",
            )
        },
        "todos",
    ),
)  # fmt: skip
