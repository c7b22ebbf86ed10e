"""Gives the checks of tools/ the files of the tree, and the run of a check's own tests."""
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def tracked():
    """Every file that git tracks or would track, from the root on."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            stdout=subprocess.PIPE, check=True).stdout
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name}
    return {name for name in names if (ROOT / name).is_file()}


def self_test(tests):
    """Runs the tests of a class. Returns the exit status."""
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(tests))
    return 0 if result.wasSuccessful() else 1
