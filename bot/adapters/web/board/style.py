"""The colours of the pictures' themes as a style sheet, so that a board in the page looks like a picture."""

from collections.abc import Iterator

from render.theme import RGB, THEMES, Theme


def style_sheet() -> bytes:
    """Every theme as custom properties of whatever names it in `data-theme`."""
    blocks = (f'[data-theme="{key}"] {{ {" ".join(_properties(theme))} }}' for key, theme in THEMES.items())
    return "\n".join(blocks).encode()


def _properties(theme: Theme) -> Iterator[str]:
    plain = {"paper": theme.paper, "ink": theme.ink, "muted": theme.muted, "line": theme.line, "edge": theme.edge}
    plain |= {"pill": theme.pill, "accent": theme.accent, "shade": theme.shade}
    plain |= {f"tone-{number}": tone for number, tone in enumerate(theme.tones)}
    plain |= {f"mark-{kind}": colour for kind, colour in theme.marks.items()}
    for name, colour in plain.items():
        yield f"--b-{name}: {_hex(colour)};"
    for name, tint in theme.tints.items():
        yield f"--b-tint-{name}: rgb({' '.join(map(str, tint.colour))} / {tint.strength});"
        yield f"--b-edge-{name}: {_hex(tint.colour)};"
    for name, scheme in theme.schemes.items():
        for part, colour in (("fill", scheme.fill), ("rim", scheme.rim), ("sign", scheme.sign)):
            yield f"--b-{name}-{part}: {_hex(colour)};"


def _hex(colour: RGB) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
