"""What the agent can tell beyond its prompt, asked as the app asks it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import assembly_of

from promptscope_engine import assemble
from promptscope_engine.agents.features import Caches, KeepsTranscripts, LoadsLazily, ReportsContext
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.lazy_rules import LazyRules, find_lazy_rules

if TYPE_CHECKING:
    from .conftest import Project

AGENT = load_agent("claude-code")
RULES = {
    "workspace/.claude/rules/ts.md": "---\npaths: src/**/*.ts\n---\ntypes",
    "workspace/.claude/rules/scala.md": "---\npaths: '*.scala'\n---\nscala",
    "workspace/.claude/rules/dot.md": "---\npaths: ./src/a.ts\n---\ndot",
    "workspace/.claude/rules/not.md": "---\npaths: ['src/*', '!src/*.ts']\n---\nnot",
    "workspace/.claude/rules/always.md": "always",
    "workspace/src/a.ts": "a",
    "workspace/src/b.txt": "b",
    "workspace/src/deep/CLAUDE.md": "deep",
    "workspace/src/deep/c.ts": "c",
}


def held(project: Project, **more: object) -> LazyRules:
    agent, inputs = resolve(project.scenario(**more), project.workspace)  # type: ignore[arg-type]
    found = find_lazy_rules(agent, inputs, project.workspace)
    assert found is not None
    return found


def named(found: LazyRules) -> dict[str, int]:
    return {rule.file.path.rpartition("/")[2]: rule.count for rule in found.rules}


def test_it_offers_every_ability() -> None:
    for ability in (ReportsContext, Caches, LoadsLazily, KeepsTranscripts):
        assert isinstance(AGENT, ability)


def test_which_file_loads_which_rule(repository: Project) -> None:
    repository.write(RULES)
    found = held(repository)
    assert found.listing.source == "git"
    assert named(found) == {"CLAUDE.md": 1, "dot.md": 0, "not.md": 3, "scala.md": 0, "ts.md": 2}
    cwd = str(repository.cwd)
    woken = [lazy.path.removeprefix(f"{cwd}/") for lazy in found.loaded_by("src/deep/new.ts", cwd)]
    assert woken == ["src/deep/CLAUDE.md", ".claude/rules/not.md", ".claude/rules/ts.md"]
    assert found.loaded_by("", cwd) == ()
    assert found.loaded_by("../src/deep/c.ts", cwd) == ()


def test_dead_rules_say_why(repository: Project) -> None:
    repository.write(RULES)
    found = held(repository)
    dead = {r.file.path.rpartition("/")[2]: found.why(r) for r in found.rules if r.unmatched}
    assert sorted(dead) == ["dot.md", "scala.md"]
    assert dead["scala.md"].startswith("never loads: no file matches *.scala (of ")
    assert "write src/a.ts" in dead["dot.md"]


def test_a_deleted_file_loads_nothing_and_an_ignored_instruction_file_is_found(repository: Project) -> None:
    repository.write(RULES | {"workspace/.gitignore": "CLAUDE.local.md\n", "workspace/src/CLAUDE.local.md": "mine"})
    repository.git("add", "-A")
    (repository.cwd / "src" / "deep" / "c.ts").unlink()
    found = held(repository)
    assert "src/CLAUDE.local.md" not in found.listing.files
    assert named(found)["CLAUDE.local.md"] > 0
    assert named(found)["ts.md"] == 1


def test_without_git_the_folders_are_walked(project: Project) -> None:
    project.write(RULES | {"workspace/node_modules/x/a.scala": "x"})
    found = held(project)
    assert found.listing.source == "folders"
    assert named(found)["ts.md"] == 2
    assert named(found)["scala.md"] == 0


def test_it_stops_once_it_is_not_wanted(repository: Project) -> None:
    repository.write(RULES)
    agent, inputs = resolve(repository.scenario(), repository.workspace)
    assert find_lazy_rules(agent, inputs, repository.workspace, wanted=lambda: False) is None


def test_folders_below_are_watched_for_new_instruction_files(repository: Project) -> None:
    repository.write({"workspace/src/a.ts": "a"})
    held(repository)
    assert f"{repository.cwd}/src/CLAUDE.md" in repository.workspace.asked


def test_the_window_takes_what_the_last_answer_used_for_conversation(project: Project) -> None:
    assert isinstance(AGENT, ReportsContext)
    assembly = assemble(project.scenario("2.1.100"), project.workspace)
    fresh = AGENT.context(assembly, {})
    used = AGENT.context(assembly, {"usage": {"lastTotal": 150_000}})
    assert fresh.reported is None
    assert used.used == 150_000
    assert [c.name for c in used.categories] == [c.name for c in fresh.categories]
    assert used.categories[-1].name == "Autocompact buffer"


def test_recordings_of_this_workspace_come_first_then_newest(project: Project) -> None:
    mine = "".join(c if c.isalnum() else "-" for c in str(project.cwd))
    names = {f"home/.claude/projects/{mine}/old.jsonl": 1_000, f"home/.claude/projects/{mine}/new.jsonl": 2_000}
    names |= {"home/.claude/projects/-x/other.jsonl": 3_000}
    project.write(dict.fromkeys(names, "{}\n") | {f"home/.claude/projects/{mine}/memory/notes.txt": "x"})
    for name, seconds in names.items():
        os.utime(project.root / name, (seconds, seconds))
    _, inputs = resolve(project.scenario(), project.workspace)
    asked = project.workspace.asked
    assert isinstance(AGENT, KeepsTranscripts)
    found = AGENT.transcript_files(inputs, project.workspace)
    assert [(r.path.rpartition("/")[2], r.here) for r in found] == [
        ("new.jsonl", True),
        ("old.jsonl", True),
        ("other.jsonl", False),
    ]
    assert project.workspace.asked == asked


def test_a_transcript_in_any_spans_is_the_same() -> None:
    assert isinstance(AGENT, KeepsTranscripts)
    usage = {"input_tokens": 900, "output_tokens": 100}
    lines = [
        {"type": "user", "message": {"role": "user", "content": "Grüße, bitte ✓"}},
        *(
            {"type": "assistant", "message": {"id": "a", "role": "assistant", "usage": usage, "content": [block]}}
            for block in ({"type": "text", "text": "Yes."}, {"type": "tool_use", "name": "Read", "input": {}})
        ),
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": "x" * 400}]}},
    ]
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    whole = None
    for size in (1, 7, len(data)):
        reader = AGENT.transcript_reader(500, {})
        for at in range(0, len(data), size):
            reader.feed(data[at : at + size])
        found = reader.close()
        whole = whole or found
        assert found == whole
    assert whole is not None
    user, answer, result = whole.turns
    assert user.text == "Grüße, bitte ✓"
    assert (answer.text, answer.calls, answer.fill, answer.line) == ("Yes.", ("Read",), 1_000, 2)
    assert (result.results, result.result_tokens, result.fill) == (1, 100, 1_100)
    assert AGENT.continue_from("session.jsonl", result)[0].value == 1_100


def test_the_outermost_folders_are_watched(project: Project) -> None:
    _, inputs = resolve(project.scenario(), project.workspace)
    files = [f"{project.cwd}/z/{number:03}/x" for number in range(501)]
    cast("LoadsLazily", AGENT).lazy_files(inputs, project.workspace, files)
    asked = {
        path for path in project.workspace.asked if path.startswith(f"{project.cwd}/z/") and path.endswith("/CLAUDE.md")
    }
    # The folder above them is asked for first.
    expected = {f"{project.cwd}/z/CLAUDE.md", *(f"{project.cwd}/z/{number:03}/CLAUDE.md" for number in range(499))}
    assert {path for path in asked if "/.claude/" not in path} == expected


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        ("[./a, ./b]", "a pattern that begins with ./ never matches: write a"),
        ("[./a, b]", ""),
        ("[W/a, W/b]", "patterns are relative to W: an absolute path never matches"),
        ("[W/a, b]", ""),
        ("[/elsewhere/a]", ""),
        ("[WX/a]", ""),
    ],
)
def test_why_a_rule_never_matches(project: Project, paths: str, reason: str) -> None:
    text = f"---\npaths: {paths.replace('W', str(project.cwd))}\n---\nx"
    project.write({"workspace/.claude/rules/r.md": text})
    _, inputs = resolve(project.scenario(), project.workspace)
    [rule] = cast("LoadsLazily", AGENT).lazy_files(inputs, project.workspace, [])
    assert rule.never == reason.replace("W", str(project.cwd))


@pytest.mark.parametrize(
    ("version", "there", "gone"),
    [
        ("2.1.332", {"safeguards", "diagnostics"}, set()),
        ("2.1.270", {"diagnostics"}, {"safeguards"}),
        ("2.1.200", {"metadata"}, {"safeguards", "diagnostics"}),
    ],
)
def test_a_version_sends_the_keys_that_it_was_seen_with(version: str, there: set[str], gone: set[str]) -> None:
    shown = replace(assembly_of(), mode="auto", learned_version=version)
    names = {key.name for key in load_agent("claude-code").body(shown)}
    assert there <= names
    assert not gone & names
