"""What a turned knob changes in a request, without a word of the vendor's: tools, sizes, our own marks and lines.

A change is an object with these keys, each only where there is something to say:

    tools+ tools-   names that came and went
    tools~          {name: characters more}, of a description and schema that changed
    text+ text-     {role: characters of the lines that came and went}; a role is system, user, developer, …
    marks+ marks-   {"role mark": count} of our own marks
    own+ own-       hashes of the lines with a mark of ours in them that came and went, sorted
    order           true where the same lines are in another order
    rest            keys of the request's other parts that changed, which aren't the prompt
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.oracle.bodies import texts_of, tools_of
from tests.oracle.placing import unfill
from tests.oracle.situation import Json

MARK = re.compile(r"mark-[a-z0-9-]*[a-z0-9]|ZQ\w+")
_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:ses|msg|prt|call|toolu|resp)_[A-Za-z0-9]{6,}"
    r"|\b[0-9a-f]{64}\b|\b[0-9a-f]{7,40}(?= ZQcommit)|cc_version=[^;]*;|cch=\w+;?|127\.0\.0\.1:\d+|/media/o\w{8}x*"
    r"|/dev/shm/o\w{8}x*|-(?:media|dev-shm)-o[\w-]{8}x*"
    r"|20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|agentId: \w+|\b\d+ms\b"
)
_BESIDE = ("system", "systemInstruction", "instructions", "messages", "input", "contents", "tools", "protocol")
_NOT_ASKED = (*_BESIDE, "client_metadata", "metadata", "prompt_cache_key", "user")

Line = tuple[str, str, int, bool]
"""(role, hash, characters, whether it has a mark of ours)"""


class Seen(dict[str, Any]):
    """What a request says: `lines`, `marks`, `tools` and `rest`."""


def seen_of(body: Json, root: Path) -> Seen:
    """The facts of a request."""
    lines: list[Line] = []
    marks: Counter[str] = Counter()
    for place, text in texts_of(body):
        role = place.split(":", 1)[-1]
        shown = _ID.sub("<id>", unfill(text, root))
        marks.update(f"{role} {mark}" for mark in MARK.findall(shown))
        lines += [(role, _hash(line), len(line), bool(MARK.search(line))) for line in shown.split("\n") if line.strip()]
    tools = {}
    for name, schema in tools_of(body).items():
        shown = _ID.sub(
            "<id>", unfill(json.dumps(_plain(json.loads(schema)), sort_keys=True, ensure_ascii=False), root)
        )
        tools[name] = (len(shown), _hash(shown))
        marks.update(f"tool {mark}" for mark in MARK.findall(shown))
    rest = {key: json.dumps(value, sort_keys=True) for key, value in body.items() if key not in _NOT_ASKED}
    return Seen(lines=lines, marks=marks, tools=tools, rest=rest)


def change(base: Seen, new: Seen, volatile: Iterable[str] = ()) -> Json:
    """What `new` has that `base` hasn't, and the reverse; lines whose hash is `volatile` say nothing."""
    skipped = set(volatile)
    sides = [[line for line in seen["lines"] if line[1] not in skipped] for seen in (base, new)]
    gone, came = Counter(sides[0]) - Counter(sides[1]), Counter(sides[1]) - Counter(sides[0])
    old, now = base["tools"], new["tools"]
    found: Json = {
        "tools+": sorted({*now} - {*old}),
        "tools-": sorted({*old} - {*now}),
        "tools~": {name: now[name][0] - old[name][0] for name in sorted({*old} & {*now}) if old[name] != now[name]},
        "text+": _sizes(came),
        "text-": _sizes(gone),
        "marks+": dict(sorted((new["marks"] - base["marks"]).items())),
        "marks-": dict(sorted((base["marks"] - new["marks"]).items())),
        "own+": sorted(line[1] for line in came.elements() if line[3]),
        "own-": sorted(line[1] for line in gone.elements() if line[3]),
        "order": not came and not gone and sides[0] != sides[1],
        "rest": sorted(key for key in {*base["rest"], *new["rest"]} if base["rest"].get(key) != new["rest"].get(key)),
    }
    return {key: value for key, value in found.items() if value}


def prompt_part(said: Json | None) -> Json:
    """A change without what isn't the prompt."""
    return {key: value for key, value in (said or {}).items() if key != "rest"}


def differences(real: Json, predicted: Json) -> list[str]:
    """Where two changes differ: the same tools, marks, roles, own lines and order, and sizes within a tenth (but 40
    characters at least, since the fixed prose is promptscope's own wording). Empty if they're alike."""
    real, predicted = prompt_part(real), prompt_part(predicted)
    found = [
        f"{key}: {json.dumps(real.get(key))} predicted {json.dumps(predicted.get(key))}"[:300]
        for key in ("tools+", "tools-", "marks+", "marks-", "own+", "own-", "order")
        if real.get(key) != predicted.get(key) and not (key.startswith("own") and key not in real)
    ]
    sizes = [real.get("tools~", {}), predicted.get("tools~", {})]
    found += [
        f"{name}: {sizes[0].get(name)} characters predicted {sizes[1].get(name)}"
        for name in sorted({*sizes[0]} | {*sizes[1]})
        if name not in sizes[0] or name not in sizes[1] or _far(sizes[0][name], sizes[1][name])
    ]
    for key in ("text+", "text-"):
        for role in sorted({*real.get(key, {})} | {*predicted.get(key, {})}):
            sides = [real.get(key, {}).get(role, 0), predicted.get(key, {}).get(role, 0)]
            if bool(sides[0]) != bool(sides[1]) or _far(*sides):
                found.append(f"{key} {role}: {sides[0]} characters predicted {sides[1]}")
    return found


def _far(one: int, other: int) -> bool:
    return abs(one - other) > max(40, 0.1 * max(abs(one), abs(other)))


def _sizes(lines: Counter[Line]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for (role, _, length, _), count in lines.items():
        found[role] += length * count
    return dict(sorted(found.items()))


def _plain(tool: Json) -> Json:
    """A tool without what decides how it is cached or streamed."""
    return {key: value for key, value in tool.items() if key not in ("cache_control", "eager_input_streaming")}


def _hash(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
