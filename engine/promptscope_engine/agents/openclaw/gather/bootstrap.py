"""Bootstrap files: which ones are loaded for a session, and what is injected of each under the budget that they share.

All lengths are UTF-16 units, and head and tail are plain slices that may split a surrogate pair; only the clamp to
what is left of the total avoids that. Every quirk of the algorithm is here on purpose.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import followed, never, nowhere
from promptscope_engine.agents.kit.disk.settings import at, texts
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.agents.openclaw.gather.cuts import digested, head_and_tail, limited, stretch, whole, within
from promptscope_engine.agents.openclaw.gather.project import normal_key, project_of
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun
from promptscope_engine.agents.openclaw.levers import SettingLevers, overlay, positive, split
from promptscope_engine.agents.openclaw.materials import WHOLE, Context, Entry, Excerpt, Injection
from promptscope_engine.agents.openclaw.params import BootstrapStandIn
from promptscope_engine.agents.openclaw.texts import ANY_MODE, FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.glob import expand_braces, is_pattern
from promptscope_engine.javascript.text import js_trim, js_trim_end, resolve, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit, Stretch
from promptscope_engine.workspace import FileText, Workspace

MAX_FOLDERS = 2_000
"""Folders looked into for one pattern: `**` in a home directory must not walk all of it."""
MAX_CHOICES = 64
_NO_NEGATION = re.compile(r"\A!(?!\()")
"""Node's patterns have no negation as a whole, and write that of a set in two ways."""


def glob(workspace: Workspace, root: str, pattern: str) -> Iterator[str]:
    """Paths relative to `root` that match, in the order of the folders; hidden names only where they are written."""
    seen: set[str] = set()
    budget = [MAX_FOLDERS]
    for choice in expand_braces(pattern, MAX_CHOICES) if not pattern.endswith("/") else ():
        segments = [s for s in choice.split("/") if s not in ("", ".")]
        if ".." in segments:
            continue
        for path in _walk(workspace, root, "", segments, budget):
            if path not in seen:
                seen.add(path)
                yield path


def _walk(workspace: Workspace, root: str, base: str, segments: list[str], budget: list[int]) -> Iterator[str]:
    if not segments:
        yield base
        return
    first, rest = segments[0], segments[1:]
    prefix = f"{base}/" if base else ""
    if not is_pattern(first) and "(" not in first:
        if workspace.kind(f"{root}/{prefix}{first}") is not None:
            yield from _walk(workspace, root, prefix + first, rest, budget)
        return
    if budget[0] <= 0:
        return
    from promptscope_engine.javascript.picomatch import names  # 5 ms, and few name such files by patterns

    budget[0] -= 1
    if first == "**":
        yield from _walk(workspace, root, base, rest, budget)
    wanted = _NO_NEGATION.sub(r"\\!", first.replace("[!", "[^"))
    for entry in workspace.list(f"{root}/{base}" if base else root).entries:
        if entry.name.startswith(".") and not first.startswith("."):
            continue
        if first == "**" and entry.kind == "directory":
            yield from _walk(workspace, root, prefix + entry.name, segments, budget)
        elif (first == "**" and not rest) or (first != "**" and names(wanted, entry.name)):
            yield from _walk(workspace, root, prefix + entry.name, rest, budget)


MEMORY = ("MEMORY.md", "memory.md")
PROJECT_NOTES = ("MEMORY.md", "USER.md")
"""Of whose entries those are left out that are marked as another project's [2026.9.6]."""
HOOK = "bootstrap-extra-files"
CONTEXT = "contextInjection"
NO_FILE = "no such file"
_OURS = ("outside", "too-large")
"""Problems that OpenClaw does not have with a file."""


class Loaded(Struct, frozen=True):
    """The entries in the loader's order, those that the session is not given too (their condition is false)."""

    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


# The files of the workspace in the order in which they are loaded: those that are listed as missing if they are not
# there, those that are there or are not mentioned, and those of a session that is not given all. `most` is what a file
# may have besides the limits.
_FILES: Table = {
    "always": ("AGENTS.md", "SOUL.md", "IDENTITY.md"),
    "there": ("USER.md", "BOOTSTRAP.md", "MEMORY.md"),
    "sub-agent": ("AGENTS.md",),
    "cron": ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"),
    "group": ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md"),
    "total": 60000,
    "most": {"USER.md": 4000},
}
_OLDER_FILES: Table = {
    "always": ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md"),
    "there": ("MEMORY.md", "memory.md"),
    "sub-agent": ("AGENTS.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "USER.md"),
    "cron": ("AGENTS.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "USER.md"),
    "total": 150000,
    "most": {},
}


def said_of(run: AgentRun) -> Table:
    """The files of the version."""
    return _FILES if run.is_newer else _OLDER_FILES


def names_of(run: AgentRun) -> tuple[str, ...]:
    """The names of the files, in their order."""
    return (*said_of(run)["always"], *said_of(run)["there"])


def loaded(run: AgentRun, workspace: Workspace) -> Loaded:
    """The files of the run's folder (in a sandbox a copy that may not exist yet), or their stand-ins."""
    if run.params.bootstrapFiles is not None:
        return stand_ins(run.params.bootstrapFiles, run)
    problems: list[Diagnostic] = []
    entries = [_read(workspace, run, name, problems, seed=run.folder) for name in said_of(run)["always"]]
    seen: set[str] = set()
    for name in said_of(run)["there"]:
        entry = _read(workspace, run, name, problems, seed=run.folder if run.is_newer else None)
        if run.is_newer and workspace.kind(f"{run.folder}/{name}", follow=False) == "link":
            continue  # only a file of its own is an entry
        if not entry.missing and entry.real_path not in seen:
            seen.add(entry.real_path)
            entries.append(entry)
    entries += _extra(run, workspace, problems)
    return Loaded(tuple(entries), tuple(problems))


def stand_ins(files: Iterable[BootstrapStandIn], run: AgentRun) -> Loaded:
    """The scenario's own files; one without a path is skipped, as the agent does."""
    entries: list[Entry] = []
    problems: list[Diagnostic] = []
    for file in files:
        path = js_trim(file.path or "")
        if not path:
            problems.append(Diagnostic("warning", "bootstrap", f"the entry {file.name} has no path and is skipped"))
            continue
        content = None if file.missing else (file.content or "")
        entries.append(Entry(file.name, path, content, _given_to(file.name, run)))
    return Loaded(tuple(entries), tuple(problems))


def _read(
    workspace: Workspace, run: AgentRun, name: str, problems: list[Diagnostic], *, seed: str | None = None
) -> Entry:
    path = f"{run.box.folder}/{name}"
    file = workspace.read(path)
    if not file.found and seed:
        file = workspace.read(f"{seed}/{name}")
    when = _given_to(name, run)
    if run.is_newer and (why := _unreadable(workspace, file)):
        problems.append(Diagnostic("warning", "bootstrap", f"OpenClaw does not read it: {why}", file.path))
        marker = f"[UNREADABLE: {why}]"[:MAX_REASON]
        return Entry(name, path, marker, when, None, file.real_path, file.size, absence=why, refused=True)
    if what := _problem(file):
        problems.append(Diagnostic("warning", "bootstrap", what, file.path))
    if file.problem in _OURS:
        return Entry(name, path, None, when & _withheld(workspace, file), file.path, file.real_path, withheld=True)
    if file.found:
        text = (
            _of_projects(file.text, project_of(run, workspace)) if run.is_newer and name in PROJECT_NOTES else file.text
        )
        whole = None if text == file.text else file.text
        return Entry(name, path, text, when, file.path, file.real_path, file.size, whole=whole)
    absence = f"it cannot be read: {file.detail}"
    if file.problem == "missing":
        absence = nowhere(workspace, file.path)[0] if workspace.readlink(file.path) else NO_FILE
    return Entry(name, path, None, when, file.path, file.real_path, absence=absence)


MAX_BYTES = 2_097_152
MAX_REASON = 300


def _unreadable(workspace: Workspace, file: FileText) -> str | None:
    """Why OpenClaw refuses a file that is there: a link, even to the inside, and what is too large [2026.9.6]."""
    if workspace.kind(file.path, follow=False) == "link":
        return "a link is not followed"
    if file.size > MAX_BYTES or file.problem == "too-large":
        return f"it has more than {MAX_BYTES:,} bytes"
    return file.detail if file.problem not in (None, "missing", "outside") else None


_MARK = re.compile(r"<!--\s*project\s*:(?:(.*?)-->)?", re.I | re.S)
_ENTRY = re.compile(r"^(?=- |#{1,6}(?:\s|\Z))", re.M)


def _of_projects(text: str, key: str) -> str:
    """The text without the entries that are marked as another repository's [asked].

    An entry begins at a `- ` or a heading, without any space before it, and goes on to the next one.
    """
    parts = _ENTRY.split(text)
    kept = [part for part in parts if all(_is_of(mark, key) for mark in _MARK.finditer(part))]
    ended = bool(kept) and kept[-1] == parts[-1]
    return "".join(kept) if ended else "".join(kept).removesuffix("\n")


def _is_of(mark: re.Match[str], key: str) -> bool:
    """A mark that is closed names nothing but the repository."""
    return mark[1] is not None and all(normal_key(each) == key for each in mark[1].split(";"))


def _withheld(workspace: Workspace, file: FileText) -> Condition:
    """False: OpenClaw would read the file, and here it is not read."""
    if file.problem == "outside":
        return followed(workspace, file.path, follow=False, reader="OpenClaw")
    return FOLDER.reason("too_large", path=file.path, detail=file.detail)


def _problem(file: FileText) -> str | None:
    """What cannot be shown; OpenClaw itself treats any unreadable file as missing."""
    if file.problem in _OURS:
        what = f"it {file.detail}" if file.problem == "outside" else f"it is too large ({file.detail})"
        return f"left out here: {what}; OpenClaw would read it"
    if file.problem not in (None, "missing"):
        return f"cannot be read and counts as missing: {file.detail}"
    return "looks like a binary file; it is injected all the same" if file.found and file.looks_binary else None


def _given_to(name: str, run: AgentRun) -> Condition:
    kind = run.session.kind
    ok = name in said_of(run).get(kind, (name,))
    return FOLDER.reason("given", ok, {"on": run.to_main}, path=name, kind=kind) & _injected(run)


def _injected(run: AgentRun) -> Condition:
    """The configuration has files of the workspace sent: an agent's own word counts before the common one.

    `never` leaves all of them out, other values none of a first turn [asked of 2026.9.6]. 2026.2.24 was not asked, and
    is taken not to know the key.
    """
    path = (*run.own, CONTEXT) if run.own and CONTEXT in run.entry else ("agents", "defaults", CONTEXT)
    if not run.is_newer or run.settings.get(path) != "never":
        return ALWAYS
    return FOLDER.reason("context", False, {"source": run.settings.source(path)}, path=CONTEXT)


def _extra(run: AgentRun, workspace: Workspace, problems: list[Diagnostic]) -> Iterator[Entry]:
    """Files that the bundled hook `bootstrap-extra-files` appends; listed as absent while hooks do not run.

    A recording made without a gateway shows that the hook does nothing there, whatever the configuration says; the
    param `internalHooks` simulates the gateway.
    """
    hook, folder = run.settings.object(("hooks", "internal", "entries", HOOK)), run.box.folder
    if run.settings.get("hooks.internal.enabled") is not True or not hook or hook.get("enabled") is False:
        return
    runs = FOLDER.reason("hooks_run", run.params.internalHooks)
    for relative in _named(workspace, folder, hook):
        name = relative.rpartition("/")[2]
        if name not in names_of(run):
            message = f"{HOOK} appends known file names only, not {name}"
            problems.append(Diagnostic("info", "bootstrap", message, f"{folder}/{relative}"))
            continue
        file = workspace.read(f"{folder}/{relative}")
        if file.found:
            when = Named("file", name, runs & _given_to(name, run), f"the hook {HOOK} appends it")
            yield Entry(name, file.path, file.text, when, file.path, file.real_path, file.size)


def _named(workspace: Workspace, folder: str, hook: Json) -> Iterator[str]:
    """Paths below the workspace, from the first of `paths`, `patterns`, `files` that names any."""
    lists = (texts(at(hook, key)) or [] for key in ("paths", "patterns", "files"))
    patterns = next((found for names in lists if (found := [n for n in map(js_trim, names) if n])), [])
    seen: set[str] = set()
    for pattern in patterns:
        # a set in brackets alone makes no pattern, as the public source has it
        is_glob = any(sign in pattern for sign in "*?{")
        for each in glob(workspace, folder, pattern) if is_glob else (pattern,):
            whole = resolve(folder, each)
            path = whole.removeprefix(f"{folder}/")
            # A link out of the workspace is refused by the hook.
            stays = whole != path and workspace.real_path(whole).startswith(f"{workspace.real_path(folder)}/")
            if stays and path not in seen:
                seen.add(path)
                yield path


DEFAULT_MAX_CHARS = 20_000
DEFAULT_TOTAL_CHARS = 150_000
"""Up to 2026.2.24."""
MIN_REMAINING = 64
"""With less than this left no further file is started; a missing file's marker still is."""


def inject(
    files: Iterable[tuple[str, str, str | None]],
    max_chars: int,
    total_chars: int,
    most: Mapping[str, int] | None = None,
) -> Iterator[Injection]:
    """What is injected of each (name, path, content); content None: the file is missing.

    `most`: what some files may have at most; None up to 2026.2.24, where all are cut in another way.
    """
    newer, most = most is not None, most or {}
    remaining = max(1, total_chars)
    stopped = False
    for name, path, content in files:
        missing = content is None
        stopped = stopped or remaining <= 0 or (not missing and remaining < MIN_REMAINING)
        if stopped:
            lost = bool(content and js_trim_end(content))
            yield Injection(reached=False, lost=lost, used=max(1, total_chars) - remaining)
            continue
        made: tuple[tuple[Excerpt, ...], tuple[int, ...] | None]
        if content is None:
            made = (Excerpt(f"[MISSING] Expected at: {path}"),), None
        else:
            limit = max(1, min(max_chars, remaining, most.get(name, max_chars)))
            made = _cut(name, js_trim_end(content), limit, newer=newer)
        parts, kept = made
        clamped = sum(map(_length, parts)) > remaining
        parts = limited(parts, remaining, "" if remaining <= _BARE else "…")
        used = max(1, total_chars) - remaining
        remaining -= sum(map(_length, parts))
        sent = tuple(_as_sent(parts)) if newer else parts
        # what fits under the limit of a file is never clamped; a report takes lost CRs for lost text
        lost = kept is not None or (newer and any("\r\n" in part.text for part in parts))
        yield Injection(sent, kept=kept, clamped=clamped, lost=lost, used=used)


def _cut(name: str, text: str, limit: int, *, newer: bool) -> tuple[tuple[Excerpt, ...], tuple[int, ...] | None]:
    if utf16_len(text) <= limit:
        return whole(text), None
    if not newer:
        return head_and_tail(name, text, limit)
    return digested(text, limit) if name.lower() == "agents.md" else within(name, text, limit)


def _as_sent(parts: Iterable[Excerpt]) -> Iterator[Excerpt]:
    """The parts with at most one empty line in a row, which breaks of CRLF escape, and those made LF [2026.9.6]."""
    breaks = 0
    for part in parts:
        found = re.sub(r"\n{3,}", "\n\n", "\n" * breaks + part.text)[breaks:] if breaks else ""
        found = found or re.sub(r"\n{3,}", "\n\n", part.text)
        breaks = len(found) - len(found.rstrip("\n"))
        yield replace(part, text=found.replace("\r\n", "\n"))


_BARE = 3
"""A budget up to which text is cut without a mark."""


def _length(part: Excerpt) -> int:
    return utf16_len(part.text)


PER_FILE, IN_TOTAL = "bootstrapMaxChars", "bootstrapTotalMaxChars"


def with_gaps(content: str, injection: Injection) -> Iterator[tuple[Excerpt, bool]]:
    """The injected parts, each stretch that is lost between them at its place: (part, whether it is kept)."""
    at = 0
    whole = utf16_len(js_trim_end(content)) if injection.lost else 0
    for number, part in enumerate(injection.parts):
        # the agent's own words stand for what is lost, so the gap comes before them
        following = (later.start for later in injection.parts[number:] if later.start is not None)
        start = next(following, whole)
        if start > at:
            yield stretch(content, at, start), False
        yield part, True
        # a tail of no length gives the whole text once more: nothing is lost then
        at = max(at, part.end or start)
    if whole > at:
        yield stretch(content, at, whole), False


def stretches_of(content: str, injection: Injection) -> Iterator[Stretch]:
    """The file's text as it was kept and lost; nothing for a file that was injected whole."""
    if not injection.lost:
        return
    content = js_trim_end(content)
    for part, kept in with_gaps(content, injection):
        match part:
            case Excerpt(text=text, start=int(start), end=int(end)):
                before, rest = utf16_slice(content, 0, start), utf16_slice(content, end, end + 1)
                first = 1 + before.count("\n")
                yield Stretch(
                    start_line=first,
                    end_line=first + text.removesuffix("\n").count("\n"),
                    chars=end - start,
                    kept=kept,
                    partial_start=bool(before) and not before.endswith("\n"),
                    partial_end=not text.endswith("\n") and rest not in ("", "\n"),
                )


def limits_of(content: str, injection: Injection, max_chars: int, total: int) -> tuple[Limit, Limit]:
    """The two limits, with what the file has and what all files up to it had come to."""
    length = utf16_len(js_trim_end(content))
    return Limit(PER_FILE, max_chars, length), Limit(IN_TOTAL, total, injection.used + length)


def widened(length: int, whole: int, max_chars: int, total: int) -> tuple[Lever, ...]:
    """The limits that a file of `length` needs; `whole` is what all files up to it come to."""
    levers = (
        overlay(split(f"agents.defaults.{name}"), wanted)
        for name, wanted, limit in ((PER_FILE, length, max_chars), (IN_TOTAL, whole, total))
        if wanted > limit
    )
    return tuple(lever for lever in levers if lever)


def contexts(entries: Sequence[Entry], limits: tuple[int, int], run: AgentRun | None = None) -> tuple[Context, ...]:
    """What each entry comes to; those that the session is not given take no part in the budget."""
    facts = Facts()
    counted = [entry for entry in entries if entry.when.holds(facts)]
    told = ((entry.name, entry.path, entry.content) for entry in counted)
    most = said_of(run)["most"] if run and run.is_newer else None
    injections = dict(zip(map(id, counted), inject(told, *limits, most), strict=True))
    found = []
    whole = 0
    for entry in entries:
        injection = injections.get(id(entry), Injection(reached=False))
        why, amount = entry.when, _amount(entry, injection, *limits)
        widen: tuple[Lever, ...] = ()
        if id(entry) in injections:
            length = utf16_len(js_trim_end(entry.content or ""))
            # of the files before it, too, nothing more is cut then
            whole += max(length, injection.chars, MIN_REMAINING)
            widen = widened(length, whole, *limits) if injection.lost else ()
            more = {"on": widen or None}
            why = why & FOLDER.reason("has_text", bool(injection.parts), more, path=entry.path, amount=amount)
        elif entry.content is not None and not js_trim_end(entry.content):
            why = why & Fact("file", entry.path, False, "", "it is blank", remedy=f"write something into {entry.path}")
        stretches = with_gaps(entry.content or "", injection)
        parts = tuple((part, None if kept else _lost(part, widen)) for part, kept in stretches)
        found.append(Context(entry, injection, why, amount, parts))
    if run and run.is_newer:  # loaded in one order, shown in another: by name, then by path
        order = names_of(run)
        found.sort(key=lambda c: (order.index(c.entry.name) if c.entry.name in order else len(order), c.entry.path))
    return tuple(found)


def _lost(part: Excerpt, widen: tuple[Lever, ...]) -> Condition:
    """A stretch that was cut out: how much it is, and for want of which room."""
    limit = widen[0].param.rpartition(".")[2] if widen else IN_TOTAL
    return FOLDER.reason("cut", False, {"on": widen or None}, path=limit, chars=utf16_len(part.text))


def bounds(
    settings: SettingLevers, total: int = DEFAULT_TOTAL_CHARS, own: Mapping[str, Json] | None = None
) -> tuple[int, int]:
    """The characters that a file may have, and all files together; an agent's `own` limits count first."""
    per_file, in_total = (
        positive((own or {}).get(name, settings.get(("agents", "defaults", name))), usual)
        for name, usual in ((PER_FILE, DEFAULT_MAX_CHARS), (IN_TOTAL, total))
    )
    return per_file, in_total


def _amount(entry: Entry, injection: Injection, max_chars: int, total: int) -> str:
    """How much of the file is in the prompt, in words."""
    if entry.withheld:
        return "left out here"
    if not injection.reached:
        return f"the files before it used up the total of {total:,} characters (bootstrapTotalMaxChars)"
    if not injection.parts:
        return "it is blank, so none of it is injected"
    if entry.stands_in:
        return f"{entry.absence}: a marker {'with its path ' * entry.missing}stands in for it"
    if injection.kept:
        head, *_, tail, length = injection.kept
        limit = PER_FILE if total - injection.used >= max_chars else IN_TOTAL
        cut = f"cut to its first {head:,} and last {tail:,} of {length:,} characters ({limit})"
        return f"{cut}, then clamped to what was left of the total" if injection.clamped else cut
    return WHOLE


def files(shown: Sequence[Context], limits: tuple[int, int], *, replaced: bool) -> Iterator[FileDraft]:
    """Every file of the loader: missing and refused ones are absent despite their marker.

    Those without room are present but empty.
    """
    for context in shown:
        entry = context.entry
        there = FOLDER.reason("there", not entry.missing, path=entry.path, absence=entry.absence)
        when = context.said_of(ANY_MODE & entry.when & there)
        if entry.refused:  # wherever a link leads
            remedy = f"put a file that OpenClaw reads in the place of {entry.path}"
            when = never(entry.path, entry.absence, remedy, is_near=False)
        if replaced:
            when = when & FOLDER.reason("replaced")
        content = "" if entry.stands_in else entry.content or ""
        yield FileDraft(
            path=entry.path,
            real_path=entry.real_path,
            kind="memory" if entry.name in MEMORY else "bootstrap",
            load="always",
            when=when,
            bytes=entry.bytes or len(content.encode("utf-8", "surrogatepass")),
            raw_chars=utf16_len(content),
            injected=context.injection.text,
            injected_chars=context.injection.chars,
            truncated=context.injection.lost,
            limits=limits_of(content, context.injection, *limits) if not entry.stands_in else (),
            stretches=tuple(stretches_of(content, context.injection)),
        )
