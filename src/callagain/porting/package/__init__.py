"""The Python package that a design becomes: what is in it, and how it is written."""
