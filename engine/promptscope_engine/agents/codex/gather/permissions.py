"""What the session may do: whether the project is trusted, the sandbox, and who decides about what goes beyond it."""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.codex.gates import INTERACTIVE
from promptscope_engine.agents.codex.materials import Entry, SandboxView
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.settings import below, mapping
from promptscope_engine.agents.kit.disk.walking import from_home, walk
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.conditions import Condition, Fact, Facts, stated
from promptscope_engine.prompt.leaves import either, flag
from promptscope_engine.prompt.model import Lever, ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .requirements import FREE, Requirements
from .settings import JOIN, CodexSettings, Session

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


def sandbox(session: Session, trust: Level | None, *, asks: bool = True) -> Sandbox:
    """The sandbox in force, with a note on each setting that another one leaves without effect."""
    found = _allowed(session, trust, asks=asks)
    for key in ("default_permissions", "sandbox_mode"):
        known = session.settings.text(key)
        if known.value and known.source != found.source:
            why = found.is_(found.mode).evaluate(Facts()).text
            session.diagnostics.append(FOLDER.note("no-say", known.source, key=key, why=why))
    return found


def _allowed(session: Session, trust: Level | None, *, asks: bool) -> Sandbox:
    """The sandbox that is chosen, or what is allowed in its place. `asks`: somebody can be asked for more."""
    required = session.requirements
    chosen = _chosen(session, trust)
    allowed = required.sandboxes()
    if required.profiles is not None:
        return _of_profile(session, required.profile(session.settings.text("default_permissions").value))
    if allowed.value is None or chosen.mode in allowed.value:
        return chosen
    if chosen.mode == FULL_ACCESS and not asks:
        text = f"nobody is asked, and {FULL_ACCESS} is not allowed: it would be {READ_ONLY} without a way to ask"
        session.refuse(text, allowed.source)
    return Sandbox(READ_ONLY, f"{chosen.mode} is not allowed", "mode", allowed.source)


def _chosen(session: Session, trust: Level | None) -> Sandbox:
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
    if table := profile(session, named):
        return Sandbox(_mode_of(table), f"the profile {named.value}", "mode", named.source, profile=named.value)
    session.refuse(f"`default_permissions` names {named.value}, a profile that does not exist", named.source)
    return Sandbox(READ_ONLY, "it does not start", "mode")


_BUILT_IN: Mapping[str, Json] = {
    ":read-only": {"filesystem": {":root": "read"}},
    ":workspace": {
        "filesystem": {":root": "read", ":slash_tmp": "write", ":tmpdir": "write", ":workspace_roots": {".": "write"}}
    },
}
"""What a profile of the user's own may extend."""


def profile(session: Session, named: Sourced[str]) -> Mapping[str, Json]:
    """The profile of a name with all that it extends; an empty one where there is none."""
    own = JOIN.over(session.requirements.layer.table("permissions"), dict(session.settings.table("permissions")))
    chain: list[Mapping[str, Json]] = []
    name: Json = named.value
    seen: list[Json] = []
    while isinstance(name, str):
        if name in seen:
            session.refuse(f"the profile {named.value} extends itself", named.source)
            break
        seen.append(name)
        table = _BUILT_IN.get(name) if chain else None
        table = mapping(own.get(name)) if table is None else table
        if not table and chain:
            session.refuse(f"the profile {seen[-2]} extends {name}, which cannot be extended", named.source)
        chain.append(mapping(table))
        name = mapping(table).get("extends")
    return mapping(reduce(JOIN.over, map(dict, reversed(chain))))


def view(chosen: Sandbox, session: Session) -> SandboxView:
    """What the model is told about the sandbox, with the reads that an administrator denies."""
    found = _view(chosen, session)
    folder, home = session.system_folder, session.inputs.home
    paths = [path_in(folder, from_home(path, home)) for path in session.requirements.denied]
    denied = tuple(Entry("deny", "glob" if any(sign in path for sign in _GLOB) else "path", path) for path in paths)
    if not denied or found.profile is None:
        return found
    listed = sorted((*found.denied, *denied), key=lambda entry: entry.kind == "glob")
    return replace(found, profile=(*found.profile, *denied), denied=tuple(listed))


_GLOB = "*?["


def _view(chosen: Sandbox, session: Session) -> SandboxView:
    settings, key = session.settings, ("sandbox_workspace_write", "writable_roots")
    named = session.inputs.env.get("TMPDIR", "")
    tmpdir = [named.rstrip("/") or "/"] if named.startswith("/") else []
    table, holder = settings.table(key[0]), settings.layer_of(*key)
    set_there = (posixpath.normpath(session.path_of(path, holder)) for path in settings.texts(*key) or [])
    added = tuple(posixpath.normpath(session.path_of(path, None)) for path in session.params.args.addDir)
    own = () if session.placeless else (session.cwd,)
    roots = tuple(dict.fromkeys((*own, *set_there, *added)))
    if chosen.profile is not None:
        return _own(chosen, session, tuple(dict.fromkeys((*own, *added))), tmpdir)
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


def _own(chosen: Sandbox, session: Session, roots: tuple[str, ...], tmpdir: Sequence[str]) -> SandboxView:
    """A profile of the user's own: its entries in the order of their keys."""
    table = profile(session, Sourced(chosen.profile or "", chosen.source or SettingSource("")))
    more = sorted(path for path, on in mapping(table.get("workspace_roots")).items() if on is True)
    every = (*roots, *(path_in(session.cwd, from_home(path, session.inputs.home)) for path in more))
    entries = tuple(_entries(mapping(table.get("filesystem")), every, session.inputs.home))
    network = mapping(table.get("network")).get("enabled") is True
    writable: list[str] = []
    special = {":slash_tmp": ["/tmp"], ":tmpdir": tmpdir}
    for entry in entries:
        if entry.access == "write":
            writable += [entry.value] if entry.kind == "path" else special.get(entry.value, ())
    denied = [entry for entry in entries if entry.access == "deny"]
    denied.sort(key=lambda entry: entry.kind == "glob")  # paths are listed before globs
    if chosen.mode == WORKSPACE_WRITE and not any(_holds(root, session.cwd) for root in writable):
        places = ", ".join(_sorted(writable)) or "single files"
        note = FOLDER.note("cwd-not-writable", chosen.source, profile=chosen.profile, places=places)
        session.diagnostics.append(note)
    return SandboxView(chosen.mode, network, roots, _sorted(writable), entries, tuple(denied))


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


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
                    kind = "glob" if any(sign in path for sign in _GLOB) else "path"
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


def readable(view: SandboxView, folders: Sequence[str]) -> tuple[str, ...]:
    """Those of the folders that commands may read: Codex looks from within a sandbox that hides anything [0.171.0]."""
    entries = [entry for entry in view.profile or () if entry.access != "deny"]
    if view.profile is None or any((entry.kind, entry.value) == ("special", ":root") for entry in entries):
        return tuple(folders)
    opened = [entry.value for entry in entries if entry.kind == "path"]
    return tuple(folder for folder in folders if any(_within(folder, path) for path in opened))


def reached(view: SandboxView, folders: Sequence[str], session: Session) -> tuple[str, ...]:
    """Those in which AGENTS.md counts. In a sandbox that hides anything the folder that may be written is a root.

    There it has a `.git` that is empty, so that nobody makes one [0.171.0, Linux].
    """
    found, cwd = readable(view, folders), session.cwd
    hides = bool(view.denied) or found != tuple(folders)
    on_linux = session.inputs.environment.platform == "linux"
    if not hides or not on_linux or view.mode != WORKSPACE_WRITE or session.workspace.kind(f"{cwd.rstrip('/')}/.git"):
        return found
    return tuple(folder for folder in found if folder == cwd)


def _within(folder: str, path: str) -> bool:
    return folder == path or folder.startswith(f"{path.rstrip('/')}/")


Policy = Literal["on-request", "on-failure", "never", "granular", "untrusted"]


class Approvals(Struct, frozen=True):
    """The conditions of the text on approvals; `policy` is what a session goes by, and `because` what decides that.

    `asks`: somebody is asked about what goes beyond the sandbox.
    """

    policy: Policy
    because: Condition
    gates: Mapping[str, Condition]
    asks: bool


def approvals(
    params: Params, settings: CodexSettings, trust: Level | None, current: Condition, required: Requirements = FREE
) -> Approvals:
    """`codex exec` never asks, whatever the policy says; only a reviewer changes that, or an administrator."""
    is_interactive, fixed = params.entry == "interactive", params.args.bypassSandbox
    policy, why, source = _policy(params, settings.known("approval_policy"), trust)
    named = settings.text("approvals_reviewer")
    other = None if params.args.approveForMe else required.reviewer(named.value or "user")
    by = (other.value if other else named.value) in _REVIEWERS or params.args.approveForMe
    asks = not fixed and policy != "never" and (is_interactive or by)
    if instead := required.policy(policy if asks else "never"):
        return _required(instead, by=by, current=current)
    fact = f"the approval policy is {policy}" + (f" ({why})" if why else "")

    def is_(*names: Policy) -> Condition:
        levers = [Lever("args.approval", name) for name in names if name in ("on-request", "on-failure", "never")]
        away = next(name for name in ("never", "on-request") if name not in names)
        remedy = f"set `approval_policy` to {names[0]} in config.toml"
        yes, no = either(fact, names)
        return Fact(
            "flag", "approval_policy", policy in names, yes, no, wanted=names[0], actual=policy,
            on=None if fixed or not levers else (levers[0],), off=None if fixed else (Lever("args.approval", away),),
            remedy="`--set args.bypassSandbox=false`" if fixed else remedy, source=source,
        )  # fmt: skip

    reviewer = named.is_("auto_review", "guardian_subagent", unset="user")
    if other is not None:
        text = f"the reviewer is {other.value}, as no other is allowed"
        reviewer = stated("flag", "approvals_reviewer", other.value in _REVIEWERS, text, source=other.source)
    for_me = flag("args.approveForMe", yes="--approve-for-me is given", no="--approve-for-me is not given")
    not_bypassed = ~flag("args.bypassSandbox", yes="nothing is asked without a sandbox", no="there is a sandbox")
    reviewed = not_bypassed & (for_me | reviewer) & ~is_("never")
    by_policy = stated("flag", "approval_policy", True, fact, source=source)
    return Approvals(
        policy=policy if is_interactive else "never",
        because=by_policy if is_interactive else ~INTERACTIVE,
        gates=_gates(is_, reviewed, (INTERACTIVE & not_bypassed) | reviewed, current),
        asks=asks,
    )


_REVIEWERS = ("auto_review", "guardian_subagent")


def _required(policy: Sourced[str], *, by: bool, current: Condition) -> Approvals:
    """Where the policy of the session is not allowed: an allowed one, of `codex exec` too."""
    fact = f"the approval policy is {policy.value}, as the session's own is not allowed"

    def is_(*names: Policy) -> Condition:
        return stated("flag", "approval_policy", policy.value in names, fact, source=policy.source)

    reviewed = stated("flag", "approvals_reviewer", by, "a reviewer decides" if by else "no reviewer decides")
    because = stated("flag", "approval_policy", True, fact, source=policy.source)
    gates = _gates(is_, reviewed & ~is_("never"), ~is_("never"), current)
    return Approvals(policy.value, because, gates, policy.value != "never")  # type: ignore[arg-type]  # of the schema


def _gates(
    is_: Callable[..., Condition], reviewed: Condition, asked: Condition, current: Condition
) -> dict[str, Condition]:
    return {
        "reviewed": reviewed,
        # the newer models are told by their base instructions how to ask a reviewer
        "escalation": asked & is_("on-request", "on-failure") & ~(reviewed & current),
        "granular": asked & is_("granular"),
        "asks_untrusted": asked & is_("untrusted"),
        "never": is_("never") | ~asked,
    }


def _policy(params: Params, known: Sourced[Json], trust: Level | None) -> tuple[Policy, str, SettingSource | None]:
    """The policy of an interactive session, and what decides it."""
    if params.args.bypassSandbox:
        return "never", "nothing is asked without a sandbox", None
    if params.args.approval is not None or params.args.approveForMe:
        named: Policy = params.args.approval or "on-request"
        return named, "--ask-for-approval" if params.args.approval else "--approve-for-me", None
    match known.value:
        case "on-request" | "on-failure" | "never" as policy:
            return policy, "", known.source
        case dict():
            return "granular", "each kind of request is switched by itself", known.source
    if trust == "untrusted":
        return "untrusted", "the project is untrusted", None
    return "on-request", "it is the default", None
