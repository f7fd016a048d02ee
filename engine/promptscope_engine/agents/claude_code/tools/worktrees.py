"""Tools that move the session into a git worktree and back: EnterWorktree, ExitWorktree (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece

from .schema import ToolText, boolean, choice, parameters, string


def _by_version(
    prefix: str, classic: Mapping[str, str], newer: Mapping[str, str]
) -> Callable[[Materials], Iterator[Piece]]:
    def pieces(_: Materials) -> Iterator[Piece]:
        yield from lines(prefix, classic, when=gates.IS_100)
        yield from lines(prefix, newer, when=~gates.IS_100)

    return pieces


_WHEN = {
    "when": "\n## When to Use",
    "when_said": '\n- The user says the word "worktree" ("open a worktree", "take a worktree for that", "not here, in a worktree", "worktree, please")',
}
_NOT_BRANCH = (
    "\n- The user wants a branch, a new one or another: that is done by git commands, in the directory you are in"
)
_REPOSITORY = (
    "\n- A git repository, or else WorktreeCreate/WorktreeRemove hooks that settings.json names and that do it"
)
_HOOKS = "- Where git is not in use: WorktreeCreate/WorktreeRemove hooks do it, with whatever VCS they know"
_LEAVING = "- ExitWorktree takes you out of it again, with or without deleting it. A session that ends inside has the user asked whether to keep what is there, or to delete it"
_ENTER_100 = {
    "purpose": "Sets up a git worktree, apart from your working directory, and puts the session there. ONLY for users who say in so many words that they want a worktree.",
    **_WHEN,
    "not_when": "\n## When NOT to Use",
    "not_branch": _NOT_BRANCH,
    "not_task": "- The user wants something repaired or built, with no word of worktrees: do it as always, in the place where you are",
    "not_word": "- As long as nobody has used the word worktree: under no condition",
    "requirements": "\n## Requirements",
    "repository": _REPOSITORY,
    "outside": "- To be outside of all worktrees",
    "behaviour": "\n## Behavior",
    "creates": "\n- With git: a worktree appears inside `.claude/worktrees/`, and a new branch for it that starts at HEAD",
    "hooks": _HOOKS,
    "switches": "- From then on the working directory of the session is there",
    "leaving": _LEAVING,
    "parameters": "\n## Parameters",
    "name": "\n- `name` (optional): how to name the worktree. If missing, it is a name made at random.",
}
_ENTER_329 = {
    "purpose": "Sets up a git worktree, apart from your working directory, and puts the session there. ONLY if somebody has told you to work in a worktree: the user, in so many words, or the project by its instructions (CLAUDE.md and what belongs to it).",
    **_WHEN,
    "when_rules": "- The project's instructions say that tasks of such a kind are done in a worktree",
    "not_when": "\n## When NOT to Use",
    "not_branch": _NOT_BRANCH,
    "not_task": "- The user wants something repaired or built, and neither they nor the project's instructions speak of worktrees: do it as always, in the place you are in",
    "not_word": "- As long as neither the user nor any instructions of the project have used the word worktree: under no condition",
    "requirements": "\n## Requirements",
    "repository": _REPOSITORY,
    "outside": "- To be outside of all worktrees, if a new one is to be created. With `path` it is possible to switch from one worktree into another directly",
    "behaviour": "\n## Behavior",
    "creates": "\n- With git: a worktree appears inside `.claude/worktrees/`, with a new branch for it. The setting `worktree.baseRef` tells where that starts: `fresh` (the default) at the newest state of the default branch on the remote, `head` at the commit you are on right now.",
    "hooks": _HOOKS,
    "switches": "- From then on the working directory of the session is there",
    "leaving": _LEAVING,
    "existing": "\n## Entering an existing worktree",
    "existing_path": "\nGive `path` to work in a worktree that exists by now, for instance one in which you or somebody else has started something. Nothing is created in that case. The path has to be one that `git worktree list` shows for the repository to which it belongs; any other directory, and a worktree of a foreign repository too, is refused with an error that tells so. When you leave by ExitWorktree, a worktree that was entered in this way always stays on the disk: this session did not make it, so it does not delete it.",
    "existing_switch": "\nWithin a session you may switch as often as needed: call the tool with another `path`, and you are taken straight there, without going back first. The same applies to agents that have been pinned to a directory of their own, where only they are moved and the session stays where it is. The target of such a switch has to be below `.claude/worktrees/` of the same repository. What you leave remains as it is, but from then on you can only read there: edits in a worktree you were in earlier are refused until you have switched back, so that no change ends up in the wrong place by mistake.",
    "parameters": "\n## Parameters",
    "name": "\n- `name` (optional): how to name the worktree that is created. If missing, it is a name that is made at random.",
    "path": "- `path` (optional): the existing worktree to go to, in place of one newly created. It can be absolute or relative to the working directory. Either `name` or `path` may be given; with both of them the call is an error.",
}
_NAME = 'How to name the worktree. Letters, digits, dots, underscores and dashes are possible in each of the parts between "/", 64 characters are the most in total. If missing, one is made at random.'
ENTER_WORKTREE_100 = ToolText(
    _by_version("tools.EnterWorktree", _ENTER_100, _ENTER_329), parameters({"name": string(_NAME)})
)
ENTER_WORKTREE_329 = ToolText(
    _by_version("tools.EnterWorktree", _ENTER_100, _ENTER_329),
    parameters(
        {
            "name": string(f"{_NAME} Cannot be combined with `path`."),
            "path": string(
                "An existing worktree to go to, in place of one newly created. It has to be listed by `git worktree list` of its repository; if the session is in a worktree by now, it has to be below `.claude/worktrees/` of that repository. Cannot be combined with `name`."
            ),
        }
    ),
)

_EXIT = {
    "purpose": "Takes the session out of the worktree into which EnterWorktree has put it, and back to where it began.",
    "scope": "\n## Scope",
    "only": "\nONLY worktrees that EnterWorktree has set up in this very session are its concern. It leaves alone:",
    "not_manual": "- any that you have added by hand (`git worktree add`)",
    "not_earlier": "- those from sessions before, and if they were made by EnterWorktree too",
    "not_here": "- the directory you are in, without EnterWorktree before",
    "no_op": "\nWithout such a session a call has **no effect**. The answer is then that there is no worktree session to leave, and on the disk everything remains just as it has been before.",
    "when": "\n## When to Use",
    "when_asked": '\n- The user wants out of the worktree, in whatever words ("back to the main directory", "we are done with the worktree")',
    "not_unasked": "- Without such a wish it is not called, by no means",
    "parameters": "\n## Parameters",
    "action": '\n- `action` (required), `"keep"` or `"remove"`:',
    "keep": '  - `"keep"` leaves the directory and its branch where they are. Choose this if somebody will go on with the work there, or if there are changes that must not be lost.',
}
_EXIT_100 = {
    **_EXIT,
    "remove": '  - `"remove"` deletes the directory as well as the branch. Choose this if the work is finished, or is not wanted.',
    "discard": '- `discard_changes` (optional, default false) goes with `action: "remove"`. A worktree in which there are files not yet committed, or commits that are on no other branch, is NOT removed unless you set this to `true`. You get an error then that lists what would be lost. Show that to the user, and call again with `discard_changes: true` only if they agree to it.',
}
_EXIT_329 = {
    **_EXIT,
    "remove": '  - `"remove"` deletes the directory and, as a rule, the branch too (it stays if it existed before the worktree, or is in use elsewhere). Choose this if the work is finished, or is not wanted.',
    "discard": '- `discard_changes` (optional, default false) goes with `action: "remove"`. A worktree in which there are files not yet committed, or commits that are on no other branch, is NOT removed unless you set this to `true`. You get an error then that lists what would be lost. Show that to the user, and call again with `discard_changes: true` only if they agree to it. Removal is refused too as long as agents or commands in the background are at work inside of it: wait until they are finished, or stop them, and then call again.',
}
_EXIT_BEHAVIOUR = {
    "behaviour": "\n## Behavior",
    "restores": "\n- The working directory is again the one from which EnterWorktree was called",
    "caches": "- What was cached for the directory (parts of the system prompt, memory files, where plans are kept) is dropped and is gathered anew there",
    "tmux": "- If there is a tmux session that belongs to the worktree, `remove` kills it; with `keep` it lives on, and you are told its name for the user.",
    "again": "- Another worktree may be entered after that, by EnterWorktree as before",
}
_exit = _by_version("tools.ExitWorktree", _EXIT_100 | _EXIT_BEHAVIOUR, _EXIT_329 | _EXIT_BEHAVIOUR)
_DISCARD = "Must be true for a removal that would lose something, be it uncommitted files or unmerged commits. Without it such a removal is refused, with a list."
EXIT_WORKTREE_100 = ToolText(
    _exit,
    parameters(
        {
            "action": choice(
                '"keep": directory and branch stay. "remove": both of them are deleted.', "keep", "remove"
            ),
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
                '"keep": directory and branch stay. "remove": the directory is deleted, and its branch as well if it was created along with it.',
                "keep",
                "remove",
            ),
            "discard_changes": boolean(
                f"{_DISCARD} Set it once the user has seen that list and agreed. It has no influence on work that goes on inside in the background."
            ),
        },
        "action",
    ),
)
