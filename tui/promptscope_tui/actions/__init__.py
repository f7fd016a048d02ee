"""What a user can do: one table, and what is made from it."""
