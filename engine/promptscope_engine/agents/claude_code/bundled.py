"""Bundled skills and built-in agents of the two versions: names exact, descriptions in our words (6, 2.3).

In the order of the listings; `interactive` agents are there only in an interactive session.
"""

from __future__ import annotations

from promptscope_engine.frozen import frozen

from .versions import V100, V329, V330

SKILLS: dict[str, dict[str, str]] = {
    V100: {
        # The real descriptions are longer and cut to 250 characters; so are these (6).
        "update-config": "Changes how the Claude Code harness is set up, by way of settings.json. What is meant to happen by itself, each time that something else happens, has to become a hook: hooks are run by the harness, whereas a memory is only read. Permissions and vari…",
        "simplify": "Looks over changed code for reuse, quality and efficiency, and repairs what it finds",
        "loop": "Has a prompt or a slash command run over and over, with a pause of a given length in between (such as /loop 20m /lint), or of 10m if you name none. Use it for whatever is to be looked at from time to time or done repeatedly. It is not meant for a si…",
        "claude-api": "For apps on top of the Claude API or Anthropic SDK.\nTRIGGER when: `anthropic`/`@anthropic-ai/sdk`/`claude_agent_sdk` is imported somewhere in the code, or somebody asks for the Claude API, an SDK of Anthropic or the Agent SDK. DO NOT TRIGGER when: `…",
    },
    V329: {
        "dataviz": 'How to make charts and dashboards that can be read, whatever they are made with: a plotting library, HTML and SVG, a spreadsheet, slides, a notebook, plain text in a terminal. Load it BEFORE the first line of any chart is written, even of a small one that seems obvious, and before you judge or repair one that exists. It gives a method: begin with the question that the reader has, choose the form from it, give the most accurate channel to what matters most, label directly, and remove what carries no information. It brings colours that stay distinguishable for colour-blind readers and on both a light and a dark background, with scales for ordered, diverging and unordered values, and a validator that tests colours of one\'s own against the same demands. It also says when a table or a single number serves better than any picture. If the data come from a connector, fetch rows from it instead of a finished picture, so that the chart can be made by these rules. Words that should make you think of it: chart, plot, graph, diagram of numbers, dashboard, histogram, heat map, sparkline, trend, distribution, breakdown, comparison of figures, KPI, metrics, "visualise this", "show me how it developed", "make a picture of these numbers". It applies as well when the chart is just one part of something larger, such as a report, a web page or a presentation, and when the user has not asked for a chart but the answer would be clearer with one.',
        "artifact-design": "How a page that is to be published should look: type, colour, space and layout, chosen for what it has to say. Load it before you make any artifact, of whatever kind.",
        "artifact-diagramming": "How to draw diagrams in an artifact: which kind fits which matter, arrangement, labels and lines, done in inline SVG, and how to keep it legible in the light and in the dark theme.",
        "update-config": 'Changes how the Claude Code harness is set up, by way of settings.json. What is meant to happen by itself ("whenever a file is saved, …", "before every commit, …", "from now on, when you are done, …") has to become a hook in settings.json: the harness runs hooks, whereas Claude does not, and no memory or preference can take their place. It is also for permissions ("let it run npm test unasked", "move this rule to the project"), for env vars ("set LOG_LEVEL=debug"), for finding out why a hook does not run, and for any other change of settings.json or settings.local.json. Examples: "allow gh commands", "play a sound when you finish". For simple things like theme or model there is the /config command.',
        "keybindings-help": 'For keyboard shortcuts: assigning a key anew, adding a chord of several keys, changing ~/.claude/keybindings.json. Examples: "put submit on another key", "make ctrl+k clear the line", "I want a chord for this", "which keys are taken?".',
        "code-review": "Reviews the current diff at a chosen level of effort; a pull request, a branch or the path of a file can be given instead. It looks for errors first, and then for code that repeats what exists, is more complicated than it has to be or wastes resources. At the levels low and medium it reports few findings and is certain of them; at high and beyond it searches more widely and may report some that turn out to be wrong. Take the level max only on the user's explicit wish, since it costs many times as much; if no level is named, the session's own applies. `--comment` writes the findings into the pull request, each at the line it is about. `--fix` repairs in the working tree what was found, once the review is over. `--max-findings N` limits how many are reported. For changes that merely tidy up, without a search for errors, there is /simplify.",
        "simplify": "Tidies up the code that was changed: repetition, needless complication, waste. It does so directly instead of reporting. It does not look for errors; /code-review is there for that.",
        "fewer-permission-prompts": "Finds in your transcripts which harmless calls you are asked about most, and puts an allowlist for them into the project's .claude/settings.json, to be asked less.",
        "loop": 'Has a prompt or a slash command run over and over at an interval (such as /loop 20m /lint); without an interval, the model chooses the pace itself. Use it when something is to be watched, checked from time to time or done repeatedly ("look into the queue every hour", "keep an eye on the build"). It is not meant for a task that is done once.',
        "claude-api": "Reference for the Claude API and Anthropic's SDKs: models, prices, parameters, streaming, tool use, MCP, agents, caching, token counts, migration.\nTRIGGER: read this before you write or change code, and before you answer, in each of these cases: somebody mentions Claude, Anthropic or one of the models by whatever name; code imports `anthropic`, `@anthropic-ai/sdk` or `claude_agent_sdk`; a question is about prices, limits, the size of a window or which model suits a purpose; something is to be built on a language model (a chatbot, an agent, an extraction, a classification) and nobody has decided on a vendor. What you remember of such facts is likely to be out of date, so never answer from memory.\nSKIP: the code at hand is written for the SDK of another vendor (it imports `openai`, say, or its file names tell so); the user wants to stay independent of any vendor; the task is ordinary programming, or machine learning that does not concern language models; or it is about using Claude Code itself rather than about the API underneath. If both kinds of SDK occur in one project, decide by the file that you are about to change.",
        "workflow-authoring": "Reference on scripts for the Workflow tool: meta, agents, pipelines, schemas, budgets, resuming, proven patterns. Read it before a workflow is written or altered. It authorises none by itself: the user still has to have asked for one.",
        "run": "Starts this project's app in order to see a change at work, rather than only in tests. Use it to run, launch or take screenshots of the app, and to confirm that something really works as a user would find it. A skill of the project that tells how the app is started comes first; without one, it follows what is common for such projects: CLI, server, TUI, Electron, website, library.",
        "plugin-authoring": "For making a mod of Claude Code, which is a plugin that adds something of its own: a theme, a panel, a command, a hook. Use it when the user wants one made, changed, tested or shared, or wants to turn what they have set up under .claude/ into one that others can install.",
        "init": "Writes a new CLAUDE.md that documents the codebase at hand.",
        "security-review": "Reviews the pending changes of this branch for security problems alone.",
    },
}
SKILLS[V330] = SKILLS[V329]
SKILL_COLUMNS = {
    "dataviz": 1_447,
    "artifact-design": 202,
    "artifact-diagramming": 202,
    "update-config": 707,
    "keybindings-help": 248,
    "code-review": 850,
    "simplify": 188,
    "fewer-permission-prompts": 191,
    "loop": 344,
    "claude-api": 1_169,
    "workflow-authoring": 252,
    "run": 368,
    "plugin-authoring": 275,
    "init": 67,
    "security-review": 90,
}
"""What the lines of the bundled skills of 2.1.329 and later really take of the listing's budget [recorded; of the two
about artifacts only the sum]: the budget must not depend on our wording of their descriptions."""
COMMAND_SKILLS = ("init", "security-review")
"""Listed like skills, but no skills to the budget: they lose their descriptions as the user's own do."""
UNSWITCHED_SKILLS = ("plugin-authoring",)
"""What `disableBundledSkills` leaves in the listing [recorded]."""
COMMANDS = frozenset(
    [
        "add-dir",
        "agents",
        "background",
        "batch",
        "branch",
        "btw",
        "bug",
        "cd",
        "clear",
        "color",
        "compact",
        "config",
        "context",
        "copy",
        "debug",
        "deep-research",
        "diff",
        "doctor",
        "effort",
        "exit",
        "export",
        "fast",
        "feedback",
        "focus",
        "fork",
        "goal",
        "heapdump",
        "help",
        "hooks",
        "ide",
        "init",
        "insights",
        "keybindings",
        "login",
        "logout",
        "loop",
        "mcp",
        "memory",
        "mobile",
        "model",
        "output-style",
        "passes",
        "permissions",
        "plan",
        "plugin",
        "powerup",
        "radio",
        "recap",
        "release-notes",
        "reload-plugins",
        "reload-skills",
        "rename",
        "resume",
        "rewind",
        "sandbox",
        "scroll-speed",
        "security-review",
        "setup-bedrock",
        "setup-vertex",
        "skills",
        "status",
        "statusline",
        "stickers",
        "tasks",
        "team-onboarding",
        "terminal-setup",
        "theme",
        "tui",
        "usage",
        "verify",
        "workflows",
    ]
)
"""Built-in slash commands of 2.1.329 and later: a skill of another folder is not shown by such a name [recorded]."""
ARTIFACT_SKILLS = ("artifact-design", "artifact-diagramming")
"""Listed only where pages can be published (variants, f)."""


@frozen
class BuiltInAgent:
    """A built-in agent's line."""

    name: str
    description: str
    tools: str
    interactive: bool = False
    sets_up: bool = False
    """It sets up what is the user's own: not there in safe mode."""
    long: str = ""
    """What older models are told instead, who have the long prompt of layout A'."""


_READ_ONLY = "All tools except Agent, ExitPlanMode, Edit, Write, NotebookEdit"
_READ_ONLY_329 = (
    "All tools except Agent, Artifact, ArtifactComments, ArtifactData, ArtifactCheck, ExitPlanMode, Edit, Write, "
    "NotebookEdit"
)
_GENERAL = "Takes on whatever no specialist is there for: questions that need research, searches through code, tasks with several steps to them. If you are after a name or a file and cannot be sure that your very first search will hit the right one, give the search to this agent and spare your context the misses."
_STATUS_LINE = "For setting up what Claude Code's status line shows the user, and how."
_PLAN = "Designs how something is to be built before anybody builds it, as an architect of software would. You get a plan in steps, with the files that matter most for it and with what speaks for and against each way of doing it. Use it to settle on a strategy."

_EXPLORE_LONG = 'Locates code, quickly, and only reads. It is the right one if you look for files whose names follow a pattern (such as "migrations/*.sql"), for places where a name or a keyword occurs ("retry-after", say), or for where something is done ("in which place are refunds rounded?"). Do NOT take it for reviewing code, for checking it against a design, for an audit over several files, or for any other question whose answer lies in whole files: it looks at excerpts and will miss what stands beyond them. Tell it in your call how widely to search: "quick" for one aimed lookup, "medium" for the likely places, "very thorough" for all that come into question, under any name the thing may have there.'

AGENTS: dict[str, tuple[BuiltInAgent, ...]] = {
    V100: (
        BuiltInAgent("general-purpose", _GENERAL, "*"),
        BuiltInAgent("statusline-setup", _STATUS_LINE, "Read, Edit"),
        BuiltInAgent(
            "Explore",
            'Finds its way around a codebase quickly. It is the right one if you look for files whose names follow a pattern (such as "migrations/*.sql"), for places where a keyword occurs ("retry-after", say), or for the answer to a question about the code ("where are refunds rounded?"). Tell it in your call how thorough to be, by one of three levels: "quick" looks at the obvious places, "medium" goes on to the next ones, "very thorough" tries everything, under every name that the thing could have.',
            _READ_ONLY,
        ),
        BuiltInAgent("Plan", _PLAN, _READ_ONLY),
        BuiltInAgent(
            "claude-code-guide",
            "Knows the documentation. Ask it when the user wants to know whether something is possible, or how it is done, with: (1) Claude Code, the program in the terminal, with its commands, hooks, settings, MCP servers, shortcuts and IDE extensions; (2) the Claude Agent SDK, for agents of one's own; (3) the Claude API, formerly the Anthropic API, with its SDKs and tool use. **IMPORTANT:** If a claude-code-guide agent is running, or was until a short while ago, do not start another: SendMessage takes that one up again.",
            "Glob, Grep, Read, WebFetch, WebSearch",
            interactive=True,
        ),
    ),
    V329: (
        BuiltInAgent(
            "claude",
            "For everything that none of the more specific agents fits. It is also the one that FleetView starts by default.",
            "*",
        ),
        BuiltInAgent(
            "Explore",
            'For sweeps: an answer that can only be had by going through many files, folders or ways of naming things, where the conclusion is all that you will want to keep. It only reads, and of most files it reads no more than excerpts, so it is good at finding code and of no use for judging it. Say how wide the sweep should be: "medium" takes in the likely places, "very thorough" all that come into question, under any name the thing may have there.',
            _READ_ONLY_329,
            long=_EXPLORE_LONG,
        ),
        BuiltInAgent("general-purpose", _GENERAL, "*"),
        BuiltInAgent("Plan", _PLAN, _READ_ONLY_329),
        BuiltInAgent("statusline-setup", _STATUS_LINE, "Read, Edit", sets_up=True),
        BuiltInAgent(
            "claude-code-guide",
            "Knows the documentation, and reads it anew instead of relying on what it remembers. Ask it when the user wants to know whether something is possible, how it is done or why it does not work, with: (1) Claude Code, the program in the terminal, with its commands, hooks, skills, plugins, settings, MCP servers, shortcuts and status line; (2) Claude Code elsewhere, that is the desktop app, the web, the extensions for IDEs, GitHub Actions and sessions in the cloud; (3) the Claude Agent SDK, for those who build agents of their own in Python or TypeScript; (4) the Claude API, formerly the Anthropic API, with its SDKs, tool use, models, prices and limits; (5) accounts and organisations, that is plans, usage, administration, and how data are handled. It can look at the user's own settings as well, and say which of them is the reason. **IMPORTANT:** If a claude-code-guide agent is running, or was until a short while ago, do not start another: SendMessage takes that one up again, with what it has read by then.",
            "Bash, Read, WebFetch, WebSearch",
            interactive=True,
        ),
    ),
}
AGENTS[V330] = AGENTS[V329]
