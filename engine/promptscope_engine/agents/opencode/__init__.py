"""OpenCode: an open-source agent for the terminal whose prompt follows the model."""
