"""What a team holds its instruction files to: rules and budgets, checked for every agent that has files here."""
