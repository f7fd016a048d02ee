"""Objects of git that need no repository: any content by any id."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from promptscope_engine.workspace.git import Git


class _Process:
    """A `git cat-file` that has these objects."""

    def __init__(self, contents: Mapping[str, bytes], *, tells_contents: bool) -> None:
        self.contents, self.tells_contents = contents, tells_contents
        self.stdin, self.stdout = self, BytesIO()

    def write(self, asked: bytes) -> None:
        oid = asked.decode().strip()
        content = self.contents.get(oid)
        answer = (f"{oid} missing\n" if content is None else f"{oid} blob {len(content)}\n").encode()
        self.stdout = BytesIO(answer + content + b"\n" if content is not None and self.tells_contents else answer)

    def flush(self) -> None: ...
    def close(self) -> None: ...
    def kill(self) -> None: ...
    def wait(self) -> None: ...


class GitOf(Git):
    """Git in a repository of these objects, by their ids; `asked` are the processes that were opened."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        super().__init__(("git",), "/", {})
        self.contents = contents
        self.asked: list[str] = []

    def open(self, *arguments: str) -> Any:
        self.asked.append(" ".join(arguments))
        return _Process(self.contents, tells_contents=arguments == ("cat-file", "--batch"))
