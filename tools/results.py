#!/usr/bin/env python3
"""Writes the tables of figures in the documents from bench/results/*.json.

The program writes the plot docs/speed.svg as a whole. In every Markdown file it writes the text between such lines:
<!-- section: FILE -->    a whole results file, bench/results/FILE.json: its text, and its tables with their commands
<!-- /section -->
<!-- results: NAME -->    one table, or one of its views, without text and command
<!-- /results -->
Each results file stands as a section in one document: a page of docs/reproduction/.

- A results file is one section of a page: {"section", "about", "tables"}.
- A table is {"name", "title", "unit", "device", "date", "commit", "command", "about", "columns", "rows", "views"}.
- "commit" is one commit, or "as each row says" if the rows have a column "commit".
- Rows hold figures as they were measured. A view selects the figures to show:
  {"by": [[column, head], ...], "values": [{"column", "head", "digits"}, ...]}.
- A view has a row for each distinct value of the columns in "by". "across" names columns whose distinct values become
  columns. "where" selects rows. "ratio" names two columns to divide.
- A view with a "name" appears in other documents only.

results.py          writes the changes
results.py --check  writes nothing; exit status 1 if a document would change"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import textwrap

from speed_plot import speed_plot

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
PLOT = ROOT / "docs" / "speed.svg"
KEYS = ["name", "title", "unit", "device", "date", "commit", "command", "about", "columns", "views", "rows"]
MARKS = {word: re.compile(rf"^(<!-- {word}: (\S+) -->\n)(?:(?!<!-- {word}:).)*?^(<!-- /{word} -->)$", re.S | re.M)
         for word in ("results", "section")}
COMMIT = re.compile(r"[0-9a-f]{7}")
COMMITS_IN_ROWS = "as each row says"
WIDTH = 100


def fail(problem):
    sys.exit(f"tools/results.py: {problem}")


def wrapped(text):
    """Lines of at most WIDTH columns, broken at spaces outside code spans."""
    whole = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    return textwrap.fill(whole, WIDTH, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def check_commit(name, table):
    """A figure belongs to one commit. Figures of an older commit are in git."""
    columns, commits = table["columns"], [table["commit"]]
    if table["commit"] == COMMITS_IN_ROWS and "commit" in columns:
        commits = [row[columns.index("commit")] for row in table["rows"]]
    for commit in commits:
        if not COMMIT.fullmatch(commit):
            fail(f"{name}, {table['name']}: '{commit}' is not one commit; leave out figures of an older commit")


def sections():
    """The results files by their names without .json."""
    read = {}
    for path in sorted(RESULTS.glob("*.json")):
        section = json.loads(path.read_text(encoding="utf-8"))
        for table in section["tables"]:
            if sorted(table) != sorted(KEYS):
                fail(f"{path.name}, {table.get('name')}: the keys are not {', '.join(KEYS)}")
            if any(len(row) != len(table["columns"]) for row in table["rows"]):
                fail(f"{path.name}, {table['name']}: a row has not as many figures as there are columns")
            check_commit(path.name, table)
        read[path.stem] = section
    return read


# ---- one table

def cell(values, digits):
    """The figures of one cell as text, one after the other if a run was repeated."""
    return "; ".join(f"{value:,.{digits}f}" for value in values)


def distinct(values):
    return list(dict.fromkeys(values))


def pick(row, columns):
    """A row's values in these columns, as text."""
    for column in columns:
        if column not in row:
            fail(f"there is no column {column}")
    values = [row[column] for column in columns]
    return tuple(f"{v:,}" if isinstance(v, int) else f"{v:.3g}" if isinstance(v, float) else v for v in values)


def grid(table, view):
    """The head and the rows of a view, all as text."""
    rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
    rows = [row for row in rows if all(row[column] in allowed for column, allowed in view.get("where", {}).items())]
    by = [column for column, _ in view["by"]]
    across = view.get("across", [])
    spread = distinct(pick(row, across) for row in rows)
    head = [name for _, name in view["by"]]
    head += [" ".join(words for words in (", ".join(key), value["head"]) if words) for key in spread for value in view["values"]]
    ratio = view.get("ratio")
    body = []
    for key in distinct(pick(row, by) for row in rows):
        line, figures = list(key), {}
        for place in spread:
            of = [row for row in rows if pick(row, by) == key and pick(row, across) == place]
            for value in view["values"]:
                here = [row[value["column"]] for row in of if row[value["column"]] is not None]
                here = [sum(here)] if value.get("total") else here
                figures[head[len(line)]] = here
                line.append(cell(here, value["digits"]))
        if ratio:
            pair = figures[ratio["of"]] + figures[ratio["over"]]
            line.append(f"{pair[0] / pair[1]:.{ratio['digits']}f}" if len(pair) == 2 else "")
        body.append(line)
    return head + ([ratio["head"]] if ratio else []), body


def markdown(table, view):
    head, body = grid(table, view)
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *body]) + "\n"


def shown(table):
    """The views of a table by their names. A view without a name has the table's name."""
    named = {}
    for view in table["views"]:
        named.setdefault(view.get("name", table["name"]), []).append(view)
    return named


def caption(table):
    unit = table["unit"][0].upper() + table["unit"][1:]
    return wrapped(f"{unit}. Device: {table['device']}. Date: {table['date']}. Commit: {table['commit']}.") + "\n"


# ---- documents

def section_text(section):
    pieces = [f"## {section['section']}\n", wrapped(section["about"]) + "\n"]
    for table in section["tables"]:
        if views := shown(table).get(table["name"]):
            command = [f"```\n{table['command']}\n```\n"] if table["command"] else []
            pieces += [f"### {table['title']}\n", caption(table), *command, wrapped(table["about"]) + "\n",
                       *[markdown(table, view) for view in views]]
    return "\n".join(pieces)


def plot(read):
    tables = (table for section in read.values() for table in section["tables"])
    return speed_plot(next(table for table in tables if table["name"] == "speed_beside_opencv"))


def views_by_name(read):
    """Tables and the views to show, by the names that documents use."""
    named = {}
    for table in (table for section in read.values() for table in section["tables"]):
        for name, views in shown(table).items():
            if name in named:
                fail(f"two tables or views are called {name}; give one another name")
            named[name] = table, views
    return named


def marked(text, read, named, path):
    """A document with up-to-date sections and tables between its marks."""
    for word, pattern in MARKS.items():
        if len(re.findall(rf"^<!-- {word}:", text, re.M)) != len(pattern.findall(text)):
            fail(f"{path}: a line <!-- {word}: NAME --> has no line <!-- /{word} --> after it")

    def fill_table(match):
        if match[2] not in named:
            fail(f"{path}: no table is called {match[2]}; bench/results/ has the names")
        table, views = named[match[2]]
        return match[1] + "\n".join([caption(table), *(markdown(table, view) for view in views), match[3]])

    def fill_section(match):
        if match[2] not in read:
            fail(f"{path}: there is no file bench/results/{match[2]}.json")
        return match[1] + "\n" + section_text(read[match[2]]) + "\n" + match[3]

    return MARKS["section"].sub(fill_section, MARKS["results"].sub(fill_table, text))


def check_places(read, texts):
    """Each results file is a section of one document."""
    places = [match[2] for text in texts for match in MARKS["section"].finditer(text)]
    for name in read:
        if places.count(name) != 1:
            fail(f"bench/results/{name}.json stands in {places.count(name)} documents as a section; give it the lines "
                 f"<!-- section: {name} --> and <!-- /section --> in one page of docs/reproduction/")


def documents():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT,
                            stdout=subprocess.PIPE, text=True, check=True)
    return sorted(path for name in set(listed.stdout.split("\0")) if name and (path := ROOT / name).is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a document would change")
    check = parser.parse_args().check
    read = sections()
    named = views_by_name(read)
    texts = {path: path.read_text(encoding="utf-8") for path in documents()}
    check_places(read, texts.values())
    wanted = {path: marked(text, read, named, path.relative_to(ROOT).as_posix()) for path, text in texts.items()}
    texts[PLOT], wanted[PLOT] = PLOT.read_text(encoding="utf-8") if PLOT.is_file() else "", plot(read)
    stale = []
    for path in sorted(wanted):
        if wanted[path] != texts[path]:
            stale.append(path.relative_to(ROOT).as_posix())
            if not check:
                path.write_text(wanted[path], encoding="utf-8")
    for name in stale:
        print(f"{name}: differs from bench/results/; run ./dev results" if check else f"{name}: written")
    if not stale:
        print("the documents hold the figures of bench/results/")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
