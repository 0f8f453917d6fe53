"""A ported package beside the design it came from: the same inputs, and what each of them makes of these.

```python
from pathlib import Path
from callagain.porting.parity import parity

found = parity(Path("orders_assistant"))
for difference in found.differences:
    print(difference.case, difference.after, difference.variable, difference.design, difference.python)
```
"""

from callagain.porting.parity.case_file import read_cases
from callagain.porting.parity.cases import Case, default_cases
from callagain.porting.parity.comparing import case_results, parity
from callagain.porting.parity.errors import ParityError
from callagain.porting.parity.model import CaseResult, Difference, Parity, Status

__all__ = [
    "Case",
    "CaseResult",
    "Difference",
    "Parity",
    "ParityError",
    "Status",
    "case_results",
    "default_cases",
    "parity",
    "read_cases",
]
