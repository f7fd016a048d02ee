"""What is asked: the scenario, an agent's params, the machine's facts."""
