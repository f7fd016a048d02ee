"""The facts that promptscope predicts for a situation, asked in this process."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.registry import registered_agent
from promptscope_engine.prompt.model import to_json

from .clients import client_of
from .facts import facts_of
from .placing import fill, placed, scratch
from .situation import Facts, Json, Situation

NOTHING_SENT = {"agent-refuses", "command-local", "command-kept", "command-unknown"}
"""Notes that say that no request goes out."""


def predicted(situation: Situation, *, keep: bool = False) -> Facts:
    """What promptscope says that the client sends. Its own failure is a result too: `started` None, with `error`."""
    with placed(situation, scratch(), keep=keep) as root:
        filled = filled_in(situation, root)
        wanted = scenario(filled, root)
        try:
            first, notes, model = _request(wanted)
            read = () if filled.calls else filled.reads  # the model makes the calls in place of the reads
            reads = [str(root / path) for path in read]
            last = _request({**wanted, "reads": reads})[0] if first is not None and reads else None
        except Exception as error:
            return {"started": None, "error": f"{type(error).__name__}: {error}"[:300]}
        if keep:
            (root / "predicted.json").write_text(json.dumps([first, last], ensure_ascii=False, indent=1))
            sys.stderr.write(f"{root}\n")
        if first is None:
            return {"started": False, "notes": notes}
        facts = facts_of(situation, root, first, last)
        return {**facts, "model": facts["model"] or model, "notes": notes}


def filled_in(situation: Situation, root: Path) -> Situation:
    """The situation with the root's paths in everything that starts an agent."""
    parts = ("args", "env", "reads", "prompt", "calls", "told")
    return replace(situation, **{part: fill(getattr(situation, part), root) for part in parts})


def scenario(situation: Situation, root: Path) -> Json:
    """The scenario that stands for a situation, which is filled in."""
    client = client_of(situation)
    found: Json = {
        "agent": situation.agent,
        "workspace": str(root / situation.cwd),
        "home": str(root / "home"),
        "outside_links": "follow",
        "mcp_servers": [],
        "managed": str(_managed(root, client.managed)),
        **fill(client.scenario(situation), root),
    }
    if client.asks_by:
        found["params"][client.asks_by] = situation.prompt
    if situation.version in registered_agent(situation.agent).versions:
        found["agent_version"] = situation.version
    for name in ("model", "mode"):
        if situation.args.get(name):
            found[name] = situation.args[name]
    return _merged(found, situation.told)


def _managed(root: Path, name: str) -> Path:
    """The administrator's folder; an empty one stands for the machine's own."""
    folder = root / "etc" / name
    return folder if folder.is_dir() else root / "no-managed"


def _merged(below: Json, above: Json) -> Json:
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        found[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found


def _request(wanted: Json) -> tuple[Json | None, list[str], str | None]:
    """(Request, codes of the diagnostics, the model that is asked); no request where the agent would not start."""
    assembly = assemble(Scenario.model_validate(wanted), cached_only=True)  # nothing here asks for tokens
    notes = sorted({note.code or "?" for note in assembly.diagnostics})
    request: Any = None if NOTHING_SENT.intersection(notes) else to_json(assembly.request)
    return request, notes, assembly.model
