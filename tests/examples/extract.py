#!/usr/bin/env python3
"""Takes the C++ examples out of documents and headers and writes them as sources, for the build to compile.

extract.py OUT [--document FILE]... [--header FILE]... [--program NAME]...

A ```cpp block of a document holds functions, or it is a program if it holds main. Functions of all documents go
into OUT/library_guide.h, in the namespace `guide`. A program goes into OUT/NAME.cpp; the line above its block names it:
<!-- program: NAME -->. The names must be those of --program, which the build knows.

A header's examples are the paragraphs of its opening comment whose lines all begin with "//   ". They go into
OUT/headers.cpp as bodies of functions, with the variables that CONTEXT names. "..." stands for {}.

#line directives make the compiler name the document or header. Each mistake is printed on one line, and the exit status
is then 1."""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = re.compile(r"<!-- program: ([a-z][a-z0-9_]*) -->")

# The variables that the examples of a header do not declare themselves.
CONTEXT = {
    "answer.h": "const winnow::FrameResult& result, const std::vector<winnow::Input>& inputs, "
                "winnow::FrameEvent& event, const winnow::Detections& found",
    "cover_review.h": "const winnow::Input& input, std::vector<winnow::FrameEvent>& frames, "
                      "const std::vector<std::vector<winnow::FaceCover>>& covers",
    "describe.h": "const winnow::Picture& picture",
    "detector.h": "const winnow::Picture& picture",
    "device_picture.h": "winnow::Detector& detector, const std::uint8_t* pixels, void* stream, "
                        "const winnow::DetectOptions& options, std::vector<winnow::Detections>& results",
    "draw_model.h": "const winnow::Cascade& cascade",
    "face_covers.h": "std::vector<winnow::Picture>& frames, winnow::Follower& follower",
    "face_finder.h": "const winnow::Picture& picture",
    "face_search.h": "const winnow::Picture& picture",
    "feed.h": "winnow::Detector& detector",
    "flow.h": "const winnow::Picture& before, const winnow::Picture& after, "
              "const std::vector<winnow::LandmarkPoint>& points",
    "follower.h": "const winnow::Picture& frame",
    "landmarker.h": "const winnow::Picture& picture, const std::vector<winnow::Box>& boxes",
    "pinned.h": "winnow::Detector& detector",
    "tracker.h": "winnow::GrayView first_frame, winnow::GrayView frame",
    "train.h": "const winnow::Pack& pack",
    "train_hog.h": "const winnow::Pack& pack",
}
PRELUDE = "// Made by tests/examples/extract.py.\n" + "".join(f"#include <{name}>\n" for name in (
    "winnow/winnow.h", "algorithm", "any", "atomic", "cmath", "cstddef", "cstdint", "cstdio", "deque", "functional", "future", "memory",
    "numeric", "optional", "span",
    "stop_token", "string", "thread", "utility", "vector"))


class Mistake(Exception):
    pass


def shown(path):
    """A file as compilers name it: from the root of the tree."""
    path = path.resolve()
    return path.relative_to(ROOT).as_posix() if ROOT in path.parents else str(path)


def numbered(path, at, lines):
    return f'#line {at} "{shown(path)}"\n' + "".join(line + "\n" for line in lines)


def snippets(path):
    """Yields (line above, number of the first line, lines) for each block of C++ in a document."""
    lines = path.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        if re.fullmatch(r"\s+(```|~~~).*", lines[at]) or re.fullmatch(r"(````|~~~).*", lines[at]):
            raise Mistake(f"{shown(path)}:{at + 1}: a block of code begins in column 1 with three backticks")
        if not lines[at].startswith("```"):
            at += 1
            continue
        start, language = at, lines[at][3:].strip()
        at += 1
        while at < len(lines) and lines[at] != "```":
            at += 1
        if at == len(lines):
            raise Mistake(f"{shown(path)}:{start + 1}: this block of code has no end")
        if language in ("cpp", "c++", "C++"):
            yield lines[start - 1] if start else "", start + 2, lines[start + 1:at]
        at += 1


def document_sources(paths):
    """The functions of all documents as one text, and {name: text} of their programs."""
    functions, programs = [], {}
    for path in paths:
        for above, at, lines in snippets(path):
            named = PROGRAM.fullmatch(above.strip())
            is_program = any(re.search(r"\bmain\(", line) for line in lines)
            if is_program != bool(named):
                raise Mistake(f"{shown(path)}:{at}: " + (
                    "this block has a main; name it with <!-- program: NAME --> in the line above it" if is_program else
                    "this block is named as a program and has no main"))
            if is_program:
                if named[1] in programs:
                    raise Mistake(f"{shown(path)}:{at}: there are two programs {named[1]}")
                programs[named[1]] = numbered(path, at, lines)
                continue
            if any(line.lstrip().startswith("#include") for line in lines):
                raise Mistake(f"{shown(path)}:{at}: a block of functions includes nothing: extract.py does")
            functions.append(numbered(path, at, lines))
    # Several tests include this header, and each calls some of its functions.
    text = (PRELUDE + '\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wunused-function"\n'
            "namespace guide {\nnamespace {\n" + "".join(functions) + "}  // namespace\n}  // namespace guide\n"
            "#pragma GCC diagnostic pop\n")
    return text, programs


def header_examples(path):
    """Gives (number of the first line, lines) for each example in a header's opening comment."""
    opening = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("//"):
            break
        opening.append(line)
    paragraph = []
    for at, line in enumerate(opening + ["//"], 1):
        if line.strip() != "//":
            paragraph.append((at, line))
            continue
        if paragraph and all(text.startswith("//   ") for _, text in paragraph):
            yield paragraph[0][0], [text[2:].replace("...", "{}") for _, text in paragraph]
        paragraph = []


def header_source(paths):
    text = PRELUDE + "\n"
    for path in paths:
        body = "".join(numbered(path, at, lines) for at, lines in header_examples(path))
        if body:
            text += f"void example_of_{path.stem}({CONTEXT.get(path.name, '')}) {{\n{body}}}\n"
    return text


def write(path, text):
    """Writes the text to a file, unless the file has this text already. Then nothing is compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    for name in ("document", "header"):
        parser.add_argument(f"--{name}", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--program", action="append", default=[])
    words = parser.parse_args()
    try:
        functions, programs = document_sources(words.document)
        if set(programs) != set(words.program):
            raise Mistake(f"the documents have the programs {sorted(programs)}, the build {sorted(words.program)}")
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 1
    words.out.mkdir(parents=True, exist_ok=True)
    write(words.out / "library_guide.h", functions)
    write(words.out / "headers.cpp", header_source(words.header))
    for name, text in programs.items():
        write(words.out / f"{name}.cpp", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
