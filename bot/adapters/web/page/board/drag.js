// What a finger or the mouse does on a board and with what lies beside it: a tap picks a place; a piece that is dragged follows, and is picked with the place on which it is let go.

const SLACK = 10; // pixels that a finger may slip in a tap

const slipped = (begun, event) => [event.clientX - begun.clientX, event.clientY - begun.clientY];

// Where a board lies in the window, and how large it is.
const lying = (svg) => [svg.getScreenCTM()].map(({ a, d, e, f }) => `${a} ${d} ${e} ${f}`).join();

const siteAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("svg.board [data-site]")?.dataset.site;

export class Drag {
  // `live(site)` says whether a place can be picked; `drop(from, to)` picks two, and is missing where nothing can be dragged.
  begin(event, svg, live, drop) {
    this.press(event);
    const site = siteAt(event);
    if (drop && this.first && live(site)) this.hold({ svg, from: site, drop, by: svg, figure: svg.querySelector(`[data-standing="${CSS.escape(site)}"]`) });
  }

  // What lies beside the board is picked by a key: a copy of it is dragged.
  take(event, key, svg, drop) {
    this.press(event);
    if (!this.first) return;
    const by = event.currentTarget;
    this.hold({ svg, from: key, drop, by, sample: by.querySelector(".sample") });
    by.setPointerCapture(event.pointerId); // it is small, and left at once
  }

  press(event) {
    this.end();
    this.pressed = true;
    this.spent = false;
    this.first = event.isPrimary && !event.button ? event : null;
  }

  hold(held) {
    const stop = new AbortController();
    this.held = { ...held, stop, lies: lying(held.svg) };
    const heard = { signal: stop.signal, capture: true };
    const end = () => this.end();
    document.addEventListener("visibilitychange", end, heard); // where it is let go over another tab is not told
    addEventListener("resize", end, heard);
    held.by.addEventListener("lostpointercapture", (other) => other.target === held.by && end(), heard);
    addEventListener("contextmenu", (other) => this.cancel(other), heard);
    addEventListener("keydown", (other) => other.key === "Escape" && this.cancel(other), heard);
  }

  move(event) {
    if (!event.buttons) this.end(); // let go beside the board
    if (!this.held) return;
    const { svg, by, figure, sample, lies, moved } = this.held;
    const [right, down] = slipped(this.first, event);
    if (!moved && Math.hypot(right, down) <= SLACK) return;
    if (lying(svg) !== lies) return this.end(); // another place lies under the finger
    if (!moved) by.setPointerCapture(event.pointerId);
    this.held.moved = true;
    const scale = svg.getScreenCTM().a;
    if (figure) figure.style.translate = `${right / scale}px ${down / scale}px`;
    if (sample) this.held.copy ??= copied(sample);
    if (sample) this.held.copy.style.translate = `${event.clientX}px ${event.clientY}px`;
  }

  // Returns whether it was a tap.
  lift(event) {
    const { moved, from, svg, lies, drop } = this.held ?? {};
    const tapped = !moved && event.pointerId === this.first?.pointerId && Math.hypot(...slipped(this.first, event)) <= SLACK;
    const to = siteAt(event);
    this.end();
    this.first = null;
    if (moved && to && to !== from && lying(svg) === lies) drop(from, to);
    return tapped;
  }

  // Whether a click is one of its own, as a screen reader makes it: what a finger or the mouse does has been heard when it was lifted. Soon after a drag a browser makes no click of a tap.
  clicks(event) {
    const own = !event.detail || !this.pressed;
    this.pressed = false;
    return own;
  }

  // What ends a drag does nothing else.
  cancel(event) {
    if (!this.held?.moved) return;
    event.preventDefault();
    event.stopPropagation();
    this.end();
  }

  end() {
    if (!this.held) return;
    if (this.held.figure) this.held.figure.style.translate = "";
    this.held.copy?.remove();
    this.held.stop.abort();
    this.spent = this.held.moved; // a button is clicked wherever it is let go
    if (this.held.moved) this.first = null; // lifted where it was put down, it has not tapped
    this.held = null;
  }
}

// What makes a piece beside the board one that can be dragged onto it: `drop(key, site)`.
export function carried(drag, key, drop) {
  return {
    onPointerDown: (event) => drag.take(event, key, document.querySelector("svg.board"), drop),
    onPointerMove: (event) => drag.move(event),
    onPointerUp: (event) => drag.lift(event),
    onPointerCancel: () => drag.end(),
    onClickCapture: (event) => drag.spent && event.detail && event.stopImmediatePropagation(),
  };
}

// In the colours of the board, above all that could cut it off.
function copied(sample) {
  const copy = document.createElement("div");
  copy.className = "carried";
  copy.dataset.theme = sample.closest("[data-theme]").dataset.theme;
  copy.append(sample.cloneNode(true));
  return document.body.appendChild(copy);
}
