"""The forms in which a run is kept: its inputs and its log as JSON, and both as one text.

`snapshot` writes the text and makes the run of it again; `fingerprint` tells whether a chain and its tools
are still those that the run began with.
"""
