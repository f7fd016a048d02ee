"""What the session may do: whether the project is trusted, the sandbox, and who decides about what goes beyond it."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.codex.gates import INTERACTIVE
from promptscope_engine.agents.codex.materials import Entry, SandboxView
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.layered import Layer
from promptscope_engine.agents.kit.settings import below
from promptscope_engine.agents.kit.walking import from_home, walk
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.conditions import Condition, Fact, stated
from promptscope_engine.prompt.leaves import either, flag
from promptscope_engine.prompt.model import Lever, ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .settings import CodexSettings, Session

Level = Literal["trusted", "untrusted"]


class Trust(Struct, frozen=True):
    """The decisions that concern the session: for the folder it starts in, and for those above it."""

    cwd: str
    root: str
    """The folder that a decision is saved for: the repository's root, of a linked worktree the main one's."""
    around: tuple[str, ...]
    layers: tuple[Layer, ...]
    unset: SettingSource
    """Where a decision would be, if there were one."""
    raw: str
    """The folder as the scenario has it."""

    def of(self, folder: str) -> Sourced[Level | None]:
        """The decision for a folder: its own, else that for the repository."""
        own = (folder, self.raw) if folder == self.cwd else (folder,)
        for path in (*own, *self.around):
            for layer in reversed(self.layers):
                level = below(layer.values, ("projects", path, "trust_level"))
                if level in ("trusted", "untrusted"):
                    return Sourced(level, layer.source(("projects", path, "trust_level")))
        return Sourced(None, self.unset)

    def is_(self, level: Level, folder: str, yes: str, no: str) -> Condition:
        """The folder was decided to be so. The lever decides for the repository."""
        found = self.of(folder)
        other: Level = "trusted" if level == "untrusted" else "untrusted"
        place = f" ({found.source.place})" if found.value and found.source.place else ""
        return Fact(
            "flag", "trust", found.value == level, f"{yes}{place}", f"{no}{place}",
            on=(self._lever(found.value, level),), off=(self._lever(found.value, other),), source=found.source,
        )  # fmt: skip

    def _lever(self, decided: Level | None, level: Level) -> Lever:
        return Lever("args.trust", True) if level == "trusted" and decided is None else self.lever(level)

    def lever(self, level: Level) -> Lever:
        """What decides so for the repository."""
        projects = {path: {"trust_level": level} for path in dict.fromkeys((self.cwd, self.raw, self.root))}
        return Lever("settings.projects", projects)


def trust(workspace: Workspace, cwd: str, raw: str, layers: Sequence[Layer], unset: SettingSource) -> Trust:
    """The decisions of the layers."""
    searched = walk(workspace, cwd, [".git"], lambda marker: is_repository(marker, workspace))
    own = searched.folders[0] if searched.marker else None
    main = main_repository(own, workspace) if own else None
    around = tuple(dict.fromkeys(filter(None, (own, main))))
    root = main or own or cwd
    return Trust(cwd, root, around, tuple(layers), unset, raw)


def is_repository(marker: str, workspace: Workspace) -> bool:
    """Whether `.git` marks a project's root for trust and settings: not without HEAD [recorded 0.169.0]."""
    if not marker.endswith("/.git") or workspace.kind(marker) != "directory":
        return True
    return workspace.kind(f"{marker}/HEAD") is not None


def saved(trust: Trust) -> Layer:
    """What `--trust` writes down, where nothing was decided before."""
    return Layer({"projects": {trust.root: {"trust_level": "trusted"}}})


def unsaved(trust: Trust) -> str:
    """Why `--trust` keeps Codex from starting: it does not take back what was decided [0.169.0]."""
    found = trust.of(trust.cwd)
    if found.value != "untrusted":
        return ""
    return f"--trust does not take back that the project is untrusted ({found.source.place}): change it there"


def main_repository(root: str, workspace: Workspace) -> str | None:
    """The main repository of a linked worktree: where its `.git` file leads.

    Git's folder there has to name the main repository, and this worktree in turn [recorded 0.169.0]. A file that may
    not be opened here is taken at its word.
    """
    path = f"{root.rstrip('/')}/.git"
    if workspace.kind(path) != "file":
        return None
    head, _, target = workspace.read(path).text.partition("gitdir:")
    if head.strip() or not target.strip():
        return None
    git_dir = _resolved(root, target)
    before, _, after = git_dir.partition("/.git/worktrees/")
    if not after:
        return None
    for name, wanted in (("commondir", f"{before}/.git"), ("gitdir", path)):
        file = workspace.read(f"{git_dir}/{name}")
        if workspace.kind(file.path) != "file" or (file.found and _resolved(git_dir, file.text) != wanted):
            return None
    return before


def _resolved(folder: str, text: str) -> str:
    return path_in(folder, text.strip().partition("\n")[0])


READ_ONLY, WORKSPACE_WRITE, FULL_ACCESS = MODES = ("read-only", "workspace-write", "danger-full-access")
CHOICES = tuple(ModeChoice(mode, mode) for mode in MODES)
_PROTECTED = (".git", ".agents", ".codex", ".aws")
_PROFILES = {":read-only": READ_ONLY, ":workspace": WORKSPACE_WRITE, ":danger-full-access": FULL_ACCESS}
_ROOTS = (":workspace_roots", ":project_roots")
_ACCESS = {"read": "read", "write": "write", "none": "deny", "deny": "deny"}


class Sandbox(Struct, frozen=True):
    """The sandbox in force and what decided it. `profile` names one of the user's own."""

    mode: str
    because: str
    knob: str
    """The param that changes it."""
    source: SettingSource | None = None
    profile: str | None = None

    def is_(self, mode: str) -> Condition:
        """The sandbox is this one; the levers set the strongest param that has a say."""
        other = READ_ONLY if mode != READ_ONLY else WORKSPACE_WRITE
        place = f", {self.source.place}" if self.source and self.source.place else ""
        yes, no = either(f"the sandbox is {self.mode} ({self.because}{place})", (mode,))
        on, off = self._lever(mode), self._lever(other)
        return Fact("mode", "sandbox", self.mode == mode, yes, no, wanted=mode, actual=self.mode,
                        on=(on,) if on else None, off=(off,) if off else None,
                        remedy="" if on else f"`--set {self.knob}=false`", source=self.source)  # fmt: skip

    def _lever(self, mode: str) -> Lever | None:
        # What follows when such a switch is taken away is for the others to say.
        return None if self.knob in ("args.bypassSandbox", "args.approveForMe") else Lever(self.knob, mode)


def sandbox(session: Session, trust: Level | None) -> Sandbox:
    """The sandbox: the command line's, the scenario's mode, the settings', else what trust decides."""
    inputs, args, settings = session.inputs, session.params.args, session.settings
    if inputs.mode is not None and inputs.mode not in MODES:
        raise unknown("mode", inputs.mode, MODES, where="mode")
    asked = (
        (
            FULL_ACCESS if args.bypassSandbox else None,
            "--dangerously-bypass-approvals-and-sandbox",
            "args.bypassSandbox",
        ),
        (WORKSPACE_WRITE if args.approveForMe else None, "--approve-for-me", "args.approveForMe"),
        (args.sandbox, "--sandbox", "args.sandbox"),
        (inputs.mode, "it is chosen", "mode"),
    )
    for mode, why, param in asked:
        if mode is not None:
            return Sandbox(mode, why, param)
    named = settings.text("default_permissions")
    if named.value and settings.counts("default_permissions", "sandbox_mode"):
        return _of_profile(session, Sourced(named.value, named.source))
    chosen = settings.text("sandbox_mode")
    if chosen.value in MODES:
        return Sandbox(str(chosen.value), "`sandbox_mode`", "mode", chosen.source)
    if trust is None:
        return Sandbox(READ_ONLY, "you haven't marked this project as trusted", "mode")
    # An untrusted project may be written too.
    return Sandbox(WORKSPACE_WRITE, f"the project is {trust}", "mode")


def _of_profile(session: Session, named: Sourced[str]) -> Sandbox:
    """The sandbox of the profile that `default_permissions` names."""
    if named.value in _PROFILES:
        return Sandbox(_PROFILES[named.value], "a built-in profile", "mode", named.source)
    if table := session.settings.table("permissions", named.value):
        return Sandbox(_mode_of(table), f"the profile {named.value}", "mode", named.source, profile=named.value)
    session.refuse(f"`default_permissions` names {named.value}, a profile that does not exist", named.source)
    return Sandbox(READ_ONLY, "it does not start", "mode")


def view(chosen: Sandbox, session: Session) -> SandboxView:
    """What the model is told about the sandbox."""
    settings, key = session.settings, ("sandbox_workspace_write", "writable_roots")
    named = session.inputs.env.get("TMPDIR", "")
    tmpdir = [named.rstrip("/") or "/"] if named.startswith("/") else []
    table, holder = settings.table(key[0]), settings.layer_of(*key)
    set_there = (posixpath.normpath(session.path_of(path, holder)) for path in settings.texts(*key) or [])
    added = (posixpath.normpath(session.path_of(path, None)) for path in session.params.args.addDir)
    roots = tuple(dict.fromkeys((session.cwd, *set_there, *added)))
    if chosen.profile is not None:
        return _own(chosen, settings, roots, session.inputs.home, tmpdir)
    if chosen.mode == FULL_ACCESS:
        return SandboxView(chosen.mode, True, roots, (), None)
    entries = [Entry("read", "special", ":root")]
    writable: list[str] = []
    network = False
    if chosen.mode == WORKSPACE_WRITE:
        network = table.get("network_access") is True
        entries += (Entry("write", "path", root) for root in roots)
        writable += roots
        if table.get("exclude_slash_tmp") is not True:
            entries.append(Entry("write", "special", ":slash_tmp"))
            writable.append("/tmp")
        if table.get("exclude_tmpdir_env_var") is not True:  # it is even where TMPDIR is not set
            entries.append(Entry("write", "special", ":tmpdir"))
            writable += tmpdir
        entries += (Entry("read", "path", f"{root.rstrip('/')}/{name}") for name in _PROTECTED for root in roots)
    return SandboxView(chosen.mode, network, roots, _sorted(writable), tuple(entries))


def _own(
    chosen: Sandbox, settings: CodexSettings, roots: tuple[str, ...], home: str, tmpdir: Sequence[str]
) -> SandboxView:
    """A profile of the user's own: its entries in the order of their keys."""
    name = chosen.profile or ""
    entries = tuple(_entries(settings.table("permissions", name, "filesystem"), roots, home))
    network = settings.at("permissions", name, "network", "enabled") is True
    writable: list[str] = []
    special = {":slash_tmp": ["/tmp"], ":tmpdir": tmpdir}
    for entry in entries:
        if entry.access == "write":
            writable += [entry.value] if entry.kind == "path" else special.get(entry.value, ())
    denied = [entry for entry in entries if entry.access == "deny"]
    denied.sort(key=lambda entry: entry.kind == "glob")  # paths are listed before globs
    return SandboxView(chosen.mode, network, roots, _sorted(writable), entries, tuple(denied))


def _entries(filesystem: Mapping[str, Json], roots: Sequence[str], home: str) -> Iterator[Entry]:
    for key in sorted(filesystem, key=str.encode):
        value = filesystem[key]
        if isinstance(value, str) and value in _ACCESS and key.startswith(":") and key not in _ROOTS:
            yield Entry(_ACCESS[value], "special", key)  # type: ignore[arg-type]  # the table's values
            continue
        inside = value if isinstance(value, dict) else {"": value}
        for inner in sorted(inside, key=str.encode):
            if isinstance(inside[inner], str) and inside[inner] in _ACCESS:
                for base in roots if key in _ROOTS else [from_home(key, home)]:
                    path = base if inner in (".", "") else f"{base.rstrip('/')}/{inner}"
                    kind = "glob" if any(sign in path for sign in "*?[") else "path"
                    yield Entry(_ACCESS[inside[inner]], kind, path)  # type: ignore[arg-type]  # the table's values


def _mode_of(profile: Mapping[str, Json]) -> str:
    """What a profile of one's own is called: by whether it lets anything be written."""
    filesystem = profile.get("filesystem")
    values = filesystem if isinstance(filesystem, dict) else {}
    if values.get(":root") == "write":
        return FULL_ACCESS
    inner = (part for value in values.values() for part in (value.values() if isinstance(value, dict) else [value]))
    return WORKSPACE_WRITE if "write" in list(inner) else READ_ONLY


def _sorted(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(paths), key=lambda path: path.encode("utf-8", "surrogatepass").split(b"/")))


Policy = Literal["on-request", "on-failure", "never", "granular", "untrusted"]


class Approvals(Struct, frozen=True):
    """The conditions of the text on approvals; `policy` is what a session goes by, and `because` what decides that."""

    policy: Policy
    because: Condition
    gates: Mapping[str, Condition]


def approvals(params: Params, settings: CodexSettings, trust: Level | None, lite: Condition) -> Approvals:
    """`codex exec` never asks, whatever the policy says; only a reviewer changes that."""
    known = settings.known("approval_policy")
    policy, why, source = _policy(params, known, trust)
    fact = f"the approval policy is {policy}" + (f" ({why})" if why else "")

    def is_(*names: Policy) -> Condition:
        levers = [Lever("args.approval", name) for name in names if name in ("on-request", "on-failure", "never")]
        away = next(name for name in ("never", "on-request") if name not in names)
        fixed = params.args.bypassSandbox
        other = f"set `approval_policy` to {names[0]} in config.toml"
        yes, no = either(fact, names)
        return Fact(
            "flag", "approval_policy", policy in names, yes, no, wanted=names[0], actual=policy,
            on=None if fixed or not levers else (levers[0],), off=None if fixed else (Lever("args.approval", away),),
            remedy="`--set args.bypassSandbox=false`" if fixed else other, source=source,
        )  # fmt: skip

    named = (params.args.approval or known.value) is not None and not params.args.bypassSandbox
    asked = INTERACTIVE | FOLDER.reason("policy_named", named)
    reviewer = settings.text("approvals_reviewer").is_("auto_review", "guardian_subagent", unset="user")
    for_me = flag("args.approveForMe", yes="--approve-for-me is given", no="--approve-for-me is not given")
    not_bypassed = ~flag("args.bypassSandbox", yes="nothing is asked without a sandbox", no="there is a sandbox")
    by_reviewer = for_me | (reviewer & asked & is_("on-request"))
    reviewed = not_bypassed & by_reviewer
    asks = INTERACTIVE & not_bypassed & is_("on-request", "on-failure") & ~by_reviewer
    is_asked = params.entry == "interactive"
    by_policy = stated("flag", "approval_policy", True, fact, source=source)
    return Approvals(
        policy=policy if is_asked else "never",
        because=by_policy if is_asked else ~INTERACTIVE,
        gates={
            "reviewed": reviewed,
            "escalation": asks | (reviewed & ~lite),
            "granular": INTERACTIVE & not_bypassed & is_("granular") & ~by_reviewer,
            "asks_untrusted": INTERACTIVE & not_bypassed & is_("untrusted") & ~by_reviewer,
            "never": (~INTERACTIVE | is_("never")) & ~reviewed,
        },
    )


def _policy(params: Params, known: Sourced[Json], trust: Level | None) -> tuple[Policy, str, SettingSource | None]:
    """The policy of an interactive session, and what decides it."""
    if params.args.bypassSandbox:
        return "never", "nothing is asked without a sandbox", None
    if params.args.approval is not None:
        return params.args.approval, "--ask-for-approval", None
    match known.value:
        case "on-request" | "on-failure" | "never" as named:
            return named, "", known.source
        case dict():
            return "granular", "each kind of request is switched by itself", known.source
    if trust == "untrusted":
        return "untrusted", "the project is untrusted", None
    return "on-request", "it is the default", None
