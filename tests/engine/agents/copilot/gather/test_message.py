"""What the message of a session comes to, as Copilot CLI 1.0.102 sends it: what it calls, and what it names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.frozen import frozen_scenario

from promptscope_engine import assemble

TAGGED = """see @src/a.txt and @src/b.md, @src and @none.txt (@AGENTS.md)



<tagged_files>
* {0}/src/a.txt (3 lines)
* {0}/src/b.md (2 lines)
* {0}/src (2 items)
</tagged_files>"""

Ask = Callable[..., str]


@pytest.fixture
def prompt_of(tmp_path: Path) -> Ask:
    """What becomes of a message in a folder with these files."""

    def asked(files: dict[str, str], prompt: str, entry: str = "interactive") -> str:
        for name, text in files.items():
            path = tmp_path / "workspace" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        scenario = frozen_scenario("copilot", tmp_path, model="gpt-5.4", params={"prompt": prompt, "entry": entry})
        (found,) = (section for section in assemble(scenario).sections if section.id == "prompt")
        return found.text.replace(str(tmp_path / "workspace"), "/shop")

    return asked


@pytest.mark.parametrize("entry", ["interactive", "prompt"])
def test_a_session_lists_what_its_message_names(prompt_of: Ask, entry: str) -> None:
    typed = TAGGED.partition("\n")[0]
    files = {"src/a.txt": "one\ntwo\n", "src/b.md": "b\n", "AGENTS.md": "Be brief.\n"}
    assert prompt_of(files, typed, entry) == (TAGGED.format("/shop") if entry == "interactive" else typed)


SKILL = "---\nname: box\ndescription: Packs.\n{}---\n\nPack {} well.\n"


@pytest.mark.parametrize(
    ("place", "message", "body"),
    [
        ("", "/box one two", "Pack  well.\n\n\nARGUMENTS: one two"),
        ("$ARGUMENTS", "/BOX one two", "Pack one two well.\n"),
        ("$1, $ARGUMENTS[0], $7 and \\$1", "/box one 'two three'", "Pack two three, one,  and $1 well.\n"),
    ],
)
def test_a_skill_that_begins_a_message_takes_its_place(prompt_of: Ask, place: str, message: str, body: str) -> None:
    files = {".github/skills/box/SKILL.md": SKILL.format("", place), ".github/skills/box/notes/a.md": "a\n"}
    related = "  - /shop/.github/skills/box/notes/a.md\n\n"
    assert prompt_of(files, message).endswith(f"{related}{body}\n</skill-context>")


def test_one_within_a_message_goes_before_it_and_may_be_kept_from_the_model(prompt_of: Ask) -> None:
    files = {".github/skills/box/SKILL.md": SKILL.format("disable-model-invocation: true\n", "it")}
    typed = "see /box, (/box) x/box /BOX and /none"
    sent = prompt_of(files, typed)
    assert sent.endswith(f"Pack it well.\n\n</skill-context>\n\n{typed}")
    assert sent.count("<skill-context") == 1
    assert prompt_of(files, "/none x") == "/none x"
    assert prompt_of(files, "/box x", "prompt") == "/box x"


@pytest.mark.parametrize("number", [100, 101])
def test_a_hundred_related_files_are_listed(prompt_of: Ask, number: int) -> None:
    files = {f".github/skills/box/{each:03}.md": "a\n" for each in range(number)}
    sent = prompt_of({**files, ".github/skills/box/SKILL.md": SKILL.format("", "it")}, "/box")
    assert sent.count("\n  - /shop/") == 100
    assert sent.count("\n  ...") == number - 100


def test_a_skills_text_keeps_its_lines_in_the_file(tmp_path: Path) -> None:
    skill = tmp_path / "workspace/.github/skills/box/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL.format("", "it"))
    scenario = frozen_scenario("copilot", tmp_path, model="gpt-5.4", params={"prompt": "/box", "entry": "interactive"})
    (prompt,) = (section for section in assemble(scenario).sections if section.id == "prompt")
    (body,) = (each for each in prompt.fragments if each.origin.kind == "file")
    assert (body.text, body.origin.path, body.origin.start_line) == ("Pack it well.\n", str(skill), 6)
