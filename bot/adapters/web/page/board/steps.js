// The steps of a match below its board: buttons, a bar, and which step is looked at.

import { Further } from "/board/acts.js";
import { t } from "/texts.js";
import { html } from "/vendor/preact-htm.js";

// What the talk tells of a new turn is not said again here, nor what a slider says of itself.
export function Steps({ table, board }) {
  const last = board.plies.length;
  const { shown } = board;
  const ply = board.plies[shown - 1];
  const said = ply ? `${ply.number}. ${ply.text || t("turn lost")}` : board.callout ? `${board.callout.number}. ${board.callout.text}` : t("Start");
  const button = (to, name, sign) => html`<button type="button" aria-label=${name} disabled=${to < 0 || to > last || to === shown} onClick=${() => table.step(to)}>${sign}</button>`;
  return html`<div class="steps" role="group" aria-label=${t("Steps of the match")}>
    ${button(0, t("To the start"), "|◀")}${button(shown - 1, t("One step back"), "◀")}
    <input type="range" min="0" max=${last} value=${Math.max(0, shown)} aria-label=${t("Step")} aria-valuetext=${said} onInput=${(event) => table.step(Number(event.target.value))} />
    ${button(shown + 1, t("One step on"), "▶")}${button(last, t("To the position now"), "▶|")}
    <button type="button" class="turns" aria-expanded=${String(table.listed)} aria-label=${t("List of turns")} onClick=${() => table.list(!table.listed)}>☰</button>
    <output aria-live=${table.aloud ? "polite" : "off"}>${said}</output><${Further} key=${`${board.due}.${board.further.length}`} table=${table} board=${board} /></div>`;
}
