"""The smallest agent that follows the plan: one file, two sections, one tool. ARCHITECTURE, "Adding an agent"."""
