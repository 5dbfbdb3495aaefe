// The list beside the messages: whose turn it is where, and what is new.

import { node } from "/talk/nodes.js";
import { listed, t } from "/texts.js";

export const keyOf = ({ channel, thread }) => (thread ? `${channel}/${thread}` : channel);

export const placeOf = (key) => {
  const [channel, thread = ""] = key.split("/");
  return { channel, thread };
};

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// The place that the address names; anybody can have made it up.
export function keyInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1)).split("/").slice(0, 2).join("/");
  } catch {
    return "";
  }
}

export const titleOf = (place) => (place.thread ? (place.game ? capital(place.game) : t("Match {number}", { number: place.thread })) : `# ${place.channel}`);

export const myTurn = (place, me) => !place.over && place.to_act.includes(me);

export const plays = (place, me) => place.players.some((player) => player.key === me);

export function whoseTurn(place, me) {
  if (place.over) return t("over");
  if (myTurn(place, me)) return t("your turn");
  const names = place.players.filter((player) => place.to_act.includes(player.key)).map((player) => player.name);
  return names.length ? t("{names} to move", { names: listed(names) }) : "";
}

export function playersOf(place, me) {
  const others = place.players.filter((player) => player.key !== me);
  if (others.length === place.players.length) return others.map((player) => player.name).join(" – ");
  return others.length ? t("with {names}", { names: listed(others.map((player) => player.name)) }) : t("against yourself");
}

// Those first that wait for the reader, of these whose time runs out first; then the newest.
const urgency = (me) => (a, b) => myTurn(b, me) - myTurn(a, me) || (myTurn(a, me) && (a.due || Infinity) - (b.due || Infinity)) || b.first - a.first;

// The match other than the one looked at that waits most urgently.
export function nextDue(places, me, current) {
  return [...places.values()].filter((place) => myTurn(place, me) && keyOf(place) !== current).sort(urgency(me))[0];
}

// Draws the whole list anew; it is never long.
export function drawPlaces(places, me, current) {
  const all = [...places.values()];
  const threads = all.filter((place) => place.thread);
  const live = threads.filter((place) => !place.over);
  const newestFirst = (a, b) => b.first - a.first;
  fill("channels", all.filter((place) => !place.thread), me, current);
  fill("mine", live.filter((place) => plays(place, me)).sort(urgency(me)), me, current);
  fill("others", live.filter((place) => !plays(place, me)).sort(newestFirst), me, current);
  fill("over", threads.filter((place) => place.over).sort(newestFirst), me, current);
}

// What a channel shows of a match that was begun in it.
export function opening(place, me) {
  const made = node("a", { href: `#${keyOf(place)}` });
  fillOpening(made, place, me);
  return made;
}

export function fillOpening(card, place, me) {
  card.className = plays(place, me) ? "opening mine" : "opening";
  card.replaceChildren(
    node("span", { class: "name" }, `${titleOf(place)} ${place.game ? place.thread : ""}`), " ",
    node("span", { class: "players" }, place.players.map((player) => player.name).join(" – ")), " ",
    node("span", { class: "go" }, `${myTurn(place, me) ? t("your turn") : t("open")} →`));
}

// The people known so far, and those who have come or gone since.
// Those who sit in the room, as the news of them lists them: [key, name].
export function seatsOf(news) {
  const listed = (seats, here) => seats.map(([key, name]) => ({ key, name, here }));
  return [...listed(news.here, true), ...listed(news.away, false)].sort((a, b) => a.name.localeCompare(b.name));
}

export function withChanges(people, changed) {
  const keys = new Set(changed.map((one) => one.key));
  return [...people.filter((one) => !keys.has(one.key)), ...changed].sort((a, b) => a.name.localeCompare(b.name));
}

export function drawUsers(users, me) {
  const shown = users.filter((user) => user.here || user.key !== me);
  document.getElementById("users").replaceChildren(...shown.map((user) => {
    const note = user.key === me ? t("you") : user.here ? t("here") : "";
    return node("li", { class: user.here ? "user here" : "user" }, node("bdi", {}, user.name), node("span", { class: "note" }, note));
  }));
}

function fill(id, places, me, current) {
  const list = document.getElementById(id);
  const focused = list.contains(document.activeElement) ? document.activeElement.hash : null;
  list.parentElement.hidden = id !== "channels" && !places.length;
  list.replaceChildren(...places.map((place) => node("li", {}, entry(place, me, current))));
  if (focused) [...list.querySelectorAll("a")].find((link) => link.hash === focused)?.focus();
}

function entry(place, me, current) {
  const key = keyOf(place);
  const classes = ["place", place.unread && "unread", place.thread && "match", myTurn(place, me) && "turn"].filter(Boolean);
  const link = node("a", { href: `#${key}`, class: classes.join(" "), "aria-current": key === current && "page" });
  if (place.thread) {
    link.append(
      node("span", { class: "mark", "aria-hidden": "true" }),
      node("span", { class: "name" }, titleOf(place), " ", node("span", { class: "note" }, place.game ? place.thread : "")),
      node("span", { class: "players" }, playersOf(place, me), ...turnIn(place, me)),
    );
  } else {
    link.append(node("span", { class: "mark", "aria-hidden": "true" }, "#"), node("span", { class: "name" }, place.channel));
  }
  if (place.unread) link.append(node("span", { class: "dot" }, node("span", { class: "hidden" }, ", ", t("new messages"))));
  return link;
}

// Only the reader's own turn is seen in words; the others' are read aloud by screen readers.
function turnIn(place, me) {
  const turn = whoseTurn(place, me);
  if (!turn) return [];
  return myTurn(place, me) ? [" · ", node("strong", {}, turn)] : [node("span", { class: "hidden" }, ", ", turn)];
}
