"""Reasons in rows: of an agent that does not start, the cause is said once, not in every row."""

from __future__ import annotations

import re

from promptscope_engine.prompt.model import Assembly, Reason


def refusal(assembly: Assembly) -> str | None:
    """Why the agent does not start; None for one that does."""
    return next((found.message for found in assembly.diagnostics if found.code == "agent-refuses"), None)


def own_reason(why: Reason, refused: str | None) -> str:
    """A reason's sentence without the refusal to start, which everything is absent for: "absent" where nothing else is
    said."""
    if refused is None or refused not in why.text:
        return why.text
    text = re.sub(f"(?:, | and ){re.escape(refused)}", "", why.text)
    text = re.sub(f"{re.escape(refused)}(?:, | and )?", "", text)
    return "absent" if text.strip() == "absent:" else text
