"""Every public knob of the agents, asked of the real clients one at a time: see README.md."""
