"""The screens: the main one and what opens over it."""
