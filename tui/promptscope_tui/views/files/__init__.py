"""The files that the agent looks for."""
