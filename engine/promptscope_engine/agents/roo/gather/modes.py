"""The modes: as they are defined (bundled/modes, `.roomodes`, `custom_modes.yaml`), on offer and in force.

A file may replace the prompt of one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial, reduce
from itertools import islice
from operator import getitem
from pathlib import Path as FilePath
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.agents.kit.disk.settings_schema import UNKNOWN, Schema, dotted, load_schema
from promptscope_engine.agents.kit.text.folder import Bundled
from promptscope_engine.agents.roo.gather.found import Found, counts, file_diagnostic
from promptscope_engine.agents.roo.materials import Mode, Override
from promptscope_engine.agents.roo.params import CustomModePrompt, GivenMode, RooParams
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.formats.document import FormatError, Json, Parsed, Path
from promptscope_engine.formats.yaml import CORE, YamlError, read_yaml
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json, truthy
from promptscope_engine.javascript.regexp import compiles
from promptscope_engine.javascript.text import js_trim, well_formed
from promptscope_engine.nearest import meant, nearest
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import Span, builtin, file_text, param_value, traced_lines
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, FileLimit, Lever, Origin, SettingSource, Severity
from promptscope_engine.prompt.spans import Spans, joined, replaced_in_javascript, trimmed_spans
from promptscope_engine.workspace import FileText, Workspace

HELD_TO_PATTERN = ("apply_diff", "write_to_file", "insert_content", "search_and_replace")
"""The tools whose path has to match. Roo knows by their parameters that they edit; it misses generate_image."""

_TEXTS = {"roleDefinition": "role", "whenToUse": "when_to_use", "customInstructions": "custom_instructions"}
"""What a mode that comes along calls its texts, by the keys of a modes file."""
BUILT_IN, GIVEN = "built in", "given"

_IN_MODE, _IN_GROUP = 3, 4  # parts of the paths `customModes[0].slug`, `customModes[0].groups[0]`


class KnownMode(Struct, frozen=True):
    """A mode; its `texts` by the keys of a modes file. `source`: `built in`, `given`, `project` or `global`.

    `limit` is the pattern of files it may edit, with its description. `lines` are where texts, groups and the pattern
    begin in the file.
    """

    slug: str
    name: str
    groups: tuple[str, ...]
    texts: Mapping[str, str]
    source: str = BUILT_IN
    limit: tuple[str, str | None] | None = None
    file: FileText | None = None
    lines: Mapping[str, int] = {}

    @property
    def path(self) -> str:
        """The file as it is shown."""
        return ".roomodes" if self.source == "project" else self.file.path if self.file else ""

    def spans(self, key: str, text: str) -> Iterator[Span]:
        """`text`, a stretch from the start of one of the mode's texts, with its origins."""
        if self.file is not None:
            yield from traced_lines(self.path, self.file.text, text, self.lines[key], f"{self.slug}.{key}")
        elif self.source == GIVEN:
            yield param_value(f"customModes.{self.slug}.{key}", text)
        else:
            yield builtin(f"mode.{self.slug}.{_TEXTS[key]}", text)

    def setting(self, key: str) -> SettingSource | None:
        """Where a person edits one of the mode's values; None for one that comes along."""
        if self.source == GIVEN:
            return SettingSource("customModes", overlay="customModes")
        if self.file is None:
            return None
        shown = ".roomodes" if self.source == "project" else "custom_modes.yaml"
        line = self.lines.get(key) or self.lines["groups"]
        return SettingSource(key, self.path, shown, line, key in self.lines)

    @property
    def edits_only(self) -> FileLimit | None:
        """The files that the group edit is limited to."""
        return FileLimit(*self.limit, HELD_TO_PATTERN, self.setting("fileRegex")) if self.limit else None


def _built_in(along: Bundled) -> KnownMode:
    head, own = along.head, {"role": along.text, **along.forms}
    texts = {key: own[form] for key, form in _TEXTS.items() if form in own}
    limit = (head["edits_only"], head["edits_named"]) if "edits_only" in head else None
    return KnownMode(along.name, head["name"], tuple(head["groups"].split()), texts, limit=limit)


BUILT_IN_MODES = {name: _built_in(mode) for name, mode in FOLDER.bundled("modes", FOLDER.versions[-1]).items()}
"""Those that come along, by slug, in Roo's order."""
DEFAULT_MODE = next(iter(BUILT_IN_MODES))
"""defaultModeSlug, also the fallback for an unknown slug: the first one, architect and not code."""


GROUPS = ("read", "edit", "browser", "command", "mcp", "modes")


@cache
def schema() -> Schema:
    """What Roo takes of the files of modes and of servers; it passes over other keys."""
    return load_schema(FilePath(__file__).parents[1] / "settings.json")


MAX_TOLD = 20
"""Keys of one file that are told about."""

_MEANT = {
    "terminal": "command", "shell": "command", "bash": "command", "execute": "command",
    "write": "edit", "files": "read", "web": "browser", "filePattern": "fileRegex",
}  # fmt: skip
"""Words that are no near spelling of what they are used for."""


def unread_keys(document: Parsed) -> Iterator[tuple[Path, str]]:
    """(place, message) of what no code of Roo looks at: keys, the first of its name on each level, and patterns."""
    yield from islice(_patterns_without_effect(document.value), MAX_TOLD)
    first: dict[tuple[int, str | int], Path] = {}
    for finding in schema().findings(document.value):
        if finding.kind in UNKNOWN:
            first.setdefault((len(finding.path), finding.path[-1]), finding.path)
    mode, options = (tuple(key.rstrip("!") for key in schema().named[name]) for name in ("Mode", "Options"))
    for path in islice(first.values(), MAX_TOLD):
        known = ("customModes",) if len(path) == 1 else mode if len(path) == _IN_MODE else options
        # A pattern of files is beside the group: the keys of its options are near ones, too.
        key, near = str(path[-1]), (*known, *options) if known is mode else known
        where = " (in a group's options: `[edit, {fileRegex: …}]`)" if "fileRegex" in _near(key, near) else ""
        yield path, f"Roo reads no key `{key}` here{_meant(key, near)} (known: {', '.join(known)}){where}"


def _patterns_without_effect(settings: Json) -> Iterator[tuple[Path, str]]:
    for place, group, options in _group_options(settings):
        if group in GROUPS and group != "edit" and isinstance(options, Mapping) and "fileRegex" in options:
            message = f"`fileRegex` limits the group edit alone: the group {group} stays without limits"
            yield (*place, "fileRegex"), message


def _group_options(settings: Json) -> Iterator[tuple[Path, Json, Json]]:
    """The place of the options of each group that has any, the group's name, the options."""
    modes = mapping(settings).get("customModes")
    for number, mode in enumerate(modes if isinstance(modes, list) else ()):
        groups = mapping(mode).get("groups")
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            if isinstance(group, list) and len(group) > 1:
                yield ("customModes", number, "groups", at, 1), group[0], group[1]


def _group_hint(path: Path, settings: Json) -> str:
    """What may have been meant where the schema refused the name of a group; "" for any other place."""
    if len(path) < _IN_GROUP or path[2] != "groups":
        return ""
    name = reduce(getitem, path, settings)
    return _meant(name, GROUPS) if isinstance(name, str) and name not in GROUPS else ""


def _meant(written: str, known: Iterable[str]) -> str:
    """The nearest known name, to be behind a statement."""
    return "".join(f"; did you mean {name}?" for name in _near(written, known))


def _near(written: str, known: Iterable[str]) -> tuple[str, ...]:
    names = tuple(known)
    usual = _MEANT.get(written)
    return (usual,) if usual in names else nearest(written, names, 1)


MAX_MODES = 500
"""Modes of one file: the largest collections that are shared have under two hundred."""

# What a text editor makes of plain characters, undone everywhere in the file, inside prose too.
_ODD = {
    0x00A0: " ",
    **dict.fromkeys(range(0x200B, 0x200E)),
    **dict.fromkeys((0x2018, 0x2019), "'"),
    **dict.fromkeys((0x201C, 0x201D), '"'),
    **dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-"),
}


def group_name(entry: Json) -> str:
    """A group's name, with or without options."""
    return str(entry[0] if isinstance(entry, list) else entry)


class _Problem(Struct, frozen=True):
    code: str
    message: str
    line: int | None


def mode_file(workspace: Workspace, path: str, shown: str, *, project: bool) -> Found[tuple[KnownMode, ...]]:
    """The modes of `.roomodes` (`project`) or of the global file; one bad mode drops the whole file."""
    file = workspace.read(path)
    values, problems = parse_modes(file.text, project) if file.found else ([], [])
    modes = tuple(_known(value, n, lines, file, project) for n, (value, lines) in enumerate(values))
    no, remedy = f"{shown} defines no mode", f"add a mode to `customModes` in {shown}"
    if problems:
        first = problems[0]
        place = f"{shown}:{first.line}" if first.line else shown
        no, remedy = f"{shown} is not valid", f"correct {place} ({first.message})"
    yes = f"{shown} defines {'1 mode' if len(modes) == 1 else f'{len(modes)} modes'}"
    read = Fact("file", shown, bool(modes), yes, no, remedy=remedy)
    when = counts(shown, file, read, " with a list `customModes`")
    draft = file_row(file, "roomodes", "always", when, shown=shown if project else None)
    return Found(modes, (draft,), tuple(_diagnostics(file, shown, project, problems)))


def _diagnostics(file: FileText, shown: str, project: bool, problems: list[_Problem]) -> Iterator[Diagnostic]:
    path = file.path
    if file.problem not in (None, "missing"):
        yield file_diagnostic(path, file)
    # The errors of the global file are only logged, so they are no more than a warning.
    severity: Severity = "error" if project else "warning"
    for each in problems:
        text = f"{each.message}; no mode of {shown} is used"
        yield Diagnostic(severity, each.code, text, path, each.line)
    if problems and not project:
        yield Diagnostic("info", "modes-only-logged", "Roo only logs what is wrong with the global modes file", path)
    for line, message in unread_of(file.text, project) if file.found else ():
        yield Diagnostic("warning", "modes-unread-key", f"{shown}: {message}", path, line)


def parse_modes(text: str, project: bool) -> tuple[list[tuple[Json, Parsed]], list[_Problem]]:
    """The valid modes of a file's text, each with the document that tells its lines, or what is wrong with it."""
    try:
        document = _parse(text, project)
    except FormatError as error:
        return [], [_Problem("modes-yaml-syntax", f"YAML syntax error: {error.message}", error.line)]
    settings = document.value
    if not isinstance(settings, dict) or not truthy(settings.get("customModes")):
        return [], []  # a file without customModes is one without modes, silently
    findings = schema().opened.findings(settings)
    wrong = [(f.path, f"`{f.key}` {f.reason}{_group_hint(f.path, settings)}") for f in findings]
    wrong = wrong or [*_broken_rules(settings["customModes"])]
    if wrong:
        return [], [_Problem("modes-invalid", text, document.line(path)) for path, text in wrong]
    modes = [(mode, document) for mode in settings["customModes"]]
    if len(modes) > MAX_MODES:
        message = f"it has {len(modes):,} modes, and no more than {MAX_MODES} are read"
        return [], [_Problem("modes-too-many", message, document.line(("customModes",)))]
    return modes, []


def _broken_rules(modes: list[Json]) -> Iterator[tuple[Path, str]]:
    """(place, message) of what is wrong with modes that fit the schema."""
    for place, _, options in _group_options({"customModes": modes}):
        if "fileRegex" in options and not compiles(options["fileRegex"]):
            yield (*place, "fileRegex"), f"`{dotted(place)}.fileRegex` is not a regular expression"
    for number, mode in enumerate(modes):
        if len(mode["groups"]) != len({*map(group_name, mode["groups"])}):
            yield ("customModes", number, "groups"), f"`customModes[{number}].groups` has a group twice"
    if len(modes) != len({mode["slug"] for mode in modes}):
        yield ("customModes",), "`customModes` has two modes with one slug"


def unread_of(text: str, project: bool) -> tuple[tuple[int | None, str], ...]:
    """(line, message) of what nobody reads of a file's text; nothing of one that does not parse."""
    try:
        document = _parse(text, project)
    except FormatError:
        return ()
    return tuple((document.line(path), message) for path, message in unread_keys(document))


@lru_cache(maxsize=16)
def _parse(text: str, project: bool) -> Parsed:
    cleaned = text.removeprefix("\ufeff").translate(_ODD)
    try:
        return read_yaml(cleaned, CORE)
    except YamlError as error:
        # JSON with tabs is YAML 1.2, though not for PyYAML; the original text is tried for .roomodes alone.
        for candidate in (cleaned, text) if project else (cleaned,):
            try:
                return parse_json(candidate)
            except JsonSyntaxError:
                continue
        raise error


def _known(value: Json, index: int, document: Parsed, file: FileText, project: bool) -> KnownMode:
    def line(*place: str | int) -> int:
        return document.line(("customModes", index, *place)) or 1

    keys = ("roleDefinition", "whenToUse", "description", "customInstructions")
    texts = {key: well_formed(value[key]) for key in keys if key in value}
    lines = {key: line(key) for key in (*texts, "groups")}
    groups = tuple(map(group_name, value["groups"]))
    for number, entry in enumerate(value["groups"]):
        if limit_of([entry]):
            lines["fileRegex"] = line("groups", number, 1, "fileRegex")
    source, limit = "project" if project else "global", limit_of(value["groups"])
    return KnownMode(value["slug"], well_formed(value["name"]), groups, texts, source, limit, file, lines)


def limit_of(groups: Iterable[Json]) -> tuple[str, str | None] | None:
    """The pattern of files that the group edit is limited to, and its description. Empty ones limit nothing."""
    limit = None
    for entry in groups:
        options = entry[1] if isinstance(entry, list) and len(entry) > 1 and entry[0] == "edit" else None
        if isinstance(options, dict) and options.get("fileRegex"):
            limit = (options["fileRegex"], options.get("description"))
    return limit


def global_storage(inputs: Inputs, configured: str | None) -> str:
    """The extension's storage folder: VS Code's own place where none is given."""
    if configured:
        return inputs.home + configured[1:] if configured.startswith("~/") else configured.rstrip("/") or "/"
    places = {"darwin": "Library/Application Support/Code", "win32": "AppData/Roaming/Code"}
    code = places.get(inputs.environment.platform or "", ".config/Code")
    return f"{inputs.home}/{code}/User/globalStorage/rooveterinaryinc.roo-cline"


def find_override(
    inputs: Inputs, slug: str, modes: Iterable[Mode], language: str, workspace: Workspace
) -> Found[Override]:
    """The file override `.roo/system-prompt-<mode>` for the mode as it was asked for: an unknown slug counts here.

    Its placeholders are filled in one after another with JavaScript's `String.replace`, so a value's `$&` is
    interpreted and a placeholder that an earlier value brings in is itself replaced later. Every character keeps its
    origin.
    """
    params = cast(RooParams, inputs.params)
    # vscode.env.shell is not getShell().
    shell = (inputs.environment.shell or "", Origin("environment", name="shell"))
    if params.vscodeShell is not None:
        shell = (params.vscodeShell, Origin("param", name="vscodeShell"))
    values = {
        "workspace": (inputs.workspace, Origin("environment", name="cwd")),
        "mode": (slug, Origin("param", name="mode")),
        "language": (language, Origin("param", name="language")),
        "shell": shell,
        "operatingSystem": (inputs.environment.os_type or "", Origin("environment", name="os_type")),
    }
    file = workspace.read(override_path(inputs, slug))

    spans: Spans = trimmed_spans((file_text(file.path, file.text, 1),))
    for name, (value, origin) in values.items():
        spans = replaced_in_javascript(spans, "{{" + name + "}}", (Span(value, origin),))
    text = joined(spans)
    condition = _replaces(f".roo/system-prompt-{slug}", file, text)
    override = Override(condition, _generated(inputs, slug, condition, modes, workspace), spans)
    draft = file_row(file, "system-prompt-override", "conditional", condition, text)
    blocked = workspace.kind(f"{inputs.workspace}/.roo") not in (None, "directory")
    told: tuple[Diagnostic, ...] = ()
    if file.problem in ("too-large", "outside"):
        told = (file_diagnostic(file.path, file),)
    elif blocked or file.problem not in (None, "missing", "directory"):
        # Only "missing" and "a directory" are forgiven: `.roo` being a file (ENOTDIR) is not.
        detail = "`.roo` is not a directory" if blocked else file.detail
        told = (FOLDER.note("override-unreadable", file.path, file=file.path, detail=detail),)
    return Found(override, (draft,), told)


def override_path(inputs: Inputs, slug: str) -> str:
    """Where the override of a mode is."""
    return f"{inputs.workspace}/.roo/system-prompt-{slug}"


def _replaces(shown: str, file: FileText, text: str) -> Condition:
    """The override has a text. Its row says what is wrong with one that has none."""
    key = "replaces" if text else "filled_blank" if js_trim(file.text) else "override_blank"
    if not file.found:
        key = {"missing": "no_override", "directory": "override_folder"}.get(file.problem or "", "unreadable")
    return FOLDER.reason(key, bool(text), path=shown, detail=file.detail)


def _generated(
    inputs: Inputs, slug: str, condition: Condition, modes: Iterable[Mode], workspace: Workspace
) -> Condition:
    """No override replaces the generated prompt, in the mode at hand and in each other that has one."""
    slugs = [mode.slug for mode in modes]
    generated: Condition = ALWAYS
    if condition.holds(Facts()):
        inner = mode_is(slug) & condition if slug in slugs else condition
        yes = f".roo/system-prompt-{slug} replaces the generated prompt"
        generated = ~Named("file", f".roo/system-prompt-{slug}", inner, yes)
    for other in slugs:
        file = workspace.read(override_path(inputs, other)) if other != slug else None
        if file is not None and js_trim(file.text):
            generated = generated & ~mode_is(other)
    return generated


_OVERLAID = ("roleDefinition", "whenToUse", "customInstructions")


class ModesFound(Struct, frozen=True):
    """`slug` is the one that was asked for, `mode` the one in force after the fallback."""

    slug: str
    mode: Mode
    modes: tuple[Mode, ...]
    """Those that MODES lists: of the files, whatever the task was given."""
    choices: tuple[Mode, ...]
    """Those that can be in force."""


def find_modes(inputs: Inputs, params: RooParams, workspace: Workspace) -> Found[ModesFound]:
    """Every mode, the files that define them, and the mode in force."""
    project = mode_file(workspace, f"{inputs.workspace}/.roomodes", ".roomodes", project=True)
    everywhere_path = f"{global_storage(inputs, params.globalStorage)}/settings/custom_modes.yaml"
    everywhere = mode_file(workspace, everywhere_path, "custom_modes.yaml", project=False)
    ours = {mode.slug: mode for mode in project.value}
    hidden = [mode for mode in everywhere.value if mode.slug in ours]
    # Custom modes are in the place of a built-in one of their slug, new ones behind.
    known = BUILT_IN_MODES | ours | {mode.slug: mode for mode in everywhere.value if mode.slug not in ours}
    prompts = {slug: prompt for slug, prompt in params.customModePrompts.items() if prompt != CustomModePrompt()}
    slug = DEFAULT_MODE if inputs.mode is None else inputs.mode
    # The whole table is one memo: the texts of many modes are traced line by line.
    key = ("roo.modes", inputs.workspace, everywhere_path, slug, repr(prompts))
    modes = workspace.memo(key, lambda: tuple(_mode(each, prompts, slug) for each in known.values()))
    choices = modes
    if params.customModes is not None:
        choices = tuple(_mode(each, prompts, slug) for each in _given(params.customModes))
    chosen = next((mode for mode in choices if mode.slug == slug), None)
    diagnostics = [*project.diagnostics, *everywhere.diagnostics]
    diagnostics += (FOLDER.note("mode-hidden", mode.path, mode=mode.slug) for mode in hidden)
    if chosen is None:
        slugs = [mode.slug for mode in choices]
        hint = meant(slug, slugs, otherwise=f"; known: {', '.join(slugs)}")
        diagnostics.append(FOLDER.note("unknown-mode", mode=repr(slug), usual=DEFAULT_MODE, hint=hint))
        # `modes[0]` of the built-in list, though a custom mode of that slug is in force under it.
        chosen = next(mode for mode in choices if mode.slug == DEFAULT_MODE)
    # what reaches the prompt: the lines in MODES, and the texts of the mode in force
    spans = (*(span for mode in modes for span in mode.listed), *chosen.role, *chosen.instructions)
    files = tuple(
        replace(file, injected="".join(span.text for span in spans if span.origin.path == file.path))
        for file in (*project.files, *everywhere.files)
    )
    return Found(ModesFound(slug, chosen, modes, choices), files, tuple(diagnostics))


def _given(modes: Iterable[GivenMode]) -> list[KnownMode]:
    """The built-in modes and those that the task was given, the first of a slug."""
    given: dict[str, KnownMode] = {}
    for mode in modes:
        texts = {key: text for key in _OVERLAID if (text := getattr(mode, key)) is not None}
        groups = tuple(map(group_name, mode.groups))
        given.setdefault(
            mode.slug,
            KnownMode(mode.slug, mode.name, groups, texts, GIVEN, limit_of(mode.groups)),
        )
    return list((BUILT_IN_MODES | given).values())


def _mode(entry: KnownMode, prompts: dict[str, CustomModePrompt], asked: str) -> Mode:
    instructions = tuple(_used(entry, "customInstructions", prompts, asked))
    return Mode(
        slug=entry.slug,
        name=entry.name,
        groups=entry.groups,
        listed=tuple(_listed(entry, prompts.get(entry.slug))),
        role=tuple(_used(entry, "roleDefinition", prompts, asked)),
        instructions=instructions,
        instructed=_instructed(entry, joined(instructions), asked),
        source=entry.source,
        groups_source=entry.setting("groups"),
        edits_only=entry.edits_only,
    )


def _instructed(entry: KnownMode, text: str, asked: str) -> Condition:
    """Whether the mode in force has instructions that are not blank, and where they come from."""
    param = f"customModePrompts.{asked}.customInstructions"
    source = entry.setting("customInstructions") or SettingSource(param, overlay=param)
    is_ours = entry.source == BUILT_IN
    own = is_ours and bool(entry.texts.get("customInstructions"))
    # Without the setting a built-in mode falls back on its own text, if it has one.
    more = {"source": source, "off": (Lever(param, None),) if is_ours and not own else None}
    key, place = "instructed_there" if source.path else "instructed", f"{source.shown}:{source.line}"
    return FOLDER.reason(key, bool(js_trim(text)), more, mode=entry.slug, param=source.key, place=place)


def _listed(entry: KnownMode, prompt: CustomModePrompt | None) -> Iterator[Span]:
    """The text after the dash in MODES: whenToUse, else the role's first sentence; settings override, even empty."""
    when, spans = _over(entry, "whenToUse", prompt)
    if js_trim(when):
        # A YAML block's final newline leaves an indented blank line.
        return (Span(span.text.replace("\n", "\n    "), span.origin) for span in spans(when))
    role, spans = _over(entry, "roleDefinition", prompt)
    return iter(spans(role.split(".")[0]))  # "e.g." cuts too


def _over(entry: KnownMode, key: str, prompt: CustomModePrompt | None) -> tuple[str, Callable[[str], Iterable[Span]]]:
    """A text of the mode, and what makes spans of a stretch from its start."""
    value: str | None = getattr(prompt, key, None)
    if value is None:
        return entry.texts.get(key) or "", partial(entry.spans, key)
    return value, lambda text: (param_value(f"customModePrompts.{entry.slug}.{key}", text),)


def _used(entry: KnownMode, key: str, prompts: dict[str, CustomModePrompt], asked: str) -> Iterable[Span]:
    """getModeSelection: a custom mode counts whole and ignores the settings; over a built-in they are laid with `||`.

    The settings are looked up under the slug asked for, so those of an unknown slug reach architect.
    """
    changed: str | None = getattr(prompts.get(asked), key, None) if entry.source == BUILT_IN else None
    if changed:
        return (param_value(f"customModePrompts.{asked}.{key}", changed),)
    own = entry.texts.get(key)
    return entry.spans(key, own) if own else ()
