"""The context window: its size, the reserve, the threshold of auto-compaction, the rows of /context (7, 8).

reserve = min(longest answer, 20,000) + 13,000; threshold = window - reserve. All in tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from promptscope_engine.prompt.drafts import Window
from promptscope_engine.prompt.model import Assembly, Diagnostic, Section, Tool

from .materials import Materials
from .variables import is_on, number
from .versions import V100, Model, usual_output, window_of

if TYPE_CHECKING:
    from promptscope_engine.agents.features import Category, ContextReport

SUMMARY_RESERVE = 20_000
"""At most this much is kept for the answer that summarises."""
SAFETY = 13_000
COMPACT_BUFFER = 3_000
"""What stays reserved with auto-compaction off, the row "Compact buffer" (12). Every other buffer is larger."""

_MAX_CHARS = {"Bash": 30_000, "Grep": 20_000}
"""Characters of a tool's result that are sent whole; those of other tools have no such limit [recorded 2.1.332]."""
MCP_MAX_CHARS = 50_000
STUB_CHARS = 2_283
"""What is left of a larger one: the file it was written to, its size, and a preview of 2 KB [recorded]."""
MCP_MAX_TOKENS = 25_000
"""MAX_MCP_OUTPUT_TOKENS [D]."""
MCP_WARNING_TOKENS = 10_000


def max_output(model: Model, version: str, env: Mapping[str, str]) -> int:
    """Tokens that an answer may have: the request's max_tokens."""
    return number(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS") or usual_output(model, version)


def compaction(model: Model, version: str, env: Mapping[str, str]) -> tuple[int, int | None]:
    """(the displayed buffer, the total at which the session compacts or None).

    Not known after 2.1.100: headless runs of 2.1.329 passed the point of the arithmetic and did not compact (7).
    """
    if is_on(env.get("DISABLE_AUTO_COMPACT", "")):
        return COMPACT_BUFFER, None
    if is_on(env.get("DISABLE_COMPACT", "")):
        return 0, None
    if version == V100:
        return _buffer(model, version, env), _threshold(model, version, env)
    return _buffer(model, version, env) if model.current else 0, None  # recorded: no buffer row for older models


def _buffer(model: Model, version: str, env: Mapping[str, str]) -> int:
    return min(max_output(model, version, env), SUMMARY_RESERVE) + SAFETY


def _threshold(model: Model, version: str, env: Mapping[str, str]) -> int:
    """Where the arithmetic has it. A percentage can only bring it forward, and does not change the buffer."""
    window = window_of(model, version, env)
    usable = window - min(max_output(model, version, env), SUMMARY_RESERVE)
    percent = _percent(env)
    threshold = usable - SAFETY
    return max(threshold if percent is None else int(min(threshold, usable * percent / 100)), 0)


def certainty(model: Model, version: str, env: Mapping[str, str]) -> str:
    """Why it is not known where the session compacts, "" for 2.1.100, whose point is recorded (7)."""
    for name in ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"):
        if is_on(env.get(name, "")):
            return f"off by {name}"
    if version == V100:
        return ""
    point = f"the point of the arithmetic (here {_threshold(model, version, env):,} tokens)"
    passed = point if model.current else "every point"
    return f"not observed: headless runs of 2.1.329 passed {passed} and did not compact"


def _percent(env: Mapping[str, str]) -> float | None:
    try:
        percent = float(env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", ""))
    except ValueError:
        return None
    return percent if percent > 0 else None


def budget(m: Materials) -> Window:
    """The window of a scenario. `free` goes by the request as it stands: the cases hold it against `total`."""
    reserve, compact_at = compaction(m.model, m.version, m.inputs.env)
    return Window(
        m.window, reserve, compact_at, free_by="total", compaction=certainty(m.model, m.version, m.inputs.env)
    )


def report(assembly: Assembly, last_total: int | None) -> ContextReport:
    """What /context would say. `last_total`: what the last answer used, so that the rest of it is conversation (7)."""
    from promptscope_engine.agents.features import ContextReport  # a prompt needs none of the features

    tokens = assembly.tokens
    conversation = max((last_total or 0) - (tokens.expected or 0), 0)
    rows = categories(assembly, messages=conversation)
    return ContextReport(
        rows, tokens.window, tokens.reserve, tokens.compact_at, last_total, conversation, compaction=tokens.compaction
    )


def compaction_note(m: Materials) -> Diagnostic | None:
    """What `usage.lastTotal` means: that the next turn begins with a compaction, or how far away one is (7)."""
    last = m.params.usage.lastTotal
    window = budget(m)
    threshold = window.compact_at
    if last is None:
        return None
    if threshold is None:
        left = m.window - last
        why = f"compaction is {window.compaction}"
        return Diagnostic("info", "window", f"the last request held {last:,} tokens; {left:,} are left; {why}")
    if last >= threshold:
        text = f"the last request held {last:,} tokens: the session compacts before the next turn (at {threshold:,})"
        return Diagnostic("warning", "compacts", text)
    text = f"the last request held {last:,} tokens: the session compacts after {threshold - last:,} more"
    return Diagnostic("info", "window", text)


def categories(assembly: Assembly, messages: int = 0) -> tuple[Category, ...]:
    """The rows of /context in its order, rows of no tokens left out (8). `messages`: tokens of a conversation.

    The agent's rows leave out reminders and listings (7): one more row makes the used ones add up to the prompt.
    """
    from promptscope_engine.agents.features import UNACCOUNTED, Category

    tokens = assembly.tokens
    current = assembly.agent_version != V100
    built_in = [t for t in assembly.tools if t.present and t.group != "MCP"]
    of_servers = [t for t in assembly.tools if t.present and t.group == "MCP"]
    memory = (s for s in _sections(assembly) if s.id.startswith("user_context.file:"))
    agents = _custom_agents(assembly)
    rows = [
        Category("System prompt", _sum(s for s in _sections(assembly) if s.channel == "system")),
        Category(
            "System tools",
            _sum(built_in) - (0 if current else agents),  # 2.1.100 lists them in a tool's description
            kind="tools",
        ),
        Category("MCP server instructions", _ids(assembly, "mcp_instructions") if current else 0, kind="tools"),
        Category(
            "MCP tools",
            _sum(of_servers),
            kind="tools",
        ),
        Category("System tools (deferred)", _deferred(assembly) if current else 0, used=False, kind="deferred"),
        Category("Custom agents", agents, kind="agents"),
        Category("Memory files", _sum(memory), kind="files"),
        Category("Skills", _ids(assembly, "skills"), kind="skills"),
        Category("Messages", messages + _ids(assembly, "prompt"), kind="messages"),
    ]
    used = sum(row.tokens for row in rows if row.used)
    rest = (tokens.expected or 0) + messages - used
    rows.append(Category(UNACCOUNTED, rest, kind="unaccounted"))
    used += rest
    buffer = "Compact buffer" if tokens.reserve == COMPACT_BUFFER else "Autocompact buffer"
    rows.append(Category("Free space", max(tokens.window - used - tokens.reserve, 0), used=False, kind="free"))
    rows.append(Category(buffer, tokens.reserve, used=False, kind="reserve"))
    return tuple(row for row in rows if row.tokens)


def _sections(assembly: Assembly) -> list[Section]:
    return [s for s in assembly.sections if s.present]


def _sum(parts: Iterable[Section | Tool]) -> int:
    return sum(part.expected_tokens or 0 for part in parts)


def _ids(assembly: Assembly, *ids: str) -> int:
    return _sum(s for s in _sections(assembly) if s.id in ids)


def _deferred(assembly: Assembly) -> int:
    return sum(t.expected_tokens or 0 for t in assembly.tools if t.variant == "deferred" and t.group != "MCP")


def _custom_agents(assembly: Assembly) -> int:
    """The descriptions of the agents that a section or, in 2.1.100, a tool lists; 0 where nothing lists them."""
    described = sum(f.tokens or 0 for f in assembly.files if f.kind == "agent" and f.present)
    listing = [t for t in assembly.tools if t.present and t.name == "Agent"] if assembly.agent_version == V100 else []
    return min(described, _sum(listing) + _ids(assembly, "agents"))


def result_chars(tool: str, characters: int, env: Mapping[str, str]) -> int:
    """Characters of a tool's result that reach the model: all of it, or a stub with a preview.

    Each result counts on its own: forty of 28,000 characters in one message are sent whole [recorded 2.1.332].
    """
    limit = MCP_MAX_CHARS if tool.startswith("mcp__") else _MAX_CHARS.get(tool, characters)
    if tool == "Bash":
        limit = min(number(env, "BASH_MAX_OUTPUT_LENGTH") or limit, limit)  # the variable only lowers it
    return characters if characters <= limit else min(characters, STUB_CHARS)


def mcp_result(tokens: int, env: Mapping[str, str]) -> tuple[int, bool]:
    """Tokens of an MCP result that reach the model, and whether the agent warns of its size [D]."""
    limit = number(env, "MAX_MCP_OUTPUT_TOKENS") or MCP_MAX_TOKENS
    return min(tokens, limit), tokens > MCP_WARNING_TOKENS
