"""Mentions and commands in the user's words (specs/roo-user-messages.md 3)."""
