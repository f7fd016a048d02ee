"""The switches of the agent, and the scenario."""
