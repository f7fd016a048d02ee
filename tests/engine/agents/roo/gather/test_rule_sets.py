"""The rules of one kind: directories, and the older single files while those are empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.roo.gather.found import Found
from promptscope_engine.agents.roo.gather.rules import rule_set, tilde
from promptscope_engine.agents.roo.materials import RuleSet
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.workspace import Workspace


def look(root: Path, files: dict[str, str | bytes], slug: str | None = None) -> Found[RuleSet]:
    for folder in ("home", "work"):
        (root / folder).mkdir(exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    workspace = Workspace()
    workspace.allow([str(root / "home"), str(root / "work")])
    return rule_set(workspace, str(root / "work"), str(root / "home"), slug)


def listed(root: Path, found: Found[RuleSet]) -> list[tuple[str, str]]:
    """What is listed of the directories in order, each with what is said of it."""
    return [
        (file.path.removeprefix(f"{root}/"), file.when.evaluate(Facts()).text.replace(str(root), ""))
        for file in found.files
        if file.kind == "rules"
    ]


def test_a_directory_is_listed_only_while_nothing_is_in_it(tmp_path: Path) -> None:
    assert listed(tmp_path, look(tmp_path, {})) == [
        ("home/.roo/rules", "there is no directory /home/.roo/rules"),
        ("work/.roo/rules", "there is no directory /work/.roo/rules"),
    ]
    (tmp_path / "home/.roo/rules").mkdir(parents=True)
    assert listed(tmp_path, look(tmp_path, {"work/.roo/rules/a.md": "a"})) == [
        ("home/.roo/rules", "/home/.roo/rules holds no file"),
        ("work/.roo/rules/a.md", "found in /work/.roo/rules"),
    ]
    found = look(tmp_path, {"home/.roo/rules/a.log": "", "work/.roo/rules/b.log": ""})
    assert listed(tmp_path, found) == [
        ("home/.roo/rules/a.log", "its name ends in .log"),
        ("work/.roo/rules/a.md", "found in /work/.roo/rules"),
        ("work/.roo/rules/b.log", "its name ends in .log"),
    ]


@pytest.mark.parametrize(
    ("slug", "files", "present", "words"),
    [
        (None, {}, False, "there are no generic rules"),
        (None, {"home/.roo/rules/a.md": ""}, True, "there are generic rules"),
        ("code", {"work/.roo/rules/a.md": "a"}, False, "there are no rules for the mode code"),
        ("code", {"work/.clinerules-code": "a"}, True, "there are rules for the mode code"),
        (None, {"work/.roorules": "  "}, False, "there are no generic rules"),
    ],
)
def test_whether_there_are_rules(
    tmp_path: Path, slug: str | None, files: dict[str, str | bytes], present: bool, words: str
) -> None:
    verdict = look(tmp_path, files, slug).value.present.evaluate(Facts())
    assert (verdict.ok, verdict.text) == (present, words)


@pytest.mark.parametrize(("count", "words"), [(1, "1 file found"), (2, "2 files found")])
def test_how_many_files_the_directories_hold(tmp_path: Path, count: int, words: str) -> None:
    found = look(tmp_path, {f"work/.roo/rules/{number}.md": "x" for number in range(count)} | {"work/.roorules": "old"})
    [any_of] = found.value.present.evaluate(Facts()).children
    assert any_of.children[0].text == f"{words} in rules directories"
    [said] = found.diagnostics
    assert said.code == "legacy-silenced"
    assert f"suppressed by {tmp_path}/work/.roo/rules/0.md ({words} there)" in said.message


def test_the_older_file_counts_while_no_directory_holds_a_file(tmp_path: Path) -> None:
    found = look(tmp_path, {"work/.roorules": "first", "work/.clinerules": "second"})
    assert [(file.name, file.when.holds(Facts())) for file in found.value.legacy] == [
        (".roorules", True),
        (".clinerules", False),
    ]
    assert found.diagnostics == ()


@pytest.mark.parametrize(
    ("files", "codes"),
    [
        ({"work/.roorules/inner": "x"}, []),
        ({"work/.roorules": b"a\0b"}, ["binary"]),
        ({"work/.roorules": "text", "work/.clinerules": b"a\0b"}, []),
        ({"work/.roorules": " ", "work/.clinerules": b"a\0b"}, ["binary"]),
    ],
)
def test_what_is_wrong_with_the_older_file_in_use(
    tmp_path: Path, files: dict[str, str | bytes], codes: list[str]
) -> None:
    assert [each.code for each in look(tmp_path, files).diagnostics] == codes


@pytest.mark.parametrize("size", [3, 4])
def test_an_older_file_that_breaks_the_prompt_is_an_error(tmp_path: Path, size: int) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/.roorules").symlink_to(".roorules")
    [said] = look(tmp_path, {}).diagnostics
    assert (said.severity, said.code) == ("error", "legacy-unreadable")
    assert ".roorules cannot be read (Too many levels of symbolic links)" in said.message
    (tmp_path / "work/.roorules").unlink()
    (tmp_path / "work/.roorules").write_text("x" * size)
    workspace = Workspace(max_bytes=3)
    workspace.allow([str(tmp_path)])
    found = rule_set(workspace, str(tmp_path / "work"), str(tmp_path / "home"), None)
    assert [each.severity for each in found.diagnostics] == ([] if size == 3 else ["warning"])


@pytest.mark.parametrize(("slug", "load"), [(None, "always"), ("code", "conditional")])
def test_when_rules_load(tmp_path: Path, slug: str | None, load: str) -> None:
    folder = "rules-code" if slug else "rules"
    found = look(tmp_path, {f"work/.roo/{folder}/a.md": "a"}, slug)
    assert [file.load for file in found.files if file.path.endswith("a.md")] == [load]


@pytest.mark.parametrize(("files", "place"), [({}, "work"), ({"home/.roo/rules/a.md": ""}, "home")])
def test_the_directory_that_decides_on_the_older_file(
    tmp_path: Path, files: dict[str, str | bytes], place: str
) -> None:
    [legacy] = look(tmp_path, {**files, "work/.roorules": "old"}).value.legacy
    deciding = legacy.when.evaluate(Facts()).children[0]
    assert deciding.name == f"{tmp_path}/{place}/.roo/rules"
    assert deciding.actual == ("~/.roo/rules/a.md" if files else True)


@pytest.mark.parametrize(
    ("path", "home", "shown"),
    [
        ("/h/a", "/h", "~/a"),
        ("/hat/a", "/h", "/hat/a"),
        ("/h", "/h", "/h"),
        ("/w/a", "/h", "/w/a"),
        ("/h/a", "/h/", "~/a"),
        ("/h/a", "/", "~/h/a"),
    ],
)
def test_paths_below_the_home_folder_are_short(path: str, home: str, shown: str) -> None:
    assert tilde(path, home) == shown


@pytest.mark.parametrize(
    ("links", "codes", "says"),
    [
        ({"self": "."}, ["link-repeated"], "are read 3 times: it is followed until it is too deep"),
        ({"self": "missing"}, ["link-dropped"], "is not used: the link leads nowhere"),
        ({"1": "../one"}, ["link-dropped"], "3 is not used: Roo counts each directory link twice"),
    ],
)
def test_what_roo_does_with_a_link_is_said(tmp_path: Path, links: dict[str, str], codes: list[str], says: str) -> None:
    files: dict[str, str | bytes] = {f"work/.roo/{name}/{name}.md": "x" for name in ("rules", "one", "two", "three")}
    for name, target in {"one/2": "../two", "two/3": "../three"}.items() | {
        (f"rules/{n}", to) for n, to in links.items()
    }:
        (tmp_path / "work/.roo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work/.roo" / name).symlink_to(target)
    found = look(tmp_path, files)
    assert [each.code for each in found.diagnostics] == codes
    assert says in found.diagnostics[0].message


def test_files_that_a_link_leads_to_once_before_it_is_left_are_said_to_be(tmp_path: Path) -> None:
    for name, target in {"rules/to": "../more", "more/back": "../rules"}.items():
        (tmp_path / "work/.roo" / name).parent.mkdir(parents=True)
        (tmp_path / "work/.roo" / name).symlink_to(target)
    [said] = look(tmp_path, {"work/.roo/rules/a.md": "a", "work/.roo/more/b.md": "b"}).diagnostics
    assert said.message.startswith(f"files behind {tmp_path}/work/.roo/rules/to are read once: ")
