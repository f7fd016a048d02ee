"""What is answered, and why: the assembly, conditions, and the drafts that agents make."""
