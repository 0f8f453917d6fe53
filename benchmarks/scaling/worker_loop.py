"""The loop of the workers that are measured: `callagain worker benchmarks.scaling.worker_loop`."""

import os

from benchmarks.scaling.order_loop import Work
from benchmarks.scaling.workers import BASE_URL, WORK

loop = Work.of_json(os.environ[WORK]).loop(os.environ[BASE_URL])
