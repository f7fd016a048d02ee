"""The files behind a prompt, as a tree."""
