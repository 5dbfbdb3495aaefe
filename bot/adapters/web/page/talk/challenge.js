// The form of a challenge: a game with its picture, an opponent, and the terms, each explained.

import { Board } from "/board/board.js";
import { asked, t } from "/texts.js";
import { html, render, useEffect, useState } from "/vendor/preact-htm.js";

const FIRST = ["umpire", "side", "time"]; // the terms that are always seen
const PARTNER = { name: "riposte", shown: "Riposte" }; // who is challenged like a person, and answers at once
const TIMES = ["1h", "12h", "1d", "3d", "7d", "20d+1d", "none"];
const STILL = { box: ({ width, height }) => `0 0 ${width} ${height}`, zoom: 1, follow: () => undefined };
const dialog = document.getElementById("challenge");

let sent; // how the open form makes its challenge
let draft = null; // what was chosen for a challenge until it is made: where it is refused, the form still has it

// Whatever the bot shows to all that can be answered, or has a picture, is a challenge or a match and no refusal.
export function answered({ author, whisper, body }) {
  if (author === "" && !whisper && (body.choices || body.picture)) draft = null;
}

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
  const [kept] = useState(draft ?? {});
  const [key, setKey] = useState(kept.key ?? "");
  const [details, setDetails] = useState(null);
  const [named, setNamed] = useState(kept.named ?? [people[0]?.name ?? ""]);
  const [seats, setSeats] = useState(kept.seats ?? 2);
  const [terms, setTerms] = useState(kept.terms ?? {});
  useEffect(() => void load("/games").then((found) => {
    setGames(found);
    setKey((before) => before || found[0].key);
  }), []);
  const usual = new Map((details?.terms ?? []).map((term) => [term.key, term.default]));
  const agreed = Object.fromEntries(Object.entries(terms).filter(([term, value]) => value !== usual.get(term)));
  const heard = (found) => {
    setDetails(found);
    if (found.seats) setSeats(found.seats); // on terms that do not fit, it is for as many as before
    return found;
  };
  const choose = (game) => {
    setKey(game);
    setDetails(null);
    setTerms({});
  };
  useEffect(() => {
    if (!key) return undefined;
    let wanted = true;
    const ask = () => load(`/games/${key}`, agreed).then((found) => wanted && heard(found));
    const timer = setTimeout(ask, details ? PAUSE : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, terms]);
  const name = (at, whom) => {
    const others = named.map((other) => (other === whom ? "" : other));
    others[at] = whom;
    setNamed(others);
  };
  const submit = async (event) => {
    event.preventDefault();
    const found = await load(`/games/${key}`, agreed).catch(() => ({})); // the last change may not have been looked at yet
    if (!dialog.open) return undefined; // pressed twice
    if (found.fault) {
      heard(found);
      return lead(found.at);
    }
    const written = Object.entries(agreed).map(([term, value]) => `${term}=${quoted(value)}`);
    draft = { key, named, seats, terms };
    send(["challenge", ...named.slice(0, (found.seats ?? seats) - 1).filter(Boolean).map((one) => `@${one}`), key, ...written].join(" "));
    return dialog.close();
  };
  // What was changed last comes last: of terms that do not fit together, that one is told to be at fault.
  const change = (term, value) => setTerms(({ [term]: before, ...others }) => ({ ...others, [term]: value }));
  const field = (term) => html`<${Term} key=${term.key} term=${term} value=${terms[term.key] ?? term.default} fault=${details.at === term.key ? details.fault : ""} change=${(value) => change(term.key, value)} />`;
  const shown = details?.terms ?? [];
  const unseen = details?.fault && !shown.some((term) => term.key === details.at);
  const others = games.find((game) => game.key === key)?.partner ? [...people, PARTNER] : people;
  return html`<form onSubmit=${submit}>
    <header><h2>${t("New match")}</h2><button type="button" class="icon" aria-label=${t("Close the form")} onClick=${() => dialog.close()}>✕</button></header>
    <fieldset class="games"><legend>${t("Game")}</legend>${games.map((game) => html`<label key=${game.key}>
      <input type="radio" name="game" value=${game.key} checked=${game.key === key} onChange=${() => choose(game.key)} /><strong>${game.name}</strong> <span>${game.gist}</span></label>`)}</fieldset>
    ${details && html`<div class="start" aria-hidden="true"><${Board} geometry=${details.board.geometry} board=${details.board} title=${details.board.title} offered=${new Set()} own=${new Set()}
      held=${[]} label=${() => ""} view=${STILL} pick=${() => undefined} walk=${() => undefined} /></div>`}
    ${shown.filter((term) => term.key === "players").map(field)}
    <${Opponents} people=${others} named=${named} count=${seats - 1} name=${name} />
    ${shown.filter((term) => FIRST.includes(term.key)).map(field)}
    <details open=${Object.keys(kept.terms ?? {}).some((term) => !FIRST.includes(term))}><summary>${t("Further terms")}</summary>${shown.filter((term) => term.key !== "players" && !FIRST.includes(term.key)).map(field)}</details>
    ${details && html`<p class="small">${details.credit}</p>`}
    ${unseen && html`<p class="refusal" role="alert">${details.fault.replaceAll("`", "")}</p>`}
    <button class="main" aria-disabled=${String(!details || Boolean(details.fault))}>${t("Challenge")}</button></form>`;
}

// To the field that is to be changed, wherever it is folded away.
function lead(at) {
  const field = document.getElementById(`term-${at}`);
  if (field?.closest("details")) field.closest("details").open = true;
  field?.focus();
}

// A field for each other seat; nobody is named twice, and a seat that nobody is named for is for whoever comes.
function Opponents({ people, named, count, name }) {
  const fields = Array.from({ length: count }, (_, at) => {
    const here = named[at] ?? "";
    const free = people.filter((person) => person.name === here || !named.slice(0, count).includes(person.name));
    const id = `opponent-${at + 1}`;
    return html`<div key=${at} class="field"><label for=${id}>${count > 1 ? t("Opponent {number}", { number: at + 1 }) : t("Against")}</label><select id=${id} value=${here} onChange=${(event) => name(at, event.target.value)}>
      ${free.map((person) => html`<option key=${person.name} value=${person.name}>${person.shown ?? person.name}</option>`)}<option value="">${t("whoever accepts first")}</option></select></div>`;
  });
  return count > 1 ? html`<fieldset class="against"><legend class="hidden">${t("Against")}</legend>${fields}</fieldset>` : fields;
}

function Term({ term, value, fault, change }) {
  const values = term.key === "time" ? TIMES : term.values;
  const said = (event) => change(event.target.value);
  const id = `term-${term.key}`;
  const told = { id, value, "aria-describedby": `${id}-gist${fault && ` ${id}-fault`}`, "aria-invalid": String(Boolean(fault)) };
  return html`<div class="field"><label for=${id}>${term.key}</label>${values.length
    ? html`<select ...${told} onChange=${said}>${values.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select>`
    : html`<input ...${told} onInput=${said} />`}${fault && html`<span id="${id}-fault" class="refusal" role="alert">${fault.replaceAll("`", "")}</span>`}<span id="${id}-gist" class="small">${term.gist.replaceAll("`", "")}</span></div>`;
}

const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);
