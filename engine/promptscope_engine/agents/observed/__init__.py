"""Any agent, observed: a captured request as an assembly, each stretch with the file that it is in."""
