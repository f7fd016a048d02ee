"""The environment details from plain facts, made by the prompt's own sections (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from promptscope_engine.agents.roo.gather.editor import DEFAULT_LIMITS, Listing, LocalTime, Session, details, todo_rows
from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.params import Editor, RooParams
from promptscope_engine.agents.roo.sections import details_sections
from promptscope_engine.inputs.params import flatten
from promptscope_engine.javascript.text import js_trim_end
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.prompt.spans import Spans

_EDITOR_SETTINGS = ("maxWorkspaceFiles", "maxOpenTabsContext", "showRooIgnoredFiles")


def environment_details(
    *,
    cwd: str,
    now: str,
    time_zone: str,
    utc_offset: int,
    mode: Mapping[str, Any],
    model: str,
    home: str | None = None,
    visible_files: Sequence[str] = (),
    open_tabs: Sequence[str] = (),
    ignore: RooIgnore | None = None,
    terminals: Sequence[Mapping[str, Any]] = (),
    recently_modified: Sequence[str] = (),
    cost: float = 0,
    power_steering: bool = False,
    files: Mapping[str, Any] | None = None,
    todos: Sequence[Mapping[str, Any]] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """The text block, tags included.

    Paths: `cwd`, `home`, `visible_files` and `open_tabs` are absolute, `recently_modified` relative. `ignore`
    is None only for an agent without .rooignore handling. `terminals` are `[{id, cwd, busy, task, command?,
    output?, processes?}]`, `task` being `"own"`, another task's id or None (in the background), `processes`
    `[{command, output}]` the finished ones, newest first. `now` is ISO 8601 in UTC with milliseconds,
    `utc_offset` minutes east, `cost` dollars. `mode` is `{slug, name, role?, instructions?}` as resolved; its
    role and instructions are shown with `power_steering`. `files` is `{paths, did_hit_limit}` with absolute
    paths, None for a message without a listing. `todos` are `[{id, content, status}]`; `settings` are the agent's,
    under its own names.
    """
    given = settings or {}
    editor = Editor(
        openTabs=list(open_tabs),
        visibleFiles=list(visible_files),
        recentlyModified=list(recently_modified),
        terminals=[{key: v for key, v in t.items() if v is not None or key == "task"} for t in terminals],
        todos=[{"content": todo["content"]} for todo in todos or ()],
        cost=cost,
        **{name: given[name] for name in _EDITOR_SETTINGS if name in given},
    )
    params = RooParams(
        task="x",
        editor=editor,
        experiments={"powerSteering": power_steering},
        settings={"todoListEnabled": given.get("todoListEnabled", True)},
    )
    names = ("terminalOutputLineLimit", "terminalOutputCharacterLimit")
    lines, characters = map(given.get, names, DEFAULT_LIMITS)
    listing = Listing((), False) if files is None else Listing(tuple(files["paths"]), files["did_hit_limit"])
    session = Session(mode["slug"], mode["name"], model, LocalTime(now, time_zone, utc_offset))
    shown = details(editor, session, cwd, home, ignore, listing, (lines, characters))
    shown["todos"] = todo_rows((todo["content"], todo["status"]) for todo in todos or ())
    sections = details_sections(shown, _spans("role", mode), _spans("instructions", mode))
    facts = Facts(params=flatten(params.model_dump()))
    texts = {
        section.id.partition(".")[2]: "".join(span.text for span in section.spans if span.when.holds(facts))
        for section in sections
        if section.when.holds(facts)
    }
    if files is None:
        del texts["workspace_files"]
    opening, closing, todo_list = texts.pop(""), texts.pop("end"), texts.pop("todos", "")
    # The parts are trimmed as a whole: nothing trails behind the last one.
    return opening + js_trim_end("".join(texts.values())) + todo_list + closing


def _spans(key: str, mode: Mapping[str, Any]) -> Spans:
    text = mode.get(key) or ""
    return (computed(f"mode.{key}", text),) if text else ()
