"""Assemblies made by hand: small factories, and a prompt that has one of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from msgspec.structs import replace

from promptscope_engine.prompt.model import (
    AbsentFragment,
    Assembly,
    Channel,
    Confidence,
    Fragment,
    Origin,
    Reason,
    Section,
    Stability,
    TokenSummary,
    Tool,
    ToolTokens,
)
from promptscope_engine.wire.request import Request

HERE = Reason("always present")


def label(text: str) -> Fragment:
    return Fragment(text, Origin("label"))


def builtin(text: str, id: str = "builtin") -> Fragment:
    return Fragment(text, Origin("builtin", id=id))


def from_file(text: str, path: str, start: int = 1) -> Fragment:
    end = start + max(text.rstrip("\n").count("\n"), 0)
    return Fragment(text, Origin("file", path=path, start_line=start, end_line=end))


def param(text: str, name: str) -> Fragment:
    return Fragment(text, Origin("param", name=name))


def environment(text: str, name: str) -> Fragment:
    return Fragment(text, Origin("environment", name=name))


def gone(text: str, reason: str, at: int) -> AbsentFragment:
    return AbsentFragment(text, Origin("builtin", id="gone"), Reason(reason), at)


class Rest(TypedDict, total=False):
    """What few sections have."""

    parent: str | None
    confidence: Confidence
    channel: Channel
    stability: Stability


def section(
    id: str,
    *fragments: Fragment | str,
    title: str | None = None,
    tokens: int | None = -1,
    absent: Sequence[AbsentFragment] = (),
    **more: Unpack[Rest],
) -> Section:
    """A present section; a plain string is built-in text. Without `tokens` there is one for four characters."""
    parts = tuple(builtin(f) if isinstance(f, str) else f for f in fragments)
    chars = sum(len(f.text) for f in parts)
    count = chars // 4 if tokens == -1 else tokens
    return Section(
        id=id,
        title=title or id.upper(),
        heading=None,
        channel=more.get("channel", "system"),
        present=True,
        why=HERE,
        stability=more.get("stability", "session"),
        tokens=count,
        expected_tokens=count,
        chars=chars,
        confidence=more.get("confidence", "stand-in"),
        reference_tokens=None,
        fragments=parts,
        absent=tuple(absent),
        parent=more.get("parent"),
    )


def absent(id: str, reason: str, *, title: str | None = None, parent: str | None = None) -> Section:
    return replace(section(id, title=title, parent=parent, tokens=0), present=False, why=Reason(f"absent: {reason}"))


def tool(name: str, section_id: str | None = None, *, present: bool = True, variant: str | None = None) -> Tool:
    return Tool(
        name=name,
        group="always",
        present=present,
        why=HERE,
        description="",
        input_schema=None,
        parameters=(),
        variant=variant,
        tokens=ToolTokens(0, 0, 0),
        confidence="stand-in",
        reference_tokens=None,
        section=section_id,
    )


def assembly(*sections: Section, tools: Sequence[Tool] = ()) -> Assembly:
    counts = [s.expected_tokens for s in sections if s.present]
    total = None if None in counts else sum(c or 0 for c in counts)
    return Assembly(
        agent="roo",
        agent_version="3.28.16",
        mode="code",
        model="claude-sonnet-4-5",
        workspace="/work/shop",
        home="/home/ada",
        sections=sections,
        tools=tuple(tools),
        files=(),
        request=Request(
            system=({"type": "text", "text": "".join(s.text for s in sections if s.present)},),
        ),
        tokens=TokenSummary(
            tokenizer="o200k_base",
            exact=False,
            total=total,
            expected=total,
            band=None,
            by_channel={"system": total},
            window=200_000,
            reserve=0,
            compact_at=None,
            free=None if total is None else 200_000 - total,
        ),
    )


TYPESCRIPT = "# TypeScript\n\nPrefer `unknown` to `any`; narrow with a type guard.\nNever write JSON by hand.\n"


def sample(typescript: str = TYPESCRIPT, *, mcp: bool = False) -> Assembly:
    """A prompt like Roo's: tools nested in TOOLS, files in the custom instructions, absent ones between them."""
    rules_for = ".roo/rules-code/typescript.md"
    tools = ("read_file", "apply_diff", "write_to_file", "codebase_search", "browser_action")
    return assembly(
        section("role", "You are a careful software engineer who knows many languages.", title="Role"),
        section("tools", label("# Tools\n\n"), tokens=4),
        section("tools.read_file", READ_FILE, title="read_file", parent="tools", tokens=512),
        section("tools.apply_diff", APPLY_DIFF, title="apply_diff", parent="tools", tokens=601),
        absent("tools.codebase_search", "the code index is not ready", title="codebase_search", parent="tools"),
        absent("tools.browser_action", "`supportsComputerUse` is off", title="browser_action", parent="tools"),
        section("tools.write_to_file", WRITE, title="write_to_file", parent="tools", tokens=397),
        section("mcp", "# MCP SERVERS\n\nOne server is connected: docs\n", title="MCP SERVERS")
        if mcp
        else absent("mcp", "no server is configured", title="MCP SERVERS"),
        section(
            "rules",
            label("====\n\nRULES\n\n"),
            builtin("- The project base directory is: "),
            environment("/work/shop", "cwd"),
            builtin("\n- All file paths are relative to this directory."),
            builtin(
                "\n- Prefer apply_diff, write_to_file, insert_content or search_and_replace to shell "
                "redirection when editing, because the diff can then be shown before it is written."
            ),
            builtin("\n- 请始终用用户的语言回答。 Answer in the language that the user writes in, whatever it is.\n\n"),
            absent=[
                gone("\n- Begin with codebase_search.", "absent: codeIndex is not ready", 1),
                gone("\n- Use browser_action to look.", "absent: supportsComputerUse is off", 5),
            ],
            tokens=2103,
        ),
        section(
            "system_information",
            label("====\n\nSYSTEM INFORMATION\n\n"),
            builtin("Operating System: "),
            environment("Linux 6.8", "os_version"),
            builtin("\nDefault Shell: "),
            environment("/bin/bash", "shell"),
            builtin("\n"),
            title="SYSTEM INFORMATION",
            tokens=214,
            stability="static",
        ),
        section(
            "custom",
            label("====\n\nUSER'S CUSTOM INSTRUCTIONS\n\n"),
            label("Language Preference:\n"),
            builtin('You should always speak and think in the "'),
            param("en", "language"),
            builtin('" language.\n\n'),
            title="USER'S CUSTOM INSTRUCTIONS",
            tokens=96,
        ),
        section(
            "custom.typescript",
            label(f"# Rules from {rules_for}:\n"),
            from_file(typescript, rules_for),
            label("\n"),
            title=rules_for,
            parent="custom",
            confidence="exact",
            tokens=388 + (len(typescript) - len(TYPESCRIPT)) // 4,
        ),
        section(
            "custom.agents",
            label("# Agent Rules Standard (AGENTS.md):\n"),
            from_file(
                "\x1b[31mRun the tests\x1b[0m before a commit.\r\n\tmake test\nNo \u202eevil\u202c text.\n",
                "AGENTS.md",
                7,
            ),
            title="AGENTS.md",
            parent="custom",
            confidence="exact",
            tokens=418,
        ),
        absent("custom.roorules", "silenced by .roo/rules (2 files found there)", title=".roorules", parent="custom"),
        tools=[
            tool(name, f"tools.{name}", present=name in tools[:3], variant="one file" if name == "apply_diff" else None)
            for name in tools
        ],
    )


READ_FILE = """## read_file
Description: Read the contents of one or more files, with line numbers for reference.

Parameters:
- path: (required) The file to read
- line_range: (optional) One or more ranges of lines

Usage:
<read_file>
<args>
  <file>
    <path>path/to/file</path>
  </file>
</args>
</read_file>

"""
APPLY_DIFF = "## apply_diff\nDescription: Apply exact, surgical changes to a file by search and replace.\n\n"
WRITE = "## write_to_file\nDescription: Write the whole content of a file; it is made if it is not there.\n\n"
