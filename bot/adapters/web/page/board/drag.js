// What a finger or the mouse does on a board: a tap picks a place; a piece that is dragged follows, and is picked with the place on which it is let go.

const SLACK = 10; // pixels that a finger may slip in a tap

const slipped = (begun, event) => [event.clientX - begun.clientX, event.clientY - begun.clientY];

// Where a board lies in the window, and how large it is.
const lying = (svg) => [svg.getScreenCTM()].map(({ a, d, e, f }) => `${a} ${d} ${e} ${f}`).join();

const siteAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("svg.board [data-site]")?.dataset.site;

export class Drag {
  // `live(site)` says whether a place can be picked; `drop(from, to)` picks two, and is missing where nothing can be dragged.
  begin(event, svg, live, drop) {
    this.end();
    this.pressed = true;
    this.first = event.isPrimary && !event.button ? event : null;
    const site = siteAt(event);
    if (!drop || !this.first || !live(site)) return;
    const stop = new AbortController();
    this.held = { svg, site, drop, stop, lies: lying(svg), figure: svg.querySelector(`[data-standing="${CSS.escape(site)}"]`) };
    const heard = { signal: stop.signal, capture: true };
    const end = () => this.end();
    document.addEventListener("visibilitychange", end, heard); // where it is let go over another tab is not told
    addEventListener("resize", end, heard);
    svg.addEventListener("lostpointercapture", (other) => other.target === svg && end(), heard);
    addEventListener("contextmenu", (other) => this.cancel(other), heard);
    addEventListener("keydown", (other) => other.key === "Escape" && this.cancel(other), heard);
  }

  move(event) {
    if (!event.buttons) this.end(); // let go beside the board
    if (!this.held) return;
    const { svg, figure, lies, moved } = this.held;
    const [right, down] = slipped(this.first, event);
    if (!moved && Math.hypot(right, down) <= SLACK) return;
    if (lying(svg) !== lies) return this.end(); // another place lies under the finger
    if (!moved) svg.setPointerCapture(event.pointerId);
    this.held.moved = true;
    const scale = svg.getScreenCTM().a;
    if (figure) figure.style.translate = `${right / scale}px ${down / scale}px`;
  }

  // Returns whether it was a tap.
  lift(event) {
    const { moved, site, svg, lies, drop } = this.held ?? {};
    const tapped = !moved && event.pointerId === this.first?.pointerId && Math.hypot(...slipped(this.first, event)) <= SLACK;
    const to = siteAt(event);
    this.end();
    this.first = null;
    if (moved && to && to !== site && lying(svg) === lies) drop(site, to);
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
    this.held.stop.abort();
    if (this.held.moved) this.first = null; // lifted where it was put down, it has not tapped
    this.held = null;
  }
}
