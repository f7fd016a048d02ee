"""The part of Bash's description that tells how to commit and open pull requests; `includeGitInstructions` guards it."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import commit_trailer, lines, pull_request_footer
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin, guarded


def long_git_guide(m: Materials, when: Condition) -> Iterator[Piece]:
    """Layouts A and A'. The trailer of commits stands here in 2.1.100, later in a message."""
    classic, newer = when & gates.IS_100, when & ~gates.IS_100
    # Bare mode keeps the whole of this text [measured].
    trailer = classic & (m.gates.commit_trailer | m.gates.bare)
    footer = classic & (m.gates.pull_request_footer | m.gates.bare)
    commit = "tools.Bash.commit.commit"
    example = "tools.Bash.commit.example"
    yield from lines("tools.Bash.commit", _COMMIT, before="\n\n", when=when)
    yield builtin("tools.Bash.commit.secrets", _SECRETS_100, when=classic)
    yield builtin("tools.Bash.commit.secrets", _SECRETS_329, when=newer)
    yield from lines("tools.Bash.commit", _COMMIT_STEPS, before="\n", when=when)
    yield builtin(commit, "\n   - Make the commit", when=classic)
    yield builtin(commit, ", its last line being:\n   ", when=trailer)
    yield from guarded(commit_trailer(m), trailer)
    yield builtin(commit, _COMMIT_329, when=newer)
    yield from lines("tools.Bash.commit", _AFTER_COMMIT, before="\n", when=when)
    yield builtin("tools.Bash.commit.no_other_tools", _OTHER_TOOLS.format("TodoWrite"), when=classic)
    yield builtin("tools.Bash.commit.no_other_tools", _OTHER_TOOLS.format("TaskCreate"), when=newer)
    yield from lines("tools.Bash.commit", _COMMIT_NOTES, before="\n", when=when)
    yield builtin(example, _EXAMPLE, when=when)
    yield builtin(example, "\n\n   ", when=trailer)
    yield from guarded(commit_trailer(m), trailer)
    yield builtin(example, '\n   EOF\n   )"\n</example>', when=when)
    yield from lines("tools.Bash.pull_request", _PULL_REQUEST, before="\n\n", when=when)
    yield builtin("tools.Bash.pull_request.mentions", "\n\n" + _MENTIONS, when=newer)
    yield from lines("tools.Bash.pull_request", _PULL_REQUEST_STEPS, before="\n\n", when=when)
    yield builtin("tools.Bash.pull_request.create", _CREATE_100, when=classic)
    yield builtin("tools.Bash.pull_request.create", _CREATE_329, when=newer)
    example = "tools.Bash.pull_request.example"
    yield builtin(example, _PULL_REQUEST_EXAMPLE, when=when)
    yield builtin(example, "\n\n", when=footer)
    yield pull_request_footer(m).under(footer)
    yield builtin(example, '\nEOF\n)"\n</example>', when=when)
    yield builtin("tools.Bash.pull_request.notes", "\n\nImportant:", when=when)
    yield builtin("tools.Bash.pull_request.no_other_tools", _PR_OTHER_TOOLS.format("TodoWrite"), when=classic)
    yield builtin("tools.Bash.pull_request.no_other_tools", _PR_OTHER_TOOLS.format("TaskCreate"), when=newer)
    yield from lines("tools.Bash.pull_request", _PULL_REQUEST_END, before="\n", when=when)


def short_git_guide(when: Condition) -> Iterator[Piece]:
    """Layout B."""
    yield from lines("tools.Bash.short.git", _SHORT, before="\n\n", when=when)


_COMMIT = {
    "title": "# Committing changes with git",
    "when": "\nA commit is made when the user has asked for one, and at no other time; ask them if you cannot tell. Once they have asked, this is how to go about it:",
    "parallel": "\nSeveral tool calls fit into one reply. Whenever you need more than one piece of information, none of the commands depends on another and there is little risk that one fails, send all of their calls together. In what follows, commands under the same number belong into the same batch, for speed's sake.",
    "safety": "\nGit Safety Protocol:",
    "no_config": "- NEVER touch the git config",
    "no_destruction": "- NEVER use a git command by which work can be lost (push --force, reset --hard, checkout ., restore ., clean -f, branch -D), except if that very command is what the user has told you to run. Nobody can bring back what such a command has deleted, so it is better to stay away from it until the words are unmistakable",
    "no_skipping": "- NEVER get around a hook (by --no-verify, --no-gpg-sign or the like) unless told to do so",
    "no_force_main": "- NEVER force a push onto main/master, and warn whoever asks for one",
    "no_amend": "- CRITICAL: Make a NEW commit each time; --amend is for users who ask for it. This matters most when a pre-commit hook has failed: your commit was then never made, so what --amend would alter is the commit BEFORE it, and somebody's finished work may be spoilt or lost that way. Repair what the hook complains of, stage the files again, and make the commit as a new one",
    "staging": '- Name the files that you stage, one by one. Whoever writes "git add -A" or "git add ." may take in what must never be committed: keys and passwords (.env, credentials), or huge binaries',
    "explicit": "- NEVER commit because you believe it is time to. The user has to say so, and it is VERY IMPORTANT that you wait for it, or they will feel that you are running ahead of them.",
    "look": "\n1. Begin with these three commands, as parallel calls of the Bash tool:",
    "status": "  - git status, which lists what is not tracked. IMPORTANT: Leave the flag -uall away, always: a big repository can run out of memory on it.",
    "diff": "  - git diff, for all that has changed, be it staged already or not yet staged at all.",
    "log": "  - git log, whose latest messages show you in which style this repository words them, so that yours can match.",
    "message": "2. Go through everything that is staged, both from before and just now, and word a message for it:",
    "nature": '  - Sum up what kind of change it is (a feature that is new, one that was extended, a bug that was repaired, code put in better order, tests, documentation, …), and choose the verb to fit: "add" promises that something is there which was not there at all before, "update" that something existing does more or does it better, "fix" that a bug is gone.',
}
_SECRETS_100 = "\n  - Files that probably contain secrets (.env, credentials.json and so on) stay out. Does the user name one of them expressly? Then warn them first."
_SECRETS_329 = "\n  - Files that probably contain secrets (.env, credentials.json, private keys such as id_rsa, and so on) stay out. Does the user name one of them expressly? Then warn them first."
_COMMIT_STEPS = {
    "why": "  - One or two sentences are enough. Let them tell why the change was made, not what its lines say.",
    "accurate": "  - Check that it describes what the changes do and are for.",
    "commands": "3. Next, these commands, again in parallel:",
    "stage": "   - Stage the untracked files that belong to it.",
}
_COMMIT_329 = "\n   - Make the commit, and close its message with the attribution that a system reminder in this conversation gives, if there is one there."
_AFTER_COMMIT = {
    "check": "   - git status, as a proof that the commit has gone through.\n   Note: it has to wait until the commit is finished, so it follows in sequence, not in parallel.",
    "hook_failed": "4. If a pre-commit hook made it fail, repair the cause, then make a NEW commit.",
    "notes": "\nImportant notes:",
    "no_exploring": "- NEVER go on exploring the code at this point: git commands are all that you run",
}
_OTHER_TOOLS = "\n- NEVER call {} or Agent meanwhile"
_COMMIT_NOTES = {
    "no_push": "- DO NOT push anything to a remote. Only a user who says so can change that.",
    "no_interactive": "- IMPORTANT: Nobody can type into a git command here, so all those that open a dialogue (with -i: git rebase -i, git add -i and others) are impossible.",
    "no_edit_flag": "- IMPORTANT: --no-edit is not among the options that git rebase knows. Never put it behind a git rebase command.",
    "empty": "- Where nothing has changed and no file is untracked, there is nothing to commit. Make no empty commit then.",
    "heredoc": "- ALWAYS hand over the message by way of a HEREDOC, since that keeps its line breaks as they are:",
}
_EXAMPLE = "\n<example>\ngit commit -m \"$(cat <<'EOF'\n   What the commit is for."
_PULL_REQUEST = {
    "title": "# Creating pull requests",
    "gh": "\nGitHub is the business of the gh command, run through the Bash tool: pull requests, issues, checks, releases, ALL of it. A GitHub URL that somebody gives you is to be followed with gh as well, not by fetching the page.",
}
_MENTIONS = "Whatever you write to GitHub: `@name` there sends a notification to whoever owns that name, be it a person, a team or a stranger. Names of roles, decorators, packages and code that begin with @ go into backticks, and a person is only mentioned if the user wants them to hear of it."
_PULL_REQUEST_STEPS = {
    "steps": "IMPORTANT: If the user wants a pull request opened, proceed carefully and in this order:",
    "look": "\n1. Get an overview of what the branch has become since it and the main branch parted, by running the following in parallel through the Bash tool (one batch):",
    "status": "   - git status for what is untracked (no -uall here either, ever at all)",
    "diff": "   - git diff for whatever has been changed and not committed, staged and unstaged",
    "remote": "   - Does the branch follow one on the remote, and is it up to date with that? It tells you whether a push will be necessary or not.",
    "history": "   - git log, together with `git diff [base-branch]...HEAD`: what has happened on this branch, commit by commit, from the point on at which it left its base branch",
    "draft": "2. Consider what the pull request will bring with it. That means the whole branch with EVERY commit on it from first to last, and NOT merely the one that was made most recently!!! Then word a title and a summary of all this for those who review it:",
    "title": "   - A title that stays below 70 characters",
    "body": "   - Anything in more detail belongs to the body",
    "commands": "3. Then these commands, again in parallel:",
    "branch": "   - A new branch, if needed",
    "push": "   - A push with -u, if it is needed",
}
_CREATE_100 = "\n   - gh pr create, in the form shown here, with a HEREDOC for the body that keeps its line breaks just as written."
_CREATE_329 = "\n   - gh pr create, in the form shown here, with a HEREDOC for the body that keeps its line breaks just as written. The body ends with the attribution that a system reminder in this conversation gives, if there is one."
_PULL_REQUEST_EXAMPLE = '\n<example>\ngh pr create --title "What it brings" --body "$(cat <<\'EOF\'\n## Summary\n<what changes, in 1-3 bullets>\n\n## Test plan\n[Checkboxes in markdown: how somebody can try this pull request out]'
_PR_OTHER_TOOLS = "\n- DO NOT call {} or Agent here"
_PULL_REQUEST_END = {
    "return_url": "- Finish with the pull request's URL, for the user to open",
    "other": "\n# Other common operations",
    "comments": "- How to see a PR's comments: gh api repos/foo/bar/pulls/123/comments",
}
_SHORT = {
    "title": "# Git",
    "interactive": "- Nobody can type into a command: `-i` (git rebase -i, git add -i) and other interactive flags fail.",
    "gh": "- Reach GitHub (pull requests, issues, CI) through `gh`.",
    "mentions": f"- {_MENTIONS}",
    "commit": "- Commit and push when told to, not before. On the default branch, branch off first.",
    "secrets": "- Files that probably contain secrets (.env, credentials.json, private keys such as id_rsa, and so on) stay out of commits. Does the user name one of them expressly? Then warn them first.",
    "attribution": "- Close messages of commits and bodies of pull requests with the attribution that a reminder in this conversation gives, if any.",
}
