"""From a scenario to an assembly."""
