"""Rows of text with tones, tables of them, escaping, wrapping, phrases."""
