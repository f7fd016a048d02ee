"""What several agents' packages use."""
