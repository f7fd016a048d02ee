"""The repository of a run, and the key under which notes of the memory are kept for it [asked of 2026.9.6]."""

import re
from urllib.parse import quote

from promptscope_engine.agents.kit.disk.settings import text
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun, repository_of
from promptscope_engine.agents.openclaw.levers import dotted
from promptscope_engine.agents.openclaw.materials import literal
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Path
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.dot_git import git_folder, remotes

_HOSTS = {"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org", "sourcehut": "git.sr.ht"}
"""Those whose addresses are known in many forms, by their short names."""
_KNOWN = re.compile(
    r"(?:(?:git\+)?(?:https?|ssh)://|git://)?(?:[^/@]*@)?(?:www\.)?"
    rf"({'|'.join(map(re.escape, _HOSTS.values()))})(?::\d+/|[:/])/*([^?#]+)",
    re.I,
)
_SHORT = re.compile(rf"(?:({'|'.join(_HOSTS)}):)?(?![./])([^\s@:/%]+/[^\s@:/%?#]+)")
_URL = re.compile(r"(?:https?|ssh|git)://(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::\d*)?/+([^?#]*)", re.I)
_BY_SSH = re.compile(r"git@([^:/]+):/*(.+)")
_PLAIN = re.compile(r"([^/:]*\.[^/:]*|localhost)/([^:]+)")
_REVISION = re.compile(r"((?:git@[^:/]*:|[^/]*://[^/]*/|(?!git@|[^/]*://)[^/]*/)[^@?#]+)@[^?#]+(.*)")
_ESCAPED = {"%": "%25", ";": "%3b", "<": "%3c", ">": "%3e", "\r": "%0d", "\n": "%0a"}
PARTS = 2


def project_of(run: AgentRun, workspace: Workspace) -> str:
    """The key of the repository that the run is in, "" outside of any."""
    root = repository_of(run, workspace)
    return key_of(root, workspace) if root else ""


def normal_key(written: str) -> str:
    """A key as keys are compared: its host in small letters."""
    host, slash, path = written.strip().partition("/")
    return f"{host if host.startswith('path:') else host.lower() if slash else host}{slash}{path}"


def key_of(root: str, workspace: Workspace) -> str:
    """`host/path` of where the repository comes from, else `path:` and its folder."""
    marker = f"{root}/.git"
    workspace.allow([marker])  # where tools work, and the checkout of a worktree, may be outside of what was announced
    folder = git_folder(workspace, marker)
    workspace.allow([folder.partition("/worktrees/")[0]])
    origin = remotes(workspace, folder).get("origin", "")
    return escaped(source_of(origin) or f"path:{root}")


def escaped(key: str) -> str:
    """The key as it can stand within a comment."""
    return "".join(_ESCAPED.get(char, char) for char in key)


def source_of(address: str) -> str | None:
    """`host/path` of a remote's address; None for a folder and whatever else names no host."""
    if found := _REVISION.fullmatch(address):
        address = found[1] + found[2]
    path = re.split("[?#]", address)[0]
    if "\\" in path or re.search(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)", path, re.I):
        return None
    return _of_known_host(address) or _of_any_host(address)


def _of_known_host(address: str) -> str | None:
    if found := _KNOWN.fullmatch(re.split("[?#]", address)[0]):
        host, path = found[1].lower(), found[2].rstrip("/")
        if host in (_HOSTS["github"], _HOSTS["bitbucket"]):
            first, behind = path.split("/")[:PARTS], path.split("/")[PARTS:]
            path = "/".join(first) if not behind or host != _HOSTS["github"] or behind[0] == "tree" else path
        return _joined(host, path)
    found = _SHORT.fullmatch(address)
    return found and _joined(_HOSTS[found[1] or "github"], found[2])


def _of_any_host(address: str) -> str | None:
    if found := _BY_SSH.fullmatch(address):
        return _joined(found[1], found[2])
    if found := _URL.match(address):
        return _joined(found[1], quote(found[2], safe="/%:;,@&=+$!~*'()-_.|^[]"))
    found = _PLAIN.fullmatch(address)
    return found and _joined(found[1], found[2])


def _joined(host: str, path: str) -> str | None:
    parts = path.removesuffix(".git").split("/")
    return f"{host.lower()}/{'/'.join(parts)}" if host and len(parts) >= PARTS and all(parts) else None


def answers(run: AgentRun, workspace: Workspace) -> dict[str, object]:
    """What texts ask for: whether there is a repository, its key, and the folder in which tools work."""
    key = project_of(run, workspace)
    return {
        "in_repository": FOLDER.reason("in_repository", bool(key), folder=run.folder),
        "project_key": computed("repository", key),
        "apart": _works_apart(run),
        "working_folder": computed("agents.defaults.cwd", literal(run.working_folder)),
    }


def _works_apart(run: AgentRun) -> Condition:
    """Tools work in another folder than the agent's own; in a sandbox there is only one."""
    path: Path = (*run.own, "cwd") if text(run.entry.get("cwd")) else ("agents", "defaults", "cwd")
    yes, no = f"`{dotted(path)}` is another folder", f"`{dotted(path)}` names no other folder"
    apart = run.working_folder != run.folder
    return run.settings.decides(path, apart, yes, no, on="~/project", off="") & ~run.box.active
