"""What several runs teach, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from promptscope_engine.captures.model import SentTool
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.tally import Part, PartVerdict
from promptscope_engine.learned import CHANCE, LABEL, LINES, Holes, Wording
from promptscope_engine.learning.corrections import Corrections
from promptscope_engine.learning.lessons import Lesson, Lessons, with_chance

HEADLESS, INTERACTIVE = {"args.print": True}, {"args.print": False}


def wording(text: str, *, part: str = "intro", ids: tuple[str, ...] = ("intro.first",)) -> Wording:
    return Wording(part, "v", ids, (text,))


def lesson(
    number: int,
    *wordings: Wording,
    start: Mapping[str, Json] = HEADLESS,
    flip: Mapping[str, Json] | None = None,
    parts: Mapping[str, PartVerdict] | None = None,
    tools: Sequence[str] = (),
) -> Lesson:
    found = tuple(Part(name, name, verdict, 1, 1) for name, verdict in (parts or {"intro": "other words"}).items())
    sent = tuple(SentTool(name, f"Does {name}.", {"type": "object"}, "custom") for name in tools)
    return Lesson(
        number,
        f"run {number}",
        start,
        flip or {},
        wordings,
        found,
        sent,
        Holes("/w/repo", "/w/home"),
    )


def taught(*lessons: Lesson) -> Lessons:
    found = Lessons()
    for each in lessons:
        found.add(each)
    return found


def test_words_that_all_runs_have_are_kept_once() -> None:
    lessons = taught(lesson(0, wording("Hello.")), lesson(1, wording("Hello."), start=INTERACTIVE))
    assert list(lessons.wordings()) == [replace(wording("Hello."), runs=(1, 2))]


def test_words_that_differ_by_the_way_to_start_are_kept_with_it() -> None:
    runs = [lesson(n, wording("Hello.")) for n in range(2)] + [lesson(2, wording("Hi!"), start=INTERACTIVE)]
    plain, other = taught(*runs).wordings()
    assert (plain.text, plain.only, plain.runs) == (("Hello.",), {}, (1, 2))
    assert (other.text, other.only, other.runs) == (("Hi!",), INTERACTIVE, (3,))


def test_words_of_a_run_with_another_input_are_kept_with_that_input() -> None:
    runs = [lesson(n, wording("Hello.")) for n in range(2)]
    runs.append(lesson(2, wording("Bare."), flip={"args.bare": True}))
    plain, other = taught(*runs).wordings()
    assert (plain.text, plain.runs, other.runs) == (("Hello.",), (1, 2), (3,))
    assert (other.text, other.only) == (("Bare.",), {"args.print": True, "args.bare": True})


GIT, NO_GIT = {"place.git": True}, {"place.git": False}


def in_both(
    place: Mapping[str, Json], first: int, *wordings: Wording, tools: Sequence[str] = ("Read",)
) -> list[Lesson]:
    """A run of each way to start in a folder."""
    known: Mapping[str, PartVerdict] = {"tools.Read": "equal"}
    return [
        replace(lesson(number, *wordings, start=start, parts=known, tools=tools), place=place)
        for number, start in enumerate((HEADLESS, INTERACTIVE), first)
    ]


def test_words_that_differ_by_the_folder_are_kept_with_what_it_has() -> None:
    plain, other = taught(*in_both(GIT, 0, wording("Status.")), *in_both(NO_GIT, 2, wording("No git."))).wordings()
    assert (plain.text, plain.only) == (("Status.",), {})
    assert (other.text, other.only) == (("No git.",), NO_GIT), "the way to start does not matter"


def test_what_was_sent_in_one_kind_of_folder_alone_is_kept_with_it() -> None:
    runs = [*in_both(NO_GIT, 0), *in_both(GIT, 2, tools=("Read", "New"))]
    (tool,) = taught(*runs).learned("x", "2", "1").added
    assert tool.only == (GIT,)


def test_the_tools_of_the_stand_in_server_are_nobodys() -> None:
    runs = in_both(GIT, 0, tools=("Read", "mcp__quuxmark__quuxmark_tool"))
    assert taught(*runs).learned("x", "2", "1").added == ()


def test_a_label_is_prose_where_most_runs_lack_it() -> None:
    label = wording("# Old", ids=LABEL)
    assert list(taught(lesson(0, label), lesson(1, label), lesson(2)).wordings()) == [replace(label, runs=(1, 2))]
    assert list(taught(lesson(0, label), lesson(1), lesson(2)).wordings()) == []


def test_runs_are_numbered_in_their_order_however_they_ended() -> None:
    learned = taught(lesson(7, wording("Hi!")), lesson(2, wording("Hello.")), lesson(4, wording("Hello."))).learned(
        "x", "2", "1"
    )
    assert learned.runs == ("run 2", "run 4", "run 7")
    assert [(each.text, each.runs) for each in learned.wordings] == [(("Hello.",), (1, 2))]


def test_without_its_labels_a_text_that_is_always_another_one_is_of_other_parts() -> None:
    lost = wording("<tokens>", ids=LABEL)
    lost = replace(lost, variant="label")
    runs = [lesson(n, lost, wording(f"Paragraph {n}.")) for n in range(4)]
    assert list(taught(*runs).wordings()) == [replace(lost, runs=(1, 2, 3, 4))]
    steady = [lesson(n, lost, wording("Hello.")) for n in range(4)]
    assert [each.text for each in taught(*steady).wordings()] == [("<tokens>",), ("Hello.",)]


def test_a_part_that_no_run_sent_has_ended() -> None:
    runs = [lesson(n, parts={"intro": "equal", "finishing": "not sent", "tools.Old": "not sent"}) for n in range(2)]
    assert {each.part for each in taught(*runs).learned("x", "2", "1").ended} == {"finishing", "tools.Old"}
    runs += [lesson(n, parts={"finishing": "other words"}) for n in (2, 3)]
    (gone,) = taught(*runs).learned("x", "2", "1").ended
    assert (gone.part, gone.why) == ("tools.Old", "2 sent it in none of the 2 runs in which it was expected")


def test_a_part_that_one_way_to_start_lacks_has_ended_there() -> None:
    runs = [lesson(0, parts={"tools.Wake": "equal"}, start=INTERACTIVE), lesson(1, parts={"tools.Wake": "not sent"})]
    (gone,) = taught(*runs).learned("x", "2", "1").ended
    assert (gone.part, gone.only) == ("tools.Wake", HEADLESS)


def test_a_part_that_few_runs_of_a_way_to_start_have_is_absent_there() -> None:
    runs = [lesson(n, parts={"tools.Wake": "not sent"}) for n in range(3)]
    runs.append(lesson(3, parts={"tools.Wake": "equal"}, flip={"env.WAKE": "1"}))
    (gone,) = taught(*runs).learned("x", "2", "1").ended
    assert (gone.only, gone.why) == (HEADLESS, "2 sent it in 1 of the 4 runs in which it was expected")


def test_a_new_tool_is_kept_with_the_runs_that_had_it() -> None:
    known: Mapping[str, PartVerdict] = {"tools.Read": "equal"}
    runs = [lesson(0, parts=known, tools=["Read", "New"]), lesson(1, parts=known, tools=["Read"], start=INTERACTIVE)]
    learned = taught(*runs).learned("x", "2", "1")
    (tool,) = learned.added
    assert (tool.name, tool.after, learned.sent_in(tool)) == ("New", "Read", "it was sent in 1 of 2 runs")
    assert tool.only == (HEADLESS,)


def test_a_tool_that_came_with_an_input_is_kept_with_it() -> None:
    known: Mapping[str, PartVerdict] = {"tools.Read": "equal"}
    runs = [lesson(n, parts=known, tools=["Read"]) for n in range(3)]
    runs.append(lesson(3, parts=known, tools=["Read", "New"], flip={"env.NEW": "1"}))
    (tool,) = taught(*runs).learned("x", "2", "1").added
    assert tool.only == ({"args.print": True, "env.NEW": "1"},)


def lines(before: str, after: str, part: str = "facts") -> Wording:
    return Wording(part, before, (*LINES, before), (after,) if after else ("",))


def test_lines_that_were_right_in_another_run_stay_with_that_input() -> None:
    lessons = taught(lesson(0), lesson(1), lesson(2, flip={"model": "small"}))
    for number in (0, 1):
        lessons.correct(number, Corrections((lines("- Shell: sh", "- Shell: unknown"),), frozenset()))
    lessons.correct(2, Corrections((), frozenset({("facts", "- Shell: sh")})))
    changed, as_it_was = lessons.corrected()
    assert (changed.text, changed.only, changed.runs) == (("- Shell: unknown",), {}, (1, 2))
    assert (as_it_was.text, as_it_was.only["model"], as_it_was.runs) == (("- Shell: sh",), "small", (3,))


def test_lines_that_were_mostly_right_are_kept_only_with_the_input_that_changed_them() -> None:
    lessons = taught(lesson(0), lesson(1), lesson(2, flip={"model": "small"}))
    for number in (0, 1):
        lessons.correct(number, Corrections((), frozenset({("facts", "- Shell: sh")})))
    lessons.correct(2, Corrections((lines("- Shell: sh", "- Shell: none"),), frozenset()))
    (changed,) = lessons.corrected()
    assert (changed.text, changed.only["model"]) == (("- Shell: none",), "small")


def test_a_word_that_is_another_one_in_each_run_is_chance() -> None:
    found = with_chance([wording("version=2.ddc; kind=cli;"), wording("version=2.db9; kind=cli;")])
    assert found is not None
    assert found.text == ("version=2.", f"{CHANCE}ddc", "; kind=cli;")
    cut = [replace(wording(""), text=("in ", "home", f" as {each}.")) for each in ("ddc", "db9")]
    assert (with_chance(cut) or found).text == ("in ", "home", " as ", f"{CHANCE}ddc", ".")
    assert with_chance([wording("Hello."), wording("Hello.")]) is None
    assert with_chance([wording("Hello."), wording("Good day to you.")]) is None, "of another shape: other words"
