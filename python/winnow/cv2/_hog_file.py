"""Reads and writes the files of OpenCV's HOGDescriptor: XML, YAML and JSON."""

import gzip
import json
import os
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import numpy.typing as npt

_TYPE = "opencv-object-detector-hog"
_SIZES = ("winSize", "blockSize", "blockStride", "cellSize")
_WHOLES = ("nbins", "derivAperture", "histogramNormType", "nlevels")
_REALS = ("winSigma", "L2HysThreshold")
_FLAGS = ("gammaCorrection", "signedGradient")
_MOST_BYTES = 64 << 20


def node_name(path: str) -> str:
    """OpenCV's name for the contents of a file: the file's name, in characters that XML allows."""
    stem, ending = os.path.splitext(os.path.basename(path))
    if ending == ".gz":
        stem = os.path.splitext(stem)[0]
    name = re.sub(r"[^A-Za-z0-9_\-]", "_", stem)
    return "_" + name if not name or not (name[0].isalpha() or name[0] == "_") else name


def write(path: str, name: str, values: dict[str, Any], numbers: npt.NDArray[np.float32] | None) -> None:
    """Writes the attributes, and the numbers if there are any: XML or JSON for these endings, YAML for all others."""
    form = path.removesuffix(".gz")
    lists = {key: [int(side) for side in values[key]] for key in _SIZES}
    fields: dict[str, Any] = {**lists}
    for key in ("nbins", "derivAperture", "winSigma", "histogramNormType", "L2HysThreshold"):
        fields[key] = values[key]
    fields |= {"gammaCorrection": int(values["gammaCorrection"]), "nlevels": values["nlevels"]}
    fields["signedGradient"] = int(values["signedGradient"])
    if numbers is not None:
        fields["SVMDetector"] = [float(str(number)) for number in numbers]
    if form.endswith(".xml"):
        text = _xml(name, fields)
    elif form.endswith(".json"):
        text = json.dumps({name: {"type_id": _TYPE, **fields}}, indent=1) + "\n"
    else:
        text = _yaml(name, fields)
    opened = gzip.open(path, "wt") if path.endswith(".gz") else open(path, "w", encoding="utf-8")
    with opened as file:
        file.write(text)


def _word(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) else str(value)


def _xml(name: str, fields: dict[str, Any]) -> str:
    lines = [f'<?xml version="1.0"?>\n<opencv_storage>\n<{name} type_id="{_TYPE}">']
    for key, value in fields.items():
        words = [_word(item) for item in value] if isinstance(value, list) else [_word(value)]
        rows = [" ".join(words[first : first + 4]) for first in range(0, len(words), 4)]
        body = "\n    ".join(rows)
        lines.append(f"  <{key}>\n    {body}</{key}>")
    return "\n".join([*lines, f"</{name}>", "</opencv_storage>", ""])


def _yaml(name: str, fields: dict[str, Any]) -> str:
    lines = ["%YAML:1.0", "---", f"{name}: !!{_TYPE}"]
    for key, value in fields.items():
        if isinstance(value, list):
            words = [_word(item) for item in value]
            rows = [", ".join(words[first : first + 4]) for first in range(0, len(words), 4)]
            lines.append(f"   {key}: [ " + ",\n       ".join(rows) + " ]")
        else:
            lines.append(f"   {key}: {_word(value)}")
    return "\n".join([*lines, ""])


def read(path: str, name: str) -> tuple[dict[str, Any], npt.NDArray[np.float32] | None] | None:
    """The attributes and numbers of the node `name`, of the first node if that is "". None without such a node."""
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    if data[:2] == b"\x1f\x8b":
        with gzip.open(path, "rb") as packed:
            data = packed.read(_MOST_BYTES)
    text = data.decode("utf-8", "replace").lstrip()
    if text.startswith("<"):
        fields = _read_xml(text, name)
    elif text.startswith("{"):
        fields = _read_json(text, name)
    else:
        fields = _read_yaml(text, name)
    if fields is None or "winSize" not in fields:
        return None
    values: dict[str, Any] = {}
    for key in _SIZES:
        width, height = (int(side) for side in fields[key])
        values[key] = (width, height)
    for key in _WHOLES:
        values[key] = int(fields[key][0]) if key in fields else {"nlevels": 64, "derivAperture": 1}.get(key, 0)
    for key in _REALS:
        values[key] = float(fields[key][0]) if key in fields else 0.0
    for key in _FLAGS:
        values[key] = bool(float(fields[key][0])) if key in fields else False
    numbers = fields.get("SVMDetector")
    return values, np.array(numbers, np.float32) if numbers else None


def _read_xml(text: str, name: str) -> dict[str, list[str]] | None:
    if "<!" in re.sub(r"<!--.*?-->", "", text, flags=re.S):
        return None  # OpenCV writes no declarations of entities, so this is another file
    root = ElementTree.fromstring(text)
    node = root.find(name) if name else next(iter(root), None)
    return None if node is None else {child.tag: (child.text or "").split() for child in node}


def _read_json(text: str, name: str) -> dict[str, list[Any]] | None:
    root = json.loads(text)
    node = root.get(name) if name else next(iter(root.values()), None)
    if not isinstance(node, dict):
        return None
    return {key: value if isinstance(value, list) else [value] for key, value in node.items()}


def _read_yaml(text: str, name: str) -> dict[str, list[str]] | None:
    wanted = re.escape(name) if name else r"[^\s:#%\-][^:\n]*"
    found = re.search(rf"^({wanted}):[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$))*)", text, flags=re.M)
    if found is None:
        return None
    fields = re.findall(r"^[ \t]+(\w+):\s*(\[[^\]]*\]|[^\n]*)", found.group(2), flags=re.M)
    return {key: re.split(r"[\s,]+", value.strip("[] \t\n")) for key, value in fields}
