"""Patterns made at random, compared with the npm packages themselves: only with -m agents.

`GLOBS_MODULES` names a folder in which they are installed, and a test without its package is skipped:

    npm install picomatch@2.3.2 micromatch@4.0.8 minimatch@10 ignore@7.0.5
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptscope_engine.javascript.glob import expand_braces
from promptscope_engine.javascript.ignore import read_patterns
from promptscope_engine.javascript.picomatch import names

pytestmark = pytest.mark.agents

ASK = """
const { createRequire } = require("node:module");
const load = createRequire(process.env.GLOBS_MODULES + "/x.js");
const asks = {
  picomatch: () => { const p = load("picomatch"); return (g, path) => p.isMatch(path, g, { dot: true }); },
  micromatch: () => { const m = load("micromatch"); return (g, path) => m.isMatch(path, g, { dot: true }); },
  ignore: () => { const i = load("ignore"); return (lines, path) => i().add(lines).ignores(path); },
  minimatch: () => { const { braceExpand } = load("minimatch"); return (g) => braceExpand(g); },
};
let ask;
try { ask = asks[process.argv[1]](); } catch (error) { console.log("missing"); process.exit(); }
console.log("ready");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let found;
  try { found = ask(...JSON.parse(line)); } catch (error) { found = null; }
  console.log(JSON.stringify(found));
});
"""
SIGNS = (
    "a", "b", "ab", "A", ".a", "a.b", "*", "**", "*a", "a*", "?", "[ab]", "[!a]", "[^a]", "[a-c]", "[[:alpha:]]", "[a",
    "a]", "\\a", "\\*", "{a,b}", "{a,{b,c}}", "{a}", "{1..3}", "{3..1}", "{a..c}", "{01..3}", "{1..5..2}", "{c..a..2}",
    "{-1..1}", "{a", "a}", "+(a)", "!(a)", "@(a|b)", "?(a)", "*(a|b)", "(a|b)", "a|b", "a+", ".", "..", "é", "a b",
    "#a", "!a", "$a", "^a", "a1", ",",
)  # fmt: skip
NAMES = ("a", "b", "ab", "A", "abc", ".a", "a.b", "a b", "é", "[a]", "!a", "a1", "{a,b}", "a+", "#a", "2", "aab", "$a")
SIGN, PATH = st.sampled_from(SIGNS), st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
OPEN_SET = re.compile(r"\[[^\]]*/")
"""A set that does not end in its name: in the package's expression it goes on to the next bracket there is."""
NO_CHOICE = re.compile(r"\{a(?![,.]\S)")
"""Braces without a choice: behind the first of them the package writes out no series."""
PART = st.lists(SIGN, min_size=1, max_size=3).map("".join)
PATTERN = st.lists(st.one_of(SIGN, PART), min_size=1, max_size=4).map("/".join)
LINE = st.builds(
    lambda start, body, end: start + body + end,
    st.sampled_from(["", "", "", "/", "**/", "!", "!/", "./"]),
    PATTERN,
    st.sampled_from(["", "", "", "/", "/**", "/*", " ", "\\ "]),
).filter(lambda line: not OPEN_SET.search(line))
many = settings(
    max_examples=2_000,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[..., Any]]:
    """Asks a package by its name; skips the test where it is not installed."""
    started: dict[str, subprocess.Popen[str]] = {}

    def asked(package: str, *arguments: object) -> Any:
        if package not in started:
            node = shutil.which("node")
            if node is None or not os.environ.get("GLOBS_MODULES"):
                pytest.skip("GLOBS_MODULES names no folder of packages, or there is no node")
            command = [node, "-e", ASK, package]
            started[package] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if line_of(started[package]) != "ready":
                pytest.skip(f"{package} is not installed")
        process = started[package]
        assert process.stdin is not None
        process.stdin.write(json.dumps(arguments) + "\n")
        process.stdin.flush()
        return json.loads(line_of(process))

    yield asked
    for process in started.values():
        process.kill()
        process.wait()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@many
@given(pattern=PATTERN, path=PATH)
@pytest.mark.parametrize("package", ["picomatch", "micromatch"])
def test_a_pattern_names_what_it_names_for_the_package(
    ask: Callable[..., Any], package: str, pattern: str, path: str
) -> None:
    assert names(f"/w/{pattern}", f"/w/{path}") is bool(ask(package, f"/w/{pattern}", f"/w/{path}"))
    assert names(pattern, f"/w/{path}") is bool(ask(package, pattern, f"/w/{path}"))


@many
@given(lines=st.lists(LINE, min_size=1, max_size=3), path=PATH)
def test_a_line_hides_what_it_hides_for_the_package(ask: Callable[..., Any], lines: list[str], path: str) -> None:
    assert read_patterns(lines).hides(path) is bool(ask("ignore", lines, path))


@many
@given(pattern=PATTERN.filter(lambda pattern: not NO_CHOICE.search(pattern)))
def test_braces_are_written_out_as_the_package_does(ask: Callable[..., Any], pattern: str) -> None:
    assert set(expand_braces(pattern, 10_000)) == set(ask("minimatch", pattern))
