// The message box: it grows with its text, offers how a command may go on, and remembers what was typed.

import { node } from "/nodes.js";
import { t, tPlural } from "/texts.js";

const LONGEST = 8000;

export class Composer {
  // `send(text, quiet)` sends a message; `ask(turn, text)` asks for completions.
  constructor(send, ask) {
    this.send = send;
    this.ask = ask;
    this.words = document.getElementById("words");
    this.list = document.getElementById("completions");
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
      this.words.focus();
    });
    document.getElementById("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  put(text) {
    this.words.value = text;
    this.words.focus();
    this.words.setSelectionRange(text.length, text.length);
    this.changed();
  }

  refuse(because) {
    this.refusal.textContent = because;
  }

  whisper(on) {
    this.whispering = on;
    this.quiet.setAttribute("aria-pressed", String(on));
    this.words.placeholder = on ? t("Only Riposte will see this") : this.hint;
    this.words.classList.toggle("quiet", on);
  }

  // In another place what is half typed stays, but is no longer private.
  moved(hint) {
    this.hint = hint;
    this.whisper(false);
    this.refuse("");
    this.close();
  }

  offer(turn, texts) {
    if (turn !== this.turn || document.activeElement !== this.words) return;
    const useful = texts.filter((text) => text.trim() !== this.words.value.trim());
    if (!useful.length) return this.close();
    this.list.replaceChildren(...useful.map((text, n) => this.option(text, n)));
    this.list.hidden = false;
    this.choose(-1);
  }

  option(text, n) {
    const typed = this.words.value;
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
    this.list.hidden = true;
    this.list.replaceChildren();
    this.choose(-1);
  }

  changed() {
    this.refuse("");
    this.fit();
    this.close();
    const turn = this.turn;
    const text = this.words.value;
    clearTimeout(this.asking);
    if (text.length <= 400 && !text.includes("\n")) this.asking = setTimeout(() => this.ask(turn, text), 60);
  }

  fit() {
    if (CSS.supports("field-sizing", "content")) return; // the style sheet does it without measuring
    this.words.style.height = "auto";
    this.words.style.height = `${this.words.scrollHeight}px`;
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
    const browsing = this.words.value === "" || this.words.value === this.typed[this.recalled];
    if (!browsing || to < 0 || to > this.typed.length || this.words.value.includes("\n")) return false;
    return () => {
      this.recalled = to;
      this.words.value = this.typed[to] ?? "";
      this.fit();
      this.close();
    };
  }

  submit() {
    const text = this.words.value.trim();
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
    this.words.value = "";
    this.refuse("");
    this.fit();
    this.close();
    this.whisper(false);
  }
}
