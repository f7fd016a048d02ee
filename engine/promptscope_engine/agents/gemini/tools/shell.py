"""Tools for commands: run_shell_command and what looks after background processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.wording import fixed, lines
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece

from .schema import WAIT, ToolText, array, boolean, integer, parameters, record, string

_PURPOSE = {
    "purpose": "Runs a command line with `bash -c <command>`. With `is_background` set to true, the command keeps running while you do something else: use that for servers and watchers instead of a trailing `&`.",
}
_INTERACTIVE = {
    "background": " To stop a command with all its processes, use `kill -- -PGID`; to signal a single process, use `kill -s SIGNAL PID`.",
}
_PLAIN = {
    "background": " To stop a command with all its processes: `kill -- -PGID`; to send a signal: `kill -s SIGNAL PID`.",
}
_REST = {
    "economy": "\n\n      How to keep the output of commands short:",
    "quiet": "      - Whenever a command knows an option that makes it print less, give it that option.",
    "pager": "      - Keep every pager from opening, for nobody can leave it (for git, write `git --no-pager` in front of the subcommand).",
    "large": "      - Where much is to be expected, or you cannot tell, let the output go into a file and look at the interesting lines of it.",
    "returns": "\n      What the result contains:\n",
    "output": "      Output: what came on stdout and stderr, in the order in which it came; `(empty)` if there was nothing, and as far as it got if it failed or runs on in the background.",
    "code": "      Exit Code: stands there only where the command failed.",
    "error": "      Error: stands there only where the process itself could not be run.",
    "signal": "      Signal: stands there only where a signal ended it.",
    "pids": "      Background PIDs: stands there only where processes were left running.",
    "group": "      Process Group PGID: stands there only where one is known.",
}


def _description(m: Materials) -> Iterator[Piece]:
    yield from lines("tools.run_shell_command", _PURPOSE)
    yield from lines("tools.run_shell_command.interactive", _INTERACTIVE, when=m.gates.interactive_shell)
    yield from lines("tools.run_shell_command.plain", _PLAIN, when=~m.gates.interactive_shell)
    yield from lines("tools.run_shell_command", _REST)


def _permissions(m: Materials) -> Mapping[str, Condition]:
    return {"additional_permissions": m.gates.tool_sandboxing}


RUN_SHELL_COMMAND = ToolText(
    _description,
    parameters(
        {
            "command": string("The command line, exactly as it is to be run by `bash -c <command>`"),
            "description": string(
                "What the command is for, told to the user in a few words. Be specific, and as short as that allows: one sentence is usual, three are the most. No line breaks."
            ),
            "dir_path": string(
                "Optional: the folder in which the command is run. Without it, that is the root of the project. If it is given, the folder has to lie in the workspace and to exist."
            ),
            "is_background": boolean(
                "True has the command run in the background, once it has had a moment to begin. It is meant for processes that do not end of their own accord: servers, watchers, anything that goes on while you work. The answer names the process id."
            ),
            "delay_ms": integer(
                "Optional: how long to wait, in milliseconds, before a command in the background is left alone. What it printed until then is part of the answer. Without it, it is 200 ms."
            ),
            "additional_permissions": record(
                {
                    "network": boolean("Whether the command has to reach the network"),
                    "fileSystem": record(
                        {
                            "read": array(string(), "Paths outside of the workspace that the command has to read"),
                            "write": array(string(), "Paths outside of the workspace that the command has to write"),
                        },
                        description="Files and folders that the command needs beyond the sandbox",
                    ),
                },
                description="What the command needs beyond that which the sandbox grants. The user is asked for it, so name no more than is needed, and only once it is clear that the command cannot do without it.",
            ),
        },
        "command",
    ),
    _permissions,
)

LIST_BACKGROUND_PROCESSES = ToolText(
    fixed(
        "tools.list_background_processes",
        "Lists the processes that were started in the background, with the status of each of them.",
    ),
    parameters({"wait_for_previous": WAIT}),
)
READ_BACKGROUND_OUTPUT = ToolText(
    fixed("tools.read_background_output", "Returns what a background process has printed so far."),
    parameters(
        {
            "pid": integer("The id of the process, as the shell tool named it when the process was started."),
            "lines": integer(
                "Optional: how many lines are given, counted from the end of what was printed. 100 unless you say otherwise."
            ),
            "delay_ms": integer(
                "Optional: how long to wait before the output is read, in milliseconds. Use it where a process takes a while to begin, so that there is something to read."
            ),
            "wait_for_previous": WAIT,
        },
        "pid",
    ),
)
