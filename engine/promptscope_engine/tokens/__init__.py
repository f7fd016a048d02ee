"""Token counts: encodings, estimates, windows, and the count cache."""
