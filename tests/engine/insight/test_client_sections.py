"""A text cut where the client's own sections begin, and which of ours each stretch holds."""

from __future__ import annotations

from promptscope_engine.insight.client_sections import ClientSection, ClientSections, Stretch

TABLE = {"body": ("intro", "harness"), "pronouns": ("notes",), "caution": ("notes",), "games": ("games",)}


def told(*sections: tuple[str, str]) -> ClientSections:
    return ClientSections([ClientSection(*each) for each in sections], TABLE)


def test_sections_with_one_of_ours_in_common_are_one_stretch_with_the_blank_lines_before_it() -> None:
    named = told(("body", "Be."), ("pronouns", "They."), ("caution", "Ask."))
    assert list(named.cut("Be.\n\nThey.\n\nAsk.", ("intro", "harness", "notes"))) == [
        Stretch(("body",), ("intro", "harness"), "Be."),
        Stretch(("pronouns", "caution"), ("notes",), "\n\nThey.\n\nAsk."),
    ]


def test_what_has_no_name_and_what_is_not_ours_is_apart() -> None:
    named = told(("body", "Be."), ("novel", "New."))
    assert list(named.cut("Be.\n\nNew.\n\nAppended.", ("intro",))) == [
        Stretch(("body",), ("intro",), "Be."),
        Stretch(("novel",), (), "\n\nNew."),
        Stretch((), (), "\n\nAppended."),
    ]


def test_a_section_that_came_out_empty_or_is_in_another_text_cuts_nothing() -> None:
    named = told(("body", ""), ("pronouns", "They."))
    assert list(named.cut("Be.", ("intro", "notes"))) == [Stretch((), (), "Be.")]
    assert not told(("body", " "))


def test_one_of_ours_bears_all_the_names_that_it_was_sent_under() -> None:
    named = told(("pronouns", "They."), ("caution", "Ask."), ("novel", "New."))
    assert named.names_of("notes") == ("pronouns", "caution")
    assert named.names_of("learned.novel") == ("novel",)
    assert named.names_of("games") == ()
    assert named.is_known("games")
    assert not named.is_known("append")
