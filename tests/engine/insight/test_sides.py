"""The sides of a comparison: forms, revisions, and what is pinned."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs
from tests.support.repository import commit, git, write

from promptscope_engine import Scenario, ScenarioError, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.inputs.pinned import NOWHERE, REPOSITORY, pinned
from promptscope_engine.inputs.scenario import Environment, GitFacts
from promptscope_engine.insight.comparison import compare
from promptscope_engine.insight.sides import (
    Side,
    assemble_both,
    assemble_pinned,
    assemble_side,
    between,
    comparable,
    is_side,
    question_of,
    side_of,
)
from promptscope_engine.learned import AddedTool, Learned, LearnedVersion, Wording
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with two commits, changed since, below a folder and a home with files of their own."""
    folder = tmp_path / "code" / "shop"
    commit(folder, {"CLAUDE.md": "one\n", "docs/new.md": "new\n"}, "first")
    commit(folder, {"CLAUDE.md": "two\n"}, "second")
    write(folder, {"CLAUDE.md": "three\n"})
    write(tmp_path, {"code/CLAUDE.md": "around\n", "home/.claude/CLAUDE.md": "home\n"})
    return folder


def base(shop: Path, agent: str = "claude-code") -> Scenario:
    return Scenario(agent=agent, workspace=str(shop), home=str(shop.parent.parent / "home"), env={})


@pytest.mark.slow
def test_revisions_are_read_whatever_the_work_tree_has(shop: Path) -> None:
    texts = {}
    for words in ("HEAD~1", "HEAD~1..HEAD", ".."):
        before, after = between(words, base(shop))
        texts[words] = [_text(assemble_side(side).request.messages) for side in (before, after)]
    assert ["one\n" in text for text in texts["HEAD~1"]] == [True, False]
    assert ["three\n" in text for text in texts["HEAD~1"]] == [False, True]
    assert ["two\n" in text for text in texts["HEAD~1..HEAD"]] == [False, True]
    assert texts[".."][0] == texts[".."][1]
    assert (shop / "CLAUDE.md").read_text() == "three\n"


def test_what_git_ignores_is_on_both_sides(shop: Path) -> None:
    commit(shop, {"CLAUDE.md": "three\n", ".gitignore": "CLAUDE.local.md\n", "packages/a/.gitignore": "CLAUDE.md\n"})
    write(shop, {"CLAUDE.local.md": "mine\n", "packages/a/CLAUDE.md": "also mine\n"})
    of_package = base(shop).model_copy(update={"workspace": str(shop / "packages" / "a")})
    for words, ignored in (("HEAD", 2), ("..", 2), ("HEAD~1", 1)):
        sides = between(words, of_package if words != "HEAD~1" else base(shop))
        for both in (assemble_both(sides), tuple(assemble_side(side) for side in sides)):
            found = compare(*both, question=question_of(*sides))
            assert len(found.ignored) == ignored
            assert found.differs is (words == "HEAD~1")
            assert not any("mine" in section.before + section.after for section in found.sections)


def test_a_file_that_is_new_and_not_ignored_is_a_difference(shop: Path) -> None:
    write(shop, {"CLAUDE.local.md": "mine\n"})
    sides = between("HEAD", base(shop))
    found = compare(*assemble_both(sides), question=question_of(*sides))
    assert [each.change for each in found.files if each.path.endswith("CLAUDE.local.md")] == ["added"]
    assert found.ignored == ()


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("HEAD", "all files of HEAD and those here now, committed or not"),
        ("HEAD~1..HEAD", "all files of HEAD~1 and HEAD"),
        ("HEAD~1...", "what HEAD changed since it left HEAD~1"),
    ],
)
def test_a_comparison_says_which_question_it_answers(words: str, question: str, shop: Path) -> None:
    assert question_of(*between(words, base(shop))) == question


def test_what_git_says_is_the_same_on_both_sides(shop: Path) -> None:
    before, after = (assemble_side(side) for side in between("HEAD~1", base(shop)))
    facts = [
        [f.text for s in each.sections for f in s.fragments if f.origin.name == "git.commits"]
        for each in (before, after)
    ]
    assert facts[0] == facts[1] != []
    assert "second" in facts[0][0]


def test_three_dots_begin_where_the_branch_left(shop: Path) -> None:
    git(shop, "checkout", "-q", "-f", "-b", "topic", "HEAD~1")
    commit(shop, {"CLAUDE.md": "topic\n"})
    before, after = between("main...topic", base(shop))
    assert before.revision
    assert before.revision.commit == git(shop, "rev-parse", "topic~1").strip()
    assert (before.name, after.name) == (f"git:{before.revision.short}", "git:topic")
    with pytest.raises(ScenarioError, match=r"no revision 'toppic'.*did you mean topic"):
        between("main...toppic", base(shop))


def test_pinned_leaves_out_home_and_what_lies_around(shop: Path) -> None:
    scenario = base(shop).model_copy(update={"home": None})
    for side in between("HEAD", scenario):
        assembly = assemble_pinned(side)
        text = _text(assembly.request.messages) + assembly.system_text
        assert not {"around", "home"} & {line.strip() for line in text.splitlines()}
        assert [file.path for file in assembly.files if file.present] == [f"{REPOSITORY}/CLAUDE.md"]
        assert "2026-01-01" in text
        assert assembly.home == NOWHERE
    kept = assemble_pinned(between("HEAD", base(shop))[0])
    assert "home\n" in _text(kept.request.messages)
    assert "around\n" not in _text(kept.request.messages)


@pytest.mark.slow
def test_pinned_is_the_same_wherever_the_repository_lies(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(shop), "a-much-longer-name-for-the-clone")
    there = tmp_path / "a-much-longer-name-for-the-clone"
    for agent in ("claude-code", "roo", "openclaw", "codex"):
        scenarios = [Scenario(agent=agent, workspace=str(folder), env={}) for folder in (shop, there)]
        one, other = (assemble_pinned(side_of("git:HEAD", scenario)) for scenario in scenarios)
        assert one == other, agent
        assert str(tmp_path) not in json.dumps(one.to_dict())


def test_a_part_of_a_repository_keeps_its_place(shop: Path) -> None:
    commit(shop, {"packages/api/CLAUDE.md": "api\n"})
    part = Scenario(agent="claude-code", workspace=str(shop / "packages" / "api"), env={})
    for side in between("HEAD", part):
        assembly = assemble_pinned(side)
        assert assembly.workspace == f"{REPOSITORY}/packages/api"
        present = [file.path for file in assembly.files if file.present]
        assert present == [f"{REPOSITORY}/CLAUDE.md", f"{REPOSITORY}/packages/api/CLAUDE.md"]


def test_pinned_keeps_what_the_scenario_says() -> None:
    facts = Environment(date="2027-05-05", git=GitFacts(branch="topic", status=" M x", commits=["abc one"]))
    scenario = pinned(Scenario(environment=facts, env={"A": "b"}, managed="/m"))
    assert (scenario.environment.date, scenario.environment.git) == ("2027-05-05", facts.git)
    assert (scenario.environment.username, scenario.env, scenario.managed) == ("user", {"A": "b"}, "/m")


def test_the_facts_of_git_can_be_given(shop: Path) -> None:
    facts = GitFacts(branch="topic", main_branch="trunk", user="Ada", status=" M x\n", commits=["abc one"])
    given = base(shop).model_copy(update={"environment": Environment(git=facts)})
    for version, status in (("2.1.100", "M x"), ("2.1.329", " M x")):
        assembly = assemble_side(side_of(f"version:{version}", given))
        found = {(f.origin.name or "").removeprefix("git."): f.text for s in assembly.sections for f in s.fragments}
        wanted = {"branch": "topic", "main_branch": "trunk", "user": "Ada", "status": status, "commits": "abc one"}
        assert {name: found[name] for name in wanted} == wanted


def test_each_form_changes_one_thing(shop: Path, tmp_path: Path) -> None:
    start = base(shop).model_copy(update={"mode": "plan", "params": {"autoMemory": False}})
    assert side_of("mode:default", start).scenario == start.model_copy(update={"mode": "default"})
    assert side_of("version:2.1.100", start).scenario.agent_version == "2.1.100"
    other = side_of("agent:roo", start).scenario
    assert (other.agent, other.mode, other.params, other.workspace) == ("roo", None, {}, str(shop))
    assert side_of("agent:claude-code", start).scenario == start
    (tmp_path / "x.json").write_text(json.dumps({"mode": "ask"}))
    filed = side_of(str(tmp_path / "x.json"), start).scenario
    assert (filed.mode, filed.agent, filed.workspace) == ("ask", "claude-code", str(shop))
    with pytest.raises(ScenarioError, match=r"no side 'modus:x'.*did you mean mode:x"):
        side_of("modus:x", start)
    with pytest.raises(ScenarioError, match=r"did you mean git:x\?") as several:
        side_of("gint:x", base(shop))  # it is near `agent`, too
    assert several.value.nearest == ("git:x",)
    with pytest.raises(ScenarioError, match=r"no side 'roo'.*did you mean agent:roo"):
        side_of("roo", start)
    with pytest.raises(ScenarioError) as nothing:
        side_of("nowhere", start)
    assert nothing.value.nearest == ()


@pytest.mark.slow
def test_a_submodule_is_a_diagnostic(shop: Path, tmp_path: Path) -> None:
    commit(tmp_path / "other", {"CLAUDE.md": "other\n"})
    git(shop, "submodule", "--quiet", "add", str(tmp_path / "other"), "sub")
    commit(shop, {})
    scenario = base(shop).model_copy(update={"workspace": str(shop / "sub"), "reads": []})
    inside = assemble_side(side_of("git:HEAD", scenario))  # its own repository
    assert not [d for d in inside.diagnostics if d.code == "submodule"]
    imports = base(shop)
    commit(shop, {"CLAUDE.md": "@sub/CLAUDE.md\n"})
    found = [d for d in assemble_side(side_of("git:HEAD", imports)).diagnostics if d.code == "submodule"]
    assert [(d.path, d.severity) for d in found] == [(str(shop / "sub"), "info")]
    commit_of = git(tmp_path / "other", "rev-parse", "HEAD").strip()
    assert found[0].message.startswith(f"a submodule at {commit_of[:9]}: ")


def _text(messages: object) -> str:
    return json.dumps(messages).replace("\\n", "\n")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("git:HEAD", True), ("agent:roo", True), ("version:1", True), ("mode:ask", True), ("mode:", True),
        ("git", False), ("x.json", False), ("gits:x", False), ("x:git", False), ("", False),
    ],
)  # fmt: skip
def test_a_side_that_is_no_file_has_one_of_four_forms(text: str, is_one: bool) -> None:
    assert is_side(text) is is_one


def test_a_capture_and_a_request_of_it_are_sides(shop: Path, tmp_path: Path) -> None:
    body = {"model": "claude-x", "max_tokens": 1, "system": "S", "messages": [{"role": "user", "content": "hi"}]}
    capture = tmp_path / "run.jsonl"
    capture.write_text(json.dumps(body))
    start = base(shop).model_copy(update={"mode": "plan", "model": "m", "params": {"autoMemory": False}})
    whole = side_of(str(capture), start).scenario
    assert (whole.capture, whole.agent, whole.mode, whole.model, whole.params) == (str(capture), None, None, None, {})
    assert side_of(f"{capture}:1", start).scenario.params == {"request": 1}
    (tmp_path / "run.jsonl:1").write_text(json.dumps(body))
    assert side_of(f"{capture}:1", start).scenario.capture == f"{capture}:1", "a file may be called so"
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ScenarioError, match=r"broken\.json"):
        side_of(str(tmp_path / "broken.json"), start)
    with pytest.raises(ScenarioError, match="no side 'nowhere:1'"):
        side_of("nowhere:1", start)


def test_at_most_three_names_are_proposed_for_a_revision(shop: Path) -> None:
    for name in ("topic1", "topic2", "topic3", "topic4"):
        git(shop, "branch", name)
    for remote in ("one", "two"):
        git(shop, "update-ref", f"refs/remotes/{remote}/topic", "HEAD")
    with pytest.raises(ScenarioError) as raised:
        side_of("git:topic", base(shop))
    assert len(raised.value.nearest) == 3
    assert set(raised.value.nearest[:2]) == {"one/topic", "two/topic"}


def test_an_empty_name_is_head(shop: Path) -> None:
    head, before = (git(shop, "rev-parse", name).strip() for name in ("HEAD", "HEAD~1"))
    for words, commits in (
        ("HEAD~1..", (before, head)),
        ("..HEAD~1", (head, before)),
        ("HEAD~1...", (before, head)),
        ("...HEAD~1", (before, before)),
    ):
        assert tuple(side.revision and side.revision.commit for side in between(words, base(shop))) == commits


@pytest.mark.parametrize("agent", agent_ids())
def test_what_show_wrote_is_a_side(shop: Path, agent: str, tmp_path: Path) -> None:
    written = assemble(base(shop, agent)).to_dict()
    (tmp_path / "saved.json").write_text(json.dumps(written))
    side = side_of(str(tmp_path / "saved.json"), base(shop, "roo"))
    assert assemble_side(side).to_dict() == json.loads(json.dumps(written))


def test_a_saved_side_is_held_against_the_prompt_as_it_is_here(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "saved.json").write_text(json.dumps(assemble(base(shop)).to_dict()))
    write(shop, {"CLAUDE.md": "four\n"})
    before, after = assemble_both((side_of(str(tmp_path / "saved.json"), base(shop)), Side("now", base(shop))))
    found = compare(before, after)
    assert [(each.title, each.change) for each in found.sections] == [("CLAUDE.md", "changed")]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("agent", 5, "Expected `str`, got `int`"),
        ("sections", [{}], "missing required field `id` - at `$[0]`"),
        ("request", {"protocol": "odd"}, "'odd'"),
        ("tokens", None, "Expected `object`, got `null`"),
    ],
)
def test_a_saved_side_that_was_changed_is_refused(
    shop: Path, tmp_path: Path, key: str, value: object, message: str
) -> None:
    written = {**assemble(base(shop, "roo")).to_dict(), key: value}
    (tmp_path / "saved.json").write_text(json.dumps(written))
    with pytest.raises(ScenarioError) as error:
        side_of(str(tmp_path / "saved.json"), base(shop))
    assert message in str(error.value)
    assert error.value.where == str(tmp_path / "saved.json")


CLIENT = LearnedVersion(
    "claude-code", "2.1.999", (Wording("intro", "v", ("intro.x",), ("Hello.",)),), base="2.1.332",
    added=(AddedTool("Shout", ("Shouts.",), ('{"type": "object"}',), seen="it was sent in 9 of 9 runs"),),
)  # fmt: skip


def of_version(version: str) -> Scenario:
    return Scenario(agent="claude-code", agent_version=version, env={})


def test_two_versions_that_were_learned_are_in_the_agents_own_words() -> None:
    learned = Learned((CLIENT, structs.replace(CLIENT, agent_version="2.1.332")))
    assert comparable((of_version("2.1.332"), of_version("2.1.999")), learned) == [learned, learned]


def test_beside_one_that_was_not_learned_the_parts_alone_are_taken_and_no_words() -> None:
    learned = Learned((CLIENT, structs.replace(CLIENT, agent_version="2.1.332")))
    ours, parts = comparable((of_version("2.1.331"), of_version("2.1.999")), learned)
    assert ours is None
    assert parts is not None
    (version,) = parts.versions
    assert (version.wordings, version.added) == ((), CLIENT.added)
    assert comparable((of_version("2.1.331"), of_version("2.1.332")), learned) == [None, None], "both are modelled"
    assert comparable((of_version("2.1.331"), of_version("2.1.332")), None) == [None, None]


def test_what_a_version_brought_is_seen_beside_a_modelled_one(shop: Path) -> None:
    one, other = (base(shop).with_value("agent_version", version) for version in ("2.1.332", "2.1.999"))
    before, after = assemble_both((Side("one", one), Side("other", other)), learned=Learned((CLIENT,)))
    found = compare(before, after)
    assert [(each.name, each.change) for each in found.tools] == [("Shout", "added")]
    assert found.sections == ()
    assert (found.before.agent_version, found.after.agent_version) == ("2.1.332", "2.1.999")


def test_a_revision_is_in_the_words_that_were_learned_as_the_work_tree_is(shop: Path) -> None:
    known = Knowledge(Learned((CLIENT,)))
    learned = base(shop).model_copy(update={"agent_version": "2.1.999", "learned": True})
    sides = [assemble_side(side, workspace=Workspace(), knowledge=known) for side in between("HEAD", learned)]
    assert [any(tool.name == "Shout" for tool in side.tools) for side in sides] == [True, True]
    assert [section.id for section in compare(*sides).sections] == ["user_context.file:CLAUDE.md"]
