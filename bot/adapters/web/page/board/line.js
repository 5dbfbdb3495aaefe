// A line that is prepared by playing it out: what others play, one's answer, and so on; nobody else sees it.

import { t } from "/texts.js";
import { html } from "/vendor/preact-htm.js";

// Its turns so far.
export function Prepared({ line }) {
  return line.length ? html`<code>if ${line.join(" then ")}</code>` : t("Play what others play, then your answer. Nobody else sees it.");
}

// What can be done with it while nothing is picked of its next turn.
export function Preparing({ table, board }) {
  const { line } = table;
  const { answers } = board;
  const button = (name, press) => html`<button type="button" onClick=${press}>${name}</button>`;
  const keep = (steps) => {
    table.press({ label: t("Keep this line"), command: `if ${board.match} ${steps.join(" then ")}` });
    table.prepare(null);
  };
  return html`${line.length > 0 && button(t("One turn back"), () => table.prepare(line.slice(0, -1)))}
    ${answers && button(t("Then call it out"), () => keep([...line, "call"]))}
    ${answers && button(t("Then resign"), () => keep([...line, "resign"]))}
    ${line.length > 1 && !answers && button(t("Keep this line"), () => keep(line))}
    ${button(t("Leave it"), () => table.prepare(null))}`;
}

// The same where no turn can follow it.
export function Line({ table, board }) {
  return html`<p class="prompt"><${Prepared} line=${table.line} /></p><div class="picks"><${Preparing} table=${table} board=${board} /></div>`;
}
