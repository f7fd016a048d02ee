"""The tools for questions, goals, time and the window."""

from __future__ import annotations

from .schema import array, integer, number, parameters, record, string
from .text import ToolText

DIALOG = "Dialog"
GOALS = "Goals"
TIME = "Time"
WINDOW = "Window"

_OPTION = record(
    {
        "description": string("One short sentence on what follows from choosing it."),
        "label": string("What the user sees (one to five words)."),
    },
    ["label", "description"],
)


def _question(what: str) -> dict[str, object]:
    return record(
        {
            "header": string("A heading of at most 12 characters for the question."),
            "id": string("A name for the answer, in snake_case, that stays the same."),
            "options": array(
                _OPTION,
                "Two or three choices that exclude each other. Put the one that you advise first and end its label with "
                '"(Recommended)". Leave out a choice "other": the client adds one where anything can be typed.',
            ),
            "question": string(what),
        },
        ["id", "header", "question", "options"],
    )


REQUEST_USER_INPUT = ToolText(
    DIALOG,
    "Asks the user one to three short questions and waits for the answers. Use it only in the mode Plan, not in any other.",
    parameters(
        {
            "questions": array(
                _question("The question, one sentence that the user can answer at once."),
                "The questions to show; one is best, and never more than three.",
            )
        },
        ["questions"],
    ),
)
QUESTIONS_ANY_MODE = "Asks the user one to three short questions and waits for the answers. It can be used in the modes Default and Plan."
"""The description with the feature `default_mode_request_user_input`."""

REQUEST_USER_INPUT_ASYNC = ToolText(
    DIALOG,
    "Asks the user one to three short questions and does not wait: the call returns at once, and the answers arrive "
    "later as a message of the user. Use it when an answer would help and there is work that does not depend on it. Go on "
    "with what you would do without an answer, keep it easy to change, and take the answer up when it comes. Do not ask for "
    "what you can find out by yourself, do not repeat a question that is open, and do not end your turn just because an "
    "answer is missing. It is never a way to ask for permissions.",
    parameters(
        {
            "questions": array(
                record(
                    {
                        "options": array(
                            string(),
                            "Answers to choose from, in the order in which they are shown, the one that you advise first: it "
                            "is chosen already. The user picks one or writes another, so do not offer an answer for all "
                            "others. Leave them out where the answer is a text.",
                            least=1,
                        ),
                        "title": string("The whole question, with what the user has to know to answer it."),
                    },
                    ["title"],
                ),
                "The questions to show together, in their order; each is complete by itself.",
                least=1,
            )
        },
        ["questions"],
    ),
)

SEND_MESSAGE = ToolText(
    DIALOG,
    "Writes a message to the user while you go on working; nothing is waited for. Use it for what the user would want to "
    "know before the turn ends: a finding that changes the plan, a result that can be looked at already, a risk that has "
    "turned up. Keep it to a few sentences that can be understood without what was said before. Do not use it for every "
    "step, for questions that you need answered, or for the final answer, which belongs into your last message. What the "
    "user replies arrives as a message of the user, as soon as there is one. Nothing in it counts as part of the final answer, so say there again what matters.",
    parameters({"message": string("What to tell the user, in Markdown.")}, ["message"]),
    returns="{}",
)

GET_GOAL = ToolText(
    GOALS,
    "Returns the goal of this thread: its state, its budget, the tokens and the time that it took, and what is left of both.",
    parameters({}, []),
)
CREATE_GOAL = ToolText(
    GOALS,
    "Sets a goal, and only where the user, the system or a developer has asked for one in so many words; an ordinary task "
    "is none. Give a token_budget only if one was named. There is one goal at a time: while one is set, this fails, and "
    "update_goal is for its state.",
    parameters(
        {
            "objective": string(
                "What is to be reached, stated so that it can be checked. It becomes the goal of the thread and is worked "
                "on from now on, so it must not be set while another is."
            ),
            "token_budget": integer(
                "The most tokens that may be spent on it, more than 0; left out there is no limit."
            ),
        },
        ["objective"],
    ),
)
UPDATE_GOAL = ToolText(
    GOALS,
    "Changes the state of the goal.\n"
    "It can be set to `complete`, to `blocked` or to `paused` here, and to nothing else.\n"
    "Set `complete` when what the goal asks for is there and nothing that it needs is left to do. Check it against the "
    "goal's own words, by what you have seen to be so and not by how much was done.\n"
    "Set `blocked` only when the same obstacle has stood in the way for three turns in a row, counting the one in which it "
    "first showed, and nothing more can be done before the user acts or something outside changes.\n"
    "If a goal that was blocked is taken up again, counting starts again with that turn. Should the obstacle be there for "
    "three turns again, set `blocked` once more.\n"
    "When these three turns have passed, say so and set `blocked`: do not keep a goal open that you cannot bring further "
    "while telling the user the same each time.\n"
    "Do not set `blocked` because the work is hard, slow, unclear or not finished, or because an answer would be welcome.\n"
    "Do not set `complete` because the budget nears its end or because you are about to stop.\n"
    "Set `paused` only if the user asks for it. To take a goal up again, to limit it by a budget or by what an account may use is for the user and the "
    "client: this tool does none of it.\n"
    "When you set `complete` on a goal that had a budget, tell the user how many tokens it took in the end, as the result "
    "of this tool has them. With a budget that was used up, wrap up what there is instead of beginning something new, and say what is missing. A goal whose objective has changed is no longer the same: then ask the user to set another one, and leave this one as it is.",
    parameters(
        {
            "status": string(
                "`complete`: the goal is reached and nothing that it needs is left. `blocked`: the same obstacle has stood "
                "in the way for three turns in a row, and only the user or something outside can remove it. Work that is "
                "only unfinished, uncertain or slow is neither; after a blocked goal was taken up again, the turns are "
                "counted from there. `paused`: only where the user asks for it.",
                "complete",
                "blocked",
                "paused",
            )
        },
        ["status"],
    ),
)

SLEEP = ToolText(
    TIME,
    "Does nothing for a while, or until something new arrives for you; then it ends early. Use it instead of a command "
    "that sleeps, or of polling.",
    parameters(
        {"duration_ms": number("How long to wait, in milliseconds; from 1 to 43200000, which are twelve hours.")},
        ["duration_ms"],
    ),
)
CURR_TIME = ToolText(
    TIME,
    "Tells the time of this machine, in UTC, to the second, as text.",
    parameters({}),
    returns="{\n  // In UTC: 2026-01-31 12:00:00 UTC.\n  current_time: string;\n}",
)

NEW_CONTEXT = ToolText(
    WINDOW, "Begins a new context window for this thread; what was said so far is left behind in it.", parameters({})
)
GET_CONTEXT_REMAINING = ToolText(WINDOW, "Tells how many tokens are left in this window.", parameters({}))
