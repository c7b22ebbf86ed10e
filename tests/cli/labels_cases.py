"""Tests of labels as data sets have them: images/ beside labels/, data.yaml, classes, and folders that are no crops."""

import json
import os

import scene
from runner import CommandTest

BOX = "0 0.5 0.5 0.4 0.5\n"


class Labels(CommandTest):
    def setUp(self):
        super().setUp()
        for i in range(12):
            picture = scene.Picture(100 + 20 * (i % 2), 80 + i % 2, [(30 + i, 20, 34)])
            self.write(f"set/images/train/a b{i}.{'PNG' if i == 3 else 'png'}", picture.png())
            if i < 10:
                self.write(f"set/labels/train/a b{i}.txt", "" if i == 9 else "\ufeff" + BOX.replace("\n", "\r\n"))
        self.write("set/images/val/v.png", scene.Picture(90, 80, [(20, 20, 40)]).png())
        self.write("set/labels/val/v.txt", BOX)
        self.write("set/data.yaml", "path: ../set  # the root\ntrain: images/train\nval: images/val\nnames:\n  0: mug\n")
        self.write("bg/a.pgm", scene.Picture(80, 60).pgm())

    def pack(self, positives, *more, negatives="bg"):
        return self.run_command("train", "pack", "--positives", positives, "--negatives", negatives, "--out", "p.pack", "--force", *more)

    def assert_boxes(self, count, *arguments, says=""):
        result = self.pack(*arguments)
        self.assertEqual(result.code, 0, result.err)
        self.assertIn(f"{count} positive{'' if count == 1 else 's'} of 24x24", result.out.decode())
        self.assertIn(says, result.err)

    def test_pictures_and_labels_lead_to_each_other(self):
        for path in ("set/images/train", "set/labels/train", "set/images/train/"):
            self.assert_boxes(9, path, says="2 pictures have no file of labels, taken as empty")
        for path in ("set", "set/images", "set/labels", "set/data.yaml"):
            self.assert_boxes(10, path, says="2 folders are taken together")
        self.assert_boxes(9, "set/images/train", "--category", "mug")

    def test_exports_of_roboflow(self):
        os.rename(self.path("set/images/train"), self.path("set/moved"))
        os.makedirs(self.path("rf/train"))
        os.rename(self.path("set/moved"), self.path("rf/train/images"))
        os.rename(self.path("set/labels/train"), self.path("rf/train/labels"))
        self.write("rf/data.yaml", "train: ../train/images\nval: ../valid/images\nnc: 1\nnames: ['mug']\n")
        for path in ("rf", "rf/train", "rf/train/images", "rf/data.yaml"):
            self.assert_boxes(9, path)

    def test_lists_of_pictures(self):
        self.write("set/list.txt", "".join(f"./images/train/a b{i}.png\n" for i in range(3)))
        self.assert_boxes(3, "set/list.txt")

    def test_polygons(self):
        self.write("set/labels/val/v.txt", "0 0.2 0.2 0.7 0.25 0.5 0.8\n")
        result = self.pack("set/images/val")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("winnow: set/images/val: 1 polygon becomes the box around it\n", result.err)

    def test_several_classes(self):
        self.write("set/labels/train/a b1.txt", "1" + BOX[1:])
        self.write("set/data.yaml", "names: [mug, cup]\n")
        refused = self.pack("set/images/train")
        self.assertEqual(refused.code, 2)
        self.assertIn("set/images/train: has objects of 2 classes: cup (1), mug (8); name the one to learn with --category", refused.err)
        for path in ("set/labels/train", "set"):
            self.assertIn(f"{path}: has objects of 2 classes", self.pack(path).err)
        self.assert_boxes(8, "set/images/train", "--category", "mug")
        # Numbers beyond the names are errors of the file.
        self.write("set/data.yaml", "names: [mug]\n")
        self.assertIn("the class is 1, and there are names for 1", self.pack("set/images/train").err)

    def test_scenes_are_no_crops(self):
        for i in range(12):
            self.write(f"scenes/{i}.pgm", scene.Picture(120 if i % 2 else 60, 60 if i % 2 else 120, [(10, 10, 30)]).pgm())
        refused = self.pack("scenes")
        self.assertEqual(refused.code, 2)
        self.assertIn("scenes: these pictures are no crops of one object: their shapes reach from 0.50 to 2.00 (width by height)",
                      refused.err)
        self.assertEqual(self.pack("scenes", "--crop", "0,0,60,60").code, 0)

    def test_few_scenes_are_no_crops(self):
        self.write("two/lying.pgm", scene.Picture(160, 120, [(10, 10, 30)]).pgm())
        self.write("two/upright.pgm", scene.Picture(120, 160, [(10, 10, 40)]).pgm())
        says = "two: these pictures are no crops of one object: their shapes reach from 0.75 to 1.33 (width by height)"
        for command in (["pack", "--out", "p.pack"], ["cascade", "--out", "m.winnow"]):
            refused = self.run_command("train", command[0], "--positives", "two", "--negatives", "bg", *command[1:])
            self.assertEqual((refused.code, refused.out), (2, b""))
            self.assertIn(says, refused.err)

    def test_crops_of_unequal_shapes(self):
        for i, (width, height) in enumerate(((50, 60), (60, 60), (66, 50), (100, 72))):
            self.write(f"hand/{i}.pgm", scene.Picture(width, height, [(10, 10 + i, 30)]).pgm())
        made = self.pack("hand")
        self.assertEqual(made.code, 0, made.err)
        self.assertIn("4 positives", made.out.decode())
        self.assertEqual(made.err, "winnow: hand: 2 pictures differ in shape from the window of 24x24, and only the middle is "
                                   "taken; cut them to that shape if the object lies elsewhere\n")
        self.assertEqual(self.pack("hand", "--window", "30x24").err, "winnow: hand: 1 picture differs in shape from the window of "
                         "30x24, and only the middle is taken; cut it to that shape if the object lies elsewhere\n")

    def test_one_folder_for_both(self):
        for negatives in ("set/images/train", "set/images/../images/train"):
            refused = self.pack("set/images/train", negatives=negatives)
            self.assertEqual(refused.code, 2)
            self.assertIn("set/images/train: is given for positives and for negatives", refused.err)

    def test_pictures_of_positives_are_no_negatives(self):
        os.makedirs(self.path("crops"))
        for i in range(3):
            self.write(f"crops/{i}.pgm", scene.Picture(60, 60, [(10 + i, 10, 30)]).pgm())
        os.symlink("../crops", self.path("bg/linked"))
        self.write("bg.txt", "bg/a.pgm\nbg/../crops/0.pgm\nbg/linked/1.pgm\n")
        result = self.pack("crops", negatives="bg.txt")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("winnow: bg.txt: 2 pictures show the object, and are left out of the negatives\n", result.err)
        self.assertIn("3 positives of 24x24, 1 negative\n", result.out.decode())
        # The same holds for labelled pictures. A part of a picture may show no object.
        self.write("one.txt", "set/images/val/v.png\n")
        refused = self.pack("set/images/val", negatives="one.txt")
        self.assertEqual(refused.code, 2)
        self.assertTrue(refused.err.endswith("winnow: one.txt: 1 picture shows the object, and is left out of the negatives\n"
                                             "winnow: there is no negative picture to be used\n"), refused.err)
        result = self.pack("set/images/val", "--negative-crop", "60,0,30,30", negatives="one.txt")
        self.assertIn("1 positive of 24x24, 1 negative\n", result.out.decode())

    def test_negatives_of_a_data_yaml(self):
        out = "winnow: set/data.yaml: 10 pictures have marked objects, and are left out of the negatives\n"
        result = self.pack("set/images/val", negatives="set/data.yaml")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn(out, result.err)
        self.assertIn("1 positive of 24x24, 3 negatives\n", result.out.decode())
        result = self.run_command("eval", "detector", "-m", "square", "--truth", "set/images/val", "--negatives", "set/data.yaml",
                                  "--out", "report")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn(out, result.err)
        self.assertIn("4 pictures", result.out.decode())
        self.write("lost.yaml", "train: nowhere\n")
        refused = self.pack("set/images/val", negatives="lost.yaml")
        self.assertEqual(refused.code, 1)
        self.assertIn("winnow: lost.yaml: none of its folders is there", refused.err)

    def test_negatives_are_pictures_without_objects(self):
        result = self.pack("set/images/val", negatives="set/images/train")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("winnow: set/images/train: 9 pictures have marked objects, and are left out of the negatives\n", result.err)
        self.assertIn("1 positive of 24x24, 3 negatives", result.out.decode())

    def test_folders_of_coco(self):
        coco = {"images": [{"id": 1, "file_name": "a.pgm"}, {"id": 2, "file_name": "b.pgm"}],
                "categories": [{"id": 1, "name": "mug"}],
                "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [30, 20, 34, 34]}]}
        for part in ("train", "flat"):
            for name in ("a", "b", "more"):
                self.write(f"coco/{part}/{name}.pgm", scene.Picture(100, 80, [(30, 20, 34)] if name == "a" else []).pgm())
        self.write("coco/flat/instances.json", json.dumps(coco))
        self.write("coco/annotations/instances_train.json", json.dumps(coco))
        for path, labels in (("coco/train", "coco/annotations/instances_train.json"), ("coco/flat", "coco/flat/instances.json")):
            note = f"winnow: {path}: the labels are those of {labels}, which leaves 1 picture out\n"
            self.assert_boxes(1, path, says=note)
            result = self.pack("set/images/val", negatives=path)
            self.assertIn("1 positive of 24x24, 1 negative\n", result.out.decode())
            self.assertIn(note, result.err)
            self.assertIn(f"winnow: {path}: 1 picture has marked objects, and is left out of the negatives\n", result.err)
            result = self.run_command("eval", "detector", "-m", "square", "--truth", path, "--out", "report")
            self.assertEqual(result.code, 0, result.err)
            self.assertIn("2 pictures", result.out.decode())
        refused = self.pack("coco")
        self.assertEqual(refused.code, 1)
        self.assertIn("coco: is a folder with labels of COCO; name their file, coco/annotations/instances_train.json, "
                      "and with --pictures the folder of its pictures", refused.err)

    def test_evaluation(self):
        result = self.run_command("eval", "detector", "-m", "square", "--truth", "set/images/train", "--out", "report")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("winnow: set/images/train: 2 pictures have no file of labels, taken as empty\n", result.err)
        self.assertIn("12 pictures", result.out.decode())

    def test_evaluation_takes_negatives_without_objects(self):
        command = ["eval", "detector", "-m", "square", "--truth", "set/images/val", "--out", "report"]
        result = self.run_command(*command, "--negatives", "set/images/train")
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("winnow: set/images/train: 9 pictures have marked objects, and are left out of the negatives\n", result.err)
        self.assertIn("4 pictures", result.out.decode())
        # A folder whose pictures all have objects leaves nothing.
        refused = self.run_command(*command, "--negatives", "set/images/val")
        self.assertEqual(refused.code, 2)
        self.assertIn("there is no picture in set/images/val", refused.err)
