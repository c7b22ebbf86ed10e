"""Takes the blocks of code out of documents, and the commands out of blocks.

A block without a language holds one of three things:
- commands, one per line; a line that ends in a backslash continues on the next, and a loop is one command;
- commands after "$ ", each with the output that a reader sees;
- output alone.
"""

import dataclasses
import re


@dataclasses.dataclass
class Command:
    line: int
    text: str
    shown: list  # the lines of its output in the document; None if the document shows none


def goes_on(pieces):
    """Whether a command needs more lines: a backslash, an open quote or an open loop."""
    return (pieces[-1].endswith("\\") or "".join(pieces).count('"') % 2 == 1
            or (pieces[0].startswith("for ") and not pieces[-1].endswith("done")))


@dataclasses.dataclass
class Snippet:
    document: str  # "docs/training.md"
    line: int  # the first line in the block
    language: str
    lines: list

    @property
    def text(self):
        return "\n".join(self.lines)

    def has_prompts(self):
        return any(line.startswith("$ ") for line in self.lines)

    def commands(self):
        found, lines, at = [], self.lines, 0
        prompts = self.has_prompts()
        while at < len(lines):
            start, line = at, lines[at]
            at += 1
            if not line.strip() or (prompts and not line.startswith("$ ")):
                if prompts and found:
                    found[-1].shown.append(line)
                continue
            pieces = [line[2:] if prompts else line]
            while at < len(lines) and goes_on(pieces):
                pieces.append(lines[at])
                at += 1
            found.append(Command(self.line + start, "\n".join(pieces), [] if prompts else None))
        return found


def snippets(document, text):
    found, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        match = re.fullmatch(r"```(\w*)", lines[at])
        at += 1
        if not match:
            continue
        start = at
        while at < len(lines) and lines[at] != "```":
            at += 1
        found.append(Snippet(document, start + 1, match[1], lines[start:at]))
        at += 1
    return found
