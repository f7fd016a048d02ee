"""What could be left out, and how much that saves."""
