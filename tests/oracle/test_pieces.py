"""Situations on disk, facts of requests, the stand-in, processes that hang, shrinking."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from .audit import foreign
from .bodies import texts_of, tools_of
from .clients.client import Flag, Launch
from .comparing import Difference
from .facts import facts_of
from .markers import in_runs
from .placing import ROOT_LENGTH, fill, placed, scratch, unfill
from .processes import headless
from .recordings import Recording, read
from .shrinking import Shrinker
from .situation import Facts, Json, Situation
from .standin import StandIn, standing_in

ALL_KINDS: dict[str, Any] = {
    "repo/a.md": "{REPO}\n",
    "repo/b.md": {"link": "a.md"},
    "repo/c.md": {"base64": "/w=="},
    "repo/d": {"dir": True},
    "repo/e.md": {"numbered": "%04d\n", "count": 3},
}


def test_every_kind_of_file_is_placed_and_taken_away() -> None:
    situation = Situation("codex", "0.169.0", 1, files=ALL_KINDS, git=[["repo", "init", "-q"]], cwd="repo/sub")
    with placed(situation, scratch()) as root:
        assert len(str(root)) == ROOT_LENGTH
        assert (root / "repo/b.md").read_text() == f"{root}/repo\n"
        assert (root / "repo/c.md").read_bytes() == b"\xff"
        assert (root / "repo/e.md").read_text() == "0001\n0002\n0003\n"
        assert (root / "repo/sub").is_dir()
        assert (root / "repo/d").is_dir()
        assert (root / "repo/.git").is_dir()
    assert not root.exists()


def test_places_are_filled_in_and_taken_out_again() -> None:
    root = Path("/tmp/root")
    text = "{HOME}/a {REPO}/b {ROOT}/c {SLUG}"
    assert fill([text], root) == ["/tmp/root/home/a /tmp/root/repo/b /tmp/root/c -tmp-root-repo"]
    assert unfill(fill(text, root), root) == text
    assert unfill("/tmp/root/etc/codex", root) == "/etc/codex"


def test_lines_of_one_text_are_a_run() -> None:
    marks = [["system", f"ZQ00an{line:04d}"] for line in (1, 2, 3, 7)]
    assert in_runs([*marks, ["system", "ZQ00b"]]) == [
        ["system", "ZQ00an1..3"],
        ["system", "ZQ00an7..7"],
        ["system", "ZQ00b"],
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"system": [{"type": "text", "text": "one"}], "messages": [{"role": "user", "content": "two"}]},
        {"instructions": "one", "input": [{"type": "message", "role": "user", "content": [{"text": "two"}]}]},
        {
            "systemInstruction": {"parts": [{"text": "one"}]},
            "contents": [{"role": "user", "parts": [{"text": "two"}]}],
        },
    ],
)
def test_the_texts_of_every_protocol(body: Json) -> None:
    assert texts_of(body) == [("system", "one"), ("0:user", "two")]


def test_the_tools_of_every_protocol() -> None:
    declared = {"functionDeclarations": [{"name": "a"}]}
    nested = {"type": "namespace", "tools": [{"name": "b"}]}
    function = {"type": "function", "function": {"name": "c"}}
    assert list(tools_of({"tools": [declared, nested, function, {"type": "web_search"}]})) == [
        "a",
        "b",
        "c",
        "web_search",
    ]


def test_facts_keep_nothing_of_the_vendors() -> None:
    situation = Situation("claude-code", "2.1.332", 1)
    listing = "- own00a: ZQ00a does\n- simplify: The vendor's own sentence.\n"
    body = {"messages": [{"role": "user", "content": listing}], "tools": [{"name": "Bash", "description": "Secret"}]}
    facts = facts_of(situation, Path("/tmp/root"), body)
    assert facts["entries"] == [["0:user", "own00a", "ZQ00a does", ""], ["0:user", "simplify", "…", ""]]
    assert facts["tools"] == ["Bash"]
    assert foreign(facts) == []
    assert foreign({"entries": [["0:user", "simplify", "The vendor's own sentence.", ""]]}) != []


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/v1/messages", {"stream": True, "tools": [{"name": "read"}], "messages": [{}]}, "tool_use"),
        ("/v1/responses", {}, "function_call"),
        ("/v1/chat/completions", {"stream": True}, "tool_calls"),
        ("/v1beta/models/m:streamGenerateContent", {"contents": []}, "functionCall"),
    ],
)
def test_the_stand_in_makes_the_calls_of_its_script_once(path: str, body: Json, expected: str) -> None:
    model = {"model": "m"} if "/models/m:" in path else {}
    with standing_in([[{"tool": "read", "input": {"path": "a"}}]]) as standin:
        answers = []
        for _ in range(2):
            request = urllib.request.Request(f"http://127.0.0.1:{standin.port}{path}", json.dumps(body).encode())
            with urllib.request.urlopen(request, timeout=10) as response:
                answers.append(response.read().decode())
        assert [expected in answer for answer in answers] == [True, False]
        assert standin.requests() == [{**body, **model}, {**body, **model}]


def test_a_session_without_tools_is_told_from_a_question_for_a_title() -> None:
    title = {"messages": [{"role": "user", "content": "Generate a title for hi"}]}
    session = {"messages": [{"role": "user", "content": "hi"}]}
    of_claude_code = {**session, "metadata": {}}
    standin = StandIn([])
    for body in (title, session, of_claude_code):
        standin.answer("/v1/messages", body)
    assert standin.requests() == [session]


def test_a_client_that_hangs_is_ended_with_everything_it_started() -> None:
    code = "import subprocess, sys; print('begun', flush=True); subprocess.run(['sleep', '60'])"
    began = time.monotonic()
    ended = headless(Launch([sys.executable, "-c", code], {"PATH": "/usr/bin:/bin"}), Path("/"), 1.0)
    assert ended.status is None
    assert "begun" in ended.said
    assert time.monotonic() - began < 30


def test_flags_of_every_kind() -> None:
    given: list[tuple[Any, Any, list[str]]] = [
        ("switch", True, ["-x"]),
        ("switch", False, []),
        ("text", "a", ["-x", "a"]),
        ("each", ["a", "b"], ["-x", "a", "-x", "b"]),
        ("several", ["a", "b"], ["-x", "a", "b"]),
        ("comma", ["a", "b"], ["-x", "a,b"]),
        ("json", {"a": 1}, ["-x", '{"a": 1}']),
    ]
    assert [Flag("x", "-x", kind).words(value) for kind, value, _ in given] == [words for _, _, words in given]


def test_a_recording_survives_the_store(tmp_path: Path) -> None:
    situation = Situation("codex", "0.169.0", 3, ["rules"], calls=[[{"tool": "a", "input": {}}]], told={"model": "m"})
    recording = Recording("codex", situation, {"started": False, "exit": None, "stderr": []}, {"tools": "order"}, True)
    recording.write(tmp_path)
    assert read(tmp_path / "codex" / "0003.json") == recording


def test_shrinking_keeps_what_the_difference_needs() -> None:
    """The client here sends every file of rules/, and promptscope none."""

    def ask(situation: Situation) -> Facts:
        marks = [["system", "ZQ00a"] for path in situation.files if path.startswith("repo/rules/")]
        return {"started": True, "marks": marks, "spans": [], "entries": [], "paths": [], "tools": []}

    files: dict[str, Any] = {"repo/rules/a.txt": "ZQ00a\nx\ny\n", "repo/other.txt": "1\n", "home/x.txt": "2\n"}
    situation = Situation("codex", "0.169.0", 1, ["rules"], files, env={"A": "1"}, reads=["repo/other.txt"])
    wanted = Difference("missing", "rules", "", "ZQ00a", None, None)
    small = Shrinker(situation, wanted, None, 60, (ask, lambda _: ask(Situation("codex", "0.169.0", 1)))).run()
    assert list(small.files) == ["repo/rules/a.txt"]
    assert (small.env, small.reads) == ({}, [])
