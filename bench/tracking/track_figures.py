#!/usr/bin/env python3
"""track_figures.py [--write HEADER] RUNS.csv...: figures of the tracker, from the lines of winnow_track_runs.

Three tables: how well each sequence was followed, how soon the object was found after turns of the camera, and how
well a confidence tells where the box is right. For the last one, the ratios are fitted on all other sequences. The fit of
all sequences is printed. `--write src/track/tld/confidence.h` writes its lines, which clang-format then brings into form.
"""
import collections
import csv
import math
import re
import sys

RIGHT = 0.25       # a box is right if its overlap is at least this
LOST_BELOW = 0.65  # kLostBelow in confidence.h
ALIKE = 20         # neighbouring frames are alike: so many boxes count as one
SMALL = 0.05       # what the square of a ratio's logarithm costs
SOON = 5           # frames within which a turned camera's object must be found
FOUND_PART, LIKENESS_PART = 0.2, 0.1  # kFoundPart and kLikenessPart in confidence.h
# Values of signs at which there is a ratio, as in confidence.h.
KNOTS = {
    "kFound": (0.2, 0.35, 0.45, 0.55, 0.7),
    "kNotFound": (0.2, 0.35, 0.45, 0.55, 0.7),
    "kShareFound": (0, 0.1, 0.3, 0.6, 0.9, 1),
    "kChange": (-0.3, -0.2, -0.1, 0, 0.1),
    "kBack": (1, 4, 8),
    "kKept": (0.1, 0.5, 0.8, 1),
}
FIRST, COUNT = {}, 0  # the place of each list in the list of all knots
for _name, _knots in KNOTS.items():
    FIRST[_name] = COUNT
    COUNT += len(_knots)


def read(paths):
    """The runs: lists of rows in the order of frames."""
    runs = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["frame"] == "frame":  # the head of a file that was appended
                    continue
                runs[row["sequence"], row["change"], row["start"], int(row["seed"])].append(row)
    if not runs:
        sys.exit("track_figures.py: no runs")
    return runs


def share(part, whole):
    return part / whole if whole else None


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def is_right(row, column="overlap"):
    return row["present"] == "1" and row[column] != "" and float(row[column]) >= RIGHT


class Figures:
    """Figures of one run, by the rules of winnow eval tracking."""

    def __init__(self, rows):
        shown = [row for row in rows if row["lost"] == "0"]
        present = [row for row in rows if row["present"] == "1"]
        absent = [row for row in rows if row["present"] == "0"]
        right = sum(map(is_right, shown))
        precision, recall = share(right, len(shown)) or 0, right / len(present)
        self.f = 2 * precision * recall / (precision + recall) if right else 0
        self.auc = sum(sum(float(row["overlap"]) > step / 20 for row in present) for step in range(21)) / 21 / len(present)
        self.present, self.absent = len(present), len(absent)
        self.lost_present = sum(row["lost"] == "1" for row in present)
        self.lost_absent = sum(row["lost"] == "1" for row in absent)


def print_sequences(runs):
    table = collections.defaultdict(list)
    for (sequence, change, start, _), rows in runs.items():
        table[change, start, sequence].append(Figures(rows))
    print("| change | start | sequence | AUC | F (lowest to highest) | absent frames told as lost | present frames told as lost |")
    print("|---|---|---|---|---|---|---|")
    means = collections.defaultdict(list)
    for (change, start, sequence), figures in table.items():
        scores = [each.f for each in figures]
        auc, f = (sum(values) / len(values) for values in ([each.auc for each in figures], scores))
        absent = share(sum(each.lost_absent for each in figures), sum(each.absent for each in figures))
        present = share(sum(each.lost_present for each in figures), sum(each.present for each in figures))
        means[change, start].append((auc, f, absent, present))
        print(f"| {change} | {start} | {sequence} | {auc:.3f} | {f:.3f} ({min(scores):.3f} to {max(scores):.3f}) | "
              f"{percent(absent)} | {percent(present)} |")
    for (change, start), values in means.items():
        auc, f, absent, present = ([value[i] for value in values if value[i] is not None] for i in range(4))
        mean = [sum(column) / len(column) if column else None for column in (auc, f, absent, present)]
        print(f"| {change} | {start} | mean | {mean[0]:.3f} | {mean[1]:.3f} | {percent(mean[2])} | {percent(mean[3])} |")


def print_turns(runs):
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (sequence, change, _, _), rows in runs.items():
        for at, row in enumerate(rows):
            if change != "turns" or row["changed"] == "0":
                continue
            soon = any(map(is_right, rows[at:at + SOON]))
            # An object that was lost before the turn is no fault of the turn's.
            followed = any(map(is_right, rows[max(0, at - 3):at]))
            for i, value in enumerate((1, soon, followed, followed and soon)):
                table[sequence][i] += value
    if not table:
        return
    print(f"\n| sequence | turns | found within {SOON} frames | turns of an object that was followed | found within {SOON} frames |")
    print("|---|---|---|---|---|")
    for sequence, (turns, soon, followed, both) in table.items():
        print(f"| {sequence} | {turns} | {percent(share(soon, turns))} | {followed} | {percent(share(both, followed))} |")


def found_boxes(rows):
    """The boxes of a run, also of those that count as lost: (knots, right). As next_confidence in confidence.h."""
    found, likeness, back = 1.0, 1.0, 0.0
    for row in rows:
        if not row["likeness"]:
            found = back = 0.0
            continue
        now, is_found, flowed = float(row["likeness"]), row["found"] == "1", row["kept"] != ""
        change, came_back = now - likeness, float(row["back"]) if flowed else 0.0
        found += FOUND_PART * (is_found - found)
        likeness += LIKENESS_PART * change
        back = came_back if is_found else max(back, came_back)
        signs = [("kFound" if is_found else "kNotFound", now), ("kShareFound", found), ("kChange", change), ("kBack", back)]
        if flowed:
            signs.append(("kKept", float(row["kept"])))
        yield [between(*sign) for sign in signs], is_right(row, "seen")


def between(name, at):
    """The knot at or below a value, in the list of all knots, and the part of the way to the next."""
    knots = KNOTS[name]
    at = min(max(at, knots[0]), knots[-1])
    below = max(i for i in range(len(knots) - 1) if knots[i] <= at)
    return FIRST[name] + below, (at - knots[below]) / (knots[below + 1] - knots[below])


def stated(ratios, signs):
    odds = 1.0
    for i, part in signs:
        odds *= ratios[i] + (ratios[i + 1] - ratios[i]) * part
    return odds / (1 + odds)


def solved(matrix, values):
    """The solution of a symmetric positive system."""
    rows = [row[:] + [value] for row, value in zip(matrix, values)]
    for i, row in enumerate(rows):
        for other in rows[i + 1:]:
            factor = other[i] / row[i]
            for j in range(i, len(row)):
                other[j] -= factor * row[j]
    for i in reversed(range(len(rows))):
        rows[i][-1] = (rows[i][-1] - sum(rows[i][j] * rows[j][-1] for j in range(i + 1, len(rows)))) / rows[i][i]
    return [row[-1] for row in rows]


def rough():
    """The matrix of what logarithms of ratios cost: a little if they differ from 0, more if three are not on a line."""
    cost = [[SMALL * (i == j) for j in range(COUNT)] for i in range(COUNT)]
    for name, knots in KNOTS.items():
        for at in range(FIRST[name], FIRST[name] + len(knots) - 2):
            for i, a in enumerate((1, -2, 1)):
                for j, b in enumerate((1, -2, 1)):
                    cost[at + i][at + j] += a * b
    return cost


def loss(boxes, logs, cost):
    ratios = [math.exp(value) for value in logs]
    total = sum(logs[i] * cost[i][j] * logs[j] for i in range(COUNT) for j in range(COUNT)) / 2
    for signs, right in boxes:
        confidence = min(max(stated(ratios, signs), 1e-9), 1 - 1e-9)
        total -= math.log(confidence if right else 1 - confidence) / ALIKE
    return total


def fit(boxes, logs=None):
    """The logarithms of the ratios that make the boxes most likely, by damped steps of Newton."""
    logs, cost, damping = logs or [0.0] * COUNT, rough(), 1e-3
    now = loss(boxes, logs, cost)
    for _ in range(50):
        ratios = [math.exp(value) for value in logs]
        slope = [sum(cost[i][j] * logs[j] for j in range(COUNT)) for i in range(COUNT)]
        curve = [row[:] for row in cost]
        for signs, right in boxes:
            odds, parts = 1.0, []
            for i, part in signs:
                ratio = ratios[i] + (ratios[i + 1] - ratios[i]) * part
                odds *= ratio
                parts += [(i, (1 - part) * ratios[i] / ratio), (i + 1, part * ratios[i + 1] / ratio)]
            confidence = odds / (1 + odds)
            off, weight = (confidence - right) / ALIKE, max(confidence * (1 - confidence), 1e-4) / ALIKE
            for i, a in parts:
                slope[i] += off * a
                row, a = curve[i], a * weight
                for j, b in parts:
                    row[j] += a * b
        while True:
            damped = [[value * (1 + damping * (i == j)) for j, value in enumerate(row)] for i, row in enumerate(curve)]
            tried = [value - min(max(step, -2), 2) for value, step in zip(logs, solved(damped, slope))]
            then = loss(boxes, tried, cost)
            if then < now or damping > 1e9:
                break
            damping *= 4
        if then >= now:
            return logs
        better, logs, now, damping = now - then, tried, then, max(damping / 4, 1e-6)
        if better < 1e-3:
            return logs
    sys.exit("track_figures.py: the fit does not come to an end")


def shown_ratios(logs):
    """Ratios as they stand in confidence.h."""
    return [float(f"{math.exp(value):.3g}") for value in logs]


class Bins:
    """Confidences in ten bins: what is stated, and what is seen."""

    def __init__(self):
        self.bins = [[0, 0.0, 0] for _ in range(10)]

    def add(self, confidence, right):
        each = self.bins[min(int(confidence * 10), 9)]
        each[0] += 1
        each[1] += confidence
        each[2] += right

    def distance(self):
        boxes = sum(each[0] for each in self.bins)
        return sum(abs(each[1] - each[2]) for each in self.bins) / boxes if boxes else float("nan")

    def mean_of_bins(self):
        """Each bin counts alike, however many boxes it has."""
        used = [each for each in self.bins if each[0]]
        return sum(abs(each[1] - each[2]) / each[0] for each in used) / len(used) if used else float("nan")


def family(sequence):
    """Sequences of one video, such as two people of it, are left out together."""
    return "jogging" if sequence.startswith("jogging") else sequence


class Told:
    """What is told as lost, among right boxes, wrong boxes, and frames without the object."""

    def __init__(self, below=LOST_BELOW):
        self.below = below
        self.counts = [[0, 0] for _ in range(3)]

    def add(self, rows, confidences):
        for row, confidence in zip(rows, confidences):
            lost = confidence < self.below
            right = is_right(row, "seen")
            for is_kind, counts in zip((right, row["likeness"] and not right, row["present"] == "0"), self.counts):
                if is_kind:
                    counts[0] += lost
                    counts[1] += 1

    def __str__(self):
        return " | ".join(percent(share(*counts)) for counts in self.counts)


def confidences_of(ratios, rows):
    """The stated confidence in each frame of a run; 0 without a box."""
    boxes = found_boxes(rows)
    return [stated(ratios, next(boxes)[0]) if row["likeness"] else 0.0 for row in rows]


def write_line(header, name, line):
    with open(header, encoding="utf-8") as file:
        text, found = re.subn(rf"inline constexpr Knot {name}\[\] = [^;]*;", line, file.read())
    if found != 1:
        sys.exit(f"track_figures.py: {header} has not one {name}")
    with open(header, "w", encoding="utf-8") as file:
        file.write(text)


def print_confidence(runs, header):
    by_sequence = collections.defaultdict(list)
    for (sequence, _, _, _), rows in runs.items():
        by_sequence[sequence] += found_boxes(rows)
    of_all = fit([box for boxes in by_sequence.values() for box in boxes])
    left_out = {}
    for name in set(map(family, by_sequence)):
        others = [box for other, boxes in by_sequence.items() if family(other) != name for box in boxes]
        left_out[name] = shown_ratios(fit(others, of_all))
    everything, shown, losses, distances = Bins(), Bins(), [], []
    print("\n| left out | boxes | distance of stated and seen | the same of boxes that do not count as lost | log loss "
          "| right boxes told as lost | wrong boxes | frames without the object |")
    print("|---|---|---|---|---|---|---|---|")
    for sequence, boxes in by_sequence.items():
        ratios, own, own_shown, told, lost = left_out[family(sequence)], Bins(), Bins(), Told(), 0.0
        for signs, right in boxes:
            confidence = stated(ratios, signs)
            lost -= math.log(max(confidence if right else 1 - confidence, 1e-4))
            for bins in (own, everything):
                bins.add(confidence, right)
            if confidence >= LOST_BELOW:
                for bins in (own_shown, shown):
                    bins.add(confidence, right)
        for key, rows in runs.items():
            if key[0] == sequence:
                told.add(rows, confidences_of(ratios, rows))
        losses.append(lost / len(boxes))
        distances.append(own.distance())
        print(f"| {sequence} | {len(boxes)} | {own.distance():.3f} | {own_shown.distance():.3f} | {losses[-1]:.3f} | {told} |")
    print(f"| mean | | {sum(distances) / len(distances):.3f} | | {sum(losses) / len(losses):.3f} | | | |")
    print(f"| all in turn | {sum(map(len, by_sequence.values()))} | {everything.distance():.3f} | {shown.distance():.3f} | | | | |")
    print("\n| bin | boxes | stated | seen |\n|---|---|---|---|")
    for i, (boxes, confidence, right) in enumerate(everything.bins):
        if boxes:
            print(f"| {i / 10:.1f} to {(i + 1) / 10:.1f} | {boxes} | {confidence / boxes:.3f} | {right / boxes:.3f} |")
    print(f"\nEach bin alike: {everything.mean_of_bins():.3f}.")
    ratios = shown_ratios(of_all)
    for title, chosen in (("left out in turn", None), ("fit of all", ratios)):
        print(f"\n| lost below ({title}) | right boxes told as lost | wrong boxes | frames without the object |\n|---|---|---|---|")
        for below in (0.3, 0.4, 0.5, 0.6, 0.65, 0.7):
            told = Told(below)
            for key, rows in runs.items():
                told.add(rows, confidences_of(chosen or left_out[family(key[0])], rows))
            print(f"| {below} | {told} |")
    print("\nFit of all, for confidence.h:")
    for name, knots in KNOTS.items():
        pairs = ", ".join(f"{{{at:g}, {ratios[FIRST[name] + i]:g}}}" for i, at in enumerate(knots))
        line = f"inline constexpr Knot {name}[] = {{{pairs}}};"
        print(line)
        if header:
            write_line(header, name, line)
    off = max((abs(float(row["confidence"]) - confidence) for rows in runs.values()
               for row, confidence in zip(rows, confidences_of(ratios, rows))))
    print(f"\nThe runs state this fit up to {off:.6f}.")


def main():
    paths, header = sys.argv[1:], None
    if paths[:1] == ["--write"]:
        header, paths = paths[1], paths[2:]
    if not paths:
        sys.exit(__doc__)
    runs = read(paths)
    print_sequences(runs)
    print_turns(runs)
    print_confidence(runs, header)


if __name__ == "__main__":
    main()
