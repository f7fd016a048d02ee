"""Lines that were sent otherwise than predicted, where no stand-in is."""

from __future__ import annotations

from tests.engine.insight.made_up import assembly_of, section

from promptscope_engine.assembly.wording import Wordings
from promptscope_engine.captures.content import Block, Content
from promptscope_engine.captures.model import Capture, Header
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned.model import Wording
from promptscope_engine.learning.corrections import corrections
from promptscope_engine.prompt.drafts import Span, builtin, label
from promptscope_engine.prompt.model import Fragment, Origin, Section

HEADER = Header(agent="x", cwd="/w/space", home="/home/u")


def fixed(text: str) -> Fragment:
    return Fragment(text, Origin("label"))


def facts(*lines: str) -> Section:
    return section("facts", fixed("\n".join(lines)))


def found(sent: str, *lines: str) -> tuple[Wording, ...]:
    return corrections(sides(sent, *lines)).wordings


def sides(sent: str, *lines: str) -> Sides:
    return Sides(assembly_of(facts(*lines)), Content("anthropic", system=(Block(sent),)), Capture(HEADER, ()))


def worded(wordings: tuple[Wording, ...], *lines: str) -> str:
    place = Wordings({each.key: each for each in wordings}, {"workspace": "/o/ther", "home": "/root/home"})
    return "".join(span.text for span in place.with_lines("facts", [label("\n".join(lines))], Span))


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
    right = corrections(sides("# Facts\n- Shell: unknown", "# Facts", "- Shell: sh")).right
    assert right == {("facts", "# Facts")}


def test_pieces_around_learned_lines_keep_their_origin() -> None:
    pieces = [label("# Facts\n- Shell: "), builtin("facts.shell", "sh"), label("\n- Platform: linux")]
    learned = found("# Facts\n- Shell: unknown\n- Platform: linux", "# Facts", "- Shell: sh", "- Platform: linux")
    place = Wordings({each.key: each for each in learned}, {})
    kinds = [(span.origin.kind, span.text) for span in place.with_lines("facts", pieces, Span)]
    assert kinds == [("label", "# Facts\n"), ("learned", "- Shell: unknown"), ("label", "\n- Platform: linux")]
