"""The params that a captured run of Gemini CLI tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from promptscope_engine.agents.gemini.models import ROUTERS
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.kit.captured import said_by
from promptscope_engine.formats.document import Json

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content


_OWN_SKILL = re.compile(r"<location>([^\n<>]{1,500})/bundle/builtin/")
_HEADLESS = ("-p", "--prompt")


def started_by(command: Sequence[str], _user_agent: str) -> Mapping[str, Json]:
    """Without a command line it was headless, as a capture mostly is."""
    headless = not command or any(word.partition("=")[0] in _HEADLESS for word in command)
    return {"args.print": headless, **said_by(command, **FOLDER.agent["command_line"])}


def package_in(content: Content) -> Mapping[str, Json]:
    """The folder of the client, below which its own skills are listed."""
    found = next((place[1] for block in content.system for place in [_OWN_SKILL.search(block.text)] if place), None)
    return {"packageDir": found} if found else {}


def alternatives(model: str | None) -> Sequence[Mapping[str, Json]]:
    """The prompt follows the configured model; of a routed one the request names only where it led (13)."""
    return [
        {"model": configured, "routed": answer}
        for configured, answers in ROUTERS.items()
        for answer, name in answers.items()
        if name == model
    ]
