"""`promptscope watch`: live reload as a stream."""

import json
from queue import SimpleQueue
from typing import Any, Literal

from msgspec.structs import replace

from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.reuse import LastDrafts
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.comparison import Comparison, compare
from promptscope_engine.prompt.model import Assembly, to_json
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import put, put_shown
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.text.words import number, short_path
from promptscope_tui.watching.status import WatchStatus
from promptscope_tui.watching.watcher import Watcher

from .options import Options, with_options
from .table import command

Notation = Literal["text", "jsonl"]


@command("watch")
@with_options
def watch(options: Options, notation: Notation) -> None:
    """Print a line whenever a save changes the prompt: which files, what changed in it, and what it costs now."""
    scenario = options.scenario()
    workspace, counter = Workspace(), counter_for(scenario.model)
    knowledge = replace(knowledge_for(scenario), drafts=LastDrafts(workspace))
    before = assemble(scenario, workspace, counter, knowledge=knowledge)
    exits.report(before.diagnostics, verbose=options.verbose)
    _put(_begun(before), notation)
    saved: SimpleQueue[frozenset[str]] = SimpleQueue()
    watcher = Watcher(workspace, saved.put, _Saying())
    watcher.start()
    try:
        while True:
            paths = saved.get()
            workspace.forget(paths)
            try:
                after = assemble(scenario, workspace, counter, knowledge=knowledge)
            except ScenarioError as error:
                _put({"event": "error", "paths": _shown(paths, before), "message": str(error)}, notation)
            else:
                if (found := compare(before, after)).differs:
                    _put(_changed(found, paths, after), notation)
                before = after
            watcher.update()
    finally:
        watcher.stop()
        counter.flush()


class _Saying:
    """Says on stderr why not everything is watched, and when it is again."""

    def __init__(self) -> None:
        self._problems: frozenset[str] = frozenset()

    def __call__(self, status: WatchStatus) -> None:
        if status.problems != self._problems:
            self._problems = status.problems
            exits.say(f"promptscope: {status.detail}")


def _begun(assembly: Assembly) -> dict[str, Any]:
    return {
        "event": "start",
        "agent": assembly.agent,
        "agent_version": assembly.agent_version,
        "mode": assembly.mode,
        "tokens": assembly.tokens.expected,
        "window": assembly.tokens.window,
    }


def _changed(found: Comparison, paths: frozenset[str], after: Assembly) -> dict[str, Any]:
    return {
        "event": "change",
        "paths": _shown(paths, after),
        "tokens": found.after.tokens,
        "difference": found.tokens,
        "sections": [{"id": each.id, "change": each.change, "tokens": each.tokens} for each in found.sections],
        "tools": [{"name": each.name, "change": each.change, "tokens": each.tokens} for each in found.tools],
        "files": [{"path": each.path, "change": each.change, "tokens": each.tokens} for each in found.files],
        "problems": to_json(found.problems),
    }


def _shown(paths: frozenset[str], assembly: Assembly) -> list[str]:
    return [short_path(path, assembly) for path in sorted(paths)]


def _put(event: dict[str, Any], notation: Notation) -> None:
    if notation == "jsonl":
        put(json.dumps(event) + "\n")
    else:
        put_shown(_line(event) + "\n")


def _line(event: dict[str, Any]) -> str:
    match event["event"]:
        case "start":
            who = " ".join(filter(None, (event["agent"], event["agent_version"], event["mode"])))
            return f"{who}: {number(event['tokens'])} of {event['window']:,} tokens"
        case "error":
            return f"{', '.join(event['paths'])}: {event['message']}"
    parts = [f"{each.get('id') or each.get('name')} {each['change']}" for each in (*event["sections"], *event["tools"])]
    parts += [f"{each['path']} {each['change']}" for each in event["files"] if each["change"] != "changed"]
    parts += [f"{each['severity']}: {each['message']}" for each in event["problems"] if each["change"] == "added"]
    what = "; ".join(parts) or "the same text"
    return f"{', '.join(event['paths'])}: {number(event['tokens'])} tokens ({event['difference'] or 0:+,}): {what}"
