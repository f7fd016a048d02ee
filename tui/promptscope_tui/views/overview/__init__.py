"""The overview: what a person asks of a prompt first, on one screen."""
