// The page's own state: which seat, which place, what has been said there; everything else is in the other files.

import { Composer } from "/composer.js";
import { Line } from "/line.js";
import { message, pending, separator } from "/messages.js";
import { day, node, paragraphs } from "/nodes.js";
import { drawPlaces, drawSeats, keyOf, myTurn, placeOf, playersOf, plays, titleOf, whoseTurn } from "/places.js";

const SEAT = "riposte.seat"; // this tab's, kept over a reload
const SEATS = "riposte.seats"; // this browser's, offered at the door
const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 48rem)");

let me = null;
let current = "";
let welcome = [];
const places = new Map();
const pages = new Map(); // key -> { lines, more }

const line = new Line(hear, (open) => ($("line").textContent = open ? "" : "Reconnecting…"));
const composer = new Composer(
  (text, quiet) => say({ ...placeOf(current), text, quiet }),
  (turn, text) => line.tell({ do: "complete", turn, ...placeOf(current), text }),
);

// -- sitting down ------------------------------------------------------------------------------------------------

$("door-form").addEventListener("submit", (event) => {
  event.preventDefault();
  $("door-refusal").textContent = "";
  line.sit($("door-name").value);
});

$("stand").addEventListener("click", () => {
  sessionStorage.clear();
  location.reload();
});

const seat = new URLSearchParams(location.search).get("seat") ?? sessionStorage.getItem(SEAT);
if (seat) line.sit(seat);
else showDoor("");

function showDoor(because) {
  $("door").hidden = false;
  $("room").hidden = true;
  $("door-refusal").textContent = because;
  $("door-again").hidden = !knownSeats().length;
  $("door-again").replaceChildren(...knownSeats().map((name) => {
    const button = node("button", { type: "button" }, name);
    button.addEventListener("click", () => line.sit(name));
    return button;
  }));
  $("door-name").focus();
}

function knownSeats() {
  return JSON.parse(localStorage.getItem(SEATS) ?? "[]");
}

// -- what the room tells -----------------------------------------------------------------------------------------

function hear(news) {
  switch (news.is) {
    case "unseated":
      line.seat = null;
      sessionStorage.removeItem(SEAT);
      return showDoor(news.because);
    case "seated":
      return seated(news);
    case "place":
      places.set(keyOf(news), { unread: places.get(keyOf(news))?.unread ?? false, ...news });
      return placesChanged(keyOf(news));
    case "seats":
      return drawSeats(news.seats, me.key);
    case "message":
      return arrived(news);
    case "page":
      return turned(news);
    case "completions":
      return composer.offer(news.turn, news.texts);
    case "founded":
      location.hash = news.channel;
      return undefined;
    case "refused":
      return refused(news);
  }
}

function seated(news) {
  me = news.seat;
  line.seat = me.name;
  welcome = news.welcome;
  sessionStorage.setItem(SEAT, me.name);
  localStorage.setItem(SEATS, JSON.stringify([me.name, ...knownSeats().filter((name) => name !== me.name)].slice(0, 8)));
  $("me").textContent = me.name;
  places.clear();
  for (const place of news.places) places.set(keyOf(place), place);
  if (news.fresh) pages.clear();
  $("door").hidden = true;
  $("room").hidden = false;
  go(placeInAddress(), true);
}

function arrived(news) {
  line.settled(news.id);
  const key = keyOf(news);
  const page = pages.get(key);
  if (page && !page.lines.some((one) => one.number === news.number)) {
    page.lines.push(news);
    page.lines.sort((a, b) => a.number - b.number);
    if (key === current) append(page, news);
  }
  const place = places.get(key);
  if (place && news.author !== me.key && !(key === current && !document.hidden)) {
    place.unread = true;
    placesChanged(key);
  }
  if (key === current) read();
}

function turned(news) {
  const key = keyOf(news);
  const page = pages.get(key) ?? { lines: [] };
  const known = new Set(page.lines.map((one) => one.number));
  page.lines = [...news.messages.filter((one) => !known.has(one.number)), ...page.lines].sort((a, b) => a.number - b.number);
  page.more = news.messages.length === 40;
  pages.set(key, page);
  if (key !== current) return;
  const below = $("scroll").scrollHeight - $("scroll").scrollTop;
  draw();
  if (news.before) $("scroll").scrollTop = $("scroll").scrollHeight - below;
  else toEnd();
  read();
}

function refused(news) {
  const said = line.settled(news.id);
  $(`p${news.id}`)?.remove();
  composer.refuse(news.because);
  if (said && !said.pressed && !$("words").value) {
    composer.put(said.text);
    composer.refuse(news.because);
  }
}

// -- going somewhere ---------------------------------------------------------------------------------------------

addEventListener("hashchange", () => me && go(placeInAddress()));
document.addEventListener("visibilitychange", () => document.hidden || read());

function placeInAddress() {
  const key = decodeURIComponent(location.hash.slice(1));
  return places.has(key) ? key : "lounge";
}

function go(key, again = false) {
  if (key === current && !again) return;
  const moved = key !== current;
  current = key;
  const place = places.get(key);
  if (moved) composer.moved(place.thread ? "Turn or command" : "Message or command");
  closeSide();
  placesChanged(key);
  if (pages.has(key)) {
    draw();
    if (moved) toEnd();
    read();
  } else {
    $("log").replaceChildren();
    line.tell({ do: "open", ...placeOf(key) });
  }
  if (!narrow.matches) $("words").focus();
}

function placesChanged(key) {
  drawPlaces(places, me.key, current);
  const all = [...places.values()];
  const asking = all.filter((place) => place.unread || myTurn(place, me.key)).length;
  const place = places.get(current);
  $("side-dot").hidden = !all.some((other) => other !== place && (other.unread || myTurn(other, me.key)));
  $("title").textContent = titleOf(place);
  $("subtitle").replaceChildren(...(place.thread ? subtitle(place) : []));
  document.title = `${asking ? `(${asking}) ` : ""}${titleOf(place)} · Riposte`;
  if (pages.has(current)) showOpening(places.get(key));
}

function subtitle(place) {
  const turn = whoseTurn(place, me.key);
  const parts = [playersOf(place, me.key), turn && node("span", { class: myTurn(place, me.key) ? "turn" : "" }, turn), `match ${place.thread}`];
  return parts.filter(Boolean).flatMap((part, n) => (n ? [" · ", part] : [part]));
}

function read() {
  const page = pages.get(current);
  const place = places.get(current);
  const last = page?.lines.at(-1);
  if (document.hidden || !last || page.read === last.number) return;
  page.read = last.number;
  line.tell({ do: "read", ...placeOf(current), number: last.number });
  if (place.unread) {
    place.unread = false;
    placesChanged(current);
  }
}

// -- the messages ------------------------------------------------------------------------------------------------

function draw() {
  const { lines, more } = pages.get(current);
  const log = $("log");
  const waiting = [...line.waiting.values()].filter((one) => keyOf(one) === current);
  const made = [];
  if (more) made.push(earlier(lines[0].number));
  let before = null;
  const openings = threadsHere(more ? lines[0].number : 0);
  for (const one of lines) {
    while (openings.length && openings[0].first < one.number) made.push(opening(openings.shift()));
    if (!before || day(before.at) !== day(one.at)) made.push(separator(one.at));
    made.push(message(one, before, me.key, press));
    before = one;
  }
  made.push(...openings.map(opening));
  made.push(...waiting.map(shownPending));
  if (!lines.length && !made.length) made.push(empty());
  // What was there before is no news to a screen reader.
  log.setAttribute("aria-busy", "true");
  log.replaceChildren(...made);
  requestAnimationFrame(() => log.removeAttribute("aria-busy"));
  dim();
}

function append(page, news) {
  const log = $("log");
  const end = atEnd();
  const before = page.lines.at(-2) ?? null;
  $(`p${news.id}`)?.remove();
  if (page.lines.at(-1) !== news || log.querySelector(".empty")) draw();
  else {
    const first = log.querySelector(".pending");
    const made = [message(news, before, me.key, press)];
    if (!before || day(before.at) !== day(news.at)) made.unshift(separator(news.at));
    for (const one of made) log.insertBefore(one, first);
    dim();
  }
  if (end || news.author === me.key) toEnd();
  else $("newest").hidden = false;
}

// In a match only the latest buttons are fresh; older ones still work but step back.
function dim() {
  if (!placeOf(current).thread) return;
  const rows = [...$("log").querySelectorAll(".choices")];
  rows.forEach((row, n) => row.classList.toggle("past", n < rows.length - 1));
}

function say(words) {
  const said = line.say(words);
  $("log").querySelector(".empty")?.remove();
  $("log").append(shownPending(said));
  toEnd();
}

function press(choice, where) {
  if (choice.blank) return composer.put(`${choice.command} `, choice.blank);
  say({ channel: where.channel, thread: where.thread, text: choice.command, pressed: choice.label });
}

function shownPending(said) {
  const made = pending(said, me.name);
  made.id = `p${said.id}`;
  return made;
}

function threadsHere(from) {
  const { channel, thread } = placeOf(current);
  if (thread) return [];
  return [...places.values()].filter((place) => place.channel === channel && place.thread && place.first >= from).sort((a, b) => a.first - b.first);
}

// A thread that begins, or whose turn passes on, while its channel is looked at.
function showOpening(place) {
  const log = $("log");
  if (!place.thread || current !== place.channel) return;
  const shown = [...log.querySelectorAll(".opening")].find((card) => card.hash === `#${keyOf(place)}`);
  const end = atEnd();
  if (shown) shown.replaceWith(opening(place));
  else if (place.first >= (pages.get(current).lines.at(-1)?.number ?? 0)) {
    log.querySelector(".empty")?.remove();
    log.insertBefore(opening(place), log.querySelector(".pending"));
  }
  if (end) toEnd();
}

function opening(place) {
  const mine = plays(place, me.key);
  return node("a", { class: mine ? "opening mine" : "opening", href: `#${keyOf(place)}` },
    node("span", { class: "name" }, `${titleOf(place)} ${place.game ? place.thread : ""}`), " ",
    node("span", { class: "players" }, place.players.map((player) => player.name).join(" – ")), " ",
    node("span", { class: "go" }, myTurn(place, me.key) ? "your turn →" : "open →"));
}

function earlier(before) {
  const button = node("button", { class: "earlier link", type: "button" }, "Earlier messages");
  button.addEventListener("click", () => {
    button.disabled = true;
    line.tell({ do: "open", ...placeOf(current), before });
  });
  return button;
}

function empty() {
  const place = places.get(current);
  if (place.thread) return node("div", { class: "empty" }, node("p", {}, "Nothing has been said here yet."));
  const words = node("div", {}, ...paragraphs(welcome, me.key));
  for (const code of words.querySelectorAll("code")) {
    const button = node("button", { type: "button", class: "suggestion" }, code.textContent);
    button.addEventListener("click", () => composer.put(button.textContent));
    code.replaceWith(button);
  }
  return node("div", { class: "empty" }, node("h2", {}, `Welcome, ${me.name}`), words);
}

// -- scrolling ---------------------------------------------------------------------------------------------------

function atEnd() {
  const box = $("scroll");
  return box.scrollHeight - box.scrollTop - box.clientHeight < 120;
}

function toEnd() {
  $("scroll").scrollTop = $("scroll").scrollHeight;
  $("newest").hidden = true;
}

$("newest").addEventListener("click", toEnd);
$("scroll").addEventListener("scroll", () => atEnd() && ($("newest").hidden = true), { passive: true });
// The box grows or a keyboard opens: the newest message stays in sight.
let stuck = true;
$("scroll").addEventListener("scroll", () => (stuck = atEnd()), { passive: true });
new ResizeObserver(() => stuck && toEnd()).observe($("scroll"));

// -- the side list -----------------------------------------------------------------------------------------------

$("found").addEventListener("submit", (event) => {
  event.preventDefault();
  const channel = $("found-name").value.trim();
  if (channel) line.tell({ do: "found", channel });
  $("found-name").value = "";
  closeSide();
});

$("side-open").addEventListener("click", () => {
  $("side").classList.add("open");
  $("shade").hidden = false;
  $("side-open").setAttribute("aria-expanded", "true");
  sideReach();
  $("side-close").focus();
});
$("side-close").addEventListener("click", () => closeSide());
$("shade").addEventListener("click", () => closeSide());
$("side").addEventListener("click", (event) => event.target.closest("a.place") && closeSide());
narrow.addEventListener("change", sideReach);
sideReach();

function closeSide() {
  if (!$("side").classList.contains("open")) return;
  $("side").classList.remove("open");
  $("shade").hidden = true;
  $("side-open").setAttribute("aria-expanded", "false");
  sideReach();
  $("side-open").focus();
}

function sideReach() {
  $("side").inert = narrow.matches && !$("side").classList.contains("open");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSide();
  if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const links = [...document.querySelectorAll("#side a.place")].filter((link) => link.offsetParent);
    const at = links.findIndex((link) => link.getAttribute("aria-current"));
    links.at((at + (event.key === "ArrowDown" ? 1 : -1)) % links.length).click();
  }
  // Whoever just types means the message box.
  const plain = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plain && me && !event.target.closest("input, textarea, dialog, button, a, summary")) $("words").focus();
});
