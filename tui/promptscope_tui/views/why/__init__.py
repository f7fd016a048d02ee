"""Why something is in the prompt, or is not."""
