"""The prompt before mods beside the one as run: what differs, by which mod, in words and tokens."""

from __future__ import annotations

from tests.engine.insight.made_up import assembly_of, ours, section

from promptscope_engine.learning.mod_difference import AS_RUN, BEFORE, difference
from promptscope_engine.learning.mod_effects import Effect, ModRun

ASSEMBLY = assembly_of(section("intro", ours("Be brief.")))


def effect(mod: str, did: str, kind: str, name: str, *texts: str) -> Effect:
    one, other = texts
    return Effect(mod, did, kind, name, len(one), len(other), (one, other))  # type: ignore[arg-type]


def words(text: str) -> int:
    return len(text.split())


def test_each_part_has_its_texts_its_tokens_and_its_mods() -> None:
    effects = (
        effect("a@inline", "removed", "file", "/shop/CLAUDE.md", "use pnpm always", ""),
        effect("b@inline", "changed", "tool", "Bash", "runs", "runs with care"),
        effect("c@inline", "changed", "tool", "Bash", "runs", "runs with care"),
        effect("b@inline", "wrote", "deferred tool", "Odd", "", "does odd things"),
    )
    run = ModRun("2026-11-29", "2.1.332", {}, effects, {})
    found = difference(ASSEMBLY, run, words)
    told = [(each.id, each.title, each.change, each.tokens, each.by) for each in found.sections]
    assert told == [
        ("file:/shop/CLAUDE.md", "CLAUDE.md", "removed", -3, ("a@inline",)),
        ("tool:Bash", "Bash", "changed", 2, ("b@inline", "c@inline")),
        ("deferred tool:Odd", "Odd", "added", 0, ("b@inline",)),
    ]
    assert (found.sections[1].before, found.sections[1].after) == ("runs", "runs with care")
    assert (found.before.name, found.after.name, found.tokens) == (BEFORE, AS_RUN, -1)
    assert "2.1.332 on 2026-11-29" in found.question
