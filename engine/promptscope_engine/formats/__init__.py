"""Text to values: the file formats that agents read, with limits, and with lines where an agent names them."""
