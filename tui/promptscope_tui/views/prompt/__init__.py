"""The prompt as panels that fold."""
