"""Which options a client's help lists, which of them are tried, and in which way to start."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.options import Option, options_in, unknown_by_run
from promptscope_engine.learning.plan import Run
from promptscope_engine.learning.script import Folder, Script, Start

START = {"terminal": Start(("{prompt}",), seconds=3.0), "plain": Start(("exec", "--quiet", "{prompt}"), seconds=1.0)}
SCRIPT = Script("x", ("x",), ("hi",), START, {"project": Folder()}, untried=("--help",))
HELP = {
    "plain": "Options:\n  --brisk  Be brisk\n  --quiet  Known\n",
    "terminal": "Options:\n  --search  Look\n  --brisk  Be brisk\n  --help  This\n",
}


def found(script: Script) -> list[tuple[str, list[tuple[str, ...]]]]:
    asked: list[str] = []

    def help_of(run: Run) -> str:
        asked.append(run.start)
        return HELP[run.start]

    ways = [(run.start, options) for run, options in unknown_by_run(help_of, load_agent("codex"), script)]
    assert len(asked) == len({start.command for start in script.start.values()}), "each command is asked once"
    return ways


def test_an_option_is_tried_in_the_cheapest_start_whose_help_has_it() -> None:
    assert found(SCRIPT) == [("plain", [("--brisk",)]), ("terminal", [("--search",)])]


def test_a_command_is_asked_once_however_many_ways_start_it() -> None:
    both = {"plain": Start(("-p", "--quiet", "{prompt}")), "terminal": Start(("-i", "{prompt}"), seconds=3.0)}
    assert found(Script("x", ("x",), ("hi",), both, {"project": Folder()})) == [("plain", [("--brisk",)])]


CHOICES = ", ".join(f"c{number}" for number in range(6))


@pytest.mark.parametrize(
    ("line", "tried"),
    [
        ("--brisk  Be brisk", [("--brisk",)]),
        ("-b, --brisk  Be brisk", [("--brisk",)]),
        ("-b  Be brisk", []),
        ("--way <way>  Any way", []),
        ("--way <way>  Which (choices: a, b)", [("--way", "a"), ("--way", "b")]),
        (f"--way <way>  Which (choices: {CHOICES})", [("--way", f"c{number}") for number in range(6)]),
        (f"--way <way>  Which (choices: {CHOICES}, c6)", []),
    ],
)
def test_what_is_tried_of_an_option(line: str, tried: list[tuple[str, ...]]) -> None:
    """Without a value, and with each of a few choices: what else would be given is not known."""
    script = Script("x", ("x",), ("hi",), {"plain": Start(("exec", "{prompt}"))}, {"project": Folder()})
    found = [*unknown_by_run(lambda _: f"Options:\n  {line}\n", load_agent("codex"), script)]
    assert [options for _, options in found] == ([tried] if tried else [])


def read(text: str) -> list[Option]:
    return [*options_in(text)]


COMMANDER = """Usage: x [options]

Options:
  -c, --continue            Go on, as with
                            --resume, or not
  --brief                   Be brief (no words, no
                            signs at all)
  -d, --debug [filter]      Debug
  --effort <level>          Effort (low, medium, max)
  --hints [value]           Hints (choices: "true", "false", preset: "true")
  --deniedTools, --denied-tools <tools...>
      Names of tools (e.g. "A B")
  --snapshot <on|off>       Snapshots

Commands:
  run  Run --it
"""
CLAP = """Options:
  -s, --sandbox <MODE>
          Which policy

          [possible values: read-only, full]

      --ask <POLICY>
          When to ask

          Possible values:
          - on-request: the model decides
          - never:      nobody is asked - ever

      --oss
          Use another one
  -i, --image <FILE>...
          Images
"""
YARGS = """Options:
  -d, --debug      Debug  [boolean] [default: false]
      --policy     Files  [array]
  -o, --output     Form  [string] [choices: "text", "json"]
"""
ARGPARSE = """options:
  -h, --help            show this
  -f FILE, --file FILE  a file
  --form {a,b}          a form
  --level=N             a level
"""


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            COMMANDER,
            [
                Option(("-c", "--continue")),
                Option(("--brief",)),
                Option(("-d", "--debug"), True),
                Option(("--effort",), True, ("low", "medium", "max")),
                Option(("--hints",), True, ("true", "false")),
                Option(("--deniedTools", "--denied-tools"), True),
                Option(("--snapshot",), True, ("on", "off")),
            ],
        ),
        (
            CLAP,
            [
                Option(("-s", "--sandbox"), True, ("read-only", "full")),
                Option(("--ask",), True, ("on-request", "never")),
                Option(("--oss",)),
                Option(("-i", "--image"), True),
            ],
        ),
        (
            YARGS,
            [
                Option(("-d", "--debug")),
                Option(("--policy",), True),
                Option(("-o", "--output"), True, ("text", "json")),
            ],
        ),
        (
            ARGPARSE,
            [
                Option(("-h", "--help")),
                Option(("-f", "--file"), True),
                Option(("--form",), True, ("a", "b")),
                Option(("--level",), True),
            ],
        ),
    ],
    ids=["commander", "clap", "yargs", "argparse"],
)
def test_the_options_of_each_form_are_read(text: str, options: list[Option]) -> None:
    assert read(text) == options


def test_colours_are_no_part_of_a_name() -> None:
    assert read("  \x1b[1m--brief\x1b[0m  \x1b[33mBe brief\x1b[0m\n") == [Option(("--brief",))]


_PLAIN = (
    "  ",
    "\n",
    "-",
    "--",
    "--a",
    "-b, ",
    "<x>",
    "[y|z]",
    "{a,b}",
    "(a, b)",
    "[choices: ",
    "Possible values:",
    " - c: ",
)
_PIECES = st.sampled_from((*_PLAIN, "é", "\x1b[1m", "\x9b", "\u202e"))


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_whatever_is_printed_names_and_choices_are_plain_words(text: str) -> None:
    for option in read(text):
        assert option.names
        assert all(re.fullmatch(r"-{1,2}[A-Za-z0-9][A-Za-z0-9_-]*", name) for name in option.names)
        assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", choice) for choice in option.choices)
        assert option.takes_value or not option.choices


@given(
    st.lists(st.from_regex(r"--[a-z][a-z-]{0,20}[a-z]", fullmatch=True), unique=True, max_size=8),
    st.lists(st.from_regex(r"[a-z]{1,9}", fullmatch=True), unique=True, min_size=2, max_size=5),
)
def test_what_a_program_lists_is_found(names: list[str], choices: list[str]) -> None:
    text = "Options:\n" + "".join(f"  {name} <value>  Text ({', '.join(choices)})\n" for name in names)
    assert read(text) == [Option((name,), True, tuple(choices)) for name in names]


@pytest.mark.parametrize(
    "text",
    [
        "  --a" + ", --a" * 100_000,
        "  --a <" + "<" * 1_000_000,
        "  --a  (" + "a, " * 500_000,
        "  --a  [choices: " * 50_000,
        "\n  --a <x>  Possible values:" + "\n - b" * 200_000,
        "\x1b[" * 500_000,
    ],
    ids=["names", "value", "list", "choices", "items", "escapes"],
)
def test_a_hostile_text_takes_no_time(text: str) -> None:
    assert len(read(text)) < 10_000


def test_only_the_beginning_of_an_endless_text_is_read() -> None:
    assert 0 < len(read("  --a  b\n" * 20_000)) <= 5_000
