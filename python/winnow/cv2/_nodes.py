"""Writes OpenCV's ``FileNode`` as the text of a file, which Winnow's readers take."""

from typing import Any
from xml.sax.saxutils import escape


def _text(node: Any) -> str:
    if node.isInt():
        return str(int(node.real()))
    if node.isReal():
        return repr(float(node.real()))
    return escape(str(node.string()))


def _body(node: Any) -> str:
    if node.isMap():
        return "".join(f"<{key}>{_body(node.getNode(key))}</{key}>" for key in node.keys())
    if node.isSeq():
        items = [node.at(i) for i in range(node.size())]
        if any(item.isMap() or item.isSeq() for item in items):
            return "".join(f"<_>{_body(item)}</_>" for item in items)
        return " ".join(_text(item) for item in items)
    return "" if node.isNone() else _text(node)


def xml_of_node(node: Any, name: str, type_id: str) -> bytes:
    """The bytes of an XML file that holds the node under this name."""
    text = f'<?xml version="1.0"?><opencv_storage><{name} type_id="{type_id}">{_body(node)}</{name}></opencv_storage>'
    return text.encode()
