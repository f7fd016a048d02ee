"""Questions about assemblies: effects, differences, lazy rules, other agents, duplicate lines."""
