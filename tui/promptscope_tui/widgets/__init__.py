"""What views are built from: lists of rows, tables, lines, inputs."""
