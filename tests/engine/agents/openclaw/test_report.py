"""What `/context` would say, and where it misleads (docs/agents/openclaw.md#report)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine import Scenario, Workspace, assemble
from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.openclaw.report import (
    ContextReport,
    agent_report,
    context_report,
    detail_text,
    list_text,
    size,
)
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Assembly, ToolTokens

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "AGENTS.md").write_text("x" * 25_000)
    (tmp_path / "SOUL.md").write_text("a\n## Silent Replies\nb")
    (tmp_path / "USER.md").write_text("  \n")
    return tmp_path


def report(folder: Path, mode: str | None = None, **params: Any) -> ContextReport:
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder),
        mode=mode,
        params=params,
        env={},
    )
    workspace = Workspace()
    agent, inputs = resolve(scenario, workspace)
    return context_report(agent.gather(inputs, workspace), assemble(scenario, workspace, cached_only=True))


def codes(found: ContextReport) -> set[str]:
    return {spot.code for spot in found.blind_spots}


def test_the_list_has_a_line_for_each_file(folder: Path) -> None:
    found = report(folder, config={})
    assert "- AGENTS.md: TRUNCATED | raw 25,000 chars (~6,250 tok) | injected 18,110 chars (~4,528 tok)" in found.list
    assert "- TOOLS.md: MISSING | raw 0 chars (~0 tok) | injected 0 chars (~0 tok)" in found.list
    assert "- USER.md: OK | raw 0 chars" in found.list
    assert "\n\n" not in found.list + found.detail


def test_json_has_the_reports_fields(folder: Path) -> None:
    numbers = report(folder, config={}).json["report"]
    assert set(numbers) == {
        "source", "generatedAt", "sessionId", "sessionKey", "provider", "model", "workspaceDir", "bootstrapMaxChars",
        "bootstrapTotalMaxChars", "sandbox", "systemPrompt", "injectedWorkspaceFiles", "skills", "tools",
    }  # fmt: skip
    assert (numbers["bootstrapMaxChars"], numbers["bootstrapTotalMaxChars"]) == (20_000, 150_000)
    prompt = numbers["systemPrompt"]
    assert prompt["chars"] == prompt["projectContextChars"] + prompt["nonProjectContextChars"]
    assert numbers["tools"]["schemaChars"] == sum(t["schemaChars"] for t in numbers["tools"]["entries"])


def test_a_quoted_heading_cuts_project_context_short(folder: Path) -> None:
    found = report(folder, config={})
    assert {"quoted", "missing", "blank", "tools", "sections"} <= codes(found)
    assert "runtime" in codes(report(folder, mode="minimal", config={}))


def test_files_that_found_no_room_and_small_limits_are_pointed_out(folder: Path) -> None:
    assert "dropped" in codes(report(folder, config={"agents": {"defaults": {"bootstrapTotalMaxChars": 50}}}))
    (folder / "AGENTS.md").write_text("x" * 120)
    assert "cut" in codes(report(folder, config={"agents": {"defaults": {"bootstrapMaxChars": 100}}}))


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 22])
def test_so_many_names_are_listed(folder: Path, count: int) -> None:
    skills = [{"name": f"s{n:02}", "description": "d", "filePath": f"/s{n}"} for n in range(count)]
    listed = ", ".join(f"s{n:02}" for n in range(min(count, 20))) or "(none)"
    more = f", … {count - 20} more" if count > 20 else ""
    assert f"Skills: {listed}{more}\n" in report(folder, config={}, skills=skills).list


def test_skills_are_sized_by_their_block(folder: Path) -> None:
    skills = [{"name": "a", "description": "d", "filePath": "/a"}, {"name": "b", "description": "d", "filePath": "/b"}]
    found = report(folder, config={}, skills=skills, skillFilter=["a"])
    # the block without the indentation before and the line break after it: 97 less 3
    assert found.json["report"]["skills"]["entries"] == [{"name": "a", "blockChars": 94 + len("a" + "d" + "/a")}]
    assert "it says nothing of 1 skills that gates or limits hold back" in [s.message for s in found.blind_spots]
    assert "skills" not in codes(report(folder, config={}, skills=skills))


@pytest.mark.parametrize(
    ("chars", "text"), [(0, "0 chars (~0 tok)"), (5, "5 chars (~2 tok)"), (4000, "4,000 chars (~1,000 tok)")]
)
def test_tokens_are_a_quarter_rounded_up(chars: int, text: str) -> None:
    assert size(chars) == text


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        (None, {"mode": "off", "sandboxed": False}),
        ("non-main", {"mode": "non-main", "sandboxed": False}),
        ("all", {"mode": "all", "sandboxed": True}),
    ],
)
def test_the_sandbox_is_told_by_its_mode(folder: Path, mode: str | None, said: dict[str, object]) -> None:
    config = {"agents": {"defaults": {"sandbox": {"mode": mode}}}} if mode else {}
    assert report(folder, config=config).json["report"]["sandbox"] == said


@pytest.mark.parametrize(
    "given", [{}, {"toolNames": ["read", "mine"], "toolSummaries": {"mine": "My own."}}, {"toolNames": ["mine"]}]
)
def test_the_list_of_tools_is_sized_by_its_bullets(folder: Path, given: dict[str, Any]) -> None:
    numbers = report(folder, config={}, promptParams=given).json["report"]
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder),
        params={"config": {}, "promptParams": given},
        env={},
    )
    section = assemble(scenario, Workspace(), cached_only=True).section("tooling")
    assert section is not None
    bullets = "\n".join(line for line in section.text.split("\n") if line.startswith("- "))
    assert numbers["tools"]["listChars"] == len(bullets.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        (None, "anthropic", "claude-opus-4-6"),
        ("x", "anthropic", "x"),
        ("a/b", "a", "b"),
        ("a/b/c", "a", "b/c"),
        ("a/", "a", "a/"),
        ("/x", None, "x"),
    ],
)
def test_a_model_is_told_beside_its_provider(folder: Path, model: str | None, provider: str | None, name: str) -> None:
    workspace = Workspace()
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder),
        model=model,
        params={"config": {}},
        env={},
    )
    agent, inputs = resolve(scenario, workspace)
    found = context_report(agent.gather(inputs, workspace), assemble(scenario, workspace, cached_only=True))
    numbers = found.json["report"]
    assert (numbers["provider"], numbers["model"]) == (provider, name)


def test_each_blind_spot_stands_beside_its_first_line_or_by_itself(folder: Path) -> None:
    found = report(folder, config={})
    shown = agent_report(found)
    assert shown.command == "/context"
    for form, text in (("list", found.list), ("detail", found.detail)):
        lines = shown.views[form]
        assert [line.text for line in lines] == text.split("\n")
        beside = [(line.text.lstrip(), note) for line in lines for note in line.notes]
        for spot in found.blind_spots:
            said = [line for line, note in beside if note == spot.message]
            wanted = [
                line.lstrip() for line in text.split("\n") if spot.beside and line.lstrip().startswith(spot.beside)
            ]
            assert said == wanted[:1]
    lines = shown.views["json"]
    assert [line.text for line in lines] == json.dumps(found.json, indent=2, ensure_ascii=False).split("\n")
    beside = [(line.text.lstrip(), note) for line in lines for note in line.notes]
    assert len(beside) == sum(bool(spot.key) for spot in found.blind_spots) > 0
    for spot in filter(lambda spot: spot.key, found.blind_spots):
        said = [line for line, note in beside if note == spot.message]
        assert said == [next(line.text.lstrip() for line in lines if line.text.lstrip().startswith(f'"{spot.key}'))]
    assert shown.notes == tuple(spot.message for spot in found.blind_spots if not spot.beside)


SESSION = {"totalTokens": None, "contextTokens": 200_000}


def numbers(files: list[dict[str, Any]] | None = None, skills: int = 0, tools: int = 0) -> dict[str, Any]:
    """A report of files, skills and tools, the later ones larger."""
    return {
        "source": "run", "workspaceDir": "/w", "bootstrapMaxChars": 100, "bootstrapTotalMaxChars": 1_000,
        "sandbox": {"mode": "off", "sandboxed": False},
        "systemPrompt": {"chars": 8, "projectContextChars": 4, "nonProjectContextChars": 4},
        "injectedWorkspaceFiles": files or [],
        "skills": {"promptChars": 0, "entries": [{"name": f"s{n}", "blockChars": n} for n in range(skills)]},
        "tools": {
            "listChars": 0,
            "schemaChars": 0,
            "entries": [
                {"name": f"t{n}", "summaryChars": -n, "schemaChars": n, "propertiesCount": n} for n in range(tools)
            ],
        },
    }  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 29, 30, 31, 33])
def test_so_many_tools_are_named_and_ranked(count: int) -> None:
    found = numbers(skills=count, tools=count)
    more = f", … {count - 30} more" if count > 30 else ""
    names = ", ".join(f"t{n}" for n in range(min(count, 30))) or "(none)"
    assert f"\nTools: {names}{more}\n" in list_text(found, SESSION)
    detail = detail_text(found, SESSION)
    ranked = [int(line[3:].partition(":")[0]) for line in detail.split("\n") if line.startswith(("- s", "- t"))]
    largest, first = list(range(count))[::-1][:30], list(range(count))[:30]
    assert ranked == [*largest, *largest, *first]
    counts = ", ".join(f"t{n} {n}" for n in first)
    assert (f"\nParameters: {counts}\n" in detail) is (count > 0)


@pytest.mark.parametrize(
    ("files", "causes"),
    [
        ([(100, 100, False)], None),
        ([(101, 90, True)], "1 of 1 files were not injected whole (1 over max/file)"),
        ([(100, 0, True)], "1 of 1 files were not injected whole (1 over max/total)"),
        (
            [(101, 90, True), (100, 9, True), (99, 99, False)],
            "2 of 3 files were not injected whole (1 over max/file, 1 over max/total)",
        ),
        ([(150, 90, True), (150, 90, True)], "2 of 2 files were not injected whole (2 over max/file)"),
    ],
)
def test_what_cut_files_is_told(files: list[tuple[int, int, bool]], causes: str | None) -> None:
    rows = [
        {"name": "A", "missing": False, "rawChars": raw, "injectedChars": injected, "truncated": cut}
        for raw, injected, cut in files
    ]
    text = list_text(numbers(rows), SESSION)
    assert text.partition("⚠ ")[2].partition(".\n")[0] == (causes or "")
    assert text.count("- A: TRUNCATED") == sum(cut for *_, cut in files)


@pytest.mark.parametrize(("total", "words"), [(None, "not known"), (0, "0"), (1_200, "1,200")])
def test_what_the_session_holds(total: int | None, words: str) -> None:
    text = list_text(numbers(), {**SESSION, "totalTokens": total})
    assert text.endswith(f"\nSession tokens: {words} of 200,000")


@pytest.mark.parametrize(
    ("date", "milliseconds"), [("1970-01-01T00:00:01.5+00:00", 1_500), ("no date", None), (None, None)]
)
def test_when_it_was_made(folder: Path, date: str | None, milliseconds: int | None) -> None:
    workspace = Workspace()
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder),
        params={"config": {}},
        env={},
    )
    agent, inputs = resolve(scenario, workspace)
    gathered = agent.gather(inputs, workspace)
    gathered = replace(gathered, materials=replace(gathered.materials, date=date))
    found = context_report(gathered, assemble(scenario, workspace, cached_only=True))
    assert found.json["report"]["generatedAt"] == milliseconds


def test_without_files_there_is_no_project_context(folder: Path) -> None:
    prompt = report(folder, config={}, bootstrapFiles=[]).json["report"]["systemPrompt"]
    assert prompt["projectContextChars"] == 0
    assert "missing" not in codes(report(folder, config={}, bootstrapFiles=[]))


def test_project_context_ends_before_silent_replies(folder: Path) -> None:
    files = [{"name": "A.md", "path": "/A.md", "content": "twelve chars"}]
    workspace = Workspace()
    params = {"config": {}, "bootstrapFiles": files}
    scenario = Scenario(
        agent="openclaw", agent_version="2026.2.24", workspace=str(folder), home=str(folder), params=params, env={}
    )
    system = assemble(scenario, workspace, cached_only=True).system_text
    told = report(folder, config={}, bootstrapFiles=files).json["report"]["systemPrompt"]["projectContextChars"]
    assert told == system.index("\n## Silent Replies\n") - system.index("\n# Project Context\n")
    assert "quoted" not in codes(report(folder, config={}, bootstrapFiles=files))


@pytest.mark.parametrize(
    ("limit", "spots"),
    [
        (None, set()),
        (400, set()),
        (300, {"dropped"}),
    ],
)
def test_a_file_is_dropped_only_where_its_text_is_lost(folder: Path, limit: int | None, spots: set[str]) -> None:
    files = [{"name": n, "path": f"/{n}", "content": "x" * 150} for n in ("A.md", "B.md")]
    files.append({"name": "C.md", "path": "/C.md", "content": "x" * 60})
    defaults = {} if limit is None else {"bootstrapTotalMaxChars": limit}
    found = codes(report(folder, config={"agents": {"defaults": defaults}}, bootstrapFiles=files))
    assert found & {"dropped", "cut", "blank", "missing"} == spots


@pytest.mark.parametrize(("more", "spots"), [(-1, {"cut"}), (0, {"cut"}), (1, set())])
def test_a_cut_file_shows_ok_where_the_marker_makes_up_for_it(folder: Path, more: int, spots: set[str]) -> None:
    """Of 300 characters 210 and 60 are kept."""
    marker = "\n\n[...truncated, read A.md for full content...]\n…(truncated A.md: kept 210+60 chars of 369)…\n\n"
    files = [{"name": "A.md", "path": "/A.md", "content": "x" * (270 + len(marker) + more)}]
    found = report(folder, config={"agents": {"defaults": {"bootstrapMaxChars": 300}}}, bootstrapFiles=files)
    assert found.json["report"]["injectedWorkspaceFiles"][0]["injectedChars"] == 270 + len(marker)
    assert codes(found) & {"dropped", "cut", "blank", "missing"} == spots


def run(folder: Path) -> tuple[Gathered[Any], Assembly]:
    """What was gathered for a run, and its assembly."""
    workspace = Workspace()
    scenario = Scenario(
        agent="openclaw",
        agent_version="2026.2.24",
        workspace=str(folder),
        home=str(folder),
        params={"config": {}},
        env={},
    )
    agent, inputs = resolve(scenario, workspace)
    return agent.gather(inputs, workspace), assemble(scenario, workspace, cached_only=True)


@pytest.mark.parametrize(
    ("chars", "tokens", "is_told"),
    [
        (379, 100, True),
        (380, 100, False),
        (420, 100, False),
        (423, 100, True),
        (400, None, False),
        (400, 0, False),
    ],
)
def test_an_estimate_may_be_a_twentieth_off(folder: Path, chars: int, tokens: int | None, is_told: bool) -> None:
    gathered, assembly = run(folder)
    safety = assembly.section("safety")
    assert safety is not None
    assembly = replace(
        assembly,
        sections=(replace(safety, fragments=(replace(safety.fragments[0], text="x" * chars),)),),
        tokens=replace(assembly.tokens, by_channel={"system": tokens}),
    )
    told = [spot.message for spot in context_report(gathered, assembly).blind_spots if spot.code == "tokens"]
    words = f"it estimates 4 characters per token: {chars // 4}, where {tokens} are counted"
    assert told == ([words] if is_told else [])


@pytest.mark.parametrize(
    ("present", "tokens", "is_told"), [(True, 1, True), (True, 0, False), (True, None, True), (False, None, False)]
)
def test_summaries_mislead_where_the_prompt_lists_a_tool(
    folder: Path, present: bool, tokens: int | None, is_told: bool
) -> None:
    gathered, assembly = run(folder)
    tool = replace(assembly.tools[0], present=present, tokens=ToolTokens(tokens, 5, 5))
    assert ("summaries" in codes(context_report(gathered, replace(assembly, tools=(tool,))))) is is_told


def test_the_newer_report_counts_what_is_sent_and_says_what_waits(folder: Path) -> None:
    scenario = Scenario(agent="openclaw", agent_version="2026.9.6", workspace=str(folder), home=str(folder), env={})
    agent, inputs = resolve(scenario, workspace := Workspace())
    assembly = assemble(scenario, workspace, cached_only=True)
    found = context_report(agent.gather(inputs, workspace), assembly)
    assert [entry["name"] for entry in found.json["report"]["tools"]["entries"]][-3:] == [
        "tool_search", "tool_describe", "tool_call",
    ]  # fmt: skip
    assert "- BOOTSTRAP.md: MISSING | raw 0 chars (~0 tok)" in found.list
    assert "\n\nSession tokens" in found.list
    [waiting] = (spot.message for spot in found.blind_spots if spot.code == "waiting")
    assert waiting.startswith("it says nothing of the 45 tools that wait")
