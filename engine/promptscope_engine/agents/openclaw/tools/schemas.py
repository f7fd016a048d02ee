"""The parameters of OpenClaw's own tools, written short: `name:type`, `!` required, `=a|b` one of these.

Types: s text, n number, i integer, b yes or no, o object, [s] list, {s} texts by name. The names are the agent's; the
measured sizes beside our own (sizes.json) make up for the descriptions that the real schemas have.
"""

from __future__ import annotations

import re

from promptscope_engine.model import Json

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
    "asVoice:b silent:b quoteText:s bestEffort:b gifPlayback:b messageId:s emoji:s remove:b targetAuthor:s "
    "targetAuthorUuid:s groupId:s limit:n before:s after:s around:s fromMe:b includeArchived:b pollQuestion:s "
    "pollOption:[s] pollDurationHours:n pollMulti:b channelId:s channelIds:[s] guildId:s userId:s authorId:s "
    "authorIds:[s] roleId:s roleIds:[s] participant:s emojiName:s stickerId:[s] stickerName:s stickerDesc:s "
    "stickerTags:s threadName:s autoArchiveMin:n query:s eventName:s eventType:s startTime:s endTime:s desc:s "
    "location:s durationMin:n until:s reason:s deleteDays:n " + _GATEWAY + "name:s type:n parentId:s topic:s "
    "position:n nsfw:b rateLimitPerUser:n categoryId:s clearParent:b",
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

_PARAMETER = re.compile(r"(\w+):(\[s\]|\{s\}|\w)(!?)(?:=(\S+))?")


def schema(name: str) -> Json:
    """The tool's JSON schema."""
    required: list[str] = []
    properties: dict[str, Json] = {}
    for parameter, kind, needed, values in _PARAMETER.findall(PARAMETERS[name]):
        if needed:
            required.append(parameter)
        found = {"type": "array", "items": _TYPES["s"]} if kind == "[s]" else _TYPES[kind]
        properties[parameter] = {**found, "enum": values.split("|")} if values else found
    return {"type": "object", **({"required": required} if required else {}), "properties": properties}
