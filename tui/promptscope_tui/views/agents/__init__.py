"""Which agent reads which file, and what each pays."""
