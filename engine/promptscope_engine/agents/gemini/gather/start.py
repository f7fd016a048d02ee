"""What decides a start before anything is read: trust, the `.env` file, and the file of GEMINI_SYSTEM_MD."""

from promptscope_engine.agents.gemini.materials import Override
from promptscope_engine.agents.gemini.texts import (
    FOLDER,
    HOME,
    OFF_WORDS,
    ON_WORDS,
    RESTRICTED,
    SYSTEM_MD,
    TRUST,
    TRUSTED_FOLDERS,
)
from promptscope_engine.agents.kit.disk.layered import usable
from promptscope_engine.agents.kit.disk.rows import Found, followed
from promptscope_engine.agents.kit.disk.walking import upwards
from promptscope_engine.formats.dotenv import entries
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Named, Setting, stated
from promptscope_engine.prompt.drafts import file_text
from promptscope_engine.prompt.leaves import either
from promptscope_engine.prompt.model import Assumption, Lever, SettingSource, Variable
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .folders import Places
from .settings import GeminiSettings, read_json

_TRUSTED, _PARENT, _UNTRUSTED = "TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST"
_YES, _NO = "the folder is trusted", "the folder is not trusted"


def is_vouched_for(inputs: Inputs) -> bool:
    """Whether the scenario itself says that the workspace is trusted."""
    said = _said(inputs)[1]
    return said == "true" if said else inputs.params.trusted is True


def _said(inputs: Inputs) -> tuple[str, str]:
    """The variable that decides on trust, and `true` or `false`, which nothing else counts as; ("", "") without one."""
    if inputs.env.get(RESTRICTED) == "true":
        return RESTRICTED, "false"
    said = inputs.env.get(TRUST, "")
    return (TRUST, said) if said in ("true", "false") else ("", "")


def find_trust(inputs: Inputs, settings: GeminiSettings, places: Places, told: Found) -> Condition:
    """A variable decides, else the switch for all folders, else what the list of folders says of this one.

    `settings` are those without the workspace's own: a folder cannot vouch on its own.
    """
    name, said = _said(inputs)
    if name == RESTRICTED:
        source = SettingSource(f"env.{RESTRICTED}", overlay=f"env.{RESTRICTED}")
        why = either(f"`{RESTRICTED}` is {{actual}}", ("false",))
        restricted: Condition = Setting(source, "true", "is", "false", *why, Lever(f"env.{RESTRICTED}", "false"))
        return Named("flag", "trust", restricted, yes=_YES, no=_NO)
    if name:
        on, off = Lever(f"env.{TRUST}", "true"), Lever(f"env.{TRUST}", "false")
        source = SettingSource(f"env.{TRUST}", overlay=f"env.{TRUST}")
        why = either(f"`{TRUST}` is {{actual}}", ("true",))
        leaf: Condition = Setting(source, said, "is", "true", *why, on, off)
        return Named("flag", "trust", leaf, yes=_YES, no=_NO)
    switch = settings.known("security.folderTrust.enabled", default=True)
    value = switch.value if isinstance(switch.value, bool) else True
    every = Sourced(value, switch.source).is_(
        False, unset=True, yes="every folder is trusted", no="folders have to be trusted one by one"
    )
    listed = _listed(inputs, places, told)
    return Named("flag", "trust", listed | every, yes=_YES, no=_NO)


_ASSUMED = "no file says otherwise, and you trust it when you are asked"


def _listed(inputs: Inputs, places: Places, told: Found) -> Condition:
    """What `params.trusted` or, without it, the list of folders says; then, what somebody who sits at it will say."""
    params = inputs.params
    on, off = (Lever("trusted", True),), (Lever("trusted", False),)
    named = inputs.env.get(TRUSTED_FOLDERS)
    path = resolve(places.cwd, named) if named else f"{places.runtime}/trustedFolders.json"
    if params.trusted is not None:
        return Fact("flag", "trusted", params.trusted, "`trusted` is on", "`trusted` is off", on=on, off=off)
    file = told.workspace.read(path)
    parsed, problem = read_json(file, "bad-trusted-folders")
    folders = parsed.value if parsed and isinstance(parsed.value, dict) else None
    told.diagnostics += [problem] if problem else []
    if file.problem != "missing":
        told.row(file, "settings", "always", usable(file, folders is not None))
    key, verdict = _longest(folders or {}, places.cwd, told.workspace)
    source = None
    if key is not None:
        source = SettingSource(key, path, places.shown(path), key_line(file.text, (key,), "json"))
    if verdict is None and inputs.attended is not None:
        told.assumed.append(Assumption("trusted", off))
        return stated("flag", "trusted", True, _ASSUMED, on=on, off=off)
    no = f"`{key}` is marked {_UNTRUSTED}" if verdict is False else f"{path.rpartition('/')[2]} does not name it"
    yes = f"`{key}` is marked as trusted"
    return Fact("flag", "trusted", verdict is True, yes, no, on=on, off=off, source=source)


def _longest(folders: dict[str, object], cwd: str, workspace: Workspace) -> tuple[str | None, bool | None]:
    """The entry with the longest path that speaks of the folder, and its verdict."""
    here = workspace.real_path(cwd)
    longest, named, verdict = 0, None, None
    for key, level in folders.items():
        folder = workspace.real_path(key.rstrip("/") or "/") if key.startswith("/") else key
        if level == _PARENT:
            folder = folder.rpartition("/")[0] or "/"
        inside = f"{here}/".startswith(f"{folder.rstrip('/')}/")
        if level in (_TRUSTED, _PARENT, _UNTRUSTED) and inside and len(folder) > longest:
            longest, named, verdict = len(folder), key, level != _UNTRUSTED
    return named, verdict


_TOO_LATE = (TRUST, RESTRICTED, TRUSTED_FOLDERS, HOME)
"""These were looked at before the file is."""


_LOCAL = "advanced.ignoreLocalEnv"


def read_dotenv(
    inputs: Inputs, settings: GeminiSettings, places: Places, told: Found, trusted: Condition
) -> tuple[Variable, ...]:
    """What the nearest `.gemini/.env` or `.env` sets (upwards, then at home) and the process doesn't.

    Settings may pass over every `.env` on the way up, and name variables that no `.env` sets [asked of 0.61.0].
    """
    local = ~settings.enabled(_LOCAL, default=False)
    skips = settings.flag(_LOCAL, default=False).value
    folders = [folder.rstrip("/") for folder in (*upwards(places.cwd), places.home)]
    for path in (f"{folder}/{name}" for folder in folders for name in (".gemini/.env", ".env")):
        file = told.workspace.read(path)
        is_plain = not path.endswith("/.gemini/.env")
        if file.found and skips and is_plain and path != f"{folders[-1]}/.env":
            told.row(file, "env", "always", trusted & local)
        elif file.found:
            kept = {item.value for item in settings.items("advanced.excludedEnvVars", lone=True)} if is_plain else set()
            return _set_by(file, FOLDER.agent["variables"].keys() - inputs.env.keys() - kept, places, told, trusted)
    return ()


def _set_by(file: FileText, known: set[str], places: Places, told: Found, trusted: Condition) -> tuple[Variable, ...]:
    """What the file sets of the client's variables."""
    shown = places.shown(file.path)
    found: dict[str, Variable] = {}
    for name, value, line in entries(file.text):
        if name in known and name not in _TOO_LATE:
            source = SettingSource(name, file.path, shown, line, overlay=f"env.{name}")
            found[name] = Variable(name, value, source)
    told.row(file, "env", "always", trusted & FOLDER.reason("sets", bool(found), path=file.path))
    return tuple(found.values())


_KIND = "system-prompt-override"


def find_override(
    variable: Sourced[str], places: Places, told: Found, *, follow: bool
) -> tuple[Override, Condition, Condition]:
    """The override, whether it is on, and whether its file exists, as a start needs. It has a row while off."""
    workspace, word, usual = told.workspace, js_trim(variable.value), f"{places.project}/system.md"
    is_on = bool(word) and word.lower() not in OFF_WORDS
    path = places.absolute(word) if is_on and word.lower() not in ON_WORDS else usual
    if path != usual and variable.source.path is None:
        workspace.allow([path])  # the scenario names it
    file = workspace.read(path)
    on = Setting(
        variable.source, variable.value if is_on else "", "given", True, f"`{SYSTEM_MD}` replaces the built-in prompt",
        f"`{SYSTEM_MD}` names no file", on=Lever(f"env.{SYSTEM_MD}", "1"), off=Lever(f"env.{SYSTEM_MD}", "0"),
    )  # fmt: skip
    no = "there is no such file" if file.problem == "missing" else f"it cannot be read: {file.problem}"
    there: Condition = Fact("file", path, file.found, "the file was found", no, remedy=f"create {path}")
    reached = followed(workspace, path, follow)
    if is_on and file.problem == "outside":
        there = ALWAYS
        text = f"a link that leads to {file.real_path} is not followed, so the text in place of the prompt is missing"
        told.warn("outside", text, path)
    if is_on or file.problem != "missing":
        told.row(file, _KIND, "always", on & reached & there, js_trim(file.text), shown=path)
    spans = (file_text(path, file.text, 1),) if file.text else ()
    return Override(path, spans), on, ~on | there
