// A position as SVG: the same diagram as the picture, with places that can be tapped or walked through by arrow keys.

import { Drag } from "/board/drag.js";
import { Piece } from "/board/pieces.js";
import { Component, html, useEffect, useLayoutEffect, useMemo, useRef } from "/vendor/preact-htm.js";

const FINEST = 0.002; // of the board's width
const MANY = 100; // places, each of which is small
const HALO = 1.2; // of a ring round a piece that covers its tile, in radii of the piece
// In this order, as in the picture: each lies over those before it.
const BELOW = ["moved", "zone", "reach", "blocker", "culprit", "won", "taken"];

// `offered` is what may be picked, `own` with what a turn can be begun anew, `leads` whether all that is offered leads to a tenable turn, `held` what is picked, `label(cell)` what a place is called;
// `drag(from, to)` picks two places, where pieces can be dragged: on a board that is seen whole.
export function Board({ geometry, board, offered, own, leads, held, focus, label, title, view, pick, drag, walk }) {
  const { cells } = geometry;
  const at = new Map(cells.map((cell) => [cell.site, cell]));
  const marks = board.marks.flatMap(({ kind, sites, left, falling }) => sites.map((site) => ({ kind, falling, gone: left.includes(site), cell: at.get(site) })));
  const figures = board.figures.filter((figure) => at.has(figure.site));
  const solid = figures.filter((figure) => !figure.ghost);
  const stands = new Set(solid.filter((figure) => !figure.sign).map((figure) => figure.site));
  const arrows = board.links.filter((link) => link.style !== "string");
  const hidden = overlaid(cells, at, marks, arrows).filter((cell) => !(cell.covered && stands.has(cell.site)));
  const svg = useRef(null);
  useLayoutEffect(() => {
    if (svg.current?.contains(document.activeElement)) svg.current.querySelector('[tabindex="0"]')?.focus();
  }, [focus]);
  // What stays from turn to turn is made once.
  const ground = useMemo(() => html`<g>${cells.map((cell) => html`<${Ground} key=${cell.site} cell=${cell} />`)}</g>
    <g class="borders">${geometry.borders.map(([tint, path], n) => html`<path key=${n} class="edge-${tint}" d=${path} />`)}</g>
    <g class="lines">${geometry.lines.map((points, n) => html`<polyline key=${n} points=${points} />`)}</g>
    <g class="legends">${geometry.legends.map(([text, x, y], n) => html`<text key=${n} x=${x} y=${y}>${text}</text>`)}</g>`, [geometry]);
  const names = useMemo(() => html`<g class="names">${cells.filter((cell) => cell.label).map((cell) => html`<${Name} key=${cell.site} cell=${cell} />`)}</g>`, [geometry]);
  const live = (site) => offered.has(site) || own.has(site) || held.includes(site);
  useEffect(() => view.follow(svg.current), []);
  const dragging = useMemo(() => new Drag(), []);
  const dragged = drag && view.zoom === 1;
  // What is held goes back as soon as the board is another one.
  useLayoutEffect(() => () => dragging.end(), [geometry, board.due, board.shown, dragged, offered.size > 0]);
  const tapped = (event) => {
    const there = event.target.parentNode.dataset?.site;
    const site = live(there) ? there : nearest(event, svg.current, cells, live);
    if (site) pick(site);
  };
  return html`<svg ref=${svg} class="board ${view.zoom > 1 ? "zoomed" : ""} ${cells.length > MANY ? "many" : ""}" viewBox=${view.box(geometry)} role="group" aria-label=${title}
    onPointerDown=${(event) => dragging.begin(event, svg.current, live, dragged && drag)} onPointerMove=${(event) => dragging.move(event)}
    onPointerUp=${(event) => dragging.lift(event) && !view.dragged && tapped(event)} onPointerCancel=${() => dragging.end()}
    onMouseDown=${(event) => dragging.held?.moved && event.preventDefault()} onClick=${(event) => dragging.clicks(event) && tapped(event)} onKeyDown=${(event) => walk(event, at)}>
    ${marks.some(isHatched) && html`<defs>${[45, -45].map((turn) => html`<pattern id="hatch${turn}" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><line class="hatch edge" y2="20" /><line class="hatch" y2="20" /></pattern>`)}</defs>`}
    ${ground}
    <g>${marks.filter(({ kind, cell }) => cell && BELOW.includes(kind)).sort((a, b) => BELOW.indexOf(a.kind) - BELOW.indexOf(b.kind)).map((mark, n) => html`<${Cased} key=${n} ...${mark} left=${mark.kind === "moved" && (mark.gone || !stands.has(mark.cell.site))} />`)}</g>
    ${names}
    <g>${board.links.filter((link) => link.style === "string").map((link, n) => html`<${Link} key=${n} link=${link} at=${at} />`)}</g>
    <g class="ghosts">${figures.filter((figure) => figure.ghost && !stands.has(figure.site)).map((figure, n) => html`<${Piece} key=${n} figure=${figure} cell=${at.get(figure.site)} glyphs=${geometry.glyphs} finest=${geometry.width * FINEST} />`)}</g>
    <g>${solid.map((figure) => html`<${Piece} key=${figure.site} figure=${figure} cell=${at.get(figure.site)} glyphs=${geometry.glyphs} finest=${geometry.width * FINEST} />`)}</g>
    <g>${arrows.map((link, n) => html`<${Link} key=${n} link=${link} at=${at} />`)}</g>
    <g class="names above">${hidden.map((cell) => html`<${Name} key=${cell.site} cell=${cell} />`)}</g>
    <g>${cells.map((cell) => html`<${Place} key=${cell.site} cell=${cell} label=${label(cell)} offered=${offered.has(cell.site)} own=${own.has(cell.site)}
      leads=${leads && offered.has(cell.site)} held=${held.includes(cell.site)} focused=${focus === cell.site} />`)}</g>
  </svg>`;
}

function Ground({ cell }) {
  if (cell.round) return null;
  return html`<polygon class="tone-${cell.tone}" points=${cell.points} />${cell.tints?.map((tint) => html`<polygon class="tint tint-${tint}" points=${cell.points} />`)}`;
}

function Name({ cell }) {
  const [x, y, size] = cell.label;
  return html`<text x=${x} y=${y} font-size=${size} transform=${cell.tilt === undefined ? null : `rotate(${cell.tilt} ${x} ${y})`}>${cell.site}</text>`;
}

// The places whose names lie under an arrow, on a ring, or under what was taken.
function overlaid(cells, at, marks, arrows) {
  const marked = new Set(marks.filter((mark) => !isHatched(mark)).map(({ cell }) => cell));
  const lines = arrows.map(({ from, to }) => [at.get(from), at.get(to)]).filter(([from, to]) => from && to);
  return cells.filter((cell) => cell.label && (marked.has(cell) || lines.some(([from, to]) => far(cell.label, from, to) < cell.label[2])));
}

// How far a point is from the line between two places.
function far([x, y], from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
}

function outline(cell, share) {
  if (cell.round) return { r: cell.round * share, cx: cell.x, cy: cell.y };
  return { points: cell.points, transform: `translate(${cell.x * (1 - share)} ${cell.y * (1 - share)}) scale(${share})` };
}

// A star with many points, round what was taken.
function burst({ x, y, round, radius }) {
  const outer = Math.max(1.3 * radius, round ?? 0);
  return Array.from({ length: 20 }, (_, n) => [n, (n * Math.PI) / 10]).map(([n, turn]) => `${x + outer * (n % 2 ? 0.74 : 1) * Math.sin(turn)} ${y - outer * (n % 2 ? 0.74 : 1) * Math.cos(turn)}`).join(" ");
}

// Each of two sides has its own lines, as in the picture.
const isHatched = ({ kind, cell }) => kind === "zone" && cell && !cell.round;

// On some tiles a mark's own colour is hardly seen, so its lines have an edge, as in the picture.
function Cased(mark) {
  return html`${!isHatched(mark) && html`<g class="casing"><${Mark} ...${mark} /></g>`}<${Mark} ...${mark} />`;
}

function Mark({ kind, cell, falling, left }) {
  if (isHatched({ kind, cell })) return html`<polygon class="hatched" points=${cell.points} fill="url(#hatch${falling ? -45 : 45})" />`;
  if (kind === "taken") return html`<polygon class="mark taken" points=${burst(cell)} />`;
  if (kind === "won") return [0.95, 0.8].map((share) => (cell.round ? html`<circle class="mark won" ...${outline(cell, share + 0.1)} />` : html`<polygon class="mark won" ...${outline(cell, share)} />`));
  // Where a piece covers its tile, the ring lies round the piece, and round its size where it stood.
  if (kind === "moved" && cell.covered && cell.tilt === undefined) return html`<circle class="mark ${left ? "left" : "moved"}" cx=${cell.x} cy=${cell.y} r=${cell.radius * (left ? 1 : HALO)} />`;
  if (left) return cell.round ? html`<circle class="mark left" ...${outline(cell, 1.05)} />` : html`<polygon class="mark left" ...${outline(cell, 0.95)} />`;
  const shape = cell.round ? html`<circle class="mark ${kind}" ...${outline(cell, 1.05)} />` : html`<polygon class="mark ${kind}" ...${outline(cell, 0.95)} />`;
  return kind === "reach" ? html`${shape}<circle class="dot" cx=${cell.x} cy=${cell.y} r=${Math.max(5, cell.radius * 0.2)} />` : shape;
}

function Link({ link, at }) {
  const [a, b] = [at.get(link.from), at.get(link.to)];
  if (!a || !b) return null;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  if (link.style === "string") {
    const width = Math.min(a.radius, b.radius) * 0.6;
    return [["casing", width + 6], ["", width]].map(([part, wide]) => html`<line class="string ${part} ${link.colour}" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} stroke-width=${wide} />`);
  }
  const [x1, y1] = [a.x + ux * a.radius, a.y + uy * a.radius];
  const short = b.radius * (link.style === "dash" ? 0.6 : 0.85); // what stood at an arrow's end can be seen
  const [x2, y2] = [b.x - ux * short, b.y - uy * short];
  if (link.style === "dash") return html`<line class="dash ${link.colour}" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
  const size = Math.min(22, b.radius * 0.9, Math.max(6, Math.hypot(x2 - x1, y2 - y1)));
  const [nx, ny] = [x2 - ux * size, y2 - uy * size];
  const wing = size * 0.6;
  return html`<g class="arrow"><line x1=${x1} y1=${y1} x2=${nx} y2=${ny} stroke-width=${size / 3} />
    <polygon points="${x2} ${y2} ${nx - uy * wing} ${ny + ux * wing} ${nx + uy * wing} ${ny - ux * wing}" /></g>`;
}

// What is tapped: as large as the place, and heard by screen readers as what stands there.
class Place extends Component {
  shouldComponentUpdate(next) {
    return Object.keys(next).some((name) => next[name] !== this.props[name]);
  }

  render(properties) {
    return placed(properties);
  }
}

function placed({ cell, label, offered, own, leads, held, focused }) {
  const classes = ["place-cell", !label && "open", offered && "offered", leads && "leads", held && "held"].filter(Boolean).join(" ");
  return html`<g class=${classes} role="button" tabindex=${focused ? 0 : -1} aria-label=${label || cell.site} aria-disabled=${String(!offered && !held && !own)} aria-pressed=${String(held)}
    data-site=${cell.site}>
    ${cell.round ? html`<circle ...${outline(cell, 1)} />` : html`<polygon points=${cell.points} />`}
    ${leads && html`<circle class="leads-dot" cx=${cell.x} cy=${cell.y} r=${Math.max(6, cell.radius * (cell.round ? 0.55 : 0.22))} />`}
  </g>`;
}

// A finger beside a small place means the nearest one that can be picked.
function nearest(event, svg, cells, live) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const finger = 22 / svg.getScreenCTM().a;
  let best = null;
  for (const cell of cells) {
    const far = Math.hypot(cell.x - x, cell.y - y);
    if (live(cell.site) && far < Math.max(finger, cell.radius) && (!best || far < best.far)) best = { far, site: cell.site };
  }
  return best?.site;
}

// The place that lies next in a direction, on any board. Where there are places of two shapes, as points between squares, arrows lead
// along those of one shape: of what is offered, else of where one is; beyond its edge they lead over to the other.
export function nextPlace(cells, from, key, offered = []) {
  const here = cells.get(from);
  const shapes = new Set(offered.map((site) => Boolean(cells.get(site).round)));
  const [round] = shapes.size === 1 ? shapes : [Boolean(here.round)];
  const alike = (shape) => [...cells.values()].filter((cell) => Boolean(cell.round) === shape);
  const best = ahead(alike(round), here, key) ?? ahead(alike(!round), here, key) ?? nearby(alike(!here.round), here);
  return best?.site ?? from;
}

function ahead(cells, here, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  for (const cell of cells) {
    const along = (cell.x - here.x) * dx + (cell.y - here.y) * dy;
    const across = Math.abs((cell.x - here.x) * dy) + Math.abs((cell.y - here.y) * dx);
    if (along < 1 || across > along * 1.8) continue;
    const apart = Math.hypot(along, across);
    const far = apart * (1 + (0.8 * across) / apart); // a near neighbour aside comes before a far place straight ahead
    if (!best || far < best.far) best = { far, site: cell.site };
  }
  return best;
}

function nearby(cells, here) {
  const far = (cell) => Math.hypot(cell.x - here.x, cell.y - here.y);
  return cells.reduce((best, cell) => (best && far(best) <= far(cell) ? best : cell), null);
}
