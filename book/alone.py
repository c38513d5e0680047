"""Run a command while no other make works in this clone: python3 book/alone.py COMMAND ...

It needs no package, because what waits may be the making of the environment.
"""

import fcntl
import os
import sys

# What is locked is the Makefile itself, until the last process that inherits it has ended.
makefile = os.open("Makefile", os.O_RDONLY)
os.set_inheritable(makefile, True)
try:
    fcntl.flock(makefile, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("waiting for another make in this folder to end", file=sys.stderr, flush=True)
    fcntl.flock(makefile, fcntl.LOCK_EX)
os.execvp(sys.argv[1], sys.argv[1:])
