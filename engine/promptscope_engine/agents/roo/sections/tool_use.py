"""TOOL USE, the tools below `# Tools` (specs/roo.md 2.2), and Tool Use Guidelines (1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.roo.gates import CODE_INDEX
from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, SectionDraft, ToolDraft, builtin, computed, label

from .part import SEPARATOR, part, section

_SKELETON = """\
<actual_tool_name>
<parameter1_name>value1</parameter1_name>
<parameter2_name>value2</parameter2_name>
...
</actual_tool_name>"""


@section("TOOL USE")
def tool_use(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - the same for all
    """One tool per message, in XML tags."""
    yield label("====\n\nTOOL USE\n\n")
    yield builtin(
        "tool_use.intro",
        "A set of tools is at your disposal; a call is carried out once the user approves it. Each message must hold exactly one call, whose result reaches you in the user's reply. Work through a task one tool at a time, and let each result decide what to call next.",
    )
    yield label("\n\n# Tool Use Formatting\n\n")
    yield builtin(
        "tool_use.formatting",
        "A call is written in XML-style tags: the name of the tool is the tag that encloses the call, and within it each parameter has its own pair of tags. The pattern:",
    )
    yield label(f"\n\n{_SKELETON}\n\n")
    yield builtin(
        "tool_use.names",
        "The enclosing tag must be the true name of the tool, or the call can be neither parsed nor executed.",
    )


def tools_section(materials: Materials, tools: tuple[ToolDraft, ...]) -> Iterator[SectionDraft]:
    """The heading, then every tool's block; some tools are always available, so the heading is too."""
    yield part(materials, "tools", "# Tools", [label("# Tools")])
    for tool in tools:
        block = part(materials, f"tools.{tool.name}", f"## {tool.name}", tool.description)
        yield replace(block, when=tool.when, parent="tools")


@section("# Tool Use Guidelines")
def tool_use_guidelines(materials: Materials) -> Iterator[Piece]:
    """How to go about a task with the tools."""
    yield label("# Tool Use Guidelines\n\n")
    yield label("1. ")
    yield builtin(
        "tool_use_guidelines.assess",
        "Consider what you know already and what you still have to find out before you can go on with the task.\n",
    )
    yield computed("tool_use_guidelines.number", "2. ", when=CODE_INDEX)
    yield builtin(
        "tool_use_guidelines.codebase_search",
        "**CRITICAL: Code that has not yet come up in this conversation is to be looked for with the `codebase_search` tool FIRST, ahead of any other search or exploration of files.** That covers the start of a task and every later moment at which you turn to an area you have not looked at. It searches by meaning and finds relevant code where you do not know the words that are used in it, which makes it far better than a regex at getting to know an implementation.\n",
        when=CODE_INDEX,
    )
    yield from _number(2)
    yield builtin(
        "tool_use_guidelines.choose",
        "Pick the tool that fits the task and its description best. Ask yourself whether more information is needed before you go on, and which of the tools would be the most effective at getting it. To learn what a directory holds, for instance, list_files serves better than `ls` in a terminal. Give every tool some thought and take the one that suits the present step.\n",
        when=~CODE_INDEX,
    )
    yield builtin(
        "tool_use_guidelines.choose_after_search",
        "Pick the tool that fits the task and its description best. Once `codebase_search` has given you a first picture of an area, the more specific tools take over: search_files for regex patterns, list_files for the shape of a directory, read_file for looking at a file closely. To learn what a directory holds, for instance, list_files serves better than `ls` in a terminal. Give every tool some thought and take the one that suits the present step.\n",
        when=CODE_INDEX,
    )
    yield from _number(3)
    yield builtin(
        "tool_use_guidelines.one_at_a_time",
        "Where several actions are needed, take them one tool per message, each informed by the result of the one before. Never assume how a call turned out; every step must build on what the previous one really returned.\n",
    )
    yield from _number(4)
    yield builtin("tool_use_guidelines.format", "Write your call in the XML format that is given for the tool.\n")
    yield from _number(5)
    yield builtin(
        "tool_use_guidelines.results",
        """\
After each call the user replies with its result, which tells you what you need to continue the task or to decide further. Such a reply may contain:
  - Whether the call succeeded or failed, with the reasons for a failure.
  - Linter errors that your changes brought up and that you have to attend to.
  - New terminal output caused by the changes, which may have to be considered or acted upon.
  - Any other relevant feedback or information about the call.
""",
    )
    yield from _number(6)
    yield builtin(
        "tool_use_guidelines.wait",
        "ALWAYS wait for the user's confirmation after a call before you go on. Never take a call for a success unless the user's reply with the result says so.",
    )
    yield builtin(
        "tool_use_guidelines.stepwise",
        "\n\nIt is essential to advance step by step and to wait for the user's reply after every call before the task is continued. Doing so lets you:",
    )
    yield builtin(
        "tool_use_guidelines.benefits",
        """
1. Make sure that a step has succeeded before the next one begins.
2. Deal at once with problems and errors as they come up.
3. Fit your approach to new information and to results you did not expect.
4. Be certain that every action stands on those before it.""",
    )
    yield builtin(
        "tool_use_guidelines.iterate",
        "\n\nBy waiting for the user's reply to each call and weighing it with care, you can react to it and decide well how the task should go on. This back and forth is what makes your work sound and accurate as a whole.",
    )
    # An absent MCP part is an empty string that keeps its own separator (1.1): four newlines before CAPABILITIES.
    yield label(SEPARATOR, when=~materials.mcp)


def _number(number: int) -> Iterator[Piece]:
    """The number of an item, one higher behind the item about codebase_search."""
    yield computed("tool_use_guidelines.number", f"{number}. ", when=~CODE_INDEX)
    yield computed("tool_use_guidelines.number", f"{number + 1}. ", when=CODE_INDEX)
