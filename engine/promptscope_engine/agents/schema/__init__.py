"""The files that define an agent: a class for each of their tables, and what follows from the classes."""
