"""How long each part takes."""
