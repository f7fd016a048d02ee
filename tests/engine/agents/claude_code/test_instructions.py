"""Links of files and folders: within the announced folders, out of them, refused and followed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine import assemble
from promptscope_engine.agents.claude_code.lazy_rules import lazy_files
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.yaml import weight

if TYPE_CHECKING:
    from .conftest import Project


pytestmark = pytest.mark.slow

V100, V329 = "2.1.100", "2.1.329"
CHAIN = {
    "CLAUDE.md": "above",
    "managed/CLAUDE.md": "managed",
    "managed/.claude/rules/m.md": "managed rule",
    "home/.claude/CLAUDE.md": "user",
    "home/.claude/rules/u.md": "user rule",
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/CLAUDE.md": "root dot",
    "workspace/.claude/rules/b.md": "rule b",
    "workspace/.claude/rules/a.md": "rule a",
    "workspace/CLAUDE.local.md": "local",
}


@pytest.mark.parametrize("version", [V100, V329])
def test_the_order_of_the_chain(project: Project, version: str) -> None:
    project.write(CHAIN)
    assert project.loaded(version) == [
        "managed/CLAUDE.md",
        "managed/.claude/rules/m.md",
        "home/.claude/CLAUDE.md",
        "home/.claude/rules/u.md",
        "CLAUDE.md",
        "workspace/CLAUDE.md",
        "workspace/.claude/CLAUDE.md",
        "workspace/.claude/rules/a.md",
        "workspace/.claude/rules/b.md",
        "workspace/CLAUDE.local.md",
    ]


def test_labels(project: Project) -> None:
    project.write(CHAIN)
    labels = {project.short(f.shown): f.label for f in project.materials(V329).instructions}
    assert labels["managed/CLAUDE.md"] == "organization-managed policy instructions"
    assert labels["home/.claude/CLAUDE.md"] == "user's private global instructions for all projects"
    assert labels["workspace/CLAUDE.local.md"] == "user's private project instructions, not checked in"
    old = {project.short(f.shown): f.label for f in project.materials(V100).instructions}
    assert old["managed/CLAUDE.md"] == "user's private global instructions for all projects"


@pytest.mark.parametrize(
    ("name", "silenced"),
    [("CLAUDE.md", True), (".claude/CLAUDE.md", True), ("CLAUDE.local.md", True), (".claude/rules/r.md", False)],
)
def test_what_suppresses_agents_md(project: Project, name: str, silenced: bool) -> None:
    project.write({"workspace/AGENTS.md": "agents", f"workspace/{name}": "other"})
    assert ("workspace/AGENTS.md" in project.loaded()) is not silenced
    if silenced:
        assert f"{project.cwd}/{name} is read in its place" in project.file("workspace/AGENTS.md").why.text


def test_agents_md_is_not_read_by_the_older_version(project: Project) -> None:
    project.write({"workspace/AGENTS.md": "agents"})
    assert project.loaded(V100) == []
    assert "does not read AGENTS.md" in project.file("workspace/AGENTS.md", V100).why.text


def test_the_user_file_does_not_silence_agents_md(project: Project) -> None:
    project.write({"workspace/AGENTS.md": "agents", "home/.claude/CLAUDE.md": "user"})
    assert project.loaded() == ["home/.claude/CLAUDE.md", "workspace/AGENTS.md"]


def test_external_imports_wait_for_approval(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "@../out.md", "out.md": "outside\n"})
    assert project.loaded() == ["workspace/CLAUDE.md"]
    file = project.file("out.md")
    assert [(lever.param, lever.value) for lever in file.why.levers] == [("approvedExternalImports", True)]
    assert [d.path for d in project.assemble().diagnostics if d.code == "external-import"] == [
        str(project.root / "out.md")
    ]
    assert project.loaded(params={"approvedExternalImports": True}) == ["workspace/CLAUDE.md", "out.md"]


def test_external_imports_approved_in_the_dialog(project: Project) -> None:
    answer = json.dumps({"projects": {str(project.cwd): {"hasClaudeMdExternalIncludesApproved": True}}})
    project.write({"workspace/CLAUDE.md": "@../out.md", "out.md": "outside\n", "home/.claude.json": answer})
    assert project.loaded() == ["workspace/CLAUDE.md", "out.md"]


def test_user_files_import_anything(project: Project) -> None:
    project.write({"home/.claude/CLAUDE.md": "@~/x.md", "home/x.md": "anywhere"})
    assert project.loaded() == ["home/.claude/CLAUDE.md", "home/x.md"]


@pytest.mark.parametrize(("version", "loads"), [("2.1.100", True), ("2.1.332", False)])
def test_what_an_organisation_imports_from_elsewhere_waits_in_later_versions(
    project: Project, version: str, loads: bool
) -> None:
    project.write({"managed/CLAUDE.md": "@../out.md", "out.md": "outside\n"})
    assert project.loaded(version) == ["managed/CLAUDE.md", *(["out.md"] if loads else [])]


def test_imports_follow_their_importer_and_load_once(project: Project) -> None:
    project.write(
        {
            "workspace/CLAUDE.md": "@b.md\n@a.md",
            "workspace/a.md": "a @c.md",
            "workspace/b.md": "b @c.md @a.md",
            "workspace/c.md": "c @b.md",
        }
    )
    assert project.loaded() == ["workspace/CLAUDE.md", "workspace/b.md", "workspace/c.md", "workspace/a.md"]
    assert project.file("workspace/c.md").imported_by == str(project.cwd / "b.md")


def test_the_fifth_level_does_not_load(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "@1.md"} | {f"workspace/{n}.md": f"@{n + 1}.md" for n in range(1, 7)})
    assert [name[10:] for name in project.loaded()] == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md"]
    assert "4 levels deep" in project.file("workspace/5.md").why.text


@pytest.mark.parametrize("version", [V100, V329])
def test_outside_is_what_lies_outside_of_the_folder(project: Project, version: str) -> None:
    project.write({"workspace/CLAUDE.md": "@../workspace-2/a.md @b.md", "workspace/b.md": "b", "workspace-2/a.md": "a"})
    assert project.loaded(version) == ["workspace/CLAUDE.md", "workspace/b.md"]


@pytest.mark.parametrize(("version", "rules", "told"), [(V329, 1, False), (V329, 2, True), (V100, 2, False)])
def test_rules_stand_in_an_order_that_nobody_chose(project: Project, version: str, rules: int, told: bool) -> None:
    project.write({f"workspace/.claude/rules/{n}.md": "r" for n in range(rules)})
    assert any(d.code == "rules-order" for d in project.assemble(version).diagnostics) is told


@pytest.mark.parametrize(
    ("version", "environment", "is_listed"), [(V329, {}, True), (V329, None, False), (V100, {}, False)]
)
def test_rules_come_as_this_machine_lists_them(
    project: Project, version: str, environment: dict[str, str] | None, is_listed: bool
) -> None:
    rules = project.cwd / ".claude/rules"
    project.write({f"workspace/.claude/rules/{n}.md": "r" for n in (2, 4, 1, 3)})
    names = [entry.name for entry in os.scandir(rules)]
    given = {} if environment is None else {"environment": environment}
    loaded = [name.rpartition("/")[2] for name in project.loaded(version, **given)]
    assert loaded == (names if is_listed else sorted(names))


@pytest.mark.parametrize(("length", "is_path"), [(4_095, True), (4_096, True), (4_097, False)])
def test_what_is_longer_than_a_path_is_no_import(project: Project, length: int, is_path: bool) -> None:
    token = "./" + "a" * (length - 2)
    project.write({"workspace/CLAUDE.md": f"@{token}"})
    assert any(f.kind == "import" for f in project.assemble().files) is is_path


@pytest.mark.parametrize(("token", "is_listed"), [("a.md", True), ("a/b", True), ("someone", False)])
def test_a_name_without_a_dot_that_is_no_file_is_no_import(project: Project, token: str, is_listed: bool) -> None:
    project.write({"workspace/CLAUDE.md": f"@{token}"})
    assert any(f.kind == "import" for f in project.assemble().files) is is_listed


@pytest.mark.parametrize(
    ("token", "name", "why"),
    [
        ("@gone.md", "gone.md", "no such file"),
        ("@pic.png", "pic.png", "files with this ending are not imported"),
        ("@folder/", "folder", "not a file"),
    ],
)
def test_why_an_import_does_not_load(project: Project, token: str, name: str, why: str) -> None:
    project.write({"workspace/CLAUDE.md": token, "workspace/pic.png": "x", "workspace/folder/x": "x"})
    assert why in project.file(f"workspace/{name}").why.text


def test_excludes(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "x"})
    settings = {"settings": {"claudeMdExcludes": ["**/workspace/CLAUDE.md"]}}
    assert project.loaded(params=settings) == []
    assert "claudeMdExcludes" in project.file("workspace/CLAUDE.md", params=settings).why.text


@pytest.mark.parametrize(
    ("sources", "names"), [("user", ["home/.claude/CLAUDE.md"]), ("project", ["workspace/CLAUDE.md"])]
)
def test_setting_sources(project: Project, sources: str, names: list[str]) -> None:
    """They leave the person's files out, never the organisation's."""
    organisation = ["managed/CLAUDE.md", "managed/.claude/rules/m.md"]
    project.write(dict.fromkeys(organisation, "m"))
    project.write({"workspace/CLAUDE.md": "p", "workspace/CLAUDE.local.md": "l", "home/.claude/CLAUDE.md": "u"})
    assert project.loaded(params={"args": {"settingSources": sources}}) == [*organisation, *names]


def test_added_directories_need_their_variable(project: Project) -> None:
    project.write({"other/CLAUDE.md": "o", "other/.claude/rules/r.md": "r"})
    params = {"args": {"addDir": ["../other"]}}
    assert project.loaded(params=params) == []
    env = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"}
    assert project.loaded(params=params, env=env) == ["other/CLAUDE.md", "other/.claude/rules/r.md"]
    assert project.loaded(V100, params=params, env=env) == ["../other/CLAUDE.md", "other/.claude/rules/r.md"]


@pytest.mark.parametrize("name", ["claude.md", "Claude.md"])
def test_other_spellings_are_named(project: Project, name: str) -> None:
    project.write({f"workspace/{name}": "x"})
    assert project.loaded() == []
    assert "only the name CLAUDE.md counts" in project.file(f"workspace/{name}").why.text


def test_blank_files_are_left_out(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": " \n<!-- x -->\n"})
    assert project.loaded() == []
    assert "only white space" in project.file("workspace/CLAUDE.md").why.text


@pytest.mark.parametrize(
    ("version", "size", "warned"),
    [(V100, 40_000, False), (V100, 40_001, True), (V329, 150_000, False), (V329, 150_001, True)],
)
def test_the_size_warning(project: Project, version: str, size: int, warned: bool) -> None:
    project.write({"workspace/CLAUDE.md": "x" * size})
    assembly = project.assemble(version)
    assert any(d.code == "large-file" for d in assembly.diagnostics) is warned
    assert project.file("workspace/CLAUDE.md", version).injected_chars == size


def test_a_linked_worktree_skips_the_outer_checkout(repository: Project) -> None:
    repository.write({"workspace/CLAUDE.md": "x", "workspace/CLAUDE.local.md": "l"})
    repository.git("add", "-A")
    repository.git("commit", "-qm", "more")
    repository.git("worktree", "add", "-q", ".claude/worktrees/wt", "-b", "wt")
    inner = "workspace/.claude/worktrees/wt"
    assert repository.loaded(workspace=str(repository.root / inner)) == [
        "workspace/CLAUDE.local.md",
        f"{inner}/CLAUDE.md",
        f"{inner}/CLAUDE.local.md",
    ]


def test_a_linked_rules_folder(project: Project) -> None:
    project.write({"shared/s.md": "shared", "workspace/.claude/rules/own.md": "own"})
    (project.cwd / ".claude/rules/team").symlink_to("../../../shared")
    assert project.loaded(V100) == ["workspace/.claude/rules/own.md", "shared/s.md"]
    assert project.loaded(V329) == ["workspace/.claude/rules/own.md"]
    assert "does not follow a link" in project.file("workspace/.claude/rules/team").why.text


def test_looping_links_and_binary_files_are_diagnostics(project: Project) -> None:
    project.write({"workspace/.claude/rules/bin.md": b"\0\1\2", "workspace/.claude/rules/bad.md": b"\xff\xfe text"})
    (project.cwd / "CLAUDE.md").symlink_to("CLAUDE.md")
    (project.cwd / ".claude/rules/loop").symlink_to(".")
    for version in (V100, V329):
        codes = {d.code for d in project.assemble(version).diagnostics}
        assert {"binary", "loop"} <= codes


def test_of_what_is_missing_only_the_usual_file_is_listed(repository: Project) -> None:
    (repository.cwd / "sub").mkdir()
    scenario = {"workspace": str(repository.cwd / "sub"), "reads": ["deeper/x.py"]}
    missing = [f.path for f in repository.assemble(**scenario).files if f.kind == "claude-md" and not f.present]
    found = [repository.short(path) for path in missing if "workspace" in path]
    assert found == ["workspace/CLAUDE.md", "workspace/sub/CLAUDE.md"]
    assert str(repository.root / "CLAUDE.md") not in missing, "above the repository it is nothing that lacks"


@pytest.mark.parametrize(("size", "is_sent"), [(2**22 - 1, True), (2**22, True), (2**22 + 1, False)])
def test_so_large_a_file_is_left_out_by_later_versions(project: Project, size: int, is_sent: bool) -> None:
    project.write({"workspace/CLAUDE.md": "x".ljust(size)})
    assert bool(project.loaded(V329)) is is_sent
    assert project.loaded(V100) == ["workspace/CLAUDE.md"]


@pytest.mark.parametrize(("between", "is_read"), [(15, True), (16, True), (17, False)])
def test_rules_so_deep_are_read(project: Project, between: int, is_read: bool) -> None:
    path = f"workspace/.claude/rules/{'d/' * between}deep.md"
    project.write({path: "deep"})
    assert project.loaded() == ([path] if is_read else [])


@pytest.mark.parametrize("name", [".claude/CLAUDE.md", ".claude/rules/r.md", "CLAUDE.local.md"])
def test_what_is_imported_first_does_not_load_again_in_its_place(project: Project, name: str) -> None:
    project.write({"workspace/CLAUDE.md": f"@{name}", f"workspace/{name}": "once"})
    assert project.loaded() == ["workspace/CLAUDE.md", f"workspace/{name}"]
    row = project.file(f"workspace/{name}")
    assert (row.kind, row.why.text) == ("import", "present: instruction files are read and the file was found")


def test_a_rule_that_is_a_link_has_the_row_of_where_it_leads(project: Project) -> None:
    project.write({"workspace/.claude/rules/own.md": "own", "workspace/docs/rule.md": "linked"})
    link = project.cwd / ".claude/rules/link.md"
    link.symlink_to("../../docs/rule.md")
    assert project.loaded() == ["workspace/docs/rule.md", "workspace/.claude/rules/own.md"]
    assert str(link) not in [file.path for file in project.assemble().files]
    project.write({"workspace/CLAUDE.md": "@docs/rule.md"})
    project.workspace.forget(project.workspace.asked)
    assert project.file(project.short(str(link))).why.text == (
        f"absent: it is the same file as {project.cwd}/docs/rule.md, which is read already"
    )


def test_the_lever_of_an_excluded_file_keeps_the_other_patterns_of_the_params(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "x", "home/.claude/settings.json": '{"claudeMdExcludes": ["**/c.md"]}'})
    patterns = ["**/a.md", "**/CLAUDE.md", "**/b.md"]
    row = project.file("workspace/CLAUDE.md", params={"settings": {"claudeMdExcludes": patterns}})
    [lever] = row.why.levers
    assert (lever.param, lever.value) == ("settings.claudeMdExcludes", ["**/a.md", "**/b.md"])


@pytest.mark.parametrize(("patterns", "named"), [("abc", "a, b, c"), ("abcd", "a, b, c, d"), ("abcde", "a, b, c, d")])
def test_a_rule_that_waits_names_the_first_four_patterns(project: Project, patterns: str, named: str) -> None:
    project.write({"workspace/.claude/rules/r.md": f"---\npaths: [{', '.join(patterns)}]\n---\nx"})
    why = project.file("workspace/.claude/rules/r.md").why
    assert why.text == f"absent: it waits for a file that matches {named}"


def test_what_a_rule_imports_waits_only_with_paths_of_its_own(project: Project) -> None:
    project.write({"workspace/.claude/rules/r.md": "---\npaths: a\n---\n@../../x.md @../../y.md"})
    project.write({"workspace/x.md": "x", "workspace/y.md": "---\npaths: b\n---\ny"})
    assert project.loaded() == ["workspace/x.md"]
    assert "it waits for a file that matches b" in project.file("workspace/y.md").why.text
    assert project.lazily_loaded(reads=["b"]) == ["workspace/y.md"]


@pytest.mark.parametrize("name", ["CLAUDE.local.md", ".claude/CLAUDE.md"])
def test_a_file_counts_once_whatever_names_lead_to_it(project: Project, name: str) -> None:
    project.write({"workspace/CLAUDE.md": "x"})
    (project.cwd / name).parent.mkdir(exist_ok=True)
    (project.cwd / name).symlink_to(project.cwd / "CLAUDE.md")
    assert project.loaded() == ["workspace/CLAUDE.md"]
    assert "it is the same file as" in project.file(f"workspace/{name}").why.text


@pytest.mark.parametrize(("claude", "loads"), [("", True), ("<!-- note -->", True), ("x", False)])
def test_a_claude_md_without_text_does_not_suppress_agents_md(project: Project, claude: str, loads: bool) -> None:
    project.write({"workspace/CLAUDE.md": claude, "workspace/AGENTS.md": "a", "workspace/.claude/AGENTS.md": "b"})
    assert ("workspace/AGENTS.md" in project.loaded()) is loads
    assert ("workspace/.claude/AGENTS.md" in project.loaded()) is loads


def test_an_excluded_claude_md_does_not_suppress_agents_md(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "x", "workspace/AGENTS.md": "a"})
    assert project.loaded(params={"settings": {"claudeMdExcludes": ["**/CLAUDE.md"]}}) == ["workspace/AGENTS.md"]


def test_an_added_folder_gives_its_private_file_and_no_rules_that_wait(project: Project) -> None:
    project.write(
        {"lib/CLAUDE.md": "a", "lib/CLAUDE.local.md": "b", "lib/.claude/rules/r.md": "r", "lib/AGENTS.md": "c"}
    )
    project.write({"lib/.claude/rules/w.md": "---\npaths: '*.ts'\n---\nw"})
    more: dict[str, Any] = {
        "env": {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"},
        "params": {"args": {"addDir": ["../lib"], "settingSources": "user,local"}},
        "reads": ["../lib/x.ts"],
    }
    assert project.loaded(**more) == ["lib/CLAUDE.md", "lib/.claude/rules/r.md", "lib/CLAUDE.local.md"]
    assert project.lazily_loaded(**more) == []
    assert "of an added directory never load" in project.file("lib/.claude/rules/w.md", **more).why.text


@pytest.mark.parametrize(
    ("problem", "severity"), [("loop", "warning"), ("too-large", "warning"), ("directory", "info"), ("special", "info")]
)
def test_what_cannot_be_read_is_said(project: Project, problem: str, severity: str) -> None:
    path = project.cwd / "CLAUDE.md"
    match problem:
        case "loop":
            path.symlink_to("CLAUDE.md")
        case "too-large":
            with path.open("w") as file:
                file.truncate(33 << 20)
        case "directory":
            path.mkdir()
        case _:
            os.mkfifo(path)
    found = [d for d in project.gathered().diagnostics if d.path == str(path)]
    assert [(d.code, d.severity) for d in found] == [(problem, severity)]


def test_a_link_that_leads_out_is_read_where_it_is_followed(project: Project) -> None:
    project.write({"far/away/x.md": "from afar"})
    (project.cwd / "CLAUDE.md").symlink_to(project.root / "far/away/x.md")
    assert (project.loaded(), project.loaded(outside_links="follow")) == ([], ["workspace/CLAUDE.md"])
    assert [d.code for d in project.gathered().diagnostics] == ["outside"]


def test_from_2_1_329_on_an_import_counts_by_where_its_link_leads(project: Project) -> None:
    project.write({"workspace/CLAUDE.md": "@far.md @near.md", "home/far.md": "far", "workspace/docs/near.md": "near"})
    (project.cwd / "far.md").symlink_to(project.root / "home/far.md")
    (project.cwd / "near.md").symlink_to("docs/near.md")
    root, far, near = (f"workspace/{name}.md" for name in ("CLAUDE", "far", "near"))
    assert (project.loaded(V100), project.loaded(V329)) == ([root, far, near], [root, near])


def test_what_is_kept_of_a_file_is_made_anew_for_other_conditions(project: Project) -> None:
    """One workspace answers for many scenarios."""
    project.write({"workspace/CLAUDE.md": "a @x.md", "workspace/CLAUDE.local.md": "b @x.md", "workspace/x.md": "x"})
    every = ["workspace/CLAUDE.md", "workspace/x.md", "workspace/CLAUDE.local.md"]
    for _ in range(2):
        assert project.loaded() == every
        excludes = {"settings": {"claudeMdExcludes": ["**/workspace/CLAUDE.md"]}}
        assert project.loaded(params=excludes) == ["workspace/CLAUDE.local.md"]
    assert project.file("workspace/x.md").imported_by == str(project.cwd / "CLAUDE.md")
    project.write({"workspace/CLAUDE.md": "a"})
    project.workspace.forget([str(project.cwd / "CLAUDE.md")])
    assert project.file("workspace/x.md").imported_by == str(project.cwd / "CLAUDE.local.md")
    off = {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}
    assert [project.loaded(env=env) for env in (off, {}, off)] == [[], [every[0], every[2], every[1]], []]
    for pattern in ("**/CLAUDE.md", "**/workspace/CLAUDE.md"):
        row = project.file("workspace/CLAUDE.md", params={"settings": {"claudeMdExcludes": [pattern]}})
        assert f"`claudeMdExcludes` names it ({pattern})" in row.why.text


def test_frontmatter_of_more_than_300_000_characters_is_not_read(project: Project) -> None:
    head = f"paths: a\nx: {'y' * 59_987}\n"
    assert weight(head) == 60_000
    project.write({f"workspace/.claude/rules/{number}.md": f"---\n{head}---\n{number}" for number in range(6)})
    found = project.gathered()
    last = f"{project.cwd}/.claude/rules/5.md"
    assert [file.shown for file in found.materials.instructions if file.paths is None and file.text] == [last]
    assert [d.path for d in found.diagnostics if d.code == "bad-frontmatter"] == [last]


def test_two_thousand_instruction_files_are_read(project: Project) -> None:
    project.write({"home/.claude/CLAUDE.md": "x", "workspace/.claude/rules/0.md": "x"})
    for number in range(1, 1_999):
        (project.cwd / f".claude/rules/{number}.md").write_text("x")

    def found() -> tuple[int, list[str]]:
        gathered = project.gathered()
        files = [file for file in gathered.materials.instructions if file.kind != "memory"]
        return len(files), [d.message for d in gathered.diagnostics if d.code == "too-many-files"]

    assert found() == (2_000, [])
    project.write({"workspace/CLAUDE.local.md": "x", "workspace/AGENTS.md": "x"})
    project.workspace.forget([str(project.cwd / name) for name in ("CLAUDE.local.md", "AGENTS.md")])
    assert found() == (2_000, ["2,000 instruction files are shown; the others are left out"])


@pytest.mark.parametrize(("length", "followed"), [(299_999, True), (300_000, True), (300_001, False)])
def test_imports_are_looked_for_in_so_many_characters(project: Project, length: int, followed: bool) -> None:
    user, own = "@".ljust(100_000, "y"), " @x".rjust(length - 100_000, "z")
    project.write({"home/.claude/CLAUDE.md": user, "workspace/CLAUDE.md": own, "workspace/x": "x"})
    found = project.gathered()
    shown = [file.shown for file in found.materials.instructions if file.kind != "memory"]
    assert shown[1:] == [str(project.cwd / name) for name in ("CLAUDE.md", *(["x"] if followed else []))]
    said = [(d.path, d.message) for d in found.diagnostics if d.code == "too-many-imports"]
    what = "imports are looked for in the first 300,000 characters of all instruction files"
    assert said == ([] if followed else [(str(project.cwd / "CLAUDE.md"), what)])


@pytest.mark.parametrize(("count", "followed"), [(19_999, True), (20_000, False)])
def test_so_many_imports_are_followed(project: Project, count: int, followed: bool) -> None:
    tokens = " ".join(f"@{number}/../x" for number in range(count))
    project.write({"home/.claude/CLAUDE.md": "@none", "workspace/CLAUDE.md": tokens, "workspace/x": "x"})
    project.write({"workspace/CLAUDE.local.md": "imports nothing", "workspace/.claude/CLAUDE.md": " "})
    found = project.gathered()
    assert (str(project.cwd / "x") in [file.shown for file in found.materials.instructions]) is followed
    said = [(d.path, d.message) for d in found.diagnostics if d.code == "too-many-imports"]
    what = "its imports are not followed: the files so far name more than 20,000"
    assert said == ([] if followed else [(str(project.cwd / "CLAUDE.md"), what)])


FILES = {
    "workspace/CLAUDE.md": "root",
    "workspace/.claude/rules/py.md": "---\npaths: src/**/*.py\n---\npython",
    "workspace/.claude/rules/never.md": "---\npaths: ./src/x.py\n---\nnever",
    "workspace/src/CLAUDE.md": "nested @more.md",
    "workspace/src/more.md": "more",
    "workspace/src/deep/CLAUDE.md": "deep",
}


def test_reads_load_outer_directories_first_then_rules(project: Project) -> None:
    project.write(FILES)
    for version in ("2.1.100", "2.1.329"):
        assert project.lazily_loaded(version, reads=["src/deep/x.py"]) == [
            "workspace/src/CLAUDE.md",
            "workspace/src/more.md",
            "workspace/src/deep/CLAUDE.md",
            "workspace/.claude/rules/py.md",
        ]
        assert project.loaded(version, reads=["src/deep/x.py"]) == ["workspace/CLAUDE.md"]


def test_private_files_stand_before_rules_and_the_user_s_rules_first(project: Project) -> None:
    waits = "---\npaths: '**/*.py'\n---\nx"
    project.write({"home/.claude/rules/u.md": waits, "workspace/.claude/rules/r.md": waits})
    project.write({f"workspace/p/{name}": "x" for name in ("CLAUDE.md", "CLAUDE.local.md", ".claude/rules/a.md")})
    project.write({"workspace/p/.claude/rules/b.md": waits, "workspace/p/q/CLAUDE.md": "x"})
    assert project.lazily_loaded(reads=["p/q/x.py"]) == [
        "home/.claude/rules/u.md",
        "workspace/p/CLAUDE.md",
        "workspace/p/CLAUDE.local.md",
        "workspace/p/.claude/rules/a.md",
        "workspace/p/.claude/rules/b.md",
        "workspace/p/q/CLAUDE.md",
        "workspace/.claude/rules/r.md",
    ]


def test_a_folder_that_a_read_wakes_says_which_of_its_files_nearly_count(project: Project) -> None:
    project.write({"workspace/p/CLAUDE.md": "x", "workspace/p/.claude/rules/b.mdc": "x"})
    why = project.file("workspace/p/.claude/rules/b.mdc", reads=["p/x.py"]).why.text
    assert why == "absent: not read: only names that end in .md count (this is b.mdc)"


def test_each_file_loads_once(project: Project) -> None:
    project.write(FILES)
    reads = ["src/a.py", "src/b.py", "src/deep/c.py"]
    assert len(project.lazily_loaded(reads=reads)) == 4


def test_a_loaded_file_says_by_what(project: Project) -> None:
    project.write(FILES)
    file = project.file("workspace/.claude/rules/py.md", reads=["src/a.py"])
    assert file.present
    assert file.load == "conditional"
    assert f"loaded by reading {project.cwd}/src/a.py" in file.why.text
    waiting = project.file("workspace/.claude/rules/py.md")
    assert not waiting.present
    assert "waits for a file that matches src/**/*.py" in waiting.why.text


def test_a_nested_agents_md_is_a_system_message(project: Project) -> None:
    project.write({"workspace/sub/AGENTS.md": "agents", "workspace/sub2/CLAUDE.md": "claude"})
    messages = project.assemble(reads=["sub/x", "sub2/x"]).request.messages
    assert [m["role"] for m in messages] == ["user", "system", "user", "system"]
    hooked = f"tool.call hook additional context: Contents of {project.cwd}/sub/AGENTS.md:\n\nagents"
    assert messages[3]["content"][0]["text"].startswith(hooked)


def test_to_an_older_model_a_nested_agents_md_is_a_reminder_before_the_others(project: Project) -> None:
    project.write({"workspace/sub/AGENTS.md": "agents", "workspace/sub2/CLAUDE.md": "claude"})
    last = project.assemble(model="claude-haiku-4-5", reads=["sub2/x", "sub/x"]).request.messages[-1]
    said = [block["text"].split("\n")[1].split(": ")[0] for block in last["content"]]
    assert last["role"] == "user"
    assert said[-2:] == ["tool.call hook additional context", f"Contents of {project.cwd}/sub2/CLAUDE.md:"]


@pytest.mark.parametrize(
    ("other", "loads"),
    [
        ("CLAUDE.md", False),
        ("sub/CLAUDE.md", False),
        ("sub/.claude/CLAUDE.md", False),
        ("sub/CLAUDE.local.md", False),
        ("sub/.claude/rules/r.md", True),
        ("other/CLAUDE.md", True),
    ],
)
def test_what_suppresses_a_nested_agents_md(project: Project, other: str, loads: bool) -> None:
    project.write({f"workspace/{other}": "x", "workspace/sub/AGENTS.md": "agents"})
    assert ("workspace/sub/AGENTS.md" in project.lazily_loaded(reads=["sub/x"])) is loads


def test_reads_outside_of_cwd_load_nothing(project: Project) -> None:
    project.write(FILES)
    assert project.lazily_loaded(reads=["/etc/hosts", "../x", "src/../../x"]) == []


def test_rules_do_not_load_when_instruction_files_are_off(project: Project) -> None:
    project.write(FILES)
    assert project.lazily_loaded(reads=["src/a.py"], env={"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}) == []


@pytest.mark.parametrize(("around", "is_asked"), [(4_999, True), (5_000, False)])
def test_so_many_folders_are_asked_for_instructions(project: Project, around: int, is_asked: bool) -> None:
    project.write({"workspace/z/CLAUDE.md": "nested"})
    files = [f"{project.cwd}/{number}/x.py" for number in range(around)] + [f"{project.cwd}/z/x.py"]
    _, inputs = resolve(project.scenario(), project.workspace)
    found = lazy_files(inputs, project.workspace, files)
    assert [file.path for file in found] == ([f"{project.cwd}/z/CLAUDE.md"] if is_asked else [])


@pytest.mark.parametrize(
    ("read", "loaded"),
    [
        ("lib/x.py", ["workspace/app/lib/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("x.py", []),
        ("{root}/workspace/lib/x.py", []),  # outside of cwd nothing is woken, not even a rule from above
        ("{root}/workspace/app/lib/x.py", ["workspace/app/lib/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("linked/x.py", ["workspace/app/linked/CLAUDE.md", "workspace/.claude/rules/lib.md"]),
        ("away/x.py", []),
        ("{root}/elsewhere/lib/x.py", []),
        ("{root}/workspace/application/lib/x.py", []),
    ],
)
def test_rules_of_the_folder_above(project: Project, read: str, loaded: list[str]) -> None:
    project.write(
        {
            "workspace/.claude/rules/lib.md": "---\npaths: lib/, app/linked/\n---\nlib",
            "workspace/app/lib/CLAUDE.md": "nested",
            "elsewhere/x.py": "",
        }
    )
    (project.cwd / "app/linked").symlink_to(project.cwd / "app/lib")
    (project.cwd / "app/away").symlink_to(project.root / "elsewhere")
    reads = [read.replace("{root}", str(project.root))]
    assert project.lazily_loaded(workspace=str(project.cwd / "app"), reads=reads) == loaded


def test_files_that_are_read_at_once_load_the_less_deep_ones_first(project: Project) -> None:
    project.write({f"workspace/{folder}/CLAUDE.md": folder for folder in ("a", "b", "c")})
    loaded = project.lazily_loaded(reads=["a/1/2/x.py", "b/1/x.py", "c/1/x.py", "x.py"])
    assert loaded == [f"workspace/{folder}/CLAUDE.md" for folder in ("b", "c", "a")]


@pytest.mark.parametrize(
    ("tools", "is_read", "are_skills"),
    [(["Read", "Skill"], True, True), (["Read"], True, False), (["Bash"], False, False)],
)
def test_without_tools_a_read_loads_nothing(
    project: Project, tools: list[str], is_read: bool, are_skills: bool
) -> None:
    project.write({"workspace/a/CLAUDE.md": "nested", "workspace/a/.claude/skills/s/SKILL.md": "---\nname: s\n---\nx"})
    params = {"args": {"tools": tools}}
    names = ("workspace/a/CLAUDE.md", "workspace/a/.claude/skills/s/SKILL.md")
    rows = [project.file(name, reads=["a/x.py"], params=params) for name in names]
    assert [row.present for row in rows] == [is_read, are_skills]
    text = json.dumps(project.assemble(reads=["a/x.py"], params=params).request.messages)
    assert ("nested" in text, "a/.claude/skills" in text) == (is_read, are_skills)


SKILL = "---\nname: s\ndescription: Linked.\n---\nx\n"
AGENT = "---\nname: g\ndescription: Linked.\n---\nYou.\n"


def link(project: Project, name: str, target: str) -> None:
    path = project.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(project.root / target)


def skills(project: Project, version: str, **more: str) -> list[str]:
    gathered = project.gathered(version, **more)
    return [s.name for s in gathered.materials.skills if s.source != "bundled" and s.when.holds(gathered.facts)]


def agents(project: Project, version: str, **more: str) -> list[str]:
    return [a.name for a in project.materials(version, **more).agents if a.source != "built-in"]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("name", ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"])
def test_an_instruction_file_elsewhere(project: Project, version: str, name: str) -> None:
    project.write({"far/away/x.md": "from afar @beside.md", "far/away/beside.md": "beside"})
    link(project, f"workspace/{name}", "far/away/x.md")
    assert project.loaded(version) == []
    row = project.file(f"workspace/{name}", version)
    assert str(project.root / "far/away/x.md") in row.why.text
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("outside_links", "follow")]
    assert row.injected_chars == 0
    assert project.loaded(version, outside_links="follow") == [f"workspace/{name}"]
    followed = project.file(f"workspace/{name}", version, outside_links="follow")
    assert [(lever.param, lever.value) for lever in followed.why.levers] == [("outside_links", "refuse")]
    assert project.loaded(version) == []  # and back again, in the same workspace


@pytest.mark.parametrize("name", ["AGENTS.md", "sub/CLAUDE.md"])
def test_agents_md_and_nested_files(project: Project, name: str) -> None:
    project.write({"far/away/x.md": "from afar", "workspace/sub/y.txt": "y"})
    link(project, f"workspace/{name}", "far/away/x.md")
    for follow, wanted in (("refuse", []), ("follow", [f"workspace/{name}"])):
        reads = {"reads": ["sub/y.txt"], "outside_links": follow}
        assert [*project.loaded(V329, **reads), *project.lazily_loaded(V329, **reads)] == wanted


@pytest.mark.parametrize("place", ["workspace/.claude", "home/.claude"])
@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(
    "case",
    [
        ("skills/s/SKILL.md", "far/away/SKILL.md", "skill"),
        ("skills/s", "far/away/s", "skill"),
        ("skills", "far/away/skills", "skill"),
        ("commands/s.md", "far/away/SKILL.md", "skill"),
        ("commands", "far/away/commands", "skill"),
        ("agents/g.md", "far/away/g.md", "agent"),
        ("agents", "far/away/agents", "agent"),
    ],
)
def test_what_is_listed(project: Project, place: str, version: str, case: tuple[str, str, str]) -> None:
    linked, target, kind = case
    files = {"SKILL.md": SKILL, "s/SKILL.md": SKILL, "skills/s/SKILL.md": SKILL, "commands/s.md": SKILL}
    files |= {"g.md": AGENT, "agents/g.md": AGENT}
    project.write({f"far/away/{name}": text for name, text in files.items()})
    link(project, f"{place}/{linked}", target)
    find, names = (skills, ["s"]) if kind == "skill" else (agents, ["g"])
    assert find(project, version) == []
    rows = [f for f in project.assemble(version).files if [lever.param for lever in f.why.levers] == ["outside_links"]]
    assert [row.kind for row in rows] == [kind]
    assert find(project, version, outside_links="follow") == names


@pytest.mark.parametrize("linked", [".claude/rules/r.md", ".claude/rules/team", ".claude/rules", ".claude"])
def test_rules_elsewhere(project: Project, linked: str) -> None:
    folder = {".claude/rules/r.md": "far/away/r.md", ".claude": "far/away/dot"}.get(linked, "far/away/rules")
    project.write({"far/away/r.md": "rule", "far/away/rules/r.md": "rule", "far/away/dot/rules/r.md": "rule"})
    link(project, f"workspace/{linked}", folder)
    target = {"far/away/r.md": "far/away/r.md", "far/away/dot": "far/away/dot/rules/r.md"}.get(folder, f"{folder}/r.md")
    assert project.loaded(V100) == []
    assert project.loaded(V100, outside_links="follow") == [target]
    assert project.loaded(V329, outside_links="follow") == []
    reasons = [f.why.text for f in project.assemble(V329, outside_links="follow").files if "rules" in f.path]
    assert any("does not follow" in text for text in reasons)


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_rules_that_stay_inside(project: Project, version: str, kind: str) -> None:
    project.write({"workspace/docs/r.md": "rule"})
    if kind == "file":
        link(project, "workspace/.claude/rules/r.md", "workspace/docs/r.md")
    else:
        link(project, "workspace/.claude/rules/team", "workspace/docs")
    assert project.loaded(version) == ["workspace/docs/r.md"]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(("ending", "target"), [(".md", "docs/r.md"), ("", "docs")])
def test_two_links_to_one_rule_or_folder(project: Project, version: str, ending: str, target: str) -> None:
    project.write({"workspace/docs/r.md": "rule"})
    for name in "ab":
        link(project, f"workspace/.claude/rules/{name}{ending}", f"workspace/{target}")
    assert project.loaded(version) == ["workspace/docs/r.md"]
    why = project.file(f"workspace/.claude/rules/b{ending}", version).why.text
    assert f"{project.cwd}/{target}, which is read already" in why


@pytest.mark.parametrize("version", [V100, V329])
def test_a_link_to_what_was_imported(project: Project, version: str) -> None:
    project.write({"workspace/CLAUDE.md": "@docs/r.md", "workspace/docs/r.md": "rule"})
    link(project, "workspace/.claude/rules/r.md", "workspace/docs/r.md")
    assert project.loaded(version) == ["workspace/CLAUDE.md", "workspace/docs/r.md"]
    assert "is read already" in project.file("workspace/.claude/rules/r.md", version).why.text


@pytest.mark.parametrize("version", [V100, V329])
def test_a_working_directory_that_is_a_link_goes_by_its_real_path(project: Project, version: str) -> None:
    project.write({"workspace/.claude/rules/r.md": "rule"})
    link(project, "elsewhere", "workspace")
    assert project.loaded(version, workspace=str(project.root / "elsewhere")) == ["workspace/.claude/rules/r.md"]


def test_a_home_whose_folder_is_a_link(project: Project) -> None:
    project.write({"home/dotfiles/claude/rules/r.md": "rule", "home/dotfiles/claude/skills/s/SKILL.md": SKILL})
    link(project, "home/.claude", "home/dotfiles/claude")
    for version in (V100, V329):
        assert project.loaded(version) == ["home/dotfiles/claude/rules/r.md"]
        assert skills(project, version) == ["s"]


def test_an_import_that_is_a_link(project: Project) -> None:
    project.write(
        {"workspace/CLAUDE.md": "root @notes.md @inner.md", "far/away/n.md": "notes", "workspace/docs/i.md": "i"}
    )
    link(project, "workspace/notes.md", "far/away/n.md")
    link(project, "workspace/inner.md", "workspace/docs/i.md")
    root, notes, inner = "workspace/CLAUDE.md", "workspace/notes.md", "workspace/inner.md"
    assert project.loaded(V100) == [root, inner]
    assert project.loaded(V100, outside_links="follow") == [root, notes, inner]
    assert project.loaded(V329, outside_links="follow") == [root, inner]


@pytest.mark.parametrize("version", [V100, V329])
def test_dead_links_are_silent(project: Project, version: str) -> None:
    for name in (
        "CLAUDE.md",
        ".claude/rules/r.md",
        ".claude/skills/dead",
        ".claude/agents/a.md",
        ".claude/commands/c.md",
    ):
        link(project, f"workspace/{name}", "far/away/none")
    assembly = project.assemble(version, outside_links="follow")
    assert assembly.diagnostics == ()
    assert project.loaded(version, outside_links="follow") == []


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("target", ["far/away", "workspace/real"])
def test_a_read_through_a_linked_folder(project: Project, version: str, target: str) -> None:
    """It loads what the link leads to, under the link's path, unless that is outside of the working directory."""
    project.write({f"{target}/CLAUDE.md": "there", f"{target}/x.ts": "x", f"{target}/.claude/rules/n.md": "nested"})
    project.write({"workspace/.claude/rules/r.md": "---\npaths: '*.ts'\n---\nrule\n"})
    link(project, "workspace/linked", target)
    loaded = project.lazily_loaded(version, reads=["linked/x.ts"], outside_links="follow")
    inside = ["workspace/linked/CLAUDE.md", "workspace/real/.claude/rules/n.md", "workspace/.claude/rules/r.md"]
    assert loaded == (inside if target == "workspace/real" else [])


@pytest.mark.parametrize("linked", [".claude/rules/r.md", ".claude/rules/team", ".claude/rules", ".claude"])
def test_the_user_s_rules_may_be_links_to_anywhere(project: Project, linked: str) -> None:
    project.write({"home/dot/r.md": "rule", "home/dot/rules/r.md": "rule", "far/away/r.md": "rule"})
    folder = {".claude/rules/r.md": "home/dot/r.md", ".claude": "home/dot"}.get(linked, "home/dot/rules")
    link(project, f"home/{linked}", folder)
    link(project, "home/dot/rules/far.md", "far/away/r.md")
    near, far = ("home/dot/r.md", []) if folder.endswith(".md") else ("home/dot/rules/r.md", ["far/away/r.md"])
    assert project.loaded(V329) == [near]
    assert project.loaded(V329, outside_links="follow") == [*far, near]


@pytest.mark.parametrize(
    ("claude", "beside"), [("home/.claude", "home/dot/b.md"), ("workspace", "workspace/docs/b.md")]
)
def test_the_imports_of_a_link_are_looked_for_beside_its_target(project: Project, claude: str, beside: str) -> None:
    target = beside.replace("b.md", "c.md")
    project.write({target: "x @b.md", beside: "beside", f"{claude}/b.md": "not this"})
    link(project, f"{claude}/CLAUDE.md", target)
    assert project.loaded(V329) == [f"{claude}/CLAUDE.md", beside]


@pytest.mark.parametrize("version", [V100, V329])
def test_loops_end(project: Project, version: str) -> None:
    for name in ("rules", "skills", "commands", "agents"):
        (project.cwd / ".claude" / name).mkdir(parents=True)
        link(project, f"workspace/.claude/{name}/again", f"workspace/.claude/{name}")
        link(project, f"workspace/.claude/{name}/up", "workspace/.claude")
    assert assemble(project.scenario(version), project.workspace, cached_only=True).agent_version == version


def test_a_link_is_no_key_to_paths_that_no_link_names(project: Project) -> None:
    """`follow` lets links lead out: a path that is outside by itself stays closed."""
    project.write({"workspace/CLAUDE.md": "root @../far/away/x.md", "far/away/x.md": "secret"})
    more = {"outside_links": "follow", "params": {"approvedExternalImports": True}}
    assert project.loaded(V329, **more) == ["workspace/CLAUDE.md"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(".claude/settings.json", "settings"), (".claude/output-styles", "output-style"), (".mcp.json", "mcp-config")],
)
def test_settings_styles_and_servers(project: Project, name: str, kind: str) -> None:
    style = "---\nname: Far\n---\nBe far.\n"
    project.write({"far/away/x": '{"language": "french", "mcpServers": {}}', "far/away/styles/far.md": style})
    link(project, f"workspace/{name}", "far/away/styles" if "styles" in name else "far/away/x")
    row = project.file(f"workspace/{name}", mcp_servers=None)
    assert row.kind == kind
    assert [lever.param for lever in row.why.levers] == ["outside_links"]
    params = {"settings": {"outputStyle": "Far"}}
    followed = project.assemble(outside_links="follow", params=params)
    if kind == "settings":
        assert any(s.present for s in followed.sections if s.id == "language")
    if kind == "output-style":
        assert "Be far." in "".join(s.text for s in followed.sections)


@pytest.mark.parametrize("agent", ["roo", "openclaw"])
def test_every_agent_s_rows_say_what_was_refused(project: Project, agent: str) -> None:
    project.write({"far/away/x.md": "rules"})
    link(project, "workspace/AGENTS.md", "far/away/x.md")
    for follow in ("refuse", "follow"):
        assembly = project.assemble(agent=agent, agent_version=None, env={}, outside_links=follow)
        (row,) = [f for f in assembly.files if f.path.endswith("AGENTS.md") and "workspace/" in f"workspace/{f.path}"]
        if agent == "openclaw":  # it follows no link in the place of its files
            assert (row.present, row.why.text, row.why.levers) == (
                False,
                "absent: not read: a link is not followed",
                (),
            )
            continue
        assert row.present is (follow == "follow")
        if not row.present:
            assert [(lever.param, lever.value) for lever in row.why.levers] == [("outside_links", "follow")]


@pytest.mark.parametrize("folder", ["link", "link/in"])
def test_an_added_directory_may_be_a_link(project: Project, folder: str) -> None:
    link(project, "link", "lib")
    at = folder.replace("link", "lib")
    project.write({f"{at}/CLAUDE.md": "a", f"{at}/.claude/rules/r.md": "b", f"{at}/beside.md": "c"})
    link(project, f"{at}/.claude/rules/s.md", f"{at}/beside.md")
    params = {"args": {"addDir": [f"../{folder}"]}}
    env = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"}
    assert project.loaded(params=params, env=env) == [f"{folder}/CLAUDE.md", f"{at}/.claude/rules/r.md"]
