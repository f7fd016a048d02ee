"""Tools that steer the session: topics, questions, plan mode, sub-agents and skills."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.wording import fixed
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label

from .schema import WAIT, ToolText, array, boolean, parameters, record, string

UPDATE_TOPIC = ToolText(
    fixed(
        "tools.update_topic",
        "Tells the user which topic you are working on and how far you are. Call it whenever a part of the work begins or ends.",
    ),
    parameters(
        {
            "title": string("A name for the topic that begins here (such as 'Looking for the cause')."),
            "summary": string(
                "Optional: where things stand, in 5 to 10 sentences: what has been found out or done under the topic that ends here, and what is to be done under the one that begins."
            ),
            "strategic_intent": string(
                "One sentence on what you are about to do next and what it is good for. Required, whether or not the topic changes."
            ),
            "wait_for_previous": WAIT,
        },
        "strategic_intent",
    ),
)

_QUESTIONS = parameters(
    {
        "questions": array(
            record(
                {
                    "question": string("What you ask: a whole sentence that leaves no doubt about what is meant, ending in a question mark."),
                    "header": string(
                        "A word or two (16 characters at the most) that stand on the tab of the question, such as \"Database\" or \"Style\"."
                    ),
                    "type": string(
                        "The form of the answer: 'choice' (one or several of the `options` are picked), 'text' (whatever the user cares to write) or 'yesno' (a plain Yes or No, for confirmation). It is 'choice' unless you say otherwise.",
                        enum=["choice", "text", "yesno"],
                    ),
                    "options": array(
                        record(
                            {
                                "label": string("What the user sees and picks: 1 to 5 words that tell the choice from the others."),
                                "description": string("What picking it means, and what comes with it, in a sentence or so."),
                            },
                            "label", "description",
                        ),
                        "With 'choice': 2 to 4 answers to pick from. There is no need for one that says \"something else\": the user is always offered that. Leave it away with the other types.",
                    ),
                    "multiSelect": boolean("With 'choice': true where more than one of the options may be picked at a time."),
                    "placeholder": string(
                        "With 'text': a hint that stands in the empty field. With 'choice': the hint of the field for another answer."
                    ),
                },
                "question", "header", "type",
            ),
            minItems=1,
            maxItems=4,
        )
    },
    "questions",
)  # fmt: skip
ASK_USER = ToolText(
    fixed(
        "tools.ask_user",
        "Asks the user one to four questions in a dialog. Use it when you need a decision, a preference or a fact that the project does not contain, or when there are several ways to go; do not ask what you could find out by reading. The user can always give another answer.",
    ),
    _QUESTIONS,
)
ASK_USER_LEGACY = ToolText(
    fixed(
        "tools.ask_user.legacy",
        "Asks the user one or more questions in a dialog and returns the answers once they are given.",
    ),
    _QUESTIONS,
)

ENTER_PLAN_MODE = ToolText(
    fixed(
        "tools.enter_plan_mode",
        "Switches to Plan Mode, for work that needs research and a plan before anything is changed.",
    ),
    parameters({"reason": string("Optional: why a plan comes first, in a short sentence for the user.")}),
)
EXIT_PLAN_MODE = ToolText(
    fixed(
        "tools.exit_plan_mode",
        "Presents the finished plan to the user for approval and ends planning. MUST be called once the plan has been written to its file, and MUST NOT be called before there is one. If the user approves, the work begins; if not, you receive the user's comments on the plan and continue to improve it.",
    ),
    parameters(
        {
            "plan_filename": string(
                'The file name of the plan (such as "new-login.md"): only the name, without a path, of a file in the folder of plans.'
            )
        },
        "plan_filename",
    ),
)

INVOKE_AGENT = ToolText(
    fixed("tools.invoke_agent", "Hands a task that you describe to one of the available sub-agents."),
    parameters(
        {
            "agent_name": string("The name of the sub-agent, exactly as it is listed."),
            "prompt": string(
                "The complete task for the sub-agent, with everything that it needs to know, since it does not see this conversation. Say what it should find out or do, where, and in what form you want the result."
            ),
            "wait_for_previous": WAIT,
        },
        "agent_name", "prompt",
    ),
)  # fmt: skip


def _skill_names(m: Materials) -> Iterator[Piece]:
    yield builtin(
        "tools.activate_skill",
        "Activates one of the skills by its name",
    )
    yield label(" (", when=m.gates.skills)
    yield computed("skills", ", ".join(f"'{skill.name}'" for skill in m.skills), when=m.gates.skills)
    yield label(")", when=m.gates.skills)
    yield builtin(
        "tools.activate_skill.rest",
        ". It returns the instructions and the files of the skill, between `<activated_skill>` tags. Call it as soon as a task matches what a skill was made for, and follow its instructions from then on, until that task is finished. Do not name a skill that is not listed, and do not activate the same skill twice.",
    )


_NO_NAMES = parameters({"name": string("The name of the skill that you want to activate.")}, "name")


def _with_names(m: Materials) -> tuple[tuple[Condition, Json], ...]:
    """With skills, the parameter takes one of their names."""
    names = [skill.name for skill in m.skills]
    return (
        (
            m.gates.skills,
            parameters({"name": string("The name of the skill that you want to activate.", enum=names)}, "name"),
        ),
    )


ACTIVATE_SKILL = ToolText(_skill_names, _NO_NAMES, others=_with_names)
