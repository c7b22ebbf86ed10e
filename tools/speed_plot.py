"""Draws docs/speed.svg, the speed beside OpenCV, from the table speed_beside_opencv. tools/results.py writes the file.

The picture has its own background, light or dark as the reader's screen, and refers to no other file."""
from html import escape

STYLE = """
text { font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
.title { font-size: 17px; font-weight: 600; }
.soft { fill: #59636e; }
.over { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.ground { fill: #ffffff; stroke: #d1d9e0; }
.grid { stroke: #d1d9e0; }
.rival { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3; }
.bar0 { fill: #8cc4f5; } .bar1 { fill: #3a8bd8; } .bar2 { fill: #14559b; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .soft { fill: #9198a1; }
  .over { stroke: #151b23; }
  .ground { fill: #151b23; stroke: #3d444d; }
  .grid { stroke: #3d444d; }
  .rival { stroke: #9198a1; }
  .bar0 { fill: #a5d3ff; } .bar1 { fill: #539be8; } .bar2 { fill: #2f6dbd; }
}
"""
WIDTH, LEFT, RIGHT, TOP = 880, 270, 150, 98
BAR, GAP = 18, 20


def speed_plot(table):
    rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
    models = list(dict.fromkeys(row["model"] for row in rows))
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    most = max(row["ratio_median"] for row in rows)
    scale = (WIDTH - LEFT - RIGHT - 40) / most
    panel = BAR * len(sizes) + GAP
    bottom = TOP + panel * len(models)
    height = bottom + 80
    out = []

    def text(x, y, words, kind=""):
        out.append(f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>')

    text(24, 34, "Times as fast as OpenCV 4.6, with the same boxes", "title")
    text(24, 56, "One thread each, a group photograph of 24 faces, from grey picture to boxes. "
                 "Right: milliseconds, Winnow and OpenCV.", "soft")
    for factor in range(0, int(most) + 1, 5):
        x = LEFT + factor * scale
        out.append(f'<path class="grid" d="M{x:g} {TOP - 12}V{bottom - 8}"/>')
        text(x, bottom + 10, f"{factor}", "soft middle")
    x = LEFT + scale
    out.append(f'<path class="rival" d="M{x:g} {TOP - 12}V{bottom - 8}"/>')
    text(x + 4, TOP - 16, "OpenCV = 1", "soft")
    for i, model in enumerate(models):
        y = TOP + i * panel
        text(24, y + panel / 2 - GAP / 2 + 5, model.removeprefix("haarcascade_"))
        for k, size in enumerate(sizes):
            row = next(row for row in rows if row["model"] == model and row["size"] == size)
            at, end = y + k * BAR, LEFT + row["ratio_median"] * scale
            text(LEFT - 8, at + 13, size, "soft end")
            out.append(f'<rect class="bar{k}" x="{LEFT}" y="{at + 1:g}" width="{end - LEFT:.1f}" height="{BAR - 3}" rx="2"/>')
            text(end + 6, at + 13, f"{row['ratio_median']:.1f}", "over")
            text(WIDTH - 24, at + 13, f"{row['winnow_ms_median']:.1f} / {row['opencv_ms_median']:,.0f} ms", "soft end")
    machine, _, rest = table["device"].partition("; ")
    text(24, height - 36, f"{machine}. {table['date']}, commit {table['commit']}.", "soft")
    text(24, height - 16, f"{rest}.", "soft")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" aria-label="Times as fast as OpenCV 4.6">\n<style>{STYLE}</style>\n'
            f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>\n' + "\n".join(out) + "\n</svg>\n")
