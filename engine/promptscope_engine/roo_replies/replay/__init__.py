"""Parts of Roo's user messages that the app does not show: plain facts in, the agent's text out."""
