"""One notebook in a kernel of its own.

``python -m dpbook.run NOTEBOOK OUTPUT PARAMETERS`` does so from a shell, with the
parameters as JSON.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nbformat
import papermill
from traitlets.config import Config

# The last cell of every run, which no reader sees.
MODULES = "print(*sorted(m for m in __import__('sys').modules if m.startswith('dpchoose')))"


def execute(
    notebook: Path,
    output: Path,
    parameters: Mapping[str, Any] | None = None,
    *,
    finish: Callable[[nbformat.NotebookNode], None] = lambda executed: None,
    **options: Any,
) -> Path:
    """Run a notebook with papermill.

    The output appears when it is whole, with the time at which the run began, so that
    an edit in the meantime makes it stale. Its metadata has under "modules" those of
    dpchoose that the run has loaded.

    Kernels that start side by side would race for their ports. These have no ports but
    sockets, in a folder of their own, because sockets are named alike in every folder.

    Args:
        notebook: its path; its head names the kernel.
        output: where the executed notebook goes; an earlier one is gone if a cell fails.
        parameters: those that differ from the notebook's.
        finish: what is still done to the executed notebook before it is written.
        options: what else ``papermill.execute_notebook`` takes.

    Raises:
        ValueError: the notebook names no kernel.
        papermill.PapermillExecutionError: a cell failed.
    """
    began = time.time_ns()
    source = nbformat.read(notebook, as_version=4)
    source.cells.append(nbformat.v4.new_code_cell(MODULES))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="dp") as folder:  # short: a socket's path has 107 bytes
        executed = papermill.execute_notebook(
            source,
            None,
            parameters=dict(parameters or {}),
            progress_bar=False,
            coalesce_streams=True,  # what is printed comes in pieces, cut by the clock
            config=Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"}),
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            **options,
        )
    last = executed.cells.pop()
    del executed.metadata["papermill"]  # which would hold the whole notebook again
    executed.metadata["modules"] = last.outputs[0].text.split()
    finish(executed)
    part = output.with_name(f".{output.stem}.{os.getpid()}.part.json")
    part.write_text(nbformat.writes(executed) + "\n", "utf-8")
    os.utime(part, ns=(began, began))
    part.replace(output)
    return output


if __name__ == "__main__":
    execute(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))
