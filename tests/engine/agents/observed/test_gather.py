"""The files that a captured request is in, and what a person is told."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.engine.agents.observed.conftest import RULES, capture, observed, saying
from tests.engine.captures.bodies import ANTHROPIC, CHAT
from tests.support.frozen import frozen_scenario

from promptscope_engine import ScenarioError, Workspace, assemble
from promptscope_engine.captures.model import Fidelity, Header


def test_text_of_files_carries_file_and_lines(place: Path) -> None:
    found = observed(place, saying(f"<system-reminder>\nContents of CLAUDE.md:\n\n{RULES}\n</system-reminder>\nhi"))
    (section,) = [section for section in found.sections if section.title == "CLAUDE.md"]
    (origin,) = [fragment.origin for fragment in section.fragments if fragment.origin.kind == "file"]
    assert (origin.path, origin.start_line, origin.end_line) == (f"{place}/workspace/CLAUDE.md", 1, 7)
    assert section.parent == "messages.0.0.system_reminder"


def test_the_files_say_what_of_them_was_sent(place: Path) -> None:
    skill = "- deploy: Ships the shop to production when asked to do so."
    found = observed(place, saying(f"{skill}\n\n{RULES.partition('## Style')[0]}"))
    files = {Path(file.path).name: file for file in found.files}
    assert files["SKILL.md"].why.text == "present: in the request: line 3"
    assert files["SKILL.md"].kind == "skill"
    assert files["CLAUDE.md"].why.text == "present: in the request: lines 1-3"
    assert files["CLAUDE.md"].truncated
    assert files["AGENTS.md"].why.text == "absent: none of its text is in the request"
    assert (files["AGENTS.md"].present, files["AGENTS.md"].injected_chars) == (False, 0)


def test_a_changed_file_is_looked_at_again(place: Path) -> None:
    scenario = frozen_scenario("observed/x", place, capture=capture(place, ("/v1/messages", saying(RULES))))
    workspace = Workspace()
    before = assemble(scenario, workspace)
    (place / "workspace/CLAUDE.md").write_text("# Other\n")
    changed = workspace.changed()
    assert changed == {f"{place}/workspace/CLAUDE.md"}
    workspace.forget(changed)
    after = assemble(scenario, workspace)
    assert [file.present for file in before.files if file.path.endswith("CLAUDE.md")] == [True]
    assert [file.present for file in after.files if file.path.endswith("CLAUDE.md")] == [False]
    assert before.request == after.request


def test_what_a_person_should_know_is_said(place: Path) -> None:
    body = {**CHAT, "messages": [*CHAT["messages"], {"role": "user", "content": [{"type": "image_url"}]}]}
    header = Header("qwen", fidelity=Fidelity("redirected", ("the model is another",)))
    file = capture(place, ("/v1/chat/completions", {**body, "user": "sk-" + "a1" * 20}), header=header)
    found = assemble(frozen_scenario("observed/x", place, capture=file))
    assert [d.message for d in found.diagnostics] == [
        "redirected: the model is another",
        "keys that are masked: 1",
        "1 images or documents are neither shown nor counted",
    ]


def test_without_a_capture_there_is_nothing_to_observe(place: Path) -> None:
    with pytest.raises(ScenarioError, match="name a capture"):
        assemble(frozen_scenario("observed/x", place))


@pytest.mark.parametrize(("more", "looked"), [(-1, 1), (0, 1), (1, 2)])
def test_no_more_bytes_than_the_limit_are_looked_into(
    place: Path, monkeypatch: pytest.MonkeyPatch, more: int, looked: int
) -> None:
    monkeypatch.setattr("promptscope_engine.agents.observed.gather.MAX_TOTAL", len(RULES) + more)
    (place / "home/.claude/skills/deploy/SKILL.md").unlink()
    (place / "workspace/x.md").write_text("more")
    found = observed(place, saying(RULES))
    said = [d.message for d in found.diagnostics if d.code == "files-left-out"]
    assert [text.split(":")[0] for text in said] == [f"looked into {looked} files for what was sent"]


def test_within_the_limits_nothing_is_said(place: Path) -> None:
    assert [d for d in observed(place, saying(RULES)).diagnostics if d.code == "files-left-out"] == []


LONG = "This sentence of the file is long enough to be found wherever it stands in what was sent. " * 3


@pytest.mark.parametrize(("nul", "is_text"), [(8_190, False), (8_191, False), (8_192, True)])
def test_a_file_with_a_nul_at_its_beginning_is_no_text(place: Path, nul: int, is_text: bool) -> None:
    content = bytearray(LONG.ljust(9_000).encode())
    content[nul] = 0
    (place / "workspace/notes.txt").write_bytes(bytes(content))
    assert [f.path for f in observed(place, saying(LONG)).files if f.path.endswith("notes.txt")] == (
        [f"{place}/workspace/notes.txt"] if is_text else []
    )


@pytest.mark.slow
@pytest.mark.parametrize(("size", "is_found"), [(2**21 - 1, True), (2**21, True), (2**21 + 1, False)])
def test_a_file_is_looked_into_up_to_its_limit(place: Path, size: int, is_found: bool) -> None:
    (place / "workspace/CLAUDE.md").write_text(LONG.ljust(size))
    files = {Path(file.path).name: file.present for file in observed(place, saying(LONG)).files}
    assert files["CLAUDE.md"] is is_found


SENTENCES = [f"Sentence number {number} says what nobody else would say of thing {number}." for number in range(10)]


@pytest.mark.parametrize(
    ("sent_lines", "words"),
    [
        ([0], "line 1"),
        ([0, 1], "lines 1-2"),
        ([0, 2], "lines 1, 3"),
        ([0, 2, 4, 5], "lines 1, 3, 5-6"),
        ([0, 2, 4, 6], "lines 1, 3, 5 and 1 more stretch"),
        ([0, 2, 4, 6, 8, 9], "lines 1, 3, 5 and 2 more stretches"),
        (range(10), "all of it"),
    ],
)
def test_which_lines_were_sent_is_said_in_words(place: Path, sent_lines: Sequence[int], words: str) -> None:
    (place / "workspace/CLAUDE.md").write_text("\n".join(SENTENCES))
    text = "\n".join(SENTENCES[n] if n in sent_lines else f"-{n}-" for n in range(10))
    (file,) = [f for f in observed(place, saying(text)).files if f.path.endswith("CLAUDE.md")]
    assert file.why.text == f"present: in the request: {words}"
    assert file.truncated is (9 not in sent_lines)


def test_which_files_are_missed(place: Path) -> None:
    for name in (
        "workspace/README.md",
        "workspace/.claude/rules/r.md",
        "home/.claude/notes.md",
        "home/.claude/CLAUDE.md",
    ):
        (place / name).write_text("Nothing of this is sent.")
    absent = [Path(f.path) for f in observed(place, saying("hi")).files if not f.present]
    assert sorted(str(path.relative_to(place)) for path in absent) == [
        "home/.claude/CLAUDE.md",
        "workspace/.claude/rules/r.md",
        "workspace/AGENTS.md",
        "workspace/CLAUDE.md",
    ]


@pytest.mark.parametrize(("model", "shown"), [(None, "claude-sonnet-4-5"), ("gpt-5", "gpt-5")])
def test_the_model_is_the_captures_unless_one_is_chosen(place: Path, model: str | None, shown: str) -> None:
    assert observed(place, ANTHROPIC, model=model).model == shown


def test_a_capture_that_names_no_model_has_none(place: Path) -> None:
    assert observed(place, {key: value for key, value in ANTHROPIC.items() if key != "model"}).model is None


def test_a_list_of_files_that_was_cut_is_told_with_the_limits(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["promptscope_engine.agents.observed.gather"], "MAX_FILES", 2)
    (said,) = [d for d in observed(place, saying(RULES)).diagnostics if d.code == "files-left-out"]
    assert said.message == "looked into 2 files for what was sent: at most 2, 96 MB"


@pytest.mark.parametrize(
    ("fidelity", "messages"),
    [
        (Fidelity(), []),
        (Fidelity("redirected"), ["redirected: the real request differs"]),
        (Fidelity("redirected", ("a", "b")), ["redirected: a; b"]),
        (Fidelity(notes=("a", "b")), ["a; b"]),
    ],
)
def test_how_faithful_a_capture_is(place: Path, fidelity: Fidelity, messages: list[str]) -> None:
    file = capture(place, ("/v1/messages", ANTHROPIC), header=Header("qwen", fidelity=fidelity))
    scenario = frozen_scenario("observed/x", place, capture=file)
    found = assemble(scenario.model_copy(update={"agent": None}))
    assert [d.message for d in found.diagnostics] == messages
    assert (found.agent, found.agent_version) == ("observed/qwen", "unknown")
