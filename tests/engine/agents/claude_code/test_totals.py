"""What an ordinary session adds up to, against the recorded sizes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from promptscope_engine.prompt.model import to_json

if TYPE_CHECKING:
    from promptscope_engine.formats.document import Json

    from .conftest import Project


def characters(value: Json) -> int:
    """Of all the texts of a block list."""
    blocks = value if isinstance(value, list) else []
    return sum(len(str(block["text"])) for block in blocks if isinstance(block, dict))


@pytest.mark.parametrize(
    "case",
    [
        ("claude-opus-5-5", None, False, 7_264, 12_336, 89_331),
        ("claude-opus-5-5", None, True, 6_045, 10_357, 30_217),
        ("claude-opus-5-5", "http://127.0.0.1:9", False, 6_179, 11_932, 34_290),
        ("claude-sonnet-4-5", None, False, 28_572, 13_402, 104_039),
        ("claude-sonnet-4-5", "http://127.0.0.1:9", False, 27_487, 12_998, 48_998),
    ],
)
def test_an_ordinary_session_is_as_large_as_recorded(
    repository: Project, case: tuple[str, str | None, bool, int, int, int]
) -> None:
    """Paths are counted as they were recorded: `/repo/project` and `/home/user`."""
    model, host, headless, system, messages, tools = case
    env = {"ANTHROPIC_BASE_URL": host} if host else {}
    params = {"args": {"print": headless}}
    request = repository.assemble("2.1.329", model=model, env=env, params=params).request
    recorded = json.dumps(to_json(request), ensure_ascii=False).replace(str(repository.cwd), "/repo/project")
    recorded = recorded.replace(str(repository.cwd).replace("/", "-"), "-repo-project")
    sent = json.loads(recorded.replace(str(repository.root / "home"), "/home/user"))
    found = (
        characters(sent["system"]),
        sum(characters(message["content"]) for message in sent["messages"]),
        sum(
            len(tool["description"]) + len(json.dumps(tool["input_schema"], separators=(",", ":")))
            for tool in sent["tools"]
        ),
    )
    assert found == tuple(pytest.approx(size, rel=0.02) for size in (system, messages, tools))
    assert sum(found) == pytest.approx(system + messages + tools, rel=0.01)
