// Buttons beside the board for what is no turn: calls, answers, offers, and what may be done at any time.

import { Note } from "/board/note.js";
import { t } from "/texts.js";
import { html, useLayoutEffect, useRef, useState } from "/vendor/preact-htm.js";

// Whenever something is another than before, but not at first.
function turned(something, act) {
  const before = useRef(something);
  useLayoutEffect(() => {
    if (before.current !== something) act(before.current);
    before.current = something;
  }, [something]);
}

// A call that names what is untenable: a piece, a place or a rule, each list always the same.
function Reasons({ table, act }) {
  const [pieces, places, rules] = act.reasons;
  const names = [[t("A piece"), pieces], [t("A place"), places.map((word) => ({ word, said: word }))], [t("A rule"), rules]];
  const [asked, ask] = useState(false);
  const [named, setNamed] = useState(null);
  const part = useRef(null);
  turned(asked, () => {
    part.current.scrollIntoView({ block: "nearest" });
    (part.current.querySelector("select") ?? part.current).focus({ preventScroll: true });
  });
  if (!asked) return html`<button type="button" ref=${part} onClick=${() => ask(true)}>${act.label}…</button>`;
  const choose = (event) => setNamed({ word: event.target.value, said: event.target.selectedOptions[0].text });
  return html`<div class="reasons" role="group" aria-label=${act.blank} ref=${part}>${names.map(([name, words]) => html`<select key=${name} aria-label=${name} onChange=${choose}>
    <option value="">${name}</option>${words.map(({ word, said }) => html`<option key=${word} value=${word} selected=${named?.word === word}>${said}</option>`)}</select>`)}
    <button type="button" onClick=${() => ask(false)}>${t("Back")}</button>
    ${named?.word && html`<${Act} table=${table} act=${{ label: `${act.label}: ${named.said}`, command: `${act.command} ${named.word}` }} />`}</div>`;
}

// A button that can be pressed once: what it leads to is told before it may be pressed again.
export function Act({ table, act }) {
  if (act.reasons) return html`<${Reasons} table=${table} act=${act} />`;
  const press = (event) => {
    if (event.currentTarget.ariaDisabled === "true") return;
    event.currentTarget.ariaDisabled = "true"; // a disabled one would lose the focus
    table.press(act);
  };
  return html`<button type="button" title=${act.command} onClick=${press}>${act.label}</button>`;
}

// What may be done at any time; it asks again before a match is given up.
export function Further({ table, board }) {
  const { link } = table;
  const acts = board.further;
  const keep = (text) => table.press({ label: t("Keep the note"), command: `note ${board.match} ${text || "off"}` });
  const [sure, setSure] = useState(null);
  const part = useRef(null);
  turned(sure, (before) => {
    const buttons = [...part.current.querySelectorAll("button")];
    (sure ? buttons.at(-1) : buttons.find(({ title }) => title === before.command))?.focus();
  });
  const ends = (act) => /^(resign|abort)/.test(act.command);
  return html`<details class="further"><summary aria-label=${t("More to do")}>⋯</summary><div ref=${part}>
    ${sure ? html`<p>${t("This ends the match.")}</p><${Act} table=${table} act=${sure} /><button type="button" onClick=${() => setSure(null)}>${t("Play on")}</button>`
      : html`<button type="button" onClick=${() => table.turnBoard()}>${t("Turn the board")}</button>${board.prepares && !table.line && html`<button type="button" onClick=${() => table.prepare([])}>${t("Prepare an answer")}</button>`}${link && html`<${Link} link=${link} />`}${board.note !== null && html`<${Note} note=${board.note} keep=${keep} />`}${acts.map((act) => (ends(act) ? html`<button type="button" key=${act.command} title=${act.command} onClick=${() => setSure(act)}>${act.label}…</button>` : html`<${Act} key=${act.command} table=${table} act=${act} />`))}`}
  </div></details>`;
}

// Everybody with the link sees what the public may see, and can do nothing.
function Link({ link }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    setCopied(true);
  };
  return html`<a href=${link} target="_blank" rel="noopener">${t("Open as a page of its own")}</a><button type="button" onClick=${copy}>${copied ? t("Copied.") : t("Copy the link")}</button>`;
}
