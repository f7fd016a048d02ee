"""Tools around the shell: Bash, TaskOutput, TaskStop (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin
from promptscope_engine.prompt.leaves import mode_is

from .bash_git import long_git_guide, short_git_guide
from .schema import ToolText, boolean, number, parameters, string
from .selection import offers

# --- Bash -------------------------------------------------------------------------------------------------------------


def _bash(m: Materials) -> Iterator[Piece]:
    bare = ~gates.IS_100 & m.gates.bare
    long, short = m.gates.layout_is("A", "A'") & ~bare, m.gates.layout_is("B") & ~bare
    git = m.gates.git_instructions
    yield from _long(m, long & gates.IS_100, long & ~gates.IS_100, long)
    yield from long_git_guide(m, long & git)
    yield from _short(m, short)
    yield from short_git_guide(short & git)
    yield builtin("tools.Bash.bare", "Runs shell commands.", when=bare)


def _long(m: Materials, classic: Condition, newer: Condition, either: Condition) -> Iterator[Piece]:
    """Layouts A (`classic`) and A' (`newer`)."""
    background = m.gates.background
    brief = gates.IS_100 | gates.INTERACTIVE
    yield builtin("tools.Bash.purpose", _PURPOSE, when=either)
    yield from lines("tools.Bash", _DEDICATED_100, before="\n\n", when=classic)
    search = offers(m, "Glob") & offers(m, "Grep")
    yield builtin("tools.Bash.state", f"\n\n{_STATE_329}", when=newer)
    yield builtin("tools.Bash.avoid", f"\n{_AVOID}\n", when=newer & ~search)
    yield from lines("tools.Bash", _SEARCH_TOOLS, before="\n", when=newer & search)
    yield from lines("tools.Bash", _DEDICATED_329, before="\n", when=newer)
    yield from lines("tools.Bash", _INSTEAD, before="\n", when=either)
    yield builtin("tools.Bash.one_directory", _ONE_DIRECTORY_100, when=classic)
    yield builtin("tools.Bash.one_directory", _ONE_DIRECTORY_329, when=newer)
    yield builtin("tools.Bash.timeout", _TIMEOUT_100, when=classic)
    yield builtin("tools.Bash.timeout", _TIMEOUT_329, when=newer)
    yield builtin("tools.Bash.background", _BACKGROUND, when=either & background & brief)
    yield builtin("tools.Bash.background", _BACKGROUND + _OWN_LIMIT, when=newer & background & gates.HEADLESS)
    yield from lines("tools.Bash", _SEVERAL, before="\n", when=classic)
    yield from lines("tools.Bash", _GIT, before="\n", when=either)
    yield builtin("tools.Bash.sleep_streams", _SLEEP_STREAMS, when=newer)
    yield from lines("tools.Bash", _SLEEP, before="\n", when=either)
    yield from lines("tools.Bash", _SLEEP_100, before="\n", when=classic)
    yield from lines("tools.Bash", _SLEEP_329, before="\n", when=newer)


def _short(m: Materials, when: Condition) -> Iterator[Piece]:
    """Layout B."""
    background = m.gates.background
    yield from lines("tools.Bash.short", _SHORT, when=when)
    search, pointed = offers(m, "Glob") & offers(m, "Grep"), when & ~_free_to_choose(m)
    yield builtin("tools.Bash.short.dedicated", _SHORT_DEDICATED, when=pointed & ~search)
    yield builtin("tools.Bash.short.dedicated", _with_search(_SHORT_DEDICATED), when=pointed & search)
    yield from lines("tools.Bash.short", _SHORT_OUTPUT, before="\n", when=when)
    yield builtin("tools.Bash.short.background", _SHORT_BACKGROUND, when=when & background & gates.HEADLESS)
    yield builtin("tools.Bash.short.background", _SHORT_INTERACTIVE, when=when & background & gates.INTERACTIVE)


def _free_to_choose(m: Materials) -> Condition:
    """Recorded: Opus 5.5 is not pointed to the dedicated tools in auto mode and in plan mode."""
    return m.gates.model_is("opus", (5, 5)) & (gates.PLAN | mode_is("auto"))


_PURPOSE = "Hands a command to bash and gives back what it prints"
_PROFILE = "It is set up by the user's profile (bash or zsh)."
_DEDICATED_100 = {
    "state": f"The next command begins where you have changed to; nothing else set in the shell lives on until then. {_PROFILE}",
    "avoid": "\nIMPORTANT: Stay away from `find`, `grep`, `cat`, `head`, `tail`, `sed`, `awk` and `echo` here. The exceptions are that somebody has told you to run them, or that you have made sure no dedicated tool is up to the task. The user sees what a dedicated tool does far better, and that makes work with you pleasanter for them:",
    "avoid_find": "\n - Files by name: Glob (no find, no ls)",
    "avoid_grep": " - Text within files: Grep (no grep, no rg)",
    "avoid_cat": " - Contents: Read (no cat, head or tail)",
    "avoid_sed": " - Changes: Edit (no sed, no awk)",
    "avoid_echo": " - New files: Write (no echo >, no cat <<EOF)",
    "avoid_printf": " - What you have to say: just say it (no echo/printf)",
}
_STATE_329 = f"In the main session a `cd` is still in force for the next command, if it stays inside the working directories; if it leaves them, you are taken back, and agents are after every command. Nothing else that you set in the shell survives its command. {_PROFILE}"
_AVOID = "\nIMPORTANT: Stay away from `cat`, `head`, `tail`, `sed`, `awk` and `echo` here. The exceptions are that somebody has told you to run them, or that you have made sure no dedicated tool is up to the task. The user sees what a dedicated tool does far better, and that makes work with you pleasanter for them:"


def _with_search(text: str) -> str:
    """The programs that Glob and Grep stand for are to be avoided as well, where there are these tools [recorded]."""
    return text.replace("`cat`,", "`find`, `grep`, `cat`,")


_SEARCH_TOOLS = {
    "avoid": _with_search(_AVOID),
    "avoid_find": "\n - Files by name: Glob (no find, no ls)",
    "avoid_grep": " - Text within files: Grep (no grep, no rg)",
}
_DEDICATED_329 = {
    "avoid_cat": " - Contents: Read (no cat, head or tail)",
    "avoid_sed": " - Changes: Edit (no sed, no awk)",
    "avoid_echo": " - New files: Write (no echo >, no cat <<EOF)",
    "avoid_printf": " - What you have to say: just say it (no echo/printf)",
}
_INSTEAD = {
    "why_dedicated": "A shell could do all of this as well. But calls of the built-in tools are easier to follow for the user, who has to review them and give permission, than command lines would be.",
    "rules": "\n# Instructions",
    "parents": " - About to create a directory or a file? Then look with `ls` first whether the directory above it is there, and is really the one that is meant.",
    "quoting": ' - Put a path that has spaces in it between double quotes (for instance: cd "my notes/2024"), without exception.',
}
_ONE_DIRECTORY_100 = "\n - Work with absolute paths and leave the current directory as it is from start to end of the session, without `cd`. A user who wants you to change it will say so, and then you can."
_ONE_DIRECTORY_329 = "\n - Work with absolute paths and leave the current directory as it is from start to end of the session, without `cd`. A user who wants you to change it will say so, and then you can. In particular, NEVER put `cd <directory> &&` in front of git: it works on the current repository anyway, and a command of two parts has to be approved by the user each time."
_TIMEOUT_100 = "\n - `timeout` (optional) counts in milliseconds. The longest is 600000ms / 10 minutes, and without it the command gets 120000ms (2 minutes)."
_TIMEOUT_329 = "\n - `timeout` (optional) counts in milliseconds, for a command in the foreground. The longest is 600000ms / 10 minutes, and without it the command gets 120000ms (2 minutes)."
_BACKGROUND = "\n - `run_in_background` lets a command run while you go on. It is right where nothing that you do next needs the result, and being told of the end is all you want. You will be told, so there is no need to go and look in the meantime, least of all directly after the start. An ampersand ('&') behind the command is not necessary, the parameter does it all by itself."
_OWN_LIMIT = " It has a time limit of its own: 600000ms unless `timeout` says otherwise, which may go up to 7200000ms here (that is two hours). Whatever is still running when the limit is reached is stopped, and what it had printed by then is kept."
_SEVERAL = {
    "several": " - If you have several commands:",
    "parallel": '  - Those that need nothing from each other can run at the same time: send one message with a Bash call for each. To know both "git status" and "git diff", for instance, make two calls side by side and do not wait in between.',
    "chained": "  - Those of which one needs the other to be through go into one single call, with '&&' between them to keep the order.",
    "semicolon": "  - ';' is for commands in order of which the earlier ones may fail without harm to others.",
    "newlines": "  - A line break is NO separator; it may only occur between quotation marks.",
}
_GIT = {
    "git": " - About git:",
    "git_new_commit": "  - A new commit is always to be preferred over amending an earlier one.",
    "git_destructive": "  - Stop and think before a command that destroys something (git reset --hard, git push --force or git checkout --, say): does a milder one get you there, too? If there is one, take that. What is left for the others are cases in which nothing else will do.",
    "git_hooks": "  - Hooks (--no-verify) and signing (--no-gpg-sign, -c commit.gpgsign=false) are not to be got around, except at the user's express wish. A hook that fails has found something: look into it, and repair it.",
    "sleep": " - `sleep` is hardly ever the answer:",
    "sleep_between": "  - Commands that can run at once need no pause between them. Run them.",
}
_SLEEP_STREAMS = "\n  - To follow something that happens again and again, take the Monitor tool. To wait for one single thing, take Bash with `run_in_background` and a loop that ends when it is there."
_SLEEP = {
    "sleep_background": "  - Does something take long? Start it with `run_in_background` and you will be notified. You need not sleep for that at all.",
    "sleep_retry": "  - What has failed will fail again: look for the reason, do not loop.",
    "sleep_poll": "  - A task that you yourself have put into the background is not to be polled. You are notified of its end without any asking.",
}
_SLEEP_100 = {
    "sleep_external": "  - Something outside that has to be polled is asked with a command of its own (such as `gh run view`).",
    "sleep_short": "  - If nothing but a pause helps, let it be one of 1-5 seconds. The user is waiting.",
}
_SLEEP_329 = {
    "sleep_leading": "  - A command that begins with a long `sleep` is blocked. To wait for a state outside of this session, take the Monitor tool with a loop (`until <check>; do sleep 2; done`), and you will be notified as soon as it has ended. Do not chain short sleeps to evade this.",
    "find_from": " - Let `find` begin at `.` or at a certain path, not at `/`: searching the whole of the file system can take up all that the machine has.",
    "find_regex": " - With `find -regex` and several alternatives, put the longest first: of `'.*\\.\\(tsx\\|ts\\)'` and `'.*\\.\\(ts\\|tsx\\)'` only the former finds both kinds of file; the latter misses .tsx without a word.",
}
_SHORT = {
    "purpose": "Hands a command to bash and returns its output.",
    "state": "\n- In the main session a `cd` is still in force for the next command, provided that it stays inside of the working directories; if it left them, you are back where you were before, and agents are after each command. Better work with absolute paths and leave `cd` alone, in front of git above all. Nothing else that you set in the shell survives its command. It is set up by the user's profile (bash or zsh).",
}
_SHORT_DEDICATED = "\n- IMPORTANT: Stay away from `cat`, `head`, `tail`, `sed`, `awk` and `echo` here. The exceptions are that somebody has told you to run them, or that you have made sure no dedicated tool is up to the task. The user sees what a dedicated tool does far better, and that makes work with you pleasanter for them."
_SHORT_OUTPUT = {
    "output": "- You see what it prints. Do not count on the user seeing it.",
    "timeout": "- `timeout` counts in milliseconds: 120000 unless given, and never more than 600000.",
}
_SHORT_BACKGROUND = "\n- `run_in_background` detaches a command: it goes on by itself, with a time limit of its own (600000 ms unless `timeout` says otherwise, at most 7200000), and you are called upon again when it has ended. Do not poll for it. A `sleep` at the beginning of a command is blocked; to wait for something, use Monitor with an until-loop, or such a loop in the background."
_SHORT_INTERACTIVE = "\n- `run_in_background` detaches a command: it goes on by itself, and you are notified when it has ended. Do not poll for it, and put no `&` behind it. A `sleep` at the beginning of a command is blocked; to wait for something, use Monitor with an until-loop, or such a loop in the background."

_COMMAND = string("What bash is to run")
_DESCRIPTION_100 = 'Says in plain words and in the active voice what this command is going to do. Whether it is "complex" or a "risk" is not for you to add: tell what happens, nothing else.\n\nWhere everybody knows the command (git, npm and other common programs), keep it to 5-10 words:\n- pwd → "Print the working directory"\n- cargo build → "Compile the workspace with cargo"\n- git log -3 → "Show the three newest commits"\n\nWhere one has to look twice (pipes, flags that few people know), write as much as it takes to understand it:\n- du -sk * | sort -n | tail -5 → "Show the five largest entries with their sizes"\n- git branch --merged | grep -v main | xargs git branch -d → "Delete local branches already merged"\n- ss -ltnp \'sport = :8080\' → "See which process listens on 8080"'
_DESCRIPTION_329 = f"{_DESCRIPTION_100}\n\nThe user reads this line while deciding on the command, often without the command itself next to it. So never let it promise less than the command does: whatever is deleted, sent or changed has to appear in it."
_SANDBOX = boolean("True runs this command without the sandbox that it would be in, which is dangerous.")
_RUN_100 = boolean("True lets the command run in the background. A notification comes when it has ended.")
_RUN_HEADLESS = boolean(
    "True lets the command run in the background, with a time limit of its own (see the tool's description). A notification comes when it has ended, and it names the file with all that was printed."
)
_RUN_INTERACTIVE = boolean("True lets the command run in the background.")


def _background_gate(m: Materials) -> Mapping[str, Condition]:
    """Bare mode of 2.1.329 knows no background either."""
    return {"run_in_background": m.gates.background & (gates.IS_100 | ~m.gates.bare)}


BASH_100 = ToolText(
    _bash,
    parameters(
        {
            "command": _COMMAND,
            "timeout": number("Time limit in milliseconds (600000 at most)"),
            "description": string(_DESCRIPTION_100),
            "run_in_background": _RUN_100,
            "dangerouslyDisableSandbox": _SANDBOX,
        },
        "command",
    ),
    _background_gate,
)


def _bash_329(run_in_background: Json) -> Json:
    return parameters(
        {
            "command": _COMMAND,
            "timeout": number("Time limit in milliseconds (600000 at most; more in the background)"),
            "description": string(_DESCRIPTION_329),
            "run_in_background": run_in_background,
            "dangerouslyDisableSandbox": _SANDBOX,
        },
        "command",
    )


_INTERACTIVE_329 = _bash_329(_RUN_INTERACTIVE)
BASH_329 = ToolText(
    _bash,
    _bash_329(_RUN_HEADLESS),
    _background_gate,
    lambda _: ((gates.INTERACTIVE, _INTERACTIVE_329),),
)

# --- background tasks -------------------------------------------------------------------------------------------------

_TASK_OUTPUT = {
    "deprecated": "DEPRECATED: Each task in the background writes its output to a file. You find the path in the result of the call that started the task, and again in the <task-notification> that comes when it has ended. Open that file with Read rather than calling this tool.",
    "purpose": "\n- Gives you the output of a task, be it still at work or over (shell, agent or remote session)",
    "id": "- Which task it is has to be said in task_id",
    "returns": "- The result has the output, along with the status",
    "block": "- block=true, the default, waits for the task to end",
    "no_block": "- block=false merely looks how things are right now",
    "list": "- /tasks is the command that shows all IDs",
    "kinds": "- There is no kind of task it does not take: shells, async agents, remote sessions",
}
TASK_OUTPUT = ToolText(
    fixed("tools.TaskOutput", _TASK_OUTPUT),
    parameters(
        {
            "task_id": string("The ID of the task in question"),
            "block": boolean("Whether to wait for its end", default=True),
            "timeout": number("The longest wait, ms", default=30000, minimum=0, maximum=600000),
        },
        "task_id",
        "block",
        "timeout",
    ),
)

_TASK_STOP = {
    "purpose": "\n- Stops a task that is in the background",
    "id": "- Which task it is has to be said in task_id, by its ID",
}
_TASK_STOP_329 = {
    "teammates": "- A teammate is stopped in the same way: its agent ID, or the name it goes by, is its ID",
    "agents": "- A background agent that was given a name can be stopped by that name",
}
_TASK_STOP_END = {
    "returns": "- Tells whether this has worked out",
    "use": "- For tasks that have been going on for longer than you want\n",
}
_SHELL_ID = string("Deprecated; task_id replaces it")
TASK_STOP_100 = ToolText(
    fixed("tools.TaskStop", _TASK_STOP | _TASK_STOP_END),
    parameters({"task_id": string("Which background task is to stop"), "shell_id": _SHELL_ID}),
)
TASK_STOP_329 = ToolText(
    fixed("tools.TaskStop", _TASK_STOP | _TASK_STOP_329 | _TASK_STOP_END),
    parameters(
        {
            "task_id": string(
                "Which background task is to stop, by its ID. For a teammate also the agent ID or the name, for a background agent its name"
            ),
            "shell_id": _SHELL_ID,
        }
    ),
)
