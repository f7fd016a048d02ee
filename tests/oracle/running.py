"""The facts of a real client in a situation, asked against a stand-in."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from .clients import client_of
from .clients.client import Launch
from .facts import facts_of
from .placing import placed, unfill
from .predicting import filled_in
from .processes import Ended, headless, on_terminal
from .situation import Facts, Json, Situation
from .standin import standing_in

_CLASSES = {
    "trust": r"trust",
    "config": r"(?i)invalid|error (?:loading|parsing)|unknown variant|failed to (?:load|parse)|configuration",
    "unknown-setting": r"(?i)unrecognized|unknown (?:field|configuration|key|setting)",
    "truncated": r"(?i)truncat|Loaded only|budget|exceed",
    "skill": r"(?i)skill",
    "agent": r"(?i)\bagents?\b",
    "import": r"(?i)import",
    "mcp": r"\bMCP\b",
    "profile": r"(?i)profile",
    "model": r"(?i)\bmodel\b",
    "not-found": r"ENOENT|(?i:no such file|not found)",
    "plugin": r"(?i)plugin|extension",
}
"""What a client says, by a word each: nothing else of it is kept."""


def asked(situation: Situation, *, backwards: bool = False, keep: bool = False) -> Facts:
    """What the client sends. One that hangs, dies or asks nothing gives `started` False, with its exit status.

    `keep` leaves the root with `requests.json` and `said.txt`, which hold the vendor's words: never into a store.
    Raises MissingClientError.
    """
    client = client_of(situation)
    with placed(situation, Path(client.base), backwards=backwards, keep=keep) as root:
        filled = filled_in(situation, root)
        calls = filled.calls or (client.read_calls([str(root / path) for path in filled.reads]) if filled.reads else [])
        with standing_in(calls) as standin:
            launch = with_managed(client.launch(filled, standin.port, root), root)
            folder = root / situation.cwd
            if situation.args.get("interactive"):
                ended = on_terminal(launch, folder, client.limit, lambda: len(standin.requests()) > len(calls))
            else:
                ended = headless(launch, folder, client.limit)
            requests = standin.requests()
        if keep:
            _kept(root, requests, ended)
        requests = chosen(situation.request, requests)
        said = unfill(ended.said, root)
        classes = sorted(name for name, pattern in _CLASSES.items() if re.search(pattern, said))
        if not requests:
            return {"started": False, "exit": ended.status, "stderr": classes}
        last = requests[-1] if len(requests) > 1 else None
        return {**facts_of(situation, root, requests[0], last), "stderr": classes}


def chosen(wanted: str, requests: list[Json]) -> list[Json]:
    """The requests of the conversation that is compared: the first one's, or those of the other, a sub-agent's."""
    if wanted == "main" or not requests:
        return requests
    opening = _opening(requests[0])
    return [body for body in requests if _opening(body) != opening]


def _opening(body: Json) -> str:
    """What the requests of one agent share. Codex says in its metadata which thread of the session asks."""
    said = (body.get("client_metadata") or {}).get("x-codex-turn-metadata") or "{}"
    parts = [body.get(key) for key in ("system", "systemInstruction", "instructions")]
    return json.dumps([*parts, json.loads(said).get("thread_id")])


def with_managed(launch: Launch, root: Path) -> Launch:
    """With files below etc/: a mount namespace in which they lie over /etc."""
    if not (root / "etc").is_dir():
        return launch
    unshare, shell, mount = (
        shutil.which(name) or name for name in ("unshare", "sh", "mount")
    )  # not by the client's PATH
    laid = f'{mount} -t overlay overlay -o lowerdir="{root}/etc":/etc /etc && exec "$@"'
    return replace(launch, command=[unshare, "-m", shell, "-c", laid, "x", *launch.command])


def _kept(root: Path, requests: list[Json], ended: Ended) -> None:
    """A copy of the root where other processes see it: the root is on a tmpfs of this one's own."""
    folder = Path(tempfile.mkdtemp(prefix="oracle-")) / "root"
    shutil.copytree(root, folder, symlinks=True)
    (folder / "requests.json").write_text(json.dumps(requests, ensure_ascii=False, indent=1))
    (folder / "said.txt").write_text(ended.said)
    sys.stderr.write(f"{folder} exit {ended.status}\n")
