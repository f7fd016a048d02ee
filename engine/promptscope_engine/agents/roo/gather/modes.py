"""The modes on offer and the one in force: built in, from files, and changed in the settings (specs/roo.md 1.8, 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from promptscope_engine.agents.roo.builtin_modes import BUILTIN_MODES, DEFAULT_MODE, BuiltinMode
from promptscope_engine.agents.roo.materials import Mode
from promptscope_engine.agents.roo.params import CustomModePrompt, GivenMode, RooParams
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, Piece, builtin, param_value, traced_lines
from promptscope_engine.prompt.model import Diagnostic, FileLimit, Lever, SettingSource
from promptscope_engine.prompt.pieces import joined
from promptscope_engine.workspace import Workspace

from .found import Found
from .mode_files import CustomMode, global_storage, group_name, limit_of, merged_modes, mode_file

HELD_TO_PATTERN = ("apply_diff", "write_to_file", "insert_content", "search_and_replace")
"""The tools whose path has to match: by their parameters Roo knows that they edit, which it does not of generate_image
(3)."""


@frozen
class ModesFound:
    """`slug` is the one that was asked for, `mode` the one in force after the fallback (1)."""

    slug: str
    mode: Mode
    modes: tuple[Mode, ...]
    """Those that MODES lists: of the files, whatever the task was given (1.8)."""
    choices: tuple[Mode, ...]
    """Those that can be in force."""


@frozen
class _Entry:
    """A mode before its texts are chosen."""

    slug: str
    name: str
    groups: tuple[str, ...]
    source: str
    builtin: BuiltinMode | None
    custom: CustomMode | None
    path: str = ""
    given: GivenMode | None = None

    def text(self, key: str) -> str | None:
        """The mode's own text, by the key that a modes file has for it; None where it has none."""
        if self.custom is not None:
            return self.custom.texts.get(key)
        if self.given is not None:
            own: str | None = getattr(self.given, key)
            return own
        return str(getattr(self.builtin, _BUILTIN_IDS[key]))

    def pieces(self, key: str, text: str) -> Iterator[Piece]:
        """`text`, a stretch from the start of the mode's own text, with its origins."""
        if self.builtin is not None:
            yield builtin(f"mode.{self.slug}.{_BUILTIN_IDS[key]}", text)
        elif self.custom is not None:
            whole, line = self.custom.file.text, self.custom.lines[key]
            yield from traced_lines(self.path, whole, text, line, f"{self.slug}.{key}")
        else:
            yield param_value(f"customModes.{self.slug}.{key}", text)

    def setting(self, key: str) -> SettingSource | None:
        """Where a person edits one of the mode's values; None for a built-in mode."""
        if self.given is not None:
            return SettingSource("customModes", overlay="customModes")
        if self.custom is None:
            return None
        shown = ".roomodes" if self.source == "project" else "custom_modes.yaml"
        line = self.custom.lines.get(key) or self.custom.lines["groups"]
        return SettingSource(key, self.path, shown, line, key in self.custom.lines)

    @property
    def edits_only(self) -> FileLimit | None:
        """The files that the group edit is limited to."""
        if self.given is not None:
            found = limit_of(self.given.groups)
        else:
            found = self.builtin.edits_only if self.builtin else self.custom.edits_only if self.custom else None
        return FileLimit(*found, HELD_TO_PATTERN, self.setting("fileRegex")) if found else None


_BUILTIN_IDS = {"roleDefinition": "role", "whenToUse": "when_to_use", "customInstructions": "custom_instructions"}

"""What a built-in mode calls its texts, by the keys of a modes file."""


def find_modes(inputs: Inputs, params: RooParams, workspace: Workspace) -> Found[ModesFound]:
    """Every mode, the files that define them, and the mode in force."""
    storage = global_storage(params.globalStorage, inputs.home, inputs.environment.platform)
    project = mode_file(workspace, f"{inputs.workspace}/.roomodes", ".roomodes", project=True)
    everywhere_path = f"{storage}/settings/custom_modes.yaml"
    everywhere = mode_file(workspace, everywhere_path, "custom_modes.yaml", project=False)
    entries = _entries(project.value, everywhere.value)
    prompts = {slug: prompt for slug, prompt in params.customModePrompts.items() if prompt != CustomModePrompt()}
    slug = DEFAULT_MODE if inputs.mode is None else inputs.mode
    # The whole table is one memo: the texts of many modes are traced line by line.
    key = ("roo.modes", inputs.workspace, everywhere_path, slug, repr(prompts))
    modes = workspace.memo(key, lambda: tuple(_mode(entry, prompts, slug) for entry in entries))
    choices = modes
    if params.customModes is not None:
        choices = tuple(_mode(entry, prompts, slug) for entry in _given(params.customModes))
    chosen = next((mode for mode in choices if mode.slug == slug), None)
    diagnostics = (*project.diagnostics, *everywhere.diagnostics, *_hidden(project.value, everywhere.value))
    if chosen is None:
        diagnostics = (*diagnostics, _unknown_mode(slug, choices))
        # `modes[0]` of the built-in list, though a custom mode of that slug is in force under it (1).
        chosen = next(mode for mode in choices if mode.slug == DEFAULT_MODE)
    files = tuple(_with_injected(file, chosen, modes) for file in (*project.files, *everywhere.files))
    return Found(ModesFound(slug, chosen, modes, choices), files, diagnostics)


def _with_injected(draft: FileDraft, chosen: Mode, modes: tuple[Mode, ...]) -> FileDraft:
    """The file with what of it reaches the prompt: its lines in MODES, and the texts of the mode in force."""
    pieces = (*(p for mode in modes for p in mode.listed), *chosen.role, *chosen.instructions)
    return replace(draft, injected="".join(p.text for p in pieces if p.origin.path == draft.path))


def _entries(project: Iterable[CustomMode], everywhere: Iterable[CustomMode]) -> list[_Entry]:
    """Built-ins in order, custom ones in the place of a built-in of their slug, new ones appended (1.8)."""
    entries = {mode.slug: _Entry(mode.slug, mode.name, mode.groups, "built in", mode, None) for mode in BUILTIN_MODES}
    for mode, source in merged_modes(project, everywhere):
        path = ".roomodes" if source == "project" else mode.file.path
        entries[mode.slug] = _Entry(mode.slug, mode.name, mode.groups, source, None, mode, path)
    return list(entries.values())


def _given(modes: Iterable[GivenMode]) -> list[_Entry]:
    """The built-in modes and those that the task was given, the first of a slug."""
    entries = {entry.slug: entry for entry in _entries((), ())}
    given: dict[str, _Entry] = {}
    for mode in modes:
        groups = tuple(map(group_name, mode.groups))
        given.setdefault(mode.slug, _Entry(mode.slug, mode.name, groups, "given", None, None, given=mode))
    return list((entries | given).values())


def _mode(entry: _Entry, prompts: dict[str, CustomModePrompt], asked: str) -> Mode:
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


def _instructed(entry: _Entry, text: str, asked: str) -> Condition:
    """Whether the mode in force has instructions that are not blank, and where they come from."""
    param = f"customModePrompts.{asked}.customInstructions"
    source = entry.setting("customInstructions") or SettingSource(param, overlay=param)
    remedy = f"set `{source.key}`"
    if source.path is not None:
        remedy = f"write `customInstructions` for the mode {entry.slug} in {source.shown}:{source.line}"
    own = entry.builtin is not None and bool(entry.text("customInstructions"))
    return Observed(
        "mode",
        "customInstructions",
        bool(js_trim(text)),
        f"the mode {entry.slug} has instructions",
        f"the mode {entry.slug} has no instructions of its own",
        # Without the setting a built-in mode falls back on its own text, if it has one.
        off=(Lever(param, None),) if entry.builtin is not None and not own else None,
        source=source,
        remedy=remedy,
    )


# --- the line in MODES ---------------------------------------------------------------------------------------------


def _listed(entry: _Entry, prompt: CustomModePrompt | None) -> Iterator[Piece]:
    """What stands behind the dash: whenToUse with indented lines, else the role up to its first dot (1.8).

    customModePrompts overlays them with `??`: an empty text of the settings counts, for custom modes too.
    """
    when = _over(entry, "whenToUse", prompt)
    if js_trim(when):
        for piece in _over_pieces(entry, "whenToUse", prompt, when):
            # A YAML block's final newline leaves an indented blank line.
            yield Piece(piece.text.replace("\n", "\n    "), piece.origin)
        return
    role = _over(entry, "roleDefinition", prompt)
    yield from _over_pieces(entry, "roleDefinition", prompt, role.split(".")[0])  # "e.g." cuts too


def _over(entry: _Entry, key: str, prompt: CustomModePrompt | None) -> str:
    value: str | None = getattr(prompt, key, None)
    return value if value is not None else entry.text(key) or ""


def _over_pieces(entry: _Entry, key: str, prompt: CustomModePrompt | None, text: str) -> Iterator[Piece]:
    if getattr(prompt, key, None) is not None:
        yield param_value(f"customModePrompts.{entry.slug}.{key}", text)
    else:
        yield from entry.pieces(key, text)


# --- the texts in use ----------------------------------------------------------------------------------------------


def _used(entry: _Entry, key: str, prompts: dict[str, CustomModePrompt], asked: str) -> Iterator[Piece]:
    """getModeSelection: a custom mode counts whole and ignores the settings; over a built-in they lie with `||` (3).

    The settings are looked up under the slug asked for, so those of an unknown slug reach architect.
    """
    is_custom = entry.custom is not None or entry.given is not None
    changed: str | None = None if is_custom else getattr(prompts.get(asked), key, None)
    if changed:
        yield param_value(f"customModePrompts.{asked}.{key}", changed)
        return
    own = entry.text(key)
    if own:
        yield from entry.pieces(key, own)


# --- diagnostics ---------------------------------------------------------------------------------------------------


def _unknown_mode(asked: str, modes: tuple[Mode, ...]) -> Diagnostic:
    slugs = [mode.slug for mode in modes]
    close = nearest(asked, slugs)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known: {', '.join(slugs)}"
    return Diagnostic("warning", "unknown-mode", f"there is no mode {asked!r}, Roo takes {DEFAULT_MODE}; {hint}")


def _hidden(project: Iterable[CustomMode], everywhere: Iterable[CustomMode]) -> Iterator[Diagnostic]:
    slugs = {mode.slug for mode in project}
    for mode in everywhere:
        if mode.slug in slugs:
            message = f"the mode {mode.slug} of .roomodes hides the global one"
            yield Diagnostic("info", "mode-hidden", message, mode.file.path)
