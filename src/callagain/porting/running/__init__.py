"""A design run as it stands: its operations, their steps and links, and the variables after each."""
