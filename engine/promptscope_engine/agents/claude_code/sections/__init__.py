"""The sections of Claude Code's prompt: `system_sections` and `message_sections` give them in the order of the wire.

system.py and messages.py hold order, gates and exact structure (headings, list labels, tags, separators). The fixed
prose stands apart, one function per section, in prose_classic.py (layouts A and A'), prose_short.py (layout B),
prose_environment.py, prose_memory.py and prose_closing.py (of both), prose_variants.py (what only some sessions are
told), prose_messages.py and prose_plan.py (reminders), prose_styles.py (built-in output styles), prose_subagents.py. It
makes the points of the real text in its order and at its length, which a test holds. A prose function takes the materials and yields
pieces: `builtin("<section id>.<what>", text)` for our wording, `label` for an exact heading; it begins with its heading
(if it has one), without a blank line before it and with no line break at its end. Conditions on single bullets go on
the piece (`when=`). Wording rules that the recordings impose:

- no line of ours begins with `# ` except the section's own heading; `## ` only where the recording has it;
- no text outside plan mode says "plan mode" in a message; no line of ours looks like `- name: … (Tools: …)`;
- the memory instructions name `materials.memory_folder`, the model lines the wire id `materials.model.id`.
"""

from .messages import message_sections
from .system import system_sections

__all__ = ["message_sections", "system_sections"]
