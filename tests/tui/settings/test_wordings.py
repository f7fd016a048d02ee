"""What was learned, as it is kept on the disk: whole or not at all, and for its owner alone."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from promptscope_engine.learned import LearnedVersion, Wording
from promptscope_tui.settings import wordings

VERSION = LearnedVersion(
    "roo", "3.28.16", (Wording("rules", "abc", ("rules.intro",), ("Be brief.",)),), "2026-01-01T00:00:00+00:00"
)
LATER = replace(
    VERSION, learned="2026-01-02T00:00:00+00:00", wordings=(Wording("rules", "def", ("rules.last",), ("Be kind.",)),)
)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the version."""
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path))
    wordings.keep(VERSION)
    return tmp_path / "learned" / "roo@3.28.16"


def read() -> LearnedVersion | None:
    learned = wordings.load()
    return learned.version("roo", "3.28.16") if learned else None


def texts() -> list[str]:
    found = read()
    return [wording.text[0] for wording in found.wordings] if found else []


def test_only_their_owner_may_read_them(kept: Path) -> None:
    folders = [path for path in (kept.parent, *kept.parent.rglob("*")) if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    files = [path for path in kept.rglob("*") if path.is_file()]
    assert sorted(path.name for path in files) == ["rules.md", "version.toml"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert wordings.size(VERSION) == sum(path.stat().st_size for path in files)


def test_more_is_added_to_what_is_known(kept: Path) -> None:
    wordings.keep(LATER)
    assert texts() == ["Be brief.", "Be kind."]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


@pytest.mark.parametrize("failing", ["rules.md", "version.toml"])
def test_a_full_disk_leaves_what_was_there(kept: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    write = wordings.write_whole

    def full(target: Path, data: bytes, *, durable: bool) -> None:
        if target.name == failing:
            raise OSError(28, "No space left on device")
        write(target, data, durable=durable)

    monkeypatch.setattr(wordings, "write_whole", full)
    with pytest.raises(OSError, match="No space left"):
        wordings.keep(LATER)
    assert texts() == ["Be brief."]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_an_interruption_between_two_renames_loses_nothing(kept: Path) -> None:
    kept.rename(kept.with_name(f".{kept.name}~"))
    assert wordings.is_any()
    assert texts() == ["Be brief."]
    assert wordings.size(VERSION) > 0
    wordings.keep(LATER)
    assert texts() == ["Be brief.", "Be kind."]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_what_an_interrupted_writer_left_is_never_used(kept: Path) -> None:
    new, old = kept.with_name(".new"), kept.with_name(f".{kept.name}~")
    for folder in (new, old):
        (folder / "sections").mkdir(parents=True)
        (folder / "version.toml").write_text("{}")
    assert texts() == ["Be brief."]
    wordings.keep(LATER)
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_writers_at_once_lose_nothing() -> None:
    words = [replace(VERSION, wordings=(Wording("rules", f"{n}", (), (f"{n}",)),)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(wordings.keep, words))
    assert sorted(texts()) == [*map(str, range(8)), "Be brief."]


def test_a_reader_never_has_a_half_of_two_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    read_file, written = wordings._bytes, []

    def interrupted(file: Path) -> bytes:
        if file.name == "rules.md" and not written:
            written.append(file)
            wordings.keep(LATER)
        return read_file(file)

    monkeypatch.setattr(wordings, "_bytes", interrupted)
    found = read()
    assert found is not None
    assert (found.learned, texts()) == (LATER.learned, ["Be brief.", "Be kind."])
    assert [wording.text[0] for wording in found.wordings] == ["Be brief.", "Be kind."]


def test_of_other_versions_only_the_head_is_read(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wordings.keep(replace(VERSION, agent_version="3.29.0"))
    read_file, seen = wordings._bytes, []

    def noted(file: Path) -> bytes:
        seen.append(str(file.relative_to(kept.parent)))
        return read_file(file)

    monkeypatch.setattr(wordings, "_bytes", noted)
    assert texts() == ["Be brief."]
    assert {name for name in seen if "3.29.0" in name} == {"roo@3.29.0/.head", "roo@3.29.0/version.toml"}
    seen.clear()
    assert texts() == ["Be brief."]
    assert [name for name in seen if "3.29.0" in name] == ["roo@3.29.0/.head"], "it was read before"


def test_texts_are_parsed_once_until_one_is_changed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read()
    assert (kept / ".parsed").stat().st_mode & 0o777 == 0o600
    read_file, seen = wordings._bytes, []
    monkeypatch.setattr(wordings, "_bytes", lambda file: seen.append(file.name) or read_file(file))
    assert read() == first
    assert "rules.md" not in seen
    file = kept / "sections" / "rules.md"
    file.write_text(file.read_text().replace("Be brief.", "Be kind, too."))
    assert texts() == ["Be kind, too."]
    (kept / "sections" / "tone.md").write_text(file.read_text().replace("Be kind, too.", "Be calm."))
    assert sorted(texts()) == ["Be calm.", "Be kind, too."]


@pytest.mark.parametrize("spoilt", [b"", b"\x93\x01", b"\x93\x01\x90\x83", b"hello"])
def test_a_spoilt_parsed_file_is_written_again(kept: Path, spoilt: bytes) -> None:
    assert texts() == ["Be brief."]
    written = (kept / ".parsed").read_bytes()
    (kept / ".parsed").write_bytes(spoilt)
    assert texts() == ["Be brief."]
    assert (kept / ".parsed").read_bytes() == written


def test_where_nothing_can_be_parsed_ahead_the_texts_are_read(kept: Path) -> None:
    (kept / ".parsed").mkdir()
    assert texts() == ["Be brief."]
    assert sorted(path.name for path in kept.glob(".*")) == [".head", ".parsed"]


def test_a_copy_under_another_name_is_not_used(kept: Path) -> None:
    shutil.copytree(kept, kept.with_name("roo@3.28.16-before"))
    assert [each.agent_version for each in wordings.versions()] == ["3.28.16"]


@pytest.mark.parametrize(
    ("broken", "line", "message"),
    [
        ("x = 1\n{", 2, "this is not valid TOML: Invalid statement (at line 2, column 1)"),
        (None, 1, "it is not a promptscope.learned.v3"),
    ],
)
def test_a_broken_head_is_named_and_the_texts_are_used(kept: Path, broken: str | None, line: int, message: str) -> None:
    head = kept / "version.toml"
    head.write_text(broken) if broken else head.unlink()
    (kept.parent / "no@version").write_text("")
    os.mkfifo(kept / "sections" / "pipe.md")
    found = read()
    assert found is not None
    assert found.wordings == VERSION.wordings
    assert [(flaw.path, flaw.line, flaw.message) for flaw in found.flaws] == [(str(head), line, message)]
    assert [each.agent for each in wordings.versions()] == ["roo"]


def test_a_broken_text_is_named_by_its_whole_path(kept: Path) -> None:
    (kept / "sections" / "rules.md").write_text("Hello.\n")
    found = read()
    assert found is not None
    assert [flaw.path for flaw in found.flaws] == [str(kept / "sections" / "rules.md")]


def test_a_file_of_an_earlier_promptscope_is_carried_over_once(kept: Path) -> None:
    wordings.forget([VERSION])
    for version in (VERSION, replace(VERSION, agent_version="3.28.15")):
        plain = {"format": "promptscope.learned.v1", **to_builtins(version)}
        (kept.parent / f"roo-{version.agent_version}.json").write_text(json.dumps(plain))
    assert read() == VERSION
    assert sorted(path.name for path in kept.parent.iterdir()) == ["roo@3.28.15", "roo@3.28.16"]


def test_the_head_of_an_earlier_promptscope_is_carried_over(kept: Path) -> None:
    old = {"format": "promptscope.learned.v2", **to_builtins(replace(VERSION, wordings=(), runs=("headless",)))}
    (kept / "version.json").write_text(json.dumps(old))
    (kept / "version.toml").unlink()
    assert read() == replace(VERSION, runs=("headless",))
    assert not (kept / "version.json").exists()
    assert 'runs = [\n  "headless",\n]' in (kept / "version.toml").read_text()


def test_a_head_that_was_changed_is_read_again(kept: Path) -> None:
    assert [each.base for each in wordings.versions()] == [""]
    with (kept / "version.toml").open("a") as file:
        file.write('base = "3.28.0"\n')
    assert [each.base for each in wordings.versions()] == ["3.28.0"]
    assert (read() or VERSION).base == "3.28.0"


def test_a_file_that_cannot_be_carried_over_stays(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wordings.forget([VERSION])
    file = kept.parent / "roo-3.28.16.json"
    file.write_text(json.dumps({"format": "promptscope.learned.v1", **to_builtins(VERSION)}))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(wordings, "write_whole", full)
        assert read() is None
    assert texts() == ["Be brief."]


def test_a_version_that_is_forgotten_is_gone_at_once(kept: Path) -> None:
    other = wordings.keep(replace(VERSION, agent_version="3.29.0"))
    wordings.forget([other])
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


@pytest.mark.parametrize("version", ["../../etc", "\x1b[31m", "\ud800", "3.28.16 ", "x" * 300, ".", ""])
def test_whatever_a_client_calls_its_version_it_has_a_folder_of_its_own(kept: Path, version: str) -> None:
    other = wordings.keep(replace(VERSION, agent_version=version))
    assert {each.agent_version for each in wordings.versions()} == {"3.28.16", version.replace("\ud800", "?")}
    assert len(list(kept.parent.iterdir())) == 2
    wordings.forget([other])
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
