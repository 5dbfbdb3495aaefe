// The message box: it grows with its text, offers how a command may go on, and remembers what was typed.
// It is an editable element: a text area may not be a combobox, and an input would lose the line breaks of what is pasted.

import { node } from "/talk/nodes.js";
import { t, tPlural } from "/texts.js";

const LONGEST = 8000;

export class Composer {
  // `send(text, quiet)` sends a message; `ask(turn, text)` asks for completions.
  constructor(send, ask) {
    this.send = send;
    this.ask = ask;
    this.words = document.getElementById("words");
    this.list = document.getElementById("completions");
    this.count = document.getElementById("offers");
    this.quiet = document.getElementById("quiet");
    this.refusal = document.getElementById("refusal");
    this.turn = 0;
    this.chosen = -1;
    this.typed = [];
    this.recalled = 0;
    this.words.addEventListener("input", () => this.changed());
    this.words.addEventListener("keydown", (event) => this.key(event));
    this.words.addEventListener("blur", () => this.close());
    this.quiet.addEventListener("click", () => {
      this.whisper(!this.whispering);
      this.keep();
      this.words.focus();
    });
    document.getElementById("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  // What is pasted may come as an element for each line.
  get text() {
    return [...this.words.childNodes].map((part) => ({ DIV: "\n", BR: "\n" }[part.nodeName] ?? "") + part.textContent).join("");
  }

  // The cursor stands behind it.
  set text(text) {
    this.words.textContent = text;
    if (text && document.activeElement === this.words) getSelection().selectAllChildren(this.words), getSelection().collapseToEnd();
  }

  put(text) {
    this.words.focus();
    this.text = text;
    this.changed();
  }

  refuse(because) {
    this.refusal.textContent = because;
  }

  whisper(on) {
    this.whispering = on;
    this.quiet.setAttribute("aria-pressed", String(on));
    this.words.dataset.hint = on ? t("Only Riposte will see this") : this.hint;
    this.words.classList.toggle("quiet", on);
  }

  // What is half typed stays in its place, under the key `draft` in this browser, and as private as it was.
  moved(hint, draft) {
    [this.hint, this.draft] = [hint, draft];
    const { text = "", quiet = false } = kept(draft);
    this.text = text;
    this.whisper(quiet);
    this.refuse("");
    this.close();
  }

  keep() {
    if (this.text.trim()) localStorage.setItem(this.draft, JSON.stringify({ text: this.text, quiet: this.whispering }));
    else localStorage.removeItem(this.draft);
  }

  offer(turn, texts) {
    if (turn !== this.turn || document.activeElement !== this.words) return;
    const useful = texts.filter((text) => text.trim() !== this.text.trim());
    if (!useful.length) return this.close();
    this.list.replaceChildren(...useful.map((text, n) => this.option(text, n)));
    this.open(true);
    this.choose(-1);
  }

  // Whoever does not see the list hears how long it is.
  open(on) {
    this.list.hidden = !on;
    this.words.setAttribute("aria-expanded", String(on));
    const count = this.list.children.length;
    this.count.textContent = on ? tPlural("{count} suggestion", "{count} suggestions", { count }) : "";
  }

  option(text, n) {
    const typed = this.text;
    const rest = text.startsWith(typed) ? [node("span", { class: "typed" }, typed), text.slice(typed.length)] : [text];
    const made = node("li", { role: "option", id: `completion-${n}`, "aria-selected": "false", "data-text": text }, ...rest);
    // Before the box loses the focus.
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.put(text);
    });
    return made;
  }

  choose(n) {
    const options = [...this.list.children];
    this.chosen = n < options.length ? n : -1;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.chosen)));
    const option = options[this.chosen];
    if (option) this.words.setAttribute("aria-activedescendant", option.id);
    else this.words.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.turn++;
    this.list.replaceChildren();
    this.open(false);
    this.choose(-1);
  }

  changed() {
    this.refuse("");
    if (["\n", ""].includes(this.text)) this.text = ""; // browsers leave a line break behind
    this.close();
    this.keep();
    const turn = this.turn;
    const text = this.text;
    clearTimeout(this.asking);
    if (text.length <= 400 && !text.includes("\n")) this.asking = setTimeout(() => this.ask(turn, text), 60);
  }

  key(event) {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const open = !this.list.hidden;
    const act = {
      ArrowDown: open && (() => this.choose(this.chosen + 1)),
      ArrowUp: open ? () => this.choose(this.chosen < 0 ? this.list.children.length - 1 : this.chosen - 1) : this.recall(-1),
      Escape: open && (() => this.close()),
      Tab: open && !event.shiftKey && (() => this.put(this.list.children[Math.max(this.chosen, 0)].dataset.text)),
      Enter: !event.shiftKey && (() => (open && this.chosen >= 0 ? this.put(this.list.children[this.chosen].dataset.text) : this.submit())),
    }[event.key];
    const past = !open && event.key === "ArrowDown" && this.recall(1);
    if (act || past) {
      event.preventDefault();
      (act || past)();
    }
  }

  // Arrow up in an empty box brings back what was sent.
  recall(step) {
    const to = this.recalled + step;
    const browsing = this.text === "" || this.text === this.typed[this.recalled];
    if (!browsing || to < 0 || to > this.typed.length || this.text.includes("\n")) return false;
    return () => {
      this.recalled = to;
      this.text = this.typed[to] ?? "";
      this.close();
    };
  }

  submit() {
    const text = this.text.trim();
    if (!text) return;
    if (text.length > LONGEST) {
      this.refuse(tPlural(
        "The message has {count} character; the room takes {most}, so send it in parts.",
        "The message has {count} characters; the room takes {most}, so send it in parts.",
        { count: text.length, most: LONGEST },
      ));
      return;
    }
    this.send(text, this.whispering);
    this.typed.push(text);
    this.recalled = this.typed.length;
    this.text = "";
    this.keep();
    this.refuse("");
    this.close();
    this.whisper(false);
  }
}

function kept(draft) {
  try {
    return JSON.parse(localStorage.getItem(draft)) ?? {};
  } catch {
    return {}; // none that can be read
  }
}
