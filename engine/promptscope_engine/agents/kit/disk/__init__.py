"""What agents find on the disk: settings in layers, folders, front matter, servers, hooks, and a row for each file."""
