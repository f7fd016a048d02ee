"""Whether the workspace is trusted, and what said so (specs/gemini.md 13)."""

from __future__ import annotations

from typing import cast

from promptscope_engine.agents.gemini.params import GeminiParams
from promptscope_engine.agents.gemini.variables import TRUST
from promptscope_engine.agents.kit.layered import usable
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Named, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.workspace import Workspace

from .places import Places
from .settings import Settings, read_json

_TRUSTED, _PARENT, _UNTRUSTED = "TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST"
_YES, _NO = "the folder is trusted", "the folder is not trusted"


@frozen
class Trust:
    """The condition, and the file that was asked."""

    when: Condition
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def is_vouched_for(inputs: Inputs) -> bool:
    """Whether the scenario itself says that the workspace is trusted."""
    said = inputs.env.get(TRUST, "").strip().lower()
    return said == "true" if said in ("true", "false") else cast(GeminiParams, inputs.params).trusted is True


def find_trust(inputs: Inputs, params: GeminiParams, settings: Settings, places: Places, workspace: Workspace) -> Trust:
    """The variable decides, else the switch for all folders, else what the list of folders says of this one.

    `settings` are those without the workspace's own: a folder cannot vouch for itself.
    """
    said = inputs.env.get(TRUST, "").strip().lower()
    if said in ("true", "false"):
        on, off = Lever(f"env.{TRUST}", "true"), Lever(f"env.{TRUST}", "false")
        source = SettingSource(f"env.{TRUST}", overlay=f"env.{TRUST}")
        why = f"`{TRUST}` is {said}"
        leaf: Condition = Setting(source, said, "is", "true", why, why, on, off)
        return Trust(Named("flag", "trust", leaf, yes=_YES, no=_NO))
    switch = settings.known("security.folderTrust.enabled", default=True)
    value = switch.value if isinstance(switch.value, bool) else True
    every = Known(value, switch.source).is_(
        False, unset=True, yes="every folder is trusted", no="folders have to be trusted one by one"
    )
    listed, files, diagnostics = _listed(params, places, workspace)
    either = Named("flag", "trust", listed | every, yes=_YES, no=_NO)
    return Trust(either, files, diagnostics)


def _listed(
    params: GeminiParams, places: Places, workspace: Workspace
) -> tuple[Condition, tuple[FileDraft, ...], tuple[Diagnostic, ...]]:
    """What `params.trusted` or, without it, the list of folders says."""
    on, off = (Lever("trusted", True),), (Lever("trusted", False),)
    path = f"{places.own}/trustedFolders.json"
    if params.trusted is not None:
        yes, no = "`trusted` is on", "`trusted` is off"
        return Observed("flag", "trusted", params.trusted, yes, no, on=on, off=off), (), ()
    file = workspace.read(path)
    parsed, problem = read_json(file, "bad-trusted-folders")
    folders = parsed.value if parsed and isinstance(parsed.value, dict) else {}
    key, verdict = _longest(folders, places.cwd, workspace)
    source = None
    if key is not None:
        source = SettingSource(key, path, places.shown(path), key_line(file.text, (key,), "json"))
    no = f"`{key}` is marked {_UNTRUSTED}" if verdict is False else "trustedFolders.json does not name it"
    yes = f"`{key}` is marked as trusted"
    leaf = Observed("flag", "trusted", verdict is True, yes, no, on=on, off=off, source=source)
    files: tuple[FileDraft, ...] = ()
    if file.problem != "missing":
        when = usable(file, bool(parsed and isinstance(parsed.value, dict)))
        files = (file_row(file, "settings", "always", when),)
    return leaf, files, (problem,) if problem else ()


def _longest(folders: dict[str, object], cwd: str, workspace: Workspace) -> tuple[str | None, bool | None]:
    """The entry with the longest path that speaks of the folder, and its verdict."""
    here = workspace.real_path(cwd)
    longest = 0
    named: str | None = None
    verdict: bool | None = None
    for key, level in folders.items():
        folder = workspace.real_path(key.rstrip("/") or "/") if key.startswith("/") else key
        if level == _PARENT:
            folder = folder.rpartition("/")[0] or "/"
        inside = f"{here}/".startswith(f"{folder.rstrip('/')}/")
        if level in (_TRUSTED, _PARENT, _UNTRUSTED) and inside and len(folder) > longest:
            longest, named, verdict = len(folder), key, level != _UNTRUSTED
    return named, verdict
