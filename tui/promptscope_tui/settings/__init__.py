"""The settings, what is remembered between starts, and the folders for both."""
