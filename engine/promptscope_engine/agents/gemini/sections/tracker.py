"""`# TASK MANAGEMENT PROTOCOL`: the task tracker (specs/gemini.md 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.wording import lines
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, computed, label

from .part import part

HEADING = "# TASK MANAGEMENT PROTOCOL"

_INTRO = "You have a tracker for tasks that outlasts the single turn. Its files lie in "
_INTRO_REST = "; read and change them with the tracker's tools alone, never by hand. What stands in there is the truth about the state of the work, and goes before your memory of it."
_POINTS = {
    "no_lists": "1. **No other lists:** Do not keep lists of work in files of the project, nor in your answers. A list in two places is wrong in one of them.",
    "first": "2. **At once:** As soon as a request takes more than a step or two, put its tasks into the tracker with `tracker_create_task`, before you begin to work on the first. For a plan that has been approved, make a task of every step of it.",
    "hierarchy": "3. **In order:** An `epic` stands for the whole of a request, `task` for a piece of it, `bug` for a fault. Give every piece its parent, so that it can be seen what it belongs to.",
    "dependencies": "4. **What comes first:** If something cannot be done before something else, say so with a dependency. Never begin with a task while one that it depends on is open.",
    "status": "5. **As it is:** Set a task to `in_progress` when you begin with it, one at a time, and to `closed` when it is finished; set it to `blocked` where something outside holds it up. Use `tracker_update_task` for that in the very turn in which it happens.",
    "verify": "6. **Closed means checked:** A task is closed once its result was seen to be right, by a test, by a build, by looking at it. Not before, and not because the code has been written.",
    "found": "7. **What turns up:** Faults and further work that you come across go into the tracker, as tasks of their own, instead of being done along the way.",
    "look": "8. **Where things stand:** With `tracker_list_tasks` you see what is open. Look there before you choose what to do next, after an interruption, and whenever you are not sure. `tracker_visualize` draws the whole of it.",
    "finish": "9. **At the end:** Do not say that you are finished while there are open tasks of the request. Close them, or say which of them are left, and why.",
    "user": "10. **For the user:** The tracker is there for your work. Tell the user about the work, and not about the upkeep of its tasks.",
}


def tracker(m: Materials) -> SectionDraft:
    """There with the task tracker, which brings its tools, too."""
    return part(m, "tracker", "Task Management Protocol", HEADING, _pieces(m), m.gates.tracker)


def _pieces(m: Materials) -> Iterator[Piece]:
    yield label(f"{HEADING}\n")
    yield builtin("tracker.intro", _INTRO)
    yield label("`")
    yield computed("tracker", m.tracker)
    yield label("`")
    yield builtin("tracker.intro.rest", f"{_INTRO_REST}\n")
    yield from lines("tracker", _POINTS, before="\n")
