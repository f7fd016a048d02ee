"""Skills: where they are found, what holds one back, and how they are listed (specs/openclaw.md 3)."""
