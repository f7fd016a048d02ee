"""Finding what a word names: by the very name, in every spelling, then by a part of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.hooks import PLUGIN
from promptscope_engine.agents.kit.disk.servers import NOT_ASKED, PREFIX
from promptscope_engine.insight.agents_table import named_paths
from promptscope_engine.insight.imagined import Imagined
from promptscope_engine.insight.known import Known
from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.insight.mentions import Mention
from promptscope_engine.insight.set_keys import SetKey
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.model import (
    Assembly,
    DerivedParam,
    ModeChoice,
    Program,
    Reason,
    Section,
    SourceFile,
    Tool,
)
from promptscope_engine.workspace import paths
from promptscope_tui.text.words import short_path, short_text

from .items import LABEL, Candidate, Part, Thing, candidates, file_candidate, is_silent, listed_names, parts, showing

_MOST_LISTED = 8


class NotFoundError(ValueError):
    """Nothing has the name; the message says what was probably meant."""


class Beyond(Struct, frozen=True):
    """What is found out only if it is asked for, since it takes the disk or another assembly.

    `rules` finds the files that load when another one is read. `unread` makes the row of a file that exists and that
    the agent does not look at, `head` is what a file's front matter has for a key. `offered` is a tool as it would be
    if a server that was not asked offered it, `singled_out` the same where something speaks of that very tool. `keys`
    are the places in the agent's files where a key is set, `known` what else the agent knows by a name, and `near` the
    names that are like it. `imagined` is a file that is not there, `mentions` are the places of words, `notes` lines on
    what was found.
    """

    rules: Callable[[], LazyRules | None] = lambda: None
    unread: Callable[[str], SourceFile | None] = lambda _: None
    head: Callable[[SourceFile, str], str] = lambda *_: ""
    offered: Callable[[str, str], Tool | None] = lambda *_: None
    singled_out: Callable[[str, str], Tool | None] = lambda *_: None
    keys: Callable[[str], tuple[SetKey, ...]] = lambda _: ()
    known: Callable[[str], tuple[Known, ...]] = lambda _: ()
    near: Callable[[str, Iterable[str]], tuple[str, ...]] = lambda *_: ()
    imagined: Callable[[str], Imagined | None] = lambda _: None
    mentions: Callable[[str, Iterable[SourceFile]], tuple[Mention, ...]] = lambda *_: ()
    notes: Callable[[str, Thing], tuple[str, ...]] = lambda *_: ()


def find(item: str, assembly: Assembly, beyond: Beyond | None = None) -> list[Candidate]:
    """What a word names: what has the very name, in any spelling; else what it is a part of; else where it is said.

    Raises NotFoundError.
    """
    beyond = beyond or Beyond()
    everything = list(candidates(assembly))
    spelled = [*dict.fromkeys((item, *_spellings(item)))]
    found = next(filter(None, (_named(each, everything, assembly, beyond) for each in spelled)), [])
    if found and all(isinstance(each.thing, Known) and each.kind.startswith("built-in") for each in found):
        found = [Candidate("text", (item,), each, item) for each in beyond.mentions(item, ()) if each.present] or found
    found = found or next(filter(None, (_nearly(each, everything, assembly, beyond) for each in spelled)), [])
    if not found:
        raise NotFoundError(_nothing(item, everything, assembly, beyond))
    if found and all(isinstance(each.thing, SetKey) for each in found):  # what it defines may be listed in the prompt
        listed = [each for each in beyond.mentions(item, ()) if each.present]
        found = [*(Candidate("text", (item,), each, item) for each in listed[:1]), *found]
    found = [_with_model(_with_offers(each, beyond), beyond) for each in found]
    found = [each if each.brief else replace(each, notes=beyond.notes(item, each.thing)) for each in found]
    if any(isinstance(each.thing, SourceFile) and not each.thing.present for each in found):
        rules = beyond.rules()
        return [_with_loading(each, rules, assembly) for each in found]
    return found


def _spellings(item: str) -> Iterator[str]:
    """The name without what it is called with: `/fold`, `$fold`, `@agent-rev`, `tools@market`."""
    bare = re.sub(r"^(?:@agent-|[/$@#])", "", item)
    yield bare
    yield bare.partition("@")[0] or bare


def _named(item: str, everything: list[Candidate], assembly: Assembly, beyond: Beyond) -> list[Candidate]:
    """What has this very name."""
    found = _exact(item, everything, assembly) or _listed(item, everything, assembly)
    found = found or _of_server(item, everything, beyond)
    if not found and _is_path(item):
        later = _later(assembly, beyond)
        found = _exact(item, later, assembly)
        found = found or _behind(item, everything, assembly)
        if not found and (found := _unread(item, beyond.unread, assembly)):
            found = _around(item, everything, assembly) or found
    found = found or _called(item, everything, beyond.head)
    if not any(isinstance(each.thing, SourceFile) or each.is_there for each in found):
        found = [*found, *_kept_elsewhere(item, beyond.unread, assembly)]
    if any(isinstance(each.thing, SourceFile) and each.thing.kind == "command" for each in found):
        found = [*(c for c in everything if c.kind == "section" and c.names[-1].endswith(f" {item}")), *found]  # typed
    wanted = item.removeprefix("./").rstrip("/").lower()
    found = found or [c for c in everything if wanted in (name.lower() for name in c.names)]
    found = found or _elsewhere(wanted, everything, assembly) or _entries(item, assembly)
    if all(isinstance(each.thing, _SAID) for each in found):  # what it is in the prompt is another question
        found = [*found, *_set_or_known(item, found, beyond)]
    return found or _singled_out(item, everything, beyond)


_SAID = (Section, DerivedParam, ModeChoice, Part)
"""What a setting of the same name may be behind."""


def _set_or_known(item: str, found: list[Candidate], beyond: Beyond) -> Iterator[Candidate]:
    """The keys of this name that are set, else what is known by it; beside other things by its whole name alone."""
    is_input = bool(found) and isinstance(found[0].thing, DerivedParam)
    keys = [each for each in beyond.keys(item) if not found or is_input or each.key == item]
    yield from (Candidate("setting", (each.key,), each, each.key) for each in keys)
    for each in beyond.known(item):
        if keys and each.kind in ("setting", "key", "value", "model"):
            continue  # it is set, and that is what it does here
        if not found or (item == each.name and each.kind != "value" and not each.kind.startswith("built-in")):
            yield Candidate(each.kind, (each.name,), each, each.name)


def _later(assembly: Assembly, beyond: Beyond) -> list[Candidate]:
    """The files in folders below, which load when others are read."""
    rules = beyond.rules()
    return [_waiting(rule, rules, assembly) for rule in rules.beside(assembly.files)] if rules else []


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
    """The server in any spelling, or the tool of one of whose tools nothing is known, as it would be."""
    plain = _joined(re.sub(r"^mcp[_:]+(?=.)", "", item))
    tools = {_joined(each.names[0]): each for each in everything if each.kind == "tool"}
    for each in everything:
        if each.kind != "server" and not is_silent(each.thing):
            continue
        server = each.names[1] if is_silent(each.thing) else each.names[0]
        names = dict.fromkeys((_joined(server), _joined(server.rpartition(":")[2])))
        if plain in names:
            return [each]
        for name in names:
            if not plain.startswith(f"{name}_"):
                continue
            if same := [each for full, each in tools.items() if full.endswith(plain)]:
                return same[:1]
            if not is_silent(each.thing):
                continue
            spelled = (item, re.sub(r"^[_\W]+", "", item[-(len(plain) - len(name)) :]))
            tools_there = [tool for tool in (beyond.offered(server, one) for one in spelled) if tool]
            singled = [tool for one in spelled if (tool := beyond.singled_out(server, one))]
            tool = next(iter((*singled, *tools_there[1:], *tools_there)), None)
            return [_offered(tool, server)] if tool and _is_unasked(each) else [each]
    return []


def _joined(name: str) -> str:
    """`plugin_pl_srv` of `plugin:pl:srv`."""
    return re.sub(r"[\W_]+", "_", name).lower()


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
    """Whether this is a server whose tools are unknown only because it was not asked."""
    thing = each.thing
    return isinstance(thing, Tool) and is_silent(thing) and thing.why.because == NOT_ASKED


def _listed(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """The files that a list of the prompt calls so."""
    paths = {path for path, name in listed_names(assembly).items() if name == item}
    return [each for each in everything if isinstance(each.thing, SourceFile) and each.thing.path in paths]


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
    return [file_candidate(row, assembly) for row in rows]


def _unread(item: str, unread: Callable[[str], SourceFile | None], assembly: Assembly) -> list[Candidate]:
    """The file at one of the paths, if the agent does not look at it."""
    rows = filter(None, map(unread, _spelled(item, assembly)))
    return [file_candidate(row, assembly) for row in rows][:1]


def _behind(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """The files that are the same file on the disk as what was typed, since a link has several names."""
    real = {paths.real(path) for path in _spelled(item, assembly)}
    same = [each for each in everything if isinstance(each.thing, SourceFile) and each.thing.real_path in real]
    named = [replace(each, names=(f"{each.names[0]}, which is also {item}",)) for each in same]
    return sorted(named, key=lambda found: not found.is_there)


def _around(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """The folder of a file, where it has a row of its own: a link that is not followed, or what cannot be listed."""
    typed = _spelled(item, assembly)
    files = (each for each in everything if isinstance(each.thing, SourceFile))
    return [c for c in files if any(path.startswith(f"{n}/") for path in typed for n in c.names if "/" in n)][-1:]


def _waiting(rule: LazyRule, rules: LazyRules, assembly: Assembly) -> Candidate:
    """A file that is in no row, since it loads later."""
    reads = rules.example(rule, assembly.workspace) or ""
    remedy = f"to see it: `{showing(reads)}`" if reads else ""
    file = rule.as_file(Reason(short_text(rules.why(rule), assembly), remedy=remedy))
    return replace(file_candidate(file, assembly), reads=reads)


def _with_loading(found: Candidate, rules: LazyRules | None, assembly: Assembly) -> Candidate:
    rule = rules.of(found.thing.path) if rules and isinstance(found.thing, SourceFile) else None
    if rules is None or rule is None:
        return found
    loading, reads = short_text(rules.why(rule), assembly), rules.example(rule, assembly.workspace)
    return replace(found, loading=loading, reads=reads or "")


# --- by part of a name, or by words in the prompt ---------------------------------------------------------------------


def _nearly(item: str, everything: list[Candidate], assembly: Assembly, beyond: Beyond) -> list[Candidate]:
    wanted = item.removeprefix("./").rstrip("/").lower()
    later = _later(assembly, beyond) if _is_path(item) else []
    if below := _below(item, everything):
        return [replace(each, brief=True) for each in below]
    partial = [c for c in (*everything, *later) if wanted in c.label.lower()]
    if len({c.label for c in partial}) == 1 or _is_one(item, partial):
        return partial
    if _is_file(item, assembly) and not partial and (found := beyond.imagined(item)):
        meant = "" if found.is_read else _file_meant(item, everything)
        return [Candidate("file", (short_path(found.path, assembly),), found, item, loading=meant)]
    brief = [replace(each, brief=True) for each in partial]
    files = (each.thing for each in later if isinstance(each.thing, SourceFile))
    places = [Candidate("text", (item,), each, item) for each in beyond.mentions(item, files)]
    if brief or places:
        return [*brief, *(places if len(brief) < _MOST_LISTED else ())]
    return []


def _nothing(item: str, everything: list[Candidate], assembly: Assembly, beyond: Beyond) -> str:
    """That nothing has the name, and what was probably meant."""
    silent = [each.label.removeprefix(PREFIX) for each in everything if is_silent(each.thing)]
    unasked = f"; the tools of {_some(silent)} are not known yet: ask with `promptscope mcp-list`" if silent else ""
    hint = _meant(item, everything, beyond) or ("" if silent else "; see `promptscope tokens`, `tools` and `files`")
    what = "no part of this prompt, no file that it is made of and no setting, variable, option or model"
    return f"{what} of {assembly.agent} {assembly.agent_version} is called {item!r}{hint}{unasked}"


def _below(item: str, everything: list[Candidate]) -> list[Candidate]:
    """What a folder of this name holds, or a plugin brings."""

    def is_of(each: Candidate) -> bool:
        thing = each.thing
        if isinstance(thing, SourceFile | Program):
            return f"/{item}/" in thing.path or (isinstance(thing, Program) and thing.source == f"{PLUGIN}{item}")
        return each.names[-1].startswith(f"plugin:{item}:")

    return [each for each in everything if is_of(each)]


def _meant(item: str, everything: list[Candidate], beyond: Beyond) -> str:
    """Which names are like it, to go on from a sentence; "" if none is."""
    close = beyond.near(item, chain.from_iterable(each.names for each in everything))
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _file_meant(item: str, everything: list[Candidate]) -> str:
    return meant(item, dict.fromkeys(name for each in everything if each.kind == "file" for name in each.names))


def _is_file(item: str, assembly: Assembly) -> bool:
    """Whether it can only be a file: by its folder, its dot, or what the names of the agent's files end with."""
    ends = {each.path.rpartition(".")[2] for each in assembly.files}
    return _is_path(item) and (
        "/" in item or item[0] == "." or item.rpartition(".")[2] in {*ends, "md", "json", "toml"}
    )


def _is_one(item: str, some: list[Candidate]) -> bool:
    """Whether it is one file of this name, and else only sections: what it brings into the prompt."""
    files = [each for each in some if not isinstance(each.thing, Section)]
    return len(files) == 1 and files[0].kind == "file" and files[0].label.rpartition("/")[2].partition(".")[0] == item


def _elsewhere(wanted: str, everything: Iterable[Candidate], assembly: Assembly) -> list[Candidate]:
    """An input, a mode, a hook by its event's name, or a built-in part."""
    derived = [each for each in assembly.derived if wanted in (param := each.param.lower(), param.rpartition(".")[2])]
    if derived:
        return [Candidate("input", (each.param,), each, each.param) for each in derived]
    if modes := [each for each in assembly.modes if each.slug.lower() == wanted]:
        return [Candidate("mode", (each.slug, each.name), each, each.slug) for each in modes]
    bare = _bare(wanted)
    ends = [each for each in everything if each.kind == "section" and _bare(each.names[0].rpartition(".")[2]) == bare]
    return ends or [each for each in parts(assembly) if each.names[0].lower() == wanted]


def _entries(item: str, assembly: Assembly) -> list[Candidate]:
    """What a list of the prompt has under this name without a file of its own: what the command line defines."""
    found: list[Candidate] = []
    for section in assembly.sections:
        for before, each in pairwise(section.fragments):
            label = LABEL.search(before.text)
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
