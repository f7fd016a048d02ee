"""The files of an agent's folder: front matter, what is kept, and mistakes with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from promptscope_engine import agents
from promptscope_engine.agents.kit.text.sources import FolderError, front_matter, kept_sources, read_sources
from promptscope_engine.agents.kit.text.template import TemplateError

FILES = sorted(
    file for kind in ("sections/**/*.md", "tools/*.md") for file in Path(agents.__file__).parent.glob(f"*/{kind}")
)


def folder(tmp_path: Path, **files: str) -> Path:
    """An agent's folder; names have __ for a slash."""
    for name, text in {"agent.toml": 'id = "x"\n', **{n.replace("__", "/"): text for n, text in files.items()}}.items():
        path = tmp_path / "agent" / (name if "." in name else f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "agent"


@pytest.mark.slow
def test_yaml_reads_the_front_matter_of_every_file_alike() -> None:
    for file in FILES:
        source = file.read_text("utf-8")
        head, body, line = front_matter(source)
        assert source.split("\n")[line - 1 :] == body.split("\n"), file
        fences = source.split("---\n")
        assert head == (yaml.safe_load(fences[1]) if source.startswith("---\n") else {}), file


def test_front_matter_and_the_text_behind_it() -> None:
    head, body, line = front_matter(
        '---\nheading: "# A: b"\n\n# remark\nmeasured: true\nwhen: x == "a"\nlist:\n  b: c d\n---\ntext\n'
    )
    assert head == {"heading": "# A: b", "measured": True, "when": 'x == "a"', "list": {"b": "c d"}}
    assert (body, line) == ("text\n", 10)
    assert front_matter("text\n---\n") == ({}, "text\n---\n", 1)


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("---\na: b\n", 1, "the front matter has no end"),
        ("---\na\n---\n", 2, "expected `key: value`"),
        ("---\n  a: b\n---\n", 2, "expected `key: value`"),
        ('---\nb: c\na: "x\n---\n', 3, "a text in quotes must be as JSON has it"),
    ],
)
def test_front_matter_that_is_none(source: str, line: int, message: str) -> None:
    with pytest.raises(TemplateError) as error:
        front_matter(source)
    assert (error.value.line, error.value.message) == (line, message)


def test_a_section_is_named_by_its_path(tmp_path: Path) -> None:
    found = read_sources(folder(tmp_path, sections__a="{.}x\n", sections__a__b="{.}y\n", tools__T="{.}z\n"))
    assert (sorted(found.sections), sorted(found.tools)) == (["a", "a.b"], ["T"])
    assert found.sections["a.b"].file == "sections/a/b.md"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"sections__a": "---\nwhen: x\n---\n\n{% if x %}\n"}, "sections/a.md:5: `if` has no end"),
        ({"sections__a": "---\nwen: x\n---\n"}, "sections/a.md:2: unknown key `wen`; did you mean `when`?"),
        ({"tools__T": "---\nheading: x\n---\n"}, "tools/T.md:2: unknown key `heading`"),
        ({"tools__T.json": '{\n"a": }'}, "tools/T.json:2: Expecting value"),
        ({"agent.toml": "id = "}, "agent.toml: Invalid value (at end of document)"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(FolderError) as error:
        read_sources(folder(tmp_path, **files))
    assert str(error.value).startswith(f"{tmp_path}/agent/{said}")


def test_what_was_read_is_kept_until_a_file_changes(tmp_path: Path) -> None:
    kept = tmp_path / "c" / "x.json"
    agent = folder(tmp_path, sections__a="{.}one\n", tools__T="{.}x\n", **{"tools__T.json": "{}"})
    first = kept_sources(agent, kept)
    again = json.loads(kept.read_text("utf-8"))
    again["sources"][0]["id"] = "kept"
    kept.write_text(json.dumps(again), "utf-8")
    assert kept_sources(agent, kept).agent["id"] == "kept"
    assert kept_sources(agent, kept).sections["a"] == first.sections["a"]

    (agent / "sections" / "a.md").write_text("{.}other\n", "utf-8")
    assert kept_sources(agent, kept).sections["a"].nodes[0][-1] == "other"
    (agent / "sections" / "b.md").write_text("{.}new\n", "utf-8")
    assert set(kept_sources(agent, kept).sections) == {"a", "b"}


def test_sections_behind_a_link_are_read_anew_too(tmp_path: Path) -> None:
    """As people keep their own files in a repository of dotfiles."""
    agent = folder(tmp_path, sections__a="{.}one\n")
    (agent / "sections").rename(tmp_path / "dotfiles")
    (agent / "sections").symlink_to(tmp_path / "dotfiles")
    assert kept_sources(agent, tmp_path / "x.json").sections["a"].nodes[0][-1] == "one"
    (tmp_path / "dotfiles" / "a.md").write_text("{.}other\n", "utf-8")
    assert kept_sources(agent, tmp_path / "x.json").sections["a"].nodes[0][-1] == "other"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"state": 1}', "\0"])
def test_what_was_kept_and_is_damaged_is_read_anew(tmp_path: Path, text: str) -> None:
    agent, kept = folder(tmp_path, sections__a="{.}one\n"), tmp_path / "x.json"
    kept_sources(agent, kept)
    kept.write_text(text, "utf-8")
    assert kept_sources(agent, kept).sections["a"].nodes[0][-1] == "one"


@pytest.mark.parametrize("kept", ["c", "c/x.json"])
def test_where_nothing_can_be_kept_texts_are_read_each_time(tmp_path: Path, kept: str) -> None:
    agent = folder(tmp_path, sections__a="{.}one\n")
    (tmp_path / "c").mkdir() if kept == "c" else (tmp_path / "c").touch()
    for _ in range(2):
        assert kept_sources(agent, tmp_path / kept).sections["a"].nodes[0][-1] == "one"
