"""`python -m tests.after record SITUATION.json… --out DIR`: runs real clients, and writes what they sent as facts."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from tests.oracle.bodies import tools_of
from tests.oracle.namespace import enter_namespace
from tests.oracle.standin import serving

from .asking import SUMMARY, Script
from .comparing import lines_of, system_of, text_of
from .running import LOG, running
from .worlds import World, world_of

Json = Any
_TAG = re.compile(r"<([a-zA-Z][\w:-]{2,40})(?=[\s>])")
_CACHED = re.compile(r'"cache_control": \{[^}]*\}(, )?')
_TAGS, _LONG = 12, 60_000
_CALLS = ("tool_use", "function_call", "custom_tool_call")
_RESULTS = ("tool_result", "function_call_output", "custom_tool_call_output")
_PLAIN = (None, "text", "input_text", "output_text", "message")


def main(arguments: list[str]) -> None:
    """Record the situations of some files, one file for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.after record", description=__doc__)
    parser.add_argument("situations", type=Path, nargs="+", help="situations, or recorded runs to be made again")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the runs")
    parser.add_argument("--keep", type=Path, help="a folder for the bodies: vendors' words, never to be stored")
    given = parser.parse_args(arguments)
    enter_namespace()
    given.out.mkdir(parents=True, exist_ok=True)
    for path in given.situations:
        loaded = json.loads(path.read_text())
        for each in loaded if isinstance(loaded, list) else [loaded]:
            situation, start = each.get("situation", each), time.monotonic()
            bodies = asked(situation, given.keep)
            found = json.dumps({"situation": situation, "requests": facts(bodies)}, ensure_ascii=False)
            (given.out / f"{situation['id']}.json").write_text(f"{found}\n")
            kinds = " ".join(f"{step}{kind[0]}" for step, kind, _ in bodies)
            sys.stdout.write(f"{situation['id']} {time.monotonic() - start:.0f} s {kinds}\n")
            sys.stdout.flush()


def asked(situation: Json, keep: Path | None = None) -> list[tuple[int, str, Json]]:
    """What the client asks at which step, and what for. `keep`: a folder for the bodies and the client's own words."""
    with (
        world_of(situation, live=True) as world,
        serving(Script(situation.get("summary") or SUMMARY)) as script,
    ):
        client = running(world, script)
        try:
            for number, step in enumerate(world.fill(situation["steps"])):
                script.step = number
                _change(world, step)
                if "restart" in step:
                    client.restart(step["restart"], fresh=step.get("fresh", False))
                if said := step.get("keys", step.get("say")):
                    script.replies = list(step.get("replies", []))
                    client.say(said)
        finally:
            client.end()
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{situation['id']}.json").write_text(json.dumps(script.asked, ensure_ascii=False, indent=1))
                shutil.copy(world.root / LOG, keep / f"{situation['id']}.log")
        return script.asked


def _change(world: World, step: Json) -> None:
    if "write" in step:
        world.write(step["write"])
    if "remove" in step:
        world.remove(step["remove"])
    if "run" in step:
        world.run(step["run"])
    time.sleep(step.get("wait", 0))


def facts(bodies: list[tuple[int, str, Json]]) -> list[Json]:
    """Of each request sizes, names and our marks, without the messages that it begins with as the one before did."""
    found, before = [], list[str]()
    for step, kind, body in bodies:
        items = body.get("messages") or body.get("input") or body.get("contents") or []
        plain = [_CACHED.sub("", json.dumps(item, sort_keys=True)) for item in items]
        same = next((n for n, (one, other) in enumerate(zip(plain, before, strict=False)) if one != other), None)
        same = min(len(plain), len(before)) if same is None else same
        system = system_of(body)
        fact = {"step": step, "kind": kind, "system": {"chars": len(system), "marks": lines_of(system)}}
        fact |= {"tools": [*tools_of(body)], "messages": [_message(item) for item in items[same:]]}
        found.append({**fact, "messages_from": same})
        before = before if kind == "side" else plain
    return found


def _message(item: Json) -> Json:
    content = item.get("content", item.get("parts"))
    parts = content if isinstance(content, list) else [item if content is None else content]
    made: Json = {"role": item.get("role") or item.get("type"), "blocks": [_block(part) for part in parts if part]}
    if item.get("tool_calls"):
        made["calls"] = [call["function"]["name"] for call in item["tool_calls"]]
    return made


def _block(part: Json) -> Json:
    part = {"text": part} if isinstance(part, str) else part
    text, kind = text_of(part), part.get("type")
    made: Json = {"chars": len(text)}
    if "functionCall" in part or kind in _CALLS:
        made["call"] = (part.get("functionCall") or part)["name"]
    elif "functionResponse" in part or kind in _RESULTS:
        made["result"] = True
    elif kind not in _PLAIN:
        made["type"] = kind
    if (tags := [*dict.fromkeys(_TAG.findall(text))]) and len(text) < _LONG:
        made["tags"] = tags[:_TAGS]
    if marks := lines_of(text):
        made["marks"] = marks
    return made
