"""A later request of a session: after a compaction, `/clear`, a resume, or some turns [asked of 2.1.332].

A compaction leaves a summary and the newest exchanges; what begins a session is sent again in another order, with files
and skills as reminders of what was known. A resume and a turn replay what there was, and add to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.sessions.after import summary as written_summary
from promptscope_engine.inputs.after import Exchange
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Facts, any_of
from promptscope_engine.prompt.drafts import (
    Place,
    SectionDraft,
    Span,
    computed,
    file_text,
    label,
    param_value,
    unpredictable,
)
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .materials import Invoked, Later, Materials, Mention
from .scope import text
from .sections import entry_spans, reminder, tagged
from .texts import FOLDER
from .versions import prompt_layout

Role = Literal["user", "assistant"]

_ORDER = (
    "plan_mode", "after.skills", "deferred_tools", "agents", "skills", "mcp_instructions", "auto_mode",
    "environment.facts", "environment.model", "output_style", "language", "ultrathink", "hook.session_start",
    "after.tasks", "total_tokens", "budget", "output_style.reminder", "hook.user_prompt_submit",
)  # fmt: skip
"""What is said beside the conversation after a compaction, in order [asked of 2.1.332]."""
_FIRST = (
    "hook.session_start", "environment.facts", "environment.model", "output_style", "language", "ultrathink",
    "deferred_tools", "agents", "mcp_instructions", "skills", "plan_mode", "auto_mode", "total_tokens", "budget",
    "output_style.reminder", "hook.user_prompt_submit",
)  # fmt: skip
"""The same beside a session's first prompt."""
_EACH_TURN = ("total_tokens", "budget", "output_style.reminder", "hook.user_prompt_submit")
"""What every turn begins with."""
_RESUMED = ("hook.session_start",)
_OTHER_MODEL = ("environment.model",)
"""What a resume, and another model, add to that."""
_TASKS_EVERY = 10
_HEAD = ("user_context", "git_status", "date")
"""What a compaction of the agent's own has before the summary; `date` only where it is a reminder."""
_GONE = ("woken:", "woken_skills.", "agents.late", "output_style.again")
_TYPED = ("prompt", "command")


def after(
    gathered: Gathered[Materials], sections: Sequence[SectionDraft], _inputs: Inputs, workspace: Workspace
) -> tuple[SectionDraft, ...]:
    """The sections of the request that the scenario's `after` asks for."""
    m = gathered.materials
    if m.later is None:
        return tuple(sections)
    system = (each for each in sections if each.place.message is None)
    request = _Request(
        m.later, m, gathered.facts, workspace, [each for each in sections if each.place.message is not None]
    )
    if m.later.after.compacts:
        return (*system, *request.compacted(), *request.lost())
    return (*system, *(request.cleared() if m.later.after.event == "clear" else request.going_on()))


class _Request:
    """The messages of a later request, made of those of a first one. `message` is the number of the one under way."""

    def __init__(
        self, later: Later, m: Materials, facts: Facts, workspace: Workspace, first: Sequence[SectionDraft]
    ) -> None:
        self.later, self.event, self.m, self.facts = later, later.after, m, facts
        self.added = _Added(later, m, facts, workspace)
        self.older = self.added.older
        self.typed = [each for each in first if each.id.partition(":")[0] in _TYPED]
        self.gone = [each for each in first if each.id.startswith(_GONE)]
        first = [
            self.added.with_found(each) if each.id == "skills" and later.after.compacts else each for each in first
        ]
        named = {each.id: each for each in first}
        notes = [each for each in first if each.id in _ORDER or each.id.startswith("left_out_mod")]
        rest = [each for each in first if each not in (*self.typed, *self.gone, *notes)]
        self.head = [each for each in rest if each.id.startswith(_HEAD) and (self.older or each.id != "date")]
        self.dated = [] if self.older else [each for each in rest if each.id == "date"]
        self.rest = [each for each in rest if each not in (*self.head, *self.dated)]
        added = [*self.added.skills(), *self.added.tasks()]
        named |= {each.id: each for each in added}
        skills = [each for each in added if each.id.startswith("after.skill:")]
        self.notes = []
        for name in _ORDER:
            self.notes += [named[name]] if name in named else []
            self.notes += skills if name == "after.skills" else []
        self.notes += [each for each in notes if each.id not in _ORDER]
        self.message = 0
        self.result = Place()
        """Where the last tool's result stands."""

    # --- the requests -------------------------------------------------------------------------------------------------

    def compacted(self) -> Iterator[SectionDraft]:
        """What is sent after a compaction: the order is another one if nothing of the conversation is kept."""
        by_itself, kept = self.event.event == "auto", self.later.kept
        summary = self.added.summary(followed=bool(kept) or by_itself)
        commands = [] if by_itself else self.added.command("compact")
        notes, head = self.notes, [*self.head]
        if kept and by_itself:
            yield from self._put([*head, summary])
            yield from self._apart(self.dated)
            notes, head = self._tokens_first(), []
        elif kept:
            yield from self._put([summary])
        yield from self._conversation(kept)
        if not (kept and self.event.within):
            self.message += 1
        files = list(self.added.files())
        told = []
        if self.older:
            first = 1 if kept and by_itself else 0
            told, notes = notes[:first], notes[first:]
        if files and not told and not (kept and self.event.within):  # the first call is a message of its own
            first_call = next((each for each in files if each.when.holds(self.facts)), files[0])
            yield replace(first_call, place=Place("after.call", self.message))
            files.remove(first_call)
            self.message += 1
        inside = [] if kept else [summary]
        typed = [] if self.event.within else self.typed
        beside = [*told, *files, *(notes if self.older else [])]
        if kept and self.event.within and self.older:  # all of it goes into the tool's result
            yield from (replace(each, place=self.result) for each in beside)
            beside = []
        yield from self._put([*beside, *head, *self.rest, *inside, *commands, *typed])
        if not self.older:
            yield from self._apart([*notes, *([] if kept and by_itself else self.dated)])

    def cleared(self) -> Iterator[SectionDraft]:
        """A session's first request, with what `/clear` leaves before the prompt."""
        yield from self._put(
            [*(self._fresh() if self.older else ()), *self.head, *self.rest, *self.added.command("clear"), *self.typed]
        )
        if not self.older:
            yield from self._apart([*self._fresh(), *self.dated])
        yield from self.lost("after_cleared")

    def going_on(self) -> Iterator[SectionDraft]:
        """All that was sent, then a turn: what changed, what every turn says, the prompt."""
        first = param_value("after.said", self.event.said[0] if self.event.said else "…")
        yield from self._put(
            [
                *(self._fresh() if self.older else ()),
                *self.head,
                *self.rest,
                _said("after.first", [first], "The first prompt"),
            ]
        )
        if not self.older:
            yield from self._apart([*self._fresh(), *self.dated])
        self.message += 1
        yield from self._put(self.gone)
        yield from self._conversation(self.event.exchanges)
        self.message += 1
        resumed = self.event.event == "resume"
        other = self.event.model not in (None, self.m.model.id)
        wanted = (
            *(_RESUMED if resumed else ()),
            *(_OTHER_MODEL if other else ()),
            *_EACH_TURN,
        )
        credit = [replace(each, id=f"{each.id}.again") for each in self.rest if other and each.id == "attribution"]
        again = [replace(each, id=f"{each.id}.again") for each in self.notes if each.id in wanted]
        tasks = [each for each in self.notes if each.id == "after.tasks"]
        changed = self.added.new_skills() if resumed else self.added.changed()
        read_again = self.added.read_again() if resumed else ()
        if self.older:
            yield from self._put([*tasks, *changed, *again, *credit, *read_again, *self.typed])
        else:
            told = list(changed)
            yield from self._put([*([] if resumed else told), *credit, *read_again, *self.typed])
            yield from self._apart([*(told if resumed else []), *again, *tasks])

    def lost(self, why: str = "after_lost") -> Iterator[SectionDraft]:
        """Instructions that reads brought, absent until a read brings them again. `why` names the reason."""
        lost = FOLDER.reason(why)
        yield from (replace(each, when=lost & each.when) for each in self.gone)

    # --- where they are ---------------------------------------------------------------------------------------------

    def _put(self, sections: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
        """The sections in the message under way."""
        for each in sections:
            yield replace(each, place=replace(each.place, message=self.message, role="user"))

    def _apart(self, sections: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
        """The sections in a message of role `system`."""
        self.message += 1
        place = Place(f"context {self.message}", self.message, "system", gap="\n\n")
        yield from (replace(each, place=place) for each in sections)
        self.message += 1

    def _fresh(self) -> list[SectionDraft]:
        """What is said beside the first prompt, in its own order."""
        return [each for each in sorted(self.notes, key=_first_order) if not each.id.startswith("after.")]

    def _tokens_first(self) -> list[SectionDraft]:
        return sorted(self.notes, key=lambda each: each.id != "total_tokens")

    def _conversation(self, exchanges: Sequence[Exchange]) -> Iterator[SectionDraft]:
        """Answers, with what followed each, in messages of their own, and the tokens left that were told with it."""
        tokens = [each for each in self.notes if each.id == "total_tokens"]
        for number, each in enumerate(exchanges):
            self.message += 1
            answer = param_value("after.exchanges", each.spoken)
            yield _turn(f"after.answer:{number}", "An answer", [answer], self.message, "assistant")
            if not each.follows:
                continue
            self.message += 1
            last = self.event.within and number == len(exchanges) - 1
            told = [] if last else [replace(note, id=f"{note.id}:{number}") for note in tokens]
            if self.older and each.said and not each.results:
                yield from self._put(told)
            for part, said in enumerate(each.follows):
                section, title = f"after.followed:{number}.{part}", "What followed"
                yield _turn(section, title, [param_value("after.exchanges", said)], self.message)
                if self.older and each.results and part == 0:
                    place = Place(section, self.message, gap="\n\n")
                    yield from (replace(note, place=place) for note in told)
            if not self.older:
                yield from self._apart(told)
                self.message -= 1 if told else 2
            self.result = Place(f"after.followed:{number}.0", self.message, gap="\n\n")


class _Added:
    """What a later request has beside the sections of a first one."""

    def __init__(self, later: Later, m: Materials, facts: Facts, workspace: Workspace) -> None:
        self.later, self.event, self.m, self.facts, self.workspace = later, later.after, m, facts, workspace
        self.older = m.gates.messages == "A'"

    def summary(self, *, followed: bool) -> SectionDraft:
        spans = text(
            self.m,
            "after.summary",
            used=computed("after.tools", ", ".join(self.event.tools)),
            summary=written_summary(self.event),
            transcript=unpredictable("transcript", self.later.transcript),
            followed=followed,
        )
        inside = not self.later.kept
        return _said("after.summary", spans, "The summary", joins=inside)

    def files(self) -> Iterator[SectionDraft]:
        """The report of a read and its result, for each file that may come back."""
        for file in self.later.files:
            call = text(self.m, "after.call", input=computed("after.input", file.answer.input))
            for part, spans in (("call", call), ("file", self._read(file.answer))):
                name = f"after.{part}:{file.path}"
                place = reminder(name) if self.older else Place(name, 0, run="mentions", between="\n")
                title = f"{file.path}, as a file" if part == "file" else f"{file.path}, the call"
                yield SectionDraft(name, title, tuple(spans), None, file.when, place, "session")

    def _read(self, answer: Mention) -> Iterator[Span]:
        if answer.kind == "empty":
            yield from text(self.m, "after.empty")
            return
        yield from text(self.m, "after.result")
        for number, line in answer.lines:
            yield label(f"\n{number}\t")
            yield file_text(answer.path, line, number or 1)
        yield label("\n</system-reminder>")

    def skills(self) -> Iterator[SectionDraft]:
        """The texts of the skills that were invoked, in one block: an introduction, then each."""
        skills = self.later.skills if self.event.compacts else ()
        if not skills:
            return
        sent = [each for each in skills if each.when.holds(self.facts)] or list(skills)
        opens, closes = (
            ([label("<system-reminder>\n")], [label("\n</system-reminder>")]) if self._has_tags else ([], [])
        )
        place = Place("after.skills", 0, run="reminders", gap="\n\n", ends="\n")
        some = any_of((each.when for each in skills), ALWAYS)
        about = (*opens, *text(self.m, "after.skills"))
        yield SectionDraft("after.skills", "About the skills", about, None, some, place)
        for each in skills:
            spans = (*self._skill(each, is_first=each is sent[0]), *(closes if each is sent[-1] else ()))
            yield SectionDraft(f"after.skill:{each.name}", f"The skill {each.name}", spans, None, each.when, place)

    def _skill(self, skill: Invoked, *, is_first: bool) -> Iterator[Span]:
        yield label(("" if is_first else "---\n\n") + "### Skill: ")
        yield computed("skill.name", skill.name)
        yield label("\nPath: ")
        yield computed("skill.place", skill.place)
        yield label("\n\n")
        most = FOLDER.agent["after"]["skill_chars"]
        if skill.length <= most:
            yield from skill.body
            return
        cut = tuple(text(self.m, "after.skill_cut"))
        left = most - sum(len(span.text) for span in cut)
        for span in skill.body:
            if left > 0:
                yield replace(span, text=span.text[:left])
            left -= len(span.text)
        yield from cut

    def with_found(self, listing: SectionDraft) -> SectionDraft:
        """The list of skills with those that reads found: they stay."""
        spans = [*listing.spans]
        closing = [spans.pop()] if self.older else []
        for skill in self.m.woken_skills.skills:
            spans += [label("\n- "), computed("skill.name", skill.shown), label(": "), *skill.spans]
        return replace(listing, spans=(*spans, *closing))

    def tasks(self) -> Iterator[SectionDraft]:
        """A hint at the task tools, at every tenth answer without one; `/compact` counts as an answer at once."""
        event = self.event
        answers = (event.turns - 1 if event.answers is None else event.answers) + (event.event == "compact")
        due = FOLDER.reason(
            "after_tasks", answers > 0 and answers % _TASKS_EVERY == 0, answers=answers, every=_TASKS_EVERY
        )
        spans = tuple(text(self.m, "after.tasks"))
        yield self._beside(SectionDraft("after.tasks", "Task tools not used", spans, None, due, stability="turn"))

    def _beside(self, draft: SectionDraft) -> SectionDraft:
        """A note beside the prompt: to some models in tags of its own."""
        placed = replace(draft, place=reminder(draft.id))
        return tagged(placed) if self._has_tags else placed

    @property
    def _has_tags(self) -> bool:
        return self.older or prompt_layout(self.m.version, self.m.model) != self.m.gates.messages

    def command(self, name: str) -> Iterator[SectionDraft]:
        """What a command leaves: a caveat, its name and words, and what it printed."""
        tags = (
            label(f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n"),
            label("            <command-args>"),
            param_value("after.words", self.event.words),
            label("</command-args>"),
        )
        printed = [label("<local-command-stdout>"), *self._printed(name), label("</local-command-stdout>")]
        yield _said("after.command.caveat", text(self.m, "after.command"), "About the command", joins=True)
        yield _said("after.command", tags, f"The command /{name}", joins=True)
        yield _said("after.command.output", printed, "What it printed", joins=True)

    def _printed(self, name: str) -> Iterator[Span]:
        """What `/compact` prints: a terminal's own words, and what the hooks say."""
        if name != "compact":
            return
        attended = not self.m.params.args.print
        yield label("\x1b[2mCompacted (ctrl+o to see full summary)\x1b[22m" if attended else "Compacted ")
        lines = [(event, self.m.hooks[event]) for event in ("PreCompact", "PostCompact")]
        for number, (event, hook) in enumerate((event, hook) for event, hook in lines if hook.spans[0].text):
            yield label(("\n" if number else "") + f"{event} [{', '.join(hook.commands)}] completed successfully: ")
            yield from hook.spans

    def read_again(self) -> Iterator[SectionDraft]:
        """After a resume each instruction file that changed, whole."""
        changed = {path_in(self.m.cwd, path) for path in self.event.changed}
        again = [
            each for each in self.m.instructions if path_in(self.m.cwd, each.shown) in changed and each.paths is None
        ]
        again = [each for each in again if each.when.holds(self.facts)]
        spans = [*text(self.m, "after.read_again")]
        for file in again:
            spans += [label("\n\n"), *entry_spans(file, labelled=True)]
        if again:
            draft = SectionDraft("after.changed", "Instructions that changed", tuple(spans))
            yield tagged(replace(draft, place=reminder("after.changed")))

    def new_skills(self) -> Iterator[SectionDraft]:
        """After a resume the skills that were not there before."""
        changed = {
            path.rpartition("/")[0].rpartition("/")[2] for path in self.event.changed if path.endswith("/SKILL.md")
        }
        new = [each for each in self.m.skills if each.name in changed and each.when.holds(self.facts)]
        spans = [*text(self.m, "messages.skills"), label("\n")]
        for each in new:
            spans += [label("\n- "), computed("skill.name", each.shown), label(": "), *each.spans]
        if new:
            yield self._beside(SectionDraft("after.new_skills", "Skills that were added", tuple(spans)))

    def changed(self) -> Iterator[SectionDraft]:
        """What changed on the disk in a session: a note with the file's lines."""
        for path in (path_in(self.m.cwd, each) for each in self.event.changed):
            source = self.workspace.read(path)
            spans = [*text(self.m, "after.changed", path=computed("path", path))]
            for number, line in enumerate(source.text.removesuffix("\n").split("\n"), 1):
                spans += [label(f"\n{number}\t"), file_text(path, line, number)]
            yield self._beside(SectionDraft(f"after.changed:{path}", f"{path} changed", tuple(spans)))


def _first_order(draft: SectionDraft) -> int:
    return _FIRST.index(draft.id) if draft.id in _FIRST else len(_FIRST)


def _said(section_id: str, spans: Iterable[Span], title: str, *, joins: bool = False) -> SectionDraft:
    """A text of the user's role; `joins`: others of its message follow."""
    place = Place(section_id, 0, run="commands", between="\n", ends="\n") if joins else Place(section_id, 0)
    return SectionDraft(section_id, title, tuple(spans), None, place=place, stability="turn")


def _turn(section_id: str, title: str, spans: Iterable[Span], message: int, role: Role = "user") -> SectionDraft:
    return SectionDraft(section_id, title, tuple(spans), None, place=Place(section_id, message, role), stability="turn")
