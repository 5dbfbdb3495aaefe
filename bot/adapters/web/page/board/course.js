// The turns of a match beside its board: what stands, what was called out or taken back, and how much time is left.

import { Sample } from "/board/pieces.js";
import { language, listed, t } from "/texts.js";
import { html, useEffect, useRef, useState } from "/vendor/preact-htm.js";

// `go(step)` shows the board after so many steps, `call(index)` what a callout showed.
export function Course({ steps, sides, shown, called, go, call, open, close }) {
  const list = useRef(null);
  useEffect(() => {
    const now = list.current?.querySelector('[aria-current="true"]') ?? list.current?.lastElementChild;
    if (now) list.current.scrollTop = now.offsetTop - list.current.clientHeight / 2;
  }, [shown, called, steps.length, open]);
  const colours = new Map(sides.map((side) => [side.side, side.colour]));
  let standing = 0;
  return html`<section class="course ${open ? "open" : ""}" aria-label=${t("Turns")}>
    <header><h2>${t("Turns")}</h2><button type="button" class="icon" aria-label=${t("Close the turns")} onClick=${close}>✕</button></header>
    <ol ref=${list}>${steps.map((step) => {
      const at = step.stands ? ++standing : 0;
      return html`<${Step} key=${step.index} step=${step} colour=${colours.get(step.side)} current=${called === step.index || (at && called === null && at === shown)}
        go=${at ? () => go(at) : null} call=${step.because ? () => call(step.index) : null} />`;
    })}</ol>
    ${!steps.length && html`<p class="small">${t("No turn has been made yet.")}</p>`}</section>`;
}

function Step({ step, colour, current, go, call }) {
  const said = html`<span class="disc ${colour}" aria-hidden="true"></span><span class="number">${step.number}.</span><span class="text">${step.text || t("turn lost")}</span>`;
  return html`<li class=${step.stands ? "" : "fell"}>
    ${go || call ? html`<button type="button" aria-current=${String(Boolean(current))} onClick=${go ?? call}>${said}</button>` : html`<span class="was">${said}</span>`}
    ${step.calledBy && html`<button type="button" class="why" onClick=${call}>${t("called out by {name}", { name: step.calledBy })}</button>`}
    ${!step.stands && !step.calledBy && html`<span class="why">${t("taken back")}</span>`}
    ${step.inVain && html`<span class="why">${t("called out in vain by {names}", { names: listed(step.inVain) })}</span>`}</li>`;
}

// What a callout showed, above the board that shows it.
export function Callout({ callout }) {
  return html`<div class="callout" role="status"><p><strong>${t("{turn} is untenable", { turn: callout.text })}</strong> · ${t("called out by {name}", { name: callout.calledBy })}</p>
    <p>${callout.because.join(" ")} <em>${callout.rules.join(", ")}</em></p></div>`;
}

const UNITS = [["day", 86400], ["hour", 3600]];
const narrow = Object.fromEntries(UNITS.map(([unit]) => [unit, new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "narrow" })]));

// `2d 4h`, or `1:05:09` in the last day.
export function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return [narrow.day.format(days), hours && narrow.hour.format(hours)].filter(Boolean).join(" ");
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// What a side has left; `ahead` is by how much the room's clock is ahead of this one.
export function Clock({ side, ahead }) {
  const [now, setNow] = useState(Date.now());
  const left = side.until ? side.until - now - ahead : side.left;
  useEffect(() => {
    if (!side.until) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), left > 172800000 ? 60000 : 1000);
    return () => clearInterval(timer);
  }, [side.until]);
  if (left === null) return null;
  return html`<span class="clock ${side.until ? "runs" : ""} ${side.until && left < 3600000 ? "short" : ""}" role="timer" aria-label=${t("time left")}>${span(left)}</span>`;
}

// `lift(side, kind)`: what a piece is dragged by, where it can be.
export function Sides({ sides, glyphs, ahead, lift }) {
  return html`<div class="sides">${sides.map((side) => html`<div key=${side.side} class="side ${side.acts ? "acts" : ""}">
    <span class="disc ${side.colour}" aria-hidden="true"></span>
    <span>${side.player || side.name}${side.acts && html`<span class="hidden">, ${t("has the turn")}</span>`}${side.won && html` <b class="won">${side.won}</b>`}</span> <${Clock} side=${side} ahead=${ahead} />
    ${side.trays.map((tray, n) => html`<span key=${n} class="tray" role="img" aria-label=${tray.said}>${(tray.gone || side.trays.length > 1) && html`<small>${tray.name}</small>`}
      ${tray.pieces.map((piece) => html`<span key=${piece.kind} class="tray" ...${!n && !tray.gone && lift(side.side, piece.kind)}><${Sample} kind=${piece.kind} colour=${side.colour} glyphs=${glyphs} />${piece.count > 1 && piece.count}</span>`)}</span>`)}
  </div>`)}</div>`;
}
