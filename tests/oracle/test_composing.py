"""Situations are composed from traits, always alike for a seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .clients import NAMES
from .composing import composed
from .markers import MARK
from .situation import Situation
from .sketch import ClashError, Sketch, mark_of
from .traits import traits_of
from .traits.declared import declared


def sketch() -> Sketch:
    made = Sketch(Situation("codex", "0.169.0", 5))
    made.begin("rules")
    return made


def written(trait: str, tmp_path: Path) -> Situation:
    path = tmp_path / "codex.yaml"
    path.write_text(f"one:\n{trait}")
    made = sketch()
    declared(path)["one"](made)
    return made.situation


@pytest.mark.slow
@pytest.mark.parametrize("client", NAMES)
def test_every_trait_composes(client: str) -> None:
    for name in traits_of(client):
        for seed in (1, 2, 3):
            situation = composed(client, seed, name)
            assert situation.traits == [name]
            assert situation.files or situation.args or situation.env, name


@pytest.mark.parametrize("client", NAMES)
def test_a_seed_gives_the_same_situation_each_time(client: str) -> None:
    for seed in range(20):
        assert composed(client, seed) == composed(client, seed)
    assert composed(client, 0).files == {}


@pytest.mark.parametrize("client", NAMES)
def test_every_mark_has_a_label(client: str) -> None:
    for seed in range(40):
        situation = composed(client, seed)
        marks = {f"ZQ{mark[1]}{mark[2]}" for mark in MARK.finditer(json.dumps(situation.files).replace("%04d", "0001"))}
        assert {mark for mark in marks if not situation.labels.get(mark)} == set(), seed


def test_stems_go_beyond_one_letter_and_skip_n() -> None:
    made = sketch()
    stems = [made.stem() for _ in range(60)]
    assert len(set(stems)) == 60
    assert not any("n" in stem for stem in stems)


def test_a_second_trait_cannot_take_what_the_first_has() -> None:
    made = sketch()
    made.put("repo/a.md", "x")
    made.settings("repo/s.json", {"a": {"b": 1}})
    made.settings("repo/s.json", {"a": {"c": 2}})
    made.variable("A", "1")
    with pytest.raises(ClashError):
        made.put("repo/a.md/b", "x")
    with pytest.raises(ClashError):
        made.settings("repo/s.json", {"a": {"b": 2}})
    with pytest.raises(ClashError):
        made.variable("A", "2")
    assert made.situation.files["repo/s.json"] == '{"a": {"b": 1, "c": 2}}'


def test_a_declared_trait_fills_in_its_variants(tmp_path: Path) -> None:
    situation = written(
        """
  label: "rule {variant}"
  take: [2, 2]
  base: sk
  each: {files: {"repo/{name}.md": "{json} {lines}"}, settings: {repo/s.json: {"{name}": "{value}"}}}
  variants: [[a], [b]]
""",
        tmp_path,
    )
    assert situation.files == {
        "repo/sk00a.md": '["a"] ZQ00an0001 words\nZQ00an0002 end\n',
        "repo/sk00b.md": '["b"] ZQ00bn0001 words\nZQ00bn0002 end\n',
        "repo/s.json": '{"sk00a": ["a"], "sk00b": ["b"]}',
    }
    assert situation.labels == {"ZQ00a": 'rule ["a"]', "ZQ00b": 'rule ["b"]'}


def test_a_declared_trait_may_set_everything_that_a_situation_has(tmp_path: Path) -> None:
    situation = written(
        """
  with: {to: ["1"]}
  label: "env {to}"
  always: {reads: [repo/a.ts], cwd: repo/sub, git: [], prompt: "see {m}", tools: "env {to}"}
  variants: {"it": {env: {A: "{to}"}, args: {model: m}, calls: [[{tool: t, input: {}}]], told: {mode: plan}}}
""",
        tmp_path,
    )
    assert (situation.env, situation.args, situation.git) == ({"A": "1"}, {"model": "m"}, [])
    assert (situation.cwd, situation.reads, situation.prompt) == ("repo/sub", ["repo/a.ts"], "see ZQ00a")
    assert (situation.calls, situation.told) == ([[{"tool": "t", "input": {}}]], {"mode": "plan"})


def test_a_declared_trait_encodes_bytes(tmp_path: Path) -> None:
    situation = written('  each: {files: {repo/a.md: {encode: latin-1, text: "\\xff"}}}\n', tmp_path)
    assert situation.files == {"repo/a.md": {"base64": "/w=="}}


def test_a_key_that_means_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="filez"):
        written("  each: {filez: {}}\n", tmp_path)


def test_the_mark_of_a_name() -> None:
    assert mark_of("my sk00ab") == "ZQ00ab"
