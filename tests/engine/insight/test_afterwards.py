"""What is left later in a session, part by part."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.repository import write_in_turn

from promptscope_engine.inputs.after import After
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.afterwards import Afterwards, Part, afterwards, everywhere
from promptscope_engine.workspace import Workspace

FILES = {
    "repo/CLAUDE.md": "root rules\n",
    "repo/src/CLAUDE.md": "nested rules\n",
    "repo/src/a.txt": "text\n",
    **{f"repo/f{number}.txt": f"{number}\n" for number in range(7)},
    "repo/.claude/skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nbody of one\n",
    "repo/.claude/skills/long/SKILL.md": "---\nname: long\ndescription: d\n---\n" + "words " * 5_000,
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_in_turn(tmp_path, FILES)
    (tmp_path / "home").mkdir()
    return tmp_path


def after(place: Path, reads: list[str], *, agent: str = "claude-code", **given: Any) -> Afterwards:
    scenario = Scenario(
        agent=agent,
        workspace=str(place / "repo"),
        home=str(place / "home"),
        params={"args": {"print": agent == "claude-code"}} if agent in ("claude-code", "gemini") else {},
        model="gpt-5.4" if agent == "copilot" else None,
        reads=reads,
        after=After(**given),
    )
    return afterwards(scenario, Workspace())


def verdicts(found: Afterwards, begins: str) -> dict[str, str]:
    return {part.file or part.id: part.verdict for part in found.parts if part.id.startswith(begins)}


def part(found: Afterwards, id: str) -> Part:
    return next(each for each in found.parts if each.id == id)


def test_the_five_files_that_changed_last_come_back(place: Path) -> None:
    found = verdicts(after(place, [f"f{n}.txt" for n in range(7)]), "after.file:")
    assert [path for path, verdict in found.items() if verdict == "returns"] == [f"f{n}.txt" for n in (6, 5, 4, 3, 2)]
    assert [path for path, verdict in found.items() if verdict == "lost"] == ["f1.txt", "f0.txt"]


def test_a_save_moves_a_file_in_the_list(place: Path) -> None:
    os.utime(place / "repo/f0.txt", (2_000_000, 2_000_000))
    found = verdicts(after(place, [f"f{n}.txt" for n in range(7)]), "after.file:")
    assert next(iter(found)) == "f0.txt"


def test_a_nested_file_comes_back_as_a_file_or_is_lost(place: Path) -> None:
    assert part(after(place, ["src/a.txt"]), "after.file:src/CLAUDE.md").verdict == "returns-as-file"
    lost = part(after(place, ["src/a.txt", *(f"f{n}.txt" for n in range(7))]), "after.file:src/CLAUDE.md")
    assert lost.verdict == "lost"
    assert "5 other files" in lost.why
    assert lost.back.startswith("a read of src/CLAUDE.md")


def test_equal_times_are_said_to_be_unpredictable(place: Path) -> None:
    for path in (place / "repo").glob("*.txt"):
        os.utime(path, (1_000, 1_000))
    found = after(place, [f"f{n}.txt" for n in range(7)])
    assert "not predictable" in part(found, "after.file:f0.txt").why
    assert any("not predictable" in warning for warning in found.warnings)


def test_a_file_that_does_not_fit_keeps_its_place(place: Path) -> None:
    (place / "repo/f6.txt").write_text("x" * 300_000)
    found = after(place, [f"f{n}.txt" for n in range(7)])
    assert part(found, "after.file:f6.txt").verdict == "lost"
    assert "50,000 tokens" in part(found, "after.file:f6.txt").why
    assert part(found, "after.file:f1.txt").verdict == "lost"


def test_skills_come_back_newest_first_and_cut(place: Path) -> None:
    found = after(place, [], skills=["long", "one"])
    assert [each.id for each in found.parts if each.id.startswith("after.skill:")] == [
        "after.skill:one",
        "after.skill:long",
    ]
    assert part(found, "after.skill:long").verdict == "cut"
    assert part(found, "after.skill:one").verdict == "returns"


def test_a_skill_from_before_a_resume_is_lost(place: Path) -> None:
    lost = part(after(place, [], replayed_skills=["one"]), "after.skill:one")
    assert lost.verdict == "lost"
    assert "before the session was resumed" in lost.why
    assert lost.back == "invoke one again"


def test_what_was_read_before_a_resume_counts_by_the_read(place: Path) -> None:
    reads = ["f6.txt", "f0.txt"]
    assert list(verdicts(after(place, reads), "after.file:")) == ["f6.txt", "f0.txt"]
    assert list(verdicts(after(place, reads, replayed_reads=reads), "after.file:")) == ["f0.txt", "f6.txt"]


def test_the_system_stays_and_instructions_are_sent_again(place: Path) -> None:
    found = after(place, [])
    assert part(found, "tools").verdict == "stays"
    root = part(found, "user_context.file:CLAUDE.md")
    assert (root.verdict, root.file) == ("returns", "CLAUDE.md")


def test_a_resume_replays_all_of_it(place: Path) -> None:
    found = after(place, ["src/a.txt"], event="resume")
    assert part(found, "user_context.file:CLAUDE.md").verdict == "stays"
    assert part(found, "woken:src/CLAUDE.md").verdict == "stays"


def test_the_room_and_what_is_written_add_up(place: Path) -> None:
    found = after(place, ["src/a.txt"])
    assert found.after == found.assembly.tokens.expected
    assert found.written == found.after - sum(each.tokens for each in found.parts if each.verdict == "stays")
    assert found.room == found.limit - found.after == 967_000 - found.after


@pytest.mark.parametrize(
    ("model", "env", "warning"),
    [
        ("claude-sonnet-4-5", {}, "only when the service refuses"),
        ("claude-opus-5", {"DISABLE_AUTO_COMPACT": "1"}, "the session ends at 977,000 tokens"),
    ],
)
def test_a_session_that_never_compacts_by_itself_is_warned_of(
    place: Path, model: str, env: dict[str, str], warning: str
) -> None:
    scenario = Scenario(
        agent="claude-code",
        workspace=str(place / "repo"),
        home=str(place / "home"),
        model=model,
        env=env,
        after=After(),
    )
    assert any(warning in each for each in afterwards(scenario, Workspace()).warnings)


def test_the_budgets_are_told(place: Path) -> None:
    found = after(place, ["f0.txt", "f1.txt"], skills=["one"])
    assert [(each.name, each.of, each.unit) for each in found.budgets] == [
        ("files", 5, "places"),
        ("files", 50_000, "tokens"),
        ("skills", 25_000, "tokens"),
    ]
    assert found.budgets[0].used == 2


def test_every_agent_whose_later_requests_are_known_is_asked(place: Path) -> None:
    scenario = Scenario(workspace=str(place / "repo"), home=str(place / "home"), reads=["src/a.txt"], after=After())
    found = {each.agent for each in everywhere(scenario, Workspace())}
    assert found == {"claude-code", "codex", "gemini", "opencode", "copilot", "openclaw"}


def test_a_short_file_is_a_row_of_its_own_and_an_entry_in_a_list_is_none(place: Path) -> None:
    files = [each.file for each in after(place, []).parts if each.file]
    assert files == ["CLAUDE.md"]


def test_an_agent_whose_later_requests_are_not_known_says_so(place: Path) -> None:
    with pytest.raises(ScenarioError, match="after its first request is not modelled"):
        after(place, [], agent="roo")


def exchange(size: int, said: str = "") -> dict[str, Any]:
    return {"tool": "read", "input": "{}", "results": ["x" * size], "said": said}


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [((1_000, 1_000), 0), ((50_000, 50_000), 1), ((70_000, 20_000, 20_000), 2), ((20_000, 70_000), 0)],
)
def test_opencode_keeps_the_newest_turns_that_fit(place: Path, sizes: tuple[int, ...], kept: int) -> None:
    talk = [exchange(size, f"turn {number}") for number, size in enumerate(sizes, 1)]
    talk[-1]["said"] = ""
    found = after(place, [], agent="opencode", said=["turn 0"], exchanges=talk, compactions=1)
    assert sum(part.id.startswith("after.answer:") for part in found.parts) == kept
    assert any("if the conversation is longer" in each for each in found.warnings) == (not kept)


@pytest.mark.parametrize(("sizes", "kept"), [((1_000, 1_000), 1), ((70_000, 20_000, 20_000), 5), ((20_000, 90_000), 1)])
def test_openclaw_keeps_the_newest_messages_that_fit(place: Path, sizes: tuple[int, ...], kept: int) -> None:
    talk = [exchange(size, f"turn {number}") for number, size in enumerate(sizes, 1)]
    talk = [part for each in talk for part in ({**each, "said": ""}, {"answer": "done", "said": each["said"]})]
    talk[-1]["said"] = ""
    found = after(place, [], agent="openclaw", said=["turn 0"], exchanges=talk)
    assert sum(part.id.startswith("after.answer:") for part in found.parts) == kept


def test_without_its_texts_nobody_can_tell_what_opencode_keeps(place: Path) -> None:
    found = after(place, [], agent="opencode", said=["hi"], exchanges=[{"tool": "read", "answer": "reads"}])
    assert any("not predictable" in each for each in found.warnings)


@pytest.mark.parametrize(
    ("agent", "file"), [("opencode", ".agents/skills/one/SKILL.md"), ("gemini", "GEMINI.md"), ("gemini", "b/GEMINI.md")]
)
def test_what_a_running_agent_does_not_read_again_is_named(place: Path, agent: str, file: str) -> None:
    for event, named in (("compact", True), ("turn", True), ("resume", False)):
        found = after(place, [], agent=agent, event=event, changed=[str(place / "repo" / file)])
        assert any("since the agent started" in each for each in found.warnings) == named


@pytest.mark.parametrize(("over", "kept"), [(None, 1), (1.01, 1), (1.1, 2), (2.0, 5)])
def test_a_refusal_keeps_more_the_longer_the_prompt_was(place: Path, over: float | None, kept: int) -> None:
    talk = [exchange(10_000) for _ in range(8)]
    found = after(place, [], event="auto", within=True, refused=True, over=over, exchanges=talk)
    assert sum(part.id.startswith("after.answer:") for part in found.parts) == kept


def test_copilot_keeps_of_long_messages_the_first_and_the_newest(place: Path) -> None:
    said = ["a" * 10_000, "b" * 4_000, "c" * 20_000, "d" * 15_000]
    found = after(place, [], agent="copilot", said=said)
    text = next(each.text for each in found.assembly.sections if each.id == "after.summary")
    assert [text.count(letter * 3_000) for letter in "abcd"] == [1, 1, 0, 5]
    assert "1 messages omitted" in text
