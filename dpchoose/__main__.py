"""The command line, assembled: an epsilon, a risk or a sensitivity for a CSV file."""

from __future__ import annotations

import os
import sys
import warnings
from functools import partial

import click

from dpchoose.commands import answer as answers
from dpchoose.commands import epsilon, risk, sensitivity
from dpchoose.data.codes import MissingCodeWarning

EXAMPLES = epsilon.EXAMPLES + risk.EXAMPLES.partition("Examples:\n")[2]
LONGEST = 300  # word of a line that refuses: a path fits, 5,000 digits do not


@click.group(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dpchoose")
def cli() -> None:
    """From a disclosure risk that you accept to an epsilon that keeps it."""


cli.add_command(epsilon.epsilon)
cli.add_command(risk.risk)
cli.add_command(sensitivity.sensitivity)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: words after the program's name; None for those it was given.

    Returns:
        0; 2 when what was asked cannot be answered, with one line that says
        why; 130 when it was interrupted.
    """
    return answer(cli, "dpchoose", arguments)


def answer(command: click.Command, name: str, arguments: list[str] | None = None) -> int:
    """Run a command so that all it says of a mistake is one line.

    Args:
        command: what to run; it returns its exit code, or None for 0.
        name: how it is called.
        arguments: as for :func:`main`.

    Returns:
        the exit code, as of :func:`main`.

    >>> answer(cli, "dpchoose", ["sensitivity", "--column"])
    2
    """
    words = sys.argv[1:] if arguments is None else arguments
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("once", MissingCodeWarning)
            warnings.showwarning = partial(_warn, name)
            code = command.main(list(words), prog_name=name, standalone_mode=False, obj=list(words))
        sys.stdout.flush()
        return code or 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        return _refuse(name, error.format_message())
    except (ValueError, TypeError) as error:
        return _refuse(name, str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on
        return 0
    except OSError as error:
        return _refuse(name, f"cannot write: {error.strerror or error}")
    except MemoryError:
        return _refuse(name, "this needs more memory than there is")
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"{name}: interrupted", err=True)
        return 130


def _warn(name: str, message: Warning | str, *_: object) -> None:
    click.echo(f"{name}: warning: {answers.printable(str(message))}", err=True)


def _refuse(name: str, reason: str) -> int:
    words = [word if len(word) <= LONGEST else f"{word[:LONGEST]}..." for word in reason.split()]
    click.echo(f"{name}: {answers.printable(' '.join(words))}", err=True)
    return 2


if __name__ == "__main__":
    sys.exit(main())
