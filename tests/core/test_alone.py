"""The mathematics needs nothing of the book."""

import subprocess
import sys


def test_importing_the_package_imports_numpy_and_little_else():
    heavy = ["pandas", "scipy", "matplotlib", "papermill", "IPython", "yaml", "joblib", "click"]
    heavy += ["dpbook"]
    script = f"import sys, dpchoose; print([m for m in {heavy} if m in sys.modules])"
    made = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert made.stdout == "[]\n"
