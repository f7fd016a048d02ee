"""What surrounds the agent: yolo mode, the sandbox, git; and the last words of the older prompt (specs/gemini.md 3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.gates import INTERACTIVE
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.wording import lines
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, label

from .part import part

YOLO = "# Autonomous Mode (YOLO)"
SEATBELT = "# macOS Seatbelt"
SANDBOX = "# Sandbox"
OUTSIDE = "# Outside of Sandbox"
GIT = "# Git Repository"
REMINDER = "# Final Reminder"

_YOLO = {
    "what": "You work in **autonomous mode**: the user wants to be interrupted as little as possible, and no call needs confirmation.",
    "ask": "**Ask only if** a wrong decision would mean that a great deal has to be done again, or if the request is contradictory at its core.",
    "otherwise": "**Otherwise:**\n- Decide by yourself, on the grounds of what you find in the project.\n- Follow the ways that are there.\n- Choose the more robust of two ways, and the one that can be undone.\n- Go on to the end, and name your decisions there.",
}
_SEATBELT = "You run under macOS Seatbelt: outside of the project's folder and the folder for temporary files you can reach little, and the system has little else to offer you, such as ports. If a command fails in a way that may be due to this (with 'Operation not permitted', for instance), tell the user about the error, and say as well why you think that Seatbelt might be the reason of it, and how the user would have to adapt the profile of Seatbelt for it to work."
_LEGACY_SEATBELT = "You run under macOS Seatbelt: outside of the project's folder and the folder for temporary files you can reach little, and there is little else of the system, such as ports, at your disposal. If a command fails in a way that may be due to this (if it says 'Operation not permitted', for example), tell the user about the error, say why you think that Seatbelt may be the reason, and how the user would have to change the profile of Seatbelt."
_SANDBOX = "You run in a sandbox: outside of the project's folder and the folder for temporary files you can reach little, and the system has little else to offer you, such as ports. If a command fails in a way that may be due to this (with 'Operation not permitted', for instance), tell the user about the error, and say as well why you think that the sandbox might be the reason of it, and how the user would have to adapt the settings of the sandbox for it to work."
_LEGACY_SANDBOX = "You run in a sandbox: outside of the project's folder and the folder for temporary files you can reach little, and there is little else of the system, such as ports, at your disposal. If a command fails in a way that may be due to this (if it says 'Operation not permitted', for example), tell the user about the error, say why you think that the sandbox may be the reason, and how the user would have to change the settings of the sandbox."
_PERMISSIONS = " Where a command cannot do without something that lies outside, you may name it when you run the command for a second time: `additional_permissions` takes paths and the network. The user then decides about it. Ask for as little as will do."
_OUTSIDE = "You run outside of any sandbox, directly on the user's system. For commands that are critical, and are likely to change the system beyond the project's folder or the folder for temporary files, remind the user of it when you explain them (see the rule on critical commands above), and suggest that a sandbox be switched on for such work, so that nothing is lost."
_GIT = {
    "where": "- The project's folder is managed by a git repository.",
    "never": '- **NEVER** stage or commit your changes unless you are told to, in words that leave no doubt. For example:\n  - "Commit the change" -> add the files that were changed, and commit them.\n  - "Finish this pull request" -> do not commit anything.',
    "gather": "- When you are asked to commit, or to prepare a commit, first have git tell you what there is:\n  - `git status`, to see that all files that matter are tracked and staged; use `git add ...` as needed.\n  - `git diff HEAD`, to look at all changes since the last commit, those that are not staged included.\n    - `git diff --staged`, to look at the staged ones alone where only a part is to be committed, or where the user has asked for it.\n  - `git log -n 3`, to see how the last messages were written, so that yours goes along with them (how long, how formal, in which tense and form).",
    "combine": "- Put several commands into one call where that can be done, to save time and steps: `git status && git diff HEAD && git log -n 3`.",
    "draft": "- Always suggest a message. Never just ask the user to hand one over in full.",
    "style": '- Prefer messages that are clear, short, and more about "why" than about "what".',
}
_GIT_INTERACTIVE = {
    "inform": "- Keep the user up to date, and ask where something is unclear or has to be confirmed.",
}
_GIT_REST = {
    "confirm": "- After each commit, see by `git status` that it worked.",
    "failure": "- If a commit fails, do not try to get around what stopped it unless you are asked to.",
    "push": "- Never push to a remote repository without having been told to by the user.",
}
_REMINDER = "What you are here for is to help, efficiently and without harm. Weigh extreme brevity against the need to be understood, above all where safety or a change to the system is concerned. What the user wants comes first, and so do the ways of the project. Never assume what a file holds: look into it, and do not go by guesses. Finally, you are an agent: go on until the request has been met completely, and only then give the word back to the user."


def yolo(m: Materials) -> SectionDraft:
    """`# Autonomous Mode (YOLO)`, in interactive sessions."""
    pieces = (label(f"{YOLO}\n\n"), *lines("yolo", _YOLO, between="\n\n"))
    return part(m, "yolo", "Autonomous Mode (YOLO)", YOLO, pieces, m.gates.yolo & INTERACTIVE, switch="yolo")


def sandbox(m: Materials) -> SectionDraft:
    """The sandbox that the client runs in; without one the older prompt has a section on that."""
    g = m.gates
    if m.model.variant == "modern":
        heading = Choice(((g.sandboxed & g.seatbelt, SEATBELT),), SANDBOX)
        return part(m, "sandbox", "Sandbox", heading, _modern_sandbox(m), g.sandboxed, switch="sandbox")
    choice = Choice(((g.sandboxed & g.seatbelt, SEATBELT), (g.sandboxed, SANDBOX)), OUTSIDE)
    return part(m, "sandbox", "Sandbox", choice, _legacy_sandbox(m), switch="sandbox")


def _modern_sandbox(m: Materials) -> Iterator[Piece]:
    seatbelt = m.gates.seatbelt
    yield label(f"{SEATBELT}\n\n", when=seatbelt)
    yield builtin("sandbox.seatbelt", _SEATBELT, when=seatbelt)
    yield label(f"{SANDBOX}\n\n", when=~seatbelt)
    yield builtin("sandbox.generic", _SANDBOX, when=~seatbelt)
    yield builtin("sandbox.permissions", _PERMISSIONS, when=m.gates.tool_sandboxing)


def _legacy_sandbox(m: Materials) -> Iterator[Piece]:
    g = m.gates
    container = g.sandboxed & ~g.seatbelt
    yield label(f"{SEATBELT}\n", when=g.seatbelt)
    yield builtin("sandbox.legacy.seatbelt", _LEGACY_SEATBELT, when=g.seatbelt)
    yield label(f"{SANDBOX}\n", when=container)
    yield builtin("sandbox.legacy.generic", _LEGACY_SANDBOX, when=container)
    yield label(f"{OUTSIDE}\n", when=~g.sandboxed)
    yield builtin("sandbox.legacy.outside", _OUTSIDE, when=~g.sandboxed)


def git(m: Materials) -> SectionDraft:
    """`# Git Repository`: a `.git` in the workspace or above it."""
    pieces = (
        label(f"{GIT}\n\n"),
        *lines("git", _GIT),
        *lines("git", _GIT_INTERACTIVE, before="\n", when=INTERACTIVE),
        *lines("git", _GIT_REST, before="\n"),
    )
    return part(m, "git", "Git Repository", GIT, pieces, m.gates.repository, switch="git")


def final_reminder(m: Materials) -> SectionDraft:
    """`# Final Reminder`, of the older prompt alone."""
    pieces = (label(f"{REMINDER}\n"), builtin("final_reminder", _REMINDER))
    return part(m, "final_reminder", "Final Reminder", REMINDER, pieces, switch="final_reminder")
