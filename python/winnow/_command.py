"""Runs the command `winnow` that lies in this package."""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "winnow")
    os.execv(command, ["winnow", *sys.argv[1:]])
