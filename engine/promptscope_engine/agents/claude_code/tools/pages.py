"""Artifact and DesignSync: pages and designs that are kept at the vendor's (specs/claude-code-variants.md, a and f)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import ToolText, boolean, parameters, string

ARTIFACT = ToolText(
    fixed(
        "tools.Artifact",
        {
            "what": "Publishes a page that stands in a file, so that people other than the user can open it by its address, or puts a new version in the place of one that was published before.",
            "edits": "A page that is published already can be changed in the same call, by a list of texts to be replaced.",
        },
    ),
    parameters({"file_path": string("the file that holds the page, an absolute path")}, "file_path"),
)

DESIGN_SYNC = ToolText(
    fixed(
        "tools.DesignSync",
        {
            "what": "Keeps the project's designs and those of a design system at the vendor's in step: lists what is there, fetches parts of it, and sends changed parts back.",
        },
    ),
    parameters({"push": boolean("send what changed here; otherwise only fetch", default=False)}),
)
