"""A reader for each form in which designs come: folder of scripts, Studio export, .jpk, flowchart."""
