"""Runs of the client with and without mods: what is run, asked, refused and kept. No client is started here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine import Scenario, assemble
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.learning.mod_effects import FORMAT, last_run
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.learning import mod_runs
from promptscope_tui.learning.clients import Client
from promptscope_tui.learning.mod_runs import ModPlan, plan_for, run_mods
from promptscope_tui.learning.work import Job, Result

CLIENT = Client("/opt/claude", "2.1.332")
MODULE = "export const register = (on) => {\n  on('prompt.section', async ($, e, next) => next(e))\n}\n"


@pytest.fixture
def assembly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Assembly:
    monkeypatch.setenv("PROMPTSCOPE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(mod_runs, "why_not", lambda *_, **__: "")
    plugin = tmp_path / "home/.claude/skills/m"
    for name, text in {
        ".claude-plugin/plugin.json": '{"name": "m"}',
        "hooks/hooks.json": '{"modules": ["./m.js"]}',
        "hooks/m.js": MODULE,
    }.items():
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text)
    (tmp_path / "repo").mkdir()
    scenario = {"agent": "claude-code", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "home"), "env": {}}
    return assemble(Scenario.model_validate(scenario), cached_only=True)


@pytest.fixture
def plan(assembly: Assembly, tmp_path: Path) -> ModPlan:
    return plan_for(assembly, CLIENT, str(tmp_path / "repo"), {"HOME": str(tmp_path / "home")})


def answering(*texts: str | None) -> Any:
    """A stand-in for the worker: in each run the section has one of these texts; None: nothing was written."""

    def carried_out(jobs: Sequence[Job], *_: str, offline: bool) -> Iterator[Result]:
        assert offline
        for job, text in zip(jobs, texts, strict=True):
            said = {"format": FORMAT, "sections": [{"name": "intro", "text": [len(text or ""), text]}]}
            yield Result(
                job.number, "by itself", said="no\nlast words", written="" if text is None else json.dumps(said)
            )

    return carried_out


def test_each_mod_is_left_out_once_and_the_observing_one_is_the_outermost(plan: ModPlan) -> None:
    assert plan.runs == 3
    bare, whole = plan.job(0, plan.mods), plan.job(1, ())
    assert bare.command[:2] == ("/opt/claude", "--plugin-dir")
    assert (Path(bare.command[2]) / "hooks/register.js").is_file()
    assert bare.command[3:5] == ("-p", "hi")
    assert json.loads(bare.command[-1]) == {"enabledPlugins": {"m@skills-dir": False}}
    assert json.loads(whole.command[-1]) == {"enabledPlugins": {}}
    assert whole.env["OBSERVE_OUT"] == whole.reads
    assert "m@skills-dir" in "\n".join(plan.announcement())


def test_what_came_of_it_is_kept_for_these_mods(
    plan: ModPlan, assembly: Assembly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mod_runs, "carried_out", answering("abc", "abcdef", "abc"))
    run = run_mods(plan, lambda *_: None)
    [effect] = run.effects
    assert (effect.mod, effect.did, effect.name, effect.before, effect.after) == (
        "m@skills-dir", "changed", "intro", 3, 6,
    )  # fmt: skip
    assert last_run(assembly.programs) == run


def test_a_run_that_wrote_nothing_is_told_with_the_clients_last_words(
    plan: ModPlan, assembly: Assembly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mod_runs, "carried_out", answering("abc", None, "abc"))
    with pytest.raises(ScenarioError, match=r"did not load the observing mod.*last words"):
        run_mods(plan, lambda *_: None)
    assert last_run(assembly.programs) is None


def test_an_organisations_mods_are_in_every_run_and_said_to_be(
    assembly: Assembly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [own] = [each for each in assembly.programs if each.path]
    org = replace(own, id="org@acme", name="org@acme", source="managed")
    plan = plan_for(replace(assembly, programs=(org, own)), CLIENT, str(tmp_path), {})
    assert plan.runs == 3
    assert "org@acme" not in plan.job(0, plan.mods).command[-1]
    said = "\n".join(plan.announcement())
    assert "an organisation's can't be left out" in said
    assert said.index("m@skills-dir") < said.index("can't be left out") < said.index("org@acme")
    monkeypatch.setattr(mod_runs, "carried_out", answering("abc", "abcdef", "abc"))
    run = run_mods(plan, lambda *_: None)
    assert ([each.mod for each in run.effects], run.held) == (["m@skills-dir"], ("org@acme",))
    with pytest.raises(ScenarioError, match="only an organisation's mods"):
        plan_for(replace(assembly, programs=(org,)), CLIENT, str(tmp_path), {})


def test_without_isolation_or_without_mods_nothing_is_run(
    assembly: Assembly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mod_runs, "why_not", lambda *_, **__: "it takes Linux")
    with pytest.raises(ScenarioError, match="it takes Linux"):
        plan_for(assembly, CLIENT, str(tmp_path), {})
    scenario = {"agent": "claude-code", "workspace": str(tmp_path / "repo"), "home": str(tmp_path / "none"), "env": {}}
    with pytest.raises(ScenarioError, match="no mod loads"):
        plan_for(assemble(Scenario.model_validate(scenario), cached_only=True), CLIENT, str(tmp_path), {})
