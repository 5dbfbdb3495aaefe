// What is asked beside the board, and the buttons that answer.

import { Act } from "/board/acts.js";
import { carried } from "/board/drag.js";
import { Prepared, Preparing } from "/board/line.js";
import { Sample } from "/board/pieces.js";
import { t } from "/texts.js";
import { html } from "/vendor/preact-htm.js";

export const DEAF = 300; // milliseconds for which a button that has just appeared under a finger does nothing

export function Picks({ table, menu, board, glyphs }) {
  if (!menu && board.acts.length) return html`<div class="picks" role="group" aria-label=${t("Answers")}>${board.acts.map((act) => html`<${Act} key=${act.command} table=${table} act=${act} />`)}</div>`;
  if (!menu) return !table.live && table.kept > 0 && html`<div class="picks kept"></div>`; // in its place while an earlier board is shown
  const colour = (whose) => board.sides.find(({ side }) => side === (whose || board.viewer)).colour;
  if (table.doubt) {
    return html`<p class="prompt" role="status">${t("Another piece of yours stands on {place}.", { place: table.doubt })}</p><div class="picks">
      <button type="button" onClick=${() => table.set([...table.picks, table.doubt])}>${t("Go there")}</button>
      <button type="button" onClick=${() => table.set([table.doubt])}>${t("Choose this one")}</button></div>`;
  }
  const deaf = Date.now() - table.since < DEAF;
  const play = table.line ? t("Add {turn}", { turn: menu.text }) : board.ask ? t("Answer {words}", { words: menu.text }) : t("Play {turn}", { turn: menu.text });
  const asks = menu.sites.length + menu.choices.length > 0; // more may be picked, and what is picked could be played
  return html`<p class="prompt" role="status" aria-live=${table.sent ? "off" : "polite"}>${table.line && html`<${Prepared} line=${table.line} /> `}${menu.prompt}${menu.complete && asks && html` <span class="hidden">${play}</span>`}</p><div class="picks">
    ${table.line && !table.picks.length && html`<${Preparing} table=${table} board=${board} />`}
    ${table.picks.length > 0 && html`<button type="button" class="back" onClick=${() => table.set(table.picks.slice(0, -1))}>${t("Back")}</button>`}
    ${menu.choices.map((choice) => html`<button type="button" key=${choice.key} class=${board.leads ? "leads" : ""} data-pick=${choice.key}
      ...${choice.kind in glyphs && carried(table.tray, choice.key, (key, site) => table.drag(board, key, site))} onClick=${() => table.set([...table.picks, choice.key])}>${choice.kind in glyphs && html`<${Sample} kind=${choice.kind} colour=${colour(choice.side)} glyphs=${glyphs} />`}${choice.name}</button>`)}
    ${board.acts.map((act) => html`<${Act} key=${act.command} table=${table} act=${act} />`)}
    ${menu.complete && html`<button type="button" class="play" disabled=${deaf} onClick=${() => table.send()}>${play}</button>`}
  </div>`;
}
