"""Words and characters: escaping, tones, wrapping, phrases."""
