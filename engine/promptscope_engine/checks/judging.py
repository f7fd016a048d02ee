"""Every rule about one prompt, for a check and for the prompt that the app shows, and what each finding counts as."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.insight.repeats import Repeat
from promptscope_engine.workspace import Workspace

from .advice import advice, is_advised
from .budgets import Place, forbidden, over_budget
from .context import Context, Passage
from .files import file_findings
from .findings import RULES, Finding
from .references import Reference
from .settings import CheckSettings, Loaded
from .texts import duplicates, invisible, referred, secrets, stale_references

_COMMENT = re.compile(r"promptscope: ignore(?P<file>-file)?(?P<rules>(?:[ ,]+[a-z]+(?:-[a-z]+)*)*)")


class Judge:
    """What each finding counts as, by the settings and by comments in the files."""

    def __init__(self, settings: CheckSettings, root: str, place: Workspace) -> None:
        self.settings, self.root, self.place = settings, root, place
        self._comments: dict[str, Mapping[int | None, frozenset[str]]] = {}

    def judged(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings with the severity that the settings give them."""
        for finding in findings:
            off = RULES[finding.rule].advice and not self.settings.advice
            level = self.settings.rules.get(finding.rule, "off" if off else finding.level)
            if level != "off" and not self._is_ignored(finding):
                yield replace(finding, level=level)

    def _is_ignored(self, finding: Finding) -> bool:
        if finding.path is None:
            return False
        for entry in self.settings.ignore:
            is_meant = entry.rules is None or finding.rule in entry.rules
            if (
                is_meant
                and (entry.lines is None or finding.line in entry.lines)
                and fnmatchcase(finding.path, entry.path)
            ):
                return True
        comments = self._commented(finding.path)
        lines = (None, finding.line, finding.line - 1) if finding.line else (None,)
        return any({"", finding.rule} & comments[line] for line in lines if line in comments)

    def _commented(self, path: str) -> Mapping[int | None, frozenset[str]]:
        """The rules that a file's comments switch off, by line; None: in the whole file. "" stands for all rules."""
        if path not in self._comments:
            found: dict[int | None, frozenset[str]] = {}
            for number, line in enumerate(self.place.read(f"{self.root}/{path}").text.split("\n"), 1):
                for comment in _COMMENT.finditer(line):
                    rules = frozenset(re.split("[ ,]+", comment["rules"].strip(" ,")))
                    at = None if comment["file"] else number
                    found[at] = found.get(at, frozenset()) | rules
            self._comments[path] = found
        return self._comments[path]


def in_text(passage: Passage, context: Context) -> Iterator[Finding]:
    """What a passage's own text alone decides."""
    yield from secrets(context, (passage,))
    yield from invisible(context, (passage,))


class Reading(Struct, frozen=True):
    """How a prompt is looked through: for what a passage's text holds, for what it refers to, and for repetitions."""

    texts: Callable[[Passage, Context], Iterable[Finding]] = in_text
    refers: Callable[[Passage], Iterable[Reference]] = referred
    repeats: Callable[[], Sequence[Repeat] | None] = lambda: None


def in_prompt(
    context: Context, loaded: Loaded, written: Callable[..., Place], reading: Reading | None = None
) -> Iterator[Finding]:
    """What is found in a prompt, before the settings judge it; `written` says where a setting is."""
    settings, reading = loaded.settings, reading or Reading()
    yield from file_findings(context)
    for passage in context.passages:
        yield from reading.texts(passage, context)
    yield from stale_references(context, reading.refers)
    yield from duplicates(context, reading.repeats())
    if is_advised(settings):
        yield from advice(context)
    yield from forbidden(settings.forbidden, context)
    for number, budget in enumerate(settings.budget):
        if budget.is_for(context.assembly.agent, context.assembly.mode):
            yield from over_budget(budget, context, written("budget", number, budget.limit))
