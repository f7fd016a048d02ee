"""Tools for work of many agents and for reviews: Workflow, ReportFindings (2.1.329)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import ToolText, array, choice, integer, parameters, record, string
from .selection import offers
from .workflow_reference import REFERENCE

# --- Workflow ---------------------------------------------------------------------------------------------------------


def _workflow(m: Materials) -> Iterator[Piece]:
    yield from lines("tools.Workflow", _WORKFLOW)
    yield from lines("tools.Workflow", _OPT_IN_REMINDER, before="\n", when=m.gates.layout_is("A'"))
    yield from lines("tools.Workflow", _OPT_IN_SYSTEM, before="\n", when=m.gates.layout_is("B"))
    yield from lines("tools.Workflow", _WORKFLOW_REST, before="\n")
    skill = offers(m, "Skill")
    yield builtin("tools.Workflow.authoring", f"\n{_AUTHORING}", when=skill)
    yield from lines("tools.Workflow.reference", REFERENCE, before="\n", when=~skill)
    yield builtin("tools.Workflow.size", f"\n{_SIZE}")


_WORKFLOW = {
    "purpose": "Runs a script that orchestrates agents: what is to happen in which order is up to code, and agents carry out the single pieces. It works in the background. The call returns a task ID at once, and a notification follows when all is over; `/workflows` shows the user how far it is.",
    "consent": "\n**ONLY with an explicit opt-in.** A single run can start dozens of agents and consume a great many tokens, so it is for the user to choose that, and not for you to infer it from how the task looks. An opt-in is one of the following, and nothing else:",
}
_OPT_IN_REMINDER = {
    "opt_in_keyword": '\n- The keyword "ultracode" is in what the user wrote (a system-reminder then confirms that to you).',
    "opt_in_session": "- Ultracode has been switched on for the session as a whole (a system-reminder says so; it holds until it is switched off).",
}
_OPT_IN_SYSTEM = {
    "opt_in_keyword": '\n- The keyword "ultracode" is in what the user wrote (a message of the system then confirms that to you).',
    "opt_in_session": "- Ultracode has been switched on for the session as a whole (a message of the system says so; it holds until it is switched off).",
}
_WORKFLOW_REST = {
    "opt_in_words": '- They have asked for it in words of their own: for a workflow, for agents to be orchestrated or fanned out, for many of them at once ("let a swarm of agents look through this", "make a workflow of it"). A task that would merely be well suited to it is no such request, however large it is.',
    "opt_in_skill": "- A skill or a command that the user has called tells you to call this tool, Workflow.",
    "opt_in_saved": "- They ask for a workflow that is saved, by its very name.",
    "otherwise": '\nIn all other cases use Agent, or tell the user in a few words what a workflow could do here, with a rough idea of what it would cost (how many agents, how long), and ask whether they want it. Mention as well that a request which contains "use a workflow" starts one without being asked back next time. Then wait for their answer, and do not start it on the assumption that they will agree.',
    "script": "\nThe script begins with `export const meta = {...}`, which has to be a pure literal: no variables, calls or templates in it. `name` and `description` are needed, as the user is asked for permission with these; `phases` (a list with a `title` for each) gives the display of progress its groups, so use the same titles with phase(). Pass the script inline, as the parameter `script`. It is plain JavaScript and not TypeScript: type annotations and interfaces are syntax errors. `await` works at the top level.",
    "example": "\nFor instance, a review in which each finding is verified by somebody else:\n```js\nexport const meta = {\n  name: 'review-and-verify',\n  description: 'Review by area, then verify what was found',\n  phases: [{ title: 'Review' }, { title: 'Verify' }],\n}\nconst AREAS = [\n  { key: 'errors', prompt: 'Look for errors in the diff against main.' },\n  { key: 'waste', prompt: 'Look for wasted work in the diff against main.' },\n]\nconst found = await pipeline(\n  AREAS,\n  area => agent(area.prompt, { label: area.key, phase: 'Review', schema: FINDINGS }),\n  review => parallel(review.findings.map(finding => () =>\n    agent(`Try to refute this: ${finding.title}`, { phase: 'Verify', schema: VERDICT })\n      .then(verdict => ({ ...finding, verdict })))),\n)\nconst real = found.flat().filter(Boolean).filter(f => f.verdict && f.verdict.isReal)\nlog(`${real.length} findings have been confirmed`)\nreturn { confirmed: real }\n```\nEvery area is verified as soon as its own review is there, without waiting for the other one.",
}
_AUTHORING = "\n**Load the skill `workflow-authoring` before you write a script.** It is the reference for all the functions, their options and the patterns that have proved themselves; the example does not replace it."
_SIZE = "\nWorkflow size guideline for this session: medium. Plan for fewer than 10 agents in all, unless the user has asked for more than that. It is guidance and no hard limit: if a task clearly needs some more of them in order to be done well, take them, and say beforehand how many it is going to be.\n"
WORKFLOW = ToolText(
    _workflow,
    parameters(
        {
            "script": string(
                "The script, complete in itself. Its first statement is `export const meta = {...}`, a pure literal that has name, description and maybe phases. Then follows the body, which uses agent(), pipeline() and so on.",
                maxLength=524288,
            ),
            "name": string(
                "The name of a workflow that exists (a built-in one, or one saved in .claude/workflows/), to run that."
            ),
            "description": string("Has no effect. The description of a workflow is part of its meta."),
            "title": string("Has no effect. The title of a workflow is part of its meta."),
            "args": {
                "description": "A value for the script, where it is the global `args`. It arrives as you pass it, so give lists and objects as JSON and not as text that contains JSON, because a script cannot iterate over text. By means of it one script serves many occasions: a question, a path or a list of files."
            },
            "scriptPath": string(
                "A file with the script. Each run saves its script in a file within the session's directory, and its result tells you the path. To run it again in an altered form, edit that file with Write or Edit and pass the path here, rather than sending everything anew. If it is given, `script` and `name` are of no importance any more for the run."
            ),
            "resumeFromRunId": string(
                "The ID of an earlier run, to go on from there. Each call of agent() whose prompt and options are the same as then gives its former result at once, without an agent; the first that is different is carried out anew, and everything behind it as well. An unchanged script with unchanged args therefore costs nothing. Only runs of this same session can be resumed. If the earlier run is still going on, end it by TaskStop first. Together with `scriptPath` this is how to correct an error in a script without losing what has been done already before the error occurred.",
                pattern="^wf_[a-z0-9-]{6,}$",
            ),
        }
    ),
)

# --- ReportFindings ---------------------------------------------------------------------------------------------------

_FINDINGS = {
    "purpose": "Hands the findings of a code review over in typed form, so that the host's UI can display them as such. Call it only where the instructions for a review tell you to, and in no other situation; otherwise findings are simply text. Rank them, with the most serious at the top, and call the tool once, with all that have stood up to being checked. If there is nothing to report, the list may be empty. When findings have been dealt with afterwards and the instructions ask for it, report the same ones again, each with its `outcome`. Do not repeat them as text besides.",
}
_FINDING = record(
    {
        "file": string("The file, by its path from the repository's root"),
        "line": integer("The line that it is about, from 1"),
        "summary": string("The fault in a sentence"),
        "short_summary": string(
            "The same in a few words, for places where there is little room; no full stop, no code formatting",
            maxLength=60,
        ),
        "failure_scenario": string("Which input leads to which wrong result"),
        "category": string(
            'What kind of fault it is, in one word or two with a hyphen: "correctness", "simplification", "test-coverage", …',
            maxLength=40,
        ),
        "severity": choice(
            "How much it matters: important (to be repaired before merging), nit (small, can be left as it is), pre_existing (was there before this change and is not its fault)",
            "important",
            "pre_existing",
            "nit",
        ),
        "verdict": choice("What a check of the finding came to, if one was made", "CONFIRMED", "PLAUSIBLE"),
        "outcome": choice(
            "Only when findings are reported again: what has become of it in the meantime",
            "fixed",
            "skipped",
            "no_change_needed",
        ),
    },
    "file",
    "summary",
    "failure_scenario",
)
REPORT_FINDINGS = ToolText(
    fixed("tools.ReportFindings", _FINDINGS),
    parameters(
        {
            "level": choice("The effort the review was run at", "low", "medium", "high", "xhigh", "max"),
            "findings": array(_FINDING, "What was found, the most serious first; may be an empty list", maxItems=32),
        },
        "findings",
    ),
)
