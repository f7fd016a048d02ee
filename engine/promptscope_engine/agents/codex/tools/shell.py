"""The tools that run commands, change files and look at images."""

from __future__ import annotations

from .schema import array, boolean, number, parameters, record, string
from .text import ToolText

SHELL = "Shell"
FILES = "Files"

EXEC_COMMAND = ToolText(
    SHELL,
    "Starts a command in a terminal; returns its output, or an id to keep talking to it.",
    parameters(
        {
            "cmd": string("The shell command to run."),
            "justification": string(
                "Only with `sandbox_permissions` set to require_escalated. A short question to the user: may this be done, "
                "and what is it for? As in: Shall I fetch the missing packages?"
            ),
            "login": boolean("Whether the shell reads its login profile. On unless told otherwise."),
            "max_output_tokens": number("The most tokens of output to return. What is longer gets cut."),
            "prefix_rule": array(
                string(),
                "Only with `sandbox_permissions` set to require_escalated. A prefix of the command that the user may allow "
                'permanently, so that similar commands need no question. Keep it short but meaningful, as ["npm", "test"].',
            ),
            "sandbox_permissions": string(
                "What the command needs of the sandbox. Left out it is `use_default`.",
                "use_default",
                "require_escalated",
            ),
            "shell": string("The program of the shell. Left out it is the user's own."),
            "tty": boolean("Whether to give the command a terminal (`true`) or plain pipes (`false`, the default)."),
            "workdir": string("The folder to run in; left out it is that of the turn."),
            "yield_time_ms": number("How long to wait, in milliseconds, before output is handed back."),
        },
        ["cmd"],
    ),
    returns=(
        "{\n  // Identifies this piece of output, where there is one.\n  chunk_id?: string;\n"
        "  // How the command ended; missing while it runs.\n  exit_code?: number;\n"
        "  // Tokens that there were before the output was cut.\n  original_token_count?: number;\n"
        "  // What the command wrote, cut if it was long.\n  output: string;\n"
        "  // For write_stdin, while the command still runs.\n  session_id?: number;\n"
        "  // Seconds that were waited for output.\n  wall_time_seconds: number;\n}"
    ),
)

ADDITIONAL_PERMISSIONS = record(
    {
        "file_system": record(
            {
                "read": array(string(), "More paths that it may read, absolute ones; left out where it needs none."),
                "write": array(string(), "More paths that it may write, absolute ones; left out where it needs none."),
            },
            description="What it needs of the file system.",
        ),
        "network": record({"enabled": boolean("Whether it may use the network.")}, description="What it needs of it."),
    },
    description="Places of the file system or the network, for this command beyond its sandbox.",
)
"""The parameter of exec_command that the feature `exec_permission_approvals` adds."""

WRITE_STDIN = ToolText(
    SHELL,
    "Types into a command that still runs, and returns what it has written since.",
    parameters(
        {
            "chars": string("What to type. Left empty, the output is only polled."),
            "max_output_tokens": number("The most tokens of output to return. What is longer gets cut."),
            "session_id": number("The id of the running command."),
            "yield_time_ms": number(
                "How long to wait, in milliseconds, before output is handed back. Typing waits a quarter of a second unless "
                "told otherwise, polling five seconds and at most five minutes."
            ),
        },
        ["session_id"],
    ),
    returns=EXEC_COMMAND.returns,
)

VIEW_IMAGE = ToolText(
    FILES,
    "Loads an image file of this machine so that it can be seen. Give a full path, and only when the user has named the file.",
    parameters({"path": string("The file's path on this machine")}, ["path"]),
    returns="{\n  // The image as a data URL.\n  image_url: string;\n}",
)

APPLY_PATCH = ToolText(
    FILES,
    "Changes files by a patch. The patch is the whole input: write it as it is, and do not wrap it in JSON.",
    grammar="""\
start: begin_patch change+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?

change: add_file | delete_file | update_file
add_file: "*** Add File: " name LF new_line+
delete_file: "*** Delete File: " name LF
update_file: "*** Update File: " name LF move_to? hunks?

name: /(.+)/
new_line: "+" /(.*)/ LF -> line

move_to: "*** Move to: " name LF
hunks: (context | changed_line)+ end_of_file?
context: ("@@" | "@@ " /(.+)/) LF
changed_line: ("+" | "-" | " ") /(.*)/ LF
end_of_file: "*** End of File" LF

%import common.LF
""",
)

REQUEST_PERMISSIONS = ToolText(
    SHELL,
    "Asks the user for more permissions: to reach places in the file system or the network that the sandbox closes. What "
    "is granted counts for the commands that follow, in this turn or for the rest of the session as the user decides. Ask "
    "for as little as the task needs, say why in a few words, and ask before the command that needs it, not after it has "
    "failed. Nothing is granted that an administrator has ruled out; what is refused must not be asked for again.",
    parameters(
        {
            "environment_id": string("The environment that the permissions are for; left out it is that of the turn."),
            "permissions": ADDITIONAL_PERMISSIONS,
            "reason": string("Why they are needed, in a short sentence for the user."),
        },
        ["permissions"],
    ),
    returns="{ permissions: unknown; scope: string; }",
)

WAIT = ToolText(
    "Scripts",
    "Waits for a script of `exec` that has handed control back and still runs.\n"
    "- Use it with the `cell_id` that `exec` returned. Each call returns what the script has written since the last one, "
    "and says whether it still runs, has ended, or was stopped.\n"
    "- Give `yield_time_ms` to have output handed back after that time at the latest, and `max_tokens` to bound it.\n"
    "- Set `terminate` to stop the script instead of waiting; commands that it has started are stopped with it.\n"
    "- While a script runs other tools can be called: wait for it when its result is needed, and not in a loop without "
    "end.\n"
    "- A script that is no longer known was cleared away; then start again.",
    parameters(
        {
            "cell_id": string("The script that is waited for."),
            "max_tokens": number("The most tokens of output to return for this call."),
            "terminate": boolean("Whether to stop the script instead of waiting for it."),
            "yield_time_ms": number(
                "How long to wait for more output, in milliseconds, before control is handed back."
            ),
        },
        ["cell_id"],
    ),
)
