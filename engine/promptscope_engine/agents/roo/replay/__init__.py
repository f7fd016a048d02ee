"""What recordings of Roo's user messages need beyond the prompt: plain facts in, the agent's text out."""
