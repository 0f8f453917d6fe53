"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "benchmarks" / "requirements"
ENVIRONMENTS = ROOT / ".venv" / "bench"
SCRATCH = ROOT / "build" / "bench"
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "performance"
