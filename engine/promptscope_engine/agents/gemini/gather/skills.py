"""Skills: where they lie, which of them are listed, and what is said of them (specs/gemini.md 10)."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from promptscope_engine.agents.gemini.materials import Skill
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.heads import traced
from promptscope_engine.agents.kit.near_misses import near_skills
from promptscope_engine.agents.kit.rows import absent, file_row, followed, may_read
from promptscope_engine.agents.kit.walking import folders_in
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed, Setting
from promptscope_engine.prompt.drafts import Piece, builtin, computed
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText

from .extensions import Extension
from .frontmatter import Finder, described, head_of

_FORBIDDEN = re.compile(r'[:\\/<>*?"|]')
_MAX_SKILLS = 500
_KIND = "skill"


@frozen
class _Place:
    """A folder of skills, and what lets it in; `extension` is the folder of the extension that it belongs to."""

    folder: str
    when: Condition = ALWAYS
    extension: str = ""


@dataclass(eq=False, repr=False)
class SkillFinder(Finder):
    """Collects the skills in order; a later one of a name takes the place of the earlier."""

    enabled: Condition
    disabled: tuple[Known[str], ...]
    package: str
    found: dict[str, Skill] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    """By a skill's name: where its row stands in `files`."""

    def gather(self, extensions: Sequence[Extension]) -> tuple[Skill, ...]:
        """The skills that are listed."""
        for name, bundled in FOLDER.bundled("skills", self.facts.version).items():
            location = self.places.absolute(self.package) if self.package.startswith("/") else self.package
            said = builtin(f"skills.{name}", bundled.text)
            self.found[name] = Skill(name, f"{location}/bundle/builtin/{name}/SKILL.md", (said,))
        own, project = self.places.home.rstrip("/"), self.places.cwd.rstrip("/")
        folders = [
            *(_Place(f"{e.path}/skills", e.when, e.path) for e in extensions),
            _Place(f"{own}/.gemini/skills"),
            _Place(f"{own}/.agents/skills"),
            _Place(f"{project}/.gemini/skills", self.trusted),
            _Place(f"{project}/.agents/skills", self.trusted),
        ]
        seen: set[str] = set()
        for place in folders:
            if place.folder not in seen:  # in the home folder two places are one
                seen.add(place.folder)
                self._place(place)
        return tuple(s for name, s in self.found.items() if (self.enabled & self._allowed(name)).holds(self.facts))

    def _place(self, place: _Place) -> None:
        if not may_read(self.workspace, place.folder, _KIND, self.files):
            return
        paths = [f"{place.folder}/SKILL.md"]
        names = sorted(folders_in(self.workspace, place.folder), key=os.fsencode, reverse=True)  # [recorded 0.61.0]
        folders = [f"{place.folder}/{name}" for name in names]
        paths += [f"{folder}/SKILL.md" for folder in folders if may_read(self.workspace, folder, _KIND, self.files)]
        for path in paths:
            if self.workspace.kind(path, follow=False) is None:
                continue
            if self.is_full(_MAX_SKILLS, "skills", place.folder):
                return
            self._file(path, place)
        self.files += near_skills(self.workspace, place.folder, root=True)

    def _file(self, path: str, place: _Place) -> None:
        source = self.workspace.read(path)
        name, pieces, problem = self._described(source, place)
        when = followed(self.workspace, path, self.follow) & place.when
        remedy = f"begin {path} with front matter that has a name and a description"
        if problem and source.found:
            self.diagnostics.append(Diagnostic("warning", "bad-skill", f"no skill: {problem}", path, 1))
        ready = Observed("file", path, not problem, "it has a name and a description", problem, remedy=remedy)
        when = when & ready
        skill = Skill(name, path, pieces)
        if not problem:
            if when.holds(self.facts):
                self._replaced(name, path)
                self.found[name] = skill
                self.rows[name] = len(self.files)
            when = when & self.enabled & self._allowed(name)
        text = "".join(piece.text for piece in pieces)
        row = file_row(source, _KIND, "always", when, text)
        self.files.append(row)

    def _replaced(self, name: str, path: str) -> None:
        """The row of an earlier skill of this name says what replaced it."""
        if name not in self.rows:
            return
        row = self.files[self.rows[name]]
        why = absent(row.path, f"{path} has the same name and replaces it", f"give {path} another name")
        self.files[self.rows[name]] = replace(row, when=why)
        text = f"the skill {name} is defined twice: {path} replaces {row.path}"
        self.diagnostics.append(Diagnostic("info", "skill-replaced", text, path))

    def _described(self, source: FileText, place: _Place) -> tuple[str, tuple[Piece, ...], str]:
        """The skill's name and description, or why it is none."""
        if not source.found:
            return "", (), f"it cannot be read: {source.problem}"
        head = head_of(source.text)
        if head is None:
            return "", (), "it does not begin with front matter"
        values = described(head, self.budget)
        if values is None:
            return "", (), "its front matter has no name or no description"
        name = _FORBIDDEN.sub("-", values.name)
        text = values.description
        if place.extension:
            filled = text.replace("${extensionPath}", place.extension).replace("${workspacePath}", self.places.cwd)
            if filled != text:
                return name, (computed("skill.description", filled),), ""
        return name, traced(source, text, "description"), ""

    def _allowed(self, name: str) -> Condition:
        """No entry of `skills.disabled` names the skill, in any case."""
        hits = [known for known in self.disabled if known.value.lower() == name.lower()]
        if not hits:
            return ALWAYS
        source = hits[-1].source
        rest = [known.value for known in self.disabled if known.value.lower() != name.lower()]
        in_files = any(known.source.path for known in hits)  # a list of a file is only added to
        yes, no = "`skills.disabled` does not name it", "`skills.disabled` names it"
        on = None if in_files else Lever("settings.skills.disabled", rest)
        return Setting(source, True, "is", False, yes, no, on=on)
