"""Captures of what nobody sent: a prediction in our own words, with a few things changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from promptscope_engine import assemble
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.model import Capture, End, Fidelity, Header
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.capturing import store

Change = Callable[[dict[str, Any]], None]

STARTED = "2026-03-02T12:00:00+00:00"
TITLE = {"model": "claude-haiku-4-5", "messages": [{"role": "user", "content": "Write a title for: hi"}]}


def body_of(scenario: Scenario, change: Change) -> dict[str, Any]:
    """What Claude Code is predicted to send, changed."""
    assembly = assemble(scenario)
    sent = json.loads(json.dumps(assembly.to_dict()["request"]))
    body = copy.deepcopy({key: sent[key] for key in ("system", "messages", "tools")})
    change(body)
    return {**body, "model": assembly.model}


def captured(scenario: Scenario, path: Path, change: Change = lambda _: None) -> Path:
    """A capture of `claude -p hi` in the scenario's workspace: a request for a title, then the main one."""
    printing = scenario.with_value("args.print", True)
    header = Header(
        agent="claude-code",
        agent_version=scenario.agent_version,
        started=STARTED,
        command=("claude", "-p", "hi"),
        cwd=scenario.workspace,
        home=scenario.home,
        prompt="hi",
        login="kept",
        fidelity=Fidelity("unredirected"),
    )
    requests = [
        recorded(number, Exchange(path="/v1/messages", body=body, bytes=len(json.dumps(body)), time=STARTED))
        for number, body in enumerate((TITLE, body_of(printing, change)), 1)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    store.save(Capture(header, labelled(requests, "hi"), End("by itself", STARTED, 0, main=2)), path)
    return path


def other_words(body: dict[str, Any]) -> None:
    """One tool more, one less, a paragraph that nobody predicted, and another word in what is predicted."""
    body["tools"] = [tool for tool in body["tools"] if tool["name"] != "Write"]
    body["tools"].append(
        {"name": "Ledger", "description": "Reads the ledger of the shop.", "input_schema": {"type": "object"}}
    )
    last = body["system"][-1]
    head, _, rest = last["text"].partition("\n")
    added = "# Night shift\n\nAfter eight in the evening, write the summary first and the details below it.\n\n"
    last["text"] = f"{head}\n{rest.replace(' the ', ' this ', 3)}\n\n{added * 4}"
