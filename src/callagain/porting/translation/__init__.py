"""Jitterbit Script translated to Python that reads as if it were written by hand."""
