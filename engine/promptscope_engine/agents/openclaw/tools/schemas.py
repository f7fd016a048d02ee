"""The parameters of OpenClaw's own tools, written short: `name:type`, `!` required, `=a|b` one of these.

Types: s text, n number, i integer, b yes or no, o object, [s] list, {s} texts by name. The names are the agent's, the
descriptions (NOTES) our own.
"""

from __future__ import annotations

import re
from functools import cache

from promptscope_engine.formats.document import Json
from promptscope_engine.wire.request import FixedSchema

_TYPES: dict[str, Json] = {
    "s": {"type": "string"},
    "n": {"type": "number"},
    "i": {"type": "integer"},
    "b": {"type": "boolean"},
    "o": {"type": "object", "properties": {}, "additionalProperties": True},
    "{s}": {"type": "object", "patternProperties": {"^(.*)$": {"type": "string"}}},
}

_GATEWAY = "gatewayUrl:s gatewayToken:s timeoutMs:n "

PARAMETERS = {
    "read": "path:s offset:n limit:n file_path:s",
    "write": "path:s content:s! file_path:s",
    "edit": "path:s oldText:s newText:s file_path:s old_string:s new_string:s",
    "apply_patch": "input:s!",
    "exec": "command:s! workdir:s env:{s} yieldMs:n background:b timeout:n pty:b elevated:b host:s security:s ask:s "
    "node:s",
    "process": "action:s! sessionId:s data:s keys:[s] hex:[s] literal:s text:s bracketed:b eof:b offset:n limit:n "
    "timeout:n",
    "browser": "action:s!=status|start|stop|profiles|tabs|open|focus|close|snapshot|screenshot|navigate|console|pdf"
    "|upload|dialog|act target:s=sandbox|host|node node:s profile:s targetUrl:s targetId:s limit:n maxChars:n "
    "mode:s=efficient snapshotFormat:s=aria|ai refs:s=role|aria interactive:b compact:b depth:n selector:s frame:s "
    "labels:b fullPage:b ref:s element:s type:s=png|jpeg level:s paths:[s] inputRef:s timeoutMs:n accept:b "
    "promptText:s request:o",
    "canvas": "action:s!=present|hide|navigate|eval|snapshot|a2ui_push|a2ui_reset " + _GATEWAY + "node:s target:s x:n "
    "y:n width:n height:n url:s javaScript:s outputFormat:s=png|jpg|jpeg maxWidth:n quality:n delayMs:n jsonl:s "
    "jsonlPath:s",
    "nodes": "action:s!=status|describe|pending|approve|reject|notify|camera_snap|camera_list|camera_clip"
    "|screen_record|location_get|run|invoke " + _GATEWAY + "node:s requestId:s title:s body:s sound:s "
    "priority:s=passive|active|timeSensitive delivery:s=system|overlay|auto facing:s=front|back|both maxWidth:n "
    "quality:n delayMs:n deviceId:s duration:s durationMs:n includeAudio:b fps:n screenIndex:n outPath:s maxAgeMs:n "
    "locationTimeoutMs:n desiredAccuracy:s=coarse|balanced|precise command:[s] cwd:s env:[s] commandTimeoutMs:n "
    "invokeTimeoutMs:n needsScreenRecording:b invokeCommand:s invokeParamsJson:s",
    "cron": "action:s!=status|list|add|update|remove|run|runs|wake " + _GATEWAY + "includeDisabled:b job:o jobId:s "
    "id:s patch:o text:s mode:s=now|next-heartbeat runMode:s=due|force contextMessages:n",
    "message": "action:s!=send|broadcast channel:s target:s targets:[s] accountId:s dryRun:b message:s effectId:s "
    "effect:s media:s filename:s buffer:s contentType:s mimeType:s caption:s path:s filePath:s replyTo:s threadId:s "
    "asVoice:b silent:b quoteText:s bestEffort:b gifPlayback:b messageId:s message_id:s emoji:s remove:b "
    "targetAuthor:s targetAuthorUuid:s groupId:s limit:n before:s after:s around:s fromMe:b includeArchived:b pollQuestion:s "
    "pollOption:[s] pollDurationHours:n pollMulti:b channelId:s channelIds:[s] guildId:s userId:s authorId:s "
    "authorIds:[s] roleId:s roleIds:[s] participant:s emojiName:s stickerId:[s] stickerName:s stickerDesc:s "
    "stickerTags:s threadName:s autoArchiveMin:n query:s eventName:s eventType:s startTime:s endTime:s desc:s "
    "location:s durationMin:n until:s reason:s deleteDays:n " + _GATEWAY + "name:s type:n parentId:s topic:s "
    "position:n nsfw:b rateLimitPerUser:n categoryId:s clearParent:b activityType:s activityName:s activityUrl:s "
    "activityState:s status:s",
    "tts": "text:s! channel:s",
    "gateway": "action:s!=restart|config.get|config.schema|config.apply|config.patch|update.run delayMs:n reason:s "
    + _GATEWAY
    + "raw:s baseHash:s sessionKey:s note:s restartDelayMs:n",
    "agents_list": "",
    "sessions_list": "kinds:[s] limit:n activeMinutes:n messageLimit:n",
    "sessions_history": "sessionKey:s! limit:n includeTools:b",
    "sessions_send": "sessionKey:s label:s agentId:s message:s! timeoutSeconds:n",
    "sessions_spawn": "task:s! label:s agentId:s model:s thinking:s runTimeoutSeconds:n timeoutSeconds:n thread:b "
    "mode:s=run|session cleanup:s=delete|keep",
    "subagents": "action:s=list|kill|steer target:s message:s recentMinutes:n",
    "session_status": "sessionKey:s model:s",
    "web_search": "query:s! count:n country:s search_lang:s ui_lang:s freshness:s",
    "web_fetch": "url:s! extractMode:s=markdown|text maxChars:n",
    "image": "prompt:s image:s images:[s] model:s maxBytesMb:n maxImages:n",
    "memory_search": "query:s! maxResults:n minScore:n",
    "memory_get": "path:s! from:n lines:n",
    "whatsapp_login": "action:s!=start|wait timeoutMs:n force:b",
}

NOTES: dict[str, dict[str, str]] = {
    "read": {
        "path": "Which file to show, by a relative or an absolute path",
        "offset": "The line to begin with (the first line is 1)",
        "limit": "How many lines to show, at most",
        "file_path": "Another name of path",
    },
    "write": {
        "path": "Which file to write, by a relative or an absolute path",
        "content": "All that the file is to hold",
        "file_path": "Another name of path",
    },
    "edit": {
        "path": "Which file to change, by a relative or an absolute path",
        "oldText": "The text that is to go, exactly as the file has it, white space included",
        "newText": "The text that takes the place of oldText",
        "file_path": "Another name of path",
        "old_string": "Another name of oldText",
        "new_string": "Another name of newText",
    },
    "apply_patch": {"input": "The patch, from *** Begin Patch to *** End Patch."},
    "exec": {
        "command": "The shell command",
        "workdir": "Where to run it (if left out: the current directory)",
        "yieldMs": "Milliseconds until it goes on in the background (if left out: 10000)",
        "background": "Send it to the background at once",
        "timeout": "Seconds until it is killed (only if needed)",
        "pty": "Give it a pseudo-terminal where there is one (for TTY CLIs and coding agents)",
        "elevated": "Run it on the host with elevated rights, where that is allowed",
        "host": "Where it runs (sandbox|gateway|node).",
        "security": "How strict it is (deny|allowlist|full).",
        "ask": "When to ask (off|on-miss|always).",
        "node": "The node, by id or name, if host=node.",
    },
    "process": {
        "action": "What to do with the process",
        "sessionId": "The session (all actions but list)",
        "data": "What to write (write)",
        "keys": "Names of keys to send (send-keys)",
        "hex": "Bytes to send, in hex (send-keys)",
        "literal": "Text to send as it is (send-keys)",
        "text": "What to paste (paste)",
        "bracketed": "Paste in bracketed mode",
        "eof": "Close stdin when it is written",
        "offset": "The log's line to begin with",
        "limit": "How many lines of the log",
        "timeout": "How long poll waits, in milliseconds, until it comes back",
    },
    "web_search": {
        "query": "What to search for.",
        "count": "How many results to get (1-10).",
        "country": "The country whose results are wanted, as a two-letter code ('DE', 'US', 'ALL'). 'US' if left out.",
        "search_lang": "The language of the results as an ISO code ('de', 'en', 'fr').",
        "ui_lang": "The language of the texts around the results, as an ISO code.",
        "freshness": "Only what was found lately (Brave/Perplexity): 'pd' a day, 'pw' a week, 'pm' a month, 'py' a year; "
        "Brave also takes a range, 'YYYY-MM-DDtoYYYY-MM-DD'.",
    },
    "web_fetch": {
        "url": "The page, by an HTTP or HTTPS address.",
        "extractMode": 'The form of what is pulled out ("markdown" or "text").',
        "maxChars": "How many characters come back at most (the rest is cut).",
    },
    "sessions_list": {"kinds": "Kinds of session wanted"},
    "sessions_send": {"message": "What to pass on", "label": "In place of sessionKey"},
    "tts": {
        "text": "What is to be spoken.",
        "channel": "The channel's id, if wanted: it decides the form of the audio (e.g. telegram).",
    },
    "message": {
        "channel": "The channel's id, if it is not the one of this chat",
        "target": "Where to send: a channel, user or chat, by id or name (a number, a handle, an address)",
        "targets": "Where to broadcast: the same as target, several of them",
        "accountId": "The account to send from, where the channel has several",
        "dryRun": "Check everything and send nothing",
        "effectId": "An effect's name or id for sendWithEffect (e.g. confetti)",
        "effect": "Another name of effectId (e.g. invisible-ink, balloons)",
        "media": "What to attach: a URL or a path on this machine. For data: URLs take buffer.",
        "buffer": "What to attach, in Base64 (a data: URL works too).",
        "quoteText": "The words that a Telegram reply quotes",
        "asVoice": "Send audio as a voice message",
        "silent": "Send without a notification",
        "bestEffort": "Go on if one of the targets fails",
        "messageId": "The message to react to, to edit, to delete or to pin",
        "message_id": "The same as messageId",
        "emoji": "The reaction",
        "remove": "Take the reaction away",
        "threadId": "The thread or topic to send into",
        "replyTo": "The message to reply to",
        "limit": "How many to list, at most",
        "desc": "The event's description",
        "type": "The kind of channel, by Discord's number",
        "parentId": "The category to put the channel into",
        "activityType": "What kind of activity: playing, streaming, listening, watching, competing, custom.",
        "activityName": "The activity's name, as the side bar shows it. Not used for custom.",
        "activityUrl": "The stream's URL (Twitch or YouTube). Only for streaming; may not show for bots.",
        "activityState": "The activity's state. For custom it is the status text, else it shows in the profile.",
        "status": "How the bot appears: online, dnd, idle, invisible.",
    },
}

_ACT = (
    "kind:s!=click|type|press|hover|drag|select|fill|resize|wait|evaluate|close targetId:s ref:s doubleClick:b button:s "
    "modifiers:[s] text:s submit:b slowly:b key:s startRef:s endRef:s values:[s] fields:[s] width:n height:n timeMs:n "
    "textGone:s fn:s"
)
"""The browser's `request`, which has parameters of its own."""

_PARAMETER = re.compile(r"(\w+):(\[s\]|\{s\}|\w)(!?)(?:=(\S+))?")


@cache
def schema(name: str) -> Json:
    """The tool's JSON schema: the same object each time, which nobody may change."""
    found = _object(PARAMETERS[name], NOTES.get(name, {}))
    if name == "browser":
        found["properties"]["request"] = _object(_ACT, {})
    return FixedSchema(found)


def _object(written: str, notes: dict[str, str]) -> Json:
    required: list[str] = []
    properties: dict[str, Json] = {}
    for parameter, kind, needed, values in _PARAMETER.findall(written):
        if needed:
            required.append(parameter)
        found = {"type": "array", "items": _TYPES["s"]} if kind == "[s]" else _TYPES[kind]
        note = {"description": notes[parameter]} if parameter in notes else {}
        properties[parameter] = {**note, **found, **({"enum": values.split("|")} if values else {})}
    return {"type": "object", **({"required": required} if required else {}), "properties": properties}
