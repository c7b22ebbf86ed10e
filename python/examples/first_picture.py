"""Finds faces in a picture and draws them: first_picture.py PICTURE MARKED"""

import sys

import winnow


def main(picture_path: str, marked_path: str) -> None:
    found = winnow.Detector("face").detect(picture_path)
    for face in found:
        print(f"{face.x} {face.y} {face.width} {face.height} score {face.score:.2f}")
    found.draw(picture_path).save(marked_path)


if __name__ == "__main__":
    main(*sys.argv[1:])
