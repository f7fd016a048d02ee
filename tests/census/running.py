"""A world's request: what the real client sends, and what promptscope predicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.oracle.bodies import texts_of, tools_of
from tests.oracle.clients import client_of
from tests.oracle.clients.client import Launch
from tests.oracle.placing import fill, placed, scratch, unfill
from tests.oracle.predicting import NOTHING_SENT, filled_in, scenario
from tests.oracle.processes import headless, on_terminal
from tests.oracle.running import chosen, with_managed
from tests.oracle.situation import Json, Situation
from tests.oracle.standin import standing_in

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Program, to_json

from .changes import Seen, seen_of
from .worlds import Start, offers

LIMIT = 60.0
"""Seconds that a client may take, unless the oracle gives it more: OpenClaw, whose start is work for ten."""


@dataclass(frozen=True)
class Answer:
    """What came of a start: the request's facts, or none where nothing was asked, with the reason in few words.

    `why` is promptscope's or this machine's, never kept in a store.
    """

    seen: Seen | None
    why: str = ""
    notes: tuple[str, ...] = ()
    hung: bool = False


def asked(start: Start) -> Answer:
    """The real client's request. Raises MissingClientError."""
    client = client_of(start.situation)
    with placed(start.situation, Path(client.base)) as root:
        filled = filled_in(start.situation, root)
        calls = filled.calls or (client.read_calls([str(root / path) for path in filled.reads]) if filled.reads else [])
        with standing_in(calls) as standin:
            launch = client.launch(filled, standin.port, root)
            environment = {**launch.environment, **start.client_env}
            environment = {name: value for name, value in environment.items() if name not in start.unset}
            launch = Launch(_with_words(launch.command, fill(start.words, root)), environment)
            limit = max(LIMIT, client.limit)
            launch, folder = with_managed(launch, root), root / filled.cwd
            if filled.args.get("interactive"):
                ended = on_terminal(launch, folder, limit, lambda: _is_answered(filled, standin.requests()))
            else:
                done = None if filled.reads or filled.calls else lambda: _is_answered(filled, standin.requests())
                ended = headless(launch, folder, limit, done)
            requests = standin.requests()
        if not requests:
            said = [line for line in unfill(ended.said, root).split("\n") if line.strip()]
            errors = [line for line in said if re.search(r"(?i)error|invalid|unknown|expected|fail", line)] or said
            return Answer(None, " ".join(errors[-2:])[:200], hung=ended.status is None)
        return Answer(seen_of(_compared(filled, requests), root))


def predicted(start: Start) -> Answer:
    """promptscope's prediction; its own failure is an answer without facts, too."""
    with placed(start.situation, scratch()) as root:
        filled = filled_in(start.situation, root)
        wanted = scenario(replace(filled, env=fill(filled.env, root)), root)
        wanted["env"] = {name: value for name, value in wanted["env"].items() if name not in start.unset}
        if "args" in wanted["params"]:
            wanted["params"]["args"] = _known_options(start.situation.agent, wanted["params"]["args"])
        if filled.reads and not filled.calls:
            wanted["reads"] = [str(root / path) for path in filled.reads]
        try:
            assembly = assemble(Scenario.model_validate(_told(wanted, start)), cached_only=True)
        except Exception as error:
            return Answer(None, f"{type(error).__name__}: {error}"[:200], ("failed",))
        notes = tuple(sorted({note.code or "?" for note in assembly.diagnostics}))
        body = None if NOTHING_SENT.intersection(notes) else to_json(assembly.request)
        if not isinstance(body, dict):
            return Answer(None, ", ".join(NOTHING_SENT.intersection(notes)), notes)
        seen = seen_of(body, root)
        seen["rest"].setdefault("model", assembly.model)
        return Answer(seen, notes=notes)


def _told(wanted: Json, start: Start) -> Json:
    """The scenario with what only a run tells: the answers of the servers and the output of the hooks that promptscope
    itself finds. A server of the worlds is a stand-in, and a hook an `echo`."""
    open_ended = {key: value for key, value in wanted.items() if key != "mcp_servers"}  # which it asks would start
    found = assemble(Scenario.model_validate(open_ended), cached_only=True)
    by_name = start.servers  # that of a plugin has the plugin's name in front
    its_own = [one.name for one in found.servers if one.configured]
    names = {name: by_name.get(name) or by_name.get(name.rsplit(":", 1)[-1]) for name in its_own}
    answers = [{"name": name, "status": "connected", **offers(one)} for name, one in names.items() if one]
    wanted = {**wanted, "mcp_servers": answers}
    params = wanted["params"]
    if start.situation.calls and _is_started(wanted):
        params = {**params, "prompt": start.situation.calls[0][0]["input"].get("prompt", start.situation.prompt)}
    elif start.situation.calls:  # what is compared then is the session's own request
        params = {key: value for key, value in params.items() if key != "subagent"}
    if printed := _printed(found.programs):
        params = {**params, "hooks": {**params.get("hooks", {}), **printed}}
    return {**wanted, "params": params}


def _is_started(wanted: Json) -> bool:
    """Whether the session can start the sub-agent, whose task is the prompt then: its request lists it."""
    own = {key: value for key, value in wanted["params"].items() if key != "subagent"}
    notes = assemble(Scenario.model_validate(wanted), cached_only=True).diagnostics
    session = assemble(Scenario.model_validate({**wanted, "params": own}), cached_only=True)
    listed = f"- {wanted['params'].get('subagent')}:" in json.dumps(to_json(session.request))
    return listed and not any("subagent" in (note.code or "") for note in notes)


def _printed(programs: Iterable[Program]) -> dict[str, str]:
    """What the hooks print that promptscope says are run: those of the worlds are `echo`."""
    found: dict[str, list[str]] = {}
    for each in programs:
        if each.kind == "hook" and each.present and each.name.startswith("echo "):
            found.setdefault(each.event, []).append(each.name.removeprefix("echo "))
    return {event: "\n".join(lines) for event, lines in found.items() if event in ("SessionStart", "UserPromptSubmit")}


def _known_options(agent: str, args: Json) -> Json:
    """The options that promptscope has an input for: of any other it can be told nothing."""
    known = {field.name for field in inputs_of(load_agent(agent))}
    return {name: value for name, value in args.items() if f"args.{name}" in known}


def _compared(situation: Situation, requests: list[Json]) -> Json:
    """The request that is compared: the first of the conversation, and the last one where files are read."""
    wanted = chosen(situation.request, requests) or requests
    if situation.reads:
        return wanted[-1]
    return next((body for body in wanted if _asks(body, situation.prompt)), wanted[0])


def _is_answered(situation: Situation, requests: list[Json]) -> bool:
    """Whether the request that is compared has come: what the client does with the reply is no matter then."""
    found = chosen(situation.request, requests)
    return any(tools_of(body) and _asks(body, situation.prompt) for body in found)


def _asks(body: Json, prompt: str) -> bool:
    """Whether a request is the session's: an agent may ask small things of its own beside it."""
    return any(place.endswith("user") and text.strip().endswith(prompt.strip()) for place, text in texts_of(body))


def _with_words(command: list[str], words: list[str]) -> list[str]:
    """The command with more words, before the prompt where that is told from them by a flag."""
    at = next((command.index(word) for word in ("--", "-p") if word in command), len(command))
    return [*command[:at], *words, *command[at:]]
