"""What `why ITEM` can name: sections, tools, servers, files, built-in parts, inputs and modes, in any spelling."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise, takewhile

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.servers import NOT_ASKED, PREFIX
from promptscope_engine.insight.agents_table import named_paths
from promptscope_engine.insight.editable import EditableFiles, EditAnswer
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.insight.set_keys import SetKey
from promptscope_engine.nearest import meant
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
from promptscope_tui.text.words import short_path, short_text

_MOST_LISTED = 8


class Part(Struct, frozen=True):
    """A built-in part of a section that has a name, as a sub-agent or a skill; `why` is None where nothing decides."""

    name: str
    section: str
    title: str
    present: bool
    why: Reason | None
    text: str
    source: str = "built in"


Thing = Section | Tool | Server | SourceFile | Program | Part | DerivedParam | ModeChoice | SetKey


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

    @property
    def title(self) -> str:
        """Its line: present or not, its kind, its name."""
        if isinstance(self.thing, DerivedParam | ModeChoice | SetKey):
            return f"→ {self.kind} {self.names[0]}"
        mark = "✓" if self.thing.present else "✗"
        return f"{mark} {self.kind} {self.names[0]}" + (f" ({self.names[1]})" if self.kind in _TWICE else "")


class Beyond(Struct, frozen=True):
    """What is found out only if it is asked for, since it takes the disk or another assembly.

    `unread` makes the row of a file that exists and that the agent does not look at, `head` is what a file's front
    matter has for a key. `offered` is a tool as it would be if a server that was not asked offered it, `singled_out`
    the same where something speaks of that very tool. `keys` are the places in the agent's files where a key is set.
    """

    unread: Callable[[str], SourceFile | None] = lambda _: None
    head: Callable[[SourceFile, str], str] = lambda *_: ""
    offered: Callable[[str, str], Tool | None] = lambda *_: None
    singled_out: Callable[[str, str], Tool | None] = lambda *_: None
    keys: Callable[[str], tuple[SetKey, ...]] = lambda _: ()


def find(
    item: str, assembly: Assembly, lazy: Callable[[], LazyRules | None], beyond: Beyond | None = None
) -> list[Candidate]:
    """What has the very name, else the only thing that the part matches (a tool and its section are one).

    `lazy` finds the files that load when another one is read; it is asked only for files that are not loaded.
    Raises click.UsageError for none or several.
    """
    beyond = beyond or Beyond()
    unread = beyond.unread
    everything = list(_candidates(assembly))
    found = _exact(item, everything, assembly) or _listed(item, everything, assembly)
    found = found or _of_server(item, everything, beyond)
    if not found and _is_path(item):
        rules = lazy()
        later = [_waiting(rule, rules, assembly) for rule in rules.beside(assembly.files)] if rules else []
        if found := _exact(item, later, assembly):
            return found
        if found := [*_unread(item, unread, assembly), *_linked(item, everything, assembly)]:
            return found
        everything += later
    found = found or _called(item, everything, beyond.head)
    if not any(isinstance(each.thing, SourceFile) or _is_there(each.thing) for each in found):
        found = [*found, *_kept_elsewhere(item, unread, assembly)]
    if not found and not _elsewhere(item.lower(), everything, assembly):
        found = _singled_out(item, everything, beyond)
    found = found or _find(item, everything, assembly, beyond)
    found = [_with_model(_with_offers(each, beyond), beyond) for each in found]
    if any(isinstance(each.thing, SourceFile) and not each.thing.present for each in found):
        rules = lazy()
        return [_with_loading(each, rules, assembly) for each in found]
    return found


# --- everything that has a name ---------------------------------------------------------------------------------------


def _candidates(assembly: Assembly) -> Iterator[Candidate]:
    for section in assembly.sections:
        yield Candidate("section", (section.id, section.title), section, short_path(section.title, assembly))
    silent = {tool.name for tool in assembly.tools if _is_silent(tool)}
    for tool in assembly.tools:
        names = (tool.name, *([tool.name.removeprefix(PREFIX)] if tool.name in silent else []))
        yield Candidate("tool", names, tool, tool.name)
    for server in assembly.servers:
        if f"{PREFIX}{server.name}" not in silent:
            yield Candidate("server", (server.name, f"{PREFIX}{server.name}"), server, server.name)
    for file in assembly.files:
        yield _file_candidate(file, assembly)
    for each in assembly.programs:
        names = (each.event, each.name) if each.kind == "hook" else (each.name, each.path)
        yield Candidate(each.kind, names, each, f"{each.event} {each.name}".strip())


_SKILL = "/SKILL.md"


def _file_candidate(file: SourceFile, assembly: Assembly) -> Candidate:
    short = short_path(file.path, assembly)
    names = [short, file.path, paths.path_in(assembly.workspace, file.path), short.rpartition("/")[2]]
    if short.endswith(_SKILL):
        names.append(short.removesuffix(_SKILL).rpartition("/")[2])  # a skill is called by its folder
    return Candidate("file", tuple(dict.fromkeys(names)), file, short)


def _parts(assembly: Assembly) -> Iterator[Candidate]:
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


# --- by the very name -------------------------------------------------------------------------------------------------


def _exact(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """What has this very name, capitals included; a file at this very path, and no others of its name."""
    for path in _spelled(item, assembly):
        if here := [each for each in everything if path in each.names]:
            return here
    wanted = {item, item.removeprefix("./")}
    return [each for each in everything if not wanted.isdisjoint(each.names)]


def _spelled(item: str, assembly: Assembly) -> tuple[str, ...]:
    """The paths that what was typed may mean: in the folder looked at, and in the one that it was typed in."""
    if not _is_path(item):
        return ()
    home = f"{assembly.home}{item[1:]}" if assembly.home and item.startswith("~/") else item
    here, typed_in = paths.path_in(assembly.workspace, home), paths.absolute(home)
    as_typed = item.startswith(("./", "../"))
    return (typed_in, here) if as_typed else (here, typed_in)


def _of_server(item: str, everything: list[Candidate], beyond: Beyond) -> list[Candidate]:
    """The tool of a server of whose tools nothing is known, as it would be; its name on the wire begins with that."""
    name = re.sub(r"^mcp_+", "", item)
    for each in filter(_is_unasked, everything):
        server = each.names[1]
        if name.startswith(tuple(f"{server}{sign}" for sign in "_-.")):
            tool = beyond.offered(server, name.removeprefix(server).lstrip("_-."))
            return [_offered(tool, server)] if tool else [each]
    return []


def _singled_out(item: str, everything: list[Candidate], beyond: Beyond) -> list[Candidate]:
    """The tools of this name that a server may offer which was not asked, where the settings speak of them."""
    if not re.fullmatch(r"[\w-]+", item) or any(item.lower() == name.lower() for c in everything for name in c.names):
        return []
    servers = [each.names[1] for each in everything if _is_unasked(each)][:_MOST_LISTED]
    if found := [_offered(tool, server) for server in servers if (tool := beyond.singled_out(server, item))]:
        return found
    only = beyond.offered(servers[0], item) if len(servers) == 1 else None  # it can be of no other
    return [_offered(only, servers[0])] if only and not only.present and only.variant != "deferred" else []


def _offered(tool: Tool, server: str) -> Candidate:
    return Candidate("tool", (tool.name,), tool, tool.name, unasked=server)


def _with_offers(found: Candidate, beyond: Beyond) -> Candidate:
    """A server that was not asked, with what would become of any tool of its."""
    if found.unasked or not _is_unasked(found):
        return found
    return replace(found, offers=beyond.offered(found.names[1], "any"))


def _with_model(found: Candidate, beyond: Beyond) -> Candidate:
    """A sub-agent's file, with the model that it names."""
    thing = found.thing
    is_agent = isinstance(thing, SourceFile) and thing.kind == "agent" and thing.present
    return replace(found, model=beyond.head(thing, "model")) if is_agent and isinstance(thing, SourceFile) else found


def _is_unasked(each: Candidate) -> bool:
    """Whether it stands for a server of whose tools nothing is known as it was not asked, for no other reason."""
    thing = each.thing
    return isinstance(thing, Tool) and _is_silent(thing) and thing.why.text.removeprefix("absent: ") == NOT_ASKED


def _listed(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """The files that a list of the prompt calls so."""
    paths = {path for path, name in listed_names(assembly).items() if name == item}
    return [each for each in everything if isinstance(each.thing, SourceFile) and each.thing.path in paths]


def listed_names(assembly: Assembly) -> dict[str, str]:
    """What the prompt's lists call the files from which their descriptions are, by path."""
    found: dict[str, str] = {}
    for section in assembly.sections:
        name = ""
        for fragment in section.fragments:
            origin, label = fragment.origin, _LABEL.search(fragment.text)
            if origin.kind == "computed":
                name = fragment.text.strip() if not fragment.text.endswith("\n") else ""
            elif origin.path and name:
                found.setdefault(paths.path_in(assembly.workspace, origin.path), name)
            elif label:
                name = label[1] or name
            if origin.path:
                name = ""
    return found


_LABEL = re.compile(r"(?:^|\n)- (\S*?):? ?$|^: $")
"""What is between a name and its description, or has the name in it."""


def _is_there(thing: Thing) -> bool:
    return not isinstance(thing, DerivedParam | ModeChoice | SetKey) and thing.present


def _called(item: str, everything: list[Candidate], head: Callable[[SourceFile, str], str]) -> list[Candidate]:
    """The skills and sub-agents that call themselves so, whatever their folder or file is called."""
    described = (each for each in everything if isinstance(each.thing, SourceFile) and each.thing.kind in _DESCRIBED)
    return [each for each in described if isinstance(each.thing, SourceFile) and head(each.thing, "name") == item]


_DESCRIBED = ("agent", "skill", "command")


def _kept_elsewhere(item: str, unread: Callable[[str], SourceFile | None], assembly: Assembly) -> list[Candidate]:
    """What has this name in folders where some agent looks for such things, this one not there."""
    if not re.fullmatch(r"[\w.-]+", item):
        return []
    rows = filter(None, map(unread, named_paths(item, assembly)))
    return [_file_candidate(row, assembly) for row in rows]


def _unread(item: str, unread: Callable[[str], SourceFile | None], assembly: Assembly) -> list[Candidate]:
    """The file at one of the paths, if the agent does not look at it."""
    rows = filter(None, map(unread, _spelled(item, assembly)))
    return [_file_candidate(row, assembly) for row in rows][:1]


def _linked(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """The files that are the same file on the disk as what was typed: a link has several names."""
    real = {paths.real(path) for path in _spelled(item, assembly)}
    return [each for each in everything if isinstance(each.thing, SourceFile) and each.thing.real_path in real]


def _waiting(rule: LazyRule, rules: LazyRules, assembly: Assembly) -> Candidate:
    """A file that is in no row, since it loads later."""
    reads = rules.example(rule, assembly.workspace) or ""
    remedy = f"to see it: `{showing(reads)}`" if reads else ""
    file = rule.as_file(Reason(short_text(rules.why(rule), assembly), remedy=remedy))
    return replace(_file_candidate(file, assembly), reads=reads)


def _with_loading(found: Candidate, rules: LazyRules | None, assembly: Assembly) -> Candidate:
    rule = rules.of(found.thing.path) if rules and isinstance(found.thing, SourceFile) else None
    if rules is None or rule is None:
        return found
    loading, reads = short_text(rules.why(rule), assembly), rules.example(rule, assembly.workspace)
    return replace(found, loading=loading, reads=reads or "")


def showing(reads: str, again: str = "") -> str:
    """The command that shows the prompt after a read. `again`: how the folder and the agent were named."""
    return f"promptscope show {Lever('reads', [reads]).option}{again}"


# --- by a part of the name --------------------------------------------------------------------------------------------


def _find(item: str, everything: list[Candidate], assembly: Assembly, beyond: Beyond) -> list[Candidate]:
    wanted = item.removeprefix("./").rstrip("/").lower()
    if exact := [c for c in everything if wanted in (name.lower() for name in c.names)]:
        return exact
    found = _elsewhere(wanted, everything, assembly)
    if not found or found[0].kind == "input":  # what an input does is another question than what decides it
        found = [*found, *(Candidate("setting", (each.key,), each, each.key) for each in beyond.keys(item))]
    if found := found or _entries(item, assembly):
        return found
    partial = [c for c in everything if wanted in c.label.lower()]
    labels = list(dict.fromkeys(c.label for c in partial))
    if len(labels) == 1 or _is_one(item, partial):
        return partial
    if labels:
        raise click.UsageError(f"{item!r} matches {len(labels)} items: {_some(labels)}")
    known = dict.fromkeys(chain.from_iterable(c.names for c in everything))
    hint = meant(item, known, otherwise="; see `promptscope tokens`, `tools` and `files`")
    if _is_path(item):
        raise click.UsageError(
            f"no file {item!r} is among those that {assembly.agent} looks at{hint}\n{_places(item, assembly)}"
        )
    silent = [each.label.removeprefix(PREFIX) for each in everything if _is_silent(each.thing)]
    unasked = f"; the tools of {_some(silent)} are not known yet: ask with `promptscope mcp-list`" if silent else ""
    raise click.UsageError(f"no section, tool, server or file matches {item!r}{unasked or hint}")


def _is_one(item: str, some: list[Candidate]) -> bool:
    """Whether it is one file of this name, and else only sections: what it brings into the prompt."""
    files = [each for each in some if not isinstance(each.thing, Section)]
    return len(files) == 1 and files[0].kind == "file" and files[0].label.rpartition("/")[2].partition(".")[0] == item


def _is_silent(thing: Thing) -> bool:
    """Whether it stands for a server that was not asked."""
    return isinstance(thing, Tool) and thing.name.startswith(PREFIX)


def _elsewhere(wanted: str, everything: Iterable[Candidate], assembly: Assembly) -> list[Candidate]:
    """An input, a mode, a hook by its event's name, or a built-in part."""
    derived = [each for each in assembly.derived if wanted in (param := each.param.lower(), param.rpartition(".")[2])]
    if derived:
        return [Candidate("input", (each.param,), each, each.param) for each in derived]
    if modes := [each for each in assembly.modes if each.slug.lower() == wanted]:
        return [Candidate("mode", (each.slug, each.name), each, each.slug) for each in modes]
    bare = _bare(wanted)
    ends = [each for each in everything if each.kind == "section" and _bare(each.names[0].rpartition(".")[2]) == bare]
    return ends or [each for each in _parts(assembly) if each.names[0].lower() == wanted]


def _entries(item: str, assembly: Assembly) -> list[Candidate]:
    """What a list of the prompt has under this name without a file of its own: what the command line defines."""
    found: list[Candidate] = []
    for section in assembly.sections:
        for before, each in pairwise(section.fragments):
            label = _LABEL.search(before.text)
            if each.origin.kind == "param" and label and label[1] == item:
                part = Part(
                    item,
                    section.id,
                    section.title,
                    section.present,
                    section.why,
                    each.text,
                    f"given by {each.origin.name}",
                )
                found.append(Candidate("part", (item,), part, item))
    return found


def _bare(name: str) -> str:
    """`sessionstart` of `session_start` and of `SessionStart`."""
    return re.sub(r"[\W_]", "", name).lower()


def _some(labels: list[str]) -> str:
    return ", ".join(labels[:_MOST_LISTED]) + (", …" if len(labels) > _MOST_LISTED else "")


def _is_path(item: str) -> bool:
    """Whether what was typed is a file's path or name, and not a word of a title."""
    return "/" in item or (" " not in item and "." in item.strip("."))


def _places(item: str, assembly: Assembly) -> str:
    """Where the agent looks, the places that share a folder with the item first."""
    shorts = {short_path(file.path, assembly): None for file in assembly.files}
    folders = item.removeprefix("./").split("/")[:-1]

    def shared(place: str) -> int:
        both = zip(folders, place.split("/"), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))

    places = sorted(shorts, key=lambda place: -shared(place))
    more = f", and {len(places) - _MOST_LISTED} more (`promptscope files`)" if len(places) > _MOST_LISTED else ""
    return f"it looks at {', '.join(places[:_MOST_LISTED])}{more}" if places else "it looks at no file here"
