"""Files that a command writes: all of one, or nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

LONGEST = 255  # bytes of a file's name


def check(option: str, path: str | None, source: str, *suffixes: str) -> None:
    """Refuse a file that could not be written, before any work.

    Args:
        option: that names the file.
        path: where it is to be; None for nowhere.
        source: the data, which it may not replace.
        suffixes: one of which it must have.

    Raises:
        ValueError: another suffix, no such folder, or the data themselves.
    """
    if path is None:
        return
    if Path(path).suffix not in suffixes:
        raise ValueError(f"{option} must end in {' or '.join(suffixes)}, got {path!r}")
    target = Path(os.path.realpath(path))
    if len(os.fsencode(target.name)) > LONGEST:
        raise ValueError(f"{option} must have a name of at most {LONGEST} bytes, got {path!r}")
    if not os.path.isdir(target.parent) or not os.access(target.parent, os.W_OK):
        raise ValueError(f"{option} must lie in a folder that can be written, got {path!r}")
    if os.path.isdir(target) or os.path.realpath(target) == os.path.realpath(source):
        raise ValueError(f"{option} must not be a folder or the data, got {path!r}")


def write(path: str, content: str | bytes) -> None:
    """Put a file in its place at once: another program sees all of it or the one before.

    A link is followed, and a file that was there keeps its rights.
    """
    target = Path(os.path.realpath(path))
    rights = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
    data = content.encode() if isinstance(content, str) else content
    handle, part = tempfile.mkstemp(prefix=".dpchoose-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(part, rights)
        os.replace(part, target)
    except BaseException:
        os.unlink(part)
        raise


def _mask() -> int:
    """The rights that this process withholds from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
