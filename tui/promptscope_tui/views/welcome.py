"""Where a user begins: the welcome of a folder without files, and pickers of folders, captures and transcripts."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from promptscope_engine.agents.registry import DEFINITION, all_agents
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_tui.session.folders import AgentHere, Folder, agents_here, folders, is_demo, own_files
from promptscope_tui.session.snapshot import ChooseAgent, GoTo, Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.text.words import home_short, number, short_path
from promptscope_tui.widgets.messages import in_thread
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.row_list import ChoiceList

if TYPE_CHECKING:
    from promptscope_tui.session.recordings import RecordingFile


_INDENT = 4
_MOST = 12
"""Paths that are listed of one agent."""


class BeginFile(Struct, frozen=True):
    """Open a file that does not exist yet in the editor."""

    path: str


class OpenDemo(Struct, frozen=True):
    """Open the sample."""


class ShowPrompt(Struct, frozen=True):
    """Go on to the prompt."""


class ShowControls(Struct, frozen=True):
    """Go on to the prompt, and to its controls."""


def needs_welcome(snapshot: Snapshot) -> bool:
    """Whether it is the sample, or nothing of the prompt is the user's.

    Then no file is in the folder, and none from elsewhere is in the text.
    """
    assembly = snapshot.assembly
    if assembly is not None and is_demo(assembly.workspace):
        return True
    if assembly is None or own_files(snapshot):
        return False
    return not any(file.present and file.injected_chars for file in assembly.files)


def welcome_rows(snapshot: Snapshot) -> list[Row]:
    """The whole page; a row with a key does something."""
    assembly = snapshot.assembly
    if assembly is None:
        return []
    if is_demo(assembly.workspace):
        return list(_demo(assembly))
    agents = tuple(agents_here(snapshot))
    rows = [
        BLANK,
        paragraph(Span(f" {agents[0].name} finds no files of yours in this folder.", "strong"), indent=1),
        BLANK,
        row(Span(" BEGIN", "title")),
    ]
    for path, names in _beginnings(agents, assembly.workspace).items():
        words = Span(f"  a first file for {', '.join(names)}; opens your editor to create it", "dim")
        rows.append(_link(Span(short_path(path, assembly), "file"), words, key=BeginFile(path)))
    sample = Span("  a small repository with files for every agent, copied to a temporary folder", "dim")
    rows += [
        _link(Span("--demo", "accent"), sample, key=OpenDemo()),
        _link(
            Span("the prompt", "accent"), Span("  as it is without any file of yours  (esc)", "dim"), key=ShowPrompt()
        ),
        paragraph(Span("  A file that is saved here shows up at once.", "faint"), indent=2),
        BLANK,
        row(Span(" WHO READS WHAT", "title")),
    ]
    for agent in agents:
        rows += _agent(agent, snapshot)
    if snapshot.other_agents is None:
        rows.append(paragraph(Span("  … looking for the files of the other agents", "faint"), indent=2))
    return rows


def _demo(assembly: Assembly) -> Iterator[Row]:
    """Three things to try: each is one of the questions that the app answers."""
    yield BLANK
    yield paragraph(
        Span(" A small shop with files for every agent, copied for you to try things on.", "strong"), indent=1
    )
    yield BLANK
    yield row(Span(" THREE THINGS TO TRY", "title"))
    own = next((f.real_path for f in assembly.files if f.present and _begins(f, assembly.workspace + "/")), None)
    if own:
        words = f"  opens your editor: change {short_path(own, assembly)}, save it, and watch its panel and the total"
        yield _link(Span("save a file", "accent"), Span(words, "dim"), key=BeginFile(own))
    words = "  each says what it adds or saves before you touch it; u takes it back"
    yield _link(Span("flip a switch", "accent"), Span(words, "dim"), key=ShowControls())
    absent = next((each for each in assembly.sections if not each.present and each.why.levers), None)
    if absent is not None:
        words = f"  {absent.title} is absent: Why says what decides that, and what would bring it in"
        yield _link(Span("ask why", "accent"), Span(words, "dim"), key=GoTo("prompt", absent.id))
    yield BLANK
    yield _link(Span("the prompt", "accent"), Span("  all of it, section by section  (esc)", "dim"), key=ShowPrompt())
    yield BLANK
    words = " ^p finds everything, ? lists the keys, a shows another agent. The folder goes when promptscope ends."
    yield paragraph(Span(words, "faint"), indent=1)


def _link(*spans: Span, key: object) -> Row:
    return paragraph(Span("  → ", "accent"), *spans, indent=_INDENT, key=key)


def _agent(agent: AgentHere, snapshot: Snapshot) -> Iterator[Row]:
    assembly = snapshot.assembly
    assert assembly is not None
    size = "does not start here" if agent.tokens == 0 else f"≈{number(agent.tokens)} tok"
    found = ", ".join(short_path(file.path, assembly) for file in agent.files[:_MOST])
    reads = [Span("  reads ", "dim"), Span(found, "file")] if found else [Span("  finds nothing", "faint")]
    name = Span(f"  {agent.name}", "strong" if agent.files else "text")
    yield paragraph(name, *reads, Span(f"  {size}", "dim"), indent=_INDENT, key=ChooseAgent(agent.id))
    base = assembly.workspace.rstrip("/") + "/"
    absent = [file for file in agent.looks if not file.present and not file.bytes]
    absent.sort(key=lambda file: not file.real_path.startswith(base))  # first what can be made here
    paths = [short_path(file.path, assembly) for file in absent]
    more = f" and {len(absent) - _MOST} more" if len(absent) > _MOST else ""
    if absent:
        yield paragraph(Span(f"    looks for {', '.join(paths[:_MOST])}{more}", "faint"), indent=_INDENT)


def _beginnings(agents: Iterable[AgentHere], workspace: str) -> dict[str, list[str]]:
    """The files that a person would begin with, each with the agents that would read it.

    For an agent it is the first Markdown file in the folder that it always reads.
    """
    base = workspace.rstrip("/") + "/"
    found: dict[str, list[str]] = {}
    for agent in agents:
        if not agent.files and (first := next((f.real_path for f in agent.looks if _begins(f, base)), None)):
            found.setdefault(first, []).append(agent.name)
    return found


def _begins(file: SourceFile, base: str) -> bool:
    return file.load == "always" and file.real_path.startswith(base) and file.real_path.endswith(".md")


class Welcome(ChoiceList):
    """Says who would read what; what can be done is a row to choose."""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what the agents find in the folder of a session."""
        self.show(lambda _: welcome_rows(snapshot))


def recording_options(found: Iterable[RecordingFile], home: str) -> list[Option]:
    """An option for each file, by its path."""
    return [
        Option(
            each.path,
            _detail(each),
            Span(time.strftime("%Y-%m-%d %H:%M", time.localtime(each.modified)), "dim"),
            f"{each.kind}  {_name(each, home)}",
        )
        for each in found
    ]


def _name(file: RecordingFile, home: str) -> str:
    """A capture by its agent, a transcript of this workspace by its file's name, else by the path from home on."""
    if file.kind == "capture" and not file.problem:
        return file.agent
    path = PurePosixPath(file.path)
    return path.stem if file.here or file.kind == "capture" else home_short(str(path), home)


def _detail(file: RecordingFile) -> str:
    if file.problem:
        return f"✗ {file.problem}"
    where = "this workspace" if file.here else "elsewhere"
    agent = file.agent if file.kind == "transcript" else ""
    return ", ".join(filter(None, (where, agent, file.detail, size(file.bytes))))


_MEGABYTE = 1e6


def size(count: int) -> str:
    """`340 kB`, `12.4 MB`."""
    return f"{count / _MEGABYTE:,.1f} MB" if count >= _MEGABYTE else f"{max(count, 999) // 1000:,} kB"


class FolderPicker(Picker):
    """Gives the chosen folder; any other can be typed."""

    def __init__(self, here: str, home: str, env: Mapping[str, str], recent: Sequence[str]) -> None:
        super().__init__(
            "FOLDER", [Option(here, "listing the packages …", label=home_short(here, home))], here, free=True
        )
        self._here, self._home, self._env, self._recent = here, home, env, recent

    def on_mount(self) -> None:
        """Start listing."""
        in_thread(self, self._list, self._listed)

    def _list(self) -> list[Folder]:
        names = {name for agent in all_agents() for name in agent.about.own_files} | {"AGENTS.md", DEFINITION}
        return folders(self._here, self._home, self._env, self._recent, names)

    def _listed(self, found: list[Folder] | ScenarioError) -> None:
        if isinstance(found, ScenarioError):
            return
        inside = found[0].path.rstrip("/") + "/"
        self.offer([Option(each.path, right=Span(each.what, "dim"), label=self._label(each, inside)) for each in found])

    def _label(self, folder: Folder, inside: str) -> str:
        """Of a package, the path within the repository."""
        return folder.path.removeprefix(inside) if folder.what == "package" else home_short(folder.path, self._home)
