"""The command `dpchoose`: a door that can be interrupted while NumPy is still being loaded."""

import os
import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; its exit code, 130 when it was interrupted."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # and is not ignored
        signal.signal(signal.SIGINT, _interrupted)
    try:
        from dpchoose.your_data.command.main import main as command
    except ImportError as no:
        print(
            f"dpchoose: {no.name or no} must be there: pip install '.' brings it", file=sys.stderr
        )
        return 2
    if signal.getsignal(signal.SIGINT) is _interrupted:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command(arguments)


def _interrupted(*_: object) -> None:
    """End at once: an exception could be swallowed by whatever is being imported."""
    os.write(2, b"dpchoose: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
