#!/usr/bin/env python3
"""track_figures.py RUNS.csv...: figures of the tracker, from the lines of winnow_track_runs.

Three tables: how well each sequence was followed, how soon the object was found after turns of the camera, and how
well a confidence tells where the box is right. For the last one, the table of likeness and state is fitted on all other
sequences. The fit of all sequences is printed for src/track/tld/confidence.h.
"""
import collections
import csv
import sys

RIGHT = 0.25       # a box is right if its overlap is at least this
LOST_BELOW = 0.5   # kLostBelow in confidence.h
TENTHS = 10
SOON = 5           # frames within which a turned camera's object must be found


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


def boxes_of(rows):
    """(likeness, found, right) of each box, also of those that count as lost."""
    return [(float(row["likeness"]), row["found"] == "1", is_right(row, "seen")) for row in rows if row["likeness"]]


def rising(sums, counts):
    """The shares that rise and are nearest to sums / counts: neighbours that fall are joined."""
    pools = []
    for total, count in zip(sums, counts):
        pools.append([total, count, 1])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] > pools[-1][0] * pools[-2][1]:
            total, count, width = pools.pop()
            pools[-1] = [pools[-1][0] + total, pools[-1][1] + count, pools[-1][2] + width]
    return [total / count for total, count, width in pools for _ in range(width)]


def fit(boxes):
    """The shares of right boxes in each tenth of likeness, for boxes that flow alone carried, and for found ones."""
    tables = []
    for found in (False, True):
        sums, counts = [0.0] * TENTHS, [1e-6] * TENTHS
        for likeness, state, right in boxes:
            if state == found:
                tenth = min(int(likeness * TENTHS), TENTHS - 1)
                sums[tenth] += right
                counts[tenth] += 1
        tables.append([round(value, 3) for value in rising(sums, counts)])
    # A found box is worth at least as much as one that flow alone carried.
    tables[1] = [max(values) for values in zip(*tables)]
    return tables


def stated(tables, likeness, found):
    """As confidence_of in confidence.h."""
    shares, at = tables[found], likeness * TENTHS - 0.5
    if at <= 0:
        return shares[0]
    if at >= TENTHS - 1:
        return shares[-1]
    below = int(at)
    return shares[below] + (shares[below + 1] - shares[below]) * (at - below)


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


def print_confidence(runs):
    by_sequence = collections.defaultdict(list)
    for (sequence, _, _, _), rows in runs.items():
        by_sequence[sequence] += boxes_of(rows)
    everything, shown = Bins(), Bins()
    print("\n| left out | boxes | distance of stated and seen | the same of boxes that do not count as lost |")
    print("|---|---|---|---|")
    for left_out, boxes in by_sequence.items():
        others = [box for name, list_ in by_sequence.items() if family(name) != family(left_out) for box in list_]
        tables = fit(others)
        own, own_shown = Bins(), Bins()
        for likeness, found, right in boxes:
            confidence = stated(tables, likeness, found)
            for bins in (own, everything):
                bins.add(confidence, right)
            if confidence >= LOST_BELOW:
                for bins in (own_shown, shown):
                    bins.add(confidence, right)
        print(f"| {left_out} | {len(boxes)} | {own.distance():.3f} | {own_shown.distance():.3f} |")
    print(f"| all in turn | {sum(map(len, by_sequence.values()))} | {everything.distance():.3f} | {shown.distance():.3f} |")
    print("\n| bin | boxes | stated | seen |\n|---|---|---|---|")
    for i, (boxes, confidence, right) in enumerate(everything.bins):
        if boxes:
            print(f"| {i / 10:.1f} to {(i + 1) / 10:.1f} | {boxes} | {confidence / boxes:.3f} | {right / boxes:.3f} |")
    print(f"\nEach bin alike: {everything.mean_of_bins():.3f}.")
    followed, found = fit([box for boxes in by_sequence.values() for box in boxes])
    print(f"\nFit of all: kFound {found}\n            kFollowed {followed}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    runs = read(sys.argv[1:])
    print_sequences(runs)
    print_turns(runs)
    print_confidence(runs)


if __name__ == "__main__":
    main()
