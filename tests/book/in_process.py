"""A notebook run in this process, where what is tested is not the kernel."""

import contextlib
import io
import sys

import matplotlib as mpl
import nbformat
import papermill
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config


class Results(DisplayHook):
    """The value of a cell is shown as what the cell displays."""

    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.display_pub.publish(format_dict, md_dict)


class Shell(InteractiveShell):
    displayhook_class = Type(Results)
    display_pub_class = Type(CapturingDisplayPublisher)


def execute_notebook(input_path, output_path=None, parameters=None, **_):
    """In the place of papermill's function, also behind its command line."""
    notebook = papermill.execute_notebook(
        input_path, None, parameters, prepare_only=True, progress_bar=False
    )
    shell = Shell.instance(config=Config(HistoryManager={"enabled": False}))
    try:
        with mpl.rc_context():
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    cell.outputs = outputs(shell, cell.source)
    finally:
        shell.restore_sys_module_state()
        Shell.clear_instance()
    if output_path:
        nbformat.write(notebook, output_path)
    return notebook


def outputs(shell, source):
    """What a cell prints and displays; its error is raised."""
    shell.display_pub.outputs.clear()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = shell.run_cell(source, store_history=True)
    if not result.success:
        print(printed.getvalue(), file=sys.stderr)
        result.raise_error()
    shown = [
        nbformat.v4.new_output("display_data", data=each["data"], metadata=each["metadata"] or {})
        for each in shell.display_pub.outputs
    ]
    if printed.getvalue():
        shown.insert(0, nbformat.v4.new_output("stream", name="stdout", text=printed.getvalue()))
    return shown
