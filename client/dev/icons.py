"""Draws the icons of the installed pages into client/public: the moon of moon.svg in a night sky.

.venv/bin/python client/dev/icons.py
"""

from __future__ import annotations

import re
from pathlib import Path

import resvg_py

PUBLIC = Path(__file__).parents[1] / "public"
NIGHT, DUSK, STAR = "#10142b", "#2d3768", "#dfe4ff"
STARS = (
    (60, 96, 5),
    (120, 52, 3.5),
    (446, 70, 4.5),
    (402, 130, 3),
    (70, 420, 3.5),
    (150, 462, 4.5),
    (456, 404, 4),
    (392, 458, 3),
)


def icon(moon: float, corner: float) -> str:
    """A sky of 512 × 512 whose moon has that radius; rounded, unless the system cuts its own shape."""
    (disc,) = re.findall(r"<svg[^>]*>(.*)</svg>", (PUBLIC / "moon.svg").read_text("utf-8").strip())
    stars = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in STARS)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        '<defs><linearGradient id="sky" x2="0" y2="1">'
        f'<stop stop-color="{NIGHT}"/><stop offset="1" stop-color="{DUSK}"/></linearGradient>'
        '<radialGradient id="halo"><stop offset=".55" stop-color="#fbeec6" stop-opacity=".32"/>'
        '<stop offset="1" stop-color="#fbeec6" stop-opacity="0"/></radialGradient></defs>'
        f'<rect width="512" height="512" rx="{corner}" fill="url(#sky)"/><g fill="{STAR}">{stars}</g>'
        f'<circle cx="256" cy="256" r="{1.55 * moon:g}" fill="url(#halo)"/>'
        f'<g transform="translate(256 256) scale({moon / 100:g})">{disc}</g></svg>\n'
    )


def main() -> None:
    plain, maskable = icon(moon=158, corner=112), icon(moon=132, corner=0)  # a mask leaves a circle of 4/5 the width
    (PUBLIC / "icon.svg").write_text(plain, "utf-8")
    for name, drawing, size in (
        ("icon-192", plain, 192),
        ("icon-512", plain, 512),
        ("icon-maskable-512", maskable, 512),
    ):
        picture = bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=size, height=size))
        (PUBLIC / f"{name}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
