"""The headless commands, one module per idea. None of them imports textual."""
