"""Where a run's skills are, those that are listed, and the files behind the listing."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from promptscope_engine.agents.kit.disk.rows import absent, file_row
from promptscope_engine.agents.kit.disk.settings import mapping, text, texts
from promptscope_engine.agents.kit.text.markup import IN_QUOTES
from promptscope_engine.agents.openclaw.gather.config import short_path, state_dir, user_path, user_paths
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun
from promptscope_engine.agents.openclaw.gather.skill_folders import (
    BUNDLED,
    CUSTODIAN,
    EXTRA,
    MANAGED,
    PERSONAL,
    PROJECT,
    TAGS,
    WORKSPACE,
    FoundSkills,
    Limits,
    Skill,
    Source,
    discover,
    limits,
)
from promptscope_engine.agents.openclaw.gather.tools import switched_on
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim, utf16_len
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Facts, Named
from promptscope_engine.prompt.drafts import FileDraft, Span
from promptscope_engine.prompt.leaves import mode_is
from promptscope_engine.prompt.model import Diagnostic, Lever, Limit
from promptscope_engine.workspace import FileText, Workspace

from .skill_listing import Fit, Fitting, Machine, first_that_fit, gate, listing

MANIFEST = "openclaw.plugin.json"
GIVEN = "given"
"""The tag of what stands in for all sources."""
UNKNOWN_PACKAGE = {
    False: "the installed package is not known (`bundledSkillsDir`): its skills are not listed",
    True: "the installed package is not known (`packageDir`): of its skills, only those of its plugins are listed",
}
"""What is said where nothing names the package, by whether the version is 2026.9 or later."""
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
    named = (*settings.words("skills.load.extraDirs"), *settings.words("plugins.load.paths"))
    others = (inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""), settings.word("agents.defaults.repoRoot") or "")
    return user_paths((*named, *others), inputs)


def skills(run: AgentRun, workspace: Workspace) -> Listed:
    """The skills of this run: gates, then the two limits, which cut from the end."""
    settings, given, home = run.settings, run.params.skills, run.inputs.home
    on = given is None and settings.get("plugins.enabled") is not False
    found = list(manifests(run, workspace)) if on else []
    sources, bounds, machine = (
        _sources(run, found, workspace),
        limits(settings, run.version, run.entry.get("skillsLimits")),
        _machine(run),
    )
    if given is not None:
        fields = ((s.name, s.description, s.filePath, s.source, s.disableModelInvocation) for s in given)
        sources = [Source(GIVEN, "", tuple(Skill(*each) for each in fields))]
    # what the whole listing depends on; with 60 skills it takes 15 ms, and a what-if panel asks for it 40 times
    key = ("openclaw.skills", repr((sources, bounds, machine, home, run.version, run.window)))
    listed = workspace.memo(key, lambda: _listed(sources, bounds, machine, workspace, (home, run.version, run.window)))
    return listed._replace(files=(*(_manifest(file, settings) for file in found), *listed.files))


def _listed(
    sources: list[Source], bounds: Limits, machine: Machine, workspace: Workspace, where: tuple[str, str, int]
) -> Listed:
    home, version, window = where
    found = discover(workspace, sources, bounds)
    facts = Facts()
    skills_ = list(found.skills.values())
    if version >= NEWER:
        skills_ = [skills_[at] for at in locale_order([skill.name for skill in skills_])]
    checked = [(skill, gate(skill, machine, workspace)) for skill in skills_]
    eligible = [skill for skill, when in checked if when.holds(facts)]
    fit = first_that_fit(eligible, bounds) if version < NEWER else Fitting(eligible, bounds, home).found(window)
    if fit.most is not None:
        most = f"cut to {fit.most} characters each" if fit.most else "left out"
        message = f"the descriptions of {fit.count} skills are {most}: maxSkillsPromptChars is {bounds.chars:,}"
        found.diagnostics.append(Diagnostic("warning", "skills-shortened", message))
    is_known = any(source.tag == BUNDLED for source in sources)
    if not is_known and sources[0].tag != GIVEN:
        message = UNKNOWN_PACKAGE[version >= NEWER]
        found.diagnostics.append(Diagnostic("info", "skills", message))
    return Listed(
        tuple(listing(eligible, fit, home, version)),
        _some(checked, bool(eligible), short_path(sources[-1].folder, home)),
        tuple(_files(checked, fit, found, machine.settings, home)),
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
    put = f"put a folder with a SKILL.md into {folder}"
    remedy = put if folder else "`--set 'skills=[{name: a, description: TEXT, filePath: /a/SKILL.md}]'`"
    return Fact("file", "skills", ok, yes, no, off=(Lever("skillFilter", []),), remedy=remedy)


def _machine(run: AgentRun) -> Machine:
    only, only_from = run.params.skillFilter, "skillFilter"
    usual = run.settings.get("agents.defaults.skills") if run.is_newer else None
    for listed, whose in ((run.entry.get("skills"), "the agent's list of skills"), (usual, "`agents.defaults.skills`")):
        if only is None and isinstance(listed, list):
            only, only_from = [str(name) for name in listed], whose
    names = None if only is None else tuple(name for name in map(js_trim, only) if name)
    inputs = run.inputs
    path = search_path(inputs.env)
    return Machine(run.settings, inputs.environment.platform or "", run.config.env, path, names, only_from)


# --- where ------------------------------------------------------------------------------------------------------------


def _sources(run: AgentRun, manifests: Sequence[FileText], workspace: Workspace) -> list[Source]:
    """The sources, lowest precedence first; plugins' folders come with the extra ones."""
    inputs, params, settings = run.inputs, run.params, run.settings
    extra = user_paths(settings.words("skills.load.extraDirs"), inputs)
    for manifest in manifests:
        extra += _plugin_folders(manifest, settings)
    trusted = tuple(user_paths(settings.words("skills.load.allowSymlinkTargets"), inputs))
    managed, levels = params.managedSkillsDir, LEVELS if run.is_newer else 0
    of_user = (
        Source(MANAGED, user_path(managed, inputs) if managed else f"{state_dir(inputs)}/skills", None, levels),
        Source(PERSONAL, f"{inputs.home}/.agents/skills", None, levels),
    )
    return [
        *(Source(EXTRA, path, None, levels and _extra_levels(path), trusted) for path in extra),
        *_of_package(run, workspace),
        *of_user,
        Source(PROJECT, f"{run.folder}/.agents/skills", None, levels, trusted),
        Source(WORKSPACE, f"{run.folder}/skills", None, levels, trusted),
    ]


LEVELS, EXTRA_LEVELS = 6, 2
"""How deep folders of skills are searched; an extra folder less deeply, unless it is one of skills."""


def _extra_levels(path: str) -> int:
    return LEVELS if "skills" in path.split("/") else EXTRA_LEVELS


def _of_package(run: AgentRun, workspace: Workspace) -> Iterator[Source]:
    """What comes with the installed package: its own folders if they can be read, else what is known of them."""
    params, inputs = run.params, run.inputs
    named = params.bundledSkillsDir or js_trim(inputs.env.get("OPENCLAW_BUNDLED_SKILLS_DIR", ""))
    package = package_of(run, workspace)
    own = f"{package}/skills" if package and run.is_newer else ""
    folder = user_path(named, inputs) if named else own if own and workspace.is_dir(own) else ""
    levels = LEVELS if run.is_newer else 0
    yield Source(EXTRA, "", tuple(_packaged(run, package or USUAL_PACKAGE, ("", "plugin"))))
    if folder:
        yield Source(BUNDLED, folder, None, levels)
        if run.is_newer and run.is_default:
            yield Source(CUSTODIAN, f"{folder.rpartition('/')[0]}/custodian-skills", None, levels)
    elif own:
        yield Source(BUNDLED, "", tuple(_packaged(run, package or "", ("bundled",))))
        if run.is_default:
            yield Source(CUSTODIAN, "", tuple(_packaged(run, package or "", ("custodian",))))


def package_of(run: AgentRun, workspace: Workspace) -> str | None:
    """The folder of the installed package, None where it is not known.

    It is the scenario's, or the one that `openclaw` on PATH is of; before 2026.9 the one around the bundled skills.
    """
    params, inputs = run.params, run.inputs
    if params.packageDir:
        return user_path(params.packageDir, inputs).rstrip("/")
    if not run.is_newer:
        return (params.bundledSkillsDir or "").rstrip("/").rpartition("/")[0] or None
    for folder in search_path(inputs.env):
        if workspace.is_executable(f"{folder}/openclaw"):
            found = workspace.real_path(f"{folder}/openclaw").rpartition("/")[0]
            if found.endswith("/openclaw"):
                workspace.allow([found])
                return found
    return None


def _packaged(run: AgentRun, package: str, of: Collection[str]) -> Iterator[Skill]:
    """The skills that come with the package, of plugins only of those that are on.

    The limits on files and folders hold for those of plugins too [asked of 2026.9.6].
    """
    bounds, links = limits(run.settings, run.version, run.entry.get("skillsLimits")), 0
    for name, skill in FOLDER.bundled("skills", run.version).items():
        place, plugin = skill.head.get("of", ""), skill.head.get("plugin")
        if place not in of:
            continue
        when = switched_on(run.settings, plugin, usual=run.is_newer) if plugin else None
        folders = {
            "bundled": f"{package}/skills",
            "custodian": f"{package}/custodian-skills",
            "plugin": f"{state_dir(run.inputs)}/plugin-skills",
        }
        if (when is not None and not when.holds(Facts())) or int(skill.head.get("bytes", 0)) > bounds.file_bytes:
            continue
        own = f"{package}/{'dist/' if run.is_newer else ''}extensions/{plugin}/skills"
        # the folder of links to those of plugins is a source like others; what it has no room for is found at home
        folder = own if place == "plugin" and links >= bounds.candidates else folders.get(place, own)
        links += place == "plugin"
        path = f"{folder}/{name}/SKILL.md"
        yield Skill(name, skill.text, path, TAGS.get(place, EXTRA), hidden=False, plugin=when or ALWAYS)


def manifests(run: AgentRun, workspace: Workspace) -> Iterator[FileText]:
    """The manifests of the plugins that are looked for: named folders, and the extensions of workspace and home."""
    inputs = run.inputs
    homes = user_paths(run.settings.words("plugins.load.paths"), inputs)
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
    plugin, allowed = text(manifest.get("id")), settings.words("plugins.allow")
    if plugin is None or plugin in settings.words("plugins.deny") or (allowed and plugin not in allowed):
        return
    if settings.get(("plugins", "entries", plugin, "enabled")) is False:
        return
    for relative in texts(manifest.get("skills")) or []:
        if js_trim(relative) and ".." not in relative.split("/") and not relative.startswith("/"):
            yield f"{file.path.removesuffix(MANIFEST)}{relative.removeprefix('./').rstrip('/')}"


def _manifest(file: FileText, settings: SettingLevers) -> FileDraft:
    when = FOLDER.reason("brings_skills", any(_plugin_folders(file, settings)), path=file.path)
    return file_row(file, "settings", "always", when, chars=utf16_len(file.text))


# --- the files --------------------------------------------------------------------------------------------------------


def _files(checked: Checked, fit: Fit, found: FoundSkills, settings: SettingLevers, home: str) -> Iterator[FileDraft]:
    bounds, facts, shown = found.bounds, Facts(), fit.count
    eligible = [skill for skill, when in checked if when.holds(facts)]
    chars = [size if n < shown else max(size, bounds.chars + 1) for n, size in enumerate(fit.sizes)]
    chars = [size if n >= bounds.in_prompt else chars[n] for n, size in enumerate(fit.sizes)]
    places = {id(skill): place for skill, *place in zip(eligible, range(1, len(eligible) + 1), chars, strict=True)}
    for skill, when in checked:
        if id(skill) not in places:  # a gate holds it back before the limits do
            yield _draft(skill, when, home)
            continue
        rank, size = places[id(skill)]
        wanted = (Limit("maxSkillsInPrompt", bounds.in_prompt, rank), Limit("maxSkillsPromptChars", bounds.chars, size))
        last = rank == shown < len(eligible)  # where the limits cut, the last one listed is the next to go
        said = f"the next one to be cut, number {rank} of {shown} listed" if last else ""
        yield _draft(skill, when & _room(wanted, settings), home, said, wanted)
    for loser, winner in found.replaced:
        why = f"{winner.path} has the same name and overrides it"
        yield _draft(loser, absent(loser.name, why, "give one of the two another name"), home)
    yield from found.locked
    for refused in found.refused:
        file, key = refused.file, "skills.limits.maxSkillFileBytes"
        never: Condition = absent(file.path, refused.why, f"correct {file.path}")
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
    told = skill.name, skill.description, short_path(skill.path, home)
    name, description, place = (text.translate(IN_QUOTES) for text in told)
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
