"""Marks the points of each face in a picture: faces.py LANDMARKS PICTURE MARKED"""

import sys

import winnow


def main(landmarks_path: str, picture_path: str, marked_path: str) -> None:
    # Boxes of the detector `face` are moved to where the landmarks expect them.
    landmarks = winnow.Landmarks.load(landmarks_path).for_face_boxes()
    picture = winnow.read_picture(picture_path, color=True)
    found = winnow.Detector("face").detect(picture)
    canvas = picture.color.copy()
    # The numbers of the eyes' points: 36 to 47 of dlib's 68 points, or the first two of five.
    eyes = slice(36, 48) if landmarks.points == 68 else slice(0, 2)
    for face, shape in zip(found, winnow.Landmarker(landmarks).fit(picture, found), strict=True):
        x, y = shape.points[eyes].mean(axis=0)
        print(f"{face.x} {face.y} {face.width} {face.height}: eyes at {x:.1f} {y:.1f}")
        winnow.draw_shape(canvas, shape, thickness=max(1, face.width // 100))
    winnow.write_picture(marked_path, canvas, channels="rgb")


if __name__ == "__main__":
    main(*sys.argv[1:])
