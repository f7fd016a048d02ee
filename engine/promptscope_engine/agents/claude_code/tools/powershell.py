"""PowerShell (2.1.329 with CLAUDE_CODE_USE_POWERSHELL_TOOL)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed
from promptscope_engine.prompt.conditions import Condition

from .schema import ToolText, boolean, number, parameters, string

_POWERSHELL = {
    "purpose": "Runs a PowerShell command, with a time limit if you set one. The working directory carries over from call to call; variables and functions are gone.",
    "terminal": "\nIMPORTANT: This is for work in a terminal: git, npm, docker, cmdlets of PowerShell. It is NOT for work on files. To read them, write them, change them, look for them by name or search what they say, take the dedicated tools instead.",
    "edition": "\nWhich edition runs here is unknown. Act as if it were Windows PowerShell 5.1:",
    "edition_operators": "   - Nothing that came with version 7: no `&&` or `||` between commands, no ternary `a ? b : c`, no `??` and no `?.`. Each is a syntax error here",
    "edition_chaining": "   - To go on only after success: `A; if ($?) { B }`. To go on always: `A; B`",
    "steps": "\nThese are the steps to take before you run a command:",
    "directory": "\n1. Directory, beforehand:",
    "directory_parent": "   - If the command creates files or directories, look with `Get-ChildItem` (or `ls`) first whether the parent directory is there and is the one that you mean it to be",
    "execution": "\n2. The command proper:",
    "execution_quote": "   - A path that has spaces in it goes between double quotes, always",
    "execution_capture": "   - What it prints comes back to you",
    "syntax": "\nPowerShell Syntax Notes:",
    "syntax_variables": '   - A variable begins with $: $count = "3"',
    "syntax_escape": "   - The escape character is the backtick (`), not \\",
    "syntax_names": "   - Cmdlets are called Verb-Noun: Get-ChildItem, Set-Location, New-Item, Remove-Item",
    "syntax_aliases": "   - There are aliases for many of them: ls (Get-ChildItem), cd (Set-Location), rm (Remove-Item)",
    "syntax_functions": "   - Functions of your own get a name that nothing else has, say Get-OrderCount42. A name that is an alias or a cmdlet by now (such as `ls`, `sort` or `where`) is resolved first, so your function would not be called",
    "syntax_pipes": "   - The pipe | hands objects on to the next command and not plain text",
    "syntax_filters": "   - To filter, select and transform: Where-Object, Select-Object and ForEach-Object",
    "syntax_strings": '   - Double quotes fill in variables: "$name", or "$($order.Id)"',
    "syntax_registry": "   - The registry needs its prefixes with a colon, as in HKLM:\\SOFTWARE or HKCU:\\Software; never a bare name",
    "syntax_environment": '   - Environment variables: read by `$env:NAME`, set by `$env:NAME = "value"`. `export` and `set NAME=value` do nothing',
    "syntax_call": '   - A program whose path contains spaces needs the call operator: `& "C:\\Program Files\\App\\a.exe" -v`',
    "equivalents": "\nWhat is common in a Unix shell does not exist in 5.1. Write this instead:",
    "head": "   - `head -n 20` and `tail -n 20`: `Select-Object -First 20` and `-Last 20`, or `Get-Content f -TotalCount 20`",
    "which": "   - `which git`: `Get-Command git`",
    "touch": "   - `touch f`: `New-Item -ItemType File f`, and only if there is none yet; with -Force it would make an existing file empty, which is not what touch does",
    "wc": "   - `wc -l f`: `(Get-Content f | Measure-Object -Line).Lines`",
    "mkdir": "   - `mkdir -p a/b`: `New-Item -ItemType Directory -Force a/b` (parents are created by that)",
    "rm": "   - `rm -rf d`: `Remove-Item -Recurse -Force d`",
    "ln": "   - `ln -s t l`: `New-Item -ItemType SymbolicLink -Path l -Target t`",
    "chmod": "   - `chmod` and `chown`: `icacls`. There is no executable bit; a file's extension decides that",
    "stderr": "   - `2>&1` behind a program of its own turns every line to an error; omit it here",
    "inline": "   - `NAME=value cmd`: a line of its own before it, `$env:NAME = 'value'; cmd`",
    "control": "   - `if [ ... ]; then ... fi` and `for x in ...; do ... done`: `if (...) { ... }` and `foreach ($x in ...) { ... }`, with braces in every case, even with one command",
    "exit_codes": "\nA cmdlet that has failed under `-ErrorAction SilentlyContinue` says nothing, and yet the command as a whole exits with 1. If you do not mind the failure, say so in another way: `try { Remove-Item old.log -ErrorAction Stop } catch { }`. With Stop an error can be caught at all, and as it has been caught, the exit code is 0. To look whether something exists, better use `Test-Path`.",
    "interactive": "\nNobody can answer a prompt, as PowerShell is run with -NonInteractive here. Whatever waits for input, be it a cmdlet that wants to have something confirmed or a program that asks, fails at once or hangs. For that reason:",
    "interactive_prompts": "   - NEVER use `Read-Host`, `Get-Credential`, `Out-GridView`, `pause` or `$Host.UI.PromptForChoice`",
    "interactive_confirm": "   - Where a cmdlet may ask before it deletes or changes something, add `-Confirm:$false` if that is what you mean to do. With `-Recurse` and for files that are read-only or hidden, add `-Force` as well as the other one",
    "interactive_git": "   - Never run `git rebase -i`, `git add -i` or any git command that opens an editor or dialogue",
    "multiline": "\nText of several lines (a commit message, say) goes to a program in this manner:",
    "multiline_here": "   - In a here-string with single quotes, inside of which nothing is filled in. Its closing `'@` has to be at the very beginning of a line (column 0), with no blank before it; anything else is a syntax error",
    "multiline_example": "\n<example>\ngit commit -m @'\nWhat the commit is for.\n\nWhatever there is to add about it.\n'@\n</example>",
    "multiline_literal": "   - Use `@'...'@` and not `@\"...\"@`, except when variables have to be filled in: in the latter $ and ` are interpreted",
    "multiline_stop": "   - An argument that contains `@`, `{` or `--` and is taken for syntax of PowerShell: put the token `--%` before it, which stops all parsing there",
    "notes": "\nUsage notes:",
    "note_command": "  - `command` must always be given.",
    "note_timeout": "  - `timeout` (optional) counts in milliseconds, for a command in the foreground. The longest is 600000ms / 10 minutes, and without it the command gets 120000ms (2 minutes).",
    "note_description": "  - A `description` of what the command does, short and plain, is a great help to the user.",
    "note_output": "  - Output of more than 30000 characters is cut to that size before it comes back to you here.",
    "note_background": "  - `run_in_background` lets a command run while you go on. It is right where nothing that you do next needs the result. You will be told when it has ended, so there is no need to go and look in the meantime, least of all directly after the start. It has a time limit of its own: 600000ms unless `timeout` says otherwise, which may go up to 7200000ms here (two hours). What is still running when the limit is reached is stopped, and what it had printed by then is kept.",
    "note_dedicated": "  - Do not use PowerShell where there is a dedicated tool, unless you were told to. This means:",
    "dedicated_glob": "    - Files by name: Glob (no Get-ChildItem -Recurse)",
    "dedicated_grep": "    - Text within files: Grep (no Select-String)",
    "dedicated_read": "    - Contents: Read (and no Get-Content)",
    "dedicated_edit": "    - Changes to it: Edit",
    "dedicated_write": "    - New files: Write (no Set-Content, no Out-File)",
    "dedicated_text": "    - What you have to say: just say it (no Write-Output or Write-Host)",
    "note_several": "  - If you have several commands:",
    "several_parallel": "    - Those that need nothing from each other can run at the same time: send one message with a call of each one",
    "several_chained": "    - Those of which one needs the other to be through go into one single call, chained as it is described under the edition, since that keeps the order",
    "several_semicolon": "    - `;` is for commands in order of which the earlier ones may fail without harm to others.",
    "several_newlines": "    - A line break is NO separator; it may only be within quotes and here-strings, not between.",
    "note_cd": "  - Do not begin a command with `cd` or `Set-Location`: the working directory is right already. Use absolute paths if you need something elsewhere",
    "note_sleep": "  - `Start-Sleep` is hardly ever the answer:",
    "sleep_between": "    - Commands that can run at once need no pause between them. Run those.",
    "sleep_background": "    - Does something take long, and do you want to hear of its end? Start it with `run_in_background` and you will be notified. You need not sleep at all in that case, nor for anything.",
    "sleep_retry": "    - What has failed will fail again: look for the reason, and do not put it into a loop with pauses between.",
    "sleep_poll": "    - A task that you yourself have put into the background is not to be polled. You are notified of its end without any asking.",
    "sleep_external": "    - Something outside that has to be polled is asked with a command, not by sleeping.",
    "sleep_short": "    - If nothing but a pause helps, let it be short: 1 to 5 seconds only.",
    "note_git": "  - About git here:",
    "git_new_commit": "    - A new commit is always to be preferred over amending the latest one.",
    "git_destructive": "    - Stop and think before a command that destroys something (git reset --hard, git push --force or git checkout --, say): does a milder one get you there, too? If there is one, take that. What is left for the others are cases in which nothing else will do.",
    "git_hooks": "    - Hooks (--no-verify) and signing (--no-gpg-sign, -c commit.gpgsign=false) are not to be got around, except at the user's express wish. A hook that fails has found something: look into it, and repair it.",
    "git_secrets": "    - Files that probably contain secrets (.env, credentials.json, private keys such as id_rsa, and so on) stay out. Does the user name one of them expressly? Then warn them first.",
}


def _gates(m: Materials) -> Mapping[str, Condition]:
    return {"run_in_background": m.gates.background}


POWERSHELL = ToolText(
    fixed("tools.PowerShell", _POWERSHELL),
    parameters(
        {
            "command": string("What PowerShell is to run"),
            "timeout": number("Time limit in milliseconds (600000 at most; more in the background)"),
            "description": string("Says in plain words and in the active voice what the command does."),
            "run_in_background": boolean(
                "True lets the command run in the background, with a time limit of its own (see the tool's description). A notification comes when it has ended, and it names the file with all that was printed."
            ),
            "dangerouslyDisableSandbox": boolean(
                "True runs this command without the sandbox that it would be in, which is dangerous."
            ),
        },
        "command",
    ),
    _gates,
)
