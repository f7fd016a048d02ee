"""interim"""

import json
from promptscope_engine.frozen import frozen


@frozen
class Part:
    id: str
    text: str


H = {
    "gpt-5.5": [
        "# Personality",
        "# General",
        "## Engineering judgment",
        "## Frontend guidance",
        "### Build with empathy",
        "### Design instructions",
        "## Editing constraints",
        "## Special user requests",
        "## Autonomy and persistence",
        "# Working with the user",
        "## Formatting rules",
        "## Final answer instructions",
        "## Intermediary updates",
    ],
    "gpt-6.1-sol": [
        "# When to ask the user for permission",
        "# Autonomy and persistence",
        "# Personality",
        "## Writing style",
        "## Technical communication",
        "### Writing PR descriptions",
        "# Working with the user",
        "## Intermediate commentary",
        "## Final answer",
        "### Formatting rules",
        "### Visualizations",
        "# Rules for getting work done",
        "# Using skills",
        "## When to use a skill",
        "## How to use skills",
        "# Apps (Connectors)",
        "# Plugins",
        "## How to use plugins",
    ],
    "unknown": [
        "# How you work",
        "## Personality",
        "# AGENTS.md spec",
        "## Responsiveness",
        "### Preamble messages",
        "## Task execution",
        "## Validating your work",
        "## Ambition vs. precision",
        "## Sharing progress updates",
        "## Presenting your work and final message",
        "### Final answer structure and style guidelines",
        "# Tool Guidelines",
        "## Shell commands",
    ],
    "gpt-5.6": [
        "# Personality",
        "## Writing style",
        "## Technical communication",
        "# Working with the user",
        "## Intermediate commentary",
        "## Final answer",
        "### Formatting rules",
        "### Visualizations",
        "# Rules for getting work done",
        "## File editing constraints",
        "## Autonomy and persistence",
        "# Destructive actions",
        "# Using skills",
        "### How to use skills",
    ],
}
H["gpt-6-astra"] = H["gpt-6-sol"] = H["gpt-6-luna"] = H["gpt-6.1-sol"]
H["gpt-daybreak"] = H["gpt-5.6"]
PROSE = {
    k: (
        Part("intro", "You are an agent."),
        *(Part(h.lstrip("# ").lower().replace(" ", "_"), h + "\n\ntext") for h in v),
    )
    for k, v in H.items()
}
