"""Random files and scenarios, for all agents: what holds for any answer, and no exception but ScenarioError.

The short run is part of the suite. The long one is asked for: `PROMPTSCOPE_FUZZ=60 pytest -m fuzz tests/hostile` runs
for that many minutes, from PROMPTSCOPE_SEED where that is given, and prints its seed.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.engine.contracts.scenarios import Key, things
from tests.engine.contracts.test_levers import Outcome, acted
from tests.support.frozen import ENVIRONMENT

from promptscope_engine import Assembly, Scenario, ScenarioError, Workspace
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.model import Reason

from .runs import AGENTS, FEW, TARGETS, hold, valid

pytestmark = pytest.mark.slow

WORDS = st.sampled_from(
    [
        *("---\n", "name: ", "description: ", "paths: ", "customModes:\n", "  - slug: a\n", "groups: [read]\n"),
        *("&a ", "*a ", "!!int ", ": ", "- ", "\n", "\n\n", "\t", "? "), *" {}[]\"'|>,",
        *("@a.md ", "@/a ", "`", "```\n", "#", "<!--", "-->", "**/", "*", "?", "!", "\\", "$", "${env:A}", "{{mode}}"),
        *("\x1b[2J", "\u202e", "\0", "\ufeff", "\r\n", "\ud800", "é", "中", "👩\u200d👧", "9" * 400, "a" * 300),
        *("1e999", "Infinity", "NaN", "null", "mcpServers", "permissions", "deny", "mcp__a__*", "%YAML 1.2\n", "<<: "),
        *("...", "/etc/passwd", "../", "~/"),
    ]
)  # fmt: skip
TEXT = st.one_of(
    st.lists(WORDS, max_size=25).map(lambda words: "".join(words).encode("utf-8", "surrogatepass")),
    st.lists(WORDS, max_size=12).map(lambda w: ("---\n" + "".join(w) + "\n---\nBody").encode("utf-8", "surrogatepass")),
    st.tuples(WORDS, WORDS, WORDS, st.sampled_from([100, 3_000, 30_000])).map(
        lambda drawn: (drawn[0] + drawn[1] * drawn[3] + drawn[2]).encode("utf-8", "surrogatepass")
    ),
    st.binary(max_size=60),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=6,
)
EXTRA = (
    "CLAUDE.local.md", ".claude/rules/sub/b.md", ".roo/rules-code/c.md", ".roo/rules-\x1b/d.md", "a.md", "src/x.ts",
    ".claude/settings.local.json", "skills/s/README.md", "skills/\u202et/SKILL.md", ".ignore", "BOOTSTRAP.md",
)  # fmt: skip
NAMES = sorted({*EXTRA, *(name for names in TARGETS.values() for name in names)})
LINKS = ("..", "/usr", "/dev/zero", "/etc/passwd", "nowhere", ".", "/proc/self/fd/0", "src")


@st.composite
def asked(draw: st.DrawFn, agent: str) -> dict[str, Any]:
    """A scenario without its places: usual params with some of them replaced by anything."""
    fields = fields_of(load_agent(agent).params)
    values: dict[str, Any] = {"agent": agent, "params": FEW[agent], "env": {}, "environment": ENVIRONMENT}
    scenario = Scenario.model_validate(values)
    for _ in range(draw(st.integers(0, 3))):
        field = draw(st.sampled_from(fields))
        usual = st.sampled_from([value for _, value in field.choices]) if field.choices else st.text(max_size=20)
        with suppress(TypeError, AttributeError):  # one of the names leads through a value that is not an object
            scenario = scenario.with_value(field.name, draw(st.one_of(usual, usual, JSON)))
    values = {**scenario.to_dict(), "params": scenario.params}
    key = draw(st.sampled_from(["", "", "mode", "model", "reads", "mcp_servers", "environment", "env", "tokenizer"]))
    if key:
        values[key] = draw(st.one_of(st.text(max_size=10), JSON, st.lists(st.text(max_size=6), max_size=3)))
    return values


def lay_out(place: Path, files: dict[str, bytes], links: dict[str, str]) -> None:
    """The files and links of a workspace, as far as they can be beside each other."""
    for folder in ("workspace", "home", "managed"):
        (place / folder).mkdir()
    for name, content in files.items():
        path = place / "workspace" / name
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for name, to in links.items():
        path = place / "workspace" / name
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(to)


def once(values: dict[str, Any], files: dict[str, bytes], links: dict[str, str], chosen: random.Random) -> None:
    """One run: an answer that holds, or ScenarioError."""
    place = Path(tempfile.mkdtemp(prefix="promptscope-fuzz-"))
    try:
        lay_out(place, files, links)
        places = {name: str(place / name) for name in ("workspace", "home", "managed")}
        with suppress(ScenarioError, ValueError if not _valid({**values, **places}) else ScenarioError):
            scenario = Scenario.model_validate({**values, **places})
            assembly = hold(scenario, counted=True, twice=True)
            valid(assembly)
            levers_act(scenario, assembly, chosen)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _valid(values: dict[str, Any]) -> bool:
    """Whether pydantic takes the scenario: what it refuses is the caller's to explain (see `load_scenario`)."""
    try:
        Scenario.model_validate(values)
    except ValueError:
        return False
    return True


def levers_act(scenario: Scenario, assembly: Assembly, chosen: random.Random) -> None:
    """Whatever offers one of a few levers is there where it was absent, and absent where it was there."""
    base = Outcome(scenario, Workspace())
    offered: dict[str, list[tuple[Key, bool, Reason]]] = {}
    for key, present, why in things(assembly):
        has_own_text = key[0] != "fragment" or "kind='builtin'" in key[3]  # a value may be another one afterwards
        if why.levers and has_own_text:
            offered.setdefault(repr(why.levers), []).append((key, present, why))
    for name in chosen.sample(sorted(offered), min(4, len(offered))):
        other = scenario
        for lever in offered[name][0][2].levers:
            other = other.with_value(lever.param, lever.value)
        after = Outcome(other, Workspace())
        idle = [thing for thing in offered[name] if not acted(base, after, *thing)]
        if idle and "outside_links" in name:
            # what a link hides is read once it is followed, and may then be good for nothing, or a folder and no file
            held_back = {key for key, _, why in things(after.assembly) if "left out here" in why.text}
            idle = [thing for thing in idle if thing[0] in held_back]
        assert not idle, (name, idle[0])


def fuzz(agent: str, examples: int, start: int) -> None:
    """So many runs of an agent from a seed."""

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        values=asked(agent),
        files=st.dictionaries(st.sampled_from(NAMES), TEXT, max_size=8),
        links=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(LINKS), max_size=2),
        chosen=st.integers(0, 2**31),
    )
    def run(values: dict[str, Any], files: dict[str, bytes], links: dict[str, str], chosen: int) -> None:
        once(values, files, links, random.Random(chosen))

    run()


@pytest.mark.parametrize("agent", AGENTS)
def test_some_random_runs(agent: str) -> None:
    fuzz(agent, 12, 20_260_102)


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # it would hide the failure that it is about
@pytest.mark.skipif("PROMPTSCOPE_FUZZ" not in os.environ, reason="a long run: say for how many minutes")
def test_random_runs_for_as_long_as_is_asked(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("unlimited")
    until = time.monotonic() + 60 * float(os.environ["PROMPTSCOPE_FUZZ"])
    start = int(os.environ.get("PROMPTSCOPE_SEED") or random.SystemRandom().randrange(2**31))
    while time.monotonic() < until:
        for agent in AGENTS:
            with (Path(tempfile.gettempdir()) / "promptscope-fuzz.log").open("a") as log:
                log.write(f"PROMPTSCOPE_SEED={start} {agent}\n")
            fuzz(agent, 200, start)
        start += 1
