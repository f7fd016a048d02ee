"""Tools around the shell: Bash, TaskOutput, TaskStop (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece, builtin

from .bash_git import long_git_guide, short_git_guide
from .schema import ToolText, boolean, number, parameters, string

# --- Bash -------------------------------------------------------------------------------------------------------------


def _bash(m: Materials) -> Iterator[Piece]:
    bare = gates.IS_329 & m.gates.bare
    long = m.gates.layout_is("A", "A'") & ~bare
    short = m.gates.layout_is("B") & ~bare
    git = m.gates.git_instructions
    yield from lines("tools.Bash", _LONG, when=long)
    yield from lines("tools.Bash", _LONG_329, before="\n", when=long & gates.IS_329)
    yield from lines("tools.Bash", _SLEEPING, before="\n", when=long)
    yield from long_git_guide(m, long & git)
    yield from lines("tools.Bash.short", _SHORT, when=short)
    yield builtin("tools.Bash.short.headless", _HEADLESS, when=short & gates.HEADLESS)
    yield builtin("tools.Bash.short.unattended", _UNATTENDED, when=short & gates.HEADLESS & ~gates.PLAN)
    yield from short_git_guide(m, short & git)
    yield builtin("tools.Bash.bare", "Runs commands in bash.", when=bare)


_LONG = {
    "purpose": "Runs a bash command and gives back what it printed.",
    "state": "\nFrom one command to the next the working directory stays, the rest of the shell's state does not. The shell starts out from the user's profile (bash or zsh).",
    "avoid": "\nIMPORTANT: `find`, `grep`, `cat`, `head`, `tail`, `sed`, `awk` and `echo` are not to be run with this tool, unless you were told to run them or no dedicated tool does what you need. For these there are tools that show the user more clearly what is going on:",
    "avoid_find": "\n - Looking for files: Glob (NOT find or ls)",
    "avoid_grep": " - Searching contents: Grep (NOT grep or rg)",
    "avoid_cat": " - Reading files: Read (NOT cat/head/tail)",
    "avoid_sed": " - Changing files: Edit (NOT sed/awk)",
    "avoid_echo": " - Writing files: Write (NOT echo >/cat <<EOF)",
    "avoid_printf": " - Speaking to the user: plain text in your reply (NOT echo/printf)",
    "why_dedicated": "What these do could be done in a shell as well, but a tool call can be read and approved at a glance, while a command has to be understood first.",
    "rules": "\n# How to work with it",
    "parents": " - If your command is about to create directories or files, run `ls` with this tool first: see that the parent directory exists and is the right place.",
    "quoting": ' - File paths with spaces go into double quotes, always (cd "path with spaces/file.txt", for example)',
    "absolute": " - Try to stay in one working directory throughout the session: use absolute paths and avoid `cd`. If the user explicitly asks for `cd`, you may use it.",
    "timeout": " - You may set a timeout in milliseconds (at most 600000ms / 10 minutes). Without one, a command ends after 120000ms (2 minutes).",
    "background": " - With `run_in_background` the command runs in the background. Do so only if you do not need its result at once and are content to be told when it is over. You need not look at the output right away: you get a notice when it finishes. No '&' is needed at the end of such a command.",
    "several": " - When there are several commands to run:",
    "parallel": '  - If they do not depend on each other and can run side by side, make several Bash calls in one message. To see "git status" and "git diff", for instance, send one message that holds two Bash calls in parallel.',
    "chained": "  - If one depends on another and they must run in order, put them into a single Bash call, joined by '&&'.",
    "semicolon": "  - Take ';' only where they have to run in order and you do not mind if an earlier one fails.",
    "newlines": "  - DO NOT separate commands by newlines (within quoted strings newlines are fine).",
    "git": " - With git commands:",
    "git_new_commit": "  - Make a new commit rather than amend one that exists.",
    "git_destructive": "  - Before you run something destructive (such as git reset --hard, git push --force, git checkout --), think about whether a safer way leads to the same goal. Take destructive operations only where they really are the best approach.",
    "git_hooks": "  - Do not skip hooks (--no-verify) and do not go around signing (--no-gpg-sign, -c commit.gpgsign=false) unless the user explicitly asked for it. If a hook fails, find the underlying cause and mend it.",
}
_LONG_329 = {
    "stdin": " - Commands that wait for input (an editor, a pager, a question at the terminal) hang until the timeout. Give them their answers by flags or through a pipe, and turn pagers off.",
    "output": " - Output beyond the limit is cut, and the whole of it is saved to a file that the result names; read the part you need from there instead of running the command again.",
    "quoting_heredoc": " - Long or multi-line arguments are safest in a heredoc with a quoted delimiter (<<'EOF'), in which the shell expands nothing.",
    "cwd": " - If a command leaves the session's working directories, the directory is set back afterwards, and a line of the result says so.",
    "scratch": " - Temporary files belong into the scratch directory of the session, if one was named to you, otherwise into a fresh one made with `mktemp -d`; clean up after yourself.",
    "secrets": " - Do not print secrets: commands that show environment variables, key files or configuration with tokens in it put them into the conversation. Look for the one value that you need, and only at whether it is set.",
    "processes": " - End only processes that you started yourself, by their ID. Other processes on the machine are not yours, even if they are in the way: ask.",
}
_SLEEPING = {
    "sleep": " - Avoid `sleep` where it is not needed:",
    "sleep_between": "  - No sleeping between commands that can run immediately: just run them.",
    "sleep_background": "  - If your command takes long and you want to hear of its end, use `run_in_background`. No sleep is needed.",
    "sleep_retry": "  - Do not retry a failing command in a loop with sleeps. Find out what is wrong.",
    "sleep_poll": "  - While a background task that you started with `run_in_background` is running, do not poll: you will be notified when it is over.",
    "sleep_external": "  - If you have to poll some external process, take a command that checks it (`gh run view`, for example) rather than sleeping first.",
    "sleep_short": "  - If you cannot do without sleep, keep it short (1-5 seconds), so as not to block the user.",
}
_SHORT = {
    "purpose": "Runs a command in bash and gives back what it printed.",
    "state": "\n- The working directory stays from call to call; variables, functions and other state of the shell do not. The shell starts out from the user's profile.",
    "dedicated": "- IMPORTANT: Reading, changing and writing files is better done with Read, Edit and Write than with `cat`, `sed`, `echo` and the like, unless you were told otherwise or no dedicated tool can do it: the user can follow such calls and approve them more easily.",
    "timeout": "- `timeout` is in milliseconds: 120000 if not given, 600000 at most.",
    "background": "- `run_in_background` starts a command and lets you go on; you are told when it ends. It needs no `&`, and there is no need to `sleep` or poll for it.",
    "input": "- Nobody can answer a prompt: commands that open an editor, a pager or a question (`git rebase -i`, `less`) hang. Give answers by flags.",
    "chaining": "- Independent commands go out as parallel calls, dependent ones in one call joined by `&&`. Put paths that hold spaces into double quotes.",
}
_HEADLESS = "\n- This session has no terminal: what a command shows on it is lost."
_UNATTENDED = "\n- Nobody watches this session, and it is over when your last turn ends. A background command that is still running then is stopped, so wait for everything whose outcome you need, and start nothing that is meant to live on. A command that would need somebody's permission is refused instead of being put before them."

_COMMAND = "The command to run"
_DESCRIPTION = 'What the command does, short and plain, in the active voice. Do not write words like "complex" or "risk": just say what happens.\n\nFor simple commands (git, npm, standard CLI tools) 5-10 words will do:\n- pwd → "Print the working directory"\n- cargo build → "Compile the workspace with cargo"\n- git log -3 → "Show the three newest commits"\n\nFor commands that are harder to read at a glance (pipes, rare flags and so on) say enough to make clear what they do:\n- du -sk * | sort -n | tail -5 → "Show the five largest entries with their sizes"\n- git branch --merged | grep -v main | xargs git branch -d → "Delete local branches already merged"\n- ss -ltnp \'sport = :8080\' → "See which process listens on 8080"'
_SANDBOX = "Set it to true to override sandbox mode, which is dangerous, and run the command outside of the sandbox."

BASH_100 = ToolText(
    _bash,
    parameters(
        {
            "command": string(_COMMAND),
            "timeout": number("Timeout in milliseconds, if wanted (max 600000)"),
            "description": string(_DESCRIPTION),
            "run_in_background": boolean(
                "Set it to true to run this command in the background. You are notified when it is over."
            ),
            "dangerouslyDisableSandbox": boolean(_SANDBOX),
        },
        "command",
    ),
)
BASH_329 = ToolText(
    _bash,
    parameters(
        {
            "command": string(_COMMAND),
            "timeout": number(
                "Timeout in milliseconds, if wanted (max 600000). A command that has not ended by then is stopped, and the result holds what it printed until that moment"
            ),
            "description": string(_DESCRIPTION),
            "run_in_background": boolean(
                "Set it to true to run this command in the background. You are notified when it is over, and its output is kept in a file that the result names; read that file with Read if you want to see how far it is."
            ),
            "dangerouslyDisableSandbox": boolean(_SANDBOX),
        },
        "command",
    ),
)

# --- background tasks -------------------------------------------------------------------------------------------------

_TASK_OUTPUT = {
    "deprecated": "DEPRECATED: Background tasks name the path of their output file in the tool's result, and when one completes you get a <task-notification> with the same path. Prefer to Read that file directly.",
    "purpose": "\n- Fetches the output of a task that is running or has completed (background shell, agent or remote session)",
    "id": "- Takes the parameter task_id, which identifies the task",
    "returns": "- Returns what the task has put out, with its status",
    "block": "- With block=true (the default) it waits until the task is over",
    "no_block": "- With block=false it looks at the present state without waiting",
    "list": "- The /tasks command shows the IDs of tasks",
    "kinds": "- Works for every kind of task: background shells, async agents, remote sessions",
}
TASK_OUTPUT = ToolText(
    fixed("tools.TaskOutput", _TASK_OUTPUT),
    parameters(
        {
            "task_id": string("ID of the task whose output is wanted"),
            "block": boolean("Whether to wait until it is over", default=True),
            "timeout": number("How long to wait at most, in ms", default=30000, minimum=0, maximum=600000),
        },
        "task_id",
        "block",
        "timeout",
    ),
)

_TASK_STOP = {
    "purpose": "\n- Ends a background task that is running, by its ID",
    "id": "- Takes the parameter task_id, which identifies the task",
    "returns": "- Returns whether it worked",
    "use": "- Meant for tasks that have run long enough and have to be stopped\n",
}
_TASK_STOP_329 = {
    "also_agents": "- Agents can be stopped too, by the name or the ID under which they were started; what they have written so far stays. A monitor ends in the same way, and reports nothing more.\n",
}
_SHELL_ID = "Deprecated: take task_id"
TASK_STOP_100 = ToolText(
    fixed("tools.TaskStop", _TASK_STOP),
    parameters({"task_id": string("ID of the background task to stop"), "shell_id": string(_SHELL_ID)}),
)
TASK_STOP_329 = ToolText(
    fixed("tools.TaskStop", {**_TASK_STOP, **_TASK_STOP_329}),
    parameters(
        {
            "task_id": string(
                "ID of the background task to stop; for an agent, also the name it was given, for a monitor the ID that its start returned"
            ),
            "shell_id": string(_SHELL_ID),
        }
    ),
)
