"""The first page in a folder without files of the agent."""
