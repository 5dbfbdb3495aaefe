// The page of one match, for whoever has a link to it: everything can be looked at, nothing can be done.

import { Table } from "/board/table.js";
import "/focus.js";
import { asked, sameLanguage, t } from "/texts.js";

const AGAIN = 20000; // milliseconds after which a running match is looked at anew
const $ = (id) => document.getElementById(id);
const number = location.pathname.split("/")[2];

const table = new Table($("table"), ask, () => undefined, () => undefined, (step) => history.replaceState(null, "", step ? `#${step}` : location.pathname + location.search));
let over = false;
let turned = false;

$("home").search = sameLanguage;
addEventListener("hashchange", () => table.goTo(location.hash.slice(1)));
document.addEventListener("visibilitychange", follow);
setInterval(follow, AGAIN);
table.enter({ channel: "", thread: number }, "", location.hash.slice(1));

async function ask({ turn, site, shown, called, known, heard, side }) {
  const wanted = Object.entries({ shown, called, known, heard, side, site, language: asked }).filter(([, value]) => value !== null);
  try {
    const answer = await fetch(`/match/${number}/board?${new URLSearchParams(wanted)}`);
    const found = await answer.json();
    if (found.because) $("subtitle").textContent = found.because;
    else if (site) table.answer({ ...found, turn });
    else show({ ...found, turn });
  } catch {
    $("subtitle").textContent = t("The room cannot be reached now; try again.");
  }
}

function show(found) {
  const seen = found.geometry;
  const lies = seen && !turned && seen.width > seen.height && innerHeight > innerWidth;
  turned = true;
  if (lies) return table.turnBoard(found); // as high as the window
  over = found.over;
  const name = found.game.charAt(0).toUpperCase() + found.game.slice(1);
  $("title").textContent = name;
  $("subtitle").textContent = [found.sides.map((side) => side.player).filter(Boolean).join(" – "), t("match {number}", { number: found.match })].join(" · ");
  document.title = `${$("subtitle").textContent} · ${name} · Riposte`;
  return table.answer(found);
}

function follow() {
  if (!document.hidden && !over) table.look();
}
