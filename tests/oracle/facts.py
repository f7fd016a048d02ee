"""The facts of a request: our marks, stretches of our own text, listing lines, paths and names of tools.

Nothing here keeps a sentence of the vendor's: of a line that is not ours only the name stays.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from .bodies import texts_of, tools_of
from .markers import MARK, OWN_NAME, in_runs
from .placing import unfill
from .situation import Facts, Json, Situation

MIXED = "…"
"""In the place of the hash of a stretch that holds a sentence of the client's, which is not compared."""

_TOLD = "\n> WARNING: MEMORY.md is "
"""What begins Claude Code's note on a memory that is cut: it quotes the first line that is left out."""

_TAGGED = re.compile(r"<name>(.*?)</name>\s*<description>(.*?)</description>", re.DOTALL)
_SKILL = re.compile(r"<name>([^<\n]*)</name>\s*<description>(.*?)</description>", re.DOTALL)
"""The same where what is listed otherwise has tags of these names, too."""
_LOCATED = re.compile(rf"{_SKILL.pattern}\s*<location>(\w*)</location>", re.DOTALL)
"""The same of a listing that tells where each comes from."""
_PLACE = re.compile(r" \((from|scoped to) (\S+) — .*\)$")
_PATH = re.compile(r"\{(?:HOME|REPO|ROOT)\}[^\s\"'<>`()\[\],:;]*")


def facts_of(situation: Situation, root: Path, first: Json, last: Json | None = None) -> Facts:
    """The facts of the `first` request, and as place `late` of what is behind it in the `last` one."""
    seen = texts_of(first)
    texts = [(place, unfill(text, root)) for place, text in seen]
    if last is not None:
        texts += [("late", unfill(text, root)) for _, text in texts_of(last)[len(seen) :]]
    tools = tools_of(first) if situation.agent != "roo" else _described(first)
    marks = [[place, mark[0]] for place, text in texts for mark in MARK.finditer(text)]
    marks += [[f"tool:{name}", mark[0]] for name, schema in tools.items() for mark in MARK.finditer(schema)]
    listed = [(place, text) for place, text in texts if place != "system" or situation.agent != "claude-code"]
    return {
        "started": True,
        "marks": in_runs(marks),
        "spans": [span for place, text in texts for span in _spans(situation.agent, place, text)],
        "entries": [entry for place, text in listed for entry in _entries(situation.agent, place, text)],
        "paths": [path for place, text in texts for path in _paths(situation, place, text)],
        "tools": sorted(tools),
        "model": first.get("model") or (first.get("options") or {}).get("model"),
    }


def _described(first: Json) -> dict[str, str]:
    """The tools of an agent whose tools are a part of its system prompt."""
    return dict.fromkeys(re.findall(r"(?m)^## ([a-z]+_[a-z_]+)$", texts_of(first)[0][1]), "")


def _spans(agent: str, place: str, text: str) -> list[list[str | int]]:
    """The whole lines from the first to the last mark of each stem that has more than one."""
    runs: list[tuple[str, int, int, int]] = []
    for mark in MARK.finditer(text):
        if agent == "roo" and not mark[3]:  # a mode's role is at two places, far from each other
            continue
        stem = f"ZQ{mark[1]}{mark[2]}"
        again = agent == "roo" and mark[3] == "0001"  # mentioned twice
        if runs and runs[-1][0] == stem and not again:
            runs[-1] = (stem, runs[-1][1], mark.end(), runs[-1][3] + 1)
        else:
            runs.append((stem, mark.start(), mark.end(), 1))
    found: list[list[str | int]] = []
    for stem, start, end, count in runs:
        if count > 1:
            behind = text.find("\n", end)
            own = text[text.rfind("\n", 0, start) + 1 : len(text) if behind < 0 else behind]
            digest = hashlib.sha1(own.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            found.append([place, stem, len(own), MIXED if _TOLD in own else digest])
    return found


def _entries(agent: str, place: str, text: str) -> list[list[str]]:
    """Lines of listings: [place, name, our description, tools]."""
    if agent in ("gemini", "openclaw", "opencode"):
        return [
            [place, name.strip(), _short(text.strip()) if MARK.search(text) or OWN_NAME.search(name) else "…", ""]
            for name, text in (_SKILL if agent in ("opencode", "openclaw") else _TAGGED).findall(text)
        ]
    if agent == "copilot":
        return [
            [place, name, _short(what) if MARK.search(what) or OWN_NAME.search(name) else "…", where]
            for name, what, where in _LOCATED.findall(text)
        ]
    if agent == "roo":
        modes = re.findall(r'(?m)^  \* "(.*)" mode \(([\w-]+)\) - (.*)$', text)
        return [[place, f"{slug} {name}", _short(what) if MARK.search(what) else "…", ""] for name, slug, what in modes]
    found = []
    for line in re.findall(r"(?m)^- (.*)$", text):
        mark = MARK.search(line)
        if mark and mark[3]:  # a line of an instruction text
            continue
        name, _, description = line.partition(": ")
        description = _PLACE.sub(r" [\1 \2]", description)
        tools = re.search(r" \(Tools: (.*?)\)$", description)
        if tools:
            description = description[: tools.start()]
        if mark or (OWN_NAME.search(name) and len(name) < 100):
            found.append([place, name, _short(description), _short(tools[1] if tools else "")])
        elif agent == "claude-code" and re.fullmatch(r"\w[\w.-]*(:[\w.-]+)*", name):
            found.append([place, name, "…" if description else "", ""])
    return found


def _paths(situation: Situation, place: str, text: str) -> list[list[str]]:
    """The paths of the situation's own files that the text mentions."""
    names = {path.rsplit("/", 1)[-1] for path in situation.files}
    found = dict.fromkeys(path.rstrip(".") for path in _PATH.findall(text))
    return [[place, path] for path in found if path.rsplit("/", 1)[-1] in names]


def _short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:40]}…{len(text)}…{text[-24:]}"
