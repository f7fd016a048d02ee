"""One module per source of what the prompt is made of."""
