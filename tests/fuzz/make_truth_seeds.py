#!/usr/bin/env python3
"""Writes small files of labels, at least one for each format, to <dir>/truth/, for fuzz_truth to start from.

usage: make_truth_seeds.py DIR
"""
import pathlib
import sys

FORMATS = ["", "info", "csv", "points", "coco", "yolo", "voc", "dlib", "fddb", "pts"]

SEEDS = {
    "info": ["# faces\na.jpg 2 1 2 3 4 5.5 6 7 8e0\n\"b c.jpg\" 0\n"],
    "csv": ["file,x,y,width,height,category,ignore\na.jpg,1,2,3,4,face,0\n\"b, \"\"c\"\".jpg\",,,,,,\n",
            "filename;xmin;ymin;xmax;ymax;class\na.jpg;1;2;4;6;dog\n", "a.png 1 2 3 4\nb.png 5 6 7 8\n",
            "path\tleft\ttop\tw\th\tdifficult\na.png\t1\t2\t3\t4\t1\n"],
    "points": ["file,x0,y0,x1,y1\na.jpg,1.5,2,3,4\na.jpg,5,6,7,8\nb.jpg,,,,\n",
               "#filename left-eye right-eye nose\na.png 1 2 3 4 5 6\nb.png\n",
               "file;nose_x;nose_y;chin_x;chin_y\na b.png;1;2;3;4.5\nc.png\n"],
    "coco": ["""{"info": {"year": [2017, null, true]},
"images": [{"id": 1, "file_name": "a.jpg", "width": 640}, {"id": 2, "file_name": "b.jpg"}],
"annotations": [{"id": 5, "image_id": 1, "category_id": 3, "bbox": [1, 2.5, 3, 4e0], "iscrowd": 1},
{"id": 6, "image_id": 2, "bbox": [1, 2, 0, 4], "segmentation": {"counts": [1, 2], "size": [3, 4]}}],
"categories": [{"id": 3, "name": "dog", "supercategory": "animal"}]}"""],
    "yolo": ["0 0.5 0.5 0.25 0.125\n1 .5 .5 1 1\n", "names:\n  0: cat\n  1: dog\n", "nc: 2\nnames: [cat, 'dog']\n"],
    "voc": ["""<?xml version="1.0"?>
<annotation><filename>a.jpg</filename>
<object><name>dog</name><difficult>1</difficult>
<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>
"""],
    "dlib": ["""<?xml version='1.0' encoding='ISO-8859-1'?>
<dataset><!-- faces --><images>
<image file='a&amp;b.jpg'><box top='1' left='2' width='3' height='4' ignore='1'><label>face</label>
<part name='01' x='1' y='2'/><part name='00' x='3' y='4'/></box></image></images></dataset>
"""],
    "pts": ["version: 1\nn_points:  3\n{\n1 2\n3.5 4e0\n-5 6\n}\n", "version:1\r\nn_points:1\r\n{\r\n1 1\r\n}"],
    "fddb": ["2002/img_1\n2\n20 10 -1.25 50 60  1\n9.5 8 0 1 1 1\n2002/img_2\n0\n"],
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) / "truth"
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in SEEDS.items():
        for number, text in enumerate(texts):
            # The first byte names the format, or leaves the format to be recognised. The byte's lowest bit gives names
            # to classes.
            for kind, first in {"named": 2 * FORMATS.index(name) + 1, "found": 0}.items():
                (folder / f"{name}-{number}-{kind}").write_bytes(bytes([first]) + text.encode())


if __name__ == "__main__":
    main()
