"""The Python package that a design becomes: what is in it, and how it is written.

    from pathlib import Path
    from callagain.porting.design import read_design
    from callagain.porting.package import port, write_package

    package = port(read_design(Path("orders.json")))
    write_package(package, Path("orders"))
    package.report.stubs

`plan` decides what becomes of each part, `components` says it in the report, and the `…_file` modules write.
"""

from callagain.porting.package.package import Package, port
from callagain.porting.package.plan import Plan
from callagain.porting.package.writing import is_package, write_package

__all__ = ["Package", "Plan", "is_package", "port", "write_package"]
