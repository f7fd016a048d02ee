"""Discovery, gates, limits and the listing, through whole assemblies (docs/agents/openclaw.md#skills)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, Workspace
from promptscope_engine.agents.openclaw.gather.config import short_path
from promptscope_engine.agents.openclaw.gather.skill_folders import Limits, Skill
from promptscope_engine.agents.openclaw.gather.skill_listing import first_that_fit
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.javascript.text import utf16_len
from promptscope_engine.prompt.conditions import Condition, Named, Setting
from promptscope_engine.prompt.model import Assembly, SourceFile, Verdict

from .conftest import Claw

pytestmark = pytest.mark.slow


def skill(name: str, description: str = "d", extra: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{extra}---\nbody\n"


def names(assembly: Assembly) -> list[str]:
    section = assembly.section("skills")
    text = section.text if section and section.present else ""
    return [line.strip()[6:-7] for line in text.split("\n") if line.startswith("    <name>")]


def source(assembly: Assembly, end: str) -> SourceFile:
    return next(f for f in assembly.files if f.kind == "skill" and f.path.endswith(end))


def test_a_later_source_takes_the_slot_of_an_earlier_one(claw: Claw) -> None:
    assembly = claw(
        {
            "home/.openclaw/skills/a/SKILL.md": skill("a", "managed"),
            "home/.openclaw/skills/b/SKILL.md": skill("b"),
            "workspace/skills/a/SKILL.md": skill("a", "own"),
        }
    )
    assert names(assembly) == ["a", "b"]
    text = assembly.system_text
    assert "<description>own</description>" in text
    assert "managed" not in text
    loser = source(assembly, ".openclaw/skills/a/SKILL.md")
    assert not loser.present
    assert "same name" in loser.why.text


def test_locations_are_shortened_below_the_home(claw: Claw) -> None:
    assembly = claw({"home/.agents/skills/a/SKILL.md": skill("a")})
    assert "<location>~/.agents/skills/a/SKILL.md</location>" in assembly.system_text
    assert short_path("/homely/x", "/home") == "/homely/x"


def test_a_listed_name_and_description_point_to_their_lines(claw: Claw) -> None:
    assembly = claw({"workspace/skills/a/SKILL.md": '---\nname: a\ndescription: "x & y"\n---\n'})
    section = assembly.section("skills")
    assert section is not None
    found = [(f.text, f.origin.start_line) for f in section.fragments if f.origin.kind == "file"]
    assert found == [("a", 2), ("x ", 3), (" y", 3)]
    assert "x &amp; y" in section.text


def test_what_lies_beside_and_below_a_skill_is_a_skill_too(claw: Claw) -> None:
    assembly = claw(
        {
            "workspace/skills/a/SKILL.md": skill("a"),
            "workspace/skills/a/NOTES.md": skill("notes"),
            "workspace/skills/a/README.md": "no head\n",
            "workspace/skills/a/deep/er/SKILL.md": skill("deep"),
            "workspace/skills/a/deep/OTHER.md": skill("other"),
            "workspace/skills/group/b/SKILL.md": skill("b"),
            "workspace/skills/.hidden/SKILL.md": skill("hidden"),
            "workspace/skills/node_modules/SKILL.md": skill("module"),
        }
    )
    assert names(assembly) == ["notes", "a", "deep"]


def test_a_package_may_be_named_in_place_of_its_skills(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {"more/skills/a/SKILL.md": skill("a"), "single/SKILL.md": skill("one")}
    config = {"skills": {"load": {"extraDirs": [str(place / "more"), str(place / "single"), " "]}}}
    assert names(claw(files, config=config)) == ["a", "one"]


def test_a_link_is_followed(claw: Claw, place: Path) -> None:
    (place / "home/skill").mkdir()
    (place / "home/skill/SKILL.md").write_text(skill("linked"))
    (place / "workspace/skills").mkdir()
    (place / "workspace/skills/x").symlink_to(place / "home/skill")
    (place / "workspace/skills/loop").symlink_to(place / "workspace/skills")
    assert names(claw()) == ["linked"]


def test_a_linked_folder_of_a_skill_may_lie_anywhere(claw: Claw, place: Path) -> None:
    for name in ("skill", "nothing"):
        (place / "far/away" / name).mkdir(parents=True)
    (place / "far/away/skill/SKILL.md").write_text(skill("linked"))
    (place / "far/away/SKILL.md").write_text(skill("beside"))
    (place / "workspace/skills/own").mkdir(parents=True)
    (place / "workspace/skills/x").symlink_to(place / "far/away/skill")
    (place / "workspace/skills/y").symlink_to(place / "far/away/nothing")
    (place / "workspace/skills/own/SKILL.md").symlink_to(place / "far/away/SKILL.md")
    assert names(claw()) == ["linked"]


def gates(metadata: str) -> dict[str, str | bytes]:
    return {"workspace/skills/a/SKILL.md": skill("a", extra=f"metadata: {{openclaw: {metadata}}}\n")}


@pytest.mark.parametrize(
    ("metadata", "params", "reason"),
    [
        ("{requires: {bins: ['sh', 'nonesuch']}}", {}, "the program nonesuch is not on PATH"),
        ("{requires: {anyBins: ['nonesuch', 'nonesuch2']}}", {}, "none of nonesuch, nonesuch2 is on PATH"),
        ("{requires: {env: ['MOSS']}}", {}, "MOSS is not set"),
        ("{requires: {config: ['channels.x']}}", {}, "channels.x is not set"),
        ("{os: ['darwin'], always: true}", {}, "it is made for darwin, not for linux"),
        ("{}", {"config": {"skills": {"entries": {"a": {"enabled": False}}}}}, "skills.entries.a.enabled is false"),
        ("{skillKey: 'k'}", {"config": {"skills": {"entries": {"k": {"enabled": False}}}}}, "skills.entries.k.enabled"),
        ("{}", {"skillFilter": []}, "skillFilter does not name it"),
        ("{}", {"skillFilter": ["b"]}, "skillFilter does not name it"),
        ("{}", {"config": {"agents": {"list": [{"id": "main", "skills": []}]}}}, "the agent's list of skills"),
    ],
)
def test_a_shut_gate_is_the_reason(claw: Claw, metadata: str, params: dict[str, Any], reason: str) -> None:
    assembly = claw(gates(metadata), **params)
    found = source(assembly, "a/SKILL.md")
    assert not found.present
    assert reason in found.why.text
    assert names(assembly) == []


@pytest.mark.parametrize(
    ("metadata", "params"),
    [
        ("{requires: {bins: ['sh']}}", {}),
        ("{requires: {anyBins: ['nonesuch', 'sh']}}", {}),
        ("{always: true, requires: {bins: ['nonesuch']}}", {}),
        ("{requires: {env: ['FERN']}}", {"env": {"FERN": "1"}}),
        ("{requires: {env: ['X']}}", {"config": {"skills": {"entries": {"a": {"env": {"X": "1"}}}}}}),
        ("{primaryEnv: 'X', requires: {env: ['X']}}", {"config": {"skills": {"entries": {"a": {"apiKey": "k"}}}}}),
        ("{requires: {config: ['browser.enabled']}}", {}),
        ("{os: ['linux', 'darwin']}", {}),
        ("{}", {"skillFilter": [" a "]}),
        ("{}", {"config": {"skills": {"allowBundled": ["other"]}}}),
    ],
)
def test_an_open_gate_lists_the_skill(claw: Claw, metadata: str, params: dict[str, Any]) -> None:
    assert names(claw(gates(metadata), **params)) == ["a"]


def texts(verdict: Verdict) -> list[str]:
    return [verdict.text, *(text for child in verdict.children for text in texts(child))]


@pytest.mark.parametrize(
    ("metadata", "reasons"),
    [
        ("{}", []),
        ("{requires: {}}", []),
        ("{always: true}", ["its metadata says always"]),
        ("{requires: {bins: ['sh']}}", ["what it requires is there", "the program sh is there"]),
        ("{always: true, requires: {bins: ['sh']}}", ["its metadata says always", "the program sh is there"]),
    ],
)
def test_a_listed_skill_says_what_let_it_in(claw: Claw, metadata: str, reasons: list[str]) -> None:
    verdict = source(claw(gates(metadata)), "a/SKILL.md").why.condition
    assert verdict is not None
    known = ("always present", "its metadata says always", "what it requires is there", "the program sh is there")
    assert [text for text in texts(verdict) if text in known] == reasons


def test_the_filter_names_the_lever_that_brings_a_skill_in(claw: Claw) -> None:
    levers = source(claw(gates("{}"), skillFilter=["b"]), "a/SKILL.md").why.levers
    assert [(lever.param, lever.value) for lever in levers] == [("skillFilter", ["b", "a"])]


def test_only_bundled_skills_are_limited_by_their_list(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "bundled/a/SKILL.md": skill("a"),
        "bundled/b/SKILL.md": skill("b"),
        "workspace/skills/c/SKILL.md": skill("c"),
    }
    config = {"skills": {"allowBundled": ["b"]}}
    assert names(claw(files, config=config, bundledSkillsDir=str(place / "bundled"))) == ["b", "c"]


@pytest.mark.parametrize(("version", "listed"), [("2026.2.24", ["a"]), ("2026.9.6", ["a", "b"])])
def test_bundled_skills_in_a_folder_of_skills_are_newer(
    claw: Claw, place: Path, version: str, listed: list[str]
) -> None:
    files: dict[str, str | bytes] = {"bundled/a/SKILL.md": skill("a"), "bundled/group/b/SKILL.md": skill("b")}
    found = names(claw(files, version=version, bundledSkillsDir=str(place / "bundled")))
    assert [name for name in found if len(name) == 1] == listed


def stand_in(number: int) -> dict[str, str]:
    return {"name": f"s{number}", "description": "d" * 10, "filePath": f"/s/{number}/SKILL.md"}


def test_limits_cut_from_the_end_and_say_so(claw: Claw) -> None:
    skills = [stand_in(number) for number in range(10, 20)]
    assembly = claw(skills=skills, config={"skills": {"limits": {"maxSkillsInPrompt": 4}}})
    assert names(assembly) == ["s10", "s11", "s12", "s13"]
    section = assembly.section("skills")
    assert section is not None
    assert "included 4 of 10" in section.text
    assert "next one to be cut" in source(assembly, "13/SKILL.md").why.text
    cut = source(assembly, "14/SKILL.md")
    assert not cut.present
    assert "maxSkillsInPrompt is 4: cut as number 5" in cut.why.text


def test_the_limit_of_characters_counts_the_real_block(claw: Claw) -> None:
    entry = 97 + len("s10") + 10 + len("/s/10/SKILL.md")
    limit = 368 + 3 * entry
    skills = [stand_in(number) for number in range(10, 20)]
    for chars, listed in ((limit, 3), (limit - 1, 2)):
        config = {"skills": {"limits": {"maxSkillsPromptChars": chars}}}
        assert len(names(claw(skills=skills, config=config))) == listed


def test_without_room_for_any_the_note_stands_alone(claw: Claw) -> None:
    assembly = claw(skills=[stand_in(1)], config={"skills": {"limits": {"maxSkillsPromptChars": 10}}})
    section = assembly.section("skills")
    assert section is not None
    assert section.present
    assert "included 0 of 1" in section.text
    assert "<available_skills>\n" not in section.text


def test_a_large_file_is_not_read_as_a_skill(claw: Claw) -> None:
    files: dict[str, str | bytes] = {"workspace/skills/a/SKILL.md": skill("a", extra="x: " + "y" * 500 + "\n")}
    assembly = claw(files, config={"skills": {"limits": {"maxSkillFileBytes": 100}}})
    assert "the limit is 100" in source(assembly, "a/SKILL.md").why.text


def test_the_limit_per_source_counts_folders(claw: Claw) -> None:
    files: dict[str, str | bytes] = {f"workspace/skills/s{n}/SKILL.md": skill(f"s{n}") for n in range(4)}
    files["workspace/skills/a/NOTES.md"] = "no skill\n"
    assembly = claw(files, config={"skills": {"limits": {"maxSkillsLoadedPerSource": 3}}})
    assert names(assembly) == ["s0", "s1"]


def test_the_skills_of_an_enabled_plugin_come_with_the_extra_ones(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "plugins/p/openclaw.plugin.json": '{"id": "p", "skills": ["./skills"]}',
        "plugins/p/skills/a/SKILL.md": skill("a"),
    }
    load = {"load": {"paths": [str(place / "plugins")]}}
    assert names(claw(files, config={"plugins": load})) == ["a"]
    assert names(claw(config={"plugins": {**load, "deny": ["p"]}})) == []
    assert names(claw(config={"plugins": {**load, "allow": []}})) == ["a"]
    assert names(claw(config={"plugins": {**load, "allow": ["q", "p"]}})) == ["a"]
    assert names(claw(config={"plugins": {**load, "allow": ["q"]}})) == []
    assert names(claw(config={"plugins": {**load, "entries": {"p": {"enabled": False}}}})) == []


def test_a_manifest_that_is_no_file_is_none(claw: Claw, place: Path) -> None:
    (place / "home/.openclaw/extensions/p/openclaw.plugin.json").mkdir(parents=True)
    assert not any(f.path.endswith("openclaw.plugin.json") for f in claw().files)


def test_the_filter_goes_before_the_agents_own_list(claw: Claw) -> None:
    config = {"agents": {"list": [{"id": "main", "skills": ["b"]}]}}
    assert names(claw(gates("{}"), config=config)) == []
    assert names(claw(skillFilter=["a"], config=config)) == ["a"]


@pytest.mark.parametrize(("last", "found"), [(199, True), (200, False)])
def test_200_plugins_of_a_folder_are_looked_at(claw: Claw, place: Path, last: int, found: bool) -> None:
    home = place / "home/.openclaw/extensions"
    for number in range(last + 1):
        (home / f"{number:03}").mkdir(parents=True)
    (home / f"{last:03}/openclaw.plugin.json").write_text('{"id": "p", "skills": ["skills"]}')
    assert any(f.path.endswith("openclaw.plugin.json") for f in claw().files) is found


@pytest.mark.parametrize(
    ("named", "is_found"),
    [("./skills", True), ("skills/", True), (" ", False), ("../p/skills", False), ("/p/skills", False)],
)
def test_the_skills_of_a_plugin_lie_below_it(claw: Claw, place: Path, named: str, is_found: bool) -> None:
    files: dict[str, str | bytes] = {
        "plugins/p/openclaw.plugin.json": json.dumps({"id": "p", "skills": [named]}),
        "plugins/p/skills/a/SKILL.md": skill("a"),
    }
    assembly = claw(files, config={"plugins": {"load": {"paths": [str(place / "plugins")]}}})
    assert names(assembly) == (["a"] if is_found else [])
    manifest = next(f for f in assembly.files if f.path.endswith("openclaw.plugin.json"))
    assert manifest.present is is_found


def test_the_fast_count_is_the_agents_binary_search() -> None:
    skills = [Skill(f"s{n}", "é🦞" * n, f"/p/{n}", "x", hidden=False) for n in range(40)]
    sizes = [97 + sum(map(utf16_len, (s.name, s.description, s.path))) for s in skills]
    for chars in range(300, 9000, 37):
        bounds = Limits(300, 200, 30, chars, 1)
        wanted = max(n for n in range(31) if n == 0 or 368 + sum(sizes[:n]) <= chars)
        assert first_that_fit(skills, bounds).count == wanted


def test_links_that_go_in_circles_end(claw: Claw, place: Path) -> None:
    files: dict[str, str | bytes] = {f"workspace/skills/s{n}/SKILL.md": skill(f"s{n}") for n in range(6)}
    for number in range(6):
        (place / f"workspace/skills/s{number}").mkdir(parents=True)
        (place / f"workspace/skills/s{number}/all").symlink_to(place / "workspace/skills")
    assert names(claw(files)) == [f"s{number}" for number in range(6)]


@pytest.mark.parametrize("length", [63, 64, 65])
def test_a_long_name_is_warned_about(claw: Claw, length: int) -> None:
    name = "n" * length
    assembly = claw({f"workspace/skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: d\n---\n"})
    warned = any(d.message == "a name is at most 64 of a-z, 0-9 and hyphens" for d in assembly.diagnostics)
    assert warned is (length > 64)


@pytest.mark.parametrize(
    ("name", "is_fine"),
    [
        ("n-1", True), ("9", True), ("Name", False), ("a_b", False), ("a.b", False), ("a b", False),
        ("ä", False), ("ʰ", False), ("٣", False),
    ],
)  # fmt: skip
def test_a_name_with_other_characters_is_warned_about(claw: Claw, name: str, is_fine: bool) -> None:
    assembly = claw({f"workspace/skills/{name}/SKILL.md": f"---\nname: '{name}'\ndescription: d\n---\n"})
    told = [d.message for d in assembly.diagnostics if d.path and d.path.endswith("SKILL.md")]
    assert told == ([] if is_fine else ["a name is at most 64 of a-z, 0-9 and hyphens"])


@pytest.mark.parametrize("limit", ["maxSkillsInPrompt", "maxSkillsPromptChars"])
def test_a_limit_that_is_one_lower_cuts_the_last_skill_alone(claw: Claw, limit: str) -> None:
    skills = [{"name": f"s{n}", "description": "d", "filePath": f"/s/{n}/SKILL.md"} for n in range(3)]
    inputs = resolve(
        Scenario(agent="openclaw", agent_version="2026.2.24", params={"skills": skills, "config": {}}), Workspace()
    )[1]
    *_, last = (file for file in load_agent("openclaw").gather(inputs, Workspace()).files if file.kind == "skill")
    [room] = (leaf for leaf in leaves(last.when) if leaf.source.key == f"skills.limits.{limit}")
    for lever, count in ((room.on, 3), (room.off, 2)):
        assert lever is not None
        params = Scenario(params={"skills": skills, "config": {}}).with_value(lever.param, lever.value).params
        assert names(claw(**params)) == [f"s{n}" for n in range(count)]


def leaves(condition: Condition) -> Iterator[Setting]:
    """The settings that a condition asks."""
    if isinstance(condition, Setting):
        yield condition
    inner = [condition.inner] if isinstance(condition, Named) else getattr(condition, "members", ())
    for member in inner:
        yield from leaves(member)


@pytest.mark.parametrize("length", [1023, 1024, 1025])
def test_a_long_description_is_warned_about(claw: Claw, length: int) -> None:
    assembly = claw({"workspace/skills/a/SKILL.md": f"---\nname: a\ndescription: {'d' * length}\n---\n"})
    warned = any(d.message == "the description is longer than 1,024 characters" for d in assembly.diagnostics)
    assert warned is (length > 1024)


@pytest.mark.parametrize("size", [-1, 0, 1])
def test_a_skill_file_has_a_limit_of_bytes_and_its_lever_lets_it_in(claw: Claw, size: int) -> None:
    text = "---\nname: a\ndescription: d\n---\n"
    limits = {"skills": {"limits": {"maxSkillFileBytes": len(text) - size}}}
    file = next(f for f in claw({"workspace/skills/a/SKILL.md": text}, config=limits).files if f.kind == "skill")
    assert file.present is (size <= 0)
    wanted = [("configOverlay.skills.limits.maxSkillFileBytes", len(text))]
    assert [(lever.param, lever.value) for lever in file.why.levers] == wanted or size <= 0


def test_why_and_files_agree_on_the_installed_package(claw: Claw, place: Path) -> None:
    """Where it is on PATH, both name it."""
    package, programs = place / "home/lib/openclaw", place / "home/bin"
    for folder in (package, programs):
        folder.mkdir(parents=True)
    (package / "openclaw.mjs").touch(0o755)
    (programs / "openclaw").symlink_to(package / "openclaw.mjs")
    found = claw(version="2026.9.6", env={"PATH": str(programs)})
    (derived,) = [each for each in found.derived if each.param == "bundledSkillsDir"]
    assert derived.value == f"{package}/skills"
    assert "not known" not in derived.why.text
    assert any(file.path.startswith(str(derived.value)) for file in found.files)


def test_a_package_that_is_not_known_is_told(claw: Claw, place: Path) -> None:
    def told(**params: Any) -> bool:
        return any("the installed package is not known" in d.message for d in claw(**params).diagnostics)

    assert told()
    assert not told(bundledSkillsDir=str(place / "bundled"))
    assert not told(skills=[stand_in(1)])


def test_a_stand_in_has_no_file(claw: Claw) -> None:
    found = source(claw(skills=[stand_in(1)]), "1/SKILL.md")
    assert (found.bytes, found.raw_chars, found.real_path) == (0, 0, "")


@pytest.mark.parametrize(("count", "note"), [(2, False), (3, True)])
def test_a_note_stands_only_before_a_listing_that_was_cut(claw: Claw, count: int, note: bool) -> None:
    assembly = claw(skills=[stand_in(n) for n in range(count)], config={"skills": {"limits": {"maxSkillsInPrompt": 2}}})
    section = assembly.section("skills")
    assert section is not None
    assert ("about it.\n\n\n" in section.text, "Skills are missing" in section.text) == (note, note)


def test_without_skills_it_says_where_to_put_one(claw: Claw, place: Path) -> None:
    def remedy(**params: Any) -> str:
        (section,) = [section for section in claw(**params).sections if section.id == "skills"]
        return section.why.remedy

    assert remedy() == f"put a folder with a SKILL.md into {place}/workspace/skills"
    assert remedy(skills=[]) == "`--set 'skills=[{name: a, description: TEXT, filePath: /a/SKILL.md}]'`"


@pytest.mark.parametrize(
    ("name", "fragments"),
    [("a", [("param", "a")]), ("a & b", [("param", "a &amp; b")])],
)
def test_the_name_of_a_stand_in_is_one_stretch(claw: Claw, name: str, fragments: list[tuple[str, str]]) -> None:
    section = claw(skills=[{**stand_in(1), "name": name}]).section("skills")
    assert section is not None
    shown = [(f.origin.kind, f.text) for f in section.fragments]
    at = shown.index(("label", "</name>\n    <description>"))
    assert shown[at - 1 : at] == fragments


@pytest.mark.parametrize(
    ("limits", "places"),
    [
        ({}, ["~/.openclaw/plugin-skills/browser-automation", "~/.openclaw/plugin-skills/canvas"]),
        (
            {"maxCandidatesPerRoot": 1},
            [
                "~/.openclaw/plugin-skills/browser-automation",
                "/usr/lib/node_modules/openclaw/dist/extensions/canvas/skills/canvas",
            ],
        ),
        ({"maxSkillFileBytes": 2000}, ["~/.openclaw/plugin-skills/canvas"]),
        ({"maxSkillFileBytes": 1}, []),
    ],
)
def test_limits_hold_for_skills_of_plugins(claw: Claw, limits: dict[str, int], places: list[str]) -> None:
    """Each was asked of 2026.9.6."""
    assembly = claw(version="2026.9.6", config={"skills": {"limits": limits}})
    text = "".join(each.text for each in assembly.sections if each.present)
    assert re.findall(r"<location>(.*)/SKILL.md</location>", text) == places
