"""The condition algebra: verdicts, sentences, and levers that act."""

from __future__ import annotations

import pytest
from hypothesis import given as having
from hypothesis import strategies as st
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import (
    ALWAYS,
    AllOf,
    Condition,
    Fact,
    Facts,
    Levers,
    Named,
    Setting,
    Test,
    show,
)
from promptscope_engine.prompt.leaves import (
    above,
    equals,
    flag,
    given,
    mode_has,
    mode_is,
    model_mentions,
    ships_with,
    version_is,
)
from promptscope_engine.prompt.model import Lever, ModeChoice, SettingSource, Verdict
from promptscope_engine.prompt.reasons import reason, remedy

MODES = (ModeChoice("code", "Code", ("read", "edit")), ModeChoice("ask", "Ask", ("read",)))
FACTS = Facts(
    params={"diff": True, "browser": False, "reads": 5, "strategy": "one", "text": ""},
    choices={"strategy": ("one", "many", None)},
    mode="ask",
    modes=MODES,
    model="x-ai/grok-code-fast-1",
    version="1.0",
)


def test_a_present_thing_says_which_facts_bring_it_in() -> None:
    assert reason(flag("diff") & model_mentions("grok"), FACTS).text == (
        "present: `diff` is on and the model is x-ai/grok-code-fast-1"
    )


def test_an_absent_thing_names_only_the_facts_that_keep_it_out() -> None:
    why = reason(flag("diff") & mode_has("edit") & flag("browser"), FACTS)
    assert why.text == "absent: the mode lacks the group edit and `browser` is off"
    assert why.levers == (Lever("mode", "code"), Lever("browser", True))


def test_negation_states_the_same_fact() -> None:
    assert reason(~flag("diff"), FACTS).text == "absent: `diff` is on"
    assert reason(~flag("diff"), FACTS).levers == (Lever("diff", False),)
    assert ~~flag("diff") == flag("diff")


def test_nested_any_and_all_keep_their_tree() -> None:
    condition = flag("diff") & (flag("browser") | mode_is("code"))
    verdict = condition.evaluate(FACTS)
    assert [child.op for child in verdict.children] == ["flag", "any"]
    assert [leaf.ok for leaf in verdict.children[1].children] == [False, False]
    assert verdict.text == "`browser` is off and the mode is ask, not code"


def test_numbers_and_enums() -> None:
    assert above("reads", 1).evaluate(FACTS).ok
    assert above("reads", 1).levers(FACTS, False) == (Lever("reads", 1),)
    assert equals("strategy", "many").levers(FACTS, True) == (Lever("strategy", "many"),)
    assert equals("strategy", "one").levers(FACTS, False) == (Lever("strategy", "many"),)


def test_what_is_not_set_is_above_nothing() -> None:
    assert not above("reads", 0).holds(Facts(params={"reads": None}))


def test_given_text_can_be_taken_away_and_any_will_do_where_there_is_none() -> None:
    assert given("text").levers(FACTS, True) == (Lever("text", "TEXT"),)
    assert given("text", example=["TEXT"]).levers(FACTS, True) == (Lever("text", ["TEXT"]),)
    assert given("text", example=None).levers(FACTS, True) is None
    assert given("strategy").levers(FACTS, False) == (Lever("strategy", None),)


def test_what_no_switch_changes_has_no_levers() -> None:
    missing = Fact("file", "AGENTS.md", False, "AGENTS.md exists", "AGENTS.md does not exist")
    why = reason(flag("browser") & missing, FACTS)
    assert why.levers == ()
    assert why.text == "absent: `browser` is off and AGENTS.md does not exist"


def test_levers_that_contradict_each_other_are_none() -> None:
    assert reason(mode_is("code") & ~mode_has("edit"), FACTS).levers == ()


def test_what_was_observed_flips_by_its_own_levers_only() -> None:
    own = (Lever("skillFilter", ["a"]),)
    held_back = Fact("file", "SKILL.md", False, "listed", "not in the filter", on=own)
    why = reason(flag("diff") & held_back, FACTS)
    assert why.levers == own
    assert why.text == "absent: not in the filter"
    assert not held_back.holds(FACTS.after((Lever("browser", True),)))


def test_a_mode_is_found_that_satisfies_every_member() -> None:
    modes = (*MODES, ModeChoice("pair", "Pair", ("edit", "mcp")))
    why = reason(mode_has("edit") & mode_has("mcp"), replace(FACTS, modes=modes))
    assert why.levers == (Lever("mode", "pair"),)


def test_a_named_composite_speaks_for_its_inner_facts() -> None:
    index = Named("flag", "index", flag("diff") & flag("browser", no="the index is not ready"), yes="ready")
    assert reason(index, FACTS).text == "absent: the index is not ready"
    assert reason(index, FACTS.after((Lever("browser", True),))).text == "present: ready"
    assert index.evaluate(FACTS).children[0].op == "all"


def test_version_and_always() -> None:
    assert version_is("2.0").levers(FACTS, True) == (Lever("agent_version", "2.0"),)
    assert reason(ALWAYS, FACTS).text == "always present"
    assert (ALWAYS & flag("diff")) == flag("diff") == (flag("diff") & ALWAYS)


LEAVES = st.sampled_from(
    [flag("diff"), flag("browser"), above("reads", 1), equals("strategy", "many"), mode_has("edit"), mode_is("ask")]
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        inner.map(lambda condition: ~condition),
    ),
    max_leaves=8,
)


@having(CONDITIONS)
def test_levers_act(condition: Condition) -> None:
    why = reason(condition, FACTS)
    assert len({lever.param for lever in why.levers}) == len(why.levers)
    if why.levers and why.condition:
        assert condition.evaluate(FACTS.after(why.levers)).ok is not why.condition.ok


@having(LEAVES)
def test_every_switch_has_a_lever(leaf: Condition) -> None:
    assert reason(leaf, FACTS).levers


@having(CONDITIONS)
def test_a_tree_agrees_with_its_own_verdict(condition: Condition) -> None:
    def check(verdict: object) -> None:
        children = verdict.children  # type: ignore[attr-defined]
        oks = [child.ok for child in children]
        match verdict.op:  # type: ignore[attr-defined]
            case "all":
                assert verdict.ok == all(oks)  # type: ignore[attr-defined]
            case "any":
                assert verdict.ok == any(oks)  # type: ignore[attr-defined]
            case "not":
                assert verdict.ok is not oks[0]  # type: ignore[attr-defined]
        for child in children:
            check(child)

    check(condition.evaluate(FACTS))


@pytest.mark.parametrize(
    ("op", "ok", "told"),
    [("any", False, "do a"), ("all", False, "do a; do b"), ("all", True, "do a"), ("any", True, "do a; do b")],
)
def test_a_remedy_is_as_short_as_will_do(op: str, ok: bool, told: str) -> None:
    members = tuple(Verdict("file", name, True, ok, ok, name, remedy=f"do {name}") for name in "ab")
    assert remedy(Verdict(op, "", True, ok, ok, "", members)) == told


@pytest.mark.parametrize(
    ("leaf", "yes", "no"),
    [
        (flag("diff"), "`diff` is on", "`diff` is off"),
        (flag("diff", yes="it does", no="it does not"), "it does", "it does not"),
        (equals("strategy", "one"), "`strategy` is one", "`strategy` is off, not one"),
        (equals("strategy", "one", yes="single", no="several"), "single", "several"),
        (given("text"), "`text` is given", "`text` is not given"),
        (given("text", yes="there is a text", no="there is none"), "there is a text", "there is none"),
    ],
)
def test_a_leaf_has_words_of_its_own_or_the_usual_ones(leaf: Condition, yes: str, no: str) -> None:
    name = leaf.evaluate(FACTS).name
    on: Json = {"diff": True, "strategy": "one", "text": "words"}[name]
    off: Json = {"diff": False, "strategy": False, "text": ""}[name]
    assert leaf.evaluate(Facts(params={name: on})).text == yes
    assert leaf.evaluate(Facts(params={name: off})).text == no


@pytest.mark.parametrize(
    ("leaf", "remedy"),
    [
        (flag("diff"), "`--set diff=false`"),
        (given("text"), "`--set text=TEXT`"),
        (given("text", example=None), ""),
        (mode_is("nope"), ""),
        (version_is("2.0"), "`--agent-version 2.0`"),
        (model_mentions("grok"), "choose a model without grok in its name"),
        (Test("flag", "diff", "is", True, "", "", remedy="my own"), "my own"),
    ],
)
def test_a_leaf_says_what_would_change_it(leaf: Condition, remedy: str) -> None:
    assert leaf.evaluate(FACTS).remedy == remedy


@pytest.mark.parametrize(("reads", "to", "value"), [(0, True, 6), (5, True, 6), (6, False, 5), (7, False, 5)])
def test_a_number_is_set_to_the_nearest_on_the_other_side(reads: int, to: bool, value: int) -> None:
    assert above("reads", 5).levers(Facts(params={"reads": reads}), to) == (Lever("reads", value),)
    assert above("reads", 5).levers(Facts(params={"reads": reads}), not to) == ()


@pytest.mark.parametrize(("choices", "value"), [((), None), (("a", "b"), None), (("a", ""), ""), (("a", "", None), "")])
def test_a_text_is_taken_away_by_the_empty_value_that_it_can_take(choices: tuple[Json, ...], value: Json) -> None:
    facts = Facts(params={"text": "a"}, choices={"text": choices})
    assert given("text").levers(facts, False) == (Lever("text", value),)


def test_what_was_observed_has_a_value_until_its_levers_are_set() -> None:
    other = Lever("model", "other")
    seen = Fact("model", "family", True, "it is {actual}", "it is not", actual="mine", off=(other,))
    before, after = seen.evaluate(FACTS), seen.evaluate(FACTS.after((other,)))
    assert (before.ok, before.actual, before.text) == (True, "mine", "it is mine")
    assert (after.ok, after.actual, after.text) == (False, False, "it is not")
    assert Fact("file", "a", True, "", "").evaluate(FACTS).actual is True


@pytest.mark.parametrize(
    ("leaf", "remedy"),
    [
        (Fact("flag", "a", False, "", "", on=(Lever("mode", "ask"), Lever("a", 1))), "`--mode ask --set a=1`"),
        (Fact("file", "a", False, "", "", remedy="create a"), "create a"),
        (Fact("tool", "a", False, "", ""), ""),
    ],
)
def test_what_was_observed_says_what_would_change_it(leaf: Fact, remedy: str) -> None:
    assert leaf.evaluate(FACTS).remedy == remedy


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ("a", "a"),
        ("ab", "a and b"),
        ("abc", "a, b and c"),
        ("abcd", "a, b, c and d"),
        ("abcde", "a, b, c and 2 more"),
        ("abcdef", "a, b, c and 3 more"),
        ("abab", "a and b"),
    ],
)
def test_a_sentence_has_at_most_four_facts(facts: str, sentence: str) -> None:
    members = tuple(Fact("file", each, False, "", each) for each in facts)
    assert AllOf(members).evaluate(FACTS).text == sentence


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "not set"), (True, "on"), (False, "off"), ("", "empty"), ([], "none"), (0, "0"), (1, "1"),
        (["a", True], "a, on"), (("a",), "a"), ("text", "text"), ({"a": ["ü"]}, '{"a": ["ü"]}'),
    ],
)  # fmt: skip
def test_a_value_as_a_person_reads_it(value: Json, words: str) -> None:
    assert show(value) == words


def test_a_mode_is_found_by_its_name_or_its_groups() -> None:
    assert mode_has("edit").levers(FACTS, True) == (Lever("mode", "code"),)
    assert mode_is("code").levers(FACTS, True) == (Lever("mode", "code"),)
    assert mode_is("ask").levers(FACTS, False) == (Lever("mode", "code"),)
    assert mode_has("read").levers(FACTS, False) is None
    assert mode_is("nope").levers(FACTS, True) is None


SOURCE = SettingSource("a.b", "/c.json", "c.json", 3, overlay="overlay.a.b")


@pytest.mark.parametrize(
    ("setting", "tried", "ok", "text"),
    [
        (Setting(SOURCE, 5, "is", 5, "yes", "no: {actual}"), (), True, "yes (in c.json:3)"),
        (Setting(SOURCE, 4, "is", 5, "yes", "no: {actual}"), (), False, "no: 4 (in c.json:3)"),
        (Setting(SOURCE, 4, "is", 5, "yes", "no"), (Lever("overlay.a.b", 5),), True, "yes"),  # by its overlay
        (Setting(SOURCE, 4, "is", 5, "yes", "no"), (Lever("other", 5),), False, "no"),
        (Setting(SOURCE, 4, "is", 5, "yes", "no"), (Lever("overlay.a.b", 5), Lever("overlay.a.b", 4)), False, "no"),
        # a lever of its own decides, whatever the relation says of its value
        (Setting(SOURCE, 4, "is", 5, "yes", "no", on=Lever("x", 7)), (Lever("x", 7),), True, "yes"),
        (Setting(SOURCE, 5, "is", 5, "yes", "no", off=Lever("x", 5)), (Lever("x", 5),), False, "no"),
        (Setting(SettingSource("a"), 5, "is", 5, "yes", "no"), (), True, "yes"),  # of no file
    ],
)
def test_a_setting_says_where_it_stands_unless_a_lever_was_set(
    setting: Setting, tried: Levers, ok: bool, text: str
) -> None:
    verdict = setting.evaluate(Facts().after(tried))
    assert (setting.holds(Facts().after(tried)), verdict.ok, verdict.text) == (ok, ok, text)


def test_a_setting_without_a_switch_names_its_place() -> None:
    assert Setting(SOURCE, 5, "is", 5, "", "").evaluate(Facts()).remedy == "edit `a.b` in c.json:3"
    missing = replace(SOURCE, line=None, is_set=False)
    assert Setting(missing, 5, "is", 5, "", "").evaluate(Facts()).remedy == "set `a.b` in c.json"
    assert Setting(SettingSource("a"), 5, "is", 5, "", "").evaluate(Facts()).remedy == "change `a`"
    by_switch = Setting(SOURCE, 5, "is", 5, "", "", off=Lever("overlay.a.b", 6))
    assert by_switch.evaluate(Facts()).remedy == "`--set overlay.a.b=6`"


def test_a_fact_is_said_once_with_all_that_was_wanted() -> None:
    both = mode_is("code") & (mode_is("plan", "code") | (flag("diff") & ~flag("diff")))
    assert both.evaluate(FACTS).text == "the mode is ask, not code or plan and `diff` is on"
    twice = (flag("browser") & flag("diff")) | (flag("browser") & mode_has("edit"))
    assert twice.evaluate(FACTS).text == "`browser` is off and the mode lacks the group edit"


def test_a_version_is_compared_in_words() -> None:
    later, before = version_is("1.1", "2.0", side="not before 1.1"), version_is("1.0", side="before 1.1")
    for version, said in (("1.0", "the version is 1.0, before 1.1"), ("2.0", "the version is 2.0, not before 1.1")):
        facts = replace(FACTS, version=version)
        assert (later.evaluate(facts).text, before.evaluate(facts).text) == (said, said)
        assert later.holds(facts) is not before.holds(facts)
    assert version_is("2.0").evaluate(FACTS).text == "the version is 1.0, not 2.0"
    assert ships_with("1.1", "2.0").evaluate(FACTS).text == "not part of 1.0, only of 1.1 or 2.0"
    assert ships_with("1.0").evaluate(FACTS).text == "part of 1.0"
