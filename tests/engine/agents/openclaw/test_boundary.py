"""The two parts of a prompt of 2026.9.6, and the file that moves their boundary."""

from __future__ import annotations

from promptscope_engine.agents.openclaw.agent import OPENCLAW
from promptscope_engine.insight.cache_miss import crossing
from promptscope_engine.prompt.model import Assembly

from .conftest import Claw

LINE = "<!-- OPENCLAW_CACHE_BOUNDARY -->"


def test_a_file_with_the_boundary_in_it_moves_it_and_is_told(claw: Claw) -> None:
    text = f"- Stay.\n{LINE}\n- Change.\n"
    moved = claw({"workspace/SOUL.md": text}, version="2026.9.6", api="anthropic-messages")
    stable, dynamic = (part["text"] for part in moved.request.system)
    assert "- Stay." in stable
    assert "- Change." in dynamic
    assert "IDENTITY.md" in dynamic
    assert [(d.line, d.path and d.path.rpartition("/")[2]) for d in moved.diagnostics if d.code == "boundary"] == [
        (2, "SOUL.md")
    ]
    assert LINE not in stable + dynamic


def test_without_one_the_files_are_in_the_part_that_stays(claw: Claw) -> None:
    assembly = claw({"workspace/SOUL.md": "- Stay.\n"}, version="2026.9.6", api="anthropic-messages")
    stable, dynamic = (part["text"] for part in assembly.request.system)
    assert "IDENTITY.md" in stable
    assert "IDENTITY.md" not in dynamic
    assert OPENCLAW.boundary(assembly) == "part.dynamic"
    assert not [d for d in assembly.diagnostics if d.code == "boundary"]


def test_what_crosses_the_boundary_is_named_both_ways(claw: Claw) -> None:
    def with_soul(text: str) -> Assembly:
        return claw({"workspace/SOUL.md": text}, version="2026.9.6")

    plain, moved = with_soul("- Stay.\n- Change.\n"), with_soul(f"- Stay.\n{LINE}\n- Change.\n")
    down, up = crossing(plain, moved, OPENCLAW), crossing(moved, plain, OPENCLAW)
    assert down
    assert up
    assert (down.lost, down.won) == (("The rest of SOUL.md", "IDENTITY.md"), ())
    assert (up.lost, up.won) == ((), ("IDENTITY.md",))
    assert crossing(plain, with_soul("- Stay.\n"), OPENCLAW) is None


def test_over_completions_the_runtime_line_goes_behind_the_first_message(claw: Claw) -> None:
    def messages(**given: object) -> list[str]:
        found = claw(version="2026.9.6", model="acme/a", message="hi", **given)
        return ["".join(block["text"] for block in each["content"]) for each in found.request.messages]

    first, carrier = messages()
    assert " hi\n\nRuntime: agent=main | " in first
    assert "Runtime:" not in carrier
    before, answer, now, _ = messages(again=True)
    assert ("Runtime:" in before, answer, "Runtime:" in now) == (True, "ok", False)
    assert "Runtime:" not in messages(api="openai-responses")[0]
