// What the reader notes about a match, for themselves alone.

import { t } from "/texts.js";
import { html, useEffect, useState } from "/vendor/preact-htm.js";

const LONGEST = 1000;

// `keep(text)` keeps it; an empty one is dropped.
export function Note({ note, keep }) {
  const [text, setText] = useState(note);
  useEffect(() => setText(note), [note]);
  const submit = (event) => {
    event.preventDefault();
    keep(text.trim());
  };
  return html`<details class="note"><summary>${note ? t("Your note") : t("Make a note")}</summary>
    <form onSubmit=${submit}><textarea rows="3" maxlength=${LONGEST} aria-label=${t("Your note on this match; nobody else sees it")} value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
      <button disabled=${text.trim() === note.trim()}>${t("Keep the note")}</button></form></details>`;
}
