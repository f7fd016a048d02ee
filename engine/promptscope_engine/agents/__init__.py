"""The modelled agents, one package each, and what they have in common."""
