"""The sections of Claude Code's prompt: `system_sections` and `message_sections` give them in the order of the wire.

agent.toml has order and places, the text files have conditions and exact structure, Python what the user's files
bring along. Of the texts: system/ (of all layouts), classic/ (layouts A and A'), short/ (layout B), memory/,
environment/ and closing/ (of both), variants/ (what only some sessions are told), plan/, styles/ (built-in output
styles), subagents/, context/ and messages/. Our prose makes the points of the real text in its order and at its length,
which a test holds. A text begins with its heading (if it has one), without a blank line before it and with no line
break at its end. Wording rules that the recordings impose:

- no line of ours begins with `# ` except the section's own heading; `## ` only where the recording has it;
- no text outside plan mode says "plan mode" in a message; no line of ours looks like `- name: … (Tools: …)`;
- the memory instructions name `materials.memory_folder`, the model lines the wire id `materials.model.id`.
"""

from .messages import message_sections
from .system import system_sections

__all__ = ["message_sections", "system_sections"]
