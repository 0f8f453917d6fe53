"""What became of each component of a design, and what its owner has to know; as text, Markdown and JSON."""
