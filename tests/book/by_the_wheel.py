"""Run a notebook with the package of a folder, and nothing of the book: it draws or it fails.

python by_the_wheel.py PACKAGE NOTEBOOK FIGURES: PACKAGE is first on the path, and whatever stands
in the clone is refused. FIGURES is the notebook's ``figures_folder``.
"""

import json
import sys
from pathlib import Path

CLONE = Path(__file__).parents[2]


class Refused:
    """A finder that finds nothing of the kit."""

    @staticmethod
    def find_spec(name, *_):
        if name.partition(".")[0] == "dpbook":
            raise ImportError(f"{name} is of the book")


def main(package, notebook, figures):
    """Run it."""
    sys.meta_path.insert(0, Refused)
    sys.path[0] = package  # where the folder of this script stood

    namespace = {}
    for cell in json.loads(Path(notebook).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), namespace)
        if "parameters" in cell["metadata"].get("tags", []):
            assert namespace["figures_folder"] == ""
            namespace["figures_folder"] = figures

    for module in {*sys.modules.values()} - {sys.modules["__main__"]}:
        path = Path(getattr(module, "__file__", None) or sys.prefix)
        assert not path.is_relative_to(CLONE) or path.is_relative_to(sys.prefix), path


if __name__ == "__main__":
    main(*sys.argv[1:])
