"""Gemini CLI: from files, settings and the machine to materials."""
