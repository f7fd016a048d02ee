"""What an administrator requires: requirements.toml, and three keys of the older managed_config.toml [0.171.0].

What it does not allow is replaced, with a warning of the client; the settings stay as they are.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.heads import setting_spans
from promptscope_engine.agents.kit.disk.layered import Layer, LayerReader, usable
from promptscope_engine.agents.kit.disk.settings import below, mapping, shortened, texts
from promptscope_engine.agents.kit.disk.settings_schema import Policy, Schema, checked, load_schema
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import Span
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace

READ_ONLY = "read-only"
_USUAL_PROFILE = ":workspace"
_REVIEWERS = {"guardian_subagent": "auto_review"}
_POLICIES = {"on-failure": "on-request"}
"""Older names for the same."""
_LEGACY = {
    "allowed_sandbox_modes": "sandbox_mode",
    "allowed_approval_policies": "approval_policy",
    "allowed_approvals_reviewers": "approvals_reviewer",
}
"""The keys of managed_config.toml that are not only settings: nothing else is allowed then."""
_SEARCHES = ("cached", "indexed", "live")
"""What a web search falls back to: the first that is allowed."""


@cache
def schema() -> Schema:
    """What 0.171.0 takes in requirements.toml."""
    return load_schema(FOLDER.path / "requirements.json", "toml")


POLICY = Policy("Codex", schema, misfit="start", table="[{}]")


class Requirements(Struct, frozen=True):
    """The file, and the older one, as layers; both are empty where there is none."""

    layer: Layer
    legacy: Layer

    def allowed(self, key: str) -> Sourced[tuple[str, ...] | None]:
        """The values that a list allows, and what lists them; None where all are allowed."""
        listed = self.layer.values.get(key)
        if isinstance(listed, list):
            names = tuple("granular" if isinstance(item, dict) else str(item) for item in listed)
            return Sourced(names, self.layer.source((key,)))
        only = self.legacy.values.get(_LEGACY.get(key, ""))
        if isinstance(only, str):
            names = (READ_ONLY, only) if key == "allowed_sandbox_modes" else (only,)
            return Sourced(names, self.legacy.source((_LEGACY[key],)))
        return Sourced(None, self.layer.source((key,)))

    def sandboxes(self) -> Sourced[tuple[str, ...] | None]:
        """The sandboxes that are allowed: reads that are denied need one."""
        found = self.allowed("allowed_sandbox_modes")
        if found.value is None and self.denied:
            return Sourced((READ_ONLY, "workspace-write"), self.layer.source(("permissions", "filesystem")))
        return found

    def policy(self, wanted: str) -> Sourced[str] | None:
        """The policy in place of one that is not allowed."""
        found = self.allowed("allowed_approval_policies")
        names = [_POLICIES.get(name, name) for name in found.value or ()]
        if not names or _POLICIES.get(wanted, wanted) in names:
            return None
        return Sourced(names[0], found.source)

    def reviewer(self, wanted: str) -> Sourced[str] | None:
        """The reviewer in place of one that is not allowed."""
        found = self.allowed("allowed_approvals_reviewers")
        names = [_REVIEWERS.get(name, name) for name in found.value or ()]
        if not names or _REVIEWERS.get(wanted, wanted) in names:
            return None
        return Sourced(names[0], found.source)

    def search(self, wanted: str) -> Sourced[str] | None:
        """The web search in place of one that is not allowed."""
        found = self.allowed("allowed_web_search_modes")
        if found.value is None or wanted in (*found.value, "disabled"):
            return None
        return Sourced(next((name for name in _SEARCHES if name in found.value), "disabled"), found.source)

    @property
    def profiles(self) -> Mapping[str, Json] | None:
        """The permission profiles that are allowed; None without a list, which the settings are free to choose then."""
        key = "allowed_permission_profiles"
        return mapping(self.layer.values[key]) if key in self.layer.values else None

    def profile(self, wanted: str | None) -> Sourced[str]:
        """The profile that counts where there is such a list."""
        usual = str(self.layer.values.get("default_permissions") or _USUAL_PROFILE)
        fits = wanted is not None and (self.profiles or {}).get(wanted) is True
        return Sourced(wanted if wanted and fits else usual, self.layer.source(("allowed_permission_profiles",)))

    @property
    def denied(self) -> list[str]:
        """Paths and globs that may not be read."""
        return texts(below(self.layer.values, ("permissions", "filesystem", "deny_read"))) or []

    def instructions(self, workspace: Workspace) -> tuple[Condition, tuple[Span, ...]]:
        """The administrator's text for the model."""
        key = "additional_developer_instructions"
        value, source = self.layer.values.get(key), self.layer.source((key,))
        known = Sourced(value if isinstance(value, str) else None, source)
        no = f"no `{key}` is required"
        remedy = f"set `{key}` in requirements.toml"
        there = Fact("flag", key, bool(known.value), f"`{key}` is set", no, remedy=remedy, source=source)
        return there, setting_spans(known, workspace) if self.layer.path else ()

    def server(self, name: str, config: Mapping[str, Json]) -> bool:
        """Whether an MCP server may run: by its name, and by its command or its address."""
        listed = self.layer.values.get("mcp_servers")
        if not isinstance(listed, dict):
            return True
        identity = mapping(below(listed, (name, "identity")))
        return bool(identity) and all(config.get(key) == identity[key] for key in identity)

    @property
    def features(self) -> Layer | None:
        """The features that are switched for good, as settings above all others."""
        switched = self.layer.table("features")
        if not switched:
            return None
        layer = self.layer
        return Layer({"features": switched}, "", layer.path, layer.shown, layer.line, fixed=True)

    @property
    def only_own_hooks(self) -> bool:
        """Whether nobody's hooks run but the administrator's."""
        return self.layer.values.get("allow_managed_hooks_only") is True


FREE = Requirements(Layer({}), Layer({}))
"""Nothing is required."""


def problems(layer: Layer) -> Sequence[tuple[str, SettingSource]]:
    """What stops the start beside wrong types, with its place."""
    values, lists = layer.values, ("allowed_approval_policies", "allowed_approvals_reviewers")
    found = [(f"`{key}` must not be empty", layer.source((key,))) for key in lists if values.get(key) == []]
    modes = values.get("allowed_sandbox_modes")
    if isinstance(modes, list) and READ_ONLY not in modes:
        found.append((f"`allowed_sandbox_modes` must hold {READ_ONLY}", layer.source(("allowed_sandbox_modes",))))
    profiles, usual = values.get("allowed_permission_profiles"), values.get("default_permissions")
    if isinstance(profiles, dict):
        at = layer.source(("allowed_permission_profiles",))
        own = mapping(values.get("permissions"))
        if unknown := [name for name in profiles if name not in (*_BUILT_IN, *own)]:
            found.append((f"`allowed_permission_profiles` names {unknown[0]}, which does not exist", at))
        elif usual is None and not all(profiles.get(name) is True for name in _BUILT_IN[:2]):
            found.append(("`default_permissions` is needed unless both :read-only and :workspace are allowed", at))
        elif usual is not None and profiles.get(str(usual)) is not True:
            found.append((f"`default_permissions` is {usual}, which `allowed_permission_profiles` does not allow", at))
    elif usual is not None:
        text = "`default_permissions` needs `allowed_permission_profiles`"
        found.append((text, layer.source(("default_permissions",))))
    return found


_BUILT_IN = (":read-only", ":workspace", ":danger-full-access")


def required(session: LayerReader, folder: str) -> Requirements:
    """What the files of the administrator's folder require; what is wrong with them stops the start."""
    path = f"{folder}/requirements.toml"
    file, content = session.content_of(path)
    layer = Layer({})
    if isinstance(content.values, dict) and file.found:
        layer = Layer(shortened(content.values), "", path, session.shown(path), content.line)
        found = checked(layer.values, POLICY, lambda where: (path, content.line(where)))
        session.diagnostics += found.problems
        session.refusals += found.refusals
        for text, place in problems(layer):
            session.refuse(text, place)
    elif file.found:
        session.broken(path, content)
    if file.problem != "missing":
        session.row(file, "settings", "always", usable(file, isinstance(content.values, dict)))
    legacy = session.layer(f"{folder}/managed_config.toml", listed=False)
    return Requirements(layer, legacy or Layer({}))
