"""The one table of what a user can do: it feeds bindings, footer, help, palette and README."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["Moving", "Panes", "Prompt", "Scenario", "Files", "App"]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `call` is a method of the main screen; `keys` as Textual names them, comma-separated.

    `label` stands in the footer, `palette` in the command palette (`noun: Verb`), `help` everywhere else. An action
    without `palette` is a widget's own movement: it is listed, and the widget binds it.
    """

    id: str
    keys: str
    label: str
    help: str
    group: Group
    palette: str = ""
    footer: bool = False

    @property
    def own(self) -> bool:
        """Whether the main screen binds it."""
        return bool(self.palette)

    @property
    def call(self) -> str:
        """The action as a binding calls it."""
        return f"show_tab('{self.id[4:]}')" if self.id.startswith("tab_") else self.id

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        return " ".join(map(show_key, self.keys.split(",")))


_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "space": "space",
    "enter": "enter",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def show_key(key: str) -> str:
    """`ctrl+p` as `^p`, `slash` as `/`."""
    modifier, _, rest = key.rpartition("+")
    shown = _NAMES.get(rest, rest)
    return {"ctrl": f"^{shown}", "shift": f"⇧{shown}", "": shown}.get(modifier, f"{modifier}+{shown}")


ACTIONS: tuple[Action, ...] = (
    Action("move", "up,down,j,k", "move", "move by lines and rows", "Moving"),
    Action("page", "pageup,pagedown,ctrl+u,ctrl+d", "page", "move by pages", "Moving"),
    Action("ends", "g,G", "ends", "to the first row, to the last", "Moving"),
    Action("toggle", "space,enter", "fold", "fold or open the panel; choose the row", "Moving", footer=True),
    Action("open_all", "z", "open all", "open every panel", "Prompt", "Prompt: Open all panels"),
    Action("close_all", "Z", "close all", "close every panel", "Prompt", "Prompt: Close all panels"),
    Action(
        "toggle_absent", "x", "absent", "show or hide what is absent", "Prompt", "Prompt: Show or hide what is absent"
    ),
    Action("search", "slash", "search", "search in the prompt, in all panels", "Prompt", "Prompt: Search", footer=True),
    Action("next_match", "n", "next", "the next match", "Prompt", "Prompt: Next match"),
    Action("previous_match", "N", "previous", "the previous match", "Prompt", "Prompt: Previous match"),
    Action(
        "copy_section",
        "y",
        "copy",
        "copy the selection, else the section or row under the cursor",
        "Prompt",
        "Prompt: Copy section",
    ),
    Action("copy_prompt", "Y", "copy all", "copy the whole system prompt", "Prompt", "Prompt: Copy all"),
    Action(
        "baseline",
        "b",
        "baseline",
        "compare with what is shown now; again: with the state before each change",
        "Prompt",
        "Prompt: Set or lift the baseline",
        footer=True,
    ),
    Action("next_pane", "tab", "pane", "to the next pane", "Panes", "Pane: Next"),
    Action("previous_pane", "shift+tab", "pane", "to the previous pane", "Panes", "Pane: Previous"),
    Action("tab_prompt", "1", "Prompt", "the sections of the prompt", "Panes", "Tab: Prompt"),
    Action("tab_tools", "2", "Tools", "every tool, present or not", "Panes", "Tab: Tools"),
    Action("tab_files", "3", "Files", "every file that was consulted", "Panes", "Tab: Files"),
    Action("tab_window", "4", "Window", "the context window as a map", "Panes", "Tab: Window"),
    Action("tab_request", "5", "Request", "what goes over the wire", "Panes", "Tab: Request"),
    Action("tab_changes", "6", "Changes", "the live reloads so far", "Panes", "Tab: Changes"),
    Action(
        "report",
        "v",
        "report",
        "what the agent's own report on its context would say, and where it misleads",
        "Panes",
        "Report: What the agent itself would say",
    ),
    Action(
        "flags", "f", "flags", "to the controls, or the drawer that holds them", "Panes", "Pane: Controls", footer=True
    ),
    Action("why", "w", "why", "to the reasons, or the drawer that holds them", "Panes", "Pane: Why", footer=True),
    Action(
        "responses",
        "R",
        "responses",
        "every reply to a tool call, and what chooses it",
        "Panes",
        "Responses: Show every reply",
    ),
    Action(
        "completion",
        "C",
        "completion",
        "the end of a task, step by step",
        "Panes",
        "Completion: Step through the end of a task",
    ),
    Action(
        "back", "escape", "back", "close the search or the drawer, and go back", "Panes", "Pane: Back to the prompt"
    ),
    Action("agent", "a", "agent", "choose the agent", "Scenario", "Agent: Choose", footer=True),
    Action("mode", "m", "mode", "choose the mode", "Scenario", "Mode: Choose", footer=True),
    Action("model", "M", "model", "choose or type the model", "Scenario", "Model: Choose"),
    Action(
        "task",
        "d",
        "draft",
        "draft the first message; its mentions expand",
        "Scenario",
        "Task: Draft the first message",
    ),
    Action("undo", "u", "undo", "take the last switch back", "Scenario", "Scenario: Undo"),
    Action("redo", "ctrl+r", "redo", "do what was undone again", "Scenario", "Scenario: Redo"),
    Action("reset", "U", "reset", "back to the scenario of the start", "Scenario", "Scenario: Reset"),
    Action("save", "ctrl+s", "save", "save the scenario as a file", "Scenario", "Scenario: Save"),
    Action("load", "ctrl+o", "load", "load a scenario file", "Scenario", "Scenario: Load"),
    Action(
        "editor",
        "e",
        "editor",
        "open the file and line under the cursor in your editor",
        "Files",
        "File: Open in the editor",
        footer=True,
    ),
    Action(
        "imagine",
        "i",
        "imagine",
        "imagine that the agent reads a file: which rules wake?",
        "Files",
        "File: Imagine that it is read",
    ),
    Action(
        "transcript",
        "o",
        "transcript",
        "open a recorded conversation: how it fills the window, turn by turn",
        "Files",
        "Transcript: Open a recorded conversation",
    ),
    Action("reload", "r", "reload", "read every file again", "Files", "File: Reload all"),
    Action(
        "screenshot",
        "s",
        "screenshot",
        "save a picture of the screen (SVG) in your state folder",
        "App",
        "App: Screenshot",
    ),
    Action("theme", "t", "theme", "the next theme: dark, light, the terminal's own", "App", "App: Next theme"),
    Action("help", "question_mark", "help", "the keys, on one page", "App", "App: Help", footer=True),
    Action("palette", "ctrl+p", "palette", "every command, by name", "App", "App: Commands", footer=True),
    Action("quit_app", "q", "quit", "leave", "App", "App: Quit"),
)

BY_ID = {action.id: action for action in ACTIONS}


def groups() -> dict[Group, tuple[Action, ...]]:
    """The actions by group, in the table's order."""
    names = dict.fromkeys(action.group for action in ACTIONS)
    return {name: tuple(a for a in ACTIONS if a.group == name) for name in names}


def key_table() -> str:
    """The README's table of keys, as Markdown."""
    lines = ["| keys | what they do |", "|---|---|"]
    for actions in groups().values():
        for action in actions:
            keys = " ".join(f"`{show_key(key)}`" for key in action.keys.split(","))
            lines.append(f"| {keys} | {action.help} |")
    return "\n".join(lines) + "\n"
