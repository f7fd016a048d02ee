"""What `tests/mutants.py` is made of: mutants, how one is put in place, and which tests it meets."""
