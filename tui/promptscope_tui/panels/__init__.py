"""The prompt as a tree of panels that fold: layout, search and painting, without a terminal."""
