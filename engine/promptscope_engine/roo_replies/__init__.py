"""What Roo answers to tool calls, how a task ends, and its user messages (specs/roo.md 6-8): no prompt needs it."""
