// Pieces as SVG: the game's own shapes, in its side's colours, with stacks, tokens and badges.

import { html } from "/vendor/preact-htm.js";

const DISC = [["M -0.9 0 A 0.9 0.9 0 1 1 0.9 0 A 0.9 0.9 0 1 1 -0.9 0 Z", "body", 0]];
const RIMS = { ring: "", dashes: "0.24 0.16", dots: "0.05 0.16", double: "", notches: "0.06 0.5", broken: "0.4 0.2" };

// `finest`: no rim is thinner, so that it can be seen on a board of many places.
export function Piece({ figure, cell, glyphs, finest }) {
  const kinds = [...(figure.under ?? []), figure.kind];
  const last = kinds.length - 1;
  const step = last ? Math.min(0.3, 0.62 / last) : 0;
  const size = cell.radius * (1 - 0.07 * Math.min(last, 3));
  const classes = `piece ${figure.colour}${figure.ghost ? " ghost" : ""}`;
  return html`<g class=${classes} data-standing=${figure.ghost ? null : figure.site} transform="translate(${cell.x} ${cell.y}) scale(${size})">
    <g transform=${along(cell)}>${kinds.map((kind, n) => html`<g key=${n} transform="translate(0 ${step * (last / 2 - n)})"><${Shape} kind=${kind} glyphs=${glyphs} rim=${figure.rim} fine=${Math.max(0.05, finest / size)} token=${n === last ? figure.token : ""} /></g>`)}</g>
    ${cell.covered && cell.label && !figure.ghost && html`<text class="word" transform="rotate(${cell.tilt ?? 0})" y=${(0.36 * cell.label[2]) / size} font-size=${(cell.label[2] + 1) / size}>${figure.site}</text>`}
    ${figure.badge && html`<g class="piece ${figure.badgeColour}" transform="translate(0.55 -0.58) scale(0.58)"><${Shape} kind=${figure.badge} glyphs=${glyphs} /></g>`}
  </g>`;
}

// On a narrow tile a piece lies along it, as in the picture: longer and slimmer.
const along = ({ tilt }) => (tilt === undefined ? null : `rotate(${tilt}) scale(2.05 0.67)`);

// A piece alone, on a chip or in a tray.
export function Sample({ kind, colour, glyphs }) {
  return html`<svg class="sample" viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true"><g class="piece ${colour}"><${Shape} kind=${kind} glyphs=${glyphs} /></g></svg>`;
}

function Shape({ kind, glyphs, rim, fine = 0.05, token }) {
  const glyph = glyphs[kind] ?? DISC;
  const bodies = glyph.filter(([, ink]) => ink === "body");
  const details = glyph.slice(glyph.findIndex(([, ink]) => ink !== "body"));
  const word = token || (glyphs[kind] ? "" : kind);
  const plain = !bodies.some(([, , width]) => width) && (bodies.length === glyph.length || details.every(([path, ink]) => ink === "body" || bodies.some(([body]) => body === path)));
  return html`<g class="rims">${bodies.map(([path, , width], n) => html`<path key=${n} d=${path} stroke-width=${width + 2.2 * fine} />`)}</g>
    ${bodies.map(([path, , width], n) => html`<path key=${n} class=${width ? "body drawn" : "body"} d=${path} stroke-width=${width} />`)}
    ${rim in RIMS && bodies[0] && html`<path class="inner" d=${bodies[0][0]} transform="scale(${1 - 3.2 * fine})" stroke-width=${fine} stroke-dasharray=${RIMS[rim]} />`}
    ${bodies.length < glyph.length && details.map(([path, ink, width], n) => html`<path key=${n} class="${ink}${width ? " drawn" : ""}" d=${path} stroke-width=${width} />`)}
    ${word && (plain ? html`<text class="word" y="0.37" font-size="1.05">${word}</text>`
      : html`<g class="chip" transform="translate(0.5 0.62)"><circle r="0.4" /><text y="0.2" font-size="0.58">${word}</text></g>`)}`;
}
