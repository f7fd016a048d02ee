"""Skills: what holds one back, how they are listed, and the files behind the listing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, count
from operator import and_
from typing import NamedTuple

from msgspec import Struct

from promptscope_engine.agents.kit.rows import absent, file_row
from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.gather import skill_files
from promptscope_engine.agents.openclaw.gather.config import short_path, state_dir, user_path
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun
from promptscope_engine.agents.openclaw.gather.skill_files import FoundSkills, Limits, Skill, Source
from promptscope_engine.agents.openclaw.gather.tools import switched_on
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, computed, label, param_value, traced_lines
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit
from promptscope_engine.workspace import FileText, Workspace

ON_PATH = "env.PATH"
"""Whether a program is there is a fact about the machine."""

CONFIG_DEFAULTS = {"browser.enabled": True, "browser.evaluateEnabled": True}
"""Configuration paths that are on by default."""


class Machine(Struct, frozen=True):
    """What the gates depend on: configuration, system, environment variables, the folders of PATH, the filter."""

    settings: SettingLevers
    platform: str
    env: Mapping[str, str]
    path: tuple[str, ...]
    only: tuple[str, ...] | None
    """The names that the agent's own list admits; None: no list. An empty list admits none."""
    only_from: str = "skillFilter"


def gate(skill: Skill, machine: Machine, workspace: Workspace) -> Condition:
    """The condition under which the skill is listed, limits aside."""
    return reduce(and_, _gates(skill, machine, workspace))


def _gates(skill: Skill, machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    if skill.plugin:
        yield skill.plugin
    settings, wanted, only = machine.settings, skill.names("os"), machine.only
    path: Path = ("skills", "entries", skill.key)
    entry, no = mapping(settings.get(path)), f"skills.entries.{skill.key}.enabled is false"
    ok = entry.get("enabled") is not False
    yield settings.decides((*path, "enabled"), ok, "it is not switched off", no, on=True, off=False)
    # It limits bundled skills only, and an empty list limits nothing.
    key = "skills.allowBundled"
    listed = settings.get(key)
    names = [name for each in listed if (name := js_trim(str(each)))] if isinstance(listed, list) else []
    if names and skill.source == skill_files.BUNDLED:
        ok = skill.key in names or skill.name in names
        yield settings.decides(key, ok, f"{key} names it", f"{key} does not name it", on=[*names, skill.key])
    if wanted:  # it counts even where the metadata says always
        yield Fact(
            "flag", "environment.platform", machine.platform in wanted, "it is made for {actual}",
            f"it is made for {', '.join(wanted)}, not for {{actual}}", wanted=list(wanted), actual=machine.platform,
            remedy="run the agent on such a system",
        )  # fmt: skip
    met: Condition = reduce(and_, _required(skill, entry, machine, workspace), ALWAYS)
    if skill.own("always") is True:
        always = Fact("file", "always", True, "its metadata says always", "")
        yield always if met is ALWAYS else always | met
    elif met is not ALWAYS:
        yield Named("all", "requires", met, "what it requires is there")
    if only is not None:
        whose = machine.only_from
        on = (Lever("skillFilter", [*only, skill.name]),)
        yes, no, remedy = f"{whose} names it", f"{whose} does not name it", f"add it to {whose}"
        yield Fact("flag", whose, skill.name in only, yes, no, on=on, remedy=remedy)
    yes, no = "the model may call it", "disable-model-invocation: only a person may call it"
    remedy = f"take disable-model-invocation out of {skill.path}"
    yield Fact("file", "disable-model-invocation", not skill.hidden, yes, no, remedy=remedy)


def _required(skill: Skill, entry: Mapping[str, Json], machine: Machine, workspace: Workspace) -> Iterator[Condition]:
    for name in skill.names("requires.bins"):
        there = _on_path(name, machine, workspace)
        yes, no = f"the program {name} is there", f"the program {name} is not on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=name, remedy=f"install {name}")
    some = skill.names("requires.anyBins")
    if some:
        there = any(_on_path(name, machine, workspace) for name in some)
        listed = ", ".join(some)
        yes, no = f"one of {listed} is there", f"none of {listed} is on PATH"
        yield Fact("flag", ON_PATH, there, yes, no, wanted=[*some], remedy=f"install one of {listed}")
    for name in skill.names("requires.env"):
        own = mapping(entry.get("env")).get(name) or (text(skill.own("primaryEnv")) == name and entry.get("apiKey"))
        there = bool(machine.env.get(name) or own)
        path = ("skills", "entries", skill.key, "env", name)
        is_set = machine.settings.decides(path, there, f"{name} is set", f"{name} is not set", on="imagined")
        yield Named("flag", f"env.{name}", is_set, f"{name} is set")
    for key in skill.names("requires.config"):
        there = _truthy(machine.settings, key)
        no = f"{key} is not set in the configuration"
        is_set = machine.settings.decides(key.strip("."), there, f"{key} is set", no, on=True)
        yield Named("flag", "env.OPENCLAW_CONFIG_PATH", is_set, f"{key} is set")


def _on_path(name: str, machine: Machine, workspace: Workspace) -> bool:
    return any(workspace.is_executable(f"{folder}/{name}") for folder in machine.path)


def _truthy(settings: SettingLevers, path: str) -> bool:
    value = settings.get(path.strip("."))
    if value is None:
        return CONFIG_DEFAULTS.get(path, False)
    if isinstance(value, str):
        return bool(js_trim(value))
    return bool(value) if isinstance(value, (bool, int, float)) else True


# Measured in the real agent: its limit counts these, not our own wording (3, reference.json).
BASE_CHARS = 368
ENTRY_CHARS = 97

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}


def listed_count(skills: Sequence[Skill], bounds: Limits) -> int:
    """How many from the front fit: first by number, then by the characters of the whole block."""
    total = BASE_CHARS
    for number, skill in enumerate(skills[: bounds.in_prompt]):
        total += entry_chars(skill)
        if total > bounds.chars:
            return number
    return min(len(skills), bounds.in_prompt)


def entry_chars(skill: Skill) -> int:
    """Characters that a skill's entry takes; the location counts with its full path, which is shortened later."""
    return ENTRY_CHARS + sum(utf16_len(escape(value)) for value in (skill.name, skill.description, skill.path))


def escape(value: str) -> str:
    """XML's five special characters as entities."""
    return re.sub(r"[&<>\"']", lambda found: ENTITIES[found[0]], value)


def listing(skills: Sequence[Skill], total: int, home: str) -> Iterator[Span]:
    """The text of `skillsPrompt`, trimmed; `total` are the eligible ones, more than the listed if some were cut."""
    names = {
        "some_cut": len(skills) < total,
        "shown_skills": computed("skills.listed", str(len(skills))),
        "eligible_skills": computed("skills.eligible", str(total)),
        "listed": [
            {
                "name": list(_escaped(_name(skill))),
                "description": list(_escaped(_description(skill))),
                "location": computed("skill.location", escape(short_path(skill.path, home))),
            }
            for skill in skills
        ],
    }
    return FOLDER.spans("skill_list", Scope(names))


def _name(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        yield label(skill.name) if skill.plugin else param_value("skills", skill.name)
    elif skill.head.name is None:
        yield computed("skill.folder", skill.name)
    else:
        yield from traced_lines(skill.file.path, skill.file.text, skill.name, skill.head.name_line, "skill.name")


def _description(skill: Skill) -> Iterator[Span]:
    if skill.file is None:
        own = skill.plugin is not None
        yield builtin(f"skills.{skill.name}", skill.description) if own else param_value("skills", skill.description)
    else:
        first = skill.head.description_line
        yield from traced_lines(skill.file.path, skill.file.text, skill.description, first, "skill.description")


def _escaped(spans: Iterator[Span]) -> Iterator[Span]:
    """The spans with entities; what is verbatim in a file stays so on both sides of one."""
    for span in spans:
        if span.origin.kind != "file":
            yield Span(escape(span.text), span.origin)
            continue
        for stretch in re.split(r"([&<>\"'])", span.text):
            if stretch in ENTITIES:
                yield computed("xml", ENTITIES[stretch])
            elif stretch:
                yield Span(stretch, span.origin)


MANIFEST = "openclaw.plugin.json"
GIVEN = "given"
"""The tag of what stands in for all sources."""
USUAL_PACKAGE = "/usr/lib/node_modules/openclaw"
"""Where npm puts a package for all users, on Linux: which one runs is not known here."""
MAX_PLUGINS = 200


class Listed(NamedTuple):
    """The text of `skillsPrompt` and what decides it, every file that was read, and the diagnostics."""

    spans: tuple[Span, ...]
    because: Condition
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]
    names: tuple[str, ...] = ()
    """Of every skill that was found, held back or not."""
    keys: tuple[str, ...] = ()
    knows_bundled: bool = False
    """The folder of the package's own is known."""


Checked = Sequence[tuple[Skill, Condition]]
"""Skills, each with the gates that let it in."""


def roots(inputs: Inputs, settings: SettingLevers) -> list[str]:
    """Folders outside workspace and home that the configuration names and that may be read."""
    named = texts(settings.get("skills.load.extraDirs")) or []
    plugins = texts(settings.get("plugins.load.paths")) or []
    others = (inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""), text(settings.get("agents.defaults.repoRoot")) or "")
    return [user_path(path, inputs) for path in (*named, *plugins, *others) if js_trim(path)]


def skills(run: AgentRun, workspace: Workspace) -> Listed:
    """The skills of this run: gates, then the two limits, which cut from the end."""
    settings, given, home = run.settings, run.params.skills, run.inputs.home
    on = given is None and settings.get("plugins.enabled") is not False
    found = list(manifests(run, workspace)) if on else []
    sources, bounds, machine = _sources(run, found), skill_files.limits(settings), _machine(run)
    if given is not None:
        fields = ((s.name, s.description, s.filePath, s.source, s.disableModelInvocation) for s in given)
        sources = [Source(GIVEN, "", tuple(Skill(*each) for each in fields))]
    # what the whole listing depends on; with 60 skills it takes 15 ms, and a what-if panel asks for it 40 times
    key = ("openclaw.skills", repr((sources, bounds, machine, home)))
    listed = workspace.memo(key, lambda: _listed(sources, bounds, machine, workspace, home))
    return listed._replace(files=(*(_manifest(file, settings) for file in found), *listed.files))


def _listed(sources: list[Source], bounds: Limits, machine: Machine, workspace: Workspace, home: str) -> Listed:
    found = skill_files.discover(workspace, sources, bounds)
    facts = Facts()
    checked = [(skill, gate(skill, machine, workspace)) for skill in found.skills.values()]
    eligible = [skill for skill, when in checked if when.holds(facts)]
    shown = eligible[: listed_count(eligible, bounds)]
    is_known = any(source.tag == skill_files.BUNDLED for source in sources)
    if not is_known and sources[0].tag != GIVEN:
        message = "the installed package is not known (`bundledSkillsDir`): its skills are not listed"
        found.diagnostics.append(Diagnostic("info", "skills", message))
    return Listed(
        tuple(listing(shown, len(eligible), home)),
        _some(checked, bool(eligible), short_path(sources[-1].folder, home)),
        tuple(_files(checked, len(shown), found, machine.settings, home)),
        tuple(found.diagnostics),
        tuple(skill.name for skill in found.skills.values()),
        tuple(skill.key for skill in found.skills.values()),
        is_known,
    )


def _some(checked: Checked, ok: bool, folder: str) -> Condition:
    """There is a skill to list. Where all are held back, the first gate to open is that of any."""
    yes, no = "there are skills to list", "there is no skill to list"
    if checked and not ok:
        return Named("any", "skills", AnyOf(tuple(when for _, when in checked)), yes)
    put = f"put a folder with a SKILL.md into {folder}; no switch simulates it"
    remedy = put if folder else "pass `skills` that are not empty"
    return Fact("file", "skills", ok, yes, no, off=(Lever("skillFilter", []),), remedy=remedy)


def _machine(run: AgentRun) -> Machine:
    only, only_from = run.params.skillFilter, "skillFilter"
    if only is None and isinstance(run.entry.get("skills"), list):
        only, only_from = [str(name) for name in run.entry["skills"]], "the agent's list of skills"
    names = None if only is None else tuple(name for name in map(js_trim, only) if name)
    inputs = run.inputs
    path = search_path(inputs.env)
    return Machine(run.settings, inputs.environment.platform or "", run.config.env, path, names, only_from)


# --- where ------------------------------------------------------------------------------------------------------------


def _sources(run: AgentRun, manifests: Sequence[FileText]) -> list[Source]:
    """The six sources, lowest precedence first; plugins' folders come with the extra ones."""
    inputs, params, settings = run.inputs, run.params, run.settings
    extra = [user_path(path, inputs) for path in texts(settings.get("skills.load.extraDirs")) or [] if js_trim(path)]
    for manifest in manifests:
        extra += _plugin_folders(manifest, settings)
    managed = params.managedSkillsDir
    bundled = params.bundledSkillsDir or js_trim(inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""))
    return [
        *(Source(skill_files.EXTRA, path) for path in extra),
        Source(skill_files.EXTRA, "", tuple(_packaged(params.bundledSkillsDir, settings))),
        *([Source(skill_files.BUNDLED, user_path(bundled, inputs))] if bundled else []),
        Source(skill_files.MANAGED, user_path(managed, inputs) if managed else f"{state_dir(inputs)}/skills"),
        Source(skill_files.PERSONAL, f"{inputs.home}/.agents/skills"),
        Source(skill_files.PROJECT, f"{run.folder}/.agents/skills"),
        Source(skill_files.WORKSPACE, f"{run.folder}/skills"),
    ]


def _packaged(bundled: str | None, settings: SettingLevers) -> Iterator[Skill]:
    """The skills of those plugins of the package that are on."""
    package = (bundled or "").rstrip("/").rpartition("/")[0] or USUAL_PACKAGE
    for name, skill in FOLDER.bundled("skills", FOLDER.versions[-1]).items():
        plugin: str = skill.head["plugin"]
        when = switched_on(settings, plugin)
        if when.holds(Facts()):
            path = f"{package}/extensions/{plugin}/skills/{name}/SKILL.md"
            yield Skill(name, skill.text, path, skill_files.EXTRA, hidden=False, plugin=when)


def manifests(run: AgentRun, workspace: Workspace) -> Iterator[FileText]:
    """The manifests of the plugins that are looked for: named folders, and the extensions of workspace and home."""
    inputs = run.inputs
    homes = [user_path(path, inputs) for path in texts(run.settings.get("plugins.load.paths")) or [] if js_trim(path)]
    for home in (*homes, f"{run.folder}/.openclaw/extensions", f"{state_dir(inputs)}/extensions"):
        entries = workspace.list(home).entries if workspace.is_dir(home) else ()
        children = [f"{home}/{entry.name}" for entry in entries if entry.kind != "file"]
        for plugin in (home, *children[:MAX_PLUGINS]):
            file = workspace.read(f"{plugin}/{MANIFEST}") if workspace.kind(f"{plugin}/{MANIFEST}") else None
            if file and file.found:
                yield file


def _plugin_folders(file: FileText, settings: SettingLevers) -> Iterator[str]:
    """The `skills` folders of a plugin's manifest, none while the plugin is off."""
    manifest = mapping(parse_json5(file.text).value)
    plugin, allowed = text(manifest.get("id")), texts(settings.get("plugins.allow"))
    if plugin is None or plugin in (texts(settings.get("plugins.deny")) or []) or (allowed and plugin not in allowed):
        return
    if mapping(mapping(settings.get("plugins.entries")).get(plugin)).get("enabled") is False:
        return
    for relative in texts(manifest.get("skills")) or []:
        if js_trim(relative) and ".." not in relative.split("/") and not relative.startswith("/"):
            yield f"{file.path.removesuffix(MANIFEST)}{relative.removeprefix('./').rstrip('/')}"


def _manifest(file: FileText, settings: SettingLevers) -> FileDraft:
    on = any(_plugin_folders(file, settings))
    no = "the plugin is off or brings no skills"
    remedy = f"name its folders under `skills` in {file.path}, and switch it on under `plugins`"
    when = Fact("file", file.path, on, "its skills are looked into", no, remedy=remedy)
    return file_row(file, "settings", "always", when, chars=utf16_len(file.text))


# --- the files --------------------------------------------------------------------------------------------------------


def _files(checked: Checked, shown: int, found: FoundSkills, settings: SettingLevers, home: str) -> Iterator[FileDraft]:
    bounds, facts = found.bounds, Facts()
    eligible = [skill for skill, when in checked if when.holds(facts)]
    chars = list(accumulate(map(entry_chars, eligible), initial=BASE_CHARS))[1:]
    places = {id(skill): place for skill, *place in zip(eligible, count(1), chars, strict=False)}
    for skill, when in checked:
        if id(skill) not in places:  # a gate holds it back before the limits do
            yield _draft(skill, when, home)
            continue
        rank, size = places[id(skill)]
        wanted = (Limit("maxSkillsInPrompt", bounds.in_prompt, rank), Limit("maxSkillsPromptChars", bounds.chars, size))
        last = "the next one to be cut, " if rank == shown else ""  # the last one listed is the first to go
        yield _draft(skill, when & _room(wanted, settings), home, f"{last}number {rank} of {shown} listed", wanted)
    for loser, winner in found.replaced:
        why = f"{winner.path} has the same name and overrides it"
        yield _draft(loser, absent(loser.name, why, "give one of the two another name"), home)
    for refused in found.refused:
        file, key = refused.file, "skills.limits.maxSkillFileBytes"
        never: Condition = absent(file.path, refused.why, f"change {file.path}; no switch simulates it")
        if refused.needs is not None:
            never = settings.decides(key, False, "", refused.why, on=refused.needs)
        yield file_row(file, "skill", "on-demand", never, chars=utf16_len(file.text))


def _room(limits_: tuple[Limit, Limit], settings: SettingLevers) -> Condition:
    """Whether the limits on number and characters left room for the skill."""
    (rank, most), (chars, room) = ((limit.wanted, limit.allowed) for limit in limits_)
    words = (
        f"maxSkillsInPrompt is {most:,}: cut as number {rank}",
        f"the listing would have {chars:,} characters, maxSkillsPromptChars is {room:,}: cut as number {rank}",
    )
    in_number, in_size = (
        settings.decides(
            f"skills.limits.{limit.name}", limit.wanted <= limit.allowed, "the limits leave room", no,
            on=limit.wanted, off=limit.wanted - 1,
        )
        for limit, no in zip(limits_, words, strict=True)
    )  # fmt: skip
    return in_number & in_size


def _draft(skill: Skill, when: Condition, home: str, yes: str = "", limits_: tuple[Limit, ...] = ()) -> FileDraft:
    name, description, place = map(escape, (skill.name, skill.description, short_path(skill.path, home)))
    fields = f"<name>{name}</name>\n    <description>{description}</description>\n    <location>{place}</location>"
    injected, file = f"\n  <skill>\n    {fields}\n  </skill>", skill.file
    when = mode_is("full", "minimal") & when
    return FileDraft(
        path=skill.path,
        real_path=file.real_path if file else "",
        kind="skill",
        load="on-demand",  # the body is for the model to read; only the entry is in the prompt
        when=Named("file", skill.name, when, yes) if yes else when,
        bytes=file.size if file else 0,
        raw_chars=utf16_len(file.text) if file else 0,
        injected=injected,
        injected_chars=utf16_len(injected),
        limits=limits_,
    )
