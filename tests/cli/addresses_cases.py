"""Tests of addresses and numbers of cameras as inputs, with servers on this machine."""

import http.server
import os
import signal
import socket
import subprocess
import threading
import time

import scene
from runner import HANG_SECONDS, CommandTest

PICTURES = [scene.Picture(60, 50, [(20 + i, 15, 20)]) for i in range(4)]
SECRET = "user:se@cret"


class Server(http.server.BaseHTTPRequestHandler):
    files = {}

    def do_GET(self):
        body = self.files.get(self.path.split("?")[0])
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


class Addresses(CommandTest):
    def serve(self, files):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Files", (Server,), {"files": files}))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return "127.0.0.1:%d" % server.server_port

    def listen(self):
        """A server that takes connections and never answers."""
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        return "127.0.0.1:%d" % server.getsockname()[1]

    def assert_refused(self, address, says, shown=None):
        result = self.detect(address, code=1)
        self.assertEqual(result.out, b"")
        self.assertIn("winnow: %s: " % (shown or address), result.err)
        self.assertIn(says, result.err)
        self.assertNotIn("cret", result.err)

    def test_a_video_from_a_server(self):
        self.need_video()
        self.write("film.y4m", scene.y4m(PICTURES))
        host = self.serve({"/a/film.y4m": self.read("film.y4m")})
        shown = "http://%s/a/film.y4m" % host
        result = self.detect("http://%s@%s/a/film.y4m?token=secret" % (SECRET, host), "--out", "o")
        self.assertNotIn("cret", result.out.decode() + result.err)
        lines = result.lines()
        self.assertEqual({line.pop("copy") for line in lines}, {"o/" + name for name in self.files("o")})
        self.assertEqual([dict(line, source="film.y4m") for line in lines], self.detect("film.y4m").lines())
        self.assertEqual({line["source"] for line in result.lines()}, {shown})
        self.assertEqual(self.files("o"), ["%s-film-y4m.mkv" % host.replace(".", "-").replace(":", "-")])

    def test_what_a_server_lacks(self):
        self.need_video()
        host = self.serve({"/text": b"no video\n" * 99})
        self.assert_refused("http://%s@%s/none.mp4" % (SECRET, host), "404", "http://%s/none.mp4" % host)
        self.assert_refused("http://%s/text" % host, "is not a video")

    def test_a_web_page(self):
        self.need_video()
        body = b"<body>" + b"<p>The page of a camera.</p>\n" * 500 + b"</body></html>"
        host = self.serve({"/": b"<!DOCTYPE html>\n<html>" + body, "/old": b"\n <HTML>" + body, "/short": b"<html>"})
        for page in ("", "old", "short"):
            self.assert_refused("http://%s/%s" % (host, page), "is a web page, not a video; give the address of the video")

    def test_an_unknown_host(self):
        self.need_video()
        for scheme in ("http", "rtsp"):
            self.assert_refused("%s://%s@no-such-host.invalid:80/live" % (scheme, SECRET),
                                "the host no-such-host.invalid was not found (", scheme + "://no-such-host.invalid:80/live")

    def test_a_playlist_opens_no_file(self):
        self.need_video()
        self.write("film.y4m", scene.y4m(PICTURES))
        local = os.fsdecode(self.path("film.y4m"))
        hls = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:%s\n#EXT-X-ENDLIST\n" % local
        script = "ffconcat version 1.0\nfile %s\n" % local
        host = self.serve({"/list": hls.encode(), "/script": script.encode()})
        self.assert_refused("http://%s/list" % host, "is a playlist (hls)")
        self.assert_refused("http://%s/script" % host, "is a playlist (concat)")

    def test_a_playlist_is_known_by_its_ending(self):
        self.assert_refused("http://127.0.0.1:1/live.m3u8", "playlists (HLS) are not read")

    def test_other_schemes(self):
        for scheme in ("ftp", "file", "s3", "concat"):
            self.assert_refused(scheme + "://host/a.mp4", "addresses may begin with rtsp://, http:// or https://")

    def test_nobody_answers(self):
        self.need_video()
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed = "127.0.0.1:%d" % server.getsockname()[1]
        for scheme in ("http", "rtsp"):
            self.assert_refused("%s://%s/live" % (scheme, closed), "Connection refused")
            begun = time.monotonic()
            self.assert_refused("%s://%s/live" % (scheme, self.listen()), "gave nothing for 10 seconds")
            self.assertLess(time.monotonic() - begun, 30)

    def test_a_stop_ends_the_waiting(self):
        self.need_video()
        for scheme in ("http", "rtsp"):
            server = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(server.close)
            process = self.start("detect", "-m", "square", "%s://127.0.0.1:%d/live" % (scheme, server.getsockname()[1]),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            connection = server.accept()[0]
            self.addCleanup(connection.close)
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=HANG_SECONDS)
            self.assertEqual(process.returncode, 130)
            self.assertLess(time.monotonic() - begun, 5)

    def test_lists_hold_no_addresses(self):
        self.write("list.txt", "http://me:secret@127.0.0.1:1/a.mp4?token=hush\n7\n")
        result = self.detect("--files-from", "list.txt", code=1)
        self.assertEqual(result.err.count("No such file or directory"), 1, result.err)
        self.assertIn("winnow: http://127.0.0.1:1/a.mp4: a list holds names of files; give an address", result.err)
        for word in ("secret", "hush"):
            self.assertNotIn(word, result.err)

    def test_numbers_are_cameras_unless_a_file_has_the_name(self):
        result = self.detect("987", code=1)
        self.assertIn("winnow: 987: no file has this name, and /dev/video987 is no camera: ", result.err)
        self.write("987", PICTURES[0].pgm())
        self.assertEqual([line["source"] for line in self.detect("987").lines()], ["987"])
