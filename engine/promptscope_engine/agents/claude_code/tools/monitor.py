"""Monitor: a background command whose lines are events (2.1.329)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import ToolText, array, number, parameters, record, string


def _monitor(m: Materials) -> Iterator[Piece]:
    background = m.gates.background
    yield from lines("tools.Monitor", _MONITOR)
    yield builtin("tools.Monitor.once", _ONCE, when=background)
    yield builtin("tools.Monitor.once", _ONCE_FOREGROUND, when=~background)
    yield from lines("tools.Monitor", _CHOOSE, before="\n")
    yield builtin("tools.Monitor.unbounded", _UNBOUNDED + _UNBOUNDED_END, when=background)
    yield builtin("tools.Monitor.unbounded", _UNBOUNDED + _UNBOUNDED_FOREGROUND, when=~background)
    yield from lines("tools.Monitor", _SCRIPTS, before="\n\n")
    yield builtin("tools.Monitor.lifetime", _lifetime("10 min"), when=gates.HEADLESS)
    yield builtin("tools.Monitor.lifetime", _lifetime("30 min"), when=gates.INTERACTIVE)
    yield from lines("tools.Monitor.ws", _SOCKETS, before="\n\n")


_MONITOR = {
    "purpose": "Starts a monitor in the background that turns what a command prints into events: every line of its stdout reaches you as a notification, and you can go on with your work meanwhile. Such an event is nothing the user has said, even if it comes while you wait for their answer, and needs no reply as such.",
    "choose": "\nHow many notifications do you want of it?",
}
_ONCE = "\n\n- **One, as soon as something is the case** (the server is up, the export is through): do not use this tool. Let Bash run a loop with `run_in_background` that ends when it is so, for instance `until nc -z localhost 5432; do sleep 1; done`. You are told when it ends, and that is all you need."
_ONCE_FOREGROUND = "\n\n- **One, as soon as something is the case** (the server is up, the export is through): do not use this tool. Let Bash run a loop in the foreground that ends when it is so: `until nc -z localhost 5432; do sleep 1; done`."
_CHOOSE = {
    "each": "- **One for each time, without an end** (whenever a login fails, whenever a file changes): a command that never exits of its own accord, such as `tail -f`, `fswatch` or an endless `while` loop around a check.",
    "until": "- **One for each time, up to an end** (every step of a deployment, until it is through): a command that prints a line for each, and exits after the last one.",
    "stream": "\nStdout is the stream of events. When the command exits, the watch is over. Some ways to do it:",
    "log_heading": "\n  # Each matching log line is an event",
    "log": "  journalctl -fu billing | grep --line-buffered -i 'fail'",
    "files_heading": "\n  # Each file change is an event",
    "files": "  inotifywait -mr -e close_write --format '%w' src",
    "comments_heading": "\n  # Poll GitHub for new PR comments and emit one line per new comment",
    "comments": "  seen=0\n  while sleep 45; do\n    gh pr view 52 --json comments -q '.comments[] | .author.login + \": \" + .body' > /tmp/c || continue\n    tail -n +$((seen + 1)) /tmp/c\n    seen=$(wc -l < /tmp/c)\n  done # one line for each comment only",
    "node_heading": "\n  # Node script that emits events as they arrive (e.g. WebSocket listener)",
    "node": "  node follow-orders.mjs",
    "checks_comment": "\n  # Checks of a pull request: a line for each that is through, and the end when none is open still",
    "checks": '  before=\'\'\n  while true; do\n    now=$(gh pr checks 52 --json name,bucket -q \'.[] | select(.bucket!="pending") | .name + " " + .bucket\' | sort)\n    comm -13 <(echo "$before") <(echo "$now")\n    gh pr checks 52 --json bucket -q \'.[].bucket\' | grep -q pending || break\n    before=$now; sleep 30\n  done',
}
_UNBOUNDED = "\n\n**Do not let an endless command wait for one thing.** `tail -f` and `while true` go on when the line you were after has long been there, and the monitor stays armed until its time is up."
_UNBOUNDED_END = " `grep -m 1` behind it is no help: the program in front of it learns of that only when it writes again, and with a log that has fallen silent it never will. For a single event use Bash with `run_in_background` and a loop (`until grep -q Ready app.log; do sleep 1; done`), which ends with the event."
_UNBOUNDED_FOREGROUND = " `grep -m 1` behind it is no help: the program in front of it learns of that only when it writes again, which may never be. For a single event run a loop in the foreground with Bash (`until grep -q Ready app.log; do sleep 1; done`), which ends with it."
_SCRIPTS = {
    "quality": "**Script quality:**",
    "line_buffered": "\n- All that stands in a pipe has to pass on each line at once: `grep --line-buffered`, `sed -u`, `fflush()` in awk. Where output is collected in a buffer first, events come minutes late. `head` has no such option; keep it out of the pipe.",
    "transient": "- In a loop that polls, one request that fails must not end everything: put `|| true` behind it or go on at once.",
    "intervals": "- Pauses: 30s or more for remote services (their limits!), 0.5-1s on this machine",
    "description": '- The `description` is part of each notification. Be specific: not "log monitor" but "failed logins on staging".',
    "stderr": "- Only stdout makes events. Stderr is written to the output file and can be read there, but notifies nobody. If you run a program directly whose errors you want to hear of, merge the two (`python train.py 2>&1 | grep …`). This is of no use with `tail -f` on a file, because that has in it only what somebody else has decided to write there; see where the errors go in that case.",
    "coverage": "\n**Let every end of the matter show, not only the good one.** While a filter is silent you cannot know whether all is going well, or whether the process has crashed, hangs or has been killed. One that lets nothing but success through will be silent in each of these cases. So go through all the states in which it may end before you arm the monitor, and ask of each: would my filter print a line then? If the answer is no for any of them, widen the filter.",
    "wrong_heading": "\n  # Wrong — silent on crash, hang, or any non-success exit",
    "wrong": "  tail -f train.log | grep --line-buffered 'epoch finished'",
    "right_heading": "\n  # Right — one alternation covering progress + the failure signatures you'd act on",
    "right": "  tail -f train.log | grep -E --line-buffered 'epoch finished|Error|Traceback|Killed|nan|No space left'",
    "poll": "\nA loop that asks for the state of a job has to print something at each state that is final: failed, cancelled, expired, timed out, not merely succeeded. If you are unsure how errors will look in the output, let more through rather than less. Lines too many are a nuisance; a crash that nobody notices is worse.",
    "volume": "\n**Each line is a message in this conversation.** Be selective accordingly: let through what you would do something about, the bad as well as the good, and never the whole of a log just as it comes. A monitor that prints too much is stopped by the harness without asking; if this happens, start it again with a narrower filter. Print differences, not the same state again and again.",
    "grouping": "\nLines that come within 200ms of each other are put into one notification, so output of several lines remains together anyhow.",
}


def _lifetime(longest: str) -> str:
    return f"\n\nThe command is run by the same shell as with Bash. When it exits, you are told with which code. `timeout_ms` limits how long a monitor may last: 5 min if nothing is said, {longest} at most. When the time is up, you are told so and can arm it anew if the matter is still of interest; for something that takes long, do that each time. TaskStop ends a monitor before its time, and the end of the session does so as well. Instead of a command there may be a `ws` source: then a WebSocket connection is opened, and the frames it receives are the stream, with no script in between. It looks like this:"


_SOCKETS = {
    "sample": '```json\n{"description": "orders on staging", "timeout_ms": 600000, "ws": {"url": "wss://staging.example.org/orders"}}\n```',
    "frames": "\nEvery text frame is an event, of however many lines it may consist. Of a binary frame you are told the size and nothing else. When the other side closes the connection, the watch is over, and you get the code and the reason with which it did. A limit applies to the rate of frames: a stream that exceeds it for some time is stopped, in the same way as a command that prints too many lines would be.",
    "prefer": "\nPrefer `ws` to a command like `websocat`, as nothing has to be installed and nothing can get stuck in a buffer. Where frames have to be filtered before they reach you, use a command in bash nevertheless.",
}


def _schema(longest: str) -> Json:
    return parameters(
        {
            "description": string(
                "What the monitor watches, in a few specific words (they stand in every notification)."
            ),
            "timeout_ms": number(
                f"Time limit in milliseconds, after which the monitor ends and you are told. 300000 if you do not care; what is more than {longest} counts as {longest} here.",
                default=300000,
                minimum=1000,
                maximum=3600000,
            ),
            "command": string("The command or script to run: a line on stdout is an event, its exit the end."),
            "ws": record(
                {
                    "url": string(),
                    "protocols": array(string(pattern="^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")),
                },
                "url",
                description="A WebSocket to listen to, instead of a command: its address (ws or wss), and subprotocols if the server wants some. Each frame is an event of its own.",
            ),
        },
        "description",
        "timeout_ms",
    )


_LONG_WAIT = _schema("1800000")
MONITOR = ToolText(_monitor, _schema("600000"), others=lambda _: ((gates.INTERACTIVE, _LONG_WAIT),))
