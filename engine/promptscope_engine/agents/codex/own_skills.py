"""The skills that Codex brings along: it writes them to `$CODEX_HOME/skills/.system` at every start (specs/codex.md 8.4).

The wording is ours; each description has the length of the real one to the character, because the budget of the list
goes by it (specs/codex.md 8.7).
"""

from __future__ import annotations

OWN_SKILLS = {
    "imagegen": (
        "Makes or changes images of pixels with the tool for images: photographs, illustrations, textures, sprites, mock-ups, "
        "pictures with a clear background and the like. Use it when Codex should make a new picture, change one that is there, or "
        "make variants of one, and when what is wanted is a file of pixels rather than code or vectors. Do not use it when the task "
        "is better done by changing SVG files, vectors or code that the project has, by extending its set of icons or its logo, or "
        "by drawing directly in HTML, CSS or on a canvas in a page of the web, or inside an app."
    ),
    "openai-docs": (
        "Use it when the user asks how to build with products or interfaces of OpenAI, about Codex itself, its settings or its use, "
        "or wants current documentation with its sources, help with choosing the newest model for a task, or advice on moving to a "
        "newer model and on rewording prompts for it. Prefer the tools of the documentation's own MCP server; for questions on Codex "
        "look up its manual first, by means of its helper script, and then search the web only as a last resort and on official pages alone. When a model is chosen, read "
        "the bundled list of models only where the newest model cannot be looked up on the web in time."
    ),
    "skill-creator": (
        "Guides through making skills that work well, or changing one of them, to extend what Codex knows and does."
    ),
    "skill-installer": (
        "Installs skills into the folder of skills below $CODEX_HOME, from a list of chosen ones or from a path in a repository on "
        "GitHub. Use it when a user asks what can be installed, or asks for one skill by its name or an address."
    ),
}
