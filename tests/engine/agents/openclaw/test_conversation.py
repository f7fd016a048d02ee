"""The drafted message and the session before it, and what of a request stays cached."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.openclaw.agent import OPENCLAW

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Assembly

    from .conftest import Claw

RECORDED = Path(__file__).parents[1] / "conversations" / "files" / "openclaw-2026.2.24.jsonl"


def sent(assembly: Assembly) -> list[tuple[Any, list[Any]]]:
    return [(m["role"], [block["text"] for block in m["content"]]) for m in assembly.request.messages]


def test_without_a_draft_there_is_no_message(claw: Claw) -> None:
    assembly = claw()
    assert assembly.request.messages == ()
    absent = {s.id: s.why.text for s in assembly.sections if s.channel == "messages"}
    assert absent == {
        "history": "absent: no session's file is named",
        "user.task": "absent: no message is drafted",
    }


def test_a_drafted_message_is_the_last_one(claw: Claw) -> None:
    assembly = claw(task="And now?")
    assert sent(assembly) == [("user", ["And now?"])]
    assert assembly.request.system == claw().request.system


def test_the_history_is_what_the_next_run_sent(claw: Claw) -> None:
    """As recorded: the summary, the answer that it keeps, and what followed."""
    files: dict[str, str | bytes] = {"home/s.jsonl": RECORDED.read_bytes()}
    assembly = claw(files, sessionFile="~/s.jsonl", sessionLine=14, task="And after?")
    (role, [summary]), *rest = sent(assembly)
    assert role == "user"
    assert summary.endswith("</summary>")
    assert "\n\n<summary>\nNo prior history." in summary
    assert rest == [
        ("assistant", ["There are two files."]),
        ("user", ["And now?"]),
        ("assistant", ["Still two files."]),
        ("user", ["And after?"]),
    ]
    kept = next(s for s in assembly.sections if s.id == "history.2")
    (fragment,) = kept.fragments
    assert (fragment.origin.start_line, Path(fragment.origin.path or "").name) == (11, "s.jsonl")


def test_calls_and_results_stand_as_text(claw: Claw) -> None:
    assembly = claw({"home/s.jsonl": RECORDED.read_bytes()}, sessionFile="~/s.jsonl", sessionLine=7)
    _, (_, [call]), (role, [result]) = sent(assembly)
    assert call == 'I will look at the files.\nexec({"command": "ls -la"})'
    assert (role, result[:8]) == ("user", "total 44")
    titles = [s.title for s in assembly.sections if s.id == "history.3"]
    assert titles[0].startswith("result of exec: total 44")


def test_what_a_branch_left_behind_is_not_sent(claw: Claw) -> None:
    def line(name: str, before: str | None) -> str:
        entry = {"type": "message", "id": name, "parentId": before, "message": {"role": "user", "content": name}}
        return json.dumps(entry)

    lines = [line("a", None), line("b", "a"), line("c", "a"), "{", line("d", "c")]
    assembly = claw({"home/s.jsonl": "\n".join(lines)}, sessionFile="~/s.jsonl")
    assert [text for _, [text] in sent(assembly)] == ["a", "c", "d"]
    (note,) = [d for d in assembly.diagnostics if d.code == "session-file"]
    assert (note.line, note.severity) == (4, "warning")


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        ("a b c C:b d e", ["summary: C", "user: b", "user: c", "user: d", "user: e"]),
        ("a b C:b", ["summary: C", "user: b"]),
        ("C:x a", ["summary: C", "user: a"]),
        ("a C:a b c C:c d", ["summary: C", "user: c", "user: d"]),
        ("a b C:none c", ["summary: C", "user: c"]),
        ("a B c", ["user: a", "user: B", "user: c"]),
    ],
)
def test_a_summary_stands_first_then_what_it_keeps_and_what_followed(claw: Claw, names: str, titles: list[str]) -> None:
    """Entries by name; `C:b` is a compaction that keeps from b on, `B` the summary of a branch."""
    lines, before = [], None
    for number, name in enumerate(names.split()):
        kind, _, first = name.partition(":")
        own = f"{kind}{number}" if kind == "C" else kind
        entry: dict[str, Any] = {"id": own, "parentId": before}
        if kind in "BC":
            kinds = {"B": "branch_summary", "C": "compaction"}
            entry |= {"type": kinds[kind], "summary": kind, "firstKeptEntryId": first}
        else:
            entry |= {"type": "message", "message": {"role": "user", "content": kind}}
        lines.append(json.dumps(entry))
        before = own
    assembly = claw({"home/s.jsonl": "\n".join(lines)}, sessionFile="~/s.jsonl")
    assert [s.title for s in assembly.sections if s.id.startswith("history.")] == titles


@pytest.mark.parametrize("data", [b"", b"\0", b"[1]\n2\n", b'{"id": "a", "parentId": "a", "type": "message"}'])
def test_a_file_without_messages_gives_none(claw: Claw, data: bytes) -> None:
    assert claw({"home/s.jsonl": data}, sessionFile="~/s.jsonl").request.messages == ()


def test_a_file_that_is_not_there_is_told(claw: Claw) -> None:
    (note,) = [d for d in claw(sessionFile="~/none.jsonl").diagnostics if d.code == "session-file"]
    assert "missing" in note.message


@pytest.mark.parametrize(("length", "shown"), [(47, "x" * 47), (48, "x" * 48), (49, "x" * 47 + "…")])
def test_a_message_is_named_by_how_it_begins(claw: Claw, length: int, shown: str) -> None:
    entry = {"type": "message", "id": "a", "message": {"role": "user", "content": "x" * length}}
    assembly = claw({"home/s.jsonl": json.dumps(entry)}, sessionFile="~/s.jsonl")
    assert [s.title for s in assembly.sections if s.id == "history.1"] == [f"user: {shown}"]


# --- the cache --------------------------------------------------------------------------------------------------------


def test_a_bootstrap_file_keeps_what_stands_before_it(place: Path) -> None:
    for name in ("AGENTS.md", "SOUL.md"):
        (place / "workspace" / name).write_text("Be brief.")
    home, workspace = str(place / "home"), str(place / "workspace")
    assembly = assemble(Scenario(agent="openclaw", agent_version="2026.2.24", workspace=workspace, home=home, env={}))
    shown = {Path(f.path).name: f.path for f in assembly.files if f.present}
    agents, soul = (OPENCLAW.forecast(assembly, shown[name]) for name in ("AGENTS.md", "SOUL.md"))
    assert agents.cached == agents.unchanged < soul.cached < soul.total
    section = assembly.section(agents.section or "")
    assert section is not None
    assert "AGENTS.md" in section.id


def test_what_stays_is_told_by_event(claw: Claw) -> None:
    assembly = claw({"workspace/AGENTS.md": "Be brief."}, task="Hi")
    present = [section for section in assembly.sections if section.present]
    told = {e: {s.id: OPENCLAW.cache_effect(assembly, s, e).what for s in present} for e in OPENCLAW.events}
    assert [told[event]["safety"] for event in told] == ["kept"] * 3
    assert [told[event]["runtime"] for event in told] == ["kept", "kept", "computed"]
    assert [told[event]["user.task"] for event in told] == ["computed"] * 3
    assert OPENCLAW.boundary(assembly) == "tooling"
