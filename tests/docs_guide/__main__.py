"""`python -m tests.docs_guide` writes the tables of docs/jitterbit-to-python.md anew."""

from tests.docs_guide.page import PAGE, guide_table

if __name__ == "__main__":
    table = guide_table()
    print("\n".join(table.problems()) or f"{PAGE.name} shows all {len(table.elements)} elements of the guide")
    PAGE.write_text(table.regenerated(PAGE.read_text("utf-8")), "utf-8")
