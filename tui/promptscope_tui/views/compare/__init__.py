"""Two prompts side by side."""
