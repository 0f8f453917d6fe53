"""`python -m tests.porting.report` writes the list of docs/porting-traps.md anew."""

from tests.porting.report.traps_page import PAGE, regenerated

if __name__ == "__main__":
    PAGE.write_text(regenerated(PAGE.read_text("utf-8")), "utf-8")
