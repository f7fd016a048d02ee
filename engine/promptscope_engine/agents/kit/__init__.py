"""What several agents are built from: one module for each kind of thing, with a policy from each agent."""
