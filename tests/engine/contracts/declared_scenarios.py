"""Scenarios of declared agents for test_levers.py: the example with its switches, and files that are in disorder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .case import Case

EXAMPLE = Path(__file__).parents[3] / "examples" / "support"
ID = "greenhouse"
FILES = {
    f"ws/{path.relative_to(EXAMPLE)}": path.read_text("utf-8") for path in sorted(EXAMPLE.rglob("*")) if path.is_file()
}
_ODD = f"""\
id = "{ID}"
[[mode]]
slug = "chat"
[[mode]]
slug = "minimal"
[params.tone]
choices = ["warm", "dry", "plain"]
[params.language]
default = "English"
[params.orders]
default = 3
[params.polite]
[[section]]
id = "a"
text = "A."
when = 'tone in ["warm", "dry"] and not (polite or mode == "minimal")'
[[section]]
id = "b"
text = "B."
when = 'given(language) and orders > 5'
[[section]]
id = "c"
text = "C."
when = 'not tool("find") and tone != "plain"'
[[section]]
id = "d"
text = "D."
when = '"gpt" in model or model == "claude-x"'
[[section]]
id = "e"
text = "E."
when = 'language == "English" and not file("notes")'
[[section]]
id = "missing"
file = "missing.md"
when = 'polite'
[[section]]
id = "blank"
file = "blank.md"
[[section]]
id = "none"
glob = "none/*.md"
when = 'file("none") or polite'
[[section]]
id = "empty"
text = " "
[[tool]]
name = "find"
when = 'polite and mode not in ["minimal"]'
[[tool]]
file = "broken.json"
when = 'tool("find")'
[[tool]]
file = "absent.json"
"""


def _case(files: dict[str, str] | None = None, **given: Any) -> Case:
    top = {key: given.pop(key) for key in ("mode", "model") if key in given}
    return Case(FILES if files is None else files, {"agent": ID, "params": given, **top})


_FILES = {"ws/promptscope-agent.toml": _ODD, "ws/blank.md": " \n", "ws/broken.json": "{"}

SCENARIOS: dict[str, Case] = {
    "declared": _case(),
    "declared-email": _case(mode="email", tone="plain", memory=True),
    "declared-triage": _case(mode="triage", examples=False, refund_limit=0),
    "declared-off": _case(refunds=False, examples=False),
    "declared-odd": _case(_FILES),
    "declared-odd-polite": _case(_FILES, polite=True, orders=9, tone="plain"),
    "declared-odd-minimal": _case({**_FILES, "ws/notes": ""}, mode="minimal", model="gpt-5", language=""),
}
