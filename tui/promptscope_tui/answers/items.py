"""What a word can name: sections, tools, servers, files, hooks, parts, inputs, modes, keys and words of a text."""

import re
from collections.abc import Iterator

from msgspec import Struct

from promptscope_engine.agents.kit.disk.servers import PREFIX
from promptscope_engine.insight.editable import EditableFiles, EditAnswer
from promptscope_engine.insight.imagined import Imagined
from promptscope_engine.insight.known import Known
from promptscope_engine.insight.mentions import Mention
from promptscope_engine.insight.set_keys import SetKey
from promptscope_engine.prompt.model import (
    AbsentFragment,
    Assembly,
    DerivedParam,
    Fragment,
    Lever,
    ModeChoice,
    Program,
    Reason,
    Section,
    Server,
    SourceFile,
    Tool,
)
from promptscope_engine.workspace import paths
from promptscope_tui.text.words import short_path


class Part(Struct, frozen=True):
    """A built-in part of a section that has a name, as a sub-agent or a skill; `why` is None where nothing decides."""

    name: str
    section: str
    title: str
    present: bool
    why: Reason | None
    text: str
    source: str = "built in"


Row = Section | Tool | Server | SourceFile | Program
"""What has a reason."""

Thing = Row | Part | DerivedParam | ModeChoice | SetKey | Known | Mention | Imagined


_TWICE = ("section", "hook", "mod")
"""Kinds of which a second name is shown."""


class Candidate(Struct, frozen=True):
    """Something to explain, with its names; `label` is the one that parts are matched with.

    `loading` says of a file that is not loaded which files of the repository load it, or that none ever does; `reads`
    is one of them, "" if there is none. `unasked` is a server that was not asked: the tool is one that it may offer, or
    `offers` says what would become of any. `edits` are the files that a mode, or a tool in the mode in force, may edit,
    and `answer` whether one is among them. `model` is the one that a sub-agent's own file names.
    """

    kind: str
    names: tuple[str, ...]
    thing: Thing
    label: str
    model: str = ""
    loading: str = ""
    reads: str | None = None
    unasked: str = ""
    offers: Tool | None = None
    edits: EditableFiles | None = None
    answer: EditAnswer | None = None
    brief: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool | None:
        """Whether the prompt has it; None of what is no part of it."""
        thing = self.thing
        if isinstance(thing, DerivedParam | ModeChoice | SetKey | Known):
            return None
        return not isinstance(thing, Imagined) and thing.present

    @property
    def title(self) -> str:
        """Its line: present or not, its kind, its name."""
        mark = {True: "✓", False: "✗", None: "→"}[self.is_there]
        return f"{mark} {self.kind} {self.names[0]}" + (f" ({self.names[1]})" if self.kind in _TWICE else "")


# --- everything that has a name ---------------------------------------------------------------------------------------


def candidates(assembly: Assembly) -> Iterator[Candidate]:
    """All that has a row."""
    for section in assembly.sections:
        yield Candidate("section", (section.id, section.title), section, short_path(section.title, assembly))
    silent = {tool.name for tool in assembly.tools if is_silent(tool)}
    for tool in assembly.tools:
        names = (tool.name, *([tool.name.removeprefix(PREFIX)] if tool.name in silent else []))
        yield Candidate("tool", names, tool, tool.name)
    for server in assembly.servers:
        if f"{PREFIX}{server.name}" not in silent:
            yield Candidate("server", (server.name, f"{PREFIX}{server.name}"), server, server.name)
    for file in assembly.files:
        yield file_candidate(file, assembly)
    for each in assembly.programs:
        names = (each.event, each.name) if each.kind == "hook" else (each.name, each.path)
        yield Candidate(each.kind, names, each, f"{each.event} {each.name}".strip())


_SKILL = "/SKILL.md"
_NAMED_BY_FILE = ("agent", "command", "output-style")


def file_candidate(file: SourceFile, assembly: Assembly) -> Candidate:
    """A file by its path, its name and, of a skill, its folder."""
    short = short_path(file.path, assembly)
    names = [short, file.path, paths.path_in(assembly.workspace, file.path), short.rpartition("/")[2]]
    if short.endswith(_SKILL):
        names.append(short.removesuffix(_SKILL).rpartition("/")[2])  # a skill is called by its folder
    elif file.kind in _NAMED_BY_FILE:
        names.append(names[-1].partition(".")[0])
    return Candidate("file", tuple(dict.fromkeys(names)), file, short)


def parts(assembly: Assembly) -> Iterator[Candidate]:
    """The built-in parts by the last word of their ids."""
    for section in assembly.sections:
        named: dict[str, list[Fragment | AbsentFragment]] = {}
        every: tuple[Fragment | AbsentFragment, ...] = (*section.fragments, *section.absent)
        for fragment in every:
            if fragment.origin.id:
                named.setdefault(fragment.origin.id.rpartition(".")[2], []).append(fragment)
        for name, fragments in named.items():
            shown = [each for each in fragments if isinstance(each, Fragment)] or fragments
            why = shown[0].why if section.present else section.why
            present = section.present and isinstance(shown[0], Fragment)
            text = "".join(each.text for each in shown)
            yield Candidate("part", (name,), Part(name, section.id, section.title, present, why, text), name)


def is_silent(thing: Thing) -> bool:
    """Whether this is the row of a server that was not asked."""
    return isinstance(thing, Tool) and thing.name.startswith(PREFIX)


def listed_names(assembly: Assembly) -> dict[str, str]:
    """What the prompt's lists call the files from which their descriptions are, by path."""
    found: dict[str, str] = {}
    for section in assembly.sections:
        name = ""
        for fragment in section.fragments:
            origin, label = fragment.origin, LABEL.search(fragment.text)
            if origin.kind == "computed":
                name = fragment.text.strip() if not fragment.text.endswith("\n") else ""
            elif origin.path and name:
                found.setdefault(paths.path_in(assembly.workspace, origin.path), name)
            elif label:
                name = label[1] or name
            if origin.path:
                name = ""
    return found


LABEL = re.compile(r"(?:^|\n)- (\S*?):? ?$|^: $")
"""What is between a name and its description, or has the name in it."""


def showing(reads: str, again: str = "") -> str:
    """The command that shows the prompt after a read. `again`: how the folder and the agent were named."""
    return f"promptscope show {Lever('reads', [reads]).option}{again}"
