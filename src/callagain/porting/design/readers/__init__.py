"""One reader for each form in which designs come: a folder of scripts, a Studio export, a .jpk, a flowchart."""
