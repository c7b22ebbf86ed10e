#!/usr/bin/env python3
"""Holds the prose of documents and comments to the project's voice.

Markdown: no sentence has more than 25 words, and no line more than 100 columns. Code blocks, HTML comments and the
targets of links count for neither. A table row may be of any width, but the sentences in its cells count.
Comments in C++, CUDA, Python, CMake and shell: none begins with one of the words in RIDDLES.

check_prose.py [PATH...]    checks these files and folders; without one, every file that git tracks or would track
check_prose.py --self-test  tests the sentence splitter and the readers of comments

One line per violation; exit status 1 if there is one."""
import argparse
import io
import os
import pathlib
import re
import subprocess
import sys
import tokenize
import unittest

from checking import self_test

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_WORDS = 25
MOST_COLUMNS = 100
RIDDLES = ("Of", "Who", "Whom", "Those", "So many")

# Exceptions: (path, text within the sentence, line or comment, reason). The tool accepts at most MOST_ALLOWED.
MOST_ALLOWED = 10
ALLOWED = []

C_LIKE = (".h", ".hpp", ".cpp", ".cc", ".cu", ".cuh", ".fbs")
CMAKE = (".cmake", "CMakeLists.txt", ".cmake.in")
ABBREVIATIONS = {"e.g.", "i.e.", "etc.", "cf.", "vs.", "approx.", "fig.", "no.", "sec.", "p.", "pp.", "al.", "dr.",
                 "mr.", "mrs.", "st.", "jr."}
CODE = "\x01"  # stands for a code span: one word, which may begin a sentence


# ---- sentences

def sentences(text):
    """Splits a paragraph into sentences. `text` holds no line breaks and no Markdown but emphasis."""
    found, start = [], 0
    for match in re.finditer(r"[.!?]+[)\]\"'*_\u201d\u2019]*(?=\s)", text):
        end = match.end()
        if ends_sentence(text[start:end], text[end:].lstrip()):
            found.append(text[start:end].strip())
            start = end
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def ends_sentence(before, after):
    last = before.split()[-1].lstrip("(*_\"'[\u201c")
    if last.endswith(("...", "\u2026")) or last.rstrip(")*_\"'").lower() in ABBREVIATIONS:
        return False
    if re.fullmatch(r"[A-Z]\.", last):  # an initial
        return False
    if re.fullmatch(r"\d+\.", before.strip()):  # the number of a list item
        return False
    return bool(re.match(r"[(\[\"'*_\u201c\u2018]*[^\W_a-z]", after)) or after.startswith(CODE)


def words(sentence):
    return sum(1 for word in sentence.split() if CODE in word or re.search(r"\w", word))


# ---- Markdown

def blank(match):
    """The line breaks of the removed text, so that line numbers stay true."""
    return "\n" * match[0].count("\n")


FENCE = re.compile(r"^([ >]*)(`{3,}|~{3,})[^\n`]*\n(?:.*?\n)??[ >]*\2[`~]*[ \t]*$", re.M | re.S)


def without_code(text):
    """Markdown without fenced code, HTML comments and link targets."""
    text = FENCE.sub(blank, text)
    text = re.sub(r"<!--.*?-->", blank, text, flags=re.S)
    return text


def visible(text):
    """A line or paragraph as a reader sees it, with its code spans."""
    text = re.sub(r"(!?\[[^\]]*\])\([^)\n]*\)", r"\1", text)
    text = re.sub(r"^\s*\[[^\]]+\]:\s+\S+.*$", "", text)
    return re.sub(r"<?\bhttps?://[^\s>)]+>?", "URL", text)


def prose(text):
    """A paragraph as words. Code spans become CODE; tags and link brackets are removed."""
    text = re.sub(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", CODE, text)
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\))?", r"\1", text)
    text = re.sub(r"<?\bhttps?://[^\s>)]+>?", "URL", text)
    return re.sub(r"</?[a-zA-Z][^>]*>", " ", text)


ITEM = re.compile(r"(\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
RULE = re.compile(r"\s*([-*_=])(\s*\1){2,}\s*$")


def paragraphs(text):
    """(line number, paragraph) for each paragraph, list item, heading and table cell of Markdown without code."""
    number, lines = 0, []
    in_list = after_blank = False

    def done():
        nonlocal lines
        paragraph, lines = " ".join(lines), []
        if paragraph.strip():
            yield number, paragraph

    after_blank = True
    for at, line in enumerate(text.split("\n"), 1):
        line = re.sub(r"^(\s{0,3}>)+ ?", "", line)
        if not line.strip() or RULE.match(line):
            yield from done()
            after_blank = True
            continue
        if after_blank and not line.startswith((" ", "\t")) and not ITEM.match(line):
            in_list = False
        if after_blank and not in_list and line.startswith(("    ", "\t")):  # an indented code block
            continue
        if match := HEADING.match(line):
            yield from done()
            yield at, match[1]
            in_list = False
            continue
        if line.lstrip().startswith("|"):
            yield from done()
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                if re.search(r"\w", cell):
                    yield at, cell.strip()
            continue
        if match := ITEM.match(line):
            # CommonMark's rule for a wrapped line: "2." at its beginning begins no item, "1." or "-" begins one.
            if in_list or after_blank or not re.match(r"\s*(?!1[.)])\d", line):
                yield from done()
                in_list, number, lines = True, at, [match[2]]
                after_blank = False
                continue
        if not lines:
            number = at
        lines.append(line.strip())
        after_blank = False
    yield from done()


def check_markdown(text):
    text = without_code(text)
    for at, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("|"):
            continue
        columns = len(visible(line).rstrip())
        if columns > MOST_COLUMNS:
            yield at, line, f"{columns} columns, at most {MOST_COLUMNS}; wrap the line"
    for at, paragraph in paragraphs(text):
        for sentence in sentences(prose(paragraph)):
            count = words(sentence)
            if count > MOST_WORDS:
                head = " ".join(sentence.replace(CODE, "`...`").split()[:7])
                yield at, paragraph, f"a sentence of {count} words, at most {MOST_WORDS}; split it: \"{head} ...\""


# ---- comments

C_TOKEN = re.compile(r'R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])*\'|'
                     r"(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)", re.S)
CMAKE_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|(?P<block>\#\[(?P<eq>=*)\[.*?\](?P=eq)\])|\[(?P<eq2>=*)\[.*?\](?P=eq2)\]|'
                         r"\\.|(?P<line>\#[^\n]*)", re.S)


def comments_by(pattern, text):
    for match in pattern.finditer(text):
        if match["line"] or match["block"]:
            yield text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start()), match[0]


def comments_python(text):
    """Comments and docstrings."""
    statement_starts = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.start[1] + 1, token.string
        elif token.type == tokenize.STRING and statement_starts:
            yield token.start[0], token.start[1] + 1, "#" + token.string.strip("\"'rRbBuUfF")
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            statement_starts = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


def comments_shell(text):
    """A comment is a '#' at a line's start or after two spaces, as our scripts write it. Quotes are not parsed."""
    for at, line in enumerate(text.split("\n"), 1):
        if match := re.match(r"\s*(#.*)", line) or re.search(r"\s\s(#\s.*)", line):
            yield at, match.start(1) + 1, match[1]


def comments_of(name, text):
    if name.endswith(C_LIKE):
        return comments_by(C_TOKEN, text)
    if name.endswith(CMAKE):
        return comments_by(CMAKE_TOKEN, text)
    if name.endswith(".py"):
        return comments_python(text)
    if name.endswith(".sh") or re.match(r"#!.*\b(ba)?sh\b", text):
        return comments_shell(text)
    return ()


def joined(comments):
    """Comments as readers see them: whole-line comments on neighbouring lines, in one column, are one comment."""
    last, paragraph_ended = None, False
    for at, column, text in comments:
        body = re.sub(r"^(?:/\*[*!]*|//[/!]*|#\[=*\[|#+!?)<?\s?", "", text)
        follows = last and last[0] + last[2] == at and last[1] == column and not text.startswith("/*")
        if not follows or paragraph_ended:
            yield at, body
        paragraph_ended = not body.strip()
        last = (at, column, text.count("\n") + 1)


def check_comments(name, text):
    riddle = re.compile(r"(" + "|".join(RIDDLES) + r")\b(?!-)")
    for at, body in joined(comments_of(name, text)):
        if match := riddle.match(body.lstrip(" \t\n*")):
            yield at, body, f"the comment begins with \"{match[1]}\"; begin with the thing it tells about"


# ---- the command

def problems(name, text, used):
    """The violations in a file that ALLOWED does not name. Entries of ALLOWED that apply are added to `used`."""
    for at, where, problem in (check_markdown(text) if name.endswith(".md") else check_comments(name, text)):
        entries = {entry for entry in ALLOWED if entry[0] == name and entry[1] in where}
        used |= entries
        if not entries:
            yield f"{name}:{at}: {problem}"


def listed(folder):
    """Files in the folder that git tracks or would track."""
    out = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=folder,
                         stdout=subprocess.PIPE, check=True)
    return [folder / os.fsdecode(name) for name in set(out.stdout.split(b"\0")) if name]


def files(paths):
    found = set()
    for path in paths:
        found.update(listed(path) if path.is_dir() else [path])
    return sorted(path for path in found if path.is_file())


def shown(path):
    """A file's name in messages: relative to the root of the tree, if the file is in the tree."""
    path = path.resolve()
    return path.relative_to(ROOT).as_posix() if ROOT in path.parents else str(path)


def text_of(path):
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", errors="replace")


class SelfTest(unittest.TestCase):
    def of(self, text):
        return [sentence for _, paragraph in paragraphs(without_code(text)) for sentence in sentences(prose(paragraph))]

    def test_plain(self):
        self.assertEqual(self.of("One is here. Two is\nthere! Three?"), ["One is here.", "Two is there!", "Three?"])

    def test_abbreviations(self):
        self.assertEqual(self.of("Small parts, e.g. Haar features, i.e. LBP. Next."),
                         ["Small parts, e.g. Haar features, i.e. LBP.", "Next."])
        self.assertEqual(self.of("By P. Viola et al. Then more."), ["By P. Viola et al. Then more."])
        self.assertEqual(self.of("Blocks of 3, 3, ... 16 lanes."), ["Blocks of 3, 3, ... 16 lanes."])

    def test_decimals(self):
        self.assertEqual(self.of("OpenCV 4.6 is here. It takes 0.5 ms. 24 frames remain."),
                         ["OpenCV 4.6 is here.", "It takes 0.5 ms.", "24 frames remain."])
        self.assertEqual(self.of("That is OpenCV 4.6. Winnow is 0.1."), ["That is OpenCV 4.6.", "Winnow is 0.1."])

    def test_code_spans(self):
        self.assertEqual(self.of("Run `a. B. c`. `winnow x` ends."), [f"Run {CODE}.", f"{CODE} ends."])
        self.assertEqual(words(prose("`winnow detect -m a` runs ``a`b``")), 3)
        self.assertEqual(self.of("The file thing.h. lower case goes on."), ["The file thing.h. lower case goes on."])

    def test_brackets_and_emphasis(self):
        self.assertEqual(self.of("It ends. (So does this.) **Bold.** More."),
                         ["It ends.", "(So does this.)", "**Bold.**", "More."])

    def test_lists(self):
        self.assertEqual(self.of("Steps:\n- one\n  goes on\n- two. More.\n  1. nested\n\n  paragraph of two\n\nAfter"),
                         ["Steps:", "one goes on", "two.", "More.", "nested", "paragraph of two", "After"])
        self.assertEqual(self.of("1. First.\n2. Second\n"), ["First.", "Second"])
        self.assertEqual(self.of("A line that wraps at\n2. no item here"), ["A line that wraps at 2. no item here"])

        self.assertEqual(self.of("Choice.\n1. *As.*\n   It is.\n2. Next\n"), ["Choice.", "*As.*", "It is.", "Next"])

    def test_what_is_no_prose(self):
        self.assertEqual(self.of("A\n```\nno. No.\n```\nB\n\n    code\n\n<!-- gone\n gone -->\n# Head\n"), ["A", "B", "Head"])
        self.assertEqual(self.of("```sh\n```\nseen\n```\nnot\n```"), ["seen"])
        self.assertEqual(self.of("| a b | c. D |\n|---|---|\n"), ["a b", "c.", "D"])
        self.assertEqual(self.of("See [the guide](docs/a.md). <b>Now</b> https://a.b/c?d. End"),
                         ["See the guide.", "Now  URL End"])

    def test_limits(self):
        self.assertEqual(len(list(check_markdown("word " * 19 + "\n" + "word " * 6 + "end."))), 1)
        self.assertEqual(len(list(check_markdown("word " * 19 + "\n" + "word " * 5 + "end."))), 0)
        self.assertEqual([at for at, _, _ in check_markdown("\n" + "x" * 101 + "\n" + "x" * 100)], [2])
        self.assertEqual(list(check_markdown("| " + "x" * 200 + " |\n[a](" + "x" * 200 + ")\n<!-- " + "x" * 200 + " -->")), [])

    def found(self, name, text):
        return [at for at, _, _ in check_comments(name, text)]

    def test_comments(self):
        self.assertEqual(self.found("a.cpp", '// Of it.\nx();  // Those are\nf("// Of");\n// Off.\n/* Who\n * is */'), [1, 2, 5])
        self.assertEqual(self.found("a.cpp", "// The sum\n// Of it.\n//\n// Those\nx = 1'000;  // So many.\n"), [4, 5])
        self.assertEqual(self.found("a.cpp", "///< Whom\n  //! Of\nR\"(// Of)\";\n'\"';  // Of"), [1, 2, 4])
        self.assertEqual(self.found("a.py", '"""Of it."""\nx = "# Of"  # Those\n# Who\n'), [1, 2, 3])
        self.assertEqual(self.found("a.sh", 'echo "# Of"  # Those\n# So many\n'), [1, 2])
        self.assertEqual(self.found("CMakeLists.txt", 'set(a "# Of")  # Of\n#[[Who]]\n'), [1, 2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(SelfTest)
    if len(ALLOWED) > MOST_ALLOWED:
        print(f"tools/check_prose.py: {len(ALLOWED)} exceptions, at most {MOST_ALLOWED}; mend sentences instead")
        return 1
    for path in arguments.paths:
        if not path.exists():
            parser.error(f"{path} is not there")
    names, used = files(arguments.paths or [ROOT]), set()
    found = [problem for path in names if (text := text_of(path)) is not None
             for problem in problems(shown(path), text, used)]
    if not arguments.paths:
        found += [f"tools/check_prose.py: the exception for {name} allows nothing; remove it"
                  for name, text, _ in ALLOWED if not any(entry[:2] == (name, text) for entry in used)]
    print("\n".join(found) if found else f"{len(names)} files say it plainly")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
