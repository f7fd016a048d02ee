"""The conditions that several parts of Roo's prompt share (specs/roo.md 1, 2.2)."""

from __future__ import annotations

from promptscope_engine.prompt.conditions import Condition, Named, Observed
from promptscope_engine.prompt.leaves import above, equals, flag, given, mode_has, model_mentions

DIFF: Condition = flag("diffEnabled") & given("diffStrategy")
"""effectiveDiffStrategy: a strategy counts only while diffs are enabled."""

MULTI_FILE_DIFF: Condition = flag("experiments.multiFileApplyDiff") | equals(
    "diffStrategy", "multi-file-search-replace"
)
"""The experiment makes a task choose that strategy; the strategy is what describes apply_diff (2.3)."""

BROWSER: Condition = flag("supportsComputerUse")
"""The argument alone: the clauses do not ask whether the mode has the browser group (1.5)."""

CODE_INDEX: Condition = Named(
    "flag",
    "codeIndex",
    flag("codeIndex.enabled", no="the code index is off")
    & flag("codeIndex.configured", no="the code index is not configured")
    & flag("codeIndex.initialized", no="the code index is not initialized"),
    yes="the code index is ready",
    no="the code index is not ready",
)
"""codebaseSearchAvailable."""

SIMPLE_READ: Condition = model_mentions("grok-code-fast-1", "code-supernova")
"""Models that are given the short form of read_file (2.3)."""

PARTIAL_READS: Condition = flag("partialReadsEnabled")

SEVERAL_READS: Condition = above("settings.maxConcurrentFileReads", 1)


def mcp_gate(enabled: int, configured: int) -> Condition:
    """shouldIncludeMcp: the mode has the group, and a server is not disabled, whatever its status (1)."""
    no = "no MCP server is configured" if not configured else "every configured MCP server is disabled"
    yes = "an MCP server is enabled" if enabled == 1 else f"{enabled} MCP servers are enabled"
    return mode_has("mcp") & Observed("mcp", "servers", enabled > 0, yes, no, wanted="> 0", actual=enabled)
