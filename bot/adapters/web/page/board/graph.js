// How the sides of a finished match stood from turn to turn, as a graph that one walks along.

import { t } from "/texts.js";
import { html } from "/vendor/preact-htm.js";

const HEIGHT = 100;
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
const LEVEL = 400; // points below which no match fills the graph, so that calm ones look calm
const EVEN = 60; // points up to which nobody stands better, as in `analyse`
const DECIDED = 1000; // points from which a side is out or alone: of several its line leaves the graph, which is for those who are in
const MUCH = 300; // points from which somebody stands much better
const DASH = 30; // pixels of a dash and its gap: where lines lie on one another, a part of each is seen

// `stood`: of each side its points at the start and after each turn; of two the first side alone.
// `go(step)` shows the board after so many turns.
export function Graph({ stood, sides, plies, shown, go }) {
  const last = plies.length;
  const at = Math.max(0, Math.min(last, shown));
  const seats = new Map(sides.map((side) => [side.side, side]));
  const several = stood.length > 1;
  const top = Math.max(LEVEL, ...stood.flatMap(({ values }) => values.map(Math.abs).filter((value) => !several || value < DECIDED)));
  const lines = stood.map(({ side, values }) => ({ ...seats.get(side), values, heights: values.map((value) => Math.max(-HEIGHT, Math.min(HEIGHT, (-HEIGHT * value) / top))) }));
  const follow = (event) => {
    if (event.button > 0) return;
    if (event.type === "pointermove" && !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    const step = Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last)));
    if (step !== at) go(step);
  };
  const walk = (event) => {
    const by = KEYS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(Math.max(0, Math.min(last, at + by)));
  };
  const ply = plies[at - 1];
  const turn = ply ? `${ply.number}. ${ply.text || t("turn lost")}` : t("Start");
  return html`<div class="graph ${several ? "several" : "two"}" role="slider" tabindex="0" aria-label=${t("How the sides stood, from turn to turn")}
    aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${at} aria-valuetext=${`${turn} · ${told(lines, sides, at)}`}
    onPointerDown=${follow} onPointerMove=${follow} onKeyDown=${walk}>
    <svg viewBox="0 ${-HEIGHT} ${Math.max(1, last)} ${2 * HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${!several && html`<${Halves} line=${lines[0]} other=${sides.find((side) => side.side !== lines[0].side)} last=${last} />`}
      <line class="even" x1="0" y1="0" x2=${Math.max(1, last)} y2="0" />
      ${lines.map((line, n) => (several ? ["casing", "stood"] : ["stood"]).map((part) => html`<polyline key=${line.side + part} class="${part} ${several ? line.colour : ""}" points=${points(line.heights)} stroke-dasharray=${n ? dash(n, lines.length) : null} />`))}
      <line class="here" x1=${at} y1=${-HEIGHT} x2=${at} y2=${HEIGHT} />
    </svg></div>`;
}

// Above the middle lies what the first side has more, below what the other one has.
function Halves({ line, other, last }) {
  const half = (part) => `M0 0L${points(line.heights.map(part)).replaceAll(" ", "L").replaceAll(",", " ")}L${last} 0Z`;
  return html`<path class=${line.colour} d=${half((height) => Math.min(0, height))} /><path class=${other.colour} d=${half((height) => Math.max(0, height))} />`;
}

// The higher a line lies, the shorter are its dashes, so that each can be told from the others without its colour too.
function dash(n, count) {
  const long = Math.round((DASH * (count - n)) / count);
  return `${long} ${DASH - long}`;
}

function points(heights) {
  return heights.map((height, step) => `${step},${height.toFixed(1)}`).join(" ");
}

// Who stood best after a step, as it is read aloud.
function told(lines, sides, at) {
  const values = lines.map(({ side, values: all }) => ({ side, value: all[at] }));
  if (values.length === 1) values.push({ side: sides.find((side) => side.side !== values[0].side).side, value: -values[0].value });
  const best = values.reduce((one, two) => (two.value > one.value ? two : one));
  const side = sides.find((one) => one.side === best.side).name;
  if (values.every(({ value }) => Math.abs(value) <= EVEN)) return t("Neither side stands better.");
  return best.value >= MUCH ? t("{side} stands much better.", { side }) : t("{side} stands better.", { side });
}
