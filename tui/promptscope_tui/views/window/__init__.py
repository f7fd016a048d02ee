"""What fills the context window."""
