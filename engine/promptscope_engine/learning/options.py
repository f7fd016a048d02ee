"""Options that the model does not know: which of a client's `--help` are tried, and what each changes in a request.

The help text is a stranger's: what does not look like an option is skipped, and there are limits. A name and a choice
are letters, digits, dots, dashes and underscores of ASCII.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.insight.sent_blocks import Block, paired
from promptscope_engine.insight.text_difference import line_runs
from promptscope_engine.insight.verification import Sides
from promptscope_engine.learned import OPTION, AddedSection, AddedTool, Holes, LearnedVersion, OptionEffect
from promptscope_engine.wire.request import wire_json

from .corrections import MARKED, holes_of
from .moves import owners
from .plan import Run
from .script import Script

_MOST_LINES = 5_000
_LONGEST_LINE = 1_000
_MOST_LINES_OF_ONE = 60
"""Lines that say what one option is for."""

_WORD = r"[A-Za-z0-9][\w.-]{0,79}"
_NAME = r"-{1,2}[A-Za-z0-9][\w-]{0,79}"
_VALUE = r"(?:[ =]|\[=)(?:<[^<>]{1,200}>|\[[^\[\]]{1,200}\]|\{[^{}]{1,200}\}|[A-Z][A-Z_]{0,79})(?:\.\.\.)?\]?"
_OPTION = re.compile(
    rf" {{1,8}}(?P<names>{_NAME}(?:{_VALUE})?(?:, ?{_NAME}(?:{_VALUE})?){{0,5}})(?P<text>\Z| {{2,}}.*)", re.A
)
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]{0,40}[ -/]{0,9}[@-~]|[@-Z\\-_])")

_TYPED = re.compile(r"\[(?:string|array|number)\]")
"""How yargs says that an option takes a value."""
_SAID = re.compile(r"[(\[](?:possible values|choices):([^()\[\]]{1,400})[)\]]", re.I)
_ITEM = re.compile(rf"- ({_WORD})(?:: .*)?", re.A)
_LISTED = re.compile(rf"\(({_WORD}(?:, or |, | or |\|){_WORD}(?:(?:, or |, | or |\|){_WORD}){{0,30}})\)", re.A)
_PLACE = re.compile(rf"[<\[{{]({_WORD}(?:[|,]{_WORD}){{1,30}})[>\]}}]", re.A)


class Option(Struct, frozen=True):
    """One option: its names, whether a value may follow, and the values to choose from if they are listed."""

    names: tuple[str, ...]
    takes_value: bool = False
    choices: tuple[str, ...] = ()


def options_in(text: str) -> Iterator[Option]:
    """The options that a help text lists, in its order."""
    head, told = "", [""]
    for line in _ESCAPE.sub("", text).split("\n")[:_MOST_LINES]:
        line = line[:_LONGEST_LINE].rstrip()
        found = _OPTION.fullmatch(line)
        if found or (line and line[0] != " "):  # another option, or a heading
            if head:
                yield _option(head, told)
            head, told = (found["names"], [found["text"]]) if found else ("", [""])
        elif len(told) < _MOST_LINES_OF_ONE:
            told.append(line)
    if head:
        yield _option(head, told)


def _option(head: str, told: list[str]) -> Option:
    names = tuple(re.findall(rf"(?:\A|(?<=, )|(?<=,)){_NAME}", head, re.A))
    about = " ".join(" ".join(told).split())
    place = _PLACE.search(head)
    takes_value = bool(re.search(r"[ =\[][<\[{A-Z=]", head)) or bool(_TYPED.search(about))
    choices = _choices(place[1] if place else "", about, told) if takes_value else ()
    return Option(names, takes_value, tuple(dict.fromkeys(choices)))


def _choices(place: str, about: str, told: list[str]) -> list[str]:
    """The values that are listed: under a heading, in brackets, in parentheses, or instead of the value's name."""
    said = _SAID.search(about)
    if said:
        return re.findall(_WORD, re.split(", (?:default|preset):", said[1])[0], re.A)
    if "Possible values:" in about:
        return [item[1] for line in told if (item := _ITEM.fullmatch(line.strip()))]
    listed = _LISTED.search(about)
    return re.split(r", or |, | or |[|,]", listed[1] if listed else place) if listed or place else []


_FEW = 6
"""Choices of an option that are all tried."""

_Lines = Sequence[str]


def unknown_options(text: str, agent: Describes, script: Script) -> list[tuple[str, ...]]:
    """The words of each option in a help text that is no input of the agent, those without a value first."""
    ours = {field.title for field in inputs_of(agent)} | {*script.mode, *script.model, script.settings.get("option")}
    ours |= {word for start in script.start.values() for word in start.words}
    tried = [each for each in options_in(text) if not ours.intersection(each.names) and not _is_left_out(each, script)]
    return sorted(dict.fromkeys(words for each in tried for words in _words(each)), key=len)


def unknown_by_run(
    help_of: Callable[[Run], str], agent: Describes, script: Script
) -> Iterator[tuple[Run, list[tuple[str, ...]]]]:
    """The options that the model does not know, with the run whose help is the first to list them, cheap ones first."""
    asked: set[tuple[str, ...]] = set()
    seen: set[tuple[str, ...]] = set()
    for start in sorted(script.start, key=lambda name: script.start[name].seconds):
        command = script.start[start].command
        if command not in asked:
            asked.add(command)
            run = Run(start, script.richest)
            options = unknown_options(help_of(run), agent, script)
            if found := [option for option in options if option not in seen]:
                yield run, found
            seen.update(options)


def _is_left_out(option: Option, script: Script) -> bool:
    return any(fnmatchcase(name, pattern) for name in option.names for pattern in script.untried)


def _words(option: Option) -> Iterator[tuple[str, ...]]:
    name = next((name for name in option.names if name.startswith("--")), None)
    if name and not option.takes_value:
        yield (name,)
    elif name and len(option.choices) <= _FEW:
        yield from ((name, choice) for choice in option.choices)


class _Change(Struct, frozen=True):
    """A stretch of lines that differs: those of the run without the option, and those in their place.

    `block` is the one that was sent with it, `at` the place of its first line there.
    """

    before: _Lines
    after: _Lines
    block: Block | None
    at: int


class Usual:
    """What a run sends without the option, and, from a second one, what is another one in each run."""

    def __init__(self, sides: Sides, again: Sides) -> None:
        self._sides = sides
        self._chance = {line for each in _changes(sides, again) for line in each.before}
        self._tools = _tools(sides)
        self._chance_tools = {name for name, text in _tools(again).items() if text != self._tools.get(name)}

    def changes(self, sides: Sides) -> Iterator[_Change]:
        """The texts that a run with an option sends otherwise."""
        for each in _changes(self._sides, sides):
            is_chance = each.before and self._chance.issuperset(each.before) and len(each.before) == len(each.after)
            if not is_chance and any(line.strip() for line in chain(each.before, each.after)):
                yield each

    def effect(self, option: str, sides: Sides, count: Callable[[str], int]) -> OptionEffect:
        """What an option changed; `count` counts the tokens of a text."""
        texts, mine, its = [*self.changes(sides)], self._tools, _tools(sides)
        changed = [name for name in its if name in mine and mine[name] != its[name] and name not in self._chance_tools]
        tools, gone = [name for name in its if name not in mine], [name for name in mine if name not in its]
        return OptionEffect(
            option=option,
            tokens=sum(count("\n".join(each.after)) - count("\n".join(each.before)) for each in texts)
            + sum(count(its[name]) for name in (*tools, *changed))
            - sum(count(mine[name]) for name in (*gone, *changed)),
            tools=tuple(tools),
            gone=tuple(gone),
            changed=tuple(changed),
            new_texts=sum(not each.before for each in texts),
            gone_texts=sum(not each.after for each in texts),
            changed_texts=sum(bool(each.before and each.after) for each in texts),
        )

    def new_tools(self, option: str, sides: Sides) -> Iterator[AddedTool]:
        """The tools that only came with an option, and that the model does not know."""
        known, holes, before = {tool.name for tool in sides.assembly.tools} | {*self._tools}, holes_of(sides), ""
        for tool in sides.content.tools:
            if tool.name not in known and MARKED not in tool.name.lower():
                description, schema = holes.cut(tool.description), holes.cut(wire_json(tool.schema))
                yield AddedTool(tool.name, description, schema, before, *_only(option))
            before = tool.name

    def new_texts(self, option: str, sides: Sides) -> Iterator[AddedSection]:
        """The texts that only came with an option, each behind the part that the line before it is of."""
        found, holes = owners(sides), holes_of(sides)
        for each in self.changes(sides):
            if each.before or each.block is None or any(MARKED in line.lower() for line in each.after):
                continue
            place = (each.block.channel, each.block.index, each.at)
            before = max((known for known in found if known[0] == place[0] and known < place), default=None)
            if before:
                yield AddedSection(_text(each, holes), found[before], *_only(option))


def _only(option: str) -> tuple[tuple[Mapping[str, bool], ...], tuple[int, ...], str]:
    return ({f"{OPTION}{option}": True},), (), f"it is sent only with {option}"


def _text(change: _Change, holes: Holes) -> tuple[str, ...]:
    """The lines as they were sent."""
    assert change.block is not None
    sent = change.block.lines[change.at : change.at + len(change.after)]
    return holes.cut("\n".join([line.text for line in sent]))


def _changes(before: Sides, after: Sides) -> Iterator[_Change]:
    """The stretches that differ between two requests, without what nobody can predict."""
    for channel, blocks in before.theirs.items():
        for mine, its in paired(blocks, after.theirs[channel]):
            old, new = ([line.masked for line in side.lines] if side else [] for side in (mine, its))
            if mine is None or its is None:
                yield _Change(old, new, its, 0)
                continue
            for run in line_runs(mine.masked, its.masked):
                if not run.equal:
                    lines = [old[at] for at in run.before], [new[at] for at in run.after]
                    yield _Change(*lines, its, run.after.start)


def _tools(sides: Sides) -> dict[str, str]:
    """By name, all that is sent of a tool, with names in place of the run's folders."""
    holes = holes_of(sides)
    texts = ((tool.name, f"{tool.description}\n{wire_json(tool.schema)}") for tool in sides.content.tools)
    return {name: "".join(holes.cut(text)) for name, text in texts}


class Trials:
    """What the options that were tried changed, and the parts that only came with one; `count` counts tokens."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self.effects: list[OptionEffect] = []
        self._tools: dict[str, AddedTool] = {}
        self._texts: dict[tuple[str, ...], AddedSection] = {}

    def add(self, option: str, usual: Usual, sides: Sides) -> OptionEffect:
        """Take what a run with an option sent, beside what the same run sends without: what it changes."""
        for tool in usual.new_tools(option, sides):
            self._tools.setdefault(tool.name, tool)
        for text in usual.new_texts(option, sides):
            self._texts.setdefault(text.text, text)
        return self._kept(usual.effect(option, sides, self._count))

    def refuse(self, option: str, problem: str) -> OptionEffect:
        """Keep why a run with an option sent nothing."""
        return self._kept(OptionEffect(option, problem=f"the client did not take it: {problem}"))

    def _kept(self, effect: OptionEffect) -> OptionEffect:
        self.effects.append(effect)
        return effect

    def added_to(self, found: LearnedVersion) -> LearnedVersion:
        """What was learned, with this; what was sent without these options is there already."""
        names, texts = {tool.name for tool in found.added}, {section.text for section in found.sections}
        return replace(
            found,
            options=tuple(sorted(self.effects, key=lambda effect: effect.option)),
            added=(*found.added, *(tool for name, tool in self._tools.items() if name not in names)),
            sections=(*found.sections, *(text for key, text in self._texts.items() if key not in texts)),
        )
