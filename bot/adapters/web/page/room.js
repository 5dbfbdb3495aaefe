// The page's own state: which user, which place, and the messages there; everything else is in the other files.

import { answered, openChallenge, seated } from "/talk/challenge.js";
import { Challenges } from "/talk/challenges.js";
import { Composer } from "/talk/composer.js";
import { Connection } from "/connection.js";
import { askName, forget, remember } from "/entry.js";
import "/focus.js";
import { earlier, keepTrue, message, pending, separator, standOut } from "/talk/messages.js";
import { day, knowCommands, node, paragraphs } from "/talk/nodes.js";
import { showTalk, takeTurns, tell } from "/talk/turns.js";
import { drawPlaces, drawUsers, fillOpening, keyInAddress, keyOf, myTurn, nextDue, opening, placeOf, playersOf, seatsOf, titleOf, whoseTurn, withChanges } from "/lists/places.js";
import { heardPush, offerPush } from "/push.js";
import { showLink } from "/seats.js";
import { ring, showDue, theme } from "/settings.js";
import { closeSide, onCreate } from "/lists/side.js";
import { Table } from "/board/table.js";
import { sameLanguage, t, tNodes } from "/texts.js";

const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 48rem)");

let me = null;
let current = "";
let [welcome, origin] = [[], ""];
let people = [];
let asked = ""; // the place in the address, while it is not in the list
const PLACE = /^([a-z0-9][a-z0-9-]{0,31}|~)(\/[^/]{1,40})?$/; // ~ holds the matches that are played elsewhere
const places = new Map();
const pages = new Map(); // key -> { lines, more }

const connection = new Connection(receive, (open) => ($("connection").textContent = open ? "" : t("Reconnecting…")));
const composer = new Composer(
  (text, quiet) => say({ ...placeOf(current), text, quiet }),
  (turn, text) => connection.send({ do: "complete", turn, ...placeOf(current), text }),
);

const table = new Table($("table"), (request) => connection.send(request), (text, due, ask) => {
  const { channel, thread } = placeOf(current);
  say({ channel, thread, text: ask ? `secret ${thread} ${text}` : `move ${thread} @${due} ${text}`, pressed: text });
}, (choice) => {
  if (!choice.command.startsWith("challenge ")) return press(choice, placeOf(current));
  location.hash = placeOf(current).channel; // where it is answered
  return say({ channel: placeOf(current).channel, thread: "", text: choice.command });
}, (step) => history.replaceState(history.state, "", `#${current}${step && `/${step}`}`), stand);

const challenges = new Challenges((request) => connection.send(request), () => {
  const end = atEnd();
  stand();
  if (end) toEnd();
});

// -- entering ----------------------------------------------------------------------------------------------------

export function enter(name) {
  connection.enter(name);
}

$("leave").addEventListener("click", () => {
  sessionStorage.clear();
  location.reload();
});

onCreate((channel) => connection.send({ do: "create", channel }));
$("device-open").addEventListener("click", () => connection.send({ do: "link" }));
$("another").search = sameLanguage;

const others = () => people.filter((person) => person.key !== me.key);

$("challenge-open").addEventListener("click", () => {
  openChallenge(others(), theme(), (text) => say({ ...placeOf(current), text }));
});

// -- news ------------------------------------------------------------------------------------------------------

function receive(news) {
  switch (news.is) {
    case "rejected":
      connection.name = null;
      return askName(news.because);
    case "ended":
      return forget(me);
    case "entered":
      return entered(news);
    case "place":
      return described(news);
    case "seats":
      people = news.fresh ? seatsOf(news) : withChanges(people, seatsOf(news));
      seated(others());
      return drawUsers(people, me.key);
    case "message":
      return arrived(news);
    case "page":
      return turned(news);
    case "completions":
      return composer.offer(news.turn, news.texts);
    case "offers":
      return challenges.answer(news);
    case "board":
      return table.answer(news);
    case "link":
      return showLink(`${origin}/enter${sameLanguage}#${news.token}`);
    case "told":
      return heardPush(news);
    case "created":
      return void (location.hash = news.channel);
    case "refused":
      return refused(news);
  }
}

function described(news) {
  const before = places.get(keyOf(news));
  if (myTurn(news, me.key) && !(before && myTurn(before, me.key))) ring();
  places.set(keyOf(news), { unread: before?.unread ?? false, ...news });
  if (keyOf(news) === asked) return go(placeInAddress());
  if (keyOf(news) === current && news.channel === "~") table.look(); // nothing is said here
  return placesChanged(keyOf(news));
}

function entered(news) {
  me = news.user;
  connection.name = me.name;
  welcome = news.welcome;
  origin = news.origin || location.origin;
  knowCommands(news.commands);
  remember(me.name);
  $("me").replaceChildren(...tNodes("You sit as {name}.", { name: node("strong", {}, me.name) }));
  places.clear();
  for (const place of news.places) places.set(keyOf(place), place);
  if (news.fresh) pages.clear();
  $("entry").hidden = true;
  $("room").hidden = false;
  offerPush(news.push, connection, places);
  go(placeInAddress(), true);
}

function arrived(news) {
  connection.settled(news.id);
  answered(news);
  const key = keyOf(news);
  const page = pages.get(key);
  if (page && !page.lines.some((one) => one.number === news.number)) {
    page.lines.push(news);
    page.lines.sort((a, b) => a.number - b.number);
    if (key === current) {
      append(page, news);
      tell(news, me.key);
    }
  }
  const place = places.get(key);
  if (place && news.author !== me.key && !(key === current && !document.hidden)) {
    place.unread = true;
    placesChanged(key);
  }
  if (key === current) {
    read();
    if (news.author === "") table.look();
  }
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
  const sent = connection.settled(news.id);
  $(`p${news.id}`)?.remove();
  composer.refuse(news.because);
  if (sent && !sent.pressed && !composer.text.trim()) {
    composer.put(sent.text);
    composer.refuse(news.because);
  }
}

// -- going somewhere ---------------------------------------------------------------------------------------------

addEventListener("hashchange", () => me && go(placeInAddress()));
document.addEventListener("visibilitychange", () => document.hidden || read());

function placeInAddress() {
  const key = keyInAddress();
  asked = !places.has(key) && PLACE.test(key) ? key : "";
  if (asked) connection.send({ do: "open", ...placeOf(asked) }); // the list may have been too long for it
  return places.has(key) ? key : "lounge";
}

const stepInAddress = () => location.hash.split("/")[2] ?? "";

function go(key, again = false) {
  if (key === current && !again) return table.goTo(stepInAddress());
  const moved = key !== current;
  current = key;
  const place = places.get(key);
  if (moved) composer.moved(place.channel === "~" ? t("Turn or command, for Riposte alone") : place.thread ? t("Turn or command") : t("Message or command"), `riposte.words.${me.key}.${key}`);
  $("challenge-open").hidden = Boolean(place.thread);
  if (moved) showTalk(false);
  if (!place.thread) table.leave();
  else if (moved) table.enter(placeOf(key), me.key, stepInAddress());
  else table.look();
  closeSide();
  placesChanged(key);
  if (pages.has(key)) {
    draw();
    if (moved) toEnd();
    read();
  } else {
    $("log").replaceChildren();
    connection.send({ do: "open", ...placeOf(key) });
  }
  // On a phone the box would bring up the keyboard. Whoever is connected again stays where they are.
  if (moved || !$("room").contains(document.activeElement)) $(narrow.matches ? "title" : "words").focus({ preventScroll: true });
}

function placesChanged(key) {
  drawPlaces(places, me.key, current);
  const all = [...places.values()];
  const due = all.filter((place) => myTurn(place, me.key)).length;
  const next = nextDue(places, me.key, current);
  $("next").hidden = !next;
  if (next) $("next").hash = keyOf(next);
  const place = places.get(current);
  $("side-dot").hidden = !all.some((other) => other !== place && (other.unread || myTurn(other, me.key)));
  $("title").textContent = titleOf(place);
  $("subtitle").replaceChildren(...(place.thread ? subtitle(place) : []));
  showDue(due, `${titleOf(place)} · Riposte`);
  if (pages.has(current)) showOpening(places.get(key));
}

function subtitle(place) {
  const turn = whoseTurn(place, me.key);
  const parts = [playersOf(place, me.key), turn && node("span", { class: myTurn(place, me.key) ? "turn" : "" }, turn)].filter(Boolean);
  const number = node("span", { class: "number" }, `${parts.length ? " · " : ""}${t("match {number}", { number: place.thread })}`);
  return [...parts.flatMap((part, n) => (n ? [" · ", part] : [part])), number];
}

function read() {
  const page = pages.get(current);
  const place = places.get(current);
  const last = page?.lines.at(-1);
  if (document.hidden || !last || page.read === last.number) return;
  page.read = last.number;
  connection.send({ do: "read", ...placeOf(current), number: last.number });
  if (place.unread) {
    place.unread = false;
    placesChanged(current);
  }
}

// -- the messages ------------------------------------------------------------------------------------------------

function draw() {
  const { lines, more } = pages.get(current);
  const log = $("log");
  const waiting = [...connection.waiting.values()].filter((one) => keyOf(one) === current);
  const made = [];
  if (more) made.push(earlier(() => connection.send({ do: "open", ...placeOf(current), before: lines[0].number })));
  let before = null;
  const openings = threadsHere(more ? lines[0].number : 0);
  for (const one of lines) {
    while (openings.length && openings[0].first < one.number) made.push(opening(openings.shift(), me.key));
    if (!before || day(before.at) !== day(one.at)) made.push(separator(one.at));
    made.push(message(one, before, me.key, press));
    before = one;
  }
  made.push(...openings.map((place) => opening(place, me.key)));
  made.push(...waiting.map(shownPending));
  if (!lines.length && !made.length) made.push(empty());
  // A screen reader need not read out what was there before.
  log.setAttribute("aria-busy", "true");
  const held = log.contains(document.activeElement);
  log.replaceChildren(...made);
  if (held) $("scroll").focus({ preventScroll: true });
  requestAnimationFrame(() => log.removeAttribute("aria-busy"));
  stand(true);
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
    stand(news.author === "");
  }
  if (end || news.author === me.key) toEnd();
  else $("newest").hidden = false;
}

// In a match only those buttons stand that the board offers too, in a channel those of challenges that wait for the reader.
function stand(asks = false) {
  const place = placeOf(current);
  if (asks && !place.thread) challenges.look($("log"), place);
  if (!keepTrue($("log"), place.thread ? table : challenges)) $("scroll").focus({ preventScroll: true });
  if (place.thread) standOut($("log"));
}

function say(message) {
  const sent = connection.say(message);
  $("log").querySelector(".empty")?.remove();
  $("log").append(shownPending(sent));
  toEnd();
}

function press(choice, where) {
  if (choice.blank) return composer.put(`${choice.command} `, choice.blank);
  say({ channel: where.channel, thread: where.thread, text: choice.command, pressed: choice.label });
}

function shownPending(sent) {
  const made = pending(sent, me.name);
  made.id = `p${sent.id}`;
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
  if (shown) fillOpening(shown, place, me.key); // it stays: a finger may be on it
  else if (place.first >= (pages.get(current).lines.at(-1)?.number ?? 0)) {
    log.querySelector(".empty")?.remove();
    log.insertBefore(opening(place, me.key), log.querySelector(".pending"));
  }
  if (end) toEnd();
}

function empty() {
  const place = places.get(current);
  if (place.thread) return node("div", { class: "empty" }, node("p", {}, t("Nothing has been said here yet.")));
  return node("div", { class: "empty" }, node("h2", {}, t("Welcome, {name}", { name: me.name })), node("div", {}, ...paragraphs(welcome, me.key)));
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
takeTurns(() => {
  table.draw();
  toEnd();
});
// The box grows or a keyboard opens: the newest message stays in sight.
let stuck = true;
$("scroll").addEventListener("scroll", () => {
  stuck = atEnd();
  if (stuck) $("newest").hidden = true;
}, { passive: true });
new ResizeObserver(() => stuck && toEnd()).observe($("scroll"));

$("log").addEventListener("click", (event) => {
  const command = event.target.closest("button.put");
  if (command) composer.put(command.textContent);
});

// -- keys --------------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    const links = [...document.querySelectorAll("#side a.place")].filter((link) => link.offsetParent);
    const at = links.findIndex((link) => link.getAttribute("aria-current"));
    links.at((at + (event.key === "ArrowDown" ? 1 : -1)) % links.length).click();
  }
  // Typing anywhere goes to the message box.
  const plain = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plain && me && !event.target.closest("input, textarea, dialog, button, a, summary")) $("words").focus();
});
