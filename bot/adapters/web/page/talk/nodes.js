// Turns what the room sends into nodes. Words only ever become text, never markup.

import { language, once, t } from "/texts.js";

export function node(tag, properties = {}, ...children) {
  const { class: className, ...rest } = properties;
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [name, value] of Object.entries(rest)) {
    if (value === false || value === undefined) continue;
    if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const COMMANDS = new Set();

// What begins with one of these words can be pressed into the message box.
export function knowCommands(words) {
  for (const word of words) COMMANDS.add(word);
}

// One paragraph a line; `me` is the reader's key: being mentioned stands out.
export function paragraphs(text, me) {
  const made = [node("p")];
  for (const span of text) {
    if (typeof span === "string") {
      const [first, ...others] = span.split("\n");
      made.at(-1).append(...closed(made.at(-1), first));
      made.push(...others.map((line) => node("p", {}, line)));
    } else if (span.code?.includes("\n")) made.push(sheet(span.code), node("p"));
    else made.at(-1).append(inline(span, me));
  }
  return made.filter((line) => line.textContent);
}

// What can be pressed is a box, and a line might break behind it: the full stop stays with it.
function closed(paragraph, words) {
  const box = paragraph.lastChild;
  const [stop] = words.match(/^[.,;:!?)]+/) ?? [""];
  if (!stop || !box?.querySelector?.(".put")) return [words];
  return [node("span", { class: "closed" }, box, stop), words.slice(stop.length)];
}

function inline(span, me) {
  if ("person" in span) return node("bdi", { class: span.person === me ? "person mine" : "person" }, span.person.startsWith("former:") ? t("former player") : span.name);
  if ("code" in span) return node("code", {}, COMMANDS.has(span.code.split(" ")[0]) ? node("button", { type: "button", class: "put" }, span.code) : span.code);
  if ("link" in span) return node("a", { class: "page", href: span.link }, span.link);
  if ("strong" in span) return node("strong", {}, span.strong);
  return relative(span.when);
}

// Several lines of notation, with a button that copies them.
function sheet(text) {
  const copy = node("button", { class: "link", type: "button" }, t("Copy"));
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = t("Copied");
  });
  return node("div", { class: "sheet" }, node("pre", {}, node("code", {}, text)), copy);
}

export function mentions(text, me) {
  return text.some((span) => span.person === me);
}

const SPELLED = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" }));
const CLOCK = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }));
const DAY = once(() => new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }));
const AGO = once(() => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
const UNITS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]];

export function distance(at) {
  const seconds = (at - Date.now()) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return AGO().format(Math.round(seconds / length), unit);
  }
  return seconds < 0 ? t("just now") : t("in less than a minute");
}

function relative(at) {
  const date = new Date(at);
  return node("time", { class: "relative", datetime: date.toISOString(), title: SPELLED().format(date) }, distance(at));
}

setInterval(() => {
  for (const time of document.querySelectorAll("time.relative")) {
    const now = distance(Date.parse(time.dateTime));
    if (time.textContent !== now) time.textContent = now;
  }
}, 20000);

export function clock(at) {
  const date = new Date(at);
  return node("time", { datetime: date.toISOString(), title: SPELLED().format(date) }, CLOCK().format(date));
}

export function day(at) {
  const date = new Date(at);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86400000);
  return days === 0 ? t("Today") : days === 1 ? t("Yesterday") : DAY().format(date);
}
