// The messages of one place: author, words, board and buttons.

import { followTheme, theme } from "/settings.js";
import { clock, day, mentions, node, paragraphs } from "/talk/nodes.js";
import { t, tNodes } from "/texts.js";

const enlarged = document.getElementById("enlarged");
enlarged.addEventListener("click", () => enlarged.close());
// Back closes the picture, and closing it is one step back: what lies before stays where it was.
addEventListener("popstate", () => enlarged.open && enlarged.close());
enlarged.addEventListener("close", () => history.state?.picture && history.back());

// `before` is the message above it, `press(choice, message)` what a button does.
export function message(line, before, me, press) {
  const { body } = line;
  const bot = line.author === "";
  const mine = line.author === me;
  const follows = before && before.author === line.author && before.whisper === line.whisper
    && line.at - before.at < 300000 && day(before.at) === day(line.at) && !before.body.pressed;
  const classes = ["message", bot ? "bot" : "person-line", mine && "mine", line.whisper && "whisper", follows && "follows",
    !mine && mentions(body.text, me) && "mention", body.pressed && "pressed"];
  const made = node("article", { class: classes.filter(Boolean).join(" "), id: `m${line.number}` });
  if (body.pressed) {
    made.append(node("p", {}, ...tNodes("You pressed {label}", { label: node("strong", {}, body.pressed) })));
    return made;
  }
  const head = node("header", {}, node("bdi", { class: "author" }, line.name), clock(line.at));
  if (line.whisper) head.append(node("span", { class: "only" }, t("only you see this")));
  made.append(head);
  const filed = body.file ? body.text.find((span) => span.code)?.code ?? "" : "";
  if (filed) made.append(download(body.file, filed));
  if (body.text.length && filed.length < LONGEST_SHOWN) made.append(node("div", { class: "words", dir: "auto" }, ...paragraphs(body.text, me)));
  if (body.picture) made.append(picture(body.picture));
  if (body.choices) made.append(choices(body.choices, line, press));
  return made;
}

// Read aloud once it is said.
export function pending(say, name) {
  if (say.pressed) {
    const words = tNodes("You press {label}", { label: node("strong", {}, say.pressed) });
    return node("article", { class: "message pressed pending", "aria-live": "off" }, node("p", {}, ...words));
  }
  return node("article", { class: "message person-line mine pending", "aria-live": "off" },
    node("header", {}, node("bdi", { class: "author" }, name), node("span", { class: "only" }, t("sending…"))),
    node("div", { class: "words", dir: "auto" }, ...paragraphs([say.text])));
}

export function separator(at) {
  return node("div", { class: "day", role: "separator" }, node("time", { datetime: new Date(at).toISOString() }, day(at)));
}

// Characters of a file that are shown beside the link to it: what may be wanted in the clipboard.
const LONGEST_SHOWN = 4000;

// A file that the message holds: it is made here, and saved from here.
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  return node("div", { class: "words" }, node("p", {}, node("a", { class: "page", href: address, download: name }, name)));
}

function picture({ source, alt, width, height }) {
  const words = node("p", { class: "alt" }, alt);
  if (!source) return node("div", { class: "picture" }, words);
  const image = node("img", { alt, src: themed(source), "data-source": source, decoding: "async" });
  if (width) [image.width, image.height] = [width, height];
  const open = node("button", { class: "enlarge", type: "button", title: t("Enlarge") }, image);
  open.addEventListener("click", () => enlarge(image, alt));
  const figure = node("figure", { class: "picture" }, open);
  // Old pictures make room for new ones; their words stay.
  image.addEventListener("error", () => {
    words.hidden = false;
    figure.replaceChildren(words);
  });
  if (alt) {
    words.hidden = true;
    const tell = node("button", { class: "link", type: "button", "aria-expanded": "false" }, t("In words"));
    tell.addEventListener("click", () => {
      words.hidden = !words.hidden;
      tell.setAttribute("aria-expanded", String(!words.hidden));
    });
    figure.append(node("figcaption", {}, tell, words));
  }
  return figure;
}

// In the colours of the boards, whatever those are.
const themed = (source) => `${source}?theme=${theme()}`;
followTheme(() => {
  for (const image of document.querySelectorAll("img[data-source]")) image.src = themed(image.dataset.source);
});

function enlarge({ src }, alt) {
  const image = enlarged.querySelector("img");
  image.src = src;
  image.alt = alt;
  enlarged.querySelector("p").textContent = alt;
  history.pushState({ picture: true }, "");
  enlarged.showModal();
}

function choices(list, line, press) {
  const row = node("div", { class: "choices", role: "group", "aria-label": t("Choices") });
  for (const choice of list) {
    const button = node("button", { type: "button", title: choice.command }, choice.label);
    button.addEventListener("click", () => {
      // A second press within a moment is more often a slip of the finger.
      if (button.ariaDisabled === "true") return;
      for (const other of row.children) other.ariaDisabled = "true";
      setTimeout(() => [...row.children].forEach((other) => (other.ariaDisabled = null)), 1500);
      press(choice, line);
    });
    row.append(button);
  }
  return row;
}

// Of buttons that do the same one stands: the last of these, the first of those, which nobody's acceptance takes from under a finger.
const LAST = /^(call|ok|secret|rematch) /;
const FIRST = /^(accept|decline) /;

// Hides what the reader could not press now, as the board tells, or the room of challenges.
// Returns whether the focus has stayed where it was.
export function keepTrue(log, board) {
  const held = document.activeElement;
  const buttons = [...log.querySelectorAll(".choices button")];
  for (const button of buttons) button.hidden = !board.offers(button.title);
  const stand = new Set();
  for (const [once, list] of [[FIRST, buttons], [LAST, [...buttons].reverse()]]) {
    for (const button of list) {
      if (button.hidden || !once.test(button.title)) continue;
      button.hidden = stand.has(button.title);
      stand.add(button.title);
    }
  }
  return !held.hidden;
}

// In a match the latest buttons that are left stand out.
export function standOut(log) {
  const rows = [...log.querySelectorAll(".choices:has(:not([hidden]))")];
  rows.forEach((row, n) => row.classList.toggle("past", n < rows.length - 1));
}

// `ask()` asks for the messages before those that are shown.
export function earlier(ask) {
  const button = node("button", { class: "earlier link", type: "button" }, t("Earlier messages"));
  button.addEventListener("click", () => {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true"; // a disabled one would lose the focus
    ask();
  });
  return button;
}
