"""The parts of the prompt in the agent's order (agent.toml, sections/), what they may name, then the messages."""

import hmac
from collections.abc import Iterable, Iterator
from hashlib import sha256

from msgspec.structs import replace

from promptscope_engine.agents.kit.sessions.earlier import drafted, named
from promptscope_engine.agents.kit.sessions.earlier import sections as said_before
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.openclaw.directory import described, row, row_conditions
from promptscope_engine.agents.openclaw.materials import NAMES, Context, Excerpt, Materials, Parameter, Prompt, literal
from promptscope_engine.agents.openclaw.params import CHANNELS
from promptscope_engine.agents.openclaw.texts import ANY_MODE, BOUNDARY, FOLDER, NEWER, listed, spelling
from promptscope_engine.agents.openclaw.tools import bullet, summaries
from promptscope_engine.javascript.text import js_trim, splits_pair, utf16_slice
from promptscope_engine.prompt import drafts
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft, computed, guarded, label, param_value
from promptscope_engine.prompt.leaves import EXAMPLE, given
from promptscope_engine.prompt.model import Lever

DRAFTED: Condition = drafted("a message")
HISTORY: Condition = named("sessionFile", "a session's file", ", or choose a turn of a conversation (o)")


_SENT_BY = (
    "feishu", "googlechat", "nostr", "buzz", "msteams", "mattermost", "nextcloud-talk", "matrix", "raft", "a2a",
    "line", "zalo", "clickclack", "zalouser", "sms", "synology-chat", "tlon", "discord", "imessage", "irc", "reef",
    "signal", "slack", "telegram", "twitch", "whatsapp",
)  # fmt: skip
"""The ids by which the message tool names channels, in the order of the package."""


def has_tool(materials: Materials, name: str) -> Condition:
    """The prompt is told about the tool."""
    prompt = materials.prompt
    yes, no = f"the tool {name} is there", f"there is no tool {name}"
    if name in materials.offered and not prompt.passes("toolNames"):
        return Named("tool", name, materials.offered[name], yes, f"{no} ({{inner}})")
    names = prompt.texts("toolNames")
    on = (Lever("promptParams.toolNames", [*names, name]),)
    off = (Lever("promptParams.toolNames", [known for known in names if known.lower() != name]),)
    remedy = "add it to `promptParams.toolNames` of the scenario"
    return Fact("tool", name, name in {known.lower() for known in names}, yes, no, on=on, off=off, remedy=remedy)


def is_visible(materials: Materials, name: str) -> Condition:
    """The tool is sent, and does not wait."""
    found = has_tool(materials, name)
    waits = next((each.waits for each in materials.offers if each.key == name and each.waits), None)
    if waits is None or materials.prompt.passes("toolNames"):
        return found
    yes, no = f"the tool {name} is sent", f"the tool {name} is not sent ({{inner}})"
    return Named("tool", name, found & ~waits, yes, no)


def has_tools(materials: Materials) -> Condition:
    """The prompt is told about any tool at all."""
    prompt = materials.prompt
    names = prompt.texts("toolNames")
    yes, no = "tools are known", "no tool is known"
    passed = prompt.passes("toolNames")
    param, some = ("promptParams.toolNames", ["read"]) if passed else ("tools", None)
    return Fact("tool", "any", bool(names), yes, no, on=(Lever(param, some),), off=(Lever(param, []),))


def injected_files(materials: Materials) -> list[SectionDraft]:
    """A section for each file."""
    if materials.prompt.value("contextFiles") is not None:
        return list(_passed_files(materials))
    names: dict[str, int] = {}
    found = []
    for context in materials.contexts:
        name, path = context.entry.name, context.entry.path
        names[name] = names.get(name, 0) + 1
        suffix = f".{names[name]}" if names[name] > 1 else ""
        when = context.said_of(ANY_MODE & context.why)
        content = _content(context) if context.injection.parts else ()
        found.append(_section(f"project_context.{name}{suffix}", name, path, content, when))
    return found


def any_file(files: list[SectionDraft]) -> Condition:
    """There is a file to inject."""
    if not files:
        return FOLDER.reason("injected")
    return Named("any", "context", AnyOf(tuple(file.when for file in files)), "there are files to inject")


def any_named(files: list[SectionDraft], name: str) -> Condition:
    """There is a file of the name among them: in any case and behind either slash, missing or not."""
    paths = {str(file.heading).removeprefix("## "): file.when for file in files}
    found = [at for path, at in paths.items() if path.replace("\\", "/").rpartition("/")[2].lower() == name.lower()]
    if not found:
        return Fact("file", name, False, "", f"there is no {name}", remedy=f"add a {name} to the files")
    return Named("file", name, AnyOf(tuple(found)), f"there is a {name}")


def _section(section_id: str, title: str, path: str, content: Iterable[Span], when: Condition) -> SectionDraft:
    """A file under its path; without content there is the heading alone."""
    lines = list(content)
    # a part of its own reads `\n## <path>`: one label, so that the heading is told from one inside a file
    spans = (label(f"\n## {path}"), *([label("\n"), *lines] if lines else ()))
    return SectionDraft(section_id, title, spans, heading=f"## {path}", when=when, parent="project_context")


def _content(context: Context) -> Iterator[Span]:
    entry, whole = context.entry, context.entry.content or ""
    for part_, lost in context.stretches:
        match part_:
            case Excerpt(text=text, start=int(start), end=int(end)):
                stretch: Iterable[Span] = [param_value("bootstrapFiles", text)]
                verbatim = utf16_slice(whole, start, end) == text and entry.whole is None
                if entry.source is not None and verbatim:
                    stretch = _stretch(entry.source, whole, text, start, end)
                elif entry.source is not None:
                    first = 1 if entry.whole else 1 + utf16_slice(whole, 0, start).count("\n")
                    stretch = drafts.traced_lines(entry.source, entry.whole or whole, text, first, "bootstrap.line")
                yield from stretch if lost is None else drafts.guarded(stretch, lost)
            case Excerpt(of_file=True) if entry.source is not None:
                yield from drafts.traced_lines(entry.source, whole, part_.text, 1, "bootstrap.line")
            case _:
                yield label(part_.text)


def _stretch(path: str, whole: str, text: str, start: int, end: int) -> Iterator[Span]:
    """Lines of the file; half a surrogate pair at either end is not in the file as it is."""
    first = 1 + utf16_slice(whole, 0, start).count("\n")
    head, tail = splits_pair(whole, start), splits_pair(whole, end)
    inner = text[int(head) : len(text) - int(tail)]
    if head:
        yield computed("half a surrogate pair", "\ufffd")
    if inner:
        yield drafts.file_text(path, inner, first)
    if tail:
        yield computed("half a surrogate pair", "\ufffd")


def _passed_files(materials: Materials) -> Iterator[SectionDraft]:
    """The scenario's own files: one with a blank path is dropped, an empty one leaves just its heading."""
    files = [file for file in materials.prompt.value("contextFiles") if js_trim(file.get("path") or "")]
    for number, file in enumerate(files, 1):
        path, content = file["path"], file.get("content") or ""
        lines = [param_value("promptParams.contextFiles", content)] if content else []
        when = ANY_MODE & materials.prompt.cause("contextFiles")
        yield _section(f"project_context.given.{number}", path, path, lines, when)


HASH_CHARS = 12


def scope_of(materials: Materials, files: list[SectionDraft]) -> Scope:
    """What texts may name; `files` are those that are injected."""
    prompt = materials.prompt
    names = {
        "passes": {name: prompt.passes(name) for name in NAMES},
        "prompt": lambda: {name: prompt.spans(name) for name in NAMES},
        "injected": lambda: any_file(files),
        "soul": lambda: any_named(files, "SOUL.md"),
        "memory_there": lambda: any_named(files, "MEMORY.md"),
        "user_there": lambda: any_named(files, "USER.md"),
        **_tools(materials),
        "box": materials.sandbox,
        "chat": materials.chat,
        "heartbeat": materials.heartbeat,
        "reactions": materials.reactions,
        "speech": materials.speech,
        "bootstrapping": materials.bootstrapping,
        **_passed(materials),
        **_paths(materials),
        "facts": lambda: list(_facts(materials)),
        "thinking": lambda: _level(prompt.parameter("defaultThinkLevel")),
        "reasoning_level": lambda: _level(prompt.parameter("reasoningLevel")),
        "drafted": DRAFTED,
        "words": lambda: param_value("task", materials.message),
        **materials.more,
    }
    words = {
        "tool": lambda name: has_tool(materials, name),
        "visible": lambda name: is_visible(materials, name),
        "passed": prompt.cause,
    }
    return Scope(names, words, version=materials.version)


def _tools(materials: Materials) -> dict[str, object]:
    names = materials.prompt.texts("toolNames")
    return {
        "tools_known": lambda: has_tools(materials),
        "tools_visible": lambda: _any_visible(materials),
        "bullets": lambda: list(_bullets(materials)),
        "directory": lambda: list(_rows(materials)),
        "spelled": lambda: {name: label(spelling(name, names)) for name in ("exec", "process", "read")},
    }


def _bullets(materials: Materials) -> Iterator[Span]:
    """One line a tool; what a policy removed is among the absent, at its place, and what waits is elsewhere."""
    present, told, version = materials.prompt.texts("toolNames"), summaries(materials), materials.version
    passed = materials.prompt.passes("toolNames")
    absent = [] if passed else [offer.name for offer in materials.offers]
    waits = {offer.key: offer.waits for offer in materials.offers if offer.waits}
    for key, name in listed([*present, *absent], version):
        when = ALWAYS if passed else materials.offered[key]
        if key in waits and not passed:
            when = when & ~waits[key]
        yield from bullet(key, name, told.get(key), when, version=version)


def _any_visible(materials: Materials) -> Condition:
    """A tool is sent."""
    sent = (offer.when & ~offer.waits if offer.waits else offer.when for offer in materials.offers)
    passed = materials.prompt.passes("toolNames")
    known = bool(materials.prompt.texts("toolNames")) if passed else any(each.holds(Facts()) for each in sent)
    return FOLDER.reason("any_sent", known)


def _rows(materials: Materials) -> Iterator[Span]:
    """The directory's rows, those of absent tools too."""
    most = materials.row_chars or 0
    left = materials.rows
    for offer, when in row_conditions(materials.offers):
        is_there = when.holds(Facts())
        if is_there and not left:
            return
        left -= is_there
        yield from guarded(row(offer, described(offer, materials.version), most), when)


def _passed(materials: Materials) -> dict[str, object]:
    """What the scenario may pass in the place of what was gathered."""
    prompt, chat, heartbeat = materials.prompt, materials.chat, materials.heartbeat
    spawned = given("spawn", example={"task": EXAMPLE})
    told = chat.comes_by_channel | chat.group_prompt.because | spawned
    owners, secret = prompt.texts("ownerNumbers"), prompt.text("ownerDisplaySecret")
    # one value of several lines: an empty line inside does not separate, and stays
    aliases = "\n".join(prompt.value("modelAliasLines") or [])
    return {
        "skilled": prompt.cause("skillsPrompt", materials.has_skills),
        "skills": lambda: prompt.spans("skillsPrompt", materials.skills),
        "citations_off": prompt.has("memoryCitationsMode", "off", materials.citations_off),
        "aliases": _lines(prompt, "modelAliasLines", [aliases] if aliases else []),
        "reasoning": prompt.has("reasoningTagHint", True, prompt.cause("reasoningTagHint")),
        "beats": prompt.cause("heartbeatPrompt", heartbeat.passed),
        "default_heartbeat": False if prompt.passes("heartbeatPrompt") else heartbeat.passed & ~heartbeat.configured,
        "hashed": prompt.has("ownerDisplay", "hash", materials.hashed),
        "hashes": lambda: computed("ownerNumbers", ", ".join(hashed(owner, secret) for owner in owners)),
        "owners": prompt.says("ownerNumbers", ", ".join(owners)),
        "channels": label("|".join(_SENT_BY if materials.version >= NEWER else CHANNELS)),
        "hints": _lines(prompt, "messageToolHints", [hint for hint in prompt.value("messageToolHints") or [] if hint]),
        "spoken": prompt.cause("ttsHint", materials.speech.on),
        "extra": prompt.cause("extraSystemPrompt", told),
        "told": told,
        "notes": _lines(prompt, "workspaceNotes", prompt.texts("workspaceNotes")),
    }


def hashed(owner: str, secret: str | None) -> str:
    """The first digits of the owner's SHA-256, or of its HMAC where there is a secret."""
    data = owner.encode("utf-8", "surrogatepass")
    digest = hmac.new(secret.encode(), data, sha256) if secret else sha256(data)
    return digest.hexdigest()[:HASH_CHARS]


def _paths(materials: Materials) -> dict[str, object]:
    prompt, box = materials.prompt, materials.sandbox
    inside, host = js_trim(str(box.workdir.value)), literal(str(prompt.value("workspaceDir") or ""))
    return {
        "mount": label(f" (mounted at {box.mount.value})"),
        "workdir": replace(box.workdir, value=inside).shown,
        "inside": label(inside),
        "host_dir": prompt.says("workspaceDir", host),
        "host": label(host),
    }


def _lines(prompt: Prompt, name: str, lines: list[str]) -> list[Span]:
    """Lines of a parameter, each with the break before it."""
    return [span for line in lines for span in (label("\n"), prompt.says(name, line))]


def _facts(materials: Materials) -> Iterator[Span]:
    for name, value in materials.runtime:
        is_first = materials.version < NEWER or name == "name"
        yield label(f"{name}=" if is_first or name == "agent" else f" | {name}=", when=value.because)
        yield value.shown
        if is_first:
            yield label(" | ", when=value.because)


def _level(level: Parameter) -> tuple[Span, Span]:
    return level.shown, label("off", when=~level.because)


def section_drafts(materials: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every part, present or not."""
    files = injected_files(materials)
    scope = scope_of(materials, files)
    made = {
        "begin": lambda: [_mark("stable", "The part that stays", _BEGIN)],
        "project_context": lambda: _in_two_parts(files, materials),
        "boundary": lambda: _boundary(materials),
        "end": lambda: [_mark("end", "End of the part of this turn", f"\n{MARK.format('/', 'DYNAMIC')}", DYNAMIC)],
        "conversation": lambda: _conversation(materials, scope),
    }
    return tuple(FOLDER.sections(scope, made))


# --- the two parts ----------------------------------------------------------------------------------------------------

DYNAMIC = "dynamic"
MARK = "<!-- {}openclaw:attempt:{} -->"
_BEGIN = MARK.format("", "STABLE") + "\n"


def _mark(name: str, title: str, text: str, block: str = "system") -> SectionDraft:
    place = drafts.Place(block)
    return SectionDraft(f"part.{name}", title, (label(text),), when=ANY_MODE, place=place, stability="static")


def _between() -> Iterator[SectionDraft]:
    yield _mark("stable_end", "End of the part that stays", f"\n{MARK.format('/', 'STABLE')}\n")
    yield _mark("dynamic", "The part of this turn", MARK.format("", "DYNAMIC"), DYNAMIC)


def _boundary(materials: Materials) -> Iterator[SectionDraft]:
    """The end of the part that stays and the beginning of the other, unless a file that contains the line moved it."""
    if materials.boundary is None:
        yield from _between()
    else:
        yield _mark("boundary", "The boundary, which a file has moved", "\n\n", DYNAMIC)


def _in_two_parts(files: list[SectionDraft], materials: Materials) -> Iterator[SectionDraft]:
    """The files, with the boundary within the one that contains it."""
    behind = False
    for file in files:
        if file.heading != f"## {materials.boundary}":
            yield replace(file, place=drafts.Place(DYNAMIC)) if behind else file
            continue
        behind = True
        before, after = _split(file.spans)
        yield replace(file, spans=before)
        yield from _between()
        if after:
            id_ = f"{file.id}.rest"
            title = f"The rest of {file.title}"
            place = drafts.Place(DYNAMIC)
            yield replace(file, id=id_, title=title, spans=after, heading=None, parent=file.id, place=place)


def _split(spans: Iterable[Span]) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans before the boundary's line and behind it, without the breaks around it."""
    before: list[Span] = []
    after: list[Span] | None = None
    for span in spans:
        text, found, rest = span.text.partition(BOUNDARY) if after is None else ("", "", span.text)
        first = span.origin.start_line or 1
        if after is None:
            text = text.rstrip("\n") if found else text
            before += [_piece(span, text, first)] if text else []
            after = [] if found else None
            first += span.text[: len(span.text) - len(rest)].count("\n")
        if after is not None:
            lead = len(rest) - len(rest.lstrip("\n")) if not after and found else 0
            rest = rest[lead:]
            after += [_piece(span, rest, first + lead)] if rest else []
    if after:  # each part is trimmed, and then put between its lines
        after.insert(0, label("\n"))
    return tuple(before), tuple(after or ())


def _piece(span: Span, text: str, first: int) -> Span:
    if span.origin.kind == "file" and span.origin.path is not None:
        return drafts.file_text(span.origin.path, text, first, when=span.when)
    return replace(span, text=text)


# --- the messages -----------------------------------------------------------------------------------------------------


def _conversation(materials: Materials, scope: Scope) -> Iterator[SectionDraft]:
    """A section for each message of the session before; a row that says why there is none."""
    line = FOLDER.spans("moved_line", scope) if materials.version >= NEWER else []
    for section in said_before(materials.history, materials.session_file, HISTORY):
        if section.place.role == "user" and line and materials.history:
            section, line = replace(section, spans=(*section.spans, *line)), []
        yield section
