"""Bundled skills and built-in agents of the two versions: names exact, descriptions in our words (6, 2.3).

In the order of the listings; `interactive` agents are there only in an interactive session.
"""

from __future__ import annotations

from dataclasses import dataclass

from .versions import V100, V329, V330

SKILLS: dict[str, dict[str, str]] = {
    V100: {
        "update-config": 'Configures the Claude Code harness through settings.json. Behaviour that is to happen by itself ("whenever X", "before each X") takes hooks that the harness runs; no memory can do it. Also for permissions and env vars.',
        "simplify": "Goes over the code that was changed, looks for what could be used again, for quality and efficiency, and then mends the problems it has found.",
        "loop": "Runs a prompt or a slash command again and again at an interval (/loop 10m /lint, for example; 10 minutes if none is given). For tasks that recur or have to be looked at from time to time, not for single ones.",
        "claude-api": "Builds apps with the Claude API or the Anthropic SDK. TRIGGER when: code imports `anthropic`/`@anthropic-ai/sdk`/`claude_agent_sdk`, or the user wants the Claude API. DO NOT TRIGGER when: another vendor's SDK is used.",
    },
    V329: {
        "dataviz": "Guidance for charts and other pictures of data, whatever they are made with (a plotting library, SVG, HTML canvas, a terminal). Use it before you write the code of a chart, a dashboard or a table with graphics in it. It helps to choose a form that fits the question, to pick colours that remain distinguishable to everyone and in a dark theme, to label axes and values so that no legend has to be decoded, and to check the finished picture against the data. It has a palette of its own for those who bring none, with a script that tests any other, and advice on what not to draw at all: a number that stands alone needs no chart.",
        "artifact-design": "How a page that is to be published should look: type, colour, space and layout, chosen for what it has to say. Load it before you make any artifact, of whatever kind.",
        "artifact-diagramming": "How to draw diagrams in an artifact: which kind fits which matter, arrangement, labels and lines, done in inline SVG, and how to keep it legible in the light and in the dark theme.",
        "update-config": 'Configures the Claude Code harness through settings.json. Behaviour that is to happen by itself ("from now on when X", "each time X", "whenever X", "before/after X") takes hooks in settings.json: the harness runs these, not Claude, so memory or preferences cannot do it. Use it also for permissions ("allow X", "add the permission", "move the permission to"), env vars ("set X=Y"), finding out why a hook does not run, and any change to settings.json/settings.local.json files. For simple settings such as theme or model, suggest the /config command instead.',
        "keybindings-help": 'Use when the user wants to change keyboard shortcuts, bind keys anew, add chords, or edit ~/.claude/keybindings.json. Examples: "put submit on another key", "I want a chord for this", "make ctrl+k clear the line", "which keys are taken?".',
        "code-review": "Reviews the current diff, a branch or a pull request for faults of correctness, and for what could be used again, simplified or made more efficient. The effort can be given as an argument: with low and medium come few findings of which it is sure, with high and max a wider search that may include uncertain ones. With a number or a URL it takes that pull request. --comment puts the findings onto the pull request as inline comments, --fix applies them to the working tree when the review is done. Without a target it takes what differs from the main branch.",
        "simplify": "Goes over the code that was changed, looks for what could be used again, simplified or made more efficient, and applies the improvements. It is concerned with quality only and does not hunt for bugs; use /code-review for that. Give it a path or a description to narrow down what it looks at; without one it takes what was changed last.",
        "fewer-permission-prompts": "Looks through your transcripts for read-only commands of Bash and MCP tools that you are often asked about, and adds a list of those to allow, ordered by how often they occur, to the project's .claude/settings.json, so that fewer permission prompts appear. Commands that could change something are never proposed, however often they occur.",
        "loop": 'Runs a prompt or a slash command again and again at an interval (/loop 10m /lint, for example). Leave the interval out to let the model set the pace. Use it when the user wants a recurring task, wants to look after something from time to time (a build, a queue, a review), or wants something repeated ("look every 10 minutes whether the deploy is through", "keep running /lint"). Do not call it for tasks that are done once.',
        "claude-api": "Reference for the Claude API and the Anthropic SDKs: ids of models, prices, parameters, streaming, tool use, MCP, agents, prompt caching, counting tokens, moving from one model to the next. TRIGGER: read it BEFORE you open the file in question, whenever the prompt names Claude, Anthropic or one of the models in whatever form; whenever code imports `anthropic` or `@anthropic-ai/sdk`; and whenever the task concerns an LLM (an agent, a chatbot, generation, classification) and no vendor has been chosen. SKIP: when another vendor's SDK is in use (code imports `openai`, file names say so), when the code has to stay neutral between vendors, and for programming or machine learning in general. Never answer questions on models, prices or limits from memory.",
        "workflow-authoring": "How to write scripts for the Workflow tool, which direct many agents by code: the form of a script and its meta, agent(), pipeline() and parallel(), structured output by schema, phases and progress, budgets, and patterns that have proved themselves (independent checks, several points of view, loops until nothing new is found). Read it before you write or change a workflow, once the user has asked for one; it is no reason to start one unasked.",
        "run": "Starts this project's app and operates it, in order to see a change at work. Use it when the user wants the app run, started or shown in a screenshot, or wants to know that a change works in the real app and not only in tests. It first looks for a skill of the project's own that tells how the app is started; if there is none, it follows what is usual for the kind of project: command-line program, server, terminal app, Electron, browser, library.",
        "plugin-authoring": "How to write and package a plugin of Claude Code: the layout of its folder and plugin.json, commands, skills, agents, hooks and MCP servers that it may bring, the variables that stand for its own directory, how it is tested locally and offered through a marketplace. Use it when the user wants to make, change, check or publish a plugin, or to turn what lies in .claude/ into one.",
        "init": "Writes a first CLAUDE.md file with what is worth knowing about the codebase: the commands to build, test and lint it, how it is structured, and the conventions that cannot be seen in a single file. If there is one already, improvements to it are proposed. Use it when a project is opened for the first time and nothing tells yet how it is worked on.",
        "security-review": "Reviews the changes that are pending on the current branch for weaknesses of security: injection, broken access control, secrets in the code, unsafe deserialisation, misuse of cryptography and the like. Reports those that could really be exploited, with how, and leaves theoretical ones out. It changes nothing by itself; ask for repairs when the report is there.",
    },
}
SKILLS[V330] = SKILLS[V329]
ARTIFACT_SKILLS = ("artifact-design", "artifact-diagramming")
"""Listed only where pages can be published (variants, f)."""


@dataclass(frozen=True, slots=True)
class BuiltInAgent:
    """A built-in agent's line."""

    name: str
    description: str
    tools: str
    interactive: bool = False


_READ_ONLY = "All tools except Agent, ExitPlanMode, Edit, Write, NotebookEdit"
_GENERAL = "An agent for all purposes: researching questions that are not simple, searching for code, and carrying out tasks of many steps. When you look for a keyword or a file and doubt that the first few attempts will find it, let this agent do the search for you."
_STATUS_LINE = "Use this agent to configure the status line of Claude Code for the user."
_GUIDE = 'Use this agent when the user asks ("Can Claude...", "Does Claude...", "How do I...") about: (1) Claude Code, the CLI tool - features, hooks, slash commands, MCP servers, settings, IDE integrations, keyboard shortcuts; (2) the Claude Agent SDK - how to build agents of one\'s own; (3) the Claude API (formerly Anthropic API) - how to use it, tool use, Anthropic SDK. **IMPORTANT:** Before you start a new one, see whether a claude-code-guide agent is running or has lately finished that SendMessage can continue.'
_PLAN = "An agent that thinks as a software architect does and designs plans of implementation. Use it when you have to work out how a task is to be implemented. It returns plans step by step, names the files that are critical, and weighs what each architecture would cost. It reads and thinks only: the implementation is left to you."

AGENTS: dict[str, tuple[BuiltInAgent, ...]] = {
    V100: (
        BuiltInAgent("general-purpose", _GENERAL, "*"),
        BuiltInAgent("statusline-setup", _STATUS_LINE, "Read, Edit"),
        BuiltInAgent(
            "Explore",
            'A fast agent that is made for exploring codebases. Use it to find files quickly by patterns ("docs/**/*.md", for example), to search code for keywords ("rate limit", for example), or to have questions about the codebase answered ("what happens when a payment fails?", for example). When you call it, say how thorough it should be: "quick" for a basic search, "medium" for moderate exploration, "very thorough" for a comprehensive analysis in several places and under several naming conventions.',
            _READ_ONLY,
        ),
        BuiltInAgent("Plan", _PLAN, _READ_ONLY),
        BuiltInAgent("claude-code-guide", _GUIDE, "Glob, Grep, Read, WebFetch, WebSearch", interactive=True),
    ),
    V329: (
        BuiltInAgent(
            "claude",
            "The one for every task that no more specific agent fits: it has all tools and works as the main session does, with the same instructions of the project. Use it when none of the others matches what is to be done, or when a piece of work is to go on beside your own.",
            "*",
        ),
        BuiltInAgent(
            "Explore",
            'An agent that reads only and is made for searching widely: when an answer means going through many files, directories or naming conventions and you need the conclusion rather than the contents of the files. It reads excerpts instead of whole files, so it finds code; it does not review it, audit it or check it against a design. Say how wide it should search: "medium" for moderate exploration, "very thorough" for several places and naming conventions.',
            _READ_ONLY,
        ),
        BuiltInAgent("general-purpose", _GENERAL, "*"),
        BuiltInAgent("Plan", _PLAN, _READ_ONLY),
        BuiltInAgent("statusline-setup", _STATUS_LINE, "Read, Edit"),
        BuiltInAgent("claude-code-guide", _GUIDE, "Bash, Read, WebFetch, WebSearch", interactive=True),
    ),
}
AGENTS[V330] = AGENTS[V329]
