"""Real agents asked about random small workspaces, and what promptscope predicts for the same ones: see README.md."""
