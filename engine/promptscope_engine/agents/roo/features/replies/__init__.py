"""Replies to tool calls, and how a task ends (specs/roo.md 6-8)."""
