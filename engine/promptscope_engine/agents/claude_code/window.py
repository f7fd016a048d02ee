"""The context window: its size, the reserve, the threshold of auto-compaction, the rows of /context.

reserve = min(longest answer, 20,000) + 13,000; threshold = window - reserve. All in tokens.
"""

from collections.abc import Iterable, Mapping

from promptscope_engine.agents.features import UNACCOUNTED, Category, ContextReport
from promptscope_engine.prompt.drafts import DEFERRED, Window
from promptscope_engine.prompt.model import Assembly, Diagnostic, Section, Tool

from .materials import Materials
from .selection import MCP_GROUP
from .versions import STANDARD_WINDOW, V100, Model, has, is_on, number, usual_output, whole_window, window_of

SUMMARY_RESERVE = 20_000
"""At most this much is kept for the answer that summarises."""
SAFETY = 13_000
COMPACT_BUFFER = 3_000
"""What stays reserved with auto-compaction off, the row "Compact buffer". Every other buffer is larger."""

ONLY_IF_REFUSED = "only when the service refuses a request as too long: this model has no point of its own"

_MAX_CHARS = {"Bash": 30_000, "Grep": 20_000}
"""Characters of a tool's result that are sent whole; those of other tools have no such limit [recorded 2.1.332]."""
LARGE = _MAX_CHARS["Bash"]
EXEMPT = "sent whole: Claude Code cuts neither a result of this tool nor all results of a message together"
"""Said of a result that is `LARGE`. Ten of Bash, six of Read and both mixed, 290,000 to 490,000 characters in one
message, came whole [asked 2.1.332]."""
MCP_MAX_CHARS = 50_000
STUB_CHARS = 2_283
"""What is left of a larger one: the file it was written to, its size, and a preview of 2 KB [recorded]."""
MCP_MAX_TOKENS = 25_000
"""MAX_MCP_OUTPUT_TOKENS [D]."""
MCP_WARNING_TOKENS = 10_000


def max_output(model: Model, version: str, env: Mapping[str, str]) -> int:
    """Tokens that an answer may have: the request's max_tokens."""
    return number(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS") or usual_output(model, version)


def budget(model: Model, version: str, env: Mapping[str, str], off_by: str = "") -> Window:
    """The window, and where the session compacts. `free` goes by the request, as recorded in `total`.

    A percentage can only move the point forward, and leaves the buffer. Models before 4.6, and older ones with the
    suffix, have neither a row for a buffer nor a point, unless a variable gives them a window: they compact when the
    service finds a request too long [asked of 2.1.332, 14 models]. `off_by`: the setting that switches it off.
    """
    size, percent = window_of(model, version, env), _percent(env)
    answer = min(max_output(model, version, env), SUMMARY_RESERVE)
    usual = size - answer - SAFETY
    point = max(usual if percent is None else int(min(usual, (size - answer) * percent / 100)), 0)
    ends_at = size - answer - COMPACT_BUFFER if version != V100 else None  # bisected for 2.1.332
    for name, reserve in (("DISABLE_AUTO_COMPACT", COMPACT_BUFFER), ("DISABLE_COMPACT", 0)):
        if is_on(env.get(name, "")):
            return Window(size, reserve, None, free_by="total", compaction=f"off by {name}", ends_at=ends_at)
    if off_by:
        off = f"off by {off_by}"
        return Window(size, COMPACT_BUFFER, None, free_by="total", compaction=off, ends_at=ends_at)
    if version == V100:
        return Window(size, answer + SAFETY, point, free_by="total")
    has_row = model.has_buffer and not (model.marked_long and whole_window(model, version, env) > STANDARD_WINDOW)
    reserve = answer + SAFETY if has_row else 0
    if not has(version, "compacts_by_count"):
        passed = f"the point of the arithmetic (here {point:,} tokens)" if model.current else "every point"
        why = f"not observed: headless runs of 2.1.329 passed {passed} and did not compact"
        return Window(size, reserve, None, free_by="total", compaction=why)
    if has_row or number(env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW"):
        return Window(size, reserve, point, free_by="total")
    return Window(size, reserve, None, free_by="total", compaction=ONLY_IF_REFUSED)


def _percent(env: Mapping[str, str]) -> float | None:
    try:
        percent = float(env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", ""))
    except ValueError:
        return None
    return percent if percent > 0 else None


def report(assembly: Assembly, last_total: int | None) -> ContextReport:
    """What /context would say. `last_total`: what the last answer used, so that the rest of it is conversation."""
    tokens = assembly.tokens
    conversation = max((last_total or 0) - (tokens.expected or 0), 0)
    rows = categories(assembly, messages=conversation)
    return ContextReport(
        rows, tokens.window, tokens.reserve, tokens.compact_at, last_total, conversation, compaction=tokens.compaction
    )


def compaction_note(m: Materials) -> Diagnostic | None:
    """What `usage.lastTotal` means: that the next turn begins with a compaction, or how far away one is."""
    last, window = m.params.usage.lastTotal, budget(m.model, m.version, m.inputs.env, m.compaction_off)
    if last is None:
        return None
    held, threshold = f"the last request held {last:,} tokens", window.compact_at
    if threshold is None:
        text = f"{held}; {window.size - last:,} are left; compaction is {window.compaction}"
    elif last < threshold:
        text = f"{held}: the session compacts after {threshold - last:,} more"
    else:
        text = f"{held}: the session compacts before the next turn (at {threshold:,})"
        return Diagnostic("warning", "compacts", text)
    return Diagnostic("info", "window", text)


def categories(assembly: Assembly, messages: int = 0) -> tuple[Category, ...]:
    """The rows of /context in its order, rows of no tokens left out. `messages`: tokens of a conversation.

    The agent's rows leave out reminders and listings: one more row makes the used ones add up to the prompt. Deferred
    are the tools that could be loaded, servers' apart; a denied one is in no row [recorded 2.1.332].
    """
    tokens = assembly.tokens
    current = assembly.agent_version != V100
    built_in, of_servers = (_tools(assembly, of_server=each) for each in (False, True))
    memory = (s for s in _sections(assembly) if s.id.startswith("user_context.file:"))
    system = (s for s in _sections(assembly) if s.channel == "system")
    agents = _custom_agents(assembly)
    tools = _sum(built_in) - (0 if current else agents)  # 2.1.100 lists them in a tool's description
    said = _ids(assembly, "mcp_instructions") if current else 0
    loadable = [_sum(_deferred(assembly, of_server=each)) if current else 0 for each in (True, False)]
    rows = [
        Category("System prompt", _sum(system)),
        Category("System tools", tools, kind="tools"),
        Category("MCP tools", _sum(of_servers), kind="tools"),
        Category("MCP server instructions", said, kind="tools"),
        Category("MCP tools (deferred)", loadable[0], used=False, kind="deferred"),
        Category("System tools (deferred)", loadable[1], used=False, kind="deferred"),
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


def _tools(assembly: Assembly, *, of_server: bool) -> list[Tool]:
    return [t for t in assembly.tools if t.present and (t.group == MCP_GROUP) is of_server]


def _deferred(assembly: Assembly, *, of_server: bool) -> list[Tool]:
    return [t for t in assembly.tools if t.variant == DEFERRED and (t.group == MCP_GROUP) is of_server]


def _sum(parts: Iterable[Section | Tool]) -> int:
    return sum(part.expected_tokens or 0 for part in parts)


def _ids(assembly: Assembly, *ids: str) -> int:
    return _sum(s for s in _sections(assembly) if s.id in ids)


def _custom_agents(assembly: Assembly) -> int:
    """The descriptions of the agents that a section or, in 2.1.100, a tool lists; 0 where nothing lists them."""
    described = sum(f.tokens or 0 for f in assembly.files if f.kind == "agent" and f.present)
    listing = [t for t in assembly.tools if t.present and t.name == "Agent"] if assembly.agent_version == V100 else []
    return min(described, _sum(listing) + _ids(assembly, "agents"))


def is_exempt(tool: str) -> bool:
    """Whether no limit is for a tool's results; a call that is in no transcript has the tool `?`."""
    return tool not in (*_MAX_CHARS, "?") and not tool.startswith("mcp__")


def result_chars(tool: str, characters: int, env: Mapping[str, str]) -> int:
    """Characters of a tool's result that reach the model: all, or a stub. Each result counts on its own [recorded]."""
    limit = MCP_MAX_CHARS if tool.startswith("mcp__") else _MAX_CHARS.get(tool, characters)
    if tool == "Bash":
        limit = min(number(env, "BASH_MAX_OUTPUT_LENGTH") or limit, limit)  # the variable only lowers it
    return characters if characters <= limit else min(characters, STUB_CHARS)


def mcp_result(tokens: int, env: Mapping[str, str]) -> tuple[int, bool]:
    """Tokens of an MCP result that reach the model, and whether the agent warns of its size [D]."""
    limit = number(env, "MAX_MCP_OUTPUT_TOKENS") or MCP_MAX_TOKENS
    return min(tokens, limit), tokens > MCP_WARNING_TOKENS
