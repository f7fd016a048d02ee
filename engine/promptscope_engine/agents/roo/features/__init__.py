"""What Roo offers beyond the prompt: a module per optional protocol."""
