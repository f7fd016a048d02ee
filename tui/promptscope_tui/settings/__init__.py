"""What promptscope keeps for itself, and where."""
