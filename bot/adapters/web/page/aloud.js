// For whoever hears the page: what `look` tells of the place on the board that keys or a screen reader have come to.

const REST = 200; // milliseconds in which one walks on and asks for nothing

export class Aloud {
  // `look(site)` asks for it; it is said by the page's own status, which is not a part of the board.
  constructor(board, look) {
    this.look = look;
    this.said = document.getElementById("place");
    board.addEventListener("focusin", ({ target }) => this.reach(target));
    board.addEventListener("focusout", () => this.reach(null));
  }

  reach(part) {
    clearTimeout(this.due);
    this.said.textContent = "";
    this.site = part?.matches(".place-cell:focus-visible") ? part.dataset.site : null; // who taps a place sees it
    if (this.site) this.due = setTimeout(() => this.look(this.site), REST);
  }

  hear({ site, told }) {
    if (site === this.site) this.say(told);
  }

  say(words) {
    this.said.textContent = words;
  }
}
