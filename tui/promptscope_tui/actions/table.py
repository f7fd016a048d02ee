"""The one table of what a user can do: it feeds bindings, footer, help, palette and README."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Group = Literal["Moving", "Prompt", "Panes", "Scenario", "Files", "App", "Typing", "Lists to choose from", "Screens"]

Owner = Literal[
    "app",
    "main",
    "controls",
    "prompt",
    "list",
    "cursor",
    "search",
    "filter",
    "draft",
    "table",
    "files",
    "changes",
    "dialog",
    "picker",
    "help",
    "report",
    "split",
    "compare",
    "differences",
    "capture",
    "completion",
    "transcript",
    "experiment",
]
"""What carries an action out: the app, a screen or a widget. `cursor`: the prompt and every list."""

Scope = Literal["screen", "focus"]


class Action(Struct, frozen=True):
    """One thing to do, with the keys as Textual names them, comma-separated.

    Its `owner` has the method `action_<id>`, or what `run` says instead. With scope `screen` the keys work anywhere on
    the main screen, with `focus` while the owner has the keys. `footer` is its word in the footer, unless footer.py has
    another one for the pane; `palette` its entry in the command palette (`noun: Verb`); without them it is not in the
    one or the other. `help` is for everything else.
    """

    id: str
    keys: str
    owner: Owner
    help: str
    group: Group
    palette: str = ""
    footer: str = ""
    run: str = ""
    scope: Scope = "screen"

    @property
    def call(self) -> str:
        """The action as its owner runs it."""
        return self.run or self.id

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        return " ".join(map(show_key, filter(None, self.keys.split(","))))


_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "exclamation_mark": "!",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "equals_sign": "=",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}


def show_key(key: str) -> str:
    """`ctrl+p` as `^p`, `slash` as `/`."""
    modifier, _, rest = key.rpartition("+")
    shown = _NAMES.get(rest, rest)
    return {"ctrl": f"^{shown}", "shift": f"⇧{shown}", "": shown}.get(modifier, f"{modifier}+{shown}")


def _focus(id: str, keys: str, owner: Owner, run: str, help: str, group: Group, footer: str = "") -> Action:
    return Action(id, keys, owner, help, group, footer=footer, run=run, scope="focus")


def _moving(id: str, keys: str, owner: Owner, run: str, help: str, footer: str = "") -> Action:
    return _focus(id, keys, owner, run, help, "Moving", footer)


def _tab(name: str, key: str, help: str) -> Action:
    return Action(f"tab_{name}", key, "main", help, "Panes", f"Tab: {name.title()}", run=f"show_tab('{name}')")


ACTIONS: tuple[Action, ...] = (
    _moving("up", "up,k", "cursor", "move(-1)", "up by one row"),
    _moving("down", "down,j", "cursor", "move(1)", "down by one row"),
    _moving("page_up", "pageup", "cursor", "page(-1)", "up by one page"),
    _moving("page_down", "pagedown", "cursor", "page(1)", "down by one page"),
    _moving("half_up", "ctrl+u", "prompt", "page(-0.5)", "in the prompt: up by half a page"),
    _moving("half_down", "ctrl+d", "prompt", "page(0.5)", "in the prompt: down by half a page"),
    _moving("list_up", "ctrl+u", "list", "page(-1)", "in a list: up by one page"),
    _moving("list_down", "ctrl+d", "list", "page(1)", "in a list: down by one page"),
    _moving("first", "g,home", "cursor", "end(-1)", "to the first row"),
    _moving("last", "G,end", "cursor", "end(1)", "to the last row"),
    _moving("previous_section", "left_curly_bracket", "prompt", "section(-1)", "to the previous header"),
    _moving("next_section", "right_curly_bracket", "prompt", "section(1)", "to the next header"),
    _moving("fold", "space", "prompt", "fold", "fold or unfold the panel", footer="fold"),
    _moving("choose", "enter", "prompt", "choose", "to the file of a line in Files; else fold or unfold"),
    _moving("close", "left,h", "prompt", "close", "fold the panel, or go to the header above"),
    _moving("open", "right,l", "prompt", "open", "unfold the panel, or go into it"),
    _moving("choose_row", "enter,space", "list", "choose", "in a list: choose the row, or go to its place", "choose"),
    _moving("sort_next", "greater_than_sign", "table", "sort(1)", "in Tools and Files: sort by the next column"),
    _moving("sort_previous", "less_than_sign", "table", "sort(-1)", "in Tools and Files: sort by the previous column"),
    _moving("reverse", "S", "table", "reverse", "in Tools and Files: sort the other way round"),
    Action("open_all", "z", "prompt", "unfold every panel", "Prompt", "Prompt: Unfold all panels"),
    Action("close_all", "Z", "prompt", "fold every panel", "Prompt", "Prompt: Fold all panels"),
    Action("toggle_absent", "x", "prompt", "show or hide what is absent", "Prompt", "Prompt: Toggle absent"),
    Action(
        "search",
        "slash",
        "main",
        "search the whole prompt; in Tools and Files, show only rows with what you type",
        "Prompt",
        "Prompt: Search",
        footer="search",
    ),
    Action("next_match", "n", "search", "to the next match", "Prompt", "Prompt: Next match", run="step(1)"),
    Action(
        "previous_match", "N", "search", "to the previous match", "Prompt", "Prompt: Previous match", run="step(-1)"
    ),
    Action("copy_section", "y", "main", "copy the selection, the section or the row", "Prompt", "Prompt: Copy section"),
    Action("copy_prompt", "Y", "main", "copy the whole system prompt", "Prompt", "Prompt: Copy system prompt"),
    Action(
        "copy_request",
        "ctrl+y",
        "main",
        "copy the whole request, with messages and tools: as text or as JSON",
        "Prompt",
        "Request: Copy as text or JSON",
    ),
    Action(
        "views",
        "V",
        "main",
        "with a capture open: predicted, sent, differences; the next of them",
        "Prompt",
        "Capture: Next view",
        footer="view",
        run="next_view",
    ),
    Action(
        "differences",
        "equals_sign",
        "main",
        "with a capture open: what was sent against the prediction, part by part",
        "Prompt",
        "Capture: Differences",
        run="show_view('differences')",
    ),
    Action(
        "next_request",
        "right_square_bracket",
        "main",
        "with a capture open: to its next request",
        "Prompt",
        "Capture: Next request",
        run="request(1)",
    ),
    Action(
        "previous_request",
        "left_square_bracket",
        "main",
        "with a capture open: to its previous request",
        "Prompt",
        "Capture: Previous request",
        run="request(-1)",
    ),
    Action(
        "experiment",
        "E",
        "main",
        "try another text for a section or a tool; no file changes",
        "Prompt",
        "Experiment: Edit the text",
    ),
    Action(
        "experiment_drop",
        "D",
        "main",
        "try without a section or a tool; again brings it back",
        "Prompt",
        "Experiment: Drop",
    ),
    Action(
        "experiment_up",
        "alt+up",
        "main",
        "try a section or a tool further up",
        "Prompt",
        "Experiment: Move up",
        run="experiment_move(-1)",
    ),
    Action(
        "experiment_down",
        "alt+down",
        "main",
        "try a section or a tool further down",
        "Prompt",
        "Experiment: Move down",
        run="experiment_move(1)",
    ),
    Action(
        "baseline",
        "b",
        "changes",
        "set or clear the baseline that changes are compared with",
        "Prompt",
        "Prompt: Set or clear baseline",
        footer="baseline",
    ),
    Action("next_pane", "tab", "main", "to the next pane", "Panes", "Pane: Next", run="app.focus_next"),
    Action(
        "previous_pane",
        "shift+tab",
        "main",
        "to the previous pane",
        "Panes",
        "Pane: Previous",
        run="app.focus_previous",
    ),
    _tab("prompt", "1", "the sections of the prompt"),
    _tab("tools", "2", "every tool, present or absent"),
    _tab("files", "3", "every file that was looked for"),
    _tab("window", "4", "the context window as a map"),
    _tab("request", "5", "the request as it is sent"),
    _tab("changes", "6", "what each reload changed"),
    Action("report", "v", "main", "the agent's own context report, with notes on its gaps", "Panes", "Report: Show"),
    Action(
        "compare",
        "c",
        "main",
        "compare with a baseline, a revision, an agent, a version, a mode or a scenario",
        "Panes",
        "Compare: Two prompts",
        footer="compare",
    ),
    Action("agents", "A", "main", "which agent takes which file, and what each pays", "Panes", "Compare: Agents"),
    Action(
        "savings",
        "X",
        "main",
        "what each switch, file, section, tool and repeated passage would save",
        "Panes",
        "Prompt: Savings",
    ),
    Action(
        "timings", "T", "main", "what of the prompt takes how long, by section and file", "Panes", "Prompt: Timings"
    ),
    Action("flags", "f", "main", "to the controls and back", "Panes", "Pane: Controls", footer="controls"),
    Action("why", "w", "main", "to the reasons and back", "Panes", "Pane: Why", footer="why"),
    Action("responses", "R", "main", "every reply to a tool call, and when it is sent", "Panes", "Responses: Show all"),
    Action("completion", "C", "main", "the end of a task, step by step", "Panes", "Completion: Step through"),
    Action(
        "back",
        "escape,backspace",
        "main",
        "close the drawer or the search, else back to where you jumped from, else to the prompt",
        "Panes",
        "Pane: Back",
        footer="back",
    ),
    Action("agent", "a", "controls", "choose the agent and its version", "Scenario", "Agent: Choose", footer="agent"),
    Action("mode", "m", "controls", "choose the mode", "Scenario", "Mode: Choose", footer="mode"),
    Action("model", "M", "controls", "choose or type the model", "Scenario", "Model: Choose"),
    Action("task", "d", "draft", "draft the first message; its mentions expand", "Scenario", "Task: Draft"),
    Action("undo", "u", "controls", "undo the last change of the scenario", "Scenario", "Scenario: Undo"),
    Action("redo", "ctrl+r", "controls", "redo the change that was undone", "Scenario", "Scenario: Redo"),
    Action("reset", "U", "controls", "back to the scenario at startup", "Scenario", "Scenario: Reset"),
    Action("save", "ctrl+s", "controls", "save the scenario to a file", "Scenario", "Scenario: Save"),
    Action("load", "ctrl+o", "controls", "load a scenario file", "Scenario", "Scenario: Load"),
    Action(
        "folder",
        "p",
        "main",
        "go to a package of the repository, or to a folder opened before",
        "Files",
        "Folder: Open",
    ),
    Action("editor", "e", "main", "open the file under the cursor in your editor", "Files", "File: Edit"),
    Action("problems", "exclamation_mark", "main", "to the next problem that was found", "Files", "Problem: Show next"),
    Action("imagine", "i", "files", "simulate reading a file: which rules load?", "Files", "File: Simulate reading"),
    Action("may_edit", "W", "main", "ask whether the mode may edit a file", "Files", "Mode: Which files may it edit?"),
    Action(
        "transcript",
        "o",
        "main",
        "open a capture, or a transcript: how it fills the window",
        "Files",
        "Recording: Open",
    ),
    Action(
        "capture",
        "O",
        "main",
        "capture what the agent really sends, and compare; shows the command first",
        "Files",
        "Capture: Record",
    ),
    Action("reload", "r", "files", "reload every file", "Files", "File: Reload all"),
    Action("screenshot", "s", "app", "save the screen as SVG in your state folder", "App", "App: Screenshot"),
    Action("theme", "t", "app", "next theme: dark, light, the terminal's own colours", "App", "App: Next theme"),
    Action("help", "question_mark", "app", "show the keys", "App", "App: Help", footer="help"),
    _focus("palette", "ctrl+p", "app", "command_palette", "every command by name", "App", footer="palette"),
    _focus("suspend", "ctrl+z", "app", "suspend_process", "suspend: fg in the shell brings it back", "App"),
    Action("quit_app", "q", "app", "quit", "App", "App: Quit", run="quit"),
    _focus("search_down", "down", "search", "step(1)", "in the search line: to the next match", "Typing", "next"),
    _focus("search_up", "up", "search", "step(-1)", "in the search line: to the previous match", "Typing", "previous"),
    _focus("search_close", "escape", "search", "close", "leave the search", "Typing", "leave"),
    _focus("filter_down", "down", "filter", "step(1)", "in the line of a filter: down in the table", "Typing", "down"),
    _focus("filter_up", "up", "filter", "step(-1)", "in the line of a filter: up in the table", "Typing", "up"),
    _focus("filter_close", "escape", "filter", "close", "show all rows again", "Typing", "all rows"),
    _focus("draft_close", "escape", "draft", "close", "leave the draft; its text stays", "Typing", "leave"),
    _focus("set_value", "ctrl+s", "controls", "accept", "set the value of several lines", "Typing", "set"),
    _focus("cancel_value", "escape", "controls", "cancel", "leave the value as it was", "Typing", "leave"),
    _focus("experiment_accept", "ctrl+s", "experiment", "accept", "experiment: try the text", "Typing"),
    _focus("experiment_leave", "escape", "experiment", "leave", "experiment: leave the text as it was", "Typing"),
    _focus("option_up", "up", "picker", "step(-1)", "up while you type", "Lists to choose from"),
    _focus("option_down", "down", "picker", "step(1)", "down while you type", "Lists to choose from"),
    _focus("dialog_close", "escape", "dialog", "dismiss", "close without a choice", "Lists to choose from"),
    _focus("help_close", "escape,q,question_mark", "help", "dismiss", "close the help", "Screens"),
    _focus("report_next", "right,l,tab", "report", "turn(1)", "report: the next view", "Screens"),
    _focus("report_previous", "left,h,shift+tab", "report", "turn(-1)", "report: the previous view", "Screens"),
    _focus("report_close", "escape,q,v", "report", "dismiss", "close the report", "Screens"),
    _focus("split_copy", "y", "split", "copy", "copy the text of the screen", "Screens"),
    _focus("split_close", "escape,q", "split", "dismiss", "close the screen", "Screens"),
    _focus("compare_before", "a", "compare", "choose_side(0)", "compare: choose what stands before", "Screens"),
    _focus("compare_after", "b", "compare", "choose_side(1)", "compare: choose what stands after", "Screens"),
    _focus("compare_swap", "x", "compare", "swap", "compare: swap the sides", "Screens"),
    _focus("compare_beside", "s", "compare", "beside", "compare: side by side, or unified", "Screens"),
    _focus("differences_beside", "s", "differences", "beside", "differences: side by side, or unified", "Screens"),
    _focus(
        "differences_predicted",
        "p",
        "differences",
        "go_to('predicted')",
        "differences: to the part in the prediction",
        "Screens",
    ),
    _focus(
        "differences_sent", "P", "differences", "go_to('sent')", "differences: to the part in what was sent", "Screens"
    ),
    _focus("differences_view", "V", "differences", "next_view", "differences: to the prediction", "Screens"),
    _focus("capture_again", "r", "capture", "again", "capture: back to the command, to run it once more", "Screens"),
    _focus("capture_copy", "y", "capture", "copy", "capture: copy what the command printed", "Screens"),
    _focus("capture_close", "escape", "capture", "close", "capture: end the run; without one, leave", "Screens"),
    _focus("step_edit", "e", "completion", "edit", "completion: edit a step, then take it", "Screens"),
    _focus("step_undo", "u,backspace", "completion", "undo", "completion: undo the last step", "Screens"),
    _focus("step_restart", "U", "completion", "restart", "completion: start over", "Screens"),
    _focus("transcript_editor", "e", "transcript", "editor", "transcript: open the line in your editor", "Screens"),
    _focus("transcript_close", "escape,q", "transcript", "dismiss", "close the transcript", "Screens"),
)

BY_ID = {action.id: action for action in ACTIONS}


def groups(actions: Iterable[Action] = ACTIONS) -> dict[Group, tuple[Action, ...]]:
    """The actions by group, in the table's order."""
    found: dict[Group, tuple[Action, ...]] = {}
    for action in actions:
        found[action.group] = (*found.get(action.group, ()), action)
    return found


def key_table() -> str:
    """Every action with its keys as Markdown: the README's table."""
    lines = ["| keys | what they do |", "|---|---|"]
    for action in ACTIONS:
        keys = " ".join(f"`{show_key(key)}`" for key in action.keys.split(","))
        lines.append(f"| {keys} | {action.help} |")
    return "\n".join(lines) + "\n"
