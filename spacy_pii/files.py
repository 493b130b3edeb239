"""Files are written under a temporary name and moved, so that a run that is cut short leaves no half file behind."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator


@contextmanager
def replace_file(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Give a temporary file beside the target and move it there when the block ends without an error.

    path (Path): The target. Its folder is made if need be.
    private (bool): Whether only the owner can read the target.
    YIELDS (Path): The temporary file, readable by its owner only until it is moved.
    RAISES (OSError): If the folder cannot be written.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, 0o600 if private else _default_mode())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _default_mode() -> int:
    """The mode of a file opened in the ordinary way; mkstemp's own is 0600."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
