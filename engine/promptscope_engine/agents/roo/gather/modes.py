"""The modes on offer, the one in force, and the file that replaces its prompt."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.roo.gather import mode_files
from promptscope_engine.agents.roo.gather.found import Found, file_diagnostic
from promptscope_engine.agents.roo.gather.mode_files import KnownMode
from promptscope_engine.agents.roo.materials import Mode, Override
from promptscope_engine.agents.roo.params import CustomModePrompt, GivenMode, RooParams
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import Span, file_text, param_value
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Lever, Origin, SettingSource
from promptscope_engine.prompt.spans import Spans, joined, replaced_in_javascript, trimmed_spans
from promptscope_engine.workspace import FileText, Workspace


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

    def filled_in() -> Spans:
        spans: Spans = trimmed_spans((file_text(file.path, file.text, 1),))
        for name, (value, origin) in values.items():
            spans = replaced_in_javascript(spans, "{{" + name + "}}", (Span(value, origin),))
        return spans

    spans = workspace.memo(("roo.override", file.path, *values.items()), filled_in)
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
        message = f"Roo cannot build its prompt: {file.path} cannot be read ({detail})"
        told = (Diagnostic("error", "override-unreadable", message, file.path),)
    return Found(override, (draft,), told)


def override_path(inputs: Inputs, slug: str) -> str:
    """Where the override of a mode is."""
    return f"{inputs.workspace}/.roo/system-prompt-{slug}"


def _replaces(shown: str, file: FileText, text: str) -> Condition:
    no, remedy = f"there is no {shown}", f"create {shown}"
    if file.found and not text:
        no = f"nothing is left of {shown} once it is filled in" if js_trim(file.text) else f"{shown} is blank"
        remedy = f"write a prompt into {shown}"
    elif file.problem not in (None, "missing", "directory"):
        no, remedy = f"{shown} cannot be read", f"make {shown} readable ({file.detail})"
    elif file.problem == "directory":
        remedy = f"put a file in the place of the directory {shown}"
    yes = f"{shown} replaces the generated prompt"
    return Fact("file", shown, bool(text), yes, no, remedy=f"delete or empty {shown}" if text else remedy)


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
    project = mode_files.mode_file(workspace, f"{inputs.workspace}/.roomodes", ".roomodes", project=True)
    everywhere_path = f"{mode_files.global_storage(inputs, params.globalStorage)}/settings/custom_modes.yaml"
    everywhere = mode_files.mode_file(workspace, everywhere_path, "custom_modes.yaml", project=False)
    ours = {mode.slug: mode for mode in project.value}
    hidden = [mode for mode in everywhere.value if mode.slug in ours]
    # Custom modes are in the place of a built-in one of their slug, new ones behind.
    known = mode_files.BUILT_IN_MODES | ours | {mode.slug: mode for mode in everywhere.value if mode.slug not in ours}
    prompts = {slug: prompt for slug, prompt in params.customModePrompts.items() if prompt != CustomModePrompt()}
    slug = mode_files.DEFAULT_MODE if inputs.mode is None else inputs.mode
    # The whole table is one memo: the texts of many modes are traced line by line.
    key = ("roo.modes", inputs.workspace, everywhere_path, slug, repr(prompts))
    modes = workspace.memo(key, lambda: tuple(_mode(each, prompts, slug) for each in known.values()))
    choices = modes
    if params.customModes is not None:
        choices = tuple(_mode(each, prompts, slug) for each in _given(params.customModes))
    chosen = next((mode for mode in choices if mode.slug == slug), None)
    diagnostics = [*project.diagnostics, *everywhere.diagnostics]
    for mode in hidden:
        what = f"the mode {mode.slug} of .roomodes hides the global one"
        diagnostics.append(Diagnostic("info", "mode-hidden", what, mode.path))
    if chosen is None:
        slugs = [mode.slug for mode in choices]
        close = nearest(slug, slugs)
        meant = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(slugs)}"
        what = f"there is no mode {slug!r}, Roo takes {mode_files.DEFAULT_MODE}; {meant}"
        diagnostics.append(Diagnostic("warning", "unknown-mode", what))
        # `modes[0]` of the built-in list, though a custom mode of that slug is in force under it.
        chosen = next(mode for mode in choices if mode.slug == mode_files.DEFAULT_MODE)
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
        groups = tuple(map(mode_files.group_name, mode.groups))
        given.setdefault(
            mode.slug,
            KnownMode(mode.slug, mode.name, groups, texts, mode_files.GIVEN, mode_files.limit_of(mode.groups)),
        )
    return list((mode_files.BUILT_IN_MODES | given).values())


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
    remedy = f"set `{source.key}`"
    if source.path is not None:
        remedy = f"write `customInstructions` for the mode {entry.slug} in {source.shown}:{source.line}"
    is_ours = entry.source == mode_files.BUILT_IN
    own = is_ours and bool(entry.texts.get("customInstructions"))
    return Fact(
        "mode",
        "customInstructions",
        bool(js_trim(text)),
        f"the mode {entry.slug} has instructions",
        f"the mode {entry.slug} has no instructions of its own",
        # Without the setting a built-in mode falls back on its own text, if it has one.
        off=(Lever(param, None),) if is_ours and not own else None,
        source=source,
        remedy=remedy,
    )


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
    changed: str | None = getattr(prompts.get(asked), key, None) if entry.source == mode_files.BUILT_IN else None
    if changed:
        return (param_value(f"customModePrompts.{asked}.{key}", changed),)
    own = entry.texts.get(key)
    return entry.spans(key, own) if own else ()
