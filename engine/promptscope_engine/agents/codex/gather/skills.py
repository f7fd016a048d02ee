"""Skills: where they are, what they say about themselves, and which of them the list has room for."""

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.codex.materials import Skill
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.heads import Mending, traced
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.rows import absent, near_skills, never
from promptscope_engine.agents.kit.disk.settings import Names, mapping, note, unmatched
from promptscope_engine.agents.kit.disk.settings_schema import Finding, Schema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import SERDE, FrontMatter, YamlError, read_yaml
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named
from promptscope_engine.prompt.drafts import Span, builtin
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .plugins import Plugin
from .settings import PROJECT, CodexSettings, Session, is_utf8, single_line, trimmed

MAX_NAME = 64
MAX_DESCRIPTION = 1024
DOTS = "..."
"""What a description ends with that is cut; they count."""
_YAML = replace(SERDE, fields={(): ("name", "description", "metadata"), ("metadata",): ("short-description",)})
_CLOSERS = {"[": "]", "{": "}"}
_MENDING = Mending(
    re.compile(r"(?P<key>[^:]*[^\s:-][^:]*):[ \t]+(?P<value>[^\s\"'|>&*!%#](?:.*\S)?)[ \t]*"),
    lambda value: ": " in value or value[0] in "@`" or _CLOSERS.get(value[0], value[-1]) != value[-1],
)
"""What holds `: `, begins with a sign that no text may begin with, or opens a list and does not end it."""


_OWN, _SYSTEM, _REPOSITORY, _USER = range(4)
"""Whose a skill is, in the order of the listing; `_SYSTEM`: the administrator's [source]."""
LOADED = (_REPOSITORY, _USER, _OWN, _SYSTEM)
"""The order in which they are loaded."""


class FoundSkill(Struct, frozen=True):
    """A SKILL.md. `problem`: why it is not a skill, "" if it is one; `why_not`: why it is not listed."""

    name: str
    description: str = ""
    problem: str = ""
    line: int = 1
    """That of the description."""
    whole: int = 0
    """Characters of the description before it is cut."""
    path: str = ""
    root: str = ""
    rank: int = _OWN
    file: FileText | None = None
    why_not: tuple[Condition, ...] = ()
    enabled: bool = True


def described(text: str, folder: str) -> FoundSkill:
    """The name, the folder's own where none is given, and the description."""
    front = _front_matter(text)
    if front is None:
        return FoundSkill(folder, "", "it has no front matter between lines of `---` at its very beginning")
    try:
        values, _ = _MENDING.parse(front, _YAML, lambda value: _misfit(value) is None)
    except YamlError as error:
        return FoundSkill(folder, "", f"its front matter is not valid YAML: {error.message}", error.line or 1)
    if not isinstance(values.value, dict):
        return FoundSkill(folder, "", "its front matter has no keys", front.line)
    if misfit := _misfit(values.value):
        return FoundSkill(folder, "", f"`{misfit.key}` {misfit.reason}", values.line(misfit.path) or front.line)
    name = single_line(values.value.get("name") or "") or single_line(folder) or "skill"
    given = single_line(values.value.get("description") or "")
    description = given if len(given) <= MAX_DESCRIPTION else f"{given[: MAX_DESCRIPTION - len(DOTS)]}{DOTS}"
    line = values.value_line(("description",)) or front.line
    if not description:
        return FoundSkill(name, "", "it has no description", front.line)
    too_long = f"its name has {len(name)} characters, of which {MAX_NAME} are allowed"
    return FoundSkill(name, description, too_long if len(name) > MAX_NAME else "", line, len(given))


def _misfit(values: Json) -> Finding | None:
    """What isn't of its type. Codex takes scalars as written, and retries what doesn't fit after mending it."""
    found = Schema(FOLDER.agent["shapes"]["head"]).findings(values) if isinstance(values, dict) else ()
    return next(iter(found), None)


def _front_matter(text: str) -> FrontMatter | None:
    """The text between the first line and the next `---`; a byte order mark in front of it breaks it."""
    first, *lines = text.split("\n")
    ends = [number for number, line in enumerate(lines) if trimmed(line) == "---"]
    if trimmed(first) != "---" or not ends:  # a byte order mark is no white space to Rust
        return None
    inner = "\n".join(line.removesuffix("\r") for line in lines[: ends[0]])
    return FrontMatter(inner) if inner.strip() else None


_SKILL = FOLDER.agent["shapes"]["skill"]
_BESIDE = replace(
    SERDE,
    as_written=False,
    fields={(): tuple(_SKILL), **{(key,): tuple(_SKILL[key][0]) for key in ("interface", "dependencies", "policy")}},
    lists=frozenset({("dependencies", "tools"), ("policy", "products")}),
)
_FORMS = {"Product": ("(?i:codex|chatgpt|atlas)", "a product")}


def allows_implicit(values: Json) -> bool:
    """Whether `agents/openai.yaml` lets the model use the skill without being told to."""
    return _policy(values).get("allow_implicit_invocation") is not False


def is_for_codex(values: Json) -> bool:
    """Whether `agents/openai.yaml` offers the skill to Codex; a list without a product offers it to all [0.169.0]."""
    products = _policy(values).get("products") or []
    return not products or any(product.lower() == "codex" for product in products)


def _policy(values: Json) -> dict[str, Json]:
    """The policy of a file that fits; one with a wrong type or an unknown product counts as none [0.169.0]."""
    fits = not Schema(_SKILL, FOLDER.agent["shapes"]["parts"], _FORMS).findings(values)
    return (values.get("policy") or {}) if fits and isinstance(values, dict) else {}


PERCENT = 2
BYTES_PER_TOKEN = 4
"""As Codex estimates; it says nothing of descriptions that are shortened."""
_SPARED = 158
"""Bytes that the wording around short paths is shorter by, and one for rounding [0.169.0]."""


class SkillLine(Struct, frozen=True):
    """A line of the list: what it says around the description, and the description."""

    name: str
    description: str
    path: str

    def text(self, characters: int) -> str:
        """The line with so many characters of the description."""
        described = f"{self.description[:characters]} " if characters else ""
        return f"- {self.name}: {described}(file: {self.path})"


class Fitted(Struct, frozen=True):
    """How many characters of each description fit; None for a line that is left out."""

    characters: tuple[int | None, ...]
    table: int = 0
    """Tokens that the table of roots takes."""

    def rank(self, lines: Sequence[SkillLine]) -> tuple[int, int, int]:
        """The less the better: lines left out, characters lost, tokens."""
        kept = [(line, got) for line, got in zip(lines, self.characters, strict=True) if got is not None]
        lost = sum(len(line.description) for line in lines) - sum(got for _, got in kept)
        return len(lines) - len(kept), lost, self.table + sum(cost(line.text(got)) for line, got in kept)


def budget(window: int) -> int:
    """Tokens that the list may take of the raw window."""
    return max(window * PERCENT // 100, 1)


def cost(line: str) -> int:
    """Tokens of a line, as Codex estimates them: four bytes each, its line break included."""
    return _tokens_of(len(line.encode("utf-8", "surrogatepass")) + 1)


def _tokens_of(size: int) -> int:
    return -(-size // BYTES_PER_TOKEN)


def fitted(lines: Sequence[SkillLine], limit: int) -> Fitted:
    """All descriptions if they fit; else as much of each as fits, one character at a time; else as many bare lines."""
    if sum(cost(line.text(len(line.description))) for line in lines) <= limit:
        return Fitted(tuple(len(line.description) for line in lines))
    bare = [cost(line.text(0)) for line in lines]
    if sum(bare) <= limit:
        return Fitted(tuple(_shared(lines, limit - sum(bare))))
    kept: list[int | None] = []
    for tokens in bare:  # a long name that does not fit does not keep a shorter one out
        kept.append(0 if tokens <= limit else None)
        limit -= tokens if tokens <= limit else 0
    return Fitted(tuple(kept))


def with_table(lines: Sequence[SkillLine], roots: Sequence[str], limit: int) -> Fitted | None:
    """Lines of short paths, with the table of their roots as rows; None if that alone is too long [0.169.0]."""
    rows = "".join(f"{row}\n" for row in ("### Skill roots", *roots))
    table = max(0, _tokens_of(len(rows.encode("utf-8", "surrogatepass")) - _SPARED))
    return None if table >= limit else replace(fitted(lines, limit - table), table=table)


def _shared(lines: Sequence[SkillLine], left: int) -> list[int]:
    """Characters of each description, handed out in rounds; one that would cost too much waits."""
    given = [0] * len(lines)
    sizes = [len(line.text(0).encode("utf-8", "surrogatepass")) + 1 for line in lines]
    pending = [n for n, line in enumerate(lines) if line.description]
    while pending:
        still = []
        changed = False
        for number in pending:
            character = lines[number].description[given[number]]
            # the first character brings the blank behind the description along
            size = sizes[number] + len(character.encode("utf-8", "surrogatepass")) + (given[number] == 0)
            more = _tokens_of(size) - _tokens_of(sizes[number])
            if more <= left:
                left -= more
                given[number] += 1
                sizes[number] = size
                changed = True
            if given[number] < len(lines[number].description):
                still.append(number)
        if not changed:
            break
        pending = still
    return given


NAME = "SKILL.md"
MAX_DEPTH = 6
MAX_FOLDERS = 2_000
"""Folders of one root that Codex looks into [source]."""
MAX_SKILLS = 2_000
"""Skills that are looked into here: a list without descriptions has room for some 1,100 in the usual window."""
_KIND = "skill"


class Listing(Struct, frozen=True):
    """What came of the skills."""

    skills: tuple[Skill, ...]
    roots: Mapping[str, str]
    """The table of roots: folders by the alias of each, none where paths are whole."""
    found: tuple[FoundSkill, ...]


@dataclass(eq=False, repr=False)
class SkillGatherer:
    """Collects skills in the order of the listing."""

    session: Session
    folders: Sequence[str]
    """The project's, from its root down."""
    settings_folders: Sequence[str]
    """Those of them that have a `.codex` of their own, from the root down."""
    window: int
    names_only: bool
    plugins: Sequence[Plugin] = ()
    seen: set[str] = field(default_factory=set)

    def roots(self) -> dict[str, int]:
        """The folders, and whose each is, in the order in which the table numbers them."""
        own, home = self.session.codex_home, self.session.inputs.home
        found = (
            *((f"{folder}/.codex/skills", _REPOSITORY) for folder in reversed(self.settings_folders)),
            (f"{own}/skills", _USER),
            (f"{home}/.agents/skills", _USER),
            (f"{own}/skills/.system", _OWN),
            (f"{self.session.system_folder}/skills", _SYSTEM),
            *((plugin.skills, _USER) for plugin in self.plugins),
            *((f"{folder.rstrip('/')}/.agents/skills", _REPOSITORY) for folder in self.folders),
        )
        first: dict[str, int] = {}
        for folder, rank in found:
            first.setdefault(folder, rank)
        return first

    def gather(self) -> Listing:
        """Every skill, listed or not, and the text of each that fits."""
        found: list[FoundSkill] = []
        order: list[str] = []
        for asked, rank in self.roots().items():
            if rank == _OWN:
                order.append(asked)
                found += self._own(asked)
                continue
            order.append(folder := self.session.workspace.real_path(asked))
            found += self._below(folder, rank, asked)
            if self.session.workspace.allows(asked, listing=True):
                self.session.files += near_skills(self.session.workspace, folder, depth=MAX_DEPTH, root=True)
        found.sort(key=lambda skill: (skill.rank, _bytes(skill.name), _bytes(skill.path)))
        able, order = self._with_lone_plugins([skill for skill in found if not skill.why_not], order)
        used = {skill.root for skill in able}
        shown = [folder for folder in dict.fromkeys(order) if folder in used]
        aliases = {folder: f"r{number}" for number, folder in enumerate(shown)}
        skills, short = self._fitted(able, aliases)
        for skill in found:
            if skill.why_not and skill.file is not None:
                self._row(skill.file, skill.why_not[0])
        roots = {alias: folder for folder, alias in aliases.items()} if short else {}
        return Listing(tuple(skills), roots, tuple(found))

    def _with_lone_plugins(
        self, skills: Sequence[FoundSkill], order: Sequence[str]
    ) -> tuple[list[FoundSkill], list[str]]:
        """The table has a plugin of one skill by the folder of its marketplace, any other by that of its skills."""
        counts = Counter(skill.root for skill in skills)
        lone = {each.skills: each.market for each in self.plugins if counts[each.skills] == 1}
        return (
            [replace(skill, root=lone.get(skill.root, skill.root)) for skill in skills],
            [lone.get(folder, folder) for folder in order],
        )

    # --- finding --------------------------------------------------------------------------------------------------

    def _own(self, folder: str) -> Iterator[FoundSkill]:
        """The client's own: it writes them at every start, so what is there does not count."""
        bundled = self.session.settings.flag("skills", "bundled", "enabled", default=True)
        when = bundled.is_(True, unset=False, yes="Codex's own skills are on", no="Codex's own skills are off")
        for name, own in FOLDER.bundled("skills", FOLDER.versions[-1]).items():
            skill = FoundSkill(name, own.text, path=f"{folder}/{name}/{NAME}", root=folder)
            yield self._switched(skill, () if bundled.value else (when,))

    def _enters(self, path: str, visited: set[str]) -> bool:
        """Whether a folder is looked into, for the first time."""
        real = self.session.workspace.real_path(path)
        if real in visited or len(visited) >= MAX_FOLDERS:
            return False
        visited.add(real)
        return self.session.may_read(path, _KIND)

    def _below(self, root: str, rank: int, asked: str) -> Iterator[FoundSkill]:
        """The skills of a folder, at most six folders deep; linked folders are followed, each once."""
        session, workspace = self.session, self.session.workspace
        if not session.may_read(asked, _KIND):
            return
        # a folder beyond those that may be read is looked into through the link that leads there
        start = root if workspace.allows(root, listing=True) else asked
        queue = deque([(start, 0)])
        visited = {root}
        while queue:
            folder, depth = queue.popleft()
            for entry in workspace.list(folder).entries:
                path = f"{folder}/{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.kind == "directory" or (entry.kind == "link" and workspace.is_dir(path)):
                    if depth < MAX_DEPTH and self._enters(path, visited):
                        queue.append((path, depth + 1))
                elif entry.name == NAME and entry.kind == "link":
                    why = never(
                        path, "Codex takes no SKILL.md that is a link", f"put the file itself in the place of {path}"
                    )
                    self._row(workspace.read(path), why)
                elif entry.name == NAME and entry.kind == "file":
                    yield from self._file(path, root, rank, f"{root}{path.removeprefix(start)}")
        if len(visited) >= MAX_FOLDERS:
            session.warn("too-many-skills", f"only {MAX_FOLDERS:,} of its folders are looked into", asked)

    def _file(self, path: str, root: str, rank: int, shown: str) -> Iterator[FoundSkill]:
        session, workspace = self.session, self.session.workspace
        real = workspace.real_path(path)
        if real in self.seen:  # the same folder may be reached by two ways
            return
        if len(self.seen) >= MAX_SKILLS:
            if len(self.seen) == MAX_SKILLS:
                session.warn("too-many-skills", f"only the first {MAX_SKILLS:,} skills are looked into", path)
                self.seen.add("")
            return
        self.seen.add(real)
        file = workspace.read(path)
        folder = path.rpartition("/")[0]
        said = described(file.text, folder.rpartition("/")[2])
        problem = said.problem if file.found else f"it cannot be read: {file.detail}"
        if file.found and not is_utf8(file.data):
            problem = "it is not UTF-8"
        if problem:
            session.warn("skill-dropped", f"{problem}: it is not a skill", path, said.line)
            self._row(file, absent(path, problem, f"correct {path}"))
            return
        of_plugin = next((f"{plugin.name}:" for plugin in self.plugins if path.startswith(f"{plugin.skills}/")), "")
        named = replace(said, name=f"{of_plugin}{said.name}", path=shown, root=root, rank=rank, file=file)
        skill = self._with_policy(named, folder)
        if said.whole > MAX_DESCRIPTION and not skill.why_not:
            kept = MAX_DESCRIPTION - len(DOTS)
            session.diagnostics.append(FOLDER.note("description-cut", path, said.line, whole=said.whole, kept=kept))
        yield skill

    def _with_policy(self, skill: FoundSkill, folder: str) -> FoundSkill:
        """`agents/openai.yaml` may keep a skill off the list, or from Codex altogether."""
        path = f"{folder}/agents/openai.yaml"
        values: Json = None
        if self.session.workspace.kind(path) == "file":
            with suppress(YamlError):
                values = read_yaml(self.session.workspace.read(path).text, _BESIDE).value
        if not is_for_codex(values):
            return replace(self._switched(skill, (FOLDER.reason("other_product", path=path),)), enabled=False)
        return self._switched(skill, () if allows_implicit(values) else (FOLDER.reason("only_named", path=path),))

    def _switched(self, skill: FoundSkill, why_not: tuple[Condition, ...]) -> FoundSkill:
        """With what `[[skills.config]]` says of it; the last word counts."""
        said = None
        for layer, number, item in entries(self.session.settings):
            if (
                may_switch(self.session, layer)
                and self._means(item, skill, layer)
                and isinstance(item.get("enabled"), bool)
            ):
                said = (layer, number, item)
        if said is None or said[2]["enabled"]:
            return replace(skill, why_not=why_not)
        layer, number, item = said
        source = layer.source(("skills", "config", str(number)))
        where = f" ({source.place})" if source.place else ""
        more = {"source": source, "on": (Lever("settings.skills", self._switched_back(item)),)}
        off = FOLDER.reason("switched_off", False, more, where=where)
        return replace(skill, why_not=(off, *why_not), enabled=False)

    def _switched_back(self, item: Mapping[str, Json]) -> dict[str, Json]:
        """The scenario's own settings of skills, with one more word."""
        own = self.session.settings.layers[-1].table("skills")
        items = own.get("config")
        return {**own, "config": [*(items if isinstance(items, list) else ()), {**item, "enabled": True}]}

    def _means(self, item: Mapping[str, Json], skill: FoundSkill, layer: Layer) -> bool:
        """Whether a line of `[[skills.config]]` speaks of the skill; one that names both, or neither, means none."""
        path, name = item.get("path"), item.get("name")
        if isinstance(path, str) and name is not None:
            return False
        if isinstance(path, str):
            real_path = self.session.workspace.real_path
            return real_path(self.session.path_of(path, layer)) == real_path(skill.path)
        return isinstance(name, str) and trimmed(name) == skill.name

    # --- listing --------------------------------------------------------------------------------------------------

    def _fitted(self, able: Sequence[FoundSkill], aliases: Mapping[str, str]) -> tuple[list[Skill], bool]:
        """The skills as they are listed, and whether by short paths: those that take less, or leave more room."""
        limit = budget(self.window)
        lines = [SkillLine(s.name, "" if self.names_only else s.description, s.path) for s in able]
        room = fitted(lines, limit)
        short_paths = (f"{aliases[s.root]}/{s.path.removeprefix(s.root.rstrip('/') + '/')}" for s in able)
        shorter = [replace(line, path=path) for line, path in zip(lines, short_paths, strict=True)]
        by_alias = with_table(shorter, [f"- `{alias}` = `{folder}`" for folder, alias in aliases.items()], limit)
        short = by_alias is not None and by_alias.rank(shorter) < room.rank(lines)
        if by_alias is not None and short:
            lines, room = shorter, by_alias
        skills: list[Skill] = []
        for skill, line, characters in zip(able, lines, room.characters, strict=True):
            when: Condition = ALWAYS
            if characters is None:
                when = FOLDER.reason("no_room", path=skill.path, limit=limit)
            text = line.description[: characters or 0]
            said: tuple[Span, ...] = (builtin(f"skills.{skill.name}", text),) if text else ()
            if skill.file is not None:
                said = traced(skill.file, text, f"skills.{skill.name}", skill.line - 1)
                cut, limits = _cut(skill, len(line.description), characters, limit)
                there: Condition = Fact("file", skill.path, True, "it is listed", "", remedy=f"delete {skill.path}")
                there = Named("file", skill.path, there, cut) if cut else there
                self._row(skill.file, there if characters is not None else when, text, limits)
            skills.append(Skill(skill.name, said, line.path, when))
        self._warn(able, lines, room.characters, limit)
        return skills, short

    def _warn(
        self, able: Sequence[FoundSkill], lines: Sequence[SkillLine], characters: Sequence[int | None], limit: int
    ) -> None:
        """What the budget takes, at the first of the user's skills that it takes something from."""
        changed = (
            skill
            for skill, line, got in zip(able, lines, characters, strict=True)
            if skill.file is not None and (got is None or got < len(line.description))
        )
        first = next(changed, None)
        path, place = (first.path, first.line) if first else (None, None)
        left_out = characters.count(None)
        lost = sum(len(line.description) - (got or 0) for line, got in zip(lines, characters, strict=True))
        if left_out:
            note = FOLDER.note("skills-budget", path, place, limit=limit, left_out=left_out, every=len(lines))
            self.session.diagnostics.append(note)
        elif lost:
            self.session.diagnostics.append(FOLDER.note("skills-shortened", path, place, lost=lost, limit=limit))

    def _row(self, file: FileText, when: Condition, text: str = "", limits: tuple[Limit, ...] = ()) -> None:
        self.session.row(file, _KIND, "on-demand", when, text, limits=limits)


def entries(settings: CodexSettings) -> Iterator[tuple[Layer, int, Mapping[str, Json]]]:
    """Every entry of `[[skills.config]]`, with the layer that has it and its number there."""
    for layer in settings.layers:
        items = layer.table("skills").get("config")
        yield from ((layer, n, mapping(item)) for n, item in enumerate(items if isinstance(items, list) else ()))


def may_switch(session: Session, layer: Layer) -> bool:
    """Only the user's own settings and the command line may switch skills: what they say adds up [source]."""
    return layer.kind != PROJECT and not layer.path.startswith(f"{session.system_folder}/")


def unmatched_switches(session: Session, skills: Sequence[FoundSkill]) -> Iterator[Diagnostic]:
    """What is said of entries of `[[skills.config]]` that match nothing."""
    workspace = session.workspace.snapshot()
    names = {skill.name for skill in skills}
    paths = {workspace.real_path(skill.path) for skill in skills}
    for layer, number, entry in entries(session.settings):
        name, path = entry.get("name"), entry.get("path")
        source = layer.source(("skills", "config", number), key="skills.config")
        if not may_switch(session, layer):
            yield note("`[[skills.config]]` is ignored here: it counts in ~/.codex/config.toml", source)
        elif isinstance(name, str) and isinstance(path, str):
            yield note("`[[skills.config]]` has both a name and a path: Codex passes over it", source)
        elif isinstance(path, str):
            real = workspace.real_path(session.path_of(path, layer))
            if real not in paths:
                why = f"only the path of its {NAME} counts" if f"{real}/{NAME}" in paths else "there is no skill"
                yield note(f"`[[skills.config]]` names {path}: {why}", source)
        elif isinstance(name, str):
            known = [Sourced(name, source)]
            yield from unmatched([Names("[[skills.config]]", "skill", known, names, lambda n: trimmed(n) in names)])


def _cut(skill: FoundSkill, described: int, kept: int | None, limit: int) -> tuple[str, tuple[Limit, ...]]:
    """What took something of a listed skill's description, in words, and the limits that did."""
    if kept is not None and kept < described:
        budget_of = f"the list may take {limit:,} tokens ({PERCENT} % of the window)"
        shown = (
            f"listed with {kept:,} of {described:,} characters of its description" if kept else "listed by name only"
        )
        return f"{shown}: {budget_of}", (
            Limit("characters of the description that the list has room for", kept, described),
        )
    if kept is not None and skill.whole > MAX_DESCRIPTION:
        return "", (Limit("characters of a description", MAX_DESCRIPTION, skill.whole),)
    return "", ()


def _bytes(text: str) -> bytes:
    """What names are sorted by; a file's name may be no UTF-8."""
    return text.encode("utf-8", "surrogatepass")
