"""How a conversation fills the window."""
