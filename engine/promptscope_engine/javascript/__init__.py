"""JavaScript's behaviour where it differs from Python's: the agents are JavaScript programs."""
