"""Which agent reads which file, and what it costs."""
