"""What dpchoose costs from outside: its import, a first answer, and a long file beside pandas.

    python benchmarks/command.py
    python benchmarks/command.py --rows 1000000

Processor seconds of whole processes, the shortest of some runs, and the memory of the leanest; a
process counts that of its parent as its own, so none but the standard library is loaded here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HEALTH = Path(__file__).parent.parent / "dpchoose" / "data" / "health.csv"
ASKED = ["--ask", "mean:visits", "--limits", "visits=0:60", "--odds", "3"]


def cost(runs: int, *command: str) -> tuple[float, float]:
    """Seconds and megabytes of a command of Python."""
    found = []
    for _ in range(runs):
        process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        assert status == 0, f"{command} must succeed, got {status}"
        found.append((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    seconds, megabytes = map(min, zip(*found))
    return seconds, megabytes


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10**7, help="of the long file")
    parser.add_argument("--runs", type=int, default=5, help="of which the shortest counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        long = str(Path(folder, "long.csv"))
        with open(long, "w") as file:
            file.write("visits,ward\n")
            file.writelines(f"{7919 * row % 61},{row % 7}\n" for row in range(options.rows))
        for name, *command in (
            ("Python alone", "-c", "pass"),
            ("import numpy", "-c", "import numpy"),
            ("import dpchoose", "-c", "import dpchoose"),
            ("import pandas", "-c", "import pandas"),
            ("a first answer", "-m", "dpchoose", "epsilon", str(HEALTH), *ASKED),
            ("a long file", "-m", "dpchoose", "epsilon", long, *ASKED),
            ("the same, pandas.read_csv", "-c", f"import pandas; pandas.read_csv({long!r})"),
        ):
            seconds, megabytes = cost(min(options.runs, 2 if long in command else 9), *command)
            print(f"{name:<28}{seconds:>9.3f} s{megabytes:>8.0f} MB", flush=True)


if __name__ == "__main__":
    main()
