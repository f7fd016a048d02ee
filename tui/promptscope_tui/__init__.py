"""The command `promptscope` and its app."""
