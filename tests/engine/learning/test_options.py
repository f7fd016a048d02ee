"""Which options of a client's help are tried, and in which way to start."""

from __future__ import annotations

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.learning.options import unknown_by_run
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
