"""What to ask a client that is installed here, and what its requests teach."""
