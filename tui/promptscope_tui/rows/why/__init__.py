"""The pages of Why, by subject."""
