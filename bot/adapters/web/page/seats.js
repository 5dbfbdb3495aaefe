// Taking a seat, and letting in another device. What proves that a seat is this browser's no script can read.

import { node } from "/talk/nodes.js";
import { language, t } from "/texts.js";

const NAMES = "riposte.seats"; // this browser's, offered for the next time
const $ = (id) => document.getElementById(id);

// What the room answers: `name`, or `because` it refuses. Throws where it cannot be reached.
export async function ask(path, request) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...request, language }),
  });
  return answer.ok ? answer.json() : { because: await answer.text() };
}

// Shows the form, and why, if a name was refused; `enter(name)` takes a seat that was taken before.
export function showEntry(because, enter) {
  $("entry").hidden = false;
  $("room").hidden = true;
  $("entry-refusal").textContent = because;
  $("entry-again").hidden = !knownNames().length;
  $("entry-again").replaceChildren(...knownNames().map((name) => {
    const button = node("button", { type: "button" }, name);
    button.addEventListener("click", () => enter(name));
    return button;
  }));
  $("entry-name").focus();
}

export function remember(name) {
  localStorage.setItem(NAMES, JSON.stringify([name, ...knownNames().filter((known) => known !== name)].slice(0, 8)));
}

export function showLink(link) {
  $("device-link").value = link;
  $("device-copied").textContent = "";
  $("device").showModal();
  $("device-link").select();
}

function knownNames() {
  return JSON.parse(localStorage.getItem(NAMES) ?? "[]");
}

$("device-copy")?.addEventListener("click", async () => {
  $("device-link").select();
  await navigator.clipboard.writeText($("device-link").value);
  $("device-copied").textContent = t("Copied.");
});
