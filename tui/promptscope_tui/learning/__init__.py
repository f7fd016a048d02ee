"""Asking an installed client for its own words: `promptscope learn`."""
