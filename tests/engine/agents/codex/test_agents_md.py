"""AGENTS.md: the chain, the limit, what hides and what drops a file (docs/agents/codex.md#instructions)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Codex, untrusted

pytestmark = pytest.mark.slow

GIT: dict[str, str | bytes] = {"workspace/.git/HEAD": "ref: refs/heads/main\n"}
CHAIN: dict[str, str | bytes] = {**GIT, "workspace/AGENTS.md": "root\n", "workspace/a/AGENTS.md": "nearest\n"}


def test_the_chain_goes_from_the_root_to_the_folder(codex: Codex) -> None:
    answer = codex({**CHAIN, "AGENTS.md": "above\n", "workspace/a/b/AGENTS.md": "below\n"}, within="workspace/a")
    assert answer.instructions == "root\n\n\nnearest\n"
    assert answer.text("agents_md").startswith(
        f"# AGENTS.md instructions for {answer.place}/workspace/a\n\n<INSTRUCTIONS>"
    )
    assert answer.text("agents_md.closing") == "\n</INSTRUCTIONS>"
    assert answer.message("agents-md-below").startswith("it is below the folder")
    assert not answer.file("workspace/a/b/AGENTS.md").present
    more = codex({**CHAIN, "workspace/a/b/AGENTS.md": "x", "workspace/a/c/AGENTS.md": "y"}, within="workspace/a")
    assert more.message("agents-md-below").startswith("it and 1 more are below the folder")


def test_without_a_marker_only_the_folder_counts(codex: Codex) -> None:
    answer = codex({"workspace/AGENTS.md": "root", "workspace/a/AGENTS.md": "own"}, within="workspace/a")
    assert answer.instructions == "own"


@pytest.mark.parametrize(
    ("markers", "text"),
    [([], "nearest\n"), ([".git"], "root\n\n\nnearest\n"), ([".meta/root"], "nearest\n"), (["AGENTS.md"], "nearest\n")],
)
def test_markers_decide_where_the_root_is(codex: Codex, markers: list[str], text: str) -> None:
    answer = codex(
        {**CHAIN, "workspace/a/.meta/root": ""}, within="workspace/a", settings={"project_root_markers": markers}
    )
    assert answer.instructions == text


def test_the_users_file_is_trimmed_and_set_apart(codex: Codex) -> None:
    answer = codex({"home/.codex/AGENTS.md": "\n user \x1c\r\n", "workspace/AGENTS.md": " project \n"})
    assert answer.instructions == "user \x1c\n\n--- project-doc ---\n\n project \n"


def test_the_users_file_alone_names_no_folder(codex: Codex) -> None:
    answer = codex({"home/.codex/AGENTS.md": "user"})
    assert answer.text("agents_md") == "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n"


def test_a_blank_override_of_the_user_falls_through_and_one_of_a_project_hides(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/AGENTS.override.md": " \n", "home/.codex/AGENTS.md": "user",
        "workspace/AGENTS.override.md": "\n\t", "workspace/AGENTS.md": "hidden",
    }  # fmt: skip
    answer = codex(files)
    assert answer.instructions == "user"
    assert "hides AGENTS.md beside it" in answer.message("blank-override")
    assert "chosen, before either is read" in answer.file("workspace/AGENTS.md").why.text


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["TEAM.md", "CLAUDE.md"], "team"),
        (["docs/GUIDE.md"], ""),
        ([" TEAM.md ", ""], ""),
        (["claude.md"], ""),
        (["docs", "CLAUDE.md"], "claude"),
    ],
)
def test_fallback_names(codex: Codex, names: list[str], text: str) -> None:
    files: dict[str, str | bytes] = {
        "workspace/TEAM.md": "team", "workspace/CLAUDE.md": "claude", "workspace/docs/GUIDE.md": "guide",
    }  # fmt: skip
    assert codex(files, settings={"project_doc_fallback_filenames": names}).instructions == text


@pytest.mark.parametrize(
    ("limit", "sent", "codes", "cut"),
    [
        (9, "root\n", ["truncated"], "near"),
        (13, "root\n", [], "nearest\n"),
        (12, "root\n", ["truncated"], "nearest"),
        (5, "root\n", ["agents-md-dropped"], ""),
        (4, "root", ["truncated", "agents-md-dropped"], ""),
        (0, "", [], ""),
    ],
)
def test_the_limit_is_spent_from_the_root(codex: Codex, limit: int, sent: str, codes: list[str], cut: str) -> None:
    answer = codex(CHAIN, within="workspace/a", settings={"project_doc_max_bytes": limit})
    assert answer.instructions == (f"{sent}\n\n{cut}" if cut else sent)
    assert [code for code in answer.codes if code != "agents-md-below"] == codes
    last = answer.file("workspace/a/AGENTS.md")
    assert last.present == bool(cut)
    assert last.truncated == (0 < len(cut) < 8)


def test_a_cut_file_says_which_lines_are_lost(codex: Codex) -> None:
    answer = codex({"workspace/AGENTS.md": "one\ntwo\nthree\n"}, settings={"project_doc_max_bytes": 6})
    kept, lost = answer.file("workspace/AGENTS.md").stretches
    assert (kept.start_line, kept.end_line, kept.kept, kept.partial_end) == (1, 2, True, True)
    assert (lost.start_line, lost.end_line, lost.kept, lost.partial_start) == (2, 4, False, True)
    assert "6 of its 14 bytes" in answer.message("truncated")


def test_a_cut_at_a_line_end_splits_no_line(codex: Codex) -> None:
    answer = codex({"workspace/AGENTS.md": "one\ntwo\n"}, settings={"project_doc_max_bytes": 4})
    kept, lost = answer.file("workspace/AGENTS.md").stretches
    assert (kept.end_line, kept.partial_end, lost.start_line, lost.partial_start) == (1, False, 2, False)


@pytest.mark.parametrize(
    ("limit", "text"), [(7, "ab \ufffd"), (6, "ab \ufffd"), (5, "ab \ufffd"), (4, "ab \ufffd"), (3, "ab ")]
)
def test_a_character_that_the_cut_breaks_is_replaced(codex: Codex, limit: int, text: str) -> None:
    answer = codex({"workspace/AGENTS.md": "ab 🙂!"}, settings={"project_doc_max_bytes": min(limit, 6)})
    assert answer.instructions == text


def test_blank_files_cost_nothing(codex: Codex) -> None:
    files = {**CHAIN, "workspace/AGENTS.md": " \n" * 9}
    answer = codex(files, within="workspace/a", settings={"project_doc_max_bytes": 8})
    assert answer.instructions == "nearest\n"
    assert "truncated" in answer.codes


def test_what_is_left_may_be_blank(codex: Codex) -> None:
    answer = codex({"workspace/AGENTS.md": "    text"}, settings={"project_doc_max_bytes": 3})
    assert answer.instructions == ""
    row = answer.file("workspace/AGENTS.md")
    assert not row.present
    assert row.why.levers[0].value == 8


def test_one_link_to_itself_drops_every_file_of_the_project(codex: Codex, place: Path) -> None:
    codex({**CHAIN, "home/.codex/AGENTS.md": "user"}, within="workspace/a")
    (place / "workspace/a/AGENTS.md").unlink()
    (place / "workspace/a/AGENTS.md").symlink_to("AGENTS.md")
    answer = codex(within="workspace/a")
    assert answer.instructions == "user"
    assert "it is a link to itself; every AGENTS.md of the project is dropped" in answer.message("agents-md-unreadable")


def test_a_broken_link_and_a_folder_are_passed_over(codex: Codex, place: Path) -> None:
    (place / "workspace/AGENTS.override.md").symlink_to("nowhere")
    (place / "workspace/AGENTS.md").mkdir()
    answer = codex({"workspace/TEAM.md": "team"}, settings={"project_doc_fallback_filenames": ["TEAM.md"]})
    assert answer.instructions == "team"


def test_a_link_behind_the_chosen_file_is_not_looked_at(codex: Codex, place: Path) -> None:
    (place / "workspace/AGENTS.md").symlink_to("AGENTS.md")
    assert codex({"workspace/AGENTS.override.md": "override"}).instructions == "override"


def test_an_untrusted_project_loses_its_files_and_keeps_its_skills(codex: Codex, place: Path) -> None:
    skill = "---\nname: s\ndescription: d\n---\n"
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "text", "workspace/.agents/skills/s/SKILL.md": skill}
    answer = codex(files, settings=untrusted(place))
    assert answer.instructions == ""
    assert "while its skills still count" in answer.message("untrusted-agents-md")
    assert "- s: d (file: r1/s/SKILL.md)" in answer.text("skills")


def test_the_folder_of_the_settings_as_workspace_sends_its_file_twice(codex: Codex) -> None:
    answer = codex({"home/.codex/AGENTS.md": "user"}, within="home/.codex")
    assert answer.instructions == "user\n\n--- project-doc ---\n\nuser"


def test_what_is_cut_or_lost_stands_in_the_prompt_with_its_reason(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "", "workspace/AGENTS.md": "one\ntwo\n", "workspace/a/AGENTS.md": "1\n2\n3\n",
        "workspace/a/b/AGENTS.md": "near\n",
    }  # fmt: skip
    answer = codex(files, within="workspace/a/b", settings={"project_doc_max_bytes": 11})
    cut, lost = answer.section("agents_md.file:../AGENTS.md"), answer.section("agents_md.file:AGENTS.md")
    assert cut.title == "../AGENTS.md, cut in line 2 of 3"
    assert "cut in line 2 of 3, after 3 of 6 bytes" in cut.why.text
    assert not lost.present
    assert (
        lost.why.text
        == "absent: 11 bytes are used up by ../../AGENTS.md and ../AGENTS.md, and the nearest file comes last"
    )
    assert lost.why.levers[0].value == 19
    assert answer.instructions == "one\ntwo\n\n\n1\n2"
    whole = codex(files, within="workspace/a/b", settings={"project_doc_max_bytes": 19})
    assert whole.instructions == "one\ntwo\n\n\n1\n2\n3\n\n\nnear\n"


def test_each_reason_to_lose_a_project_is_told_in_the_prompt(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {"workspace/AGENTS.md": "root\n", "home/.codex/AGENTS.md": "mine\n"}
    for settings, says in (
        (untrusted(place), "the project is untrusted"),
        ({"project_doc_max_bytes": 0}, "`project_doc_max_bytes` is 0"),
    ):
        answer = codex(files, settings=settings)
        assert says in answer.section("agents_md.file:AGENTS.md").why.text
        assert answer.instructions == "mine"


def test_a_link_that_leads_elsewhere_is_chosen_before_it_is_read(codex: Codex, place: Path) -> None:
    (place / "far").mkdir()
    (place / "far/it.md").write_text("far\n")
    (place / "workspace/AGENTS.md").symlink_to(place / "far/it.md")
    answer = codex({"workspace/CLAUDE.md": "c\n"}, settings={"project_doc_fallback_filenames": ["CLAUDE.md"]})
    assert answer.instructions == ""
    assert "left out here: it leads to" in answer.file("workspace/AGENTS.md").why.text
    assert "AGENTS.md beside it is chosen" in answer.file("workspace/CLAUDE.md").why.text


@pytest.mark.parametrize(
    ("files", "rows"),
    [
        ({}, ["workspace/AGENTS.md", "workspace/a/b/AGENTS.md"]),
        ({"workspace/AGENTS.md": "root"}, ["workspace/a/b/AGENTS.md"]),
        ({"workspace/a/b/AGENTS.override.md": "own"}, ["workspace/AGENTS.md"]),
        ({"workspace/a/AGENTS.md": "between"}, ["workspace/AGENTS.md", "workspace/a/b/AGENTS.md"]),
        ({"workspace/AGENTS.md/x": "a folder"}, ["workspace/a/b/AGENTS.md"]),
    ],
)
def test_where_a_file_would_count_there_is_a_row(codex: Codex, files: dict[str, str], rows: list[str]) -> None:
    answer = codex({**GIT, **files}, within="workspace/a/b")
    found = [f.path for f in answer.assembly.files if f.why.text == "absent: no such file"]
    assert [path.removeprefix(f"{answer.place}/") for path in found if "/workspace/" in path] == rows
    paths = [f.path for f in answer.assembly.files]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(
    ("files", "rows"),
    [
        ({}, [("AGENTS.md", "absent: no such file")]),
        ({"AGENTS.md": "mine"}, [("AGENTS.md", "present: it is the user's own file")]),
        ({"AGENTS.md": " \n"}, [("AGENTS.md", "absent: it is blank")]),
        (
            {"AGENTS.override.md": "\n", "AGENTS.md": "mine"},
            [("AGENTS.override.md", "absent: it is blank"), ("AGENTS.md", "present: it is the user's own file")],
        ),
        (
            {"AGENTS.override.md": "own", "AGENTS.md": "mine"},
            [
                ("AGENTS.override.md", "present: it is the user's own file"),
                ("AGENTS.md", "absent: AGENTS.override.md beside it takes its place"),
            ],
        ),
        (
            {"AGENTS.override.md": "own", "AGENTS.md": ""},
            [("AGENTS.override.md", "present: it is the user's own file"), ("AGENTS.md", "absent: it is blank")],
        ),
        (
            {"AGENTS.override.md": "own"},
            [
                ("AGENTS.override.md", "present: it is the user's own file"),
                ("AGENTS.md", "absent: no such file"),
            ],
        ),
        ({"AGENTS.md/x": ""}, [("AGENTS.md", "absent: a folder is there")]),
    ],
)
def test_the_rows_of_the_users_own_files(codex: Codex, files: dict[str, str], rows: list[tuple[str, str]]) -> None:
    answer = codex({f"home/.codex/{name}": text for name, text in files.items()})
    folder = f"{answer.place}/home/.codex/"
    assert [
        (file.path.removeprefix(folder), file.why.text)
        for file in answer.assembly.files
        if file.kind == "agents-md" and file.path.startswith(folder)
    ] == rows


@pytest.mark.parametrize(
    ("folders", "spent"),
    [
        (["workspace", "workspace/a"], "../AGENTS.md"),
        (["workspace", "workspace/a", "workspace/a/b"], "../../AGENTS.md and ../AGENTS.md"),
        (["workspace", "workspace/a", "workspace/a/b", "workspace/a/b/c"], "../../AGENTS.md and ../AGENTS.md"),
    ],
)
def test_the_last_two_files_are_named_that_used_the_limit_up(codex: Codex, folders: list[str], spent: str) -> None:
    files: dict[str, str | bytes] = {f"{folder}/AGENTS.md": "12" for folder in folders}
    left = 2 * (len(folders) - 1)
    answer = codex({**GIT, **files}, within=folders[-1], settings={"project_doc_max_bytes": left})
    why = answer.section("agents_md.file:AGENTS.md").why
    assert why.text == f"absent: {left} bytes are used up by {spent}, and the nearest file comes last"
    assert [lever.value for lever in why.levers] == [left + 2]


def test_a_blank_file_takes_nothing_of_what_another_limit_would_be(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        **GIT, "workspace/AGENTS.md": "12", "workspace/a/AGENTS.md": "   ", "workspace/a/b/AGENTS.md": "34",
    }  # fmt: skip
    answer = codex(files, within="workspace/a/b", settings={"project_doc_max_bytes": 2})
    assert [lever.value for lever in answer.section("agents_md.file:AGENTS.md").why.levers] == [4]


@pytest.mark.parametrize(
    ("limit", "limits"), [(13, [[], []]), (12, [[], [(12, 8)]]), (5, [[], [(5, 8)]]), (4, [[(4, 5)], [(4, 8)]])]
)
def test_the_limit_is_named_where_it_cut_something(
    codex: Codex, limit: int, limits: list[list[tuple[int, int]]]
) -> None:
    answer = codex(CHAIN, within="workspace/a", settings={"project_doc_max_bytes": limit})
    rows = [answer.file(name).limits for name in ("workspace/AGENTS.md", "workspace/a/AGENTS.md")]
    assert [[(edge.allowed, edge.wanted) for edge in row] for row in rows] == limits


@pytest.mark.parametrize(("size", "cut"), [(32_767, 0), (32_768, 0), (32_769, 1)])
def test_without_a_setting_32_kilobytes_are_sent(codex: Codex, size: int, cut: int) -> None:
    answer = codex({"workspace/AGENTS.md": "x" * size})
    assert len(answer.instructions) == size - cut
    assert ("truncated" in answer.codes) is (cut > 0)


def test_of_a_file_that_is_too_large_to_be_kept_the_first_bytes_are_sent(codex: Codex, place: Path) -> None:
    with (place / "workspace/AGENTS.md").open("wb") as file:
        file.write(b"x" * 40_000)
        file.truncate(33 * 1024 * 1024)
    answer = codex()
    assert answer.instructions == "x" * 32_768
    assert "32,768 of its 34,603,008 bytes are sent" in answer.message("truncated")


def test_a_file_below_says_where_to_start_instead(codex: Codex) -> None:
    answer = codex({"workspace/sub/AGENTS.md": "below"})
    assert answer.file("workspace/sub/AGENTS.md").why.remedy == (
        f"start Codex in {answer.place}/workspace/sub, or move the text into a file above"
    )


@pytest.mark.parametrize(
    ("text", "limit", "fragments"),
    [
        ("ab 🙂!", 8, [("file", 1, "ab 🙂!")]),
        ("ab 🙂!", 6, [("file", 1, "ab "), ("computed", None, "\ufffd")]),
        ("ab 🙂!", 3, [("file", 1, "ab ")]),
        ("🙂", 2, [("computed", None, "\ufffd")]),
    ],
)
def test_what_the_cut_breaks_is_no_text_of_the_file(
    codex: Codex, text: str, limit: int, fragments: list[tuple[str, int | None, str]]
) -> None:
    answer = codex({"workspace/AGENTS.md": text}, settings={"project_doc_max_bytes": limit})
    found = answer.section("agents_md.file:AGENTS.md").fragments
    assert [(f.origin.kind, f.origin.start_line, f.text) for f in found] == fragments


def test_a_cut_within_the_last_character_loses_none_whole(codex: Codex) -> None:
    answer = codex({"workspace/AGENTS.md": "ab 🙂"}, settings={"project_doc_max_bytes": 6})
    assert [stretch.chars for stretch in answer.file("workspace/AGENTS.md").stretches] == [4, 0]


THREE: dict[str, str | bytes] = {
    **GIT, "workspace/AGENTS.md": "root\n", "workspace/a/AGENTS.md": "mid\n", "workspace/a/b/AGENTS.md": "near\n",
}  # fmt: skip


def test_what_is_sent_whole_says_where_it_lies(codex: Codex) -> None:
    answer = codex(THREE, within="workspace/a/b", settings={"project_doc_max_bytes": 14})
    ways = [answer.section(f"agents_md.file:{up}AGENTS.md").why.text for up in ("../../", "../", "")]
    trusted = " and you haven't marked the project as untrusted"
    assert ways == [
        f"present: AGENTS.md, 2 folders above{trusted}",
        f"present: AGENTS.md, 1 folder above{trusted}",
        f"present: AGENTS.md, in the folder Codex starts in{trusted}",
    ]


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        (3, "3 of its 5 bytes are sent, `project_doc_max_bytes`, 3 for"),
        (7, "2 of its 4 bytes are sent, what the file above it leaves of `project_doc_max_bytes`, 7 for"),
        (11, "2 of its 5 bytes are sent, what the 2 files above it leave of `project_doc_max_bytes`, 11 for"),
    ],
)
def test_a_cut_says_who_left_so_little(codex: Codex, limit: int, says: str) -> None:
    answer = codex(THREE, within="workspace/a/b", settings={"project_doc_max_bytes": limit})
    assert answer.message("truncated") == f"cut in line 1: {says} all files together"


def test_a_fallback_below_the_folder_is_pointed_out(codex: Codex) -> None:
    names = {"project_doc_fallback_filenames": ["TEAM.md", "docs/GUIDE.md", ""]}
    answer = codex({"workspace/sub/TEAM.md": "below", "workspace/sub/docs/GUIDE.md": "below"}, settings=names)
    [found] = [each for each in answer.assembly.diagnostics if each.code == "agents-md-below"]
    assert found.path == f"{answer.place}/workspace/sub/TEAM.md"


def test_a_users_file_is_not_lost_with_an_untrusted_project(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {
        "home/.codex/AGENTS.md": "user", "home/.codex/config.toml": "# mine", "workspace/.codex/config.toml": "# ours",
    }  # fmt: skip
    assert codex(files, settings=untrusted(place)).codes == ["untrusted-config"]
