// What is seen first: a name is asked for, and while it is typed the room is fetched.

import "/texts.js";

const NAME = "riposte.seat"; // this tab's, kept over a reload
const NAMES = "riposte.seats"; // this browser's, offered for the next time
const $ = (id) => document.getElementById(id);

const name = new URLSearchParams(location.search).get("seat") ?? sessionStorage.getItem(NAME);
let fetched = null;

$("entry-form").addEventListener("submit", (event) => {
  event.preventDefault();
  $("entry-refusal").textContent = "";
  enter($("entry-name").value);
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
    button.addEventListener("click", () => enter(known));
    return button;
  }));
  $("entry-name").focus();
}

export function remember(seat) {
  sessionStorage.setItem(NAME, seat);
  localStorage.setItem(NAMES, JSON.stringify([seat, ...knownNames().filter((known) => known !== seat)].slice(0, 8)));
}

async function enter(seat) {
  (await room()).enter(seat);
}

// A page whose scripts do not come is fetched anew.
function room() {
  return (fetched ??= import("/room.js").catch(() => new Promise(() => location.reload())));
}

function knownNames() {
  return JSON.parse(localStorage.getItem(NAMES) ?? "[]");
}
