"""A situation: a small workspace, and how an agent is started in it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

Json = dict[str, Any]
Content = str | Json | None
"""A text, `{"copy": a file of programs/}`, `{"link": target}`, `{"base64": data}`, `{"dir": true}`, or
`{"numbered": a line with %04d, "count": n}`."""


class Facts(TypedDict, total=False):
    """What a request says, without a word of the vendor's. `started` None: promptscope itself failed, with `error`.

    `marks` are [place, marker], `spans` [place, stem, characters, hash], `entries` [place, name, our description or
    "…", tools], `paths` [place, path]; a place is `system`, `2:user`, `tool:NAME`, or `late` for what a read brought.
    `notes` are promptscope's diagnostics, `stderr` classes of a client's warnings.
    """

    started: bool | None
    marks: list[list[str]]
    spans: list[list[Any]]
    entries: list[list[str]]
    paths: list[list[str]]
    tools: list[str]
    model: str | None
    stderr: list[str]
    exit: int | None
    notes: list[str]
    error: str


@dataclass
class Situation:
    """What is on disk and how the agent starts. Paths begin at a fresh root that holds `home/` and `repo/`.

    `{ROOT} {HOME} {REPO} {SLUG}` are filled in. `labels` say of each marker, and of `tools`, which variant it is
    for. `calls` are tool calls that the stand-in makes, one list a reply; `told` is what promptscope cannot find out
    (connected servers, outputs of hooks), as keys of a scenario; `request` is the request that is compared.
    """

    agent: str
    version: str
    seed: int
    traits: list[str] = field(default_factory=list)
    files: dict[str, Content] = field(default_factory=dict)
    git: list[list[str]] = field(default_factory=list)
    args: Json = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    cwd: str = "repo"
    prompt: str = "hi"
    labels: dict[str, str] = field(default_factory=dict)
    calls: list[list[Json]] = field(default_factory=list)
    told: Json = field(default_factory=dict)
    request: str = "main"

    @classmethod
    def of_json(cls, data: Json) -> Situation:
        """The situation of a store's object."""
        return cls(**data)

    def to_json(self) -> Json:
        """An object for a store; the newer fields only where they say something."""
        rare = ("calls", "told", "request")
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {key: value for key, value in found.items() if key not in rare or value not in ([], {}, "main")}
