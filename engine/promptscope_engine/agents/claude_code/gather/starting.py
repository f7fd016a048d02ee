"""What keeps Claude Code from starting, beside arguments and files that it cannot read [asked of 2.1.332].

Most of it is an organisation's, and counts in its own settings alone.
"""

import re
from collections.abc import Iterator

from promptscope_engine.agents.claude_code.texts import FOLDER, WHOLE, auto_share, is_first_party
from promptscope_engine.agents.claude_code.versions import V100, is_on
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.inputs.machine import search_path
from promptscope_engine.prompt.model import Diagnostic, SettingSource

from .prefix import DEAF
from .session import Session
from .settings import MANAGED

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_VERSION = r"v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(?:\+.*)?"
_WORKTREE = r"(?a)[\w.-]+(?:/[\w.-]+)*"
_COORDINATES = "CLAUDE_CODE_COORDINATOR_MODE"
_SEARCH = "ENABLE_TOOL_SEARCH"
Refusal = tuple[str, SettingSource | None]


def refusals(session: Session, mode: str) -> Iterator[Diagnostic]:
    """Each with the setting that says so; and notes on what isn't known of the start."""
    if session.version == V100:
        return
    for found in (_versions, _logins, _sideloaded, _helper, _scrubbing, _files):
        for text, source in found(session):
            yield _refusal(text, source)
    if session.params.args.worktree and not re.fullmatch(_WORKTREE, session.params.args.worktree):
        yield _refusal("--worktree takes letters, digits, dots, dashes and underscores, with slashes between", None)
    if session.params.args.maxBudgetUsd == 0:
        yield _refusal("--max-budget-usd takes an amount above 0", None)
    coordinates = session.variable(_COORDINATES)
    if is_on(coordinates.value):
        yield FOLDER.note("not-modelled", coordinates.source, key=_COORDINATES)
    search = session.variable(_SEARCH)
    if 0 < (auto_share(search.value) or 0) < WHOLE:
        yield FOLDER.note("tool-search-share", search.source, value=search.value)
    bypasses = mode == "bypassPermissions" or session.params.args.allowDangerouslySkipPermissions
    if bypasses and _is_root(session):
        yield _refusal("root may not bypass permissions outside of a sandbox (`IS_SANDBOX=1`)", None)
    program = _helper_program(session)
    if program and not list(_helper(session)):
        yield FOLDER.note("policy-helper", session.settings.of(MANAGED).known("policyHelper").source, program=program)


def _refusal(text: str, source: SettingSource | None) -> Diagnostic:
    place = (source.path, source.line) if source else (None, None)
    return Diagnostic("error", "agent-refuses", f"Claude Code does not start: {text}", *place)


def _versions(session: Session) -> Iterator[Refusal]:
    """`requiredMinimumVersion` and `requiredMaximumVersion`; what is not a whole version says nothing."""
    own, mine = session.settings.of(MANAGED), _parts(session.version)
    for key, word in (("requiredMinimumVersion", "older"), ("requiredMaximumVersion", "newer")):
        known = own.known(key)
        wanted = _parts(known.value) if isinstance(known.value, str) else None
        if wanted and mine and (mine < wanted if word == "older" else mine > wanted):
            yield f"{session.version} is {word} than `{key}` of your organisation ({known.value})", known.source


def _parts(text: str) -> tuple[int, int, int, bool] | None:
    """A version for comparing: what has a part behind a dash comes before the one without."""
    found = re.fullmatch(_VERSION, text.strip())
    return (int(found[1]), int(found[2]), int(found[3]), not found[4]) if found else None


def _logins(session: Session) -> Iterator[Refusal]:
    """An organisation that wants its own sign-in takes neither a key nor another host."""
    env, own = session.inputs.env, session.settings.of(MANAGED)
    keys = [name for name in _KEYS if env.get(name)]
    keys += ["apiKeyHelper"] if isinstance(session.settings.plain.get("apiKeyHelper"), str) else []
    elsewhere = not is_first_party(env.get("ANTHROPIC_BASE_URL", "")) and not env.get("CLAUDE_CODE_OAUTH_TOKEN")
    keys += ["ANTHROPIC_BASE_URL"] if elsewhere else []
    for key in ("forceLoginOrgUUID", "forceLoginMethod", "forceLoginGatewayUrl"):
        known = own.known(key)
        if known.value is not None and keys:
            yield f"`{key}` of your organisation wants its own sign-in, and there is `{keys[0]}`", known.source
            return


def _sideloaded(session: Session) -> Iterator[Refusal]:
    """`disableSideloadFlags` forbids what the command line would bring along; no servers are none."""
    known, args = session.settings.of(MANAGED).known("disableSideloadFlags"), session.params.args
    given = {
        "--plugin-dir": bool(args.pluginDir),
        "--agents": args.agents is not None,
        "--mcp-config": bool(session.arguments.servers),
    }
    for flag, there in given.items():
        if known.value is True and there:
            yield f"`disableSideloadFlags` of your organisation forbids {flag}", known.source


def _helper_program(session: Session) -> str:
    path = mapping(session.settings.of(MANAGED).known("policyHelper").value).get("path")
    return path if isinstance(path, str) else ""


def _helper(session: Session) -> Iterator[Refusal]:
    """`policyHelper` is a program that prints more settings; promptscope runs none."""
    path, source = _helper_program(session), session.settings.of(MANAGED).known("policyHelper").source
    if path and not path.startswith("/"):
        yield f"`policyHelper` of your organisation needs an absolute path, not {path}", source
    elif path and not session.workspace.is_executable(path):
        yield f"`policyHelper` of your organisation names {path}, which is no program here", source
    elif path.rpartition("/")[2] in DEAF:
        yield f"`policyHelper` of your organisation names {path}, which prints no JSON object", source


def _scrubbing(session: Session) -> Iterator[Refusal]:
    """On Linux the environment of commands can be kept from them by bubblewrap only."""
    env, name = session.inputs.env, "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"
    own = session.settings.known("sandbox.bwrapPath").value
    places = [own] if isinstance(own, str) else [f"{folder}/bwrap" for folder in search_path(env)]
    linux = session.inputs.environment.platform == "linux"
    if is_on(env.get(name, "")) and linux and not any(map(session.workspace.is_executable, places)):
        yield f"`{name}` is on, and bubblewrap is not installed", None


def _files(session: Session) -> Iterator[Refusal]:
    if session.params.args.file and not session.inputs.env.get("CLAUDE_CODE_SESSION_ACCESS_TOKEN"):
        yield "--file needs `CLAUDE_CODE_SESSION_ACCESS_TOKEN`", None


def _is_root(session: Session) -> bool:
    env = session.inputs.env
    sandboxed = env.get("IS_SANDBOX") == "1" or is_on(env.get("CLAUDE_CODE_BUBBLEWRAP", ""))
    return session.inputs.environment.username == "root" and not sandboxed
