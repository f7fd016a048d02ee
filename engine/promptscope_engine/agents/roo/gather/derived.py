"""What Roo computes from the machine and its other inputs before it writes a prompt."""

from __future__ import annotations

import json
import posixpath
from functools import cache
from pathlib import Path
from typing import Literal

from promptscope_engine.agents.roo.gather.found import Found
from promptscope_engine.agents.roo.gather.mode_files import global_storage
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import BROWSER, FILES_LISTED, FOLDER, LANGUAGES, PARTIAL_READS
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Facts, Observed
from promptscope_engine.prompt.derived import Derivation
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic

ALLOWED_SHELLS = frozenset(f"{folder}{name}" for folder, names in FOLDER.agent["shells"].items() for name in names)
_ALLOWED_ANY_CASE = frozenset(path.lower() for path in ALLOWED_SHELLS)
_CMD = r"C:\Windows\System32\cmd.exe"
_FALLBACKS = {"win32": _CMD, "darwin": "/bin/zsh"}


def default_shell(inputs: Inputs, terminal_shell: str | None) -> str:
    """getShell(): the terminal profile's shell, else the login shell, else the environment's, if it is allowed."""
    platform = inputs.environment.platform or "linux"
    fallback = _FALLBACKS.get(platform, "/bin/bash")
    named = inputs.env.get("COMSPEC" if platform == "win32" else "SHELL")
    shell = terminal_shell or inputs.environment.shell or named or fallback
    return shell if _allowed(shell, platform) else fallback


def _allowed(shell: str, platform: str) -> bool:
    if platform == "win32":
        return shell.replace("/", "\\").lower() in _ALLOWED_ANY_CASE
    return posixpath.normpath(shell) in ALLOWED_SHELLS


def language_code(given: str | None, editor: str | None) -> str:
    """The language passed to the prompt; null means the editor's, and "" none (4.1)."""
    return format_language(editor or "") if given is None else given


def format_language(locale: str) -> str:
    """formatLanguage(): the last `-xx` in capitals if that is one of the eighteen, else en."""
    head, dash, region = locale.rpartition("-")
    code = f"{head}-{region.upper()}" if dash else locale
    return code if code in LANGUAGES else "en"


_MODELS = Path(__file__).parents[1] / "models.json"
_REMEDY = "choose a model that can, as claude-sonnet-4-5, or set `supportsComputerUse`"

_MULTI, _SINGLE = "multi-file-search-replace", "multi-search-replace"


@cache
def _lists() -> dict[str, dict[Literal["computer", "other"], list[str]]]:
    """The models of each provider; a name in brackets is what a provider that fetches its list starts from."""
    lists: dict[str, dict[Literal["computer", "other"], list[str]]] = json.loads(_MODELS.read_text("utf-8"))
    return lists


def is_listed(params: RooParams, model: str | None) -> bool:
    """Whether it is known what the model can do."""
    lists = _lists()
    asked = lists.values() if params.apiProvider is None else [lists.get(params.apiProvider, {})]
    return any(model in names for models in asked for names in models.values())


def find_model(provider: str | None, model: str | None) -> Found[Condition]:
    """Whether the model can use a computer, by the lists of 3.28.16."""
    if not model:
        return Found(_can(False, "no model is set"))
    lists = _lists()
    if provider is not None and provider not in lists:
        close = nearest(provider, list(lists)) or tuple(lists)
        note = f"Roo has no provider {provider!r}; known: {', '.join(close)}"
        return Found(_can(False, note), diagnostics=(Diagnostic("warning", "unknown-provider", note),))
    asked = lists if provider is None else {provider: lists[provider]}
    for name, models in asked.items():
        if model in models["computer"]:
            return Found(_can(True, f"{model} can use a computer (the list of {name})"))
        if model in models["other"]:
            return Found(_can(False, f"{model} cannot use a computer (the list of {name})"))
    names = [each for models in asked.values() for each in (*models["computer"], *models["other"])]
    if all(each.startswith("(") for each in names):
        return Found(_can(False, f"{provider} is asked for its models at run time: {model} is not known here"))
    where = f"the list of {provider}" if provider else "no provider's list"
    lacks = "lacks" if provider else "has"
    return Found(_can(False, f"{where} {lacks} {model}"))


def _can(ok: bool, text: str) -> Condition:
    return Observed("model", "supportsComputerUse", ok, text, text, remedy=_REMEDY)


def derived_inputs(inputs: Inputs, params: RooParams, facts: Facts) -> tuple[Derivation, ...]:
    """Every input that Roo computes, with its arrow."""
    machine = inputs.environment
    several = flag("experiments.multiFileApplyDiff")
    own_language = language_code(None, machine.language)
    speaks = f"the editor speaks {machine.language or 'an unknown one'}"
    asked = params.language is None or "language" in params.model_fields_set
    return (
        # Of a model that no list has, nobody knows whether it can: then nothing is contradicted.
        Derivation.of(BROWSER, facts, is_setting=params.browserToolEnabled and not is_listed(params, inputs.model)),
        Derivation.of(PARTIAL_READS, facts),
        Derivation.of(FILES_LISTED, facts),
        Derivation(
            "diffStrategy",
            _MULTI if several.holds(facts) else _SINGLE,
            several,
            params.diffStrategy if "diffStrategy" in params.model_fields_set else None,
        ),
        *((_setting("language", own_language, params.language, speaks),) if asked else ()),
        _setting("terminalShell", default_shell(inputs, None), params.terminalShell, "it is the login shell"),
        _setting("vscodeShell", machine.shell or "", params.vscodeShell, "it is the login shell"),
        _setting(
            "globalStorage",
            global_storage(inputs, None),
            params.globalStorage,
            "it is the editor's own place below the home folder",
        ),
    )


def _setting(param: str, computed: str, given: str | None, why: str) -> Derivation:
    """What the machine decides while a setting does not."""
    return Derivation(param, computed, Observed("flag", param, True, why, why), given, is_setting=True)
