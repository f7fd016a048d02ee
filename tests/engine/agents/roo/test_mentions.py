"""Mentions and commands in the user's words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.roo.mentioned_files import FileReader
from promptscope_engine.agents.roo.mentions import Sources, expand_spans
from promptscope_engine.agents.roo.params import Git
from promptscope_engine.agents.roo.responses import RooIgnore
from promptscope_engine.agents.roo.user_messages import expand_content, expand_mentions
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import label
from promptscope_engine.roo_replies.recorded import DataTree

FILES: dict[str, str | bytes] = {
    "a.ts": "one\ntwo\n",
    "my dir/b.md": "b",
    "lib/x.ts": "x\n",
    "lib/sub/y.ts": "y\n",
    "lib/z.bin": b"\x00\x01",
    "empty/": "",
    "blank.txt": "",
}
COMMANDS = {"go": {"content": "Go on."}, "go-on": {"content": "More.", "description": "d"}}


def _content(text: str, **sources: Any) -> str:
    """What is within the first tag that was appended."""
    expanded = expand_mentions(text, **{"files": FILES, **sources}).text
    body = re.search(r"\n\n<[^>]+>\n(.*)\n</\w+>\Z", expanded, re.DOTALL)
    assert body is not None, expanded
    return body[1]


def _mentioned(text: str) -> list[str]:
    return re.findall(r'<\w+_content \w+="([^"]*)">', expand_mentions(text, files=FILES).text)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("@/a.ts", ["a.ts"]),
        ("see @/a.ts.", ["a.ts"]),
        ("@/a.ts!?", ["a.ts!"]),
        ("(@/a.ts)", []),
        ("x@/a.ts", []),
        ("\\@/a.ts", []),
        (" \\@/a.ts", []),
        ("\ufeff@/a.ts", ["a.ts"]),
        ("\u0085@/a.ts", []),
        ("@/a.ts\n@/a.ts @/blank.txt", ["a.ts", "blank.txt"]),
        ("@/", []),
        # The final full stop is taken for the end of a sentence.
        ("@/x..", ["x."]),
        ("@a.ts", []),
        ("@/my\\ dir/b.md", ["my\\ dir/b.md"]),
    ],
)
def test_where_a_mention_counts(text: str, paths: list[str]) -> None:
    assert _mentioned(text) == paths


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@68e944f", True),
        ("@68e944", False),
        ("@68E944F", False),
        ("@68e944f1x", False),
        ("@problemsolving", False),
        ("@terminal,", True),
        ("@ftp://a.b/c", False),
        ("@http://a.b/c", True),
        ("@httpx://a.b/c", True),
    ],
)
def test_other_mentions(text: str, found: bool) -> None:
    assert (expand_mentions(text).text != text) is found


def test_every_occurrence_is_put_in_place_and_the_content_appended_once() -> None:
    expanded = expand_mentions("@/a.ts and @/a.ts", files=FILES)
    assert expanded.text.count("'a.ts' (") == 2
    assert expanded.text.count("<file_content") == 1
    assert expanded.tracked == ["a.ts"]


def test_what_is_there_decides_not_the_slash() -> None:
    assert _content("@/lib").startswith("├── sub/\n├── x.ts\n└── z.bin\n\n<file_content")
    assert _content("@/a.ts/") == "1 | one\n2 | two\n"
    assert expand_mentions("@/a.ts/", files=FILES).tracked == []
    assert expand_mentions("@/lib", files=FILES).tracked == ["lib"]


def test_empty_files_and_folders() -> None:
    assert _content("@/blank.txt") == ""
    assert _content("@/empty/") == ""


def test_a_missing_path_says_what_node_says() -> None:
    assert _content("@/no").endswith("\"no\": ENOENT: no such file or directory, stat '/project/no'")
    assert _content("@/a.ts/b").endswith("ENOTDIR: not a directory, stat '/project/a.ts/b'")
    assert expand_mentions("@/no", files=FILES).tracked == []


@pytest.mark.parametrize(("length", "code"), [(4_095, "ENOENT"), (4_096, "ENAMETOOLONG"), (4_097, "ENAMETOOLONG")])
def test_a_path_that_is_too_long_is_not_looked_up(length: int, code: str) -> None:
    name = ("a/" * 2_048)[: length - len("/project/") - 1] + "a"
    assert f": {code}: " in _content(f"@/{name}")


@pytest.mark.parametrize(
    ("name", "code"), [("a" * 255, "ENOENT"), ("a" * 256, "ENAMETOOLONG"), ("ä" * 128, "ENAMETOOLONG")]
)
def test_a_name_that_is_too_long_is_not_looked_up(name: str, code: str) -> None:
    assert f": {code}: " in _content(f"@/{name}")


def test_an_escaped_space_becomes_a_slash_in_a_folder() -> None:
    assert '<file_content path="my/ dir/b.md">' in _content("@/my\\ dir/")


def test_paths_lead_out_of_the_workspace() -> None:
    assert _content("@/../other/f", files={"../other/f": "f"}) == "1 | f\n"
    assert _content("@/../") == "└── project/"


def test_hidden_entries() -> None:
    ignore = RooIgnore("/project", "*.ts\n")
    assert re.fullmatch(r"\(.*a\.ts.*\.rooignore.*\)", _content("@/a.ts", ignore=ignore))
    shown = _content("@/lib/", ignore=ignore, show_ignored=True)
    assert shown == "├── sub/\n├── 🔒 x.ts\n└── z.bin"
    assert expand_mentions("@/a.ts", files=FILES, ignore=ignore).tracked == ["a.ts"]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("*.rs", None), ("x.ts", "hides 1 of 3 entries of lib/"), ("*.ts\nz*", "hides 2 of 3 entries of lib/")],
)
def test_hidden_entries_of_a_folder_are_counted(pattern: str, text: str | None) -> None:
    ignore = RooIgnore("/project", f"{pattern}\n")
    content = FileReader("/project", DataTree("/project", FILES), ignore, False, None).read("lib/")
    told = content.held_back and content.held_back.evaluate(Facts()).text
    assert told == (f"`.rooignore` {text}" if text else None)


@pytest.mark.parametrize(
    ("limit", "shown"),
    [(None, "1 | one\n2 | two\n"), (-1, "1 | one\n2 | two\n"), (2, "1 | one\n2 | two\n")],
)
def test_limits_that_do_not_cut(limit: int | None, shown: str) -> None:
    assert _content("@/a.ts", max_read_file_line=limit) == shown


def test_a_cut_file_has_two_blank_lines_before_the_note() -> None:
    shown = _content("@/a.ts", max_read_file_line=1)
    assert re.fullmatch(r"1 \| one\n\n\n\[File truncated: .*1.*2.*\]", shown)


def test_a_lone_carriage_return_counts_as_a_line_but_does_not_cut() -> None:
    shown = _content("@/f", files={"f": "a\rb\rc"}, max_read_file_line=2)
    assert shown.startswith("1 | a\rb\rc\n\n\n[File truncated: ")


@pytest.mark.parametrize("limit", [0, -2, 1.5])
def test_limits_that_are_none(limit: float) -> None:
    text = _content("@/a.ts", max_read_file_line=limit)
    assert re.match(rf"\(.*a\.ts.*\): Invalid maxReadFileLine: {limit}\. ", text)
    assert _content("@/lib/", max_read_file_line=limit) == "├── sub/\n├── x.ts\n└── z.bin"


def test_commands_take_the_white_space_before_them() -> None:
    text = expand_mentions("do /go now", commands=COMMANDS).text
    assert re.match(r"doCommand 'go' \(.*\) now\n\n<command name=\"go\">\nGo on\.\n</command>\Z", text)


def test_the_first_place_that_reads_like_a_command_is_taken() -> None:
    text = expand_mentions("x /go-fast and /go", commands=COMMANDS).text
    assert text.startswith("xCommand 'go' (")
    assert text.partition("\n\n")[0].endswith("-fast and /go")


def test_commands_side_by_side_and_unknown_ones() -> None:
    text = expand_mentions("/go /go-on /other /go.", commands=COMMANDS).text
    assert text.startswith("Command 'go' (")
    assert " /other /go." in text
    assert text.endswith('<command name="go-on">\nDescription: d\n\nMore.\n</command>')


def test_a_browser_that_does_not_start_fails_every_page() -> None:
    text = expand_mentions("@https://a.b/1 @https://a.b/2", urls={}, browser_error="no Chrome").text
    assert text.count("\nError fetching content: no Chrome\n") == 2


PROBLEMS = [
    {"path": "b.ts", "line": 3, "severity": "warning", "source": None, "message": "w"},
    {"path": "a.ts", "line": 9, "severity": "error", "source": "ts", "message": "late"},
    {"path": "b.ts", "line": 0, "severity": "error", "source": None, "message": "e"},
    {"path": "c.ts", "line": 0, "severity": "information", "source": None, "message": "i"},
]


def test_problems_without_a_limit_keep_the_editors_order_of_files() -> None:
    shown = _content("@problems", diagnostics=PROBLEMS, documents={"a.ts": "one"}, max_diagnostics=0)
    assert shown == (
        "b.ts\n- [Error] 1 | (unavailable) : e\n- [Warning] 4 | (unavailable) : w\n\n"
        "a.ts\n- [ts Error] 10 | (unavailable) : late"
    )


def test_limited_problems_are_sorted_by_severity_and_line_first() -> None:
    shown = _content("@problems", diagnostics=PROBLEMS, max_diagnostics=2)
    assert re.fullmatch(r"b\.ts\n.* : e\n\na\.ts\n.* : late\n\n\.\.\. 1 more .+", shown)


GIT = {"status": " M a\n", "diff": "d\n", "commits": {}}


def test_git() -> None:
    assert _content("@git-changes", git=GIT) == "Working directory changes:\n\n M a\n\n\nd"
    assert _content("@git-changes") == _content("@1234567")
    bare = {"info": "f\ns\nsubject\nAnn\nnow\n\n", "stats": " s\n", "diff": "d\n"}
    shown = _content("@1234567", git={**GIT, "commits": {"1234567": bare}})
    assert shown.split("\n")[4:] == [
        "Message: subject",
        "",
        "",
        "Files Changed:",
        "s",
        "",
        "Full Changes:",
        "",
        "d",
    ]


@pytest.mark.parametrize(
    ("text", "given", "told"),
    [
        ("@git-changes", {}, "`editor.git` is not given"),
        ("@git-changes", {"git": GIT}, None),
        ("@1234567", {}, "`editor.git.commits.1234567` is not given"),
        ("@1234567", {"git": GIT}, "`editor.git.commits.1234567` is not given"),
        ("@1234567", {"git": GIT | {"commits": {"1234567": {"info": "", "stats": "", "diff": ""}}}}, None),
        ("@terminal", {}, "`editor.terminalText` is not given"),
        ("@terminal", {"terminal": ""}, None),
        ("@http://a.b/", {}, "`editor.pages` is not given"),
        ("@http://a.b/", {"page": {"http://a.b/": "page"}.get}, None),
        ("@problems", {}, None),
    ],
)
def test_what_the_scenario_does_not_say_is_told(text: str, given: dict[str, Any], told: str | None) -> None:
    if "git" in given:
        given = given | {"git": Git.model_validate(given["git"])}
    [appended] = expand_spans((label(text),), Sources("/project", DataTree("/", {}), **given)).appended
    held_back = appended.held_back
    assert (held_back and held_back.evaluate(Facts()).text) == told


def test_git_texts_are_cut_to_500_lines() -> None:
    shown = _content("@git-changes", git={**GIT, "diff": "d\n" * 600})
    assert "\n[...105 lines omitted...]\n" in shown


@pytest.mark.parametrize(
    ("terminal", "shown"),
    [
        (None, ""),
        ({"clipboard": "old"}, ""),
        ({"clipboard": "old\n"}, ""),
        ({"clipboard": "a\nb "}, "a"),
        ({"clipboard": "", "selection": "$ a\n1\n  $ b\n2\n$"}, "  $ b\n2"),
        ({"clipboard": "", "selection": " \n"}, ""),
        ({"clipboard": "", "error": "boom"}, "Error fetching terminal output: boom"),
    ],
)
def test_the_terminal(terminal: dict[str, str] | None, shown: str) -> None:
    assert _content("@terminal", terminal=terminal) == shown


def test_a_scheme_that_roo_does_not_fetch_is_named() -> None:
    [appended] = expand_spans((label("@ftp://a.b/c"),), Sources("/project", DataTree("/", {}))).appended
    assert appended.held_back is not None
    assert appended.held_back.evaluate(Facts()).text == "ftp is not a scheme that Roo fetches"


def test_50_problems_are_listed_unless_the_setting_says_otherwise() -> None:
    problems = [{"path": "a.ts", "line": n, "severity": "error", "source": None, "message": "m"} for n in range(51)]
    shown = _content("@problems", diagnostics=problems)
    assert (shown.count("\n- ["), "... 1 more" in shown) == (50, True)


def test_of_a_tools_result_the_texts_are_expanded() -> None:
    image = {"type": "image", "source": {}}
    parts = [{"type": "text", "text": "@/a.ts <answer>"}, image]
    whole, listed, empty = expand_content(
        [
            {"type": "tool_result", "content": "@/a.ts <answer>"},
            {"type": "tool_result", "content": parts},
            {"type": "tool_result"},
        ],
        files=FILES,
    )
    assert whole["content"].startswith("'a.ts' (")
    assert listed["content"][0]["text"].startswith("'a.ts' (")
    assert listed["content"][1] == image
    assert empty == {"type": "tool_result"}


def test_only_words_of_the_user_are_expanded_and_then_the_whole_text() -> None:
    blocks = [
        {"type": "text", "text": "@/a.ts"},
        {"type": "text", "text": "@/a.ts <answer>"},
        {"type": "image", "source": {}},
    ]
    plain, words, image = expand_content(blocks, files=FILES)
    assert plain == blocks[0]
    assert words["text"].startswith("'a.ts' (")
    assert image == blocks[2]
    assert blocks[1]["text"] == "@/a.ts <answer>"


WORDS = st.lists(
    st.sampled_from(
        [
            "@/a.ts",
            "@/lib/",
            "@problems",
            "@terminal",
            "/go",
            "/go-on",
            " ",
            "\n",
            "\\",
            "@",
            "/",
            "..",
            "é😀",
            "http://",
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.slow
@given(st.one_of(st.text(max_size=60), WORDS))
def test_any_text_can_be_expanded(text: str) -> None:
    expanded = expand_mentions(text, files=FILES, commands=COMMANDS, diagnostics=PROBLEMS, git=GIT)
    assert isinstance(expanded.text, str)
    assert all(f'<file_content path="{path}">' in expanded.text for path in expanded.tracked)


@given(st.text(st.characters(exclude_characters="@/"), max_size=60))
def test_a_text_without_signs_stays_as_it_is(text: str) -> None:
    assert expand_mentions(text, files=FILES, commands=COMMANDS).text == text


@pytest.mark.parametrize(("lines", "omitted"), [(495, 0), (496, 1), (497, 2)])
def test_git_texts_have_500_lines_at_most(lines: int, omitted: int) -> None:
    """The heading, the status and the gaps take five of them."""
    shown = _content("@git-changes", git={**GIT, "diff": "d\n" * lines})
    assert shown.split("\n").count("d") == lines - omitted
    assert (f"[...{omitted} lines omitted...]" in shown) is (omitted > 0)


@pytest.mark.parametrize(
    ("limit", "left"),
    [(None, 0), (0, 0), (-1, 0), (1, 2), (2, 1), (3, 0), (4, 0)],
)
def test_problems_that_are_left_out_are_counted(limit: int | None, left: int) -> None:
    shown = _content("@problems", diagnostics=PROBLEMS, max_diagnostics=limit)
    assert shown.count("\n- [") == 3 - left
    assert shown.partition("\n\n... ")[2].partition(" ")[0] == (str(left) if left else "")


@pytest.mark.parametrize(
    ("document", "line", "place"),
    [
        ("one\ntwo", 0, "1 | one"),
        ("one\r\ntwo", 1, "2 | two"),
        ("one\rtwo", 1, "2 | two"),
        ("one\ntwo", 2, "3 | (unavailable)"),
        ("one\n", 1, "2 | "),
        (None, 7, "1 | (directory)"),
    ],
)
def test_the_line_of_a_problem(document: str | None, line: int, place: str) -> None:
    problem = {"path": "a.ts", "line": line, "severity": "error", "source": None, "message": "m"}
    shown = _content("@problems", diagnostics=[problem], documents={"a.ts": document})
    assert shown == f"a.ts\n- [Error] {place} : m"


@pytest.mark.parametrize(
    ("info", "message", "body"),
    [
        ("f\ns\nsubject\nAnn\nnow\nbody\nmore", "subject", ["Description:", "body"]),
        ("f\ns\nsubject\nAnn\nnow\nbody", "subject", ["Description:", "body"]),
        ("f\ns\nsubject\nAnn\nnow", "subject", []),
        ("f\ns", "undefined", []),
    ],
)
def test_of_a_commits_words_the_first_line_of_its_body_is_shown(info: str, message: str, body: list[str]) -> None:
    commit = {"info": info, "stats": " s\n", "diff": "d\n"}
    lines = _content("@1234567", git={**GIT, "commits": {"1234567": commit}}).split("\n")
    assert f"Message: {message}" in lines
    at = lines.index(f"Message: {message}")
    assert lines[at + 2 : lines.index("Files Changed:") - 1] == body
