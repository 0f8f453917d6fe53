"""`python -m callagain`, the same as the command `callagain`."""

import sys

from callagain.cli import main

if __name__ == "__main__":
    sys.exit(main())
