"""The palette: everything that can be done, set or gone to, found by what is typed."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from promptscope_engine.checks.findings import RULES, rule_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField
from promptscope_engine.prompt.model import Assembly, Lever, SourceFile
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import Action
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.models import models_of
from promptscope_tui.session.snapshot import ChooseAgent, CompareWith, GoTo, Snapshot
from promptscope_tui.text.nearest import nearest
from promptscope_tui.text.spans import Row, Span, paragraph, row, signed
from promptscope_tui.text.words import number
from promptscope_tui.widgets.picker import LineInput, TypedChoice
from promptscope_tui.widgets.row_list import ChoiceList

from .subjects import DiagnosticSubject, FileSubject, ProgramSubject, ServerSubject, SwitchSubject, ToolSubject

_SHOWN = 200
"""Entries that are listed at once: a repository can have thousands of files."""

_KIND = 10
"""Cells of the first column."""


class Run(Struct, frozen=True):
    """Run an action of the table."""

    action: str


class OpenRecording(Struct, frozen=True):
    """Open a capture or a transcript."""

    path: str


class AskWhy(Struct, frozen=True):
    """Ask why a word is in the prompt, or is not."""

    word: str


Deed = Run | AskWhy | Lever | ChooseAgent | SwitchSubject | CompareWith | OpenRecording | GoTo | Callable[[], object]
"""What an entry does: a lever is set, of a switch the row is shown. A function is for what the palette alone offers."""


class Entry(Struct, frozen=True):
    """One line of the palette: what it is, its name, and words about it that are searched too.

    `does` is what enter does; `flips` is the value that tab sets.
    """

    kind: str
    name: str
    does: Deed
    about: str = ""
    right: Span = Span("")
    flips: Lever | None = None


def matching(entries: Iterable[Entry], typed: str) -> list[Entry]:
    """The entries that have all words of what was typed, the nearest first; the commands where nothing was typed."""
    if not typed.strip():
        return [entry for entry in entries if entry.kind == "command"]
    return nearest(entries, typed, lambda entry: (entry.name, entry.about, entry.kind))


# --- what there is to find


def command_entries(actions: Iterable[Action]) -> Iterator[Entry]:
    """The actions that can be run now, each with its keys."""
    for action in actions:
        if action.palette:
            yield Entry("command", action.palette, Run(action.id), action.help, Span(action.shown_keys, "accent"))


def entries_of(snapshot: Snapshot, inputs: AgentInputs | None) -> Iterator[Entry]:
    """All that the prompt and its scenario have."""
    assembly = snapshot.assembly
    if inputs:
        yield from _switches(snapshot, inputs)
    if assembly is None:
        return
    yield from _sections(assembly)
    for view in assembly.views:
        yield Entry("prompt", f"the prompt of {view.title}", view.lever, "its own prompt, in place of this one")
    for tool in assembly.tools:
        size = Span(f"{number(tool.expected_tokens)} tok" if tool.present else "absent", "dim")
        yield Entry("tool", tool.name, GoTo("tools", ToolSubject(tool.name)), tool.group, size)
    for server in assembly.servers:
        yield Entry("server", server.name, GoTo("tools", ServerSubject(server.name)), "MCP")
    for file in assembly.files:
        size = Span(_size(file), "dim")
        yield Entry("file", file.path, GoTo("files", FileSubject(file.path)), file.kind, size)
    yield from _programs(assembly)
    for at, problem in enumerate(assembly.diagnostics):
        rule = RULES.get(rule_of(problem.code) or problem.code)
        about = f"{problem.severity}  {problem.code}{f'  {rule.text}' if rule else ''}"
        yield Entry("problem", problem.message, GoTo("files", DiagnosticSubject(at)), about)
    for mode in assembly.modes:
        effect = _cost(snapshot, "mode", mode.slug, mode.slug == assembly.mode)
        yield Entry("mode", mode.slug, Lever("mode", mode.slug), mode.name, effect, Lever("mode", mode.slug))
    for name, about in models_of(assembly).items():
        yield Entry("model", name, Lever("model", name), about, _now(name == assembly.model))


def _programs(assembly: Assembly) -> Iterator[Entry]:
    """The hooks and mods."""
    for at, each in enumerate(assembly.programs):
        about = each.event or ", ".join(each.events)
        yield Entry(each.kind, each.name, GoTo("files", ProgramSubject(at)), about)


def _size(file: SourceFile) -> str:
    return f"{number(file.tokens)} tok" if file.present else "not loaded" if file.bytes else "absent"


def _sections(assembly: Assembly) -> Iterator[Entry]:
    for section in assembly.sections:
        size = Span(f"{number(section.expected_tokens)} tok" if section.present else "absent", "dim")
        yield Entry("section", section.title, GoTo("prompt", section.id), section.id, size)


def _switches(snapshot: Snapshot, inputs: AgentInputs) -> Iterator[Entry]:
    """An entry for each value of a switch, so that its cost is beside it; one for a value that is typed."""
    for field in inputs.fields:
        now, there = inputs.value(field.name), SwitchSubject(field.name)
        about = f"{field.name}  {field.help}"
        if not field.is_flag:
            yield Entry("switch", field.title, there, about)
            continue
        for label, value in _values(field):
            effect = _cost(snapshot, field.name, value, value == now)
            flips = None if value == now else Lever(field.name, value)
            yield Entry("switch", f"{field.title}: {label}", there, about, effect, flips)


def _values(field: ParamField) -> Iterable[tuple[str, Json]]:
    return field.choices or (("on", True), ("off", False))


def _cost(snapshot: Snapshot, param: str, value: Json, is_now: bool) -> Span:
    if is_now:
        return _now(True)
    effect = snapshot.effect(param, value)
    return Span("✗", "error") if effect and effect.error else signed(effect.tokens if effect else None)


def _now(is_now: bool) -> Span:
    return Span("◉ now" if is_now else "", "accent")


# --- the screen


class Palette(TypedChoice[Deed | None]):
    """Gives what the chosen entry does. Tab sets a switch's value and leaves the palette open, with the new costs."""

    CSS_PATH = Path(__file__).parents[1] / "widgets" / "picker.tcss"
    BINDINGS = bindings("palette")

    def __init__(self, find: Callable[[], Iterator[Entry]], do: Callable[[Deed], object]) -> None:
        """`find` gives the entries as they are now; `do` carries out what is done without leaving."""
        super().__init__(classes="-wide")
        self._find, self._do = find, do
        self._entries = list(find())
        self._more: list[Entry] = []
        self._shown: list[Entry] = []

    def compose(self) -> ComposeResult:
        """The title, the line, the list."""
        with Vertical(id="picker"):
            yield Static("FIND   enter goes there   tab sets a switch   esc closes", id="picker-title", markup=False)
            yield LineInput(
                placeholder="a command, switch, section, tool, file, problem, agent, mode, model, revision, capture",
                entered=self.entered,
            )
            yield ChoiceList(id="picker-list")

    def on_mount(self) -> None:
        """List the commands."""
        self.choices.styles.height = 16
        self.filter("")

    def add(self, found: list[Entry] | ScenarioError) -> None:
        """Offer what took longer to find, too."""
        if not isinstance(found, ScenarioError):
            self._more += found
            self.filter(self.typed, keep=True)

    def renew(self, snapshot: Snapshot) -> None:
        """The prompt changed: a switch was set, or more is known of it."""
        del snapshot
        self._entries = list(self._find())
        self.filter(self.typed, keep=True)

    def filter(self, typed: str, keep: bool = False) -> None:
        """Show what has all words of what was typed."""
        found = matching((*self._entries, *self._more), typed)
        self._shown = found[:_SHOWN]
        if word := typed.strip():
            self._shown.append(Entry("why", f"why {word}?", AskWhy(word), "is it in the prompt, and why"))
        rows = [self._row(at, entry) for at, entry in enumerate(self._shown)]
        if len(found) > _SHOWN:
            rows.append(paragraph(Span(f"{len(found) - _SHOWN:,} more: type on to find them", "dim")))
        self.choices.show(lambda _: rows, keep=keep)

    @staticmethod
    def _row(at: int, entry: Entry) -> Row:
        name, about = Span(entry.name), Span(f"  {entry.about}", "dim")
        return row(Span(entry.kind.ljust(_KIND), "faint"), name, about, right=[entry.right], key=at)

    def take(self, typed: str, key: Hashable) -> None:
        """Give what the highlighted entry does."""
        del typed
        if isinstance(key, int):
            self.dismiss(self._shown[key].does)

    def action_flip(self) -> None:
        """Set the value of the highlighted entry."""
        key = self.choices.key
        if isinstance(key, int) and (flips := self._shown[key].flips):
            self._do(flips)
