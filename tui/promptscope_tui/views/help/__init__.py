"""Keys and signs."""
