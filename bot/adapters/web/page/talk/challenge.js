// The form of a challenge: a game with its picture, an opponent, and the terms, each explained.

import { Board } from "/board/board.js";
import { asked, t } from "/texts.js";
import { html, render, useEffect, useState } from "/vendor/preact-htm.js";

const FIRST = ["umpire", "side", "time"]; // the terms that are always seen
const TIMES = ["1h", "12h", "1d", "3d", "7d", "20d+1d", "none"];
const STILL = { box: ({ width, height }) => `0 0 ${width} ${height}`, zoom: 1, follow: () => undefined };
const dialog = document.getElementById("challenge");

let sent; // how the open form makes its challenge

// `send(text)` makes the challenge; `people` are the others who can be challenged.
export function openChallenge(people, theme, send) {
  dialog.dataset.theme = theme;
  sent = send;
  dialog.showModal();
  seated(people);
}

// Who sits down or leaves while the form is open.
export function seated(people) {
  if (dialog.open) render(html`<${Form} people=${people} send=${sent} />`, dialog);
}

dialog.addEventListener("close", () => render(null, dialog));

const PAUSE = 300; // milliseconds after the last change of a term until its start is asked for

const load = async (path, terms = {}) => (await fetch(`${path}?${new URLSearchParams({ ...terms, language: asked })}`)).json();

function Form({ people, send }) {
  const [games, setGames] = useState([]);
  const [key, setKey] = useState("");
  const [details, setDetails] = useState(null);
  const [whom, setWhom] = useState(people[0]?.name ?? "");
  const [terms, setTerms] = useState({});
  useEffect(() => void load("/games").then((found) => {
    setGames(found);
    setKey(found[0].key);
  }), []);
  const usual = new Map((details?.terms ?? []).map((term) => [term.key, term.default]));
  const agreed = Object.fromEntries(Object.entries(terms).filter(([term, value]) => value !== usual.get(term)));
  const choose = (game) => {
    setKey(game);
    setDetails(null);
    setTerms({});
  };
  useEffect(() => {
    if (!key) return undefined;
    let wanted = true;
    const ask = () => load(`/games/${key}`, agreed).then((found) => wanted && setDetails(found));
    const timer = setTimeout(ask, details ? PAUSE : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, terms]);
  const submit = (event) => {
    event.preventDefault();
    const written = Object.entries(agreed).map(([term, value]) => `${term}=${quoted(value)}`);
    send(["challenge", whom && `@${whom}`, key, ...written].filter(Boolean).join(" "));
    dialog.close();
  };
  const field = (term) => html`<${Term} key=${term.key} term=${term} value=${terms[term.key] ?? term.default} change=${(value) => setTerms({ ...terms, [term.key]: value })} />`;
  const shown = details?.terms ?? [];
  return html`<form onSubmit=${submit}>
    <header><h2>${t("New match")}</h2><button type="button" class="icon" aria-label=${t("Close the form")} onClick=${() => dialog.close()}>✕</button></header>
    <fieldset class="games"><legend>${t("Game")}</legend>${games.map((game) => html`<label key=${game.key}>
      <input type="radio" name="game" value=${game.key} checked=${game.key === key} onChange=${() => choose(game.key)} /><strong>${game.name}</strong> <span>${game.gist}</span></label>`)}</fieldset>
    ${details && html`<div class="start" aria-hidden="true"><${Board} geometry=${details.board.geometry} board=${details.board} title=${details.board.title} offered=${new Set()} own=${new Set()}
      reach=${new Set()} held=${[]} label=${() => ""} view=${STILL} pick=${() => undefined} walk=${() => undefined} /></div>`}
    <label class="field"><span>${t("Against")}</span><select value=${whom} onChange=${(event) => setWhom(event.target.value)}>
      ${people.map((person) => html`<option key=${person.name} value=${person.name}>${person.name}</option>`)}<option value="">${t("whoever accepts first")}</option></select></label>
    ${shown.filter((term) => FIRST.includes(term.key)).map(field)}
    <details><summary>${t("Further terms")}</summary>${shown.filter((term) => !FIRST.includes(term.key)).map(field)}</details>
    ${details && html`<p class="small">${details.credit}</p>`}
    <p class="refusal" role="alert">${details?.fault.replaceAll("`", "")}</p>
    <button class="main" disabled=${!details || details.fault}>${t("Challenge")}</button></form>`;
}

function Term({ term, value, change }) {
  const values = term.key === "time" ? TIMES : term.values;
  const said = (event) => change(event.target.value);
  const id = `term-${term.key}`;
  return html`<div class="field"><label for=${id}>${term.key}</label>${values.length
    ? html`<select id=${id} aria-describedby="${id}-gist" value=${value} onChange=${said}>${values.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select>`
    : html`<input id=${id} aria-describedby="${id}-gist" value=${value} onInput=${said} />`}<span id="${id}-gist" class="small">${term.gist.replaceAll("`", "")}</span></div>`;
}

const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);
