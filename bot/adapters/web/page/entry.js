// What is seen first: a name is asked for, and while it is typed the room is fetched.

import { t } from "/texts.js";

const NAME = "riposte.seat"; // this tab's, kept over a reload
const NAMES = "riposte.seats"; // this browser's, offered for the next time
const ANEW = "riposte.anew"; // whether this tab was fetched anew for scripts that did not come
const $ = (id) => document.getElementById(id);

const name = new URLSearchParams(location.search).get("seat") ?? sessionStorage.getItem(NAME);
let fetched = null;

$("entry-form").addEventListener("submit", (event) => {
  event.preventDefault();
  $("entry-refusal").textContent = "";
  sit($("entry-name").value);
});

if (name) enter(name);
else {
  askName("");
  requestAnimationFrame(() => setTimeout(room)); // once the form is painted
}

// Shows the form, and why, if a name was refused.
export function askName(because) {
  sessionStorage.removeItem(NAME);
  $("entry").hidden = false;
  $("room").hidden = true;
  $("entry-refusal").textContent = because;
  $("entry-again").hidden = !knownNames().length;
  $("entry-again").replaceChildren(...knownNames().map((known) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = known;
    button.addEventListener("click", () => sit(known));
    return button;
  }));
  $("entry-name").focus();
}

export function remember(seat) {
  sessionStorage.setItem(NAME, seat);
  localStorage.setItem(NAMES, JSON.stringify([seat, ...knownNames().filter((known) => known !== seat)].slice(0, 8)));
}

// Of a seat that has ended nothing is kept in this browser either.
export function forget({ name: seat, key }) {
  localStorage.setItem(NAMES, JSON.stringify(knownNames().filter((known) => known !== seat)));
  const kept = Object.keys(localStorage).filter((name) => ["draft", "words"].some((what) => name.startsWith(`riposte.${what}.${key}.`)));
  for (const name of kept) localStorage.removeItem(name);
  askName(t("This seat has ended: nothing is kept of it. Take a name to sit down anew."));
}

// Whoever tries again where no script came has the page fetched anew.
async function sit(seat) {
  if (await room()) return enter(seat);
  sessionStorage.setItem(NAME, seat);
  return location.reload();
}

async function enter(seat) {
  const made = await room();
  if (!made) return;
  sessionStorage.removeItem(ANEW);
  made.enter(seat);
}

// A page whose scripts do not come is fetched anew, once; then it is said.
function room() {
  return (fetched ??= import("/room.js").catch(lost));
}

function lost() {
  const again = sessionStorage.getItem(ANEW);
  sessionStorage.setItem(ANEW, "on");
  if (!again) location.reload();
  else {
    if (name) $("entry-name").value = name;
    $("entry").hidden = false;
    $("entry-refusal").textContent = t("The room cannot be reached now; try again.");
  }
  return again ? null : new Promise(() => undefined);
}

function knownNames() {
  return JSON.parse(localStorage.getItem(NAMES) ?? "[]");
}
