"""The first message: skills that it names, and what a terminal makes of it (recorded with 0.169.0)."""

from __future__ import annotations

import pytest

from .conftest import Codex

SKILL = "---\nname: rev\ndescription: d\n---\nBODY\n"


def test_a_skill_that_is_named_is_sent_with_its_lines(codex: Codex) -> None:
    answer = codex({"workspace/.agents/skills/rev/SKILL.md": SKILL}, prompt="do $rev now")
    section = answer.section("skill:.agents/skills/rev/SKILL.md")
    origin = next(f.origin for f in section.fragments if f.origin.kind == "file")
    assert (origin.start_line, "BODY" in section.text) == (1, True)


@pytest.mark.parametrize(
    ("prompt", "name", "why"),
    [
        ("do $nope", "nope", "no skill is called nope: the words go as they are"),
        ("do $both", "both", "2 skills are called both: link one, as [$both](its path)"),
        ("do $off", "off", "`[[skills.config]]` switches it off"),
    ],
)
def test_a_name_that_brings_no_skill_has_a_row_with_the_reason(codex: Codex, prompt: str, name: str, why: str) -> None:
    answer = codex(
        {
            "workspace/.agents/skills/both/SKILL.md": SKILL.replace("rev", "both"),
            "home/.agents/skills/both/SKILL.md": SKILL.replace("rev", "both"),
            "workspace/.agents/skills/off/SKILL.md": SKILL.replace("rev", "off"),
            "home/.codex/config.toml": '[[skills.config]]\nname = "off"\nenabled = false\n',
        },
        prompt=prompt,
    )
    section = answer.section(f"skill.none:{name}")
    assert not section.present
    assert why in section.why.text


@pytest.mark.parametrize("prompt", ["pay $5", "cd $HOME", "hi"])
def test_not_every_dollar_is_a_skill(codex: Codex, prompt: str) -> None:
    assert not [s for s in codex(prompt=prompt).assembly.sections if s.id.startswith("skill.none:")]


@pytest.mark.parametrize(
    ("prompt", "entry", "is_sent"),
    [
        ("/nope x", "interactive", False),
        ("/tmp", "interactive", False),
        ("/a/b x", "interactive", True),
        ("//x", "interactive", True),
        ("/ x", "interactive", True),
        (" /nope", "interactive", True),
        ("/nope x", "exec", True),
    ],
)
def test_a_terminal_takes_a_slash_for_a_command(codex: Codex, prompt: str, entry: str, is_sent: bool) -> None:
    assert ("command-not-sent" not in codex(prompt=prompt, entry=entry).codes) is is_sent


def test_prompts_of_one_s_own_are_no_longer_read(codex: Codex) -> None:
    answer = codex({"home/.codex/prompts/dr.md": "x"}, prompt="/prompts:dr a", entry="interactive")
    assert answer.message("command-not-sent").endswith("prompts/dr.md is no longer read: make a skill of it")


def test_a_terminal_takes_the_blanks_around_the_words_away(codex: Codex) -> None:
    assert codex(prompt="  x \n", entry="interactive").text("prompt") == "x"
    assert codex(prompt="  x \n").text("prompt") == "  x \n"


@pytest.mark.parametrize(("entry", "says"), [("interactive", True), ("exec", False)])
def test_a_terminal_s_own_tools_are_not_modelled_and_it_says_so(codex: Codex, entry: str, says: bool) -> None:
    assert ("terminal-tools" in codex(entry=entry).codes) is says
