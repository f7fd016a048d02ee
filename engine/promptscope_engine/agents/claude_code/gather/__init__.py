"""Claude Code: from files, settings and the machine to materials."""
