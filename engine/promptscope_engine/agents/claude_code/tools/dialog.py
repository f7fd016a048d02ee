"""Tools that turn to the user: AskUserQuestion, EnterPlanMode, ExitPlanMode (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import NOTHING, ToolText, array, boolean, choice, mapping, parameters, record, string

# --- AskUserQuestion --------------------------------------------------------------------------------------------------


def _ask(m: Materials) -> Iterator[Piece]:
    newer = ~gates.IS_100
    yield from lines("tools.AskUserQuestion", _ASK_100, when=gates.IS_100)
    yield builtin("tools.AskUserQuestion.purpose", _ASK_329, when=newer)
    yield from lines("tools.AskUserQuestion", _ASK_NOTES, before="\n\n")
    yield builtin("tools.AskUserQuestion.plans", _ASK_PLANS_100, when=gates.IS_100)
    yield builtin("tools.AskUserQuestion.plans", _ASK_PLANS_329, when=newer)
    yield builtin("tools.AskUserQuestion.defaults", _ASK_DEFAULTS, when=m.gates.layout_is("B"))
    yield builtin("tools.AskUserQuestion.alone", _ASK_ALONE, when=newer)
    yield from lines("tools.AskUserQuestion", _ASK_PREVIEW, before="\n\n", when=gates.INTERACTIVE)


_ASK_100 = {
    "purpose": "Puts questions to the user in the middle of your work. There are four reasons to do so:",
    "preferences": "1. You want to know wishes or requirements",
    "ambiguity": "2. What was said is ambiguous",
    "decisions": "3. A decision on the implementation is due by now",
    "directions": "4. It could go in several directions; let them choose",
}
_ASK_329 = "Puts questions to the user. Use it only if you cannot go on without a decision, and if that decision is really theirs: neither the request nor the code answers it."
_ASK_NOTES = {
    "notes": "Usage notes:",
    "other": '- There is always an "Other" beside your options, with room for own words',
    "multi": "- multiSelect: true lets users pick more than a single answer to a question",
    "recommended": '- Is one of the options the one you recommend? Then it goes first in the list, and its label ends in "(Recommended)"',
}
_ASK_PLANS_100 = '\n\nIn plan mode: requirements are clarified, and approaches chosen, BEFORE you finish the plan, and this tool is there for that. Whether the plan is good and whether to begin is NOT a question for it; approval is what ExitPlanMode asks for. IMPORTANT: As long as you have not called ExitPlanMode, the plan is not on the user\'s screen. They would not know what you mean by "the plan", so never mention it in a question ("Is the plan all right?", "Anything to change in the plan?").\n'
_ASK_PLANS_329 = "\n\nIn plan mode: if planning is what you want, call EnterPlanMode instead of asking whether to plan. Once there, requirements are clarified and approaches chosen with this tool while the plan is still open. Never ask with it for approval, in whatever words; ExitPlanMode does that. The user cannot see your plan before, so no question may refer to it."
_ASK_DEFAULTS = "\n\nA question is worth the interruption only if its answer changes what you do next. If either answer would lead to the same step, or if one is what most people would want, decide yourself, go on, and mention in a sentence what you have decided and why."
_ASK_ALONE = "\n\nLet each question be clear by itself. What you have written earlier may have scrolled away or be hidden while the question is on the screen, so whatever it takes to decide has to be in the question or in its options: name the thing instead of pointing to it, and tell what follows from each of the choices."
_ASK_PREVIEW = {
    "preview": "Previews:\nAn option may have a `preview`. Use it when there is something to see in the options that people compare with their eyes:",
    "preview_layouts": "- Layouts and components, sketched in ASCII",
    "preview_code": "- Pieces of code that do the same in several ways",
    "preview_diagrams": "- Diagrams, each way",
    "preview_configs": "- Examples of config",
    "preview_format": "\nIt is treated as markdown and shown in a box with letters of equal width; line breaks remain. Once any option has one, the layout changes: the options stand in a column on the left, and on the right there is the preview of the current one. A simple question, one where label and description tell everything, does better without. Previews are available only if a single answer is to be chosen, and not together with multiSelect.\n",
}
_OPTION = record(
    {
        "label": string(
            "The words by which users see this option and choose it. One to five of them, so that nobody doubts what they are choosing here."
        ),
        "description": string(
            "What is behind this option: what it amounts to or brings about when chosen. The place for trade-offs and for consequences."
        ),
        "preview": string(
            "What to show, if anything, while this option is the current one: a sketch, a piece of code, or anything else that helps users to compare by looking. The tool's description tells in what form it is expected."
        ),
    },
    "label",
    "description",
)
_QUESTION = record(
    {
        "question": string(
            'The whole question as the user is to read it: clear, specific, with a question mark behind it. An example: "Through which queue are the mails to go?" With multiSelect on, ask for several, as in "In which formats should the export be available?"'
        ),
        "header": string(
            'What it is about in one word, for a small tag (12 chars at most). Such as: "Queue", "Format", "Storage".'
        ),
        "options": array(
            _OPTION,
            "The answers to choose from, at least 2 and at most 4. They have to be different from each other, and with multiSelect off they should exclude each other as well. Do not put in an 'Other': there is one in any case, without your doing.",
            minItems=2,
            maxItems=4,
        ),
        "multiSelect": boolean(
            "True lets users choose more than one of the options. Use it where several of them can be wanted at the same time.",
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
        "preview": string("The preview that the chosen option had, for questions with previews."),
        "notes": string("What the user has added in words of their own."),
    }
)
ASK_USER_QUESTION = ToolText(
    _ask,
    parameters(
        {
            "questions": array(_QUESTION, "The questions to be asked (from 1 to 4)", minItems=1, maxItems=4),
            "answers": mapping("What the user has answered (filled in afterwards)", {"type": "string"}),
            "annotations": mapping(
                "What the user has noted on their answers, by the text of the question (on a preview, for example).",
                _ANNOTATION,
            ),
            "metadata": record(
                {
                    "source": string(
                        'Where the question has its origin, as a short name ("remember", if it is the /remember command). For use in analytics.'
                    )
                },
                description="Data for analytics that go along with the call. The user does not see them.",
            ),
        },
        "questions",
    ),
)

# --- plan mode --------------------------------------------------------------------------------------------------------


def _enter(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.EnterPlanMode", _ENTER)
    yield builtin("tools.EnterPlanMode.not_research", _NOT_RESEARCH_100, when=gates.IS_100)
    yield builtin("tools.EnterPlanMode.not_research", _NOT_RESEARCH_329, when=~gates.IS_100)
    yield from lines("tools.EnterPlanMode", _ENTER_THERE, before="\n")
    yield builtin("tools.EnterPlanMode.explore", _EXPLORE_100, when=gates.IS_100)
    yield builtin("tools.EnterPlanMode.explore", _EXPLORE_329, when=~gates.IS_100)
    yield from lines("tools.EnterPlanMode", _ENTER_REST, before="\n")


_ENTER = {
    "purpose": "For the moment before you implement something that is more than trivial; call it without being asked. If the user has agreed to an approach before any code exists, nobody has to throw work away. What it does: you change over to plan mode, look around in the codebase there and design an approach, which is then put before the user.",
    "when": "\n## When to Use This Tool",
    "when_any": "\n**Rather use EnterPlanMode** than not, as soon as the task is more than simple. It is right if ANY of these points applies:",
    "feature": "\n1. **Something new is built**: a function that was not there before",
    "feature_undo": '   - Example: "Let people undo a deletion" - where is it kept, and for what time?',
    "feature_mail": '   - Example: "Send invoices by mail" - when, and if one bounces?',
    "approaches": "\n2. **More than one good way**: it can be solved like this or in another manner",
    "approaches_search": '   - Example: "Make the search forgive typos" - an index, a library, or the database?',
    "approaches_import": '   - Example: "Speed up the import" - batches, workers, another format',
    "modification": "\n3. **Existing code behaves differently**: what people know is to change",
    "modification_rule": '   - Example: "Change how discounts add up" - for which orders?',
    "modification_split": '   - Example: "Take this module apart" - along which line, and why?',
    "architecture": "\n4. **Architecture**: one pattern or technology has to be preferred over its competitors",
    "architecture_jobs": '   - Example: "Run reports at night" - by cron, a queue, the platform?',
    "architecture_offline": '   - Example: "Let it work offline" - what is kept, and who wins in a conflict?',
    "files": "\n5. **Wide changes**: it will probably touch over two or three files",
    "files_translation": '   - Example: "Translate the whole interface"',
    "files_logging": '   - Example: "Replace the logging library"',
    "unclear": "\n6. **Nobody knows yet how much it is**: it takes a look around to see its extent",
    "unclear_job": '   - Example: "The nightly job is unreliable" - what is it that goes wrong?',
    "unclear_charge": '   - Example: "Customers are charged twice" - the cause comes first',
    "preferences": "\n7. **It is a matter of taste**: reasonable people would do it in different ways, too",
    "preferences_ask": "   - What you were going to ask by AskUserQuestion about an approach belongs here",
    "preferences_explore": "   - Here you look around first, and offer options that fit afterwards",
    "when_not": "\n## When NOT to Use This Tool",
    "not_simple": "\nLeave it out in simple cases only, that is:",
    "not_lines": "- A line or two to repair (a slip of the pen, an error you can see)",
    "not_function": "- One function about which everything is clear",
    "not_detailed": "- The user has described in detail what they want, step after step",
}
_NOT_RESEARCH_100 = "\n- Nothing but research (the Agent tool with its explore agent is there for that)"
_NOT_RESEARCH_329 = "\n- Nothing but research (the Agent tool is there for that one)"
_ENTER_THERE = {
    "there": "\n## What Happens in Plan Mode",
    "steps": "\nThere your steps are:",
}
_EXPLORE_100 = "\n1. Look through the codebase, thoroughly, using Glob, Grep and Read"
_EXPLORE_329 = "\n1. Look through the codebase thoroughly (`find`/Glob, `grep`/Grep and Read)"
_ENTER_REST = {
    "patterns": "2. Learn how things are done there until now",
    "design": "3. Design a way to build it in there",
    "present": "4. Show the user the plan, to be approved by them",
    "clarify": "5. Ask by AskUserQuestion where a choice is not clear",
    "leave": "6. Leave by ExitPlanMode when all is set for building it",
    "examples": "\n## Examples",
    "good": "\n### GOOD - Use EnterPlanMode:",
    "good_sign_in": '\nUser: "Let people log in with Google"',
    "good_sign_in_why": "- Full of decisions on architecture (what protocol, what becomes of accounts, where sessions live)",
    "good_map": '\nUser: "The map takes ages to load"',
    "good_map_why": "- There are several ways to cure this, and one has to profile it first",
    "good_theme": '\nUser: "We need high contrast"',
    "good_theme_why": "- How themes are built decides over every component there is",
    "good_merge": '\nUser: "Merge the two pages of settings"',
    "good_merge_why": "- Harmless at first sight, but: which goes where, what becomes of old links, who is told, what about mistakes?",
    "good_client": '\nUser: "Adapt the client to API version 3"',
    "good_client_why": "- Many files change, and the user should approve how first",
    "bad": "\n### BAD - Don't use EnterPlanMode:",
    "bad_footer": '\nUser: "Correct the year below"',
    "bad_footer_why": "- Clear as it is: nothing to plan here",
    "bad_log": '\nUser: "Print how many rows there are, here"',
    "bad_log_why": "- Obvious, and done in a line",
    "bad_question": '\nUser: "Where are mails sent?"',
    "bad_question_why": "- That is research: there is nothing to build",
    "notes": "\n## Important Notes",
    "consent": "\n- The user MUST approve: plan mode is not entered unless they agree to it",
    "lean": "- When you cannot decide, plan. A moment spent on agreeing beforehand costs less than having to do everything again",
    "welcome": "- People like to be asked before somebody makes large changes in a codebase of theirs\n",
}
ENTER_PLAN_MODE = ToolText(_enter, NOTHING)

_EXIT = {
    "purpose": "Ends planning: call it in plan mode as soon as the plan stands in its file and nothing is missing but the user's approval.",
    "how": "\n## How This Tool Works",
    "how_file": "- It relies on the plan file, whose path the message on plan mode has told you; the plan is there by now",
    "how_read": "- Do not pass the plan to it: there is no such parameter. It opens the plan file and takes what it says",
    "how_signal": "- All that the call itself says is: planning is done, please look at this and decide upon it",
    "how_review": "- What the user gets to see is that file, exactly as you have left it",
    "when": "\n## When to Use This Tool",
    "when_code": "IMPORTANT: It is meant for plans at whose end code is written, and for no others. Tasks in which you merely find something out, by searching, by reading files or by getting to know how a codebase works, do NOT end with this tool, not even if you were in plan mode while working on them.",
    "before": "\n## Before Using This Tool",
    "before_complete": "By now the plan has to be clear and complete:",
    "before_ask": "- Is any requirement or approach still open? Then have it settled by AskUserQuestion in one of the phases before this.",
    "before_request": "- Is everything settled? Then THIS tool asks for the approval.",
    "not_ask": '\n**Important:** Approval is sought by THIS tool and in no other way. "May I begin?", "Does this suit you?" and their like are NOT questions for AskUserQuestion, as they are what ExitPlanMode asks anyway.',
    "examples": "\n## Examples",
    "example_research": '\n1. The task was "Find out how the scheduler chooses the next job". You have found something out, and there is no implementation whose steps could be planned: do not call the exit plan mode tool here.',
    "example_plan": '2. The task was "Help me to add priorities to the scheduler". Call the exit plan mode tool, once you have finished planning how to implement them for the user.',
    "example_ask": '3. The task was "Let people sign in", and it is open by which method: OAuth, a link by mail, a password. Settle that by AskUserQuestion; the exit plan mode tool comes afterwards, when the approach is certain.\n',
}


def _exit_schema(description: str) -> Json:
    prompt = record(
        {
            "tool": choice("Which tool this prompt covers", "Bash"),
            "prompt": string('What will be done, as a kind of action ("run tests", "install dependencies")'),
        },
        "tool",
        "prompt",
    )
    schema = parameters({"allowedPrompts": array(prompt, description)})
    return {**schema, "additionalProperties": {}} if isinstance(schema, dict) else schema


EXIT_PLAN_MODE_100 = ToolText(
    fixed("tools.ExitPlanMode", _EXIT),
    _exit_schema(
        "What has to be permitted for the plan to be carried out, as prompts: each stands for a kind of action, not for a command."
    ),
)
EXIT_PLAN_MODE_329 = ToolText(fixed("tools.ExitPlanMode", _EXIT), _exit_schema("Not in use any longer."))
