"""The versions of the agent that are known here."""
