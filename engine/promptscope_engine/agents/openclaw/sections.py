"""The parts of the prompt in the agent's order (agent.toml, sections/), what they may name, then the messages."""

import hmac
from collections.abc import Iterable, Iterator
from hashlib import sha256

from msgspec.structs import replace

from promptscope_engine.agents.kit.earlier import drafted, named, sections
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.materials import NAMES, Context, Excerpt, Materials, Parameter, Prompt, literal
from promptscope_engine.agents.openclaw.params import CHANNELS
from promptscope_engine.agents.openclaw.texts import ANY_MODE, FOLDER, listed, spelling
from promptscope_engine.agents.openclaw.tools import bullet, summaries
from promptscope_engine.javascript.text import js_trim, splits_pair, utf16_slice
from promptscope_engine.prompt import drafts
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Named
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft, computed, label, param_value
from promptscope_engine.prompt.model import Lever

DRAFTED: Condition = drafted("a message")
HISTORY: Condition = named("sessionFile", "a session's file", ", or choose a turn of a conversation (o)")


def has_tool(materials: Materials, name: str) -> Condition:
    """The prompt is told about the tool."""
    prompt = materials.prompt
    yes, no = f"the tool {name} is there", f"there is no tool {name}"
    if name in materials.offered and not prompt.passes("toolNames"):
        return Named("tool", name, materials.offered[name], yes, f"{no} ({{inner}})")
    names = prompt.texts("toolNames")
    on = (Lever("promptParams.toolNames", [*names, name]),)
    off = (Lever("promptParams.toolNames", [known for known in names if known.lower() != name]),)
    return Fact("tool", name, name in {known.lower() for known in names}, yes, no, on=on, off=off)


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
        # what became of the file is the sentence; the mode and the session stay in the tree below it
        when = Named("file", path, ANY_MODE & context.why, context.amount)
        content = _content(context) if context.injection.parts else ()
        found.append(_section(f"project_context.{name}{suffix}", name, path, content, when))
    return found


def any_file(files: list[SectionDraft]) -> Condition:
    """There is a file to inject."""
    yes, no = "there are files to inject", "no file is injected"
    if not files:
        return Fact(
            "file", "context", False, yes, no, remedy="leave `bootstrapFiles` and `promptParams.contextFiles` out"
        )
    return Named("any", "context", AnyOf(tuple(file.when for file in files)), yes)


def any_soul(files: list[SectionDraft]) -> Condition:
    """There is a SOUL.md among them: in any case and behind either slash, missing or not."""
    paths = {str(file.heading).removeprefix("## "): file.when for file in files}
    souls = [when for path, when in paths.items() if path.replace("\\", "/").rpartition("/")[2].lower() == "soul.md"]
    if not souls:
        return Fact("file", "SOUL.md", False, "", "there is no SOUL.md", remedy="add a SOUL.md to the files")
    return Named("file", "SOUL.md", AnyOf(tuple(souls)), "there is a SOUL.md")


def _section(section_id: str, title: str, path: str, content: Iterable[Span], when: Condition) -> SectionDraft:
    """A file under its path; without content there is the heading alone."""
    lines = list(content)
    # a part of its own reads `\n## <path>`: one label, so that the heading is told from one inside a file
    spans = (label(f"\n## {path}"), *([label("\n"), *lines] if lines else ()))
    return SectionDraft(section_id, title, spans, heading=f"## {path}", when=when, parent="project_context")


def _content(context: Context) -> Iterator[Span]:
    whole = context.entry.content or ""
    for part_, lost in context.stretches:
        match part_:
            case Excerpt(text=text, start=int(start), end=int(end)):
                stretch: Iterable[Span] = [param_value("bootstrapFiles", text)]
                if context.entry.source is not None:
                    stretch = _stretch(context.entry.source, whole, text, start, end)
                yield from stretch if lost is None else drafts.guarded(stretch, lost)
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
        "soul": lambda: any_soul(files),
        **_tools(materials),
        "box": materials.sandbox,
        "chat": materials.chat,
        "heartbeat": materials.heartbeat,
        "reactions": materials.reactions,
        "speech": materials.speech,
        "bootstrapping": materials.bootstrapping,
        **_passed(materials),
        **_paths(materials),
        "facts": lambda: _facts(materials),
        "thinking": lambda: _level(prompt.parameter("defaultThinkLevel")),
        "reasoning_level": lambda: _level(prompt.parameter("reasoningLevel")),
    }
    return Scope(names, {"tool": lambda name: has_tool(materials, name), "passed": prompt.cause})


def _tools(materials: Materials) -> dict[str, object]:
    names = materials.prompt.texts("toolNames")
    return {
        "tools_known": lambda: has_tools(materials),
        "bullets": lambda: list(_bullets(materials)),
        "spelled": lambda: {name: label(spelling(name, names)) for name in ("exec", "process", "read")},
    }


def _bullets(materials: Materials) -> Iterator[Span]:
    """One line a tool; what a policy removed is among the absent, at its place."""
    present, told = materials.prompt.texts("toolNames"), summaries(materials)
    passed = materials.prompt.passes("toolNames")
    absent = [] if passed else [offer.name for offer in materials.offers]
    for key, name in listed([*present, *absent]):
        yield from bullet(key, name, told.get(key), ALWAYS if passed else materials.offered[key])


def _passed(materials: Materials) -> dict[str, object]:
    """What the scenario may pass in the place of what was gathered."""
    prompt, chat, heartbeat = materials.prompt, materials.chat, materials.heartbeat
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
        "channels": label("|".join(CHANNELS)),
        "hints": _lines(prompt, "messageToolHints", [hint for hint in prompt.value("messageToolHints") or [] if hint]),
        "spoken": prompt.cause("ttsHint", materials.speech.on),
        "extra": prompt.cause("extraSystemPrompt", chat.comes_by_channel | chat.group_prompt.because),
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
        yield label(f"{name}=", when=value.because)
        yield value.shown
        yield label(" | ", when=value.because)


def _level(level: Parameter) -> tuple[Span, Span]:
    return level.shown, label("off", when=~level.because)


def section_drafts(materials: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every part, present or not."""
    files = injected_files(materials)
    made = {"project_context": lambda: files, "conversation": lambda: _conversation(materials)}
    return tuple(FOLDER.sections(scope_of(materials, files), made))


def _conversation(materials: Materials) -> Iterator[SectionDraft]:
    """A section for each message of the session before, then the drafted one; two rows that say why there is none."""
    yield from sections(materials.history, materials.session_file, HISTORY)
    # [recorded] the words go as they are typed, without a clock or a sender before them
    words = (param_value("task", materials.message),)
    place = drafts.Place("message", 0)
    yield SectionDraft("user.task", "The user's message", words, when=DRAFTED, place=place, stability="turn")
