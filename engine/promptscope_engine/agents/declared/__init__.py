"""One's own agent, as a file of the workspace defines it."""
