"""What an agent's folder says: agent.toml, sections and tools with their conditions, and corrections laid over them."""
