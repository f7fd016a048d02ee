"""Tools that bring in more: Skill, ToolSearch with its placeholder, resources of MCP servers (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import ToolText, number, parameters, string

# --- Skill ------------------------------------------------------------------------------------------------------------


def _skill(m: Materials) -> Iterator[Piece]:
    newer = ~gates.IS_100
    yield from lines("tools.Skill", _SKILL_100, when=gates.IS_100)
    yield builtin("tools.Skill.purpose", "Invokes a skill.", when=newer)
    reminders, system = m.gates.layout_is("A'"), m.gates.layout_is("B")
    yield builtin("tools.Skill.about", _ABOUT.format("<system-reminder> messages of this conversation"), when=reminders)
    yield builtin("tools.Skill.about", _ABOUT.format("messages of this conversation from the system"), when=system)
    yield from lines("tools.Skill", _SKILL_329, before="\n\n", when=newer)


_SKILL_100 = {
    "purpose": "Has a skill run inside the main conversation",
    "match": "\nBefore you begin with what a user wants, look whether there is a skill for it. A skill knows how something is done, and brings along what it takes.",
    "slash": '\nPeople call them by a slash: who writes "/<something>" or speaks of a "slash command" (say, "/deploy" or "/release-notes") means a skill. Run it by this tool.',
    "how": "\nHow to invoke:",
    "how_name": "- Pass the name of the skill, and arguments if it takes any",
    "how_examples": "- Examples:",
    "example_plain": '  - `skill: "deploy"` - runs just the skill',
    "example_arguments": '  - `skill: "deploy", args: "staging --wait"` - runs it with arguments',
    "example_number": '  - `skill: "release-notes", args: "4.2"` - arguments again',
    "example_plugin": '  - `skill: "docs-kit:glossary"` - here the name has its plugin before it',
    "important": "\nImportant:",
    "listed": "- Which skills there are is listed in system-reminder messages on your way",
    "blocking": "- Whenever one of them fits what was asked, running it comes first, and this is a MUST: no text of yours about the matter before this tool has been called",
    "no_mention": "- NEVER just name a skill where you could be running it now",
    "no_rerun": "- A skill that runs is not called once more",
    "not_builtin": "- The CLI's own commands (such as /help and /clear) are not run by this tool",
    "loaded": "- Where there is a <command-name> tag in the present turn, loading has taken place ALREADY: do as the skill's text tells you, without another call of this tool for that same one\n",
}
_ABOUT = "\n\nA skill is a set of instructions, written for a certain kind of task, that comes into the conversation only when it is invoked. What there is to choose from, along with what each is good for, is listed in {}. If one of them fits what the user wants, invoke it first, before you write anything about the matter or call another tool for it: its instructions may change how you go about the whole. Most skills run right here, in this conversation, and you go on by what they say. Some are set up to run in an agent of their own or in the background; you then get their result, or are told of it when it is there. Users too can name a skill, as a slash command (`/deploy staging`) or in passing; it is the same thing, and you invoke it for them."
_SKILL_329 = {
    "name": "- `skill`: the name, exactly as it is listed. A skill from a plugin has the plugin's name in front (`docs-kit:glossary`). The same skill may exist for several directories, in which case the list has the directory with the name (`web:deploy`, `api:deploy`); take the one whose directory the task is about, and ask if that is not clear.",
    "arguments": "- `args`: what to hand over to it (optional)",
    "names": "\nInvoke what is in the list, or what the user has typed, and never a name that you suppose to exist. The CLI's own commands, such as /help and /clear, are no skills. Where the current turn has a <command-name> block, that skill is loaded: follow it without another call.",
}
SKILL_100 = ToolText(
    _skill,
    parameters(
        {
            "skill": string('Which skill: "deploy" or "release-notes", for instance'),
            "args": string("What to hand over, if anything"),
        },
        "skill",
    ),
)
SKILL_329 = ToolText(
    _skill,
    parameters(
        {
            "skill": string("Which skill, by a name that is listed. No names of your own making."),
            "args": string("What to hand over, if anything"),
        },
        "skill",
    ),
)

# --- ToolSearch -------------------------------------------------------------------------------------------------------


def _tool_search(m: Materials) -> Iterator[Piece]:
    where = (
        (gates.IS_100, "in <available-deferred-tools> messages"),
        (m.gates.layout_is("A'"), "in <system-reminder> messages"),
        (m.gates.layout_is("B"), "in messages of the system"),
    )
    yield builtin("tools.ToolSearch.purpose", _SEARCH_PURPOSE)
    for condition, listed in where:
        yield builtin("tools.ToolSearch.deferred", _SEARCH_DEFERRED.format(listed), when=condition)
    yield from lines("tools.ToolSearch", _SEARCH, before="\n\n")


_SEARCH_PURPOSE = "Loads the full schemas of tools that are deferred, to make them callable."
_SEARCH_DEFERRED = "\n\nSuch tools are listed {}, by nothing but their names. As long as that is all you have of one, you do not know its parameters and CANNOT call it. Send a query here: it is matched against the deferred tools, and for every hit you get the full JSONSchema definition, in a block named <functions>. A tool whose schema has appeared there can be called from then on, in just the same way as those that were in the prompt from its beginning."
_SEARCH = {
    "format": 'For each hit the block has a line like this: <function>{"description": "...", "name": "...", "parameters": {...}}</function>. It is the very encoding that the list of tools has at the beginning of the prompt, so read it as you read those there.',
    "forms": "\nQuery forms:",
    "select": '- "select:WebFetch,CronCreate" - precisely these, by their names',
    "keywords": '- "git worktree" - by keywords, the best first, up to max_results hits',
    "required": '- "+postgres query" - the name must contain "postgres"; the rest ranks\n',
}
TOOL_SEARCH = ToolText(
    _tool_search,
    parameters(
        {
            "query": string(
                'Which deferred tools to load: "select:<tool_name>" for certain ones, or else words to search by.'
            ),
            "max_results": number("The most results to be given (5 if not said)", default=5),
        },
        "query",
        "max_results",
    ),
)
PLACEHOLDER = ToolText(
    fixed(
        "tools.DeferredToolPlaceholder",
        {"purpose": "Stands for the tools that are deferred. It does nothing at all, so never call it."},
    ),
    {"type": "object", "properties": {}},
)

# --- resources of MCP servers -----------------------------------------------------------------------------------------

_LIST_RESOURCES = {
    "purpose": "\nShows which resources the MCP servers offer that have been configured. Each entry is what the server itself says about the resource, with one more field, `server`, from which you know whose resource it is.",
    "parameters": "\nParameters:",
    "server": "- server (optional): a server's name, if you want to see the resources of this one server alone; without it, all servers are asked for theirs\n",
}
LIST_MCP_RESOURCES = ToolText(
    fixed("tools.ListMcpResourcesTool", _LIST_RESOURCES),
    parameters({"server": string("The one server to be asked, if not all")}),
)
_READ_RESOURCE = {
    "purpose": "\nGets the content of one resource from an MCP server, by the server's name and the URI.",
    "parameters": "\nParameters:",
    "server": "- server (required): the name of the MCP server from which it is to be read",
    "uri": "- uri (required): the URI of the very resource\n",
}
READ_MCP_RESOURCE = ToolText(
    fixed("tools.ReadMcpResourceTool", _READ_RESOURCE),
    parameters({"server": string("Name of the server"), "uri": string("URI of the resource")}, "server", "uri"),
)
_READ_DIRECTORY = {
    "purpose": "\nShows what a resource contains that is a directory: those resources which lie directly in it.",
    "parameters": "\nParameters:",
    "server": "- server (required): the name of the MCP server to ask",
    "uri": "- uri (required): the URI of that directory there",
    "recursion": "\nIt goes one level down and no further. A directory among what you get has a URI as well: call again with it if you want to see what it contains, and so on to the depth that you need.",
    "support": "\nThe server must have declared that it supports this. Where it has not, the call ends in an error about it.\n",
}
READ_MCP_DIRECTORY = ToolText(
    fixed("tools.ReadMcpResourceDirTool", _READ_DIRECTORY),
    parameters(
        {"server": string("Name of the server"), "uri": string("URI of the directory resource")}, "server", "uri"
    ),
)

# --- structured output ------------------------------------------------------------------------------------------------

STRUCTURED_OUTPUT = ToolText(
    fixed(
        "tools.StructuredOutput",
        {
            "purpose": "Hands over your final answer in the form that was asked for. You MUST call it exactly once, when all the work is done: what you pass is the answer, and text beside it is not read."
        },
    ),
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
)
"""The schema is that of --json-schema; this one is an example."""
