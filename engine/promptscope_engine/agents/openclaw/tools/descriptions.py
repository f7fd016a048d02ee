"""What the request's `tools` field says of OpenClaw's own tools (specs/openclaw.md 2, layer b): our own wording."""

from __future__ import annotations

_BROWSER = """\
Operate a web browser by way of OpenClaw's browser server: status/start/stop, profiles, tabs, open pages, snapshot, screenshot, and actions on a page.
Which browser: profile="chrome" takes over the user's own Chrome through the Browser Relay extension, on tabs that the user has attached; profile="openclaw" is a separate browser that OpenClaw runs by itself.
When the user speaks of the extension, the toolbar button or an attached tab, that is always profile="chrome": do not ask which one.
With profile="chrome" some tab has to be attached first (a click on the extension's button in the toolbar, whose badge then reads ON). If none is, ask the user for it.
With refs out of a snapshot (such as e12), stay on that tab: hand the targetId which the snapshot gave back to every later action (act/click/type and so on).
For automation of a UI call snapshot, then act. refs="aria" gives ref ids that hold from call to call; the usual refs="role" go by role and name. Avoid act:wait unless nothing in the UI tells the state; it is no default.
target chooses where the browser lives (sandbox|host|node). In a sandboxed session that is the sandbox unless said otherwise; node=<id|name> pins one paired node.
"""

_CRON = """\
Manage the Gateway's scheduled jobs (status/list/add/update/remove/run/runs) and send wake events.

ACTIONS:
- status: how the scheduler is doing
- list: the jobs (includeDisabled:true for the disabled ones as well)
- add: make a job (needs a job object, see below)
- update: change a job (needs jobId and a patch object)
- remove: take a job away (needs jobId)
- run: start a job right now (needs jobId)
- runs: what a job has done so far (needs jobId)
- wake: send a wake event (needs text, mode is optional)

THE JOB OBJECT (action add):
{
  "name": "text (optional)",
  "schedule": { ... },      // needed: when it runs
  "payload": { ... },       // needed: what it does
  "delivery": { ... },      // optional: a summary announced or a webhook posted
  "sessionTarget": "main" | "isolated",  // needed
  "enabled": true | false   // optional, true if left out
}

KINDS OF SCHEDULE (schedule.kind):
- "at": one time only, at an absolute time
  { "kind": "at", "at": "<ISO-8601 time>" }
- "every": again and again after an interval
  { "kind": "every", "everyMs": <milliseconds>, "anchorMs": <optional first time in ms> }
- "cron": by a cron expression
  { "kind": "cron", "expr": "<expression>", "tz": "<optional time zone>" }

An ISO time that names no time zone is taken as UTC.

KINDS OF PAYLOAD (payload.kind):
- "systemEvent": puts the text into a session as a system event
  { "kind": "systemEvent", "text": "<message>" }
- "agentTurn": gives the message to an agent to work on (isolated sessions only)
  { "kind": "agentTurn", "message": "<prompt>", "model": "<optional>", "thinking": "<optional>", "timeoutSeconds": <optional, 0 is without limit> }

DELIVERY (top level):
  { "mode": "none|announce|webhook", "channel": "<optional>", "to": "<optional>", "bestEffort": <optional true/false> }
  - An isolated agentTurn job announces if delivery is left out
  - announce: goes to a chat channel (channel/to pick which one)
  - webhook: the finished run is sent as an HTTP POST to the URL in delivery.to
  - For a certain chat or person set announce with channel/to; a job does not need to call messaging tools itself.

LIMITS THAT CANNOT BE BROKEN:
- sessionTarget="main" goes with payload.kind="systemEvent" only
- sessionTarget="isolated" goes with payload.kind="agentTurn" only
- A webhook is set with delivery.mode="webhook" and its URL in delivery.to.
Default: isolated agentTurn jobs, unless the user wants a system event in the main session.

MODES OF WAKE (action wake):
- "next-heartbeat" (if left out): at the next heartbeat
- "now": at once

Say jobId; id is understood for older callers. contextMessages (0-10) adds that many earlier messages to the job's text."""

DESCRIPTIONS = {
    "read": (
        "Show what a file contains. Takes text and pictures (jpg, png, gif, webp); a picture comes as an attachment. "
        "Text is cut at 2000 lines or 50KB, whichever limit is met first. Page through bigger files with offset and "
        "limit, and if you need all of one, go on with offset until you reach its end."
    ),
    "write": (
        "Put content into a file. A new file is made if there is none, an existing one replaced; missing parent "
        "folders are made too."
    ),
    "edit": (
        "Change a file by swapping one exact text for another. oldText has to be in the file exactly so, white space "
        "included. For precise changes."
    ),
    "apply_patch": (
        "Change one file or several by a patch in the apply_patch format. The input has to hold the *** Begin Patch "
        "and *** End Patch lines."
    ),
    "exec": (
        "Run a shell command, also one that goes on in the background. yieldMs/background lets you turn to the process "
        "tool later. Set pty=true where a terminal is a must (TTY CLIs, coding agents)."
    ),
    "process": "Handle exec sessions still running: list, poll, log, write, send-keys, submit, paste, kill.",
    "web_search": (
        "Search the web with the Brave Search API. Searches can be limited to a region or language by country and "
        "language parameters. Gives titles, URLs and excerpts, for quick research."
    ),
    "web_fetch": (
        "Get a URL and pull out what is readable in it (HTML becomes markdown/text). A light way to pages that needs no "
        "browser automation."
    ),
    "browser": _BROWSER.strip(),
    "canvas": (
        "Steer the canvas on a node (present/hide/navigate/eval/snapshot/A2UI). With snapshot you see what it shows."
    ),
    "nodes": "Find paired nodes and use them (status/describe/pairing/notify/camera/screen/location/run/invoke).",
    "cron": _CRON,
    "message": "Send, delete or otherwise manage messages by channel plugins. Actions offered: send, broadcast.",
    "tts": (
        "Make speech from text. The audio is delivered by itself from the tool's result: after a call that worked, "
        "answer with NO_REPLY so that nothing is sent twice."
    ),
    "gateway": (
        "Restart the gateway in place (SIGUSR1), change its configuration or update it. config.patch is the safe way to "
        "change part of the configuration, as it merges with what is there; config.apply is only for replacing all of "
        "it. Either one writes and then restarts. Give the user a readable line in `note` each time, to be delivered "
        "when the restart is over."
    ),
    "agents_list": "Tell which agent ids sessions_spawn accepts, going by the allowlists.",
    "sessions_list": "List sessions, filtered if wished, with latest messages.",
    "sessions_history": "Get the message history of a session.",
    "sessions_send": "Pass a message into another session, which is named by its sessionKey or its label.",
    "sessions_spawn": (
        'Start a sub-agent in a session of its own (mode="run" for one task or mode="session" for a lasting, '
        "thread-bound one). Its result comes to the asker's chat."
    ),
    "subagents": (
        "See, stop or redirect the sub-agent runs that this session asked for. This is how to keep an eye on them."
    ),
    "session_status": (
        "Show the card of /status (use of tokens, time, cost where known). Answers questions about the model in use "
        "(📊 session_status). May also set this session's model (model=default takes it back)."
    ),
    "image": (
        "Look at pictures with the image model that is set up. Give a path or URL as image, several as images, and in "
        "prompt what to look for. Not needed for pictures already in the conversation."
    ),
    "memory_search": (
        "Search MEMORY.md and memory/*.md by meaning, before any answer about earlier work, decisions, dates, people, "
        "preferences or todos; gives excerpts with their path and lines."
    ),
    "memory_get": (
        "Read part of MEMORY.md or memory/*.md by path, from and lines. Take it after memory_search, so that only what "
        "is needed is loaded."
    ),
    "whatsapp_login": "Link WhatsApp anew by a QR code: start gives the code, wait waits for the scan.",
}
