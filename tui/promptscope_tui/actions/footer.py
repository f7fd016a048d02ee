"""What the footer of each pane and screen says first, and in which order: what one would want to do there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .table import Action

_FIRST: Mapping[str, Mapping[str, str]] = {
    "prompt": {
        "fold": "fold",
        "search": "search",
        "why": "why",
        "undo": "undo",
        "flags": "controls",
        "compare": "compare",
        "agent": "agent",
        "mode": "mode",
        "editor": "edit",
    },
    "tools": {
        "choose_row": "go to",
        "search": "filter",
        "sort_next": "sort",
        "why": "why",
        "copy_section": "copy",
        "compare": "compare",
        "back": "back",
    },
    "files": {
        "choose_row": "go to",
        "search": "filter",
        "editor": "edit",
        "why": "why",
        "problems": "next problem",
        "back": "back",
        "imagine": "simulate a read",
        "sort_next": "sort",
        "agents": "agents",
        "reload": "reload",
    },
    "window": {
        "choose_row": "go to",
        "report": "report",
        "why": "why",
        "compare": "compare",
        "back": "back",
        "transcript": "transcript",
        "copy_section": "copy",
        "model": "model",
    },
    "request": {
        "choose_row": "unfold",
        "search": "search",
        "copy_section": "copy",
        "copy_request": "copy all",
        "why": "why",
        "back": "back",
        "compare": "compare",
    },
    "changes": {
        "baseline": "baseline",
        "choose_row": "go to",
        "editor": "edit",
        "copy_section": "copy",
        "compare": "compare",
        "why": "why",
        "back": "back",
    },
    "welcome": {"choose_row": "choose", "folder": "folder", "agent": "agent", "agents": "agents"},
    "why": {"choose_row": "follow", "editor": "edit", "back": "back", "flags": "controls"},
    "switches": {
        "choose_row": "change",
        "undo": "undo",
        "redo": "redo",
        "reset": "reset",
        "save": "save",
        "load": "load",
        "back": "back",
        "why": "why",
    },
    "compare": {
        "compare_before": "before",
        "compare_after": "after",
        "compare_swap": "swap",
        "compare_beside": "side by side",
        "choose_row": "to the text",
    },
    "agents": {"choose_row": "edit the file"},
    "savings": {"choose_row": "set or go to"},
    "timings": {},
    "differences": {
        "choose_row": "to the text",
        "differences_predicted": "in the prediction",
        "differences_sent": "in what was sent",
        "differences_beside": "side by side",
        "differences_view": "view",
    },
    "responses": {"choose_row": "edit an input"},
    "completion": {"choose_row": "take", "step_edit": "edit", "step_undo": "undo", "step_restart": "restart"},
    "transcript": {"choose_row": "go on from here", "transcript_editor": "edit its line"},
    "report": {"report_next": "next view", "report_previous": "previous view"},
}
"""By the id of the pane or the screen: the actions with their words there."""

_SPLIT = {"next_pane": "other list", "split_copy": "copy", "split_close": "back"}

_LAST: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("compare", "agents", "savings", "timings", "differences", "responses", "completion"), _SPLIT),
    "transcript": {"transcript_close": "back"},
    "report": {"report_close": "back"},
}


def footer(pane: str, actions: Sequence[Action]) -> Iterator[tuple[Action, str]]:
    """The actions that the footer offers in a pane, each with its word there: first its own, then the others that have
    a word in the table."""
    own = {**_FIRST.get(pane, {}), **_LAST.get(pane, {})}
    by_id = {action.id: action for action in actions}
    yield from ((by_id[id], words) for id, words in own.items() if id in by_id)
    if pane not in _LAST:
        yield from ((action, action.footer) for action in actions if action.footer and action.id not in own)
