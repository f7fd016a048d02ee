"""Every rule about one prompt, for a check and for the prompt that the app shows, and what each finding counts as."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec.structs import replace

from promptscope_engine.workspace import Workspace

from .advice import advice, is_advised
from .budgets import Place, beyond_window, forbidden, over_budget
from .context import Context
from .files import file_findings
from .findings import RULES, Finding
from .paid_twice import duplicates
from .ranking import REPEATS, WHOLE, repeated
from .reading import Reading
from .settings import CheckSettings, Loaded
from .survival import survival
from .texts import stale_references

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
            kept = None if level == "off" else self._kept(finding)
            if kept is not None:
                yield replace(kept, level=level)

    def _kept(self, finding: Finding) -> Finding | None:
        """The finding without the passages that are ignored; None if it is, or if too few tokens are paid again."""
        if finding.passages:
            kept = [each for each in finding.passages if not self._is_ignored(finding, each.line, each.end)]
            if not kept:
                return None
            finding = finding if len(kept) == len(finding.passages) else repeated(finding, kept)
        elif self._is_ignored(finding, finding.line, finding.line):
            return None
        paid_again = finding.rule in (REPEATS, WHOLE) and finding.tokens is not None
        return None if paid_again and (finding.tokens or 0) < self.settings.repeated_from else finding

    def _is_ignored(self, finding: Finding, first: int | None, last: int | None) -> bool:
        """Whether an entry or a comment means one of these lines of the finding's file, or the whole file."""
        if finding.path is None:
            return False
        lines = range(first, (last or first) + 1) if first else range(0)
        for entry in self.settings.ignore:
            is_meant = entry.rules is None or finding.rule in entry.rules
            are_lines = entry.lines is None or any(line in lines for line in entry.lines)
            if is_meant and are_lines and fnmatchcase(finding.path, entry.path):
                return True
        comments = self._commented(finding.path)
        return any(
            {"", finding.rule} & rules
            for line, rules in comments.items()
            if line is None or line in lines or line + 1 in lines
        )

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


def in_prompt(context: Context, loaded: Loaded, written: Callable[..., Place], reading: Reading) -> Iterator[Finding]:
    """What is found in a prompt, before the settings judge it; `written` says where a setting is."""
    settings = loaded.settings
    yield from file_findings(context)
    yield from reading.texts(context)
    yield from stale_references(context, reading.refers)
    yield from duplicates(context, reading.repeats(context))
    yield from survival(context)
    if is_advised(settings):
        yield from advice(context)
    yield from beyond_window(context)
    yield from forbidden(settings.forbidden, context)
    for number, budget in enumerate(settings.budget):
        if budget.is_for(context.assembly.agent, context.assembly.mode):
            yield from over_budget(budget, context, written("budget", number, budget.limit))
