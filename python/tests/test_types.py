"""Checks that type checkers accept programs that use every public name, and find another program's mistakes."""

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import winnow
import winnow.cv2

TESTS = Path(__file__).resolve().parent
PROGRAMS = ("typed_winnow.py", "typed_cv2.py")


def mypy(*names: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *names]
    return subprocess.run(words, cwd=TESTS, capture_output=True, text=True)


def pyright(folder: Path, *names: str) -> dict[str, object]:
    (folder / "pyrightconfig.json").write_text(json.dumps({"pythonPlatform": "Linux", "include": list(names)}))
    for name in names:
        (folder / name).write_text((TESTS / name).read_text())
    words = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    return report


def marked_lines() -> set[int]:
    lines = (TESTS / "typed_wrong.py").read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


def test_mypy_is_content() -> None:
    done = mypy(*PROGRAMS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_mistakes() -> None:
    done = mypy("typed_wrong.py")
    assert {int(line) for line in re.findall(r"^typed_wrong\.py:(\d+): error", done.stdout, re.M)} == marked_lines()


def test_pyright_is_content(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    report = pyright(tmp_path, *PROGRAMS)
    assert report["generalDiagnostics"] == []
    assert report["summary"]["filesAnalyzed"] == len(PROGRAMS)  # type: ignore[index]


def test_pyright_finds_mistakes(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    found = pyright(tmp_path, "typed_wrong.py")["generalDiagnostics"]
    lines = {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}  # type: ignore[attr-defined]
    assert lines == marked_lines()


@pytest.mark.parametrize(
    ("program", "module", "names"),
    [
        ("typed_winnow.py", "winnow", winnow.__all__),
        ("typed_cv2.py", "cv2", winnow.cv2.__all__),
    ],
)
def test_every_public_name_is_used(program: str, module: str, names: list[str]) -> None:
    text = (TESTS / program).read_text()
    unused = [name for name in names if not re.search(rf"\b{module}\.{name}\b", text)]
    assert not unused


def members(body: list[ast.stmt]) -> dict[str, str]:
    """The names that a class of the stubs has, and whether each is a property, a method or another thing."""
    found = {}
    for item in body:
        if isinstance(item, ast.FunctionDef):
            words = {word.id for word in item.decorator_list if isinstance(word, ast.Name)}
            found[item.name] = "property" if "property" in words else "method"
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found[item.target.id] = "value"
    return {name: kind for name, kind in found.items() if not name.startswith("_")}


def test_stubs_have_what_the_module_has() -> None:
    stubs = ast.parse((Path(winnow.__file__).parent / "_core.pyi").read_text())
    classes = {item.name: members(item.body) for item in stubs.body if isinstance(item, ast.ClassDef)}
    functions = {item.name for item in stubs.body if isinstance(item, ast.FunctionDef)}
    shown = {name: item for name, item in vars(winnow._core).items() if not name.startswith("_")}
    assert functions >= {name for name, item in shown.items() if not isinstance(item, type)}
    for name, item in shown.items():
        if not isinstance(item, type) or issubclass(item, Exception):
            continue
        kinds = {
            member: "method" if callable(getattr(item, member)) else "property"
            for member in vars(item)
            if not member.startswith("_")
        }
        assert {member: "property" if kind == "value" else kind for member, kind in classes[name].items()} == kinds, name


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_runs(program: str, place: Path) -> None:
    runpy.run_path(str(TESTS / program), run_name="__main__")
