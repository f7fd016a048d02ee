"""What `permissions.deny` forbids to read: mentioned files, and a project's own instruction files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from promptscope_engine.javascript.ignore import read_patterns
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.known import Known

_READ = re.compile(r"Read(?:\((.*)\))?", re.DOTALL)


class DeniedReads:
    """The rules `Read` and `Read(pattern)`.

    In a pattern `//` begins at the root, `~/` in the home folder, `/` where the rule's settings file belongs (the
    user's in `config`), all else in the workspace; it is a line of an ignore file without
    braces, and `x/**` is `x` [recorded 2.1.332].
    """

    def __init__(self, rules: Iterable[Known[str]], cwd: str, home: str, config: str) -> None:
        self._places = cwd, home, config
        found = ((rule, _READ.fullmatch(rule.value.strip())) for rule in rules)
        self._rules = [(rule, self._matcher(match[1], rule.source.path or "")) for rule, match in found if match]

    def denying(self, path: str) -> list[Known[str]]:
        """The rules that name an absolute path."""
        return [rule for rule, matches in self._rules if matches(path)]

    def permitted(self, path: str) -> Condition:
        """No rule forbids to read the file."""
        condition: Condition = ALWAYS
        for rule in self.denying(path):
            no = f"`permissions.deny` has {rule.value}"
            source = replace(rule.source, overlay=None)
            condition = condition & Setting(source, [rule.value], "given", False, "no rule denies it", no)
        return condition

    def _matcher(self, pattern: str | None, source: str) -> Callable[[str], bool]:
        cwd, home, config = self._places
        if pattern in (None, "", "*"):
            return lambda _: True
        assert pattern is not None
        base = cwd
        if pattern.startswith("//"):
            pattern, base = pattern[2:], ""
        elif pattern.startswith("~/"):
            pattern, base = pattern[2:], home
        elif pattern.startswith("/"):
            base = config if source.startswith(f"{config}/") else cwd
        ignored, folder = read_patterns((pattern.removeprefix("./").removesuffix("/**"),)), base.rstrip("/") + "/"
        return lambda path: path.startswith(folder) and ignored.hides(path[len(folder) :])
