"""The prompt after: what is left of it at a session's later request."""
