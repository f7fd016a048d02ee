"""OpenClaw's tools: what the prompt says of them, what the request carries, and what decides which ones there are."""
