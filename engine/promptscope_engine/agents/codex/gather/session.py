"""What the session brings along: texts of the user's own, hooks, the environment, images, the body's options."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.codex.gates import Model
from promptscope_engine.agents.codex.materials import Image
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.heads import setting_spans
from promptscope_engine.agents.kit.disk.hooks import MOST, HookTable, each_hook, hooks_of, in_json, in_layer
from promptscope_engine.agents.kit.disk.settings import below, mapping
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.inputs.machine import zone_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft, ProgramDraft, Span, param_value, trimmed_file
from promptscope_engine.prompt.leaves import flag, given
from promptscope_engine.prompt.model import Endpoint
from promptscope_engine.wire.protocols import picture
from promptscope_engine.workspace.paths import path_in

from .settings import CodexSettings, Session, in_files, is_utf8, trimmed

FILE_KEY = "model_instructions_file"


class Text(Struct, frozen=True):
    """A text and the condition under which it is sent."""

    spans: tuple[Span, ...]
    when: Condition = ALWAYS


def own_base(session: Session) -> Text:
    """A base of the user's own: the file (relative to its settings; it has to have text), else the key."""
    settings, workspace = session.settings, session.workspace
    named, key = settings.text(FILE_KEY), settings.text("instructions")
    by_file = named.is_given("", "", yes=f"`{FILE_KEY}` names a file", no=f"`{FILE_KEY}` is not set")
    # An empty text does not bring the base back, and no switch takes a key out of a file.
    switched = replace(key, source=replace(key.source, overlay=None)) if key.value and key.source.path else key
    by_key = switched.is_given(
        "Work with care.", None, yes="`instructions` takes its place", no="`instructions` is not set"
    )
    if not named.value:
        if key.value == "":  # takes the base away [0.169.0]
            by_key = key.is_("", unset=None, yes="`instructions` is empty", no="`instructions` is not empty")
        return Text(setting_spans(key, workspace), by_key)
    path = session.path_of(named.value, settings.layer_of(FILE_KEY))
    file = workspace.read(path)
    whole = is_utf8(file.data)
    text = trimmed(file.text) if whole else ""
    remedy = f"write a text into {path}"
    read = Fact("file", path, bool(text), "it is read", "it is empty or missing", remedy=remedy)
    session.row(file, "instructions", "always", read, text)
    if not text:
        problem = "cannot be read" if not file.found else "is empty" if whole else "is not UTF-8"
        session.refuse(f"{path}, which `{FILE_KEY}` names, {problem}", named.source)
        return Text((), by_file)
    return Text((trimmed_file(path, file.text, text),), by_file)


def developer_text(session: Session) -> Text:
    """`developer_instructions`, exactly as written; a blank text is sent, an empty one not."""
    known = session.settings.text("developer_instructions")
    when = known.is_given("Answer in French.", "", no="`developer_instructions` is not set")
    return Text(setting_spans(known, session.workspace), when)


def memory_text(session: Session, switched_on: Condition) -> Text:
    """What earlier sessions learned, if the feature is on and there is a summary."""
    path = f"{session.codex_home}/memories/memory_summary.md"
    file = session.workspace.read(path)
    whole = is_utf8(file.data)
    text = trimmed(file.text) if whole else ""
    no = "there is no summary of memories" if not file.found else "it is blank" if whole else "it is not UTF-8"
    there = FOLDER.reason("memories", bool(text), path=path, lacks=no)
    used = session.settings.flag("memories", "use_memories", default=True)  # [source]
    when = switched_on & there & used.is_(True, unset=False, yes="memories are used", no="`use_memories` is off")
    if file.problem != "missing":
        session.row(file, "memory", "conditional", when, text)
    return Text((trimmed_file(path, file.text, text),) if text else (), when)


_BUDGET = ("features", "token_budget")


def window_guidance(session: Session) -> Text:
    """The user's own text on how to work across context windows."""
    own = in_files(session.settings.text(*_BUDGET, "guidance_message"))
    return Text(setting_spans(own, session.workspace), own.is_given("Take notes.", ""))


def guided_otherwise(session: Session) -> Condition:
    """Keys of the feature that take Codex's own text on it away [0.171.0]."""
    named = next((key for key in _GUIDING if session.settings.at(*_BUDGET, key) is not None), _GUIDING[0])
    known = session.settings.known(*_BUDGET, named)
    key = known.source.key
    yes, no = f"`{key}` is set", f"`{key}` is not set"
    return Fact("flag", key, known.value is not None, yes, no, source=known.source)


_GUIDING = (
    "guidance_message", "reminder_threshold_tokens", "reminder_message_template", "auto_compact_fallback_prompt",
    "auto_compact_fallback_buffer_tokens",
)  # fmt: skip

# --- hooks: whether one would run, and what it is imagined to print. None is ever run. --------------------------------

EVENTS = ("SessionStart", "UserPromptSubmit")


def hooks(session: Session, folders: Sequence[str], on: Condition) -> tuple[dict[str, Text], list[ProgramDraft]]:
    """What those of an event add, and each hook. `folders`: those of the settings; hooks are in each [source]."""
    path = f"{session.codex_home}/hooks.json"
    trusted = flag("args.bypassHookTrust", yes="hooks run without being trusted", no="you haven't trusted the hooks")
    required = session.requirements
    free = FOLDER.reason("free_hooks", not required.only_own_hooks)
    own = on & trusted & free
    tables = [
        HookTable(required.layer.path, "required", required.layer.table("hooks"), on, in_layer(required.layer)),
        *(
            HookTable(each.path, each.kind, each.table("hooks"), own, in_layer(each))
            for each in session.settings.layers
        ),
    ]
    for file in (f"{folder}/hooks.json" for folder in folders):
        values = mapping(mapping(_read(file, session, trusted)).get("hooks"))
        line = in_json(session.workspace.read(file))
        tables.append(HookTable(file, "", values, own, line))
    found = {}
    for event in EVENTS:
        named = any(_names(table.values, event) for table in tables[1:])
        ok = FOLDER.reason("hook", named, file=path, event=event)
        theirs = FOLDER.reason("required_hook", _names(tables[0].values, event), event=event)
        output = getattr(session.params.hooks, event) or ""
        text = added(output)
        says = given(f"hooks.{event}", yes="the scenario gives its output", no="the scenario gives no output for it")
        empty = FOLDER.reason("prints", bool(text) or not output, event=event)
        spans = (param_value(f"hooks.{event}", text),) if text else ()
        found[event] = Text(spans, on & (theirs | (ok & trusted & free)) & says & empty)
    return found, [*islice(hooks_of(tables, FOLDER.agent["hook_events"], _fits), MOST)]


def _read(path: str, session: Session, trusted: Condition) -> Json:
    """The JSON object of a file of hooks, None where there is none; it counts where its hooks are trusted."""
    file = session.workspace.read(path)
    values: Json = None
    problem: str | None = None
    if file.found:
        try:
            values = json.loads(file.text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            problem = f"it is not JSON: {error}"
        else:
            problem = too_deep(values) if isinstance(values, dict) else "it is not a JSON object"
    if problem:
        values = None
        session.warn("bad-hooks", problem, path, 1)
    if file.problem != "missing":
        readable = FOLDER.reason("hooks", values is not None, path=path, problem=problem or file.detail)
        has_some = any(_names(mapping(mapping(values).get("hooks")), event) for event in EVENTS)
        session.row(file, "settings", "always", readable & trusted if has_some else readable)
    return values


def added(output: str) -> str:
    """What a hook's output adds for the model: the text, or the additionalContext of JSON.

    What begins like JSON and is not an object adds nothing: a text is not made of a mistake [source].
    """
    text = trimmed(output)
    if not text.startswith(("{", "[")):
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    context = below(value, ("hookSpecificOutput", "additionalContext"))
    return trimmed(context) if isinstance(context, str) else ""


def _fits(matcher: str, subject: str) -> bool:
    """Whether a matcher names the kind of session [source]."""
    return ".*" in matcher or subject in re.split(r"[^a-z_]+", matcher.lower())


def _names(values: Mapping[str, Json], event: str) -> bool:
    """Whether a command is set for the event. One for the start of a session can be kept to some kinds [source]."""
    return any(
        hook.event == event
        and not hook.is_bare
        and hook.values.get("type") == "command"
        and bool(hook.values.get("command"))
        and (event != "SessionStart" or hook.matcher in ("", "*") or _fits(hook.matcher, "startup"))
        for hook in each_hook(values)
    )


_SHELLS = {"zsh": "zsh", "bash": "bash", "sh": "sh", "pwsh": "powershell", "powershell": "powershell", "cmd": "cmd"}
MAX_IMAGE = 20 * 1024 * 1024
_TIERS = {"fast": "priority"}


def environment(inputs: Inputs, cwd: str | None) -> dict[str, str | None]:
    """The lines of the environment context. `SHELL` is not consulted, `TZ` moves the date alone."""
    given = inputs.environment
    name = (given.shell or "").rpartition("/")[2].removesuffix(".exe")
    # Another login shell is passed over for the one that the system has [source].
    shell = _SHELLS.get(name, "zsh" if given.platform == "darwin" else "bash")
    date = _date(given.date, inputs.env.get("TZ"))
    utc = _date(given.date, "UTC")
    return {"cwd": cwd, "shell": shell, "current_date": date, "current_date_utc": utc, "timezone": given.timezone}


def _date(date: str | None, zone: str | None) -> str | None:
    if date is None:
        return None
    at, place = datetime.fromisoformat(date), zone_of(zone)  # the scenario was checked
    with suppress(OverflowError):
        at = at.astimezone(place) if at.tzinfo and place else at
    return at.date().isoformat()


def images(session: Session) -> tuple[Image, ...]:
    """The images of `--image`, as data URLs. In the place of one that cannot be read a text says so [source]."""
    found: list[Image] = []
    for number, path in enumerate(session.params.args.images, 1):
        full = path_in(session.cwd, path)
        file = session.workspace.read(full)
        image = picture(file.data) if file.found and file.size <= MAX_IMAGE else None
        why = "it is not an image" if file.found else f"it cannot be read: {file.detail}"
        there = FOLDER.reason("image", image is not None, path=full, why=why)
        session.files.append(FileDraft(full, file.real_path, "image", "always", there, file.size))
        found.append(Image(number, path, f"data:{image[0]};base64,{image[1]}" if image else ""))
        if image is None:
            session.warn("image", f"the image does not go with the prompt: {why}", full)
    return tuple(found)


def options(session: Session, model: Model) -> dict[str, Json]:
    """The body's keys besides input and tools."""
    settings = session.settings
    made: dict[str, Json] = {"model": model.name, "tool_choice": "auto", "parallel_tool_calls": not model.lite}
    made["reasoning"] = _reasoning(model, settings)
    text: dict[str, Json] = {}
    if model.verbosity is not None:
        text["verbosity"] = settings.text("model_verbosity").value or model.verbosity
    schema = _output_schema(session)
    if schema is not None:
        text["format"] = {"type": "json_schema", "strict": True, "schema": schema, "name": "codex_output_schema"}
    made["text"] = text or None
    made |= {"store": False, "stream": True, "include": ("reasoning.encrypted_content",)}
    tier = settings.text("service_tier").value
    made["service_tier"] = _TIERS.get(tier, tier) if tier else None
    return made


def _reasoning(model: Model, settings: CodexSettings) -> dict[str, Json]:
    """`ultra` is sent as `xhigh`; a summary only where one is asked for, or for a model that is not known."""
    effort = settings.text("model_reasoning_effort").value or model.effort
    summary = settings.text("model_reasoning_summary").value or (None if model.known else "auto")
    made: dict[str, Json] = {}
    if effort:
        made["effort"] = "xhigh" if effort == "ultra" else effort
    if summary and summary != "none":
        made["summary"] = summary
    if model.lite:
        made["context"] = "all_turns"
    return made


def _output_schema(session: Session) -> Json:
    """The schema of the answer. Codex does not start if its file holds none."""
    given = session.params.args.outputSchema
    if given is None or isinstance(given, Mapping):
        return given
    path = path_in(session.cwd, given)
    file = session.workspace.read(path)
    try:
        value: Json = json.loads(file.text) if file.found else None
    except (ValueError, RecursionError):
        value = None
    if value is None or too_deep(value):
        session.refuse(f"{path}, the schema of the answer, is not valid JSON", path)
        return None
    return value


def endpoint_of(session: Session, *, chatgpt: bool) -> Endpoint:
    """Where the request goes: `[[endpoints]]` of agent.toml."""
    provider = session.settings.text("model_provider").value or "openai"
    table = session.settings.table("model_providers", provider)
    query = urlencode({key: str(value) for key, value in mapping(table.get("query_params")).items()})
    facts = {"provider": provider, "chatgpt": chatgpt, "query": query and f"?{query}"}
    key, own = f"model_providers.{provider}.base_url", session.settings.text("openai_base_url").value
    return endpoint(FOLDER.agent["endpoints"], facts, {key: table.get("base_url"), "openai_base_url": own})
