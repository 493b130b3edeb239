"""Small plots as SVG, without a plotting library."""

from html import escape
from typing import List, Mapping, NamedTuple, Sequence, Tuple

# Colours that colour-blind readers can tell apart (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 40, 56
_TICKS = 5


class Mark(NamedTuple):
    """A point that is set off.

    x (float): Its place.
    y (float): Its height.
    label (str): What stands beside it.
    """

    x: float
    y: float
    label: str


def draw_lines(
    series: Mapping[str, Sequence[Tuple[float, float]]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    marks: Sequence[Mark] = (),
) -> str:
    """Draw lines.

    series (Mapping[str, Sequence[Tuple[float, float]]]): The points of each line by its name, x in ascending order.
    title (str): What stands above.
    x_label (str): What stands below the horizontal axis.
    y_label (str): What stands beside the vertical axis.
    marks (Sequence[Mark]): Points that are set off.
    RETURNS (str): The SVG.
    RAISES (ValueError): If there is no point.
    """
    points = [point for line in series.values() for point in line]
    if not points:
        raise ValueError("There is nothing to draw: no line has a point.")
    x_low, x_high = _range([x for x, _ in points])
    y_low, y_high = _range([y for _, y in points] + [mark.y for mark in marks])
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> Tuple[float, float]:
        return (
            round(_LEFT + (x - x_low) / (x_high - x_low) * across, 1),
            round(_TOP + (y_high - y) / (y_high - y_low) * down, 1),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT + across / 2, 22, title, anchor="middle", size=14),
        _text(_LEFT + across / 2, _HEIGHT - 14, x_label, anchor="middle"),
        f'<g transform="translate(16 {_TOP + down / 2}) rotate(-90)">{_text(0, 0, y_label, anchor="middle")}</g>',
    ]
    for step in range(_TICKS + 1):
        x_value = x_low + (x_high - x_low) * step / _TICKS
        y_value = y_low + (y_high - y_low) * step / _TICKS
        left, height = place(x_low, y_value)
        parts.append(f'<line x1="{left}" y1="{height}" x2="{_LEFT + across}" y2="{height}" stroke="#dddddd"/>')
        parts.append(_text(left - 6, height + 4, f"{y_value:.2f}", anchor="end"))
        along, low = place(x_value, y_low)
        parts.append(_text(along, low + 18, f"{x_value:.2f}", anchor="middle"))
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x},{y}" for x, y in (place(*point) for point in line))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.extend(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in (place(*p) for p in line))
        beside = _TOP + 14 + 18 * number
        parts.append(f'<rect x="{_WIDTH - _RIGHT + 14}" y="{beside - 9}" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(_WIDTH - _RIGHT + 30, beside, name))
    for mark in marks:
        x, y = place(mark.x, mark.y)
        parts.append(f'<circle cx="{x}" cy="{y}" r="7" fill="none" stroke="#000000" stroke-width="2"/>')
        parts.append(_text(x + 10, y - 8, mark.label))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _range(values: List[float]) -> Tuple[float, float]:
    low, high = min(values), max(values)
    # A single value still needs an axis.
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
