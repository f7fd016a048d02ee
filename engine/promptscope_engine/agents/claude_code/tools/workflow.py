"""Tools for work of many agents and for reviews: Workflow, ReportFindings (2.1.329)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import ToolText, array, choice, integer, parameters, record, string

_WORKFLOW = {
    "purpose": "Runs a script that directs many agents, in the background. The call returns at once with the ID of the run; a notice follows when it is over.",
    "what": "\nA workflow puts the order of work into code instead of leaving it to a model: loops, conditions and fan-out are the script's, the single pieces of work are the agents'. It is meant for tasks that fall into many like parts (every file of a folder, every finding of a review), for having results checked by independent agents, and for work too large for one context.",
    "consent": "\n**Only with the user's consent.** A workflow may start dozens of agents and use up many tokens. Call this tool when the user has asked for a workflow, or for many agents to be directed, in their own words; when a skill or a command that they called tells you to; or when they name a saved workflow. In every other case, even where a workflow would suit the task, use the Agent tool, or say briefly what a workflow would do and let them decide.",
    "script": "\n## The script\n\nPlain JavaScript (no TypeScript), passed inline as `script`. It begins with a literal description of itself:\n\n```js\nexport const meta = {\n  name: 'translate-docs',\n  description: 'Translate every page and have each translation checked',\n  phases: [{ title: 'Translate' }, { title: 'Check' }],\n}\nphase('Translate')\nconst pages = args.pages\nconst done = await pipeline(\n  pages,\n  page => agent(`Translate ${page} into French. Keep the markup.`, { phase: 'Translate' }),\n  (text, page) => agent(`Compare this with ${page} and list errors:\\n${text}`, { phase: 'Check', schema: ERRORS }),\n)\nreturn done.filter(Boolean)\n```",
    "api": "\n- `agent(prompt, options)` runs one agent and gives its last message, or an object if `options.schema` holds a JSON Schema. Further options: `label`, `phase`, `model`, `agentType`, `isolation: 'worktree'`.\n- `pipeline(items, stage1, stage2, …)` sends every item through all stages, each at its own pace. This is the usual choice.\n- `parallel(functions)` waits for all of them: only where a stage needs all results of the one before. A branch that fails gives null.\n- `phase(title)`, `log(text)` show progress. `args` is the value passed with the call; `budget` tells the tokens that are left.\n- Neither the file system nor the network can be reached from the script, and `Date.now()` and `Math.random()` are not available, so that a run can be resumed: agents do all the work.",
    "limits": "\nAgents run side by side up to a limit that depends on the machine; the others wait. A run stops at 1,000 agents. Nested workflows go one level deep.",
    "saved": "\nScripts that have proved useful can be kept in `.claude/workflows/` of the project or the user, and are then run by `name`. Scripts that come from elsewhere deserve to be read before they are run.",
    "errors": "\nAn agent that fails after its retries gives null, and so does one that the user skips: filter such results out before you use them. An error that is thrown in the script itself ends the run; what was finished by then is kept and can be resumed from.",
    "care": "\n## What to mind\n\n- Look around first, alone or with one agent, until you know the list of items; then write the script for that list.\n- Let agents that check work try to refute it, and do not let an agent check its own.\n- If a script leaves something out (a limit, a sample), have it `log` that, so that nobody takes the part for the whole.\n- Pass the path that a run returned as `scriptPath` to run the script again after editing it, and the ID as `resumeFromRunId` to keep the results of agents whose prompts did not change.",
}
WORKFLOW = ToolText(
    fixed("tools.Workflow", _WORKFLOW),
    parameters(
        {
            "script": string(
                "The script itself. It has to begin with `export const meta = {...}`, a plain literal with name, description and, if wanted, phases; after that comes the body, which may use await at the top level and returns the result of the run.",
                maxLength=524288,
            ),
            "name": string(
                "Name of a workflow that is saved or built in (those that are saved lie in .claude/workflows/ of the project or of the user). It resolves to a script that is complete in itself; use it instead of `script`."
            ),
            "description": string(
                "Is ignored: the description of a workflow stands in the meta of its script, and nowhere else."
            ),
            "title": string("Is ignored: the title of a workflow stands in the meta of its script, and nowhere else."),
            "args": {
                "description": "A value that the script sees as the global `args`, exactly as given. Pass arrays and objects as JSON values and not as strings that hold JSON, or the script cannot iterate over them. Serves to run the same script for another list of files, another question or another directory."
            },
            "scriptPath": string(
                "Path of a script file on disk. Each run writes its script to a file below the session's directory and names it in the result; to change a workflow, edit that file and call the tool again with this path instead of sending the whole script. Goes before `script` and `name`."
            ),
            "resumeFromRunId": string(
                "ID of an earlier run of this session to resume from. Agents whose prompt and options did not change give their former result at once; the first one that changed, and all that come after it, run anew. Stop the earlier run first with TaskStop, if it is still going. Only runs of the same session can be resumed.",
                pattern="^wf_[a-z0-9-]{6,}$",
            ),
        }
    ),
)

_FINDINGS = {
    "purpose": "Reports the findings of a code review in a form that the harness can show, sort and hand on.",
    "use": "\nCall it once, at the end of a review that was asked for (by a skill, a command or the user), with all findings that have held up, the most serious first. An empty list says that the review found nothing. Report only what you have verified in the code; leave out matters of taste. Do not repeat the findings as text afterwards: say in a sentence or two what the review covered. It is not meant for problems you come upon in the course of other work.",
}
_FINDING = record(
    {
        "file": string("Path of the file, relative to the root of the repository"),
        "line": integer("Line, counted from 1, at which the finding shows best", minimum=1),
        "summary": string("What is wrong, in one sentence that can be understood without the code"),
        "failure_scenario": string(
            "With which input or in which state it goes wrong, and what comes of it: a concrete case, not a possibility in general"
        ),
        "severity": choice(
            "How serious it is: whether it must be mended before merging, should be, or could be",
            "high",
            "medium",
            "low",
        ),
        "category": string(
            'What kind of problem it is, as a short word or two in kebab-case: "correctness", "security", "simplification", "test-coverage"'
        ),
        "verdict": choice(
            "How certain it is: seen to happen or proved from the code, or likely but not proved",
            "CONFIRMED",
            "PLAUSIBLE",
        ),
        "suggestion": string("How to mend it, in a sentence or as a short piece of code, if there is an evident way"),
    },
    "file",
    "summary",
    "failure_scenario",
)
REPORT_FINDINGS = ToolText(
    fixed("tools.ReportFindings", _FINDINGS),
    parameters(
        {
            "findings": array(
                _FINDING, "All findings of the review, the most serious first. Empty if there are none", maxItems=32
            ),
            "level": choice("How thorough the review was that was asked for", "low", "medium", "high", "max"),
        },
        "findings",
    ),
)
