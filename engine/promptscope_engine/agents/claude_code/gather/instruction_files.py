"""The instruction files that load: what is read of each, what it imports, when it does, and its row."""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial
from typing import TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.globs import names_any, path_patterns
from promptscope_engine.agents.claude_code.materials import InstructionFile
from promptscope_engine.agents.claude_code.selection import names_tool
from promptscope_engine.agents.claude_code.texts import FOLDER, Gates
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.disk.rows import absent, file_row, followed, gone
from promptscope_engine.agents.kit.disk.walking import target_of
from promptscope_engine.javascript.ignore import read_patterns
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever, Load
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .content import Content, is_within, process, running_text
from .session import Gatherer, Session

_READ_RULE = r"(?s)Read(?:\((.*)\))?"


class DeniedReads:
    """The rules `Read` and `Read(pattern)`.

    In a pattern `//` begins at the root, `~/` in the home folder, `/` where the rule's settings file belongs (the
    user's in `config`), all else in the workspace; it is a line of an ignore file without
    braces, and `x/**` is `x` [recorded 2.1.332].
    """

    def __init__(self, rules: Iterable[Sourced[str]], cwd: str, home: str, config: str) -> None:
        self._places = cwd, home, config
        self._rules = [
            (rule, self._matcher(pattern, rule.source.path or ""))
            for rule in rules
            if (pattern := _read_pattern(rule.value.strip())) is not None
        ]

    def denying(self, path: str) -> list[Sourced[str]]:
        """The rules that name an absolute path."""
        return [rule for rule, matches in self._rules if matches(path)]

    def permitted(self, path: str) -> Condition:
        """No rule forbids to read the file."""
        condition: Condition = ALWAYS
        for rule in self.denying(path):
            no = f"`{rule.source.key}` has {rule.value}"
            source = replace(rule.source, overlay=None)
            condition = condition & Setting(source, [rule.value], "given", False, "no rule denies it", no)
        return condition

    def _matcher(self, pattern: str, source: str) -> Callable[[str], bool]:
        cwd, home, config = self._places
        if pattern in ("", "*"):
            return lambda _: True
        base = cwd
        if pattern.startswith("//"):
            pattern, base = pattern[2:], ""
        elif pattern.startswith("~/"):
            pattern, base = pattern[2:], home
        elif pattern.startswith("/"):
            base = config if source.startswith(f"{config}/") else cwd
        ignored, folder = read_patterns((pattern.removeprefix("./").removesuffix("/**"),)), base.rstrip("/") + "/"
        return lambda path: path.startswith(folder) and ignored.hides(path[len(folder) :])


def _read_pattern(rule: str) -> str | None:
    """The pattern of a rule for Read, "" for one that names the tool, be it with stars; None for others."""
    match = re.fullmatch(_READ_RULE, rule)
    return match[1] or "" if match else "" if names_tool(rule, "Read") else None


MAX_DEPTH = 4
"""Hops: the importer is at level 0, a file at level 5 does not load (older docs say five)."""

_TOKEN = r"(?:^|(?<=[\s\ufeff]))@((?:[^\s\\\ufeff]|\\ )+)"
_PERHAPS = re.compile(r"(?<![^\W_])@\S")
"""Before a stretch of running text is not a letter: this spares most files the reading."""
_BEGINS = r"\.{1,2}/|~/|/|[A-Za-z0-9._-]"
"""How a path begins that is taken for one; a name that begins otherwise needs `./` before it [recorded 2.1.330]."""


_IMPORTABLE = frozenset((
    "md", "txt", "text", "json", "yaml", "yml", "toml", "xml", "csv", "html", "htm", "css", "scss", "sass", "less",
    "js", "ts", "tsx", "jsx", "mjs", "cjs", "mts", "cts", "py", "pyi", "pyw", "rb", "erb", "rake", "go", "rs",
    "java", "kt", "kts", "scala", "c", "cpp", "cc", "cxx", "h", "hpp", "hxx", "cs", "swift", "sh", "bash", "zsh",
    "fish", "ps1", "bat", "cmd", "env", "ini", "cfg", "conf", "config", "properties", "sql", "graphql", "gql",
    "proto", "vue", "svelte", "astro", "ejs", "hbs", "pug", "jade", "php", "pl", "pm", "lua", "r", "dart", "ex",
    "exs", "erl", "hrl", "clj", "cljs", "cljc", "edn", "hs", "lhs", "elm", "ml", "mli", "f", "f90", "f95", "for",
    "cmake", "make", "makefile", "gradle", "sbt", "rst", "adoc", "asciidoc", "org", "tex", "latex", "lock", "log",
    "diff", "patch",
))  # fmt: skip
"""Endings of files that an `@path` may import [recorded 2.1.330]."""


def is_importable(path: str) -> bool:
    """Whether a file of this name is read: its ending, in any case, is on the client's list, or it has none."""
    ending = posixpath.splitext(path.rstrip("/"))[1]
    return not ending or ending[1:].lower() in _IMPORTABLE


def import_tokens(text: str) -> list[str]:
    """The paths that a file's text names, in order of appearance, as written but without `#fragment`."""
    if not _PERHAPS.search(text):
        return []
    found = (token[1] for stretch in running_text(text) for token in re.finditer(_TOKEN, stretch))
    named = (token.partition("#")[0].replace("\\ ", " ") for token in found)
    return [path for path in named if path not in ("/", "~/", ".", "./") and re.match(_BEGINS, path)]


MAX_SEARCHED = 300_000
"""Characters of text with a `@`: Markdown made to be slow takes seconds for so many."""
_MAX_TOKENS = 20_000
"""`@path` that are followed up: ten for each of the files that may load."""


_LARGE, _LARGE_100 = 150_000, 40_000
"""Characters above which the start screen warns; the file is sent whole all the same."""
_SKIPPED_BYTES = 4 * 1024 * 1024
"""2.1.329 is reported to leave larger files out [I#92980]."""
MAX_FILES = 2_000
REPEATED = "remove the link, or put a copy in its place"


class FileDetails(TypedDict, total=False):
    """What else is known of a file: as it is shown, the base of its patterns. A missing `optional` one isn't listed."""

    shown: str | None
    base: str
    optional: bool
    importer: InstructionFile | None
    when: Condition


class Scope(Struct, frozen=True):
    """Where a file was found: its label, the setting source that lets it in, whether the project owns it.

    Files of added directories load whatever `--setting-sources` says [recorded 2.1.332]: their source is "".
    """

    label: str
    source: str
    project: bool
    gate: Condition = ALWAYS


class _Loaded(Struct, frozen=True):
    """A file as it loads from its place, with its row and notes. `common`: conditions shared with its neighbours."""

    common: Condition
    file: InstructionFile
    draft: FileDraft
    content: Content
    diagnostics: tuple[Diagnostic, ...]


class InstructionFiles(Gatherer):
    """Collects the files in load order. Each path counts once: the first position wins.

    `drafts` are their rows by path; `real` has, by the real path of what was read, the first path that led there;
    `commons`, by a scope's identity, the conditions that its files share.
    """

    def __init__(self, session: Session, gates: Gates, facts: Facts) -> None:
        super().__init__(session)
        self.gates, self.facts, self.home = gates, facts, session.home
        self.excludes = session.settings.items("claudeMdExcludes")
        # Of what the command line forbids, rules for paths count here, and none for the whole tool [asked of 2.1.332].
        rules = [rule for rule in session.rules if rule in session.denied or not names_tool(rule.value, "Read")]
        self.denied = DeniedReads(rules, session.cwd, session.home, session.config)
        self.order: list[InstructionFile] = []
        self.drafts: dict[str, FileDraft] = {}
        self.is_full = False
        self.seen: set[str] = set()
        self.real: dict[str, str] = {}
        self.commons: dict[int, tuple[Scope, Condition]] = {}
        self.unsearched, self.tokens = MAX_SEARCHED, 0

    def file(self, path: str, kind: str, scope: Scope, **more: Unpack[FileDetails]) -> None:
        """A file and, after it, its imports."""
        shown, base, importer = more.get("shown"), more.get("base", ""), more.get("importer")
        if path in self.seen or shown in self.seen:
            if shown and shown != path:
                self.repeated(path, kind, shown)
            return
        if len(self.order) >= MAX_FILES and self.workspace.kind(path, follow=False) is not None:
            if not self.is_full:
                self.diagnostics.append(FOLDER.note("too-many-files", self.cwd, most=MAX_FILES))
            self.is_full = True
            return
        source = self.workspace.read(path)
        if source.problem == "missing":
            if not more.get("optional"):
                load: Load = "import" if importer else "always"
                self.absent(path, kind, load, gone(self.workspace, path), importer)
            return
        self.seen |= {path, shown or path}
        if self.real.setdefault(source.real_path, path) != path and source.found:
            self.repeated(path, kind, self.real[source.real_path])
            return
        common = self.common(scope)
        own = (
            more.get("when", ALWAYS),
            followed(self.workspace, path, self.session.follow),
            self.excluded({path, source.real_path}, scope),
        )
        usual = source.found and own == (ALWAYS, ALWAYS, ALWAYS)  # an import has the gate of its importer
        within = not self.is_skipped(source) and is_within(self.budget, source.text)  # spent for what is kept, too
        key = ("claude-code.loaded", self.version, kind, scope.label, shown, base, within)
        kept: dict[str, _Loaded] = self.workspace.made_of(source, key, dict) if usual else {}
        loaded = kept.get("loaded")
        if loaded is None or loaded.common is not common:
            by, depth = (importer.shown, importer.depth + 1) if importer else (None, 0)
            bare = InstructionFile(shown or path, kind, scope.label, base=base, importer=by, depth=depth)
            loaded = kept["loaded"] = self.loaded(source, bare, common, own, within)
        self.note_link(source)
        self.order.append(loaded.file)
        self.drafts[loaded.file.shown] = loaded.draft
        self.diagnostics += loaded.diagnostics
        self.follow(loaded.file, source, loaded.content, scope)

    def repeated(self, path: str, kind: str, other: str) -> None:
        """A link to what is read already: one file counts once, whatever names lead to it [recorded 2.1.332]."""
        why = f"it is the same file as {other}, which is read already"
        if path not in self.drafts:
            source, when = self.workspace.read(path), absent(path, why, REPEATED)
            self.drafts[path] = FileDraft(path, source.real_path, kind, "always", when, source.size)

    def common(self, scope: Scope) -> Condition:
        """The conditions that all files of a scope share."""
        if id(scope) not in self.commons:
            let_in = self.sources.condition(scope.source) if scope.source else ALWAYS
            condition = self.gates.claude_mds & let_in & scope.gate
            name = f"claude-code.common {len(self.commons)}"
            self.commons[id(scope)] = scope, self.workspace.same(name, condition)
        return self.commons[id(scope)][1]

    def loaded(
        self, source: FileText, bare: InstructionFile, common: Condition, own: tuple[Condition, ...], within: bool
    ) -> _Loaded:
        """The file with its text. `bare` has none yet; `own` are its conditions: place, links, exclusion."""
        path = source.path
        load: Load = "import" if bare.importer else "always"
        when, through_links, excluded = own
        before = len(self.diagnostics)
        content, readable = self.readable(source, within)
        gate = when & through_links & common & excluded & readable
        loads, patterns = gate, None
        if bare.kind == "claude-rule" and "paths" in content.frontmatter:
            patterns = path_patterns(content.frontmatter["paths"])
        if patterns and not bare.base:
            loads = gate = gate & FOLDER.reason("never_waits", path=path)
        elif patterns:
            load = "conditional"
            more = {"actual": list(patterns)}
            loads = gate & FOLDER.reason("waits", False, more, path=path, patterns=", ".join(patterns[:4]))
        texts = content.spans(path), content.spans(path, trimmed=False)
        file = replace(bare, spans=texts[0], lazy_spans=texts[1], paths=patterns, when=loads, gate=gate)
        self._look_over(file, source, content)
        said = tuple(self.diagnostics[before:])
        del self.diagnostics[before:]
        return _Loaded(common, file, self.draft(file, source, load), content, said)

    def is_skipped(self, source: FileText) -> bool:
        """Whether the agent leaves the file out for its size."""
        return self.version != V100 and source.size > _SKIPPED_BYTES

    def readable(self, source: FileText, within: bool) -> tuple[Content, Condition]:
        """The processed text, and whether there is any."""
        if source.problem == "outside" and self.workspace.leads_outside(source.path):  # `followed` says why
            self.diagnostics.append(FOLDER.note("outside", source.path, target=source.real_path))
            return Content(()), ALWAYS
        if source.problem:
            why = f"it cannot be read: {source.problem}" + (f" ({source.detail})" if source.detail else "")
            severity = "warning" if source.problem in ("too-large", "outside", "unreadable", "loop") else "info"
            self.diagnostics.append(Diagnostic(severity, source.problem, why, source.path))  # type: ignore[arg-type]
            return Content(()), absent(source.path, why, f"make {source.path} a readable file")
        if self.is_skipped(source):
            self.diagnostics.append(FOLDER.note("too-large", source.path, size=source.size))
            return Content(()), FOLDER.reason("too_large", path=source.path)
        key = ("claude-code.content", self.version, within)
        make = partial(process, source.text, self.version, within_budget=within)
        content = self.workspace.made_of(source, key, make)
        return content, FOLDER.reason("has_text", bool(content.text), path=source.path)

    def _look_over(self, file: InstructionFile, source: FileText, content: Content) -> None:
        if content.problem:
            self.warn("bad-frontmatter", content.problem, source.path, content.problem_line)
        paths = content.frontmatter.get("paths", "*") if file.kind == "claude-rule" else "*"
        if not file.paths and "*" not in str(paths):
            self.say("info", "near-key", "`paths` names nothing, so the rule is always loaded", source.path)
        if source.looks_binary:
            self.warn("binary", "the file holds zero bytes", source.path)
        size, limit = len(content.text), _LARGE_100 if self.version == V100 else _LARGE
        if size > limit and file.when.holds(self.facts):
            self.diagnostics.append(FOLDER.note("large-file", file.shown, size=size, limit=limit))

    def excluded(self, paths: Set[str], scope: Scope) -> Condition:
        """What excludes a file: `claudeMdExcludes`, and rules that forbid reading it.

        The setting may name a link or its target. The rules count for a project's own files. Managed files can't be
        excluded [recorded 2.1.332].
        """
        if scope.source == "managed":
            return ALWAYS
        hits = [known for known in self.excludes if names_any(known.value, paths, self.workspace.real_path)]
        own = [known.value for known in self.excludes if known.source.overlay and known not in hits]
        condition: Condition = ALWAYS
        for path in sorted(paths) if scope.project and self.version != V100 else ():
            condition = condition & self.denied.permitted(path)
        for hit in hits:
            yes, no = "`claudeMdExcludes` does not name it", f"`claudeMdExcludes` names it ({hit.value})"
            on = Lever(hit.source.overlay, own) if hit.source.overlay else None
            condition = condition & Setting(hit.source, hit.value, "given", False, yes, no, on=on)
        return condition

    def draft(self, file: InstructionFile, source: FileText, load: Load) -> FileDraft:
        """The row of a file."""
        outside = self.workspace.leads_outside(source.path) is not None
        shown = source.path if outside else file.shown  # it stays where the switch for links is offered
        kind = "import" if file.importer else file.kind
        return file_row(source, kind, load, file.when, file.text, shown=shown, imported_by=file.importer)

    def absent(self, path: str, kind: str, load: Load, why: Condition, importer: InstructionFile | None = None) -> None:
        """A file that does not load, with its reason."""
        if path not in self.drafts:
            by = importer.shown if importer else None
            self.drafts[path] = FileDraft(path, path, "import" if importer else kind, load, why, imported_by=by)

    # --- what files import --------------------------------------------------------------------------------------------

    def follow(self, file: InstructionFile, source: FileText, content: Content, scope: Scope) -> None:
        """The targets of a file's @imports, depth-first, each after its importer."""
        path = source.path
        whole = "".join(stretch.text for stretch in content.untrimmed) if "@" in content.text else ""
        text = whole[: self.unsearched]
        self.unsearched -= len(text)
        if len(text) < len(whole):
            self.diagnostics.append(FOLDER.note("too-many-imports", path, most=MAX_SEARCHED))
        key = ("claude-code.imports", self.version, len(text))
        tokens = self.workspace.made_of(source, key, lambda: tuple(dict.fromkeys(import_tokens(text))))
        self.tokens += len(tokens)
        if tokens and self.tokens > _MAX_TOKENS:
            self.diagnostics.append(FOLDER.note("imports-not-followed", path, most=_MAX_TOKENS))
            return
        real = as_named(self.workspace, source.real_path, (self.cwd, self.home)) if tokens else path
        folder = real.rpartition("/")[0]  # a link's imports are looked for beside its target
        for token in tokens:
            target = target_of(token, folder, self.home)
            if target is None or target in self.seen:
                continue
            kind = self.workspace.kind(target)
            if lost := _lost(target, kind, path, file.depth):
                if kind or "/" in token or "." in token:
                    self.absent(target, "import", "import", absent(target, *lost), file)
            else:
                self.imported(target, file, scope)

    def imported(self, target: str, file: InstructionFile, scope: Scope) -> None:
        """A target that is read, if it is in the working directory or external imports are approved."""
        gate = file.gate
        if scope.project and not self.is_inside(target):
            gate = gate & self.gates.external
            if not self.gates.external.holds(self.facts):
                self.unapproved(target, file, gate)
                return
        kind = "claude-rule" if file.kind == "claude-rule" else "import"  # what a rule imports may wait, too
        before = len(self.order)
        self.file(target, kind, replace(scope, gate=ALWAYS), base=file.base, importer=file, when=gate)
        if file.paths and any(each.paths is None and each.importer == file.shown for each in self.order[before:]):
            self.diagnostics.append(FOLDER.note("rule-import", target, rule=file.shown))

    def unapproved(self, target: str, file: InstructionFile, gate: Condition) -> None:
        """A target outside of cwd: left out, with what it would cost once it is approved."""
        self.diagnostics.append(FOLDER.note("external-import", target, cwd=self.cwd, target=target))
        source = self.workspace.read(target)
        text = process(source.text, self.version, within_budget=False).text if source.found else ""
        self.drafts.setdefault(target, file_row(source, "import", "import", gate, text, imported_by=file.shown))

    def is_inside(self, path: str) -> bool:
        """Whether an import leaves cwd; its repository doesn't matter. From 2.1.329 on a link counts by its target."""
        real, cwd = self.workspace.real_path(path), self.workspace.real_path(self.cwd)
        stays = self.version == V100 or real.startswith(cwd.rstrip("/") + "/")
        return stays and path.startswith(self.cwd.rstrip("/") + "/")


def as_named(workspace: Workspace, real: str, folders: Sequence[str]) -> str:
    """A real path as it reads from the first of `folders` that it is in: each may be reached through links."""
    for folder in folders:
        base = workspace.real_path(folder).rstrip("/")
        if real.startswith(base + "/"):
            return folder.rstrip("/") + real[len(base) :]
    return real


def _lost(target: str, kind: str | None, importer: str, depth: int) -> tuple[str, str] | None:
    """Why an import comes to nothing, and what to do."""
    if kind is None:
        return "no such file: the import is dropped silently", f"create {target}, or correct the import in {importer}"
    if kind != "file":
        return "it is not a file", f"name a file in {importer}"
    if not is_importable(target):
        return "files with this ending are not imported", "rename it to end in .md or .txt"
    if depth >= MAX_DEPTH:
        return f"imports are followed {MAX_DEPTH} levels deep", "import it from a file that loads earlier"
    return None
