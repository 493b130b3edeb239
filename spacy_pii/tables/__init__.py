"""The package's data as JSON, one table a file."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=None)
def load_table(name: str) -> Any:
    """Read a table of the package.

    name (str): Name of the file without suffix.
    RETURNS (Any): Its content. It is cached: do not change it.
    """
    return json.loads(files(__package__).joinpath(f"{name}.json").read_text(encoding="utf8"))
