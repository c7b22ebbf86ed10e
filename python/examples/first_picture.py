"""Finds faces in a picture and draws them: first_picture.py PICTURE MARKED"""

import sys

import winnow


def main(picture_path: str, marked_path: str) -> None:
    picture = winnow.read_picture(picture_path, color=True)
    found = winnow.Detector("face").detect(picture)
    marked = picture.color.copy()
    for x, y, width, height, score, neighbors in found.objects.tolist():
        print(f"{x} {y} {width} {height} score {score:.2f}")
        winnow.draw_box(marked, (x, y, width, height))
    winnow.write_picture(marked_path, marked, channels="rgb")


if __name__ == "__main__":
    main(*sys.argv[1:])
