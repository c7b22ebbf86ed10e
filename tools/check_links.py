#!/usr/bin/env python3
"""Checks the links of every document: files must exist, and anchors must be headings.

A link without a scheme leads to a file or folder that git tracks or would track, from the document's own folder. An
anchor is the heading in the form that GitHub and others give it. Code blocks and code spans hold no links. Every
picture in docs/ must be shown by a document.

check_links.py             checks every Markdown file that git tracks or would track
check_links.py --self-test tests the readers of links and headings

One line per violation; exit status 1 if there is one."""
import argparse
import os
import pathlib
import re
import sys
import unittest
import urllib.parse

from checking import ROOT, self_test, tracked

PICTURES = (".png", ".jpg", ".svg")
FENCE = re.compile(r"^([ >]*)(`{3,}|~{3,})[^\n`]*\n(?:.*?\n)??[ >]*\2[`~]*[ \t]*$", re.M | re.S)
SPAN = re.compile(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.S)
LINKS = (re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)"),  # [text](target) and pictures
         re.compile(r"^[ ]{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s.*)?$", re.M),  # [name]: target
         re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\""))
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$", re.M)


def blank(match):
    """The line breaks of the removed text, so that line numbers stay true."""
    return "\n" * match[0].count("\n")


def without_code(text):
    return FENCE.sub(blank, text)


def links(text):
    """(line number, target) for each link and picture."""
    text = SPAN.sub(blank, without_code(text))
    for pattern in LINKS:
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start(1)) + 1, match[1]


def anchors(text):
    """The anchors of all headings. A heading that occurs again gets a number."""
    found, times = set(), {}
    for match in HEADING.finditer(re.sub(r"<!--.*?-->", blank, without_code(text), flags=re.S)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = times[name] = times.get(name, -1) + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def files_and_folders():
    """Every file that git tracks or would track, and the folders that hold them, from the root."""
    files = tracked()
    return files, {parent.as_posix() for name in files for parent in pathlib.PurePosixPath(name).parents}


def problem_of(document, target, files, folders, texts):
    """The error in a link of a document, or None."""
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    name = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
    if name not in files and name not in folders:
        return f"there is no file {name}"
    if anchor and name.endswith(".md") and anchor not in anchors(texts[name]):
        return f"{name} has no heading for #{anchor}"
    return None


def problems():
    files, folders = files_and_folders()
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in files if name.endswith(".md")}
    shown = set()
    for document, text in sorted(texts.items()):
        for line, target in sorted(links(text)):
            if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", target):
                continue
            shown.add(os.path.normpath(os.path.join(os.path.dirname(document), target.partition("#")[0])))
            if problem := problem_of(document, target, files, folders, texts):
                yield f"{document}:{line}: the link {target} leads nowhere: {problem}"
    for name in sorted(files):
        if name.startswith("docs/") and name.endswith(PICTURES) and name not in shown:
            yield f"{name}: no document shows this picture; show it or delete it"


class SelfTest(unittest.TestCase):
    def test_links(self):
        self.assertEqual(list(links("[a](b.md)\n![c](d.png \"e\")")), [(1, "b.md"), (2, "d.png")])
        self.assertEqual(list(links("`[a](b)`\n```\n[a](b)\n```\n[a\nb](<c.md#d>)")), [(6, "c.md#d")])
        self.assertEqual(list(links("[a]: b.md\n<img width=\"9\" src=\"c.png\">")), [(1, "b.md"), (2, "c.png")])

    def test_anchors(self):
        self.assertEqual(anchors("# One, two\n## `winnow` & co.\n```\n# no\n```\n## One, two\n"),
                         {"one-two", "winnow--co", "one-two-1"})
        self.assertEqual(anchors("### The [guide](a.md) of x_y ##\n"), {"the-guide-of-x_y"})

    def test_problems(self):
        files, texts = {"README.md", "docs/a.md"}, {"README.md": "# Top\n", "docs/a.md": "## Way\n"}

        def of(target):
            return problem_of("docs/a.md", target, files, {".", "docs"}, texts)

        self.assertEqual([of("#way"), of("../README.md#top"), of(".."), of("a.md")], [None] * 4)
        self.assertEqual(of("b.md"), "there is no file docs/b.md")
        self.assertEqual(of("../README.md#way"), "README.md has no heading for #way")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        return self_test(SelfTest)
    found = list(problems())
    print("\n".join(found) if found else "every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
