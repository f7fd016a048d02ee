"""USER'S CUSTOM INSTRUCTIONS: language, instructions and rules, in Roo's order (specs/roo.md 4.1).

Every child begins with the empty line that divides it from what stands before, so the present ones can be joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.roo.gates import USE_AGENT_RULES
from promptscope_engine.agents.roo.materials import InstructionFile, Materials, Mode, RuleSet
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER, LANGUAGES
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Observed, Test
from promptscope_engine.prompt.drafts import (
    Piece,
    SectionDraft,
    computed,
    environment,
    file_text,
    guarded,
    label,
    param_value,
    trimmed_file,
)
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.kept import KeptWith
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.prompt.pieces import trimmed_pieces

PARENT = "custom_instructions"


def custom_instructions(materials: Materials) -> tuple[SectionDraft, ...]:
    """The section with its children, as the system prompt ends with it."""
    files = materials.instructions
    middle = (_rooignore(files.rooignore), _agent_rules(files.agents, USE_AGENT_RULES))
    return tuple(_with_own_ids(_sections(materials, files.mode_rules, middle)))


def repeated_instructions(materials: Materials) -> Iterator[Piece]:
    """The section as powerSteering repeats it: without .rooignore, and without settings, so AGENTS.md always counts."""
    files = materials.instructions
    sections = _sections(materials, files.repeated_rules, (_agent_rules(files.agents, ALWAYS),))
    for section in sections:
        yield from guarded(section.pieces, section.when)


def _sections(materials: Materials, mode_rules: RuleSet, middle: tuple[SectionDraft, ...]) -> tuple[SectionDraft, ...]:
    """`middle` stands between the rules of the mode and those of all modes."""
    params, generic = materials.params, materials.instructions.rules
    language, instructions = _language_given(materials), (_global(params), _mode(materials.mode))
    rules = Any((mode_rules.present, *(section.when for section in middle), generic.present))
    given = Any((language, *(section.when for section in instructions), rules))
    texts = _texts(materials, given, language)
    return (
        *texts,
        *instructions,
        _child("rules", "Rules:", (), rules, after=""),
        *_rules(mode_rules, materials.inputs),
        *middle,
        *_rules(generic, materials.inputs),
    )


def _texts(materials: Materials, given: Condition, language: Condition) -> Iterator[SectionDraft]:
    """The introduction and the language."""
    code = materials.language
    shown = environment("language", code) if materials.params.language is None else param_value("language", code)
    name = computed("language.name", LANGUAGES.get(code, code))
    names = {"instructed": given, "language": {"given": language, "name": name, "code": shown}}
    return FOLDER.sections(Scope(names), group="instructions")


def _with_own_ids(sections: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
    """A file that links show several times gives several sections: the second one's id ends in #2."""
    seen: dict[str, int] = {}
    for section in sections:
        count = seen[section.id] = seen.get(section.id, 0) + 1
        yield section if count == 1 else replace(section, id=f"{section.id}#{count}")


def _child(
    name: str, heading: str, pieces: Iterable[Piece], when: Condition, *, title: str = "", after: str = "\n"
) -> SectionDraft:
    """The section under `heading` (exact); `after` is what stands between the heading and the pieces."""
    title = title or heading.removesuffix(":")
    pieces = (label(f"\n\n{heading}{after}"), *pieces)
    return SectionDraft(f"{PARENT}.{name}", title, pieces, heading, when, parent=PARENT)


def _language_given(materials: Materials) -> Condition:
    """Only "" switches it off: null means the editor's language, which is never empty."""
    on, off, code = (Lever("language", ""),), (Lever("language", "en"),), materials.language
    no = f"the language is {LANGUAGES.get(code, code)} ({code})"
    return ~Test("flag", "language", "is", "", "`language` is empty", no, on=on, off=off)


def _global(params: RooParams) -> SectionDraft:
    trimmed = js_trim(params.globalCustomInstructions)
    name = "globalCustomInstructions"
    given = Observed(
        "flag",
        name,
        bool(trimmed),
        f"`{name}` is given",
        f"`{name}` is blank" if params.globalCustomInstructions else f"`{name}` is empty",
        off=(Lever(name, ""),),
        source=SettingSource(name, overlay=name, is_set=bool(params.globalCustomInstructions)),
        remedy=f"write instructions for all modes: set `{name}`",
    )
    return _child("global", "Global Instructions:", [param_value(name, trimmed)], given)


def _mode(mode: Mode) -> SectionDraft:
    return _child("mode", "Mode-specific Instructions:", trimmed_pieces(mode.instructions), mode.instructed)


# --- rules ---------------------------------------------------------------------------------------------------------


def _rules(rules: RuleSet, inputs: Inputs) -> Iterator[SectionDraft]:
    """The files of rule directories, and the legacy files, present or not."""
    if rules.files and rules.slug is not None:
        # The agent means to leave this heading out for directories, but its test never holds (4.1 d 1).
        heading = f"# Rules from rules-{rules.slug} directories:"
        count = f"{len(rules.files):,} file{'s' if len(rules.files) > 1 else ''} found"
        found = Observed("file", f"rules-{rules.slug}", True, count, "")
        yield _child("mode_rules", heading, (), found, title=f"rules-{rules.slug} directories", after="")
    # The generic text is trimmed as a whole: a blank last file ends at its heading (4.2).
    ends_at_heading = rules.slug is None and bool(rules.files) and not rules.files[-1].text
    whole = rules.files[:-1] if ends_at_heading else rules.files
    yield from _file_sections(whole, "\n", inputs)
    yield from _file_sections(rules.files[len(whole) :], "", inputs)
    yield from _file_sections(rules.legacy, "\n", inputs)


def _file_sections(files: Iterable[InstructionFile], after_heading: str, inputs: Inputs) -> list[SectionDraft]:
    """The section of each file, the same one while the file is."""

    def made(file: InstructionFile) -> SectionDraft:
        return _new_file_section(file, after_heading, path_in_id(file.name, inputs.workspace, inputs.home))

    return _FILE_SECTIONS.each(files, (after_heading, inputs.workspace, inputs.home), made)


_FILE_SECTIONS: KeptWith[InstructionFile, SectionDraft] = KeptWith()


def _new_file_section(file: InstructionFile, after_heading: str, name: str) -> SectionDraft:
    heading, pieces = f"# Rules from {file.name}:", [trimmed_file(file.name, file.whole, file.text)]
    return _child(f"file:{name}", heading, pieces, file.when, title=file.name, after=after_heading)


def _agent_rules(files: tuple[InstructionFile, ...], switch: Condition) -> SectionDraft:
    """The one agent file that counts; without one the first stands for them, absent."""
    chosen = next((file for file in files if file.text), None)
    name, whole, text = (chosen.name, chosen.whole, chosen.text) if chosen else (files[0].name, "", "")
    when = switch & (chosen.when if chosen else Any(tuple(file.when for file in files)))
    return _child("agents_md", f"# Agent Rules Standard ({name}):", [trimmed_file(name, whole, text)], when, title=name)


def _rooignore(file: InstructionFile) -> SectionDraft:
    """The patterns; the file itself is added as one that is ignored."""
    names = {"text": file_text(file.name, file.text, 1), "pattern": label(f"\n{file.name}"), "when": file.when}
    return next(FOLDER.sections(Scope({"rooignore": names}), group="rooignore"))
