"""Tools that bring in more: Skill and ToolSearch (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece

from .schema import ToolText, number, parameters, string


def _skill(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.Skill", _SKILL)
    yield from lines("tools.Skill", _SKILL_329, before="\n", when=gates.IS_329)


_SKILL = {
    "purpose": "Runs a skill within the main conversation",
    "match": "\nWhen users want something done, see whether one of the skills at hand fits. Skills bring special abilities and knowledge of a field.",
    "slash": '\nWhen a "slash command" or "/<something>" is mentioned ("/deploy" or "/release-notes", say), it is a skill that is meant. Call it with this tool.',
    "how": '\nHow to call it:\n- Give this tool the name of the skill, and arguments if there are any\n- Examples:\n  - `skill: "deploy"` - runs the skill deploy\n  - `skill: "deploy", args: "staging --wait"` - runs it with arguments\n  - `skill: "release-notes", args: "4.2"` - runs it with arguments\n  - `skill: "docs-kit:glossary"` - runs a skill under its fully qualified name',
    "important": "\nImportant:",
    "listed": "- The skills at hand are listed in system-reminder messages of the conversation",
    "blocking": "- If a skill fits the user's request, the rule is strict: call the Skill tool for it BEFORE you write any other reply to the task",
    "no_mention": "- NEVER speak of a skill without really calling this tool",
    "no_rerun": "- Do not call a skill that is running already",
    "not_builtin": "- Do not call built-in commands of the CLI with it (/help, /clear and so on)",
    "loaded": "- If you see a <command-name> tag in the current turn, the skill is ALREADY loaded: follow its instructions directly and do not call the tool again",
}
_SKILL_329 = {
    "names": "- Use only names from that list, or one that the user typed; never guess a name or take one from memory",
    "arguments": "- Hand the user's own words on as arguments where the skill takes any",
}
SKILL_100 = ToolText(
    fixed("tools.Skill", _SKILL),
    parameters(
        {
            "skill": string('Name of the skill: "deploy", "release-notes" or "glossary", for example'),
            "args": string("Arguments for the skill, if any"),
        },
        "skill",
    ),
)
SKILL_329 = ToolText(
    _skill,
    parameters(
        {
            "skill": string("Name of a skill from the list of those at hand. Do not guess names."),
            "args": string("Arguments for the skill, if any"),
        },
        "skill",
    ),
)

_SEARCH = {
    "purpose": "Fetches the complete definitions of deferred tools, so that they can be called.",
    "deferred": "\nDeferred tools are listed by name in system messages (in <available-deferred-tools>, or in a list of names). Before you fetch it, a tool is known by name only: no schema is there, and it cannot be called. This tool takes a query, compares it with the list of deferred tools and gives back the complete JSONSchema definitions of those that match, within a <functions> block. Once a tool's schema stands in that result, it can be called just like the tools that were defined at the top of the prompt.",
    "format": '\nThe result holds one <function>{"description": "...", "name": "...", "parameters": {...}}</function> line for each tool that matches.',
    "forms": '\nForms of a query:\n- "select:WebFetch,CronCreate" fetches exactly these tools, by name\n- "git worktree" searches by keywords, and returns up to max_results of the best\n- "+postgres query" demands "postgres" in the name and ranks by the rest',
}
TOOL_SEARCH = ToolText(
    fixed("tools.ToolSearch", _SEARCH),
    parameters(
        {
            "query": string('What deferred tools to find. "select:<tool_name>" picks directly, keywords search.'),
            "max_results": number("How many results to return at most (5 by default)", default=5),
        },
        "query",
        "max_results",
    ),
)
