"""The user's message and what goes with it: the stamp, the sender, and the facts of a chat [2026.9.6].

Before it is the conversation of a session's file, as runs of 2026.2.24 sent it: the entries on the way from the last
one back to the first, by `parentId`; of a compacted session the last summary, as a message of the user, then what it
keeps and what followed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Literal

from promptscope_engine.agents.kit.disk.settings import mapping, text
from promptscope_engine.agents.kit.sessions.conversation import Object, object_of, objects_in, text_of
from promptscope_engine.agents.kit.sessions.earlier import Said, opened, row
from promptscope_engine.agents.openclaw.levers import count
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.machine import zone_of
from promptscope_engine.prompt.drafts import (
    FileDraft,
    Span,
    builtin,
    computed,
    environment,
    label,
    param_value,
    unpredictable,
)
from promptscope_engine.prompt.leaves import EXAMPLE, given
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.wire.request import wire_json
from promptscope_engine.workspace import Workspace

from .runtime import AgentRun, user_timezone

_SUMMED_UP = (
    (builtin("history.summary", "What was said before this was compacted. Its summary:"), label("\n\n<summary>\n")),
    (label("\n</summary>"),),
)
SENT = ("message", "compaction", "custom_message", "branch_summary")


def history(
    path: str, last: int | None, workspace: Workspace
) -> tuple[tuple[Said, ...], tuple[FileDraft, ...], tuple[Diagnostic, ...]]:
    """The messages of the session's file, up to its line `last`; the file, and what is wrong with it."""
    if not path:
        return (), (), ()
    file, unread = opened(path, "the session's file", "session-file", workspace)
    if file is None:
        return (), (), unread
    notes: list[Diagnostic] = []
    entries: list[tuple[int, Object]] = []
    for number, line in enumerate(file.text.split("\n")[:last], 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if isinstance(entry, dict):
            entries.append((number, entry))
        else:
            notes.append(Diagnostic("warning", "session-file", "a line that does not parse is left out", path, number))
    said = tuple(_said(_sent(_way(entries))))
    return said, (row(file, "sessionFile", said),), tuple(notes)


def _way(entries: list[tuple[int, Object]]) -> list[tuple[int, Object]]:
    """The entries from the first to the last, without those that a branch left behind."""
    by_name = {text_of(entry.get("id")): (line, entry) for line, entry in entries if entry.get("type") != "session"}
    way: list[tuple[int, Object]] = []
    name = next(reversed(by_name), "")
    while name in by_name:
        found = by_name.pop(name)  # once each: a circle ends
        way.append(found)
        name = text_of(found[1].get("parentId"))
    return way[::-1]


def _sent(way: list[tuple[int, Object]]) -> list[tuple[int, Object]]:
    """What remains behind the last compaction: the summary, what it keeps, what followed."""
    at = next((n for n in reversed(range(len(way))) if way[n][1].get("type") == "compaction"), None)
    if at is None:
        return way
    first = text_of(way[at][1].get("firstKeptEntryId"))
    kept = next((n for n, (_, entry) in enumerate(way[:at]) if text_of(entry.get("id")) == first), at)
    return [way[at], *way[kept:at], *way[at + 1 :]]


def _said(sent: list[tuple[int, Object]]) -> list[Said]:
    found: list[Said] = []
    for line, entry in sent:
        kind = entry.get("type")
        if kind == "compaction":
            found.append(Said("user", text_of(entry.get("summary")), line, len(found), "summary", _SUMMED_UP))
        elif kind == "branch_summary":
            found.append(Said("user", text_of(entry.get("summary")), line, len(found)))
        elif kind in SENT:
            message = object_of(entry.get("message")) if kind == "message" else entry
            role: Literal["user", "assistant"] = "assistant" if message.get("role") == "assistant" else "user"
            tool = text_of(message.get("toolName"))
            text = _text(message.get("content"))
            if text:
                found.append(Said(role, text, line, len(found), tool and f"result of {tool}"))
    return found


def _text(content: Json) -> str:
    """A message as one text: words, then each call with its arguments."""
    parts = [content] if isinstance(content, str) else []
    for block in objects_in(content):
        if block.get("type") == "text":
            parts.append(text_of(block.get("text")))
        elif block.get("type") == "toolCall":
            parts.append(f"{text_of(block.get('name'))}({json.dumps(block.get('arguments'), ensure_ascii=False)})")
    return "\n".join(parts)


GREETING = "hi"
CONTEXT = "⟦openclaw:ctx⟧"
_NAMED_ZONES = ("EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "AKST", "AKDT", "HST")
"""Short names that the platform knows in English, of zones in America and the Pacific."""


def answers(run: AgentRun) -> dict[str, object]:
    """What the texts of the messages name."""
    zone_name = str(user_timezone(run.inputs, run.settings).value)
    zone = zone_of(zone_name) or UTC
    day, clock = _moment(run, zone)
    at = datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=zone)
    short = short_name(at, zone_name)
    chat = mapping(mapping(run.params.chat).get("message"))
    message = run.params.message
    words, name = (message, "message") if message is not None else (run.params.task or GREETING, "task")
    spawn = run.params.spawn
    depth = spawn.depth if spawn else run.session.depth
    deepest = max(1, count(run.settings.get("agents.defaults.subagents.maxSpawnDepth"), run.lists.depth))
    return {
        "today": environment("date", day),
        "stamp": [
            environment("date", f"{at:%a} {day}"), label(" "), unpredictable("clock", clock), label(" "),
            environment("timezone", short),
        ],
        "words": param_value(name, _safe(words)) if words == _safe(words) else computed(name, _safe(words)),
        "sender": list(_sender(chat)),
        "about": computed("chat", wire_json(_about(chat, zone, zone_name))),
        # no message of a person comes before it in the request
        "carries": FOLDER.reason("first_message", not (run.params.again or run.params.sessionFile)),
        "again": FOLDER.reason("again", run.params.again),
        "spawned": given("spawn", example={"task": EXAMPLE}),
        "may_spawn": depth < deepest,
        "depth": computed("depth", f"{depth}/{deepest}"),
        "task": param_value("spawn.task", spawn.task if spawn else ""),
        "of_session": list(_of_session(run)),
    }  # fmt: skip


def _moment(run: AgentRun, zone: tzinfo) -> tuple[str, str]:
    """Day and time at which the message was sent, as the zone shows them; without a time it is a sample."""
    date = run.inputs.environment.date or "2026-01-01"
    if "T" not in date:
        return date, "09:00"
    at = datetime.fromisoformat(date)
    shown = at.astimezone(zone) if at.tzinfo else at
    return f"{shown:%Y-%m-%d}", f"{shown:%H:%M}"


def short_name(at: datetime, zone: str) -> str:
    """The zone's short name in English: `UTC`, `GMT+1`, `GMT+5:30`, `EST`."""
    known = at.tzname() or ""
    if zone in ("UTC", "Etc/UTC") or at.tzinfo is UTC:
        return "UTC"
    if known in _NAMED_ZONES and zone.startswith(("America/", "US/", "Pacific/", "Canada/")):
        return known
    minutes = int((at.utcoffset() or datetime.min - datetime.min).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    return f"GMT{sign}{hours}{f':{rest:02}' if rest else ''}" if minutes else "GMT"


def _safe(words: str) -> str:
    """The user's words, in which nothing looks like what OpenClaw itself tells the model."""
    for end in ("BEGIN", "END"):
        words = words.replace(f"<<<{end}_OPENCLAW_INTERNAL_CONTEXT>>>", f"[[OPENCLAW_INTERNAL_CONTEXT_{end}]]")
    return words


def _fenced(title: str, facts: Mapping[str, Json]) -> str:
    return f"{title}: {CONTEXT}\n```json\n{wire_json(facts)}\n```"


def _person(said: Mapping[str, Json], *names: str) -> dict[str, Json]:
    """Who a message is of, as Telegram tells it."""
    full = " ".join(filter(None, (text(said.get("first_name")), text(said.get("last_name")))))
    every: dict[str, Json] = {
        "id": str(said.get("id", "")), "name": full or None, "username": text(said.get("username")),
        "is_bot": said.get("is_bot"),
    }  # fmt: skip
    return {name: every[name] for name in names if every[name] is not None}


def _sender(chat: Mapping[str, Json]) -> Iterator[Span]:
    if chat:
        facts = {"sender": _person(mapping(chat.get("from")), "id", "name", "username")}
        yield computed("chat", _fenced("Conversation info", facts) + "\n\n")


def _about(said: Mapping[str, Json], zone: tzinfo, zone_name: str) -> str:
    """The facts of a chat's message, and what it answers or passes on."""
    chat, sender = mapping(said.get("chat")), mapping(said.get("from"))
    group, topic = chat.get("type") in ("group", "supergroup"), said.get("message_thread_id")
    replied = mapping(said.get("reply_to_message"))
    named = _mentions_bot(said)
    sent_at = _time(said.get("date"), zone, zone_name)
    place = f"telegram:{chat.get('id', '')}" + (f":topic:{topic}" if topic is not None else "")
    facts: dict[str, Json] = {
        "chat_id": place,
        "message_id": str(said.get("message_id", "")),
        "reply_to_id": str(replied["message_id"]) if "message_id" in replied else None,
        "conversation_label": f"{chat.get('title')} id:{chat.get('id')}" if group else None,
        "sender": _person(sender, "id", "name", "username", "is_bot"),
        "timestamp": sent_at,
        "group_subject": text(chat.get("title")) if group else None,
        "inbound_event_kind": "user_request",
        "topic_id": None if topic is None else str(topic),
        "is_forum": chat.get("is_forum") if group else None,
        "is_group_chat": True if group else None,
        "was_mentioned": named if group else None,
        "explicitly_mentioned_bot": named,
        "mention_source": "explicit_bot" if named else None,
    }
    parts = [_fenced("Conversation info", {name: value for name, value in facts.items() if value is not None})]
    if replied:
        parts.append(_replied(said, replied, zone, zone_name))
    origin = mapping(said.get("forward_origin"))
    if origin:
        by = _person(mapping(origin.get("sender_user")), "name").get("name") or text(origin.get("sender_user_name"))
        told = {
            "from": by, "type": text(origin.get("type")), "title": text(mapping(origin.get("chat")).get("title")),
            "date_ms": int(origin["date"]) * 1000 if isinstance(origin.get("date"), int) else None,
        }  # fmt: skip
        parts.append(_fenced("Forwarded message context", {k: v for k, v in told.items() if v is not None}))
    return "\n\n".join(parts)


def _mentions_bot(said: Mapping[str, Json]) -> bool:
    """A bot's name on Telegram ends in `bot`; which one is ours is not known here."""
    words, entities = text(said.get("text")) or "", said.get("entities")
    for each in entities if isinstance(entities, list) else ():
        start, length = each.get("offset", 0), each.get("length", 0)
        if each.get("type") == "mention" and words[start : start + length].lower().endswith("bot"):
            return True
    return False


def _time(seconds: Json, zone: tzinfo, zone_name: str) -> str | None:
    if not isinstance(seconds, int):
        return None
    at = datetime.fromtimestamp(seconds, zone)
    return f"{at:%a %Y-%m-%d %H:%M:%S} {short_name(at, zone_name)}"


def _replied(said: Mapping[str, Json], other: Mapping[str, Json], zone: tzinfo, zone_name: str) -> str:
    """The message that is answered, and which one answers it."""
    at = (_time(other.get("date"), zone, zone_name) or "").partition(" ")[2]
    words = " ".join((text(other.get("text")) or "").split())
    by = _person(mapping(other.get("from")), "name").get("name") or ""
    return (
        f"Conversation context (chronological, selected for current message): {CONTEXT}\n"
        f"#{other.get('message_id')} {at} [reply target] {by}: {words}\n\n"
        f"Current message:\n[Replying to: {json.dumps(words, ensure_ascii=False)}]\n#{said.get('message_id')}:"
    )


def _of_session(run: AgentRun) -> Iterator[dict[str, object]]:
    """The lines of a sub-agent's Session Context, each ended by a full stop but the first."""
    spawn = run.params.spawn
    if spawn is None:
        return
    told = {
        "Label": spawn.label, "Requester session": spawn.requesterSessionKey,
        "Requester channel": spawn.requesterChannel, "Your session": run.session.key,
    }  # fmt: skip
    for name, value in told.items():
        if value:
            yield {"name": label(name), "value": param_value(f"spawn.{name}", value), "stops": name != "Label"}
