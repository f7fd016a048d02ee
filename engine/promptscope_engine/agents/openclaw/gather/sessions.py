"""What a session key says (specs/openclaw.md 6): whose session, which kind, how deep, and the prompt mode."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from promptscope_engine.agents.openclaw.materials import Session
from promptscope_engine.agents.openclaw.params import CHANNELS, OpenClawParams
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.model import Diagnostic

DEFAULT_AGENT = "main"
_PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_ODD = re.compile(r"[^a-z0-9_-]+")
_KINDS = ("subagent", "cron", "direct", "group", "channel", "thread")
"""The words that make another session of it than a main one."""


def parse_session(key: str | None) -> Session:
    """A key taken apart: split at `:`, empty parts dropped, at least three and the first one exactly `agent` (6)."""
    text = js_trim(key or "")
    parts = [part for part in text.split(":") if part]
    if len(parts) < 3 or parts[0] != "agent":
        return Session(text, None, "")
    return Session(text, agent_id(parts[1]), ":".join(parts[2:]))


def agent_id(text: object) -> str:
    """An agent's id as the configuration and the keys are compared: `Ops Team` is ops-team, `main` where there is none.

    Recorded: what is no letter, digit, `_` or `-` of ASCII becomes one `-`, none at the ends; 64 characters count.
    """
    lower = js_trim(text).lower() if isinstance(text, str) else ""
    if _PLAIN_ID.fullmatch(lower):
        return lower
    return _ODD.sub("-", lower).strip("-")[:64] or DEFAULT_AGENT


def unread_session(session: Session, agents: Collection[str]) -> Iterator[Diagnostic]:
    """What nobody reads of a session key: OpenClaw takes any text, and one that it does not know for a main session.

    `agents` are the ids that the configuration lists.
    """
    if session.agent_id is None:
        if session.key and not session.is_subagent:
            choices = next(f.choices for f in fields_of(OpenClawParams) if f.name == "sessionKey")
            labels = [label for label, _ in choices]
            what = f"`{session.key}` is no session key (`agent:ID:REST`), so the session is a main one"
            yield Diagnostic("warning", "session", what + or_nearest(session.key, labels))
        return
    if agents and session.agent_id not in agents:
        what = f"the configuration lists no agent `{session.agent_id}`"
        yield Diagnostic("info", "session", what + or_nearest(session.agent_id, agents))
    word = session.rest.split(":")[0]
    if session.kind == "main" and word.lower() not in ("main", *CHANNELS) and nearest(word, _KINDS):
        what = f"`{session.key}` is a main session: nothing reads `{word}`"
        yield Diagnostic("info", "session", what + or_nearest(word, _KINDS))


def or_nearest(written: str, known: Iterable[str]) -> str:
    """What may have been meant, to stand behind a statement; without anything near, what there is."""
    known = list(known)
    close = nearest(written, known)
    return f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(known)}"
