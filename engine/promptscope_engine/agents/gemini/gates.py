"""The conditions that several parts of Gemini CLI's prompt share (specs/gemini.md 3, 9, 13)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Setting
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag, mode_is
from promptscope_engine.prompt.model import Lever

from .variables import OFF_WORDS, SANDBOX, SEATBELT

HEADLESS: Condition = flag("args.print", yes="the session is headless", no="the session is interactive")
INTERACTIVE: Condition = ~HEADLESS


@frozen
class Gates:
    """The shared conditions of one scenario.

    trusted: the workspace is trusted · built_in: no file replaces the built-in
    prompt · plan, auto_edit, yolo: the approval mode · narration: topics are narrated · skills: a skill is listed ·
    agents: a sub-agent is listed · tracker: the task tracker · planning: plan mode can be had at all ·
    repository: a `.git` lies in the workspace or above it · sandboxed, seatbelt: the client runs in a sandbox,
    in that of macOS · tool_sandboxing: commands ask for further permissions · short_output: rules on the length of
    output · interactive_shell: commands may ask back · tree: the structure of the folders is sent · ripgrep:
    grep_search has its larger shape · direct_fetch: web_fetch takes an address · todos: write_todos is registered ·
    resources: a connected server has resources · hooks: hooks run ·
    context_management: the client manages its context anew · two_memories: private and global memory ·
    switches: by section, that no variable leaves it out.
    """

    trusted: Condition
    built_in: Condition
    plan: Condition
    auto_edit: Condition
    yolo: Condition
    narration: Condition
    skills: Condition
    agents: Condition
    tracker: Condition
    planning: Condition
    repository: Condition
    sandboxed: Condition
    seatbelt: Condition
    tool_sandboxing: Condition
    short_output: Condition
    interactive_shell: Condition
    tree: Condition
    ripgrep: Condition
    direct_fetch: Condition
    todos: Condition
    resources: Condition
    hooks: Condition
    context_management: Condition
    two_memories: Condition
    switches: Mapping[str, Condition]

    @property
    def headless(self) -> Condition:
        """A headless session that has begun: in a folder that is not trusted there is none (13)."""
        return HEADLESS & self.trusted

    @property
    def usual(self) -> Condition:
        """The approval mode is none of the others: without trust it is always this one (13)."""
        return ~approval("auto_edit", "plan", "yolo", trusted=self.trusted)


def approval(*slugs: str, trusted: Condition) -> Condition:
    """One of these approval modes, of which none is the usual one: all of them take a trusted folder."""
    return mode_is(*slugs) & trusted


def section_switch(variable: Known[str]) -> Condition:
    """No `GEMINI_PROMPT_…` leaves the section out (3)."""
    name, overlay = variable.source.key.removeprefix("env."), variable.source.overlay
    off = variable.value.strip().lower() in OFF_WORDS
    yes, no = f"`{name}` does not leave it out", f"`{name}` leaves it out"
    on, switch = (Lever(overlay, "1"), Lever(overlay, "0")) if overlay else (None, None)
    return Setting(variable.source, "0" if off else "1", "in", ("1",), yes, no, on=on, off=switch)


def sandbox_gates(variable: Known[str]) -> tuple[Condition, Condition]:
    """(the client runs in a sandbox, it is that of macOS)."""
    overlay = variable.source.overlay
    named = f"`{SANDBOX}` is {{actual}}"
    any_one = Setting(
        variable.source, variable.value, "given", True, named, f"`{SANDBOX}` is not set",
        on=Lever(overlay, "docker") if overlay else None, off=Lever(overlay, "") if overlay else None,
    )  # fmt: skip
    seatbelt = Setting(
        variable.source, variable.value, "is", SEATBELT, named, named,
        on=Lever(overlay, SEATBELT) if overlay else None, off=Lever(overlay, "docker") if overlay else None,
    )  # fmt: skip
    return any_one, seatbelt
