"""Tools that turn to the user: AskUserQuestion, EnterPlanMode, ExitPlanMode (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import ToolText, array, boolean, mapping, parameters, record, string

# --- AskUserQuestion --------------------------------------------------------------------------------------------------


def _ask(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.AskUserQuestion", _ASK)
    yield builtin("tools.AskUserQuestion.defaults", _ASK_DEFAULTS, when=gates.IS_329)
    yield from lines("tools.AskUserQuestion", _ASK_NOTES, before="\n")
    yield from lines("tools.AskUserQuestion", _ASK_PREVIEW, before="\n", when=gates.INTERACTIVE)


_ASK = {
    "purpose": "When you have to ask the user something in the course of your work, ask with this tool. With it you can:\n1. Learn what they prefer or require\n2. Clear up instructions that can be read in several ways\n3. Have choices of implementation decided while you work\n4. Offer them directions to choose from.",
}
_ASK_DEFAULTS = "\n\nAsk only what is really theirs to decide: what cannot be found in the code or the request, and what makes a difference to what you do next. Where a sensible default exists, take it, say that you did, and go on. A question stops the work until somebody answers it."
_ASK_NOTES = {
    "notes": "\nHow to use it:",
    "other": '- Users can always choose "Other" and write an answer of their own',
    "multi": "- With multiSelect: true a question takes more than one answer",
    "recommended": '- If you recommend a certain option, put it first and add "(Recommended)" to its label',
    "plans": '\nOn plan mode: while planning, use this tool to clear up requirements or to choose between approaches BEFORE the plan is final. Do NOT ask with it whether your plan is ready or whether you should proceed: ExitPlanMode is there to have a plan approved. IMPORTANT: Do not mention "the plan" in your questions (as in "Does the plan look right to you?"), because the user does not see it in the UI before you call ExitPlanMode. If you need approval of it, call ExitPlanMode.\n',
}
_ASK_PREVIEW = {
    "preview": "Previews:\nOptions may carry a `preview`, for things that users have to see side by side in order to compare them:\n- sketches of a layout or a component in ASCII\n- code that shows one way of doing it beside another\n- variants of a diagram\n- samples of a configuration",
    "preview_format": "\nA preview is rendered as markdown in a box of monospaced text, in which line breaks are kept. As soon as one option has a preview, the UI shows a list of options on the left and the preview on the right. Leave previews out where the question is about mere preferences and labels with descriptions say enough. Note that previews work with questions of a single answer only (not with multiSelect).\n",
}
_OPTION = record(
    {
        "label": string(
            "What the user sees and chooses for this option. Short (1-5 words), and plain about what is chosen."
        ),
        "description": string(
            "What the option means, or what follows if it is chosen. Says what it costs and what it implies."
        ),
        "preview": string(
            "Content that is shown, if wanted, while the option has the focus: a sketch, a piece of code or a picture in characters that helps users to compare. The tool's description tells what form is expected."
        ),
    },
    "label",
    "description",
)
_QUESTION = record(
    {
        "question": string(
            'The complete question that is put to the user: clear, specific and with a question mark at the end. Example: "Which queue should the mails go through?" With multiSelect: true, word it accordingly, as in "Which formats should the export offer?"'
        ),
        "header": string(
            'A very short label that is shown as a chip (at most 12 chars). Examples: "Queue", "Format", "Storage".'
        ),
        "options": array(
            _OPTION,
            "What can be chosen for this question: 2-4 options. Each is a choice of its own that excludes the others (unless multiSelect is on). Do not add 'Other': it is offered automatically.",
            minItems=2,
            maxItems=4,
        ),
        "multiSelect": boolean(
            "Set it to true if the user may choose several options instead of one, for choices that do not exclude each other.",
            default=False,
        ),
    },
    "question",
    "header",
    "options",
    "multiSelect",
)
_ANNOTATION = record(
    {
        "preview": string("The preview of the option that was chosen, if the question had previews."),
        "notes": string("What the user has added to their choice in their own words."),
    }
)
ASK_USER_QUESTION = ToolText(
    _ask,
    parameters(
        {
            "questions": array(_QUESTION, "What to ask the user (1-4 questions)", minItems=1, maxItems=4),
            "answers": mapping("Answers of the user, gathered by the permission component", {"type": "string"}),
            "annotations": mapping(
                "Notes of the user to single questions, if there are any (on a preview they chose, for instance). The key is the text of the question.",
                _ANNOTATION,
            ),
            "metadata": {
                **record(
                    {
                        "source": string(
                            'Where the question comes from, if that is of interest ("remember" for the /remember command, say). Serves analytics.'
                        )
                    }
                ),
                "description": "Metadata for tracking and analytics, if wanted. Not shown to the user.",
            },
        },
        "questions",
    ),
)

# --- plan mode --------------------------------------------------------------------------------------------------------

_ENTER = {
    "purpose": "Use this tool on your own initiative when you are about to begin with an implementation that is not trivial. To have the user agree to the approach before code is written spares both of you wasted effort. The tool takes you into plan mode, in which you explore the codebase and design an approach for the user to approve.",
    "when": "\n## When to use it\n\n**Prefer EnterPlanMode** for implementation tasks, unless they are simple. Use it when ANY of the following holds:\n",
    "when_feature": '1. **A new feature**: meaningful functionality is added\n   - Example: "Let users undo a deletion" - where are deleted things kept, and for how long?\n   - Example: "Send invoices by mail" - at what moment, from which address, and what if it bounces?\n',
    "when_approaches": '2. **Several good approaches**: the task can be solved in different ways\n   - Example: "Make the search tolerant of typing errors" - in the database, in a search engine, in the application\n   - Example: "Speed up the import" - batches, parallel workers, a faster format\n',
    "when_modification": '3. **Code changes**: existing behaviour or structure is affected\n   - Example: "Change how discounts are applied" - which orders does that concern?\n   - Example: "Split this module" - along which line?\n',
    "when_architecture": '4. **Decisions of architecture**: a pattern or a technology has to be chosen\n   - Example: "Run the reports at night" - cron, a queue, a scheduler of the platform\n   - Example: "Work offline" - what is kept locally, and how are conflicts resolved\n',
    "when_many_files": '5. **Changes in many files**: likely more than 2-3 files will be touched\n   - Example: "Translate the interface"\n   - Example: "Replace the logging library"\n',
    "when_unclear": '6. **Unclear requirements**: you have to look around before you know how large the task is\n   - Example: "The nightly job is unreliable" - first find out what goes wrong\n   - Example: "Customers are charged twice" - first find the cause\n',
    "when_preferences": "7. **The user's preferences matter**: the implementation could reasonably go in more than one direction\n   - Where you would ask with AskUserQuestion about the approach, use EnterPlanMode instead\n   - In plan mode you explore first and then present options with their context\n",
    "when_not": "## When NOT to use it\n\nOnly skip EnterPlanMode with simple tasks:\n- repairs of one or a few lines (typos, obvious bugs, small tweaks)\n- a single function with clear requirements\n- tasks for which the user has given very specific, detailed instructions\n- pure research or exploration (take the Agent tool with an explore agent)\n",
    "what_happens": "## What happens in plan mode\n\nIn plan mode you will:\n1. Explore the codebase thoroughly with Glob, Grep and Read\n2. Understand the patterns and the architecture that are there\n3. Design an approach to the implementation\n4. Present your plan to the user for approval\n5. Ask with AskUserQuestion where you have to choose between approaches\n6. Leave with ExitPlanMode when you are ready to implement\n",
    "good": '## Examples\n\n### GOOD - use EnterPlanMode:\nUser: "Let people sign in with their company account"\n- Requires decisions (protocol, provider, what becomes of the existing accounts)\n\nUser: "The map takes ten seconds to load, do something"\n- Several approaches are possible, and it has to be measured first; the effect is considerable\n\nUser: "Introduce roles for editors and reviewers"\n- Reaches from the data model to the interface\n\nUser: "Merge the two settings pages"\n- Looks simple, but what goes where is for the user to agree to\n\nUser: "Adapt the client to version 3 of the API"\n- Affects many files, so the user should agree to the approach first\n',
    "bad": '### BAD - do not use EnterPlanMode:\nUser: "The footer says 2024, make it 2026"\n- Straightforward, no planning needed\n\nUser: "Print the number of rows here"\n- Simple and obvious\n\nUser: "Where are emails sent from?"\n- Research and no implementation planning\n',
    "notes": "## Important\n\n- The tool REQUIRES the user's approval: they have to consent to entering plan mode\n- If you are not sure whether to use it, lean towards planning: better to agree first than to do work over again\n- Users are glad to be consulted before their codebase changes significantly\n",
}
ENTER_PLAN_MODE = ToolText(fixed("tools.EnterPlanMode", _ENTER), parameters({}))

_EXIT = {
    "purpose": "Use this tool when you are in plan mode, have written your plan to the plan file and are ready to have the user approve it.",
    "how": "\n## How it works\n- You should have written your plan already, to the file that the system message on plan mode names\n- The tool does NOT take the plan as a parameter: it reads the plan from the file you wrote\n- It simply signals that you are done planning and that the user may review and approve\n- The user will see the contents of your plan file when they review it, and may send you back with remarks; change the plan accordingly and call the tool again",
    "when": "\n## When to use it\nIMPORTANT: Only use this tool when the steps of implementing a task that requires code have to be planned. For research, that is for gathering information, searching files, reading files or understanding the codebase in general, do NOT use it.",
    "before": "\n## Before you use it\nSee that your plan is complete and unambiguous, and that it could be carried out by somebody who has seen nothing but the file:\n- If there are open questions about requirements or approach, ask them first with AskUserQuestion (in the earlier phases)\n- When the plan is final, request approval with THIS tool",
    "not_ask": '\n**Important:** Do NOT ask "Is this plan okay?" or "Should I go ahead?" with AskUserQuestion: that is exactly what THIS tool does. ExitPlanMode by its nature asks the user to approve your plan.',
    "examples": '\n## Examples\n\n1. First task: "Find out how the scheduler chooses the next job" - do not use the tool, as no implementation is being planned.\n2. First task: "Help me add priorities to the scheduler" - use it once the steps of the implementation are planned.\n3. First task: "Add single sign-on" - if the protocol is not clear, ask with AskUserQuestion first, and use exit plan mode when the approach is settled.\n',
}
EXIT_PLAN_MODE = ToolText(
    fixed("tools.ExitPlanMode", _EXIT),
    {
        **parameters(
            {
                "allowedPrompts": array(
                    record(
                        {
                            "tool": {
                                "description": "The tool that this prompt is for",
                                "type": "string",
                                "enum": ["Bash"],
                            },
                            "prompt": string(
                                'What the action is, in general terms, as in "run tests", "install dependencies"'
                            ),
                        },
                        "tool",
                        "prompt",
                    ),
                    "Permissions, by prompt, that carrying out the plan needs. They describe kinds of actions, not single commands.",
                )
            }
        ),
        "additionalProperties": {},
    },
)
