"""The 26 parts of the prompt, in the agent's order (specs/openclaw.md 1)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.prompt.drafts import SectionDraft

from . import capabilities, chat, conduct, conversation, project_context, runtime, surroundings, tooling


def section_drafts(materials: Materials) -> Iterator[SectionDraft]:
    """Every part, present or not."""
    yield conduct.identity()
    yield tooling.tooling(materials)
    yield conduct.tool_call_style()
    yield conduct.safety()
    yield conduct.cli_reference()
    yield capabilities.skills(materials)
    yield capabilities.memory_recall(materials)
    yield capabilities.self_update(materials)
    yield capabilities.model_aliases(materials)
    yield surroundings.status_hint(materials)
    yield surroundings.workspace(materials)
    yield surroundings.documentation(materials)
    yield surroundings.sandbox(materials)
    yield chat.authorized_senders(materials)
    yield surroundings.date_and_time(materials)
    yield surroundings.workspace_files()
    yield chat.reply_tags()
    yield from chat.messaging(materials)
    yield chat.voice(materials)
    yield chat.extra_context(materials)
    yield chat.reactions(materials)
    yield conduct.reasoning_format(materials)
    yield from project_context.project_context(materials)
    yield conduct.silent_replies()
    yield conduct.heartbeats(materials)
    yield runtime.runtime(materials)
    yield from conversation.conversation(materials)
