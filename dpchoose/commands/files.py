"""Files that a command writes: all of one, or nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


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
    target = Path(path)
    if target.suffix not in suffixes:
        raise ValueError(f"{option} must end in {' or '.join(suffixes)}, got {path!r}")
    if not os.path.isdir(target.parent) or not os.access(target.parent, os.W_OK):
        raise ValueError(f"{option} must lie in a folder that can be written, got {path!r}")
    if os.path.isdir(target) or os.path.realpath(target) == os.path.realpath(source):
        raise ValueError(f"{option} must not be a folder or the data, got {path!r}")


def write(path: str, content: str | bytes) -> None:
    """Put a file in its place at once: another program sees all of it or the one before."""
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    handle, part = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(part, 0o666 & ~_mask())
        os.replace(part, target)
    except BaseException:
        os.unlink(part)
        raise


def _mask() -> int:
    """The rights that this process withholds from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
