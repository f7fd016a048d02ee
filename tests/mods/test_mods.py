"""The forty fresh cases: what Claude Code did beside what promptscope says."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.prompt.model import to_json

from .draw import drawn

CASES = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("cases/*.json"))}
MARK = re.compile(r"MK_[A-Za-z0-9]+")
HEAD = re.compile(r"Contents of ([^\n]+?)(?: \(([^()\n]*)\))?:\n")
KINDS = (
    ("managed", "managed|organi[sz]ation|policy"),
    ("local", "not checked in"),
    ("user", "global"),
    ("project", "checked into|project"),
)
SHAPES = re.compile(r"\*|prompt\..*|tool\.describe|agent\.offer|skill\.prompt")
UNKNOWABLE = {"mods-06": "a branch that is never taken: the client's own scan counts its event, a run does not"}
"""Cases in which nobody can know the answer without running the mod, by what is asked there."""

pytestmark = pytest.mark.slow


def test_they_are_the_ones_that_were_drawn() -> None:
    kept = {name: {key: value for key, value in case.items() if key != "facts"} for name, case in CASES.items()}
    assert {case.name: case.as_json() for case in drawn()} == kept


def filled(value: Any, root: Path) -> Any:
    names = {"{HOME}": f"{root}/home", "{REPO}": f"{root}/repo", "{ROOT}": str(root)}
    text = json.dumps(value)
    for name, folder in names.items():
        text = text.replace(name, folder)
    return json.loads(text)


def built(case: dict[str, Any], root: Path) -> None:
    """The folder of a case, with a home whose owner has answered the client's first questions."""
    for folder in ("home", "repo"):
        (root / folder).mkdir(parents=True)
    subprocess.run(["bash", "-c", case["build"], "build", str(root)], cwd=root, check=True, capture_output=True)
    trusted = {"hasTrustDialogAccepted": True} if case["launch"].get("trusted", True) else {}
    config = {"hasCompletedOnboarding": True, "numStartups": 3, "projects": {str(root / "repo"): trusted}}
    (root / "home/.claude.json").write_text(json.dumps(config))


def predicted(case: dict[str, Any], root: Path) -> Assembly:
    launch = filled(case["launch"], root)
    args: dict[str, Any] = {"print": not launch.get("interactive")}
    words = iter(launch.get("args", []))
    for word in words:
        if word == "--settings":
            (root / "given.json").write_text(next(words))
            args["settings"] = str(root / "given.json")
        elif word == "--plugin-dir":
            args.setdefault("pluginDir", []).append(next(words))
        else:
            args["settingSources"] = {"--setting-sources": next(words)}[word]
    params: dict[str, Any] = {"args": args}
    if (sdk := launch.get("sdk")) is not None:
        prompt = sdk.get("systemPrompt")
        named = "preset" if isinstance(prompt, dict) else prompt
        params["sdk"] = {"systemPrompt": named, "settingSources": sdk.get("settingSources")}
    scenario = {
        "agent": "claude-code",
        "agent_version": "2.1.332",
        "workspace": str(root / "repo"),
        "home": str(root / "home"),
        "managed": str(root / "etc/claude-code"),
        "env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8377", **launch.get("env", {})},
        "reads": [str(Path(path).relative_to(root / "repo")) for path in launch.get("reads", [])],
        "params": params,
    }
    return assemble(Scenario.model_validate(scenario), cached_only=True)


def texts(body: dict[str, Any]) -> Iterator[str]:
    """What the messages of a request say."""
    for message in body["messages"]:
        content = message["content"]
        yield from [content] if isinstance(content, str) else [block.get("text") or "" for block in content]


def kind(label: str | None) -> str:
    if not label:
        return "nested"
    return next((name for name, pattern in KINDS if re.search(pattern, label, re.IGNORECASE)), "other")


def relative(value: str, root: Path) -> str:
    etc = value.replace(f"{root}/etc/claude-code", "/etc/claude-code") if value.endswith("CLAUDE.md") else value
    return etc.replace(f"{root}/home", "{HOME}").replace(f"{root}/repo", "{REPO}").replace(str(root), "{ROOT}")


@pytest.mark.parametrize("name", CASES)
def test_the_client_did_what_is_predicted(name: str, tmp_path: Path) -> None:
    case, root = CASES[name], tmp_path / "case"
    built(case, root)
    assembly, facts = predicted(case, root), case["facts"]
    found = {(each.kind, relative(each.path, root), each.event, each.matcher): each for each in assembly.programs}
    shaping = False
    for module in facts.get("modules", []):
        mod = found["mod", module["path"], "", ""]
        events = {each.partition("{")[0] for each in module.get("events", [])}
        shaping |= bool(module["loaded"]) and any(map(SHAPES.fullmatch, events))
        assert mod.present is module["loaded"], mod.why.text
        assert name in UNKNOWABLE or not events or {*mod.events} == events
        warned = any(note.code == "mod" and module["id"] in note.message for note in assembly.diagnostics)
        assert name in UNKNOWABLE or warned is (mod.present and any(map(SHAPES.fullmatch, events)))
    for hook in facts.get("hooks", []):
        assert ("hook", hook["file"], hook["event"], hook["matcher"]) in found
    if not shaping:
        _same_request(assembly, facts, root, nested=bool(case["launch"].get("reads")))


def _same_request(assembly: Assembly, facts: dict[str, Any], root: Path, *, nested: bool) -> None:
    body = to_json(assembly.request)
    said = "\n".join(texts(body))
    files = [[relative(path, root), kind(label)] for path, label in HEAD.findall(said)]
    assert files == facts["files"]
    whole = json.dumps(body["system"]) + said
    sent = {mark for mark, (_, number) in facts["present"].items() if number == 0 or nested}
    asked = {mark for mark in facts["stated"] if mark in sent or mark not in facts["present"]}
    assert {*MARK.findall(whole)} & asked == sent & asked
    assert sorted(tool["name"] for tool in body["tools"]) == sorted(facts["tools"])
