"""What a session key says (specs/openclaw.md 6): whose session, which kind, how deep, and the prompt mode."""

from __future__ import annotations

from dataclasses import dataclass

from promptscope_engine.javascript.text import js_trim

MODES = ("full", "minimal", "none")
DEFAULT_AGENT = "main"


@dataclass(frozen=True, slots=True)
class Session:
    """A parsed key. `agent_id` is None where the key names no agent; `rest` is what follows `agent:<id>:`."""

    key: str
    agent_id: str | None
    rest: str

    @property
    def is_subagent(self) -> bool:
        """`subagent:…`, or the same behind an agent's id, in any case."""
        return self.key.lower().startswith("subagent:") or self.rest.lower().startswith("subagent:")

    @property
    def is_cron(self) -> bool:
        """`agent:<id>:cron:…` only: a bare `cron:x` is no cron session (6)."""
        return self.rest.lower().startswith("cron:")

    @property
    def depth(self) -> int:
        """How many sub-agents deep: `:subagent:` counted, so a bare `subagent:x` is at depth 0 (6)."""
        return self.key.lower().count(":subagent:")

    @property
    def kind(self) -> str:
        """One word for a person: sub-agent, cron, group, thread, direct or main."""
        parts = self.rest.lower().split(":")
        if self.is_subagent:
            return "sub-agent"
        if self.is_cron:
            return "cron"
        if "thread" in parts:
            return "thread"
        if "group" in parts or "channel" in parts:
            return "group"
        return "direct" if "direct" in parts else "main"

    @property
    def mode(self) -> str:
        """`minimal` for sub-agents, else `full`: cron and group sessions too; never `none` (6)."""
        return "minimal" if self.is_subagent else "full"

    @property
    def reduced(self) -> bool:
        """Whether only some of the bootstrap files are loaded (4)."""
        return self.is_subagent or self.is_cron


def parse_session(key: str | None) -> Session:
    """A key taken apart: split at `:`, empty parts dropped, at least three and the first one exactly `agent` (6)."""
    text = js_trim(key or "")
    parts = [part for part in text.split(":") if part]
    if len(parts) < 3 or parts[0] != "agent":
        return Session(text, None, "")
    return Session(text, agent_id(parts[1]), ":".join(parts[2:]))


def agent_id(text: object) -> str:
    """An agent's id as the configuration and the keys are compared: trimmed, lower case, `main` where there is none."""
    return js_trim(str(text)).lower() if isinstance(text, str) and js_trim(text) else DEFAULT_AGENT
