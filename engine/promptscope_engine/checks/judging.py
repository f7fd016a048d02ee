"""What each finding counts as: the settings, and comments in the files, raise, lower and switch off."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec.structs import replace

from promptscope_engine.workspace import Workspace

from .findings import Finding
from .rules import RULES
from .settings import CheckSettings

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
