"""The part of Bash's description that tells how to commit and open pull requests; `includeGitInstructions` guards it."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Piece, builtin, computed


def long_git_guide(m: Materials, when: Condition) -> Iterator[Piece]:
    """Layouts A and A'. The trailer of commits stands here in 2.1.100, later in a message."""
    # The attribution gate is shut in bare mode, which yet keeps the whole of this text [measured].
    trailer = when & gates.IS_100 & (m.gates.attribution | m.gates.bare)
    yield from lines("tools.Bash.commit", _COMMIT, before="\n\n", when=when)
    yield builtin(
        "tools.Bash.commit.trailer", "\n   - Let the message end with:\n   Co-Authored-By: Claude ", when=trailer
    )
    yield computed("model.display", m.model.display, when=trailer)
    yield builtin("tools.Bash.commit.trailer", " <noreply@anthropic.com>", when=trailer)
    yield from lines("tools.Bash.commit", _COMMIT_AFTER, before="\n", when=when)
    yield builtin("tools.Bash.commit.example_trailer", "\n\n   Co-Authored-By: Claude ", when=trailer)
    yield computed("model.display", m.model.display, when=trailer)
    yield builtin("tools.Bash.commit.example_trailer", " <noreply@anthropic.com>", when=trailer)
    yield from lines("tools.Bash.commit", _COMMIT_EXAMPLE_END, before="\n", when=when)
    yield from lines("tools.Bash.pull_request", _PULL_REQUEST, before="\n\n", when=when)
    yield builtin(
        "tools.Bash.pull_request.trailer",
        "\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)",
        when=trailer,
    )
    yield from lines("tools.Bash.pull_request", _PULL_REQUEST_END, before="\n", when=when)


def short_git_guide(m: Materials, when: Condition) -> Iterator[Piece]:  # noqa: ARG001
    """Layout B."""
    yield from lines("tools.Bash.short.git", _SHORT, before="\n\n", when=when)


_COMMIT = {
    "when": "# Committing changes with git\n\nMake commits only when the user asks for them; if that is not clear, ask first. When the user wants a new git commit, go about it like this, with care:",
    "parallel": "\nOne reply may hold several tool calls. When several independent pieces of information are needed and all commands will likely succeed, make the calls in parallel. The numbered steps below tell which commands belong together.",
    "safety": "\nRules of safety with git:",
    "no_config": "- NEVER change the git config",
    "no_destruction": "- NEVER run git commands that throw work away (push --force, reset --hard, checkout ., restore ., clean -f, branch -D) unless the user has asked for exactly that one. What they throw away cannot be brought back, and a user who wanted it gone will say so",
    "no_skipping": "- NEVER skip hooks (--no-verify, --no-gpg-sign and so on) unless the user explicitly asks for it",
    "no_force_main": "- NEVER force push to main/master; if the user asks for it, warn them",
    "no_amend": "- CRITICAL: A commit is always a NEW commit. Do not amend, unless the user explicitly asks for git amend. Mind the case of a pre-commit hook that fails: there is then no commit of yours to amend, and --amend would rewrite the one BEFORE it, together with work that was safe already. Mend what the hook found, stage again and commit anew",
    "staging": '- Stage files by their names. "git add -A" and "git add ." take along whatever lies about, be it sensitive (.env, credentials) or large',
    "explicit": "- NEVER commit on your own initiative. A user who did not ask for a commit does not want one, however finished the work may be; it is VERY IMPORTANT to leave that decision to them",
    "look": "\n1. Run these bash commands in parallel, each as a Bash call:\n  - git status, to see all untracked files. IMPORTANT: Never add the -uall flag: in large repositories it can exhaust memory.\n  - git diff, to see what will be committed, staged and unstaged.\n  - git log, to see recent messages and follow the style of this repository's commits.",
    "message": '2. Go through all the staged changes (those staged before and those newly added) and draft a message:\n  - Say of what kind they are (a new feature, an enhancement, a bug fix, a refactoring, tests, docs and so on). Let the message be true to them and to their purpose: "add" is a wholly new feature, "update" makes an existing one better, "fix" repairs a bug.\n  - Do not commit files that likely hold secrets (.env, credentials.json and the like). If the user asks for exactly those, warn them\n  - Write a concise message of 1-2 sentences that tells the "why" rather than the "what"\n  - See to it that the message is true to the changes and their purpose',
    "commit": "3. Run these commands in parallel:\n   - Add the untracked files that matter to the staging area.\n   - Create the commit with its message.",
}
_COMMIT_AFTER = {
    "check": "   - Run git status when the commit is done, to see that it worked.\n   Note: git status depends on the commit being over, so run it after the commit, not beside it.",
    "hook_failed": "4. If the commit fails because of a pre-commit hook: mend the problem and make a NEW commit",
    "notes": "\nImportant notes:",
    "no_exploring": "- NEVER run further commands to read or explore code, besides the git bash commands",
    "no_other_tools": "- NEVER use the TodoWrite or Agent tools",
    "no_push": "- DO NOT push to the remote repository unless the user explicitly asks for it",
    "no_interactive": "- IMPORTANT: Never run git commands with -i (git rebase -i, git add -i and so on): they need interactive input, which is not supported.",
    "no_edit_flag": "- IMPORTANT: Do not use --no-edit with git rebase commands: the flag is no valid option of git rebase.",
    "empty": "- If there is nothing to commit (no untracked files and no modifications), make no empty commit",
    "heredoc": "- So that the formatting holds, ALWAYS pass the message through a HEREDOC, as in this example:\n<example>\ngit commit -m \"$(cat <<'EOF'\n   The message of the commit.",
}
_COMMIT_EXAMPLE_END = {"example_end": '   EOF\n   )"\n</example>'}
_PULL_REQUEST = {
    "gh": "# Creating pull requests\nFor ALL that concerns GitHub (issues, pull requests, checks, releases) use the gh command through the Bash tool. Given a GitHub URL, get what you need with gh.",
    "steps": "\nIMPORTANT: When the user wants a pull request, go through the following steps with care:",
    "look": "\n1. Run these bash commands in parallel with the Bash tool, to learn how the branch stands since it left the main branch:\n   - git status, to see all untracked files (never with the -uall flag)\n   - git diff, to see staged and unstaged changes that would be committed\n   - See whether the current branch tracks a remote branch and is up to date with it, so that you know if a push is needed\n   - git log and `git diff [base-branch]...HEAD`, to know the whole history of commits of the current branch (from where it left the base branch)",
    "draft": "2. Go through all changes that the pull request will hold, and be sure to look at every commit of it (NOT only the newest, but ALL of them!), and draft a title and a summary:\n   - A short title (less than 70 characters)\n   - Details belong in the description/body, not in the title",
    "create": '3. Run these commands in parallel:\n   - Create a new branch if needed\n   - Push to the remote with -u if needed\n   - Create the PR with gh pr create in the format below. Pass the body through a HEREDOC, so that the formatting holds.\n<example>\ngh pr create --title "the title" --body "$(cat <<\'EOF\'\n## Summary\n<1-3 bullets>\n\n## Test plan\n[A markdown checklist of what is to be done to test the pull request...]',
}
_PULL_REQUEST_END = {
    "example_end": 'EOF\n)"\n</example>',
    "notes": "\nImportant:",
    "no_other_tools": "- DO NOT use the TodoWrite or Agent tools",
    "return_url": "- Return the PR's URL when you are done, so that the user can see it",
    "other": "\n# Other common operations",
    "comments": "- See the comments on a GitHub PR: gh api repos/foo/bar/pulls/123/comments",
}
_SHORT = {
    "title": "# Git",
    "commit": "- Commit or push only when the user asks for it. On the main branch, make a branch first.",
    "safety": "- Never change git's config, never skip hooks or signing (`--no-verify`) and never force a push unless the user asked for exactly that. After a failed hook make a new commit instead of amending.",
    "staging": "- Stage files by name. Pass messages of several lines through a HEREDOC.",
    "look": "- Look at `git status`, `git diff` and `git log` before you write a message; tell the why. With a pull request, look at every commit of the branch.",
    "gh": "- GitHub is reached with `gh` (issues, pull requests, checks, releases). Show the user the URL of what you opened.",
    "interactive": "- No `-i` flags: nobody can answer them.",
}
