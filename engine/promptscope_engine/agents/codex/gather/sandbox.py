"""The sandbox: which one, what may be written in it, and its permission profile (specs/codex.md 5, 6)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from promptscope_engine.agents.codex.materials import Entry, SandboxView
from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.agents.kit.paths import from_home
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.model import Lever, ModeChoice, SettingSource

from .settings import Settings
from .trust import Level

READ_ONLY, WORKSPACE_WRITE, FULL_ACCESS = MODES = ("read-only", "workspace-write", "danger-full-access")
CHOICES = tuple(ModeChoice(mode, mode) for mode in MODES)
_PROTECTED = (".git", ".agents", ".codex", ".aws")
_PROFILES = {":read-only": READ_ONLY, ":workspace": WORKSPACE_WRITE, ":danger-full-access": FULL_ACCESS}
_ROOTS = (":workspace_roots", ":project_roots")
_ACCESS = {"read": "read", "write": "write", "none": "deny", "deny": "deny"}


class UnknownProfileError(ValueError):
    """`default_permissions` names a profile that does not exist."""


@frozen
class Sandbox:
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
        place = f" ({self.source.place})" if self.source and self.source.place else ""
        fact = f"the sandbox is {self.mode}: {self.because}{place}"
        on, off = self._lever(mode), self._lever(other)
        return Observed("mode", "sandbox", self.mode == mode, fact, fact, wanted=mode, actual=self.mode,
                        on=(on,) if on else None, off=(off,) if off else None,
                        remedy=f"start without `{self.knob}`", source=self.source)  # fmt: skip

    def _lever(self, mode: str) -> Lever | None:
        # What follows when such a switch is taken away is for the others to say.
        return None if self.knob in ("args.bypassSandbox", "args.approveForMe") else Lever(self.knob, mode)


def sandbox(inputs: Inputs, params: CodexParams, settings: Settings, trust: Level | None) -> Sandbox:
    """The sandbox: the command line's, the scenario's mode, the settings', else what trust decides (4.3)."""
    args = params.args
    if inputs.mode is not None and inputs.mode not in MODES:
        raise unknown("mode", inputs.mode, MODES, where="mode")
    if args.bypassSandbox:
        return Sandbox(FULL_ACCESS, "--dangerously-bypass-approvals-and-sandbox", "args.bypassSandbox")
    if args.approveForMe:
        return Sandbox(WORKSPACE_WRITE, "--approve-for-me", "args.approveForMe")
    if args.sandbox is not None:
        return Sandbox(args.sandbox, "--sandbox", "args.sandbox")
    if inputs.mode is not None:
        return Sandbox(inputs.mode, "it is chosen", "mode")
    named = settings.text("default_permissions")
    if named.value and settings.counts("default_permissions", "sandbox_mode"):
        if named.value in _PROFILES:
            return Sandbox(_PROFILES[named.value], "a built-in profile", "mode", named.source)
        table = settings.table("permissions", named.value)
        if not table:
            raise UnknownProfileError(f"`default_permissions` names {named.value}, and there is no such profile")
        return Sandbox(_mode_of(table), f"the profile {named.value}", "mode", named.source, profile=named.value)
    chosen = settings.text("sandbox_mode")
    if chosen.value in MODES:
        return Sandbox(str(chosen.value), "`sandbox_mode`", "mode", chosen.source)
    if trust is None:
        return Sandbox(READ_ONLY, "nobody has decided whether the project is trusted", "mode")
    # An untrusted project may be written too (4.3).
    return Sandbox(WORKSPACE_WRITE, f"the project is {trust}", "mode")


def view(chosen: Sandbox, inputs: Inputs, params: CodexParams, settings: Settings, cwd: str) -> SandboxView:
    """What the model is told of the sandbox."""
    table = settings.table("sandbox_workspace_write")
    extra = settings.texts("sandbox_workspace_write", "writable_roots") or []
    base = settings.base_of("sandbox_workspace_write", "writable_roots", cwd=cwd)
    named = (_absolute(path, base, inputs.home) for path in extra)
    added = (_absolute(path, cwd, inputs.home) for path in params.args.addDir)
    roots = tuple(dict.fromkeys((cwd, *named, *added)))
    if chosen.profile is not None:
        return _own(chosen, inputs, settings, roots)
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
        if table.get("exclude_tmpdir_env_var") is not True:  # it stands even where TMPDIR is not set
            entries.append(Entry("write", "special", ":tmpdir"))
            writable += _tmpdir(inputs)
        entries += (Entry("read", "path", f"{root.rstrip('/')}/{name}") for name in _PROTECTED for root in roots)
    return SandboxView(chosen.mode, network, roots, _sorted(writable), tuple(entries))


def _own(chosen: Sandbox, inputs: Inputs, settings: Settings, roots: tuple[str, ...]) -> SandboxView:
    """A profile of the user's own: its entries in the order of their keys (5.3)."""
    name = chosen.profile or ""
    filesystem = settings.table("permissions", name, "filesystem")
    entries = tuple(_entries(filesystem, roots, inputs.home))
    network = settings.at("permissions", name, "network", "enabled") is True
    writable: list[str] = []
    for entry in entries:
        if entry.access == "write":
            special = {":slash_tmp": ["/tmp"], ":tmpdir": _tmpdir(inputs)}
            writable += [entry.value] if entry.kind == "path" else special.get(entry.value, [])
    denied = [entry for entry in entries if entry.access == "deny"]
    denied.sort(key=lambda entry: entry.kind == "glob")  # paths are listed before globs
    return SandboxView(chosen.mode, network, roots, _sorted(writable), entries, tuple(denied))


def _entries(filesystem: Mapping[str, Json], roots: Sequence[str], home: str) -> Iterator[Entry]:
    for key in sorted(filesystem, key=str.encode):
        value = filesystem[key]
        if isinstance(value, dict):
            for inner in sorted(value, key=str.encode):
                if isinstance(value[inner], str) and value[inner] in _ACCESS:
                    yield from (_entry(value[inner], _joined(base, inner)) for base in _bases(key, roots, home))
        elif isinstance(value, str) and value in _ACCESS:
            if key.startswith(":") and key not in _ROOTS:
                yield Entry(_ACCESS[value], "special", key)  # type: ignore[arg-type]  # the table's values
            else:
                yield from (_entry(value, base) for base in _bases(key, roots, home))


def _bases(key: str, roots: Sequence[str], home: str) -> Sequence[str]:
    if key in _ROOTS:
        return roots
    return [from_home(key, home)]


def _joined(base: str, inner: str) -> str:
    return base if inner in (".", "") else f"{base.rstrip('/')}/{inner}"


def _entry(access: str, path: str) -> Entry:
    kind = "glob" if any(sign in path for sign in "*?[") else "path"
    return Entry(_ACCESS[access], kind, path)  # type: ignore[arg-type]  # the table's values


def _mode_of(profile: Mapping[str, Json]) -> str:
    """What a profile of one's own is called: by whether it lets anything be written."""
    filesystem = profile.get("filesystem")
    values = filesystem if isinstance(filesystem, dict) else {}
    if values.get(":root") == "write":
        return FULL_ACCESS
    inner = (part for value in values.values() for part in (value.values() if isinstance(value, dict) else [value]))
    return WORKSPACE_WRITE if "write" in list(inner) else READ_ONLY


def _tmpdir(inputs: Inputs) -> list[str]:
    path = inputs.env.get("TMPDIR", "")
    return [path.rstrip("/") or "/"] if path.startswith("/") else []


def _sorted(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(paths), key=lambda path: path.encode("utf-8", "surrogatepass").split(b"/")))


def _absolute(path: str, cwd: str, home: str) -> str:
    return os.path.normpath(os.path.join(cwd, from_home(path, home)))  # noqa: PTH118
