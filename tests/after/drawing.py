"""Random sessions to be recorded: `python -m tests.after.drawing AGENT FIRST LAST DIR` writes one for each seed.

A session reads, edits and writes files, invokes skills, is compacted, cleared, resumed or goes on, and then says one
more thing. What is drawn depends on the seed alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

Json = Any
_LAST = {"say": "ZQSAYSLAST go on"}


def drawn(agent: str, seed: int) -> Json:
    """The situation of a seed."""
    random = Random(f"{agent} {seed}")
    return {"id": f"{agent.partition('-')[0]}-drawn-{seed}", "agent": agent, **_SESSIONS[agent](random)}


def _numbered(mark: str, lines: int, width: int = 0) -> Json:
    return {"numbered": mark, "count": lines, "width": width}


def _claude(random: Random) -> Json:
    files: dict[str, Json] = {"repo/CLAUDE.md": "ZQROOT root\n", "home/.claude/CLAUDE.md": "ZQUSER user\n"}
    if random.random() < 0.5:
        files["repo/.claude/rules/plain.md"] = "ZQRULE always\n"
    names = []
    for n in range(random.randint(2, 8)):
        folder = random.choice(["", "src/", "lib/", "lib/deep/"])
        names.append(f"{folder}f{n}.txt")
        files[f"repo/{names[-1]}"] = _numbered(f"ZQF{n}", random.choice([3, 20, 400, 900]), random.choice([0, 99]))
    for folder, mark in (("src", "ZQNSRC"), ("lib", "ZQNLIB")):
        if random.random() < 0.6:
            files[f"repo/{folder}/CLAUDE.md"] = f"{mark} nested\n"
    if random.random() < 0.5:
        files["repo/.claude/rules/scoped.md"] = (
            f"---\npaths: {random.choice(['src/**', 'lib/**'])}\n---\nZQSCOPED scoped\n"
        )
    skills = [f"s{n}" for n in range(random.randint(0, 4))]
    for name in skills:
        head = f"---\nname: {name}\ndescription: ZQD{name.upper()} skill\n---\n"
        body = {"head": head, **_numbered(f"ZQB{name.upper()}", random.choice([3, 60, 190, 260]), 99)}
        files[f"repo/.claude/skills/{name}/SKILL.md"] = body
    every = [f"repo/{name}" for name in names] + [p for p in files if p.endswith(("/CLAUDE.md", "scoped.md"))]
    own = [path for path in every if path.startswith("repo/")]
    random.shuffle(own)
    touch = "; ".join(f'touch -d "2026-01-{28 - n:02} 00:00" {path[5:]}' for n, path in enumerate(own))
    steps: list[Json] = [{"run": touch}]
    for turn in range(random.randint(1, 5)):
        calls = [_claude_call(random, names, skills) for _ in range(random.randint(0, 4))]
        steps.append({"say": f"ZQSAYS{turn} hi", "replies": [{"calls": [call]} for call in calls]})
    model = random.choice(["claude-sonnet-4-5", "claude-sonnet-4-5", "claude-opus-5", "claude-opus-4-6"])
    model, then = _claude_event(random, model, steps)
    allowed = ["--allowedTools", "Read,Skill,Edit,Write,TaskCreate,TaskUpdate,ToolSearch,Bash"]
    plan = ["--permission-mode", "plan"] if random.random() < 0.15 else []
    steps = [*steps, *then, _LAST]
    return {"version": "2.1.332", "model": model, "args": [*allowed, *plan], "files": files, "steps": steps}


def _claude_event(random: Random, model: str, steps: list[Json]) -> tuple[str, list[Json]]:
    """What happens after the turns, and the model for which it does: a full window is claimed in the last turn."""
    event = random.choice(["compact", "compact", "compact", "auto", "clear", "resume", "resume-compact", "turn"])
    if event == "auto":
        replies = steps[-1]["replies"]
        if not replies or random.random() < 0.5:
            replies.append({})
        replies[-1]["usage"] = 990000
        return "claude-opus-5", []
    compact = {"say": random.choice(["/compact", "/compact ZQFOCUS words"])}
    resumed = {"restart": ["--continue"]}
    then = {
        "compact": [compact],
        "clear": [{"say": "/clear"}],
        "resume": [resumed],
        "resume-compact": [resumed, {"say": "ZQSAYSAGAIN on"}, compact],
        "turn": [],
    }
    return model, then[event]


def _claude_call(random: Random, names: list[str], skills: list[str]) -> Json:
    kind = random.random()
    if skills and kind < 0.35:
        return {"tool": "Skill", "input": {"skill": random.choice(skills)}}
    return {"tool": "Read", "input": {"file_path": "{REPO}/" + random.choice(names)}}


def _codex(random: Random) -> Json:
    files = {"repo/AGENTS.md": "ZQROOT root\n", "home/.codex/AGENTS.md": "ZQUSER user\n"}
    files["repo/.agents/skills/one/SKILL.md"] = "---\nname: one\ndescription: ZQDONE skill\n---\nZQBONE body\n"
    if random.random() < 0.5:
        files["repo/src/AGENTS.md"] = "ZQNESTED nested\n"
    steps: list[Json] = []
    count = random.randint(1, 6)
    for turn in range(count):
        words = " " + "word " * random.choice([1, 400, 3000, 9000, 14000])
        typed = f"ZQSAYS{turn}" + words + random.choice(["", "", "$one "]) + "end"
        replies: list[Json] = []
        if random.random() < 0.3:
            replies = [{"calls": [{"tool": "exec_command", "input": {"cmd": "echo hi"}}]}]
        if turn == count - 1 and random.random() < 0.7:
            replies = [*replies, {"usage": 60000}]
        steps.append({"say": typed, "replies": replies})
    if random.random() < 0.4:
        steps.append({"write": {"repo/AGENTS.md": "ZQROOTNEW root\n"}})
    args = ["-c", "model_auto_compact_token_limit=50000"]
    return {"version": "0.171.0", "args": args, "files": files, "steps": [*steps, _LAST]}


def _copilot(random: Random) -> Json:
    files: dict[str, Json] = {"repo/AGENTS.md": "ZQROOT root\n", "repo/src/AGENTS.md": "ZQNESTED nested\n"}
    for name in ("one", "two"):
        files[f"repo/.github/skills/{name}/SKILL.md"] = (
            f"---\nname: {name}\ndescription: ZQD{name}\n---\nZQB{name.upper()} body\n"
        )
    files["repo/src/a.txt"] = _numbered("ZQFILEA", 20)
    steps: list[Json] = []
    for turn in range(random.randint(1, 3)):
        calls = [{"tool": "skill", "input": {"skill": random.choice(["one", "two"])}}] * (random.random() < 0.5)
        calls += [{"tool": "view", "input": {"path": "{REPO}/src/a.txt"}}] * (random.random() < 0.5)
        steps.append({"say": f"ZQSAYS{turn} hello", "replies": [{"calls": [call]} for call in calls]})
    if random.random() < 0.4:
        steps.append({"write": {"repo/AGENTS.md": "ZQROOTNEW root\n"}})
    if random.random() < 0.7:
        steps.append({"say": "/compact"})
    return {"version": "1.0.102", "args": [], "files": files, "steps": [*steps, _LAST]}


@dataclass(frozen=True)
class _Kind:
    """What a client calls its files, and its calls that read, edit, write and use a skill."""

    instructions: str
    user: str
    skills: str
    read: Callable[[str], Json]
    edit: Callable[[str, str, str], Json]
    write: Callable[[str, str], Json]
    skill: Callable[[str], Json]
    lines: tuple[int, ...] = (3, 20, 400)

    def files(self, random: Random) -> dict[str, Json]:
        """Instructions of all folders, some text files, some skills."""
        found: dict[str, Json] = {f"repo/{self.instructions}": "ZQROOT root\n"}
        if random.random() < 0.5:
            found[self.user] = "ZQUSER user\n"
        for folder, mark in (("src", "ZQNSRC"), ("lib", "ZQNLIB"), ("lib/deep", "ZQNDEEP")):
            if random.random() < 0.6:
                found[f"repo/{folder}/{self.instructions}"] = f"{mark} nested\n"
        for n in range(random.randint(2, 6)):
            folder = random.choice(["", "src/", "lib/", "lib/deep/"])
            found[f"repo/{folder}f{n}.txt"] = _numbered(f"ZQF{n}", random.choice(self.lines), random.choice([0, 99]))
        for n in range(random.randint(0, 3)):
            head = f"---\nname: s{n}\ndescription: ZQDS{n} skill\n---\n"
            found[f"repo/{self.skills}/s{n}/SKILL.md"] = {"head": head, **_numbered(f"ZQBS{n}", random.choice([3, 90]))}
        return found

    def turn(self, random: Random, files: dict[str, Json], number: int, longest: int) -> Json:
        """A turn with up to three calls."""
        replies = [{"calls": [self._call(random, files)]} for _ in range(random.choice([0, 0, 1, 1, 2, 3]))]
        return {"say": f"ZQSAYS{number} " + "word " * random.choice([1, 1, 40, longest]) + "end", "replies": replies}

    def _call(self, random: Random, files: dict[str, Json]) -> Json:
        path = "{REPO}/" + random.choice([name[5:] for name in files if name.endswith(".txt")])
        mark = f"ZQF{path[-5]}"
        skills = [name.split("/")[-2] for name in files if name.endswith("/SKILL.md")]
        calls = [self.read(path)] * 3 + [
            self.edit(path, f"{mark}n0002", f"{mark}n0002 ZQEDITED"),
            self.write(path, mark),
        ]
        return random.choice(calls + [self.skill(random.choice(skills))] * 2 if skills else calls)

    def edited(self, random: Random, files: dict[str, Json]) -> Json:
        """A person's change of an instruction file, or a skill that is added."""
        if random.random() < 0.3:
            return {
                "write": {f"repo/{self.skills}/late/SKILL.md": "---\nname: late\ndescription: ZQDLATE skill\n---\nx\n"}
            }
        path = random.choice([name for name in files if name.endswith(self.instructions)])
        return {"write": {path: str(files[path]).replace(" ", "NEW ", 1)}}


def _input(tool: str, **given: str) -> Json:
    return {"tool": tool, "input": given}


_OPENCODE = _Kind(
    "AGENTS.md",
    "home/.config/opencode/AGENTS.md",
    ".opencode/skills",
    lambda path: _input("read", filePath=path),
    lambda path, old, new: _input("edit", filePath=path, oldString=old, newString=new),
    lambda path, text: _input("write", filePath=path, content=text),
    lambda name: _input("skill", name=name),
    (20, 400, 400),
)
_GEMINI = _Kind(
    "GEMINI.md",
    "home/.gemini/GEMINI.md",
    ".gemini/skills",
    lambda path: _input("read_file", file_path=path),
    lambda path, old, new: _input("replace", file_path=path, old_string=old, new_string=new, instruction="change it"),
    lambda path, text: _input("write_file", file_path=path, content=text),
    lambda name: _input("activate_skill", name=name),
)
_WINDOW = {
    "provider": {"anthropic": {"models": {"claude-sonnet-4-5": {"limit": {"context": 200000, "output": 32000}}}}}
}


def _turns(
    kind: _Kind, random: Random, files: dict[str, Json], events: Sequence[Json], longest: int = 900
) -> list[Json]:
    """Two to eight turns of up to so many words, with up to three events and changes of files between them."""
    turns = [kind.turn(random, files, n, longest) for n in range(random.randint(1, 7))]
    steps: list[Json] = [*turns, _LAST]
    for _ in range(random.randint(1, 3)):
        event = kind.edited(random, files) if random.random() < 0.25 else random.choice(events)
        steps.insert(random.randint(1, len(steps) - 1), event)
    return steps


def _opencode(random: Random) -> Json:
    files = _OPENCODE.files(random)
    steps = _turns(
        _OPENCODE, random, files, [{"say": "/compact"}] * 2 + [{"say": "/clear"}, {"restart": ["--continue"]}]
    )
    if random.random() < 0.4:
        files["repo/opencode.json"] = json.dumps(_WINDOW)
        replies = random.choice([each for each in steps if "replies" in each])["replies"]
        if not replies or random.random() < 0.5:
            replies.append({})
        replies[-1]["usage"] = 199000
    return {"version": "1.18.33", "args": [], "files": files, "steps": steps}


def _gemini(random: Random) -> Json:
    files, terminal = _GEMINI.files(random), random.random() < 0.5
    events: list[Json] = [{"say": "/compress"}]
    if terminal:
        events += [{"say": "/compress"}, {"say": "/clear"}, {"restart": ["--resume", "latest"]}]
    else:
        events += [{"restart": [], "fresh": True}]
    found = {"version": "0.61.0", "args": ["--approval-mode", "yolo"], "files": files, "tty": terminal, "boot": 12}
    if random.random() < 0.4:
        found["system_settings"] = {"model": {"compressionThreshold": random.choice([0.002, 0.01, 0.02])}}
    summary = "<state_snapshot>ZQSUMMARYn0001 made up\nZQSUMMARYn0002 second</state_snapshot>"
    return {**found, "summary": summary, "steps": _turns(_GEMINI, random, files, events, 40 if terminal else 900)}


_SESSIONS = {
    "claude-code": _claude,
    "codex": _codex,
    "copilot": _copilot,
    "opencode": _opencode,
    "gemini": _gemini,
}


def main(agent: str, first: str, last: str, folder: str) -> None:
    """Write the situations of some seeds into a folder."""
    for seed in range(int(first), int(last) + 1):
        situation = drawn(agent, seed)
        Path(folder, f"{situation['id']}.json").write_text(json.dumps(situation, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
