"""The sections whose words are fixed: texts in the files beside this, with their titles, headings and switches."""

from __future__ import annotations

from promptscope_engine.agents.gemini.gates import INTERACTIVE
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.prompt.drafts import Choice, SectionDraft

from .part import part


def preamble(m: Materials) -> SectionDraft:
    """Who the agent is, and in which mode."""
    return part(m, "preamble", "Preamble", None, text(m, "preamble"), switch="preamble")


def core_mandates(m: Materials) -> SectionDraft:
    """What is never left out of sight."""
    pieces = text(m, "core_mandates")
    return part(m, "core_mandates", "Core Mandates", "# Core Mandates", pieces, switch="core_mandates")


def plan(m: Materials) -> SectionDraft:
    """What stands in place of the workflows while a plan is made."""
    heading = "# Active Approval Mode: Plan"
    return part(m, "plan", heading[2:], heading, text(m, "plan"), m.gates.plan, switch="plan")


def primary_workflows(m: Materials) -> SectionDraft:
    """How work is gone about."""
    heading, pieces = "# Primary Workflows", text(m, "primary_workflows")
    return part(m, "primary_workflows", heading[2:], heading, pieces, ~m.gates.plan, switch="primary_workflows")


def tracker(m: Materials) -> SectionDraft:
    """The task tracker."""
    heading = "# TASK MANAGEMENT PROTOCOL"
    return part(m, "tracker", "Task Management Protocol", heading, text(m, "tracker"), m.gates.tracker)


def operational_guidelines(m: Materials) -> SectionDraft:
    """Manner, safety and the use of tools."""
    name, heading = "operational_guidelines", "# Operational Guidelines"
    return part(m, name, heading[2:], heading, text(m, name), switch=name)


def yolo(m: Materials) -> SectionDraft:
    """Autonomous mode."""
    heading, when = "# Autonomous Mode (YOLO)", m.gates.yolo & INTERACTIVE
    return part(m, "yolo", heading[2:], heading, text(m, "yolo"), when, switch="yolo")


def sandbox(m: Materials) -> SectionDraft:
    """What the sandbox keeps out of reach; the older prompt also says that there is none."""
    g, pieces = m.gates, text(m, "sandbox")
    seatbelt = (g.sandboxed & g.seatbelt, "# macOS Seatbelt")
    if m.model.variant == "modern":
        return part(m, "sandbox", "Sandbox", Choice((seatbelt,), "# Sandbox"), pieces, g.sandboxed, switch="sandbox")
    heading = Choice((seatbelt, (g.sandboxed, "# Sandbox")), "# Outside of Sandbox")
    return part(m, "sandbox", "Sandbox", heading, pieces, switch="sandbox")


def git(m: Materials) -> SectionDraft:
    """How a repository is treated."""
    return part(m, "git", "Git Repository", "# Git Repository", text(m, "git"), m.gates.repository, switch="git")


def final_reminder(m: Materials) -> SectionDraft:
    """The last words of the older prompt."""
    name, heading = "final_reminder", "# Final Reminder"
    return part(m, name, heading[2:], heading, text(m, name), switch=name)
