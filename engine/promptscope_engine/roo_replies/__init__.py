"""What Roo answers to tool calls, how a task ends, and its user messages: no prompt needs it."""
