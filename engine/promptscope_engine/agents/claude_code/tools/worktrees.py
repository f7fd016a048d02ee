"""Tools that move the session into a git worktree and back: EnterWorktree, ExitWorktree (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece

from .schema import ToolText, boolean, choice, parameters, string


def _enter(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.EnterWorktree", _ENTER)
    yield from lines("tools.EnterWorktree", _ENTER_WHEN_329, before="\n", when=gates.IS_329)
    yield from lines("tools.EnterWorktree", _ENTER_NOT, before="\n")
    yield from lines("tools.EnterWorktree", _ENTER_329, before="\n", when=gates.IS_329)
    yield from lines("tools.EnterWorktree", _ENTER_PARAMETERS, before="\n")
    yield from lines("tools.EnterWorktree", _ENTER_PATH, before="\n", when=gates.IS_329)


_ENTER = {
    "purpose": "Use this tool ONLY when the user explicitly asks to work in a worktree. It makes an isolated git worktree and moves the current session into it.",
    "when": '\n## When to use it\n\n- The user says "worktree" in so many words (as in "make a worktree for this", "do it in a worktree", "use a worktree")',
}
_ENTER_WHEN_329 = {
    "when_instructed": "- Instructions of the project (CLAUDE.md, AGENTS.md) or a skill that the user has called tell you to work in a worktree for tasks of this kind",
    "when_existing": "- The user names a worktree that exists and wants the session to go on in it",
}
_ENTER_NOT = {
    "not_when": '\n## When NOT to use it\n\n- The user asks for a branch, or to change branches: use git commands\n- The user asks for a bug fix or a feature: follow the ordinary git workflow, unless they mention worktrees\n- Never use this tool if the user does not explicitly mention "worktree"',
    "requirements": "\n## What it requires\n\n- A git repository, OR hooks for WorktreeCreate/WorktreeRemove in settings.json\n- The session must not be in a worktree yet",
    "behaviour": "\n## What it does\n\n- In a git repository: makes a new git worktree in `.claude/worktrees/` with a new branch that starts at HEAD\n- Outside of one: leaves the isolation to the WorktreeCreate/WorktreeRemove hooks, whatever the VCS\n- Makes the new worktree the session's working directory\n- ExitWorktree leaves it again in the middle of the session (keeping or removing it). If the session ends while still in it, the user is asked whether to keep it",
}
_ENTER_329 = {
    "base": "- The new branch starts at the commit that the repository's default branch has on its remote, unless the setting `worktree.baseRef` is `head`; then it starts at the HEAD of where you are, with everything that was committed there",
    "not_carried": "- Changes that were not committed stay behind in the original directory. Say so if there are any, and do not copy them over unasked. Files that git ignores (`.env`, installed packages) are not there either, except those that a `.worktreeinclude` file lists",
    "reads": "- What you have read remains known, but paths differ: a file below the original directory is another file than its copy in the worktree. Use paths below the worktree from now on, and read a file there before you edit it",
    "agents": "- Agents that are already running stay where they were started; agents started later begin in the worktree. The same goes for background commands",
    "instructions": "- The worktree's own CLAUDE.md and settings take the place of those of the original directory as far as they belong to the repository",
    "existing": "\n## Moving into a worktree that exists\n\nWith `path` the session moves into that worktree instead of making one. It has to be listed by `git worktree list` for the same repository; anything else is refused. From a worktree below `.claude/worktrees/` you may move straight into another one in this way. A worktree that was entered by `path` is never removed by ExitWorktree: the tool removes only what it has made.",
}
_ENTER_PARAMETERS = {
    "parameters": "\n## Parameters\n\n- `name` (optional): what the worktree is called. Without it the name is random.",
}
_ENTER_PATH = {
    "path": "- `path` (optional): the path of an existing worktree to enter. Give either `name` or `path`, not both."
}

_NAME = 'What the worktree is called, if wanted. Each part between "/" may hold letters, digits, dots, underscores and dashes; at most 64 characters in all. Random if not given.'
ENTER_WORKTREE_100 = ToolText(_enter, parameters({"name": string(_NAME)}))
ENTER_WORKTREE_329 = ToolText(
    _enter,
    parameters(
        {
            "name": string(
                f"{_NAME} A worktree that has this name already is entered as it is. Not together with `path`."
            ),
            "path": string(
                "Path of a worktree of this repository that exists and is to be entered instead of making a new one. It has to be one that `git worktree list` shows. Not together with `name`."
            ),
        }
    ),
)


def _exit(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.ExitWorktree", _EXIT)
    yield from lines("tools.ExitWorktree", _EXIT_PATH, before="\n", when=gates.IS_329)
    yield from lines("tools.ExitWorktree", _EXIT_USE, before="\n")


_EXIT = {
    "purpose": "Leaves a worktree session that EnterWorktree has begun, and takes the session back to the working directory it had before.",
    "scope": "\n## What it covers\n\nThe tool works ONLY on worktrees that EnterWorktree made in this session. It does NOT touch:\n- worktrees you have made yourself with `git worktree add`\n- worktrees of an earlier session (even if EnterWorktree made them then)\n- the directory you are in, if EnterWorktree was never called",
    "no_op": "\nCalled outside of such a session it does **nothing**: it reports that no worktree session is active and leaves the filesystem as it is.",
}
_EXIT_PATH = {
    "entered_by_path": '\nA worktree that was entered with `path` is left, and always kept: `action: "remove"` is refused for it. If the session went through several worktrees, it goes back to the directory in which it was before the first of them.',
}
_EXIT_USE = {
    "when": '\n## When to use it\n\n- The user explicitly asks to "leave the worktree", "get out of the worktree", "go back", or otherwise to end the worktree session\n- Do NOT call it on your own initiative, only when the user asks',
    "parameters": '\n## Parameters\n\n- `action` (required): `"keep"` or `"remove"`\n  - `"keep"`: the worktree\'s directory and branch stay on disk. Right if the user wants to come back to the work later, or if changes are to be preserved.\n  - `"remove"`: the worktree\'s directory and its branch are deleted. Right for a clean end, when the work is done or given up.\n- `discard_changes` (optional, false by default): matters with `action: "remove"` only. If the worktree holds files that were not committed, or commits that the original branch lacks, the tool REFUSES to remove it unless this is `true`. If it returns an error that lists changes, ask the user before you call it again with `discard_changes: true`.',
    "behaviour": "\n## What it does\n\n- Sets the session's working directory back to where it was before EnterWorktree\n- Drops caches that depend on the working directory (sections of the system prompt, memory files, the directory of plans), so that the session's state fits the original directory\n- If a tmux session was attached to the worktree: ended with `remove`, left running with `keep` (its name is returned so that the user can attach again)\n- After leaving, EnterWorktree can be called again for a new worktree",
}
_DISCARD = 'Has to be true if action is "remove" and the worktree holds files that were not committed or commits that were not merged. Otherwise the tool refuses and lists them.'
EXIT_WORKTREE_100 = ToolText(
    _exit,
    parameters(
        {
            "action": choice('"keep" leaves worktree and branch on disk; "remove" deletes both.', "keep", "remove"),
            "discard_changes": boolean(_DISCARD),
        },
        "action",
    ),
)
EXIT_WORKTREE_329 = ToolText(
    _exit,
    parameters(
        {
            "action": choice(
                '"keep" leaves worktree and branch on disk; "remove" deletes both. A worktree that was entered with `path` can only be kept.',
                "keep",
                "remove",
            ),
            "discard_changes": boolean(
                f"{_DISCARD} Set it only after the user has seen that list and agreed to lose what is on it."
            ),
        },
        "action",
    ),
)
