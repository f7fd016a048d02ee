"""Lines that were sent otherwise than predicted, where no stand-in is."""

from __future__ import annotations

from tests.engine.insight.made_up import assembly_of, section

from promptscope_engine.assembly.wording import Wordings
from promptscope_engine.captures.model import Block, Capture, Content, Header, SentTool
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import Wording
from promptscope_engine.learning.corrections import corrections
from promptscope_engine.learning.moves import line_places
from promptscope_engine.prompt.model import Fragment, Origin, Section

HEADER = Header(agent="x", cwd="/w/space", home="/home/u")


def fixed(text: str) -> Fragment:
    return Fragment(text, Origin("label"))


def our(name: str, text: str) -> Fragment:
    return Fragment(text, Origin("builtin", id=name))


def facts(*lines: str) -> Section:
    return section("facts", fixed("\n".join(lines)))


def found(sent: str, *lines: str) -> tuple[Wording, ...]:
    return corrections(sides(sent, *lines), {}).wordings


def sides(sent: str, *lines: str) -> Sides:
    return Sides(assembly_of(facts(*lines)), Content("anthropic", system=(Block(sent),)), Capture(HEADER, ()))


def worded(wordings: tuple[Wording, ...], *lines: str) -> str:
    place = Wordings({each.key: each for each in wordings}, {"workspace": "/o/ther", "home": "/root/home"})
    return "".join(span.text for span in place.with_lines("facts", [fixed("\n".join(lines))], Fragment))


def test_a_line_of_another_form_takes_the_place_of_ours() -> None:
    ours = ("# Facts", "- Shell: sh", "- Platform: linux")
    learned = found("# Facts\n- Shell: unknown\n- Platform: linux", *ours)
    assert worded(learned, *ours) == "# Facts\n- Shell: unknown\n- Platform: linux"
    assert worded(learned, "# Facts", "- Shell: zsh") == "# Facts\n- Shell: zsh", "another value was never seen"


def test_a_line_that_is_gone_takes_its_break_along() -> None:
    ours = ("Bash", "Monitor", "Read")
    assert worded(found("Bash\nRead", *ours), *ours) == "Bash\nRead"


def test_a_new_line_follows_the_one_before_it() -> None:
    ours = ("Bash", "Read")
    assert worded(found("Bash\nGrep\nRead", *ours), *ours) == "Bash\nGrep\nRead"


def test_folders_of_the_run_are_those_of_the_next_one() -> None:
    ours = ("# Facts", "at /w/space today")
    learned = found("# Facts\nin /w/space", *ours)
    assert worded(learned, "# Facts", "at /o/ther today") == "# Facts\nin /o/ther"


def test_what_was_made_up_for_the_run_is_never_kept() -> None:
    assert found("# Facts\nQuuxmark line 12", "# Facts", "- nothing") == ()


def test_lines_around_what_was_made_up_are_kept() -> None:
    ours = ("# Skills", "- draw (r0)", "- quuxmark (r1)", "- paint (r0)")
    learned = found("# Skills\n- draw (/a)\n- quuxmark (/b)\n- paint (/a)", *ours)
    assert worded(learned, "# Skills", "- draw (r0)", "- paint (r0)") == "# Skills\n- draw (/a)\n- paint (/a)"


def test_lines_as_predicted_are_noted() -> None:
    right = corrections(sides("# Facts\n- Shell: unknown", "# Facts", "- Shell: sh"), {}).right
    assert right == {("facts", "# Facts")}


def test_pieces_around_learned_lines_keep_their_origin() -> None:
    pieces = [fixed("# Facts\n- Shell: "), our("facts.shell", "sh"), fixed("\n- Platform: linux")]
    learned = found("# Facts\n- Shell: unknown\n- Platform: linux", "# Facts", "- Shell: sh", "- Platform: linux")
    place = Wordings({each.key: each for each in learned}, {})
    kinds = [(span.origin.kind, span.text) for span in place.with_lines("facts", pieces, Fragment)]
    assert kinds == [("label", "# Facts\n"), ("learned", "- Shell: unknown"), ("label", "\n- Platform: linux")]


# --- lines with values ------------------------------------------------------------------------------------------------


def skill(name: str, words: str, short: str, whole: str) -> tuple[Fragment, ...]:
    path = Fragment(short, Origin("computed", name="skill.path", path=whole))
    named = Fragment(name, Origin("computed", name="skill.name"))
    told = Fragment(words, Origin("file", path=whole, start_line=2, end_line=2))
    return fixed("- "), named, fixed(": "), told, fixed(" (file: "), path, fixed(")\n")


MADE_UP = skill("quuxmark-skill", "Quuxmark description.", "r0/quuxmark-skill/SKILL.md", "/a/quuxmark-skill/SKILL.md")
OTHER = skill("paint", "Paints boxes.", "r3/paint/SKILL.md", "/b/paint/SKILL.md")


def asked(sent: str, *parts: Fragment, rows: bool = False) -> tuple[Wording, ...]:
    both = Sides(
        assembly_of(section("facts", *parts)), Content("anthropic", system=(Block(sent),)), Capture(HEADER, ())
    )
    return corrections(both, {}, rows=rows).wordings


def text_with(wordings: tuple[Wording, ...], *parts: Fragment) -> str:
    return "".join(
        piece.text for piece in Wordings({w.key: w for w in wordings}, {}).with_lines("facts", parts, Fragment)
    )


def test_a_row_of_another_form_is_the_form_of_all_rows() -> None:
    sent = "# Skills\n* quuxmark-skill (/a/quuxmark-skill/SKILL.md) Quuxmark description.\n"
    learned = asked(sent, fixed("# Skills\n"), *MADE_UP, rows=True)
    assert text_with(learned, fixed("# Skills\n"), *OTHER) == "# Skills\n* paint (/b/paint/SKILL.md) Paints boxes.\n"


def test_the_values_of_a_row_keep_their_origin() -> None:
    learned = asked("- quuxmark-skill: Quuxmark description. <r0/quuxmark-skill/SKILL.md>\n", *MADE_UP, rows=True)
    pieces = Wordings({w.key: w for w in learned}, {}).with_lines("facts", OTHER, Fragment)
    assert [piece.origin.path for piece in pieces if piece.text == "Paints boxes."] == ["/b/paint/SKILL.md"]


def test_a_row_with_a_word_of_the_run_that_is_no_value_is_not_kept() -> None:
    assert asked("- quuxmark-skill: Quuxmark summary. (file: x)\n", *MADE_UP, rows=True) == ()


def test_a_new_line_beside_a_date_is_there_on_any_day() -> None:
    def day(text: str) -> tuple[Fragment, ...]:
        return fixed("It is "), Fragment(text, Origin("environment", name="date")), fixed(".")

    learned = asked("# Date\nIt is 2026-11-26.\nThis may not be relevant.", *day("2026-11-26"))
    assert text_with(learned, *day("2027-01-01")) == "# Date\nIt is 2027-01-01.\nThis may not be relevant."


def test_a_new_line_beside_a_name_alone_is_not_beside_every_name() -> None:
    names = [Fragment(name, Origin("computed", name="tool")) for name in ("Bash", "Read")]
    learned = asked("Bash\nGrep\nRead", names[0], fixed("\n"), names[1])
    assert text_with(learned, names[0], fixed("\n"), names[1]) == "Bash\nGrep\nRead"


# --- the order of a list ----------------------------------------------------------------------------------------------


def row(name: str, of: str = "skill.name") -> tuple[Fragment, ...]:
    return fixed("- "), Fragment(name, Origin("computed", name=of)), fixed(": x\n")


OWN, PLUGINS = row("quuxmark-skill"), (*row("quuxmark-one", "plugin.skill"), *row("quuxmark-two", "plugin.skill"))
LISTED = "# Skills\n- quuxmark-skill: x\n- deep: x\n- quuxmark-one: x\n- quuxmark-two: x\n- draw: x\n"


def sides_of(sent: str, *parts: Fragment) -> Sides:
    assembly = assembly_of(section("facts", *parts))
    return Sides(assembly, Content("anthropic", system=(Block(sent),)), Capture(HEADER, ()))


def test_a_new_row_among_those_that_were_made_up_is_no_part_of_them() -> None:
    learned = asked(LISTED, fixed("# Skills\n"), *OWN, *PLUGINS, *row("draw"))
    assert text_with(learned, *row("a", "plugin.skill"), *row("draw")) == "- a: x\n- deep: x\n- draw: x\n"


def test_a_new_line_of_each_row_is_there_for_each() -> None:
    sent = "# Skills\n- quuxmark-skill: x\nNew\n- quuxmark-one: x\nNew\n- quuxmark-two: x\n- draw: x\n"
    learned = asked(sent, fixed("# Skills\n"), *OWN, *PLUGINS, *row("draw"))
    assert text_with(learned, *row("a", "plugin.skill"), *row("draw")) == "New\n- a: x\n- draw: x\n"


def test_a_row_is_before_the_first_one_of_a_form_where_there_is_one() -> None:
    learned = tuple(line_places(sides_of(LISTED, fixed("# Skills\n"), *OWN, *PLUGINS, *row("deep"), *row("draw")), {}))
    assert [wording.ids[0] for wording in learned] == ["before"]
    others = (*row("a"), *row("b", "plugin.skill"), *row("c", "plugin.skill"), *row("draw"), *row("deep"))
    assert text_with(learned, *others) == "- a: x\n- deep: x\n- b: x\n- c: x\n- draw: x\n"
    assert text_with(learned, *row("a"), *row("draw"), *row("deep")) == "- a: x\n- draw: x\n- deep: x\n"
    assert text_with(learned, *row("b", "plugin.skill")) == "- b: x\n"


def test_a_row_is_behind_the_last_one_of_a_form() -> None:
    sent = "- quuxmark-one: x\n- quuxmark-two: x\n- deep: x\n- draw: x\n"
    learned = tuple(line_places(sides_of(sent, *row("deep"), *PLUGINS, *row("draw")), {}))
    assert [wording.ids[0] for wording in learned] == ["behind"]
    others = (*row("deep"), *row("b", "plugin.skill"), *row("c", "plugin.skill"))
    assert text_with(learned, *others) == "- b: x\n- c: x\n- deep: x\n"


def test_rows_elsewhere_keep_their_pieces() -> None:
    learned = tuple(line_places(sides_of(LISTED, fixed("# Skills\n"), *OWN, *PLUGINS, *row("deep"), *row("draw")), {}))
    parts = (*row("b", "plugin.skill"), *row("deep"))
    pieces = Wordings({w.key: w for w in learned}, {}).with_lines("facts", parts, Fragment)
    assert [piece.text for piece in pieces if piece.origin.kind == "computed"] == ["deep", "b"]


def test_a_list_in_the_order_of_ours_teaches_no_places() -> None:
    assert (
        tuple(line_places(sides_of(LISTED, fixed("# Skills\n"), *OWN, *row("deep"), *PLUGINS, *row("draw")), {})) == ()
    )


def test_rows_that_are_gone_are_gone_with_any_values() -> None:
    def root(alias: str, folder: str) -> tuple[Fragment, ...]:
        place = Fragment(folder, Origin("environment", name="root"))
        return fixed("- `"), Fragment(alias, Origin("computed", name="alias")), fixed("` = `"), place, fixed("`\n")

    learned = asked("Whole paths.\n# End", fixed("Short paths.\n# Roots\n"), *root("r0", "/a"), fixed("# End"))
    parts = (fixed("Short paths.\n# Roots\n"), *root("r0", "/x"), *root("r1", "/y"), fixed("# End"))
    assert text_with(learned, *parts) == "Whole paths.\n# End"


def test_the_description_of_a_tool_is_corrected_with_its_values() -> None:
    def described(names: str) -> tuple[Fragment, ...]:
        listed = Fragment(names, Origin("computed", name="skills"))
        return our("x", "Starts a skill by name"), fixed(" ("), listed, fixed(")"), our("x.rest", ". Use it.")

    parts = described("'quuxmark-skill'")
    ours = {"name": "skill", "description": "".join(part.text for part in parts), "input_schema": {"type": "object"}}
    sent = SentTool(
        "skill", "Starts a skill by name (Available: 'quuxmark-skill'). Use it.", {"type": "object"}, "custom"
    )
    both = Sides(assembly_of(tools=(ours,)), Content("anthropic", tools=(sent,)), Capture(HEADER, ()))
    learned = corrections(both, {"skill": parts}, rows=True).wordings
    place = Wordings({each.key: each for each in learned}, {})
    worded = "".join(span.text for span in place.with_lines("tools.skill", described("'paint', 'draw'"), Fragment))
    assert worded == "Starts a skill by name (Available: 'paint', 'draw'). Use it."
