"""Tests of the inputs of `detect`: files, folders, patterns, lists, and names that are none of these."""

import os

import scene
from runner import CommandTest

PICTURE = scene.Picture(60, 50, [(20, 15, 20)])


class Inputs(CommandTest):
    def setUp(self):
        super().setUp()
        for name in ("p/b.pgm", "p/a.PGM", "p/.hidden.pgm", "p/deep/c.pgm", "p/deep/er/d.pgm"):
            self.write(name, PICTURE.pgm())
        self.write("p/notes.txt", "not a picture")

    def sources(self, *arguments, **more):
        return [line["source"] for line in self.detect(*arguments, **more).lines()]

    def test_order_is_the_order_of_the_inputs(self):
        self.assertEqual(self.sources("p/b.pgm", "p/a.PGM", "p/b.pgm"), ["p/b.pgm", "p/a.PGM", "p/b.pgm"])

    def test_folders(self):
        self.assertEqual(self.sources("p"), ["p/a.PGM", "p/b.pgm"])
        self.assertEqual(self.sources("p/", "--recursive"),
                         ["p/a.PGM", "p/b.pgm", "p/deep/c.pgm", "p/deep/er/d.pgm"])

    def test_links_to_folders_are_not_followed(self):
        os.symlink("..", self.path("p/deep/loop"))
        os.symlink("b.pgm", self.path("p/link.pgm"))
        self.assertEqual(len(self.sources("p", "--recursive")), 5)

    def test_patterns(self):
        self.assertEqual(self.sources("p/*.pgm"), ["p/b.pgm"])
        self.assertEqual(self.sources("p/?.[pP]*"), ["p/a.PGM", "p/b.pgm"])
        self.assertEqual(self.sources("p/d*"), ["p/deep/c.pgm"])
        self.assertEqual(self.sources("p/*.gif", "p/b.pgm", code=1), ["p/b.pgm"])

    def test_names_that_resemble_something_else(self):
        for name in ("[b].pgm", "a*b.pgm", "-dash.pgm", "models", "[x,y]"):
            self.write(name + "/z.pgm" if name in ("models", "[x,y]") else name, PICTURE.pgm())
        self.assertEqual(self.sources("[b].pgm", "a*b.pgm", "models"), ["[b].pgm", "a*b.pgm", "models/z.pgm"])
        self.assertEqual(self.sources("[x,y]"), ["./[x,y]/z.pgm"])
        self.assertEqual(self.sources("--quiet", "--", "-dash.pgm"), ["-dash.pgm"])

    def test_lists(self):
        self.write("list", "p/b.pgm\r\n\np/deep/c.pgm\n")
        self.assertEqual(self.sources("--files-from", "list"), ["p/b.pgm", "p/deep/c.pgm"])
        self.assertEqual(self.sources("--files-from", "-", "p/a.PGM", stdin=b"p/b.pgm"), ["p/a.PGM", "p/b.pgm"])
        self.write("line\nbreak.pgm", PICTURE.pgm())
        self.assertEqual(self.sources("--files-from", "-", stdin=b"line\nbreak.pgm\0p\0"),
                         ["line\nbreak.pgm", "p/a.PGM", "p/b.pgm"])
        for list_name in ("no-list", "p"):
            result = self.detect("--files-from", list_name, "p/b.pgm", code=1)
            self.assertEqual(len(result.lines()), 1)
            self.assertIn(list_name, result.err)

    def test_lists_that_are_none(self):
        lists = {"picture.pgm": PICTURE.pgm(), "picture.png": PICTURE.png(), "film.txt": b"YUV4MPEG2 W2 H2 F25:1\n",
                 "zeros": b"a.pgm\0\0b.pgm\0", "controls": b"%PDF-1.4\n%\1\2\n", "utf-16": "p/b.pgm\n".encode("utf-16"),
                 "long": b"x" * 5000 + b"\n"}
        for name, data in lists.items():
            self.write(name, data)
            for arguments, stdin, shown in ((["--files-from", name], b"", name), (["--files-from", "-"], data, "standard input")):
                result = self.detect("p/b.pgm", *arguments, "--quiet", code=1, stdin=stdin)
                self.assertEqual([line["source"] for line in result.lines()], ["p/b.pgm"])
                self.assertEqual(result.err, "winnow: %s: this is no list of files: a list is text with one name a line; "
                                             "give pictures and videos as words of the command\n" % shown)

    def test_lists_that_are_empty(self):
        for data in (b"", b"\n\r\n", b"\xef\xbb\xbf"):
            self.write("list", data)
            self.assert_usage_error("detect", "-m", "square", "--files-from", "list",
                                    says="nothing to do: the list of files list is empty")
            self.assertEqual(self.sources("--files-from", "list", "p/b.pgm"), ["p/b.pgm"])
        result = self.run_command("detect", "-m", "square", "--files-from", "-")
        self.assertIn("nothing to do: the list of files on standard input is empty", result.err)

    def test_a_pipe_that_matches_a_pattern_is_left_out(self):
        os.mkfifo(self.path("p/c.pgm"))
        result = self.detect("p/*.pgm")
        self.assertEqual([line["source"] for line in result.lines()], ["p/b.pgm"])
        self.assertIn("; 1 file left out: 1 .pgm (--left-out names them)", result.err)
        self.assertIn("winnow: left out: p/c.pgm\n", self.detect("p/*.pgm", "--left-out").err)
        self.assert_usage_error("detect", "-m", "square", "p/c*", says="; 1 file left out: 1 .pgm")

    def test_messages_take_one_line(self):
        for name in ("no\nfile.jpg", "no\nfile-*.jpg", "\n", "rtmp://host/\nfilm"):
            result = self.detect(name, code=1)
            self.assertIn("winnow: " + name.replace("\n", "\\n") + ": ", result.err)
            self.assertEqual(len(result.err.splitlines()), 2, result.err)
        for arguments in (["--files-from", "no\nlist"], ["--format", "x\ny", "p"], ["--no\noption", "p"], ["-m", "x/\ny", "p"]):
            result = self.run_command("detect", *arguments)
            self.assertNotEqual(result.code, 0)
            for line in result.err.split("\n")[:-1]:
                self.assertTrue(line.startswith("winnow: "), result.err)
        # The list of models stands on lines of its own.
        err = self.assert_usage_error("detect", "-m", "x\ny", "p").err
        self.assertIn("x\\ny", err.split("\n")[0])
        self.assertIn("\n  square\n", err)

    def test_nothing_to_do(self):
        os.mkdir(self.path("empty"))
        self.assert_usage_error("detect", "-m", "square", "empty", says="nothing to do")
        self.assert_usage_error("detect", "-m", "square", "-", "-", says="standard input")
        self.assert_usage_error("detect", "-m", "square", "-", "--files-from", "-", says="standard input")

    def test_what_cannot_be_read_is_named_and_the_rest_is_done(self):
        self.write("empty.pgm", b"")
        self.write("empty", b"")
        self.write("text.jpg", "I am not a picture.\n")
        self.write("cut.pgm", PICTURE.pgm()[:100])
        self.write("cut.png", PICTURE.png()[:100])
        os.symlink("nowhere.pgm", self.path("dangling.pgm"))
        os.symlink("/proc/self/mem", self.path("unreadable.pgm"))
        broken = ["missing.pgm", "empty.pgm", "empty", "text.jpg", "cut.pgm", "cut.png", "dangling.pgm",
                  "unreadable.pgm", "p/notes.txt", "p/*.gif", ""]
        for batch in ("1", "3"):
            result = self.detect("p/a.PGM", *broken, "p/b.pgm", "--batch", batch, code=1)
            self.assertEqual([line["source"] for line in result.lines()], ["p/a.PGM", "p/b.pgm"])
            for name in broken:
                self.assertIn("winnow: " + name, result.err)
            self.assertEqual(len(result.err.splitlines()), len(broken) + 1)
            self.assertIn("11 problems", result.err)

    def test_a_picture_that_cannot_be_searched_does_not_spoil_its_batch(self):
        self.write("wide.pgm", b"P5 70000 2 255\n" + bytes(140000))
        for batch in ("1", "3"):
            result = self.detect("p/a.PGM", "wide.pgm", "p/b.pgm", "--batch", batch, "--timing", code=1)
            self.assertEqual([line["source"] for line in result.lines()], ["p/a.PGM", "p/b.pgm"])
            self.assertEqual([len(found) for found in result.objects()], [1, 1])
            self.assertIn("winnow: wide.pgm: ", result.err)

    def test_a_picture_is_known_by_its_content(self):
        self.write("noending", PICTURE.pgm())
        self.write("photo.dat", PICTURE.png())
        self.assertEqual(self.sources("noending", "photo.dat"), ["noending", "photo.dat"])

    def test_a_picture_that_is_called_a_video(self):
        files = {"f/a.mp4": PICTURE.gif(frames=2), "f/b.avi": PICTURE.png(), "f/c.MOV": PICTURE.pgm()}
        for name, data in files.items():
            self.write(name, data)
        wanted = self.detect("p/b.pgm").lines()[0]
        for arguments in (["f"], list(files)):
            result = self.detect(*arguments, "--out", "o")
            for line, name in zip(result.lines(), files, strict=True):
                self.assertEqual({**line, "copy": None}, {**wanted, "source": name, "copy": None})
        self.assertIn("1 further picture of 1 file", result.err)
        self.assertEqual(self.files("o"), ["a-1.png", "a.png", "b-1.png", "b.png", "c-1.png", "c.png"])
        self.assert_usage_error("track", "f/a.mp4", "--box", "1,1,20,20", says="'f/a.mp4' is one picture")

    def test_a_video_that_is_called_a_picture(self):
        self.need_video()
        film = scene.y4m([scene.Picture(60, 50, [(20 + i, 15, 20)]) for i in range(4)])
        self.write("film.y4m", film)
        self.write("f/film.jpg", film)
        wanted = self.detect("film.y4m").lines()
        self.assertEqual(len(wanted), 4)
        for given in ("f", "f/film.jpg", "f/*.jpg"):
            lines = self.detect(given, "--out", "o").lines()
            self.assertEqual(len({line.pop("copy") for line in lines}), 1)
            self.assertEqual([{**line, "source": "film.y4m"} for line in lines], wanted)
        self.assertEqual(self.files("o"), ["film-1.mkv", "film-2.mkv", "film.mkv"])
        self.assertEqual(len(self.run_command("track", "f/film.jpg", "--box", "20,15,20,20").lines()), 4)

    def test_formats_of_pictures(self):
        files = {"f/a.pgm": PICTURE.pgm(), "f/b.png": PICTURE.png(), "f/c.BMP": PICTURE.bmp(), "f/d.gif": PICTURE.gif(),
                 "f/e": PICTURE.gif(), "f/f.dib": PICTURE.pgm()}
        for name, data in files.items():
            self.write(name, data)
        for name in ("f/text", "f/other.xyz"):
            self.write(name, "not a picture")
        result = self.detect("f")
        self.assertEqual([line["source"] for line in result.lines()], sorted(files))
        self.assertEqual(result.objects(), [result.objects()[0]] * len(files))
        self.assertTrue(result.objects()[0])
        # Named files are known by their first bytes, whatever they are called.
        self.write("g.mystery", PICTURE.bmp())
        self.assertEqual(self.detect("g.mystery").lines()[0]["time"], None)

    def test_what_is_left_out_is_counted(self):
        for name in ("q/a.PSD", "q/b.psd", "q/c.txt", "q/d", "q/.hidden"):
            self.write(name, "not a picture")
        self.write("q/e.pgm", PICTURE.pgm())
        self.assertIn("; 4 files left out: 2 .psd, 1 .txt, 1 without an ending (--left-out names them)", self.detect("q").err)
        result = self.detect("q", "--left-out")
        self.assertIn("winnow: left out: q/a.PSD\nwinnow: left out: q/b.psd\n", result.err)
        self.assertNotIn("--left-out", result.err)
        self.assertNotIn("left out", self.detect("q", "--quiet").err)
        self.assertNotIn("left out", self.detect("q/e.pgm").err)
        os.remove(self.path("q/e.pgm"))
        self.assert_usage_error("detect", "-m", "square", "q", says="(--recursive looks deeper); 4 files left out: 2 .psd")

    def test_copies_are_not_searched(self):
        self.detect("p", "--recursive", "--out", "p/marked")
        count = len(self.sources("p", "--recursive"))
        self.assertEqual(len(self.sources("p", "--recursive", "--out", "p/marked")), 4)
        self.assertGreater(count, 4)

    def test_a_list_may_begin_with_a_byte_order_mark(self):
        self.write("list", b"\xef\xbb\xbfp/b.pgm\r\np/a.PGM\r\n")
        self.assertEqual(self.sources("--files-from", "list"), ["p/b.pgm", "p/a.PGM"])

    def test_formats_that_are_known_by_sight_only(self):
        self.write("a.xyz", b"8BPS\0\1" + bytes(40))
        result = self.detect("a.xyz", code=1)
        self.assertIn("winnow: a.xyz: is a PSD file, and Winnow reads JPEG, PNG", result.err)

    def test_unreadable_files_and_folders(self):
        if os.geteuid() == 0:
            self.skipTest("everything can be read by root")
        os.chmod(self.path("p/b.pgm"), 0)
        os.chmod(self.path("p/deep"), 0)
        result = self.detect("p", "--recursive", code=1)
        os.chmod(self.path("p/deep"), 0o700)
        self.assertEqual([line["source"] for line in result.lines()], ["p/a.PGM"])
        self.assertIn("p/b.pgm", result.err)
        self.assertIn("p/deep", result.err)

    def test_names_that_are_not_utf8(self):
        name = b"caf\xe9\x01\xf0\x9f.pgm"
        self.write(name, PICTURE.pgm())
        for arguments in (["--quiet", name], ["--quiet", name, "--format", "csv"], [name, b"no\xff\x1b[2J.pgm"]):
            result = self.run_command("detect", "-m", "square", *arguments)
            self.assertEqual(result.code, 0 if len(arguments) != 2 or arguments[0] == "--quiet" else 1, result.err)
            self.assertIn("caf\ufffd", result.out.decode("utf-8"))
            self.assertNotIn("\x1b", result.err)

    def test_devices_that_are_no_camera(self):
        result = self.detect("/dev/null", "/dev/video-that-is-not-here", code=1)
        self.assertEqual(result.out, b"")
        self.assertIn("/dev/null", result.err)
        self.assertIn("/dev/video-that-is-not-here", result.err)
