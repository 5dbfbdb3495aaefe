// Which part of a board is seen: pinched, turned by the wheel, pushed with a finger or mouse, or by the buttons beside it.

import { t } from "/texts.js";
import { html } from "/vendor/preact-htm.js";

const MOST = 5;
const SLACK = 10; // pixels that a finger may slip in a tap

export class Zoom {
  // `changed()` is called whenever another part is to be seen.
  constructor(changed) {
    this.changed = changed;
    this.fingers = new Map();
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.fingers.clear(); // a board that goes takes what is lifted later
    this.middle = { x: 0.5, y: 0.5 }; // as shares of the board
    this.dragged = false;
  }

  box({ width, height, cells }) {
    [this.size, this.cells] = [{ width, height }, cells];
    const [wide, high] = [width / this.zoom, height / this.zoom];
    return `${this.middle.x * width - wide / 2} ${this.middle.y * height - high / 2} ${wide} ${high}`;
  }

  to(zoom, at = this.middle) {
    const next = Math.max(1, Math.min(MOST, zoom));
    const share = this.zoom / next; // what lies under the finger stays there
    this.middle = { x: at.x + (this.middle.x - at.x) * share, y: at.y + (this.middle.y - at.y) * share };
    this.zoom = next;
    this.settle();
  }

  // A place that is walked to is seen.
  show(cell) {
    this.reveal(cell);
    this.settle();
  }

  reveal({ x, y, radius }) {
    const [half, at] = [0.5 / this.zoom, { x, y }];
    for (const [axis, size] of [["x", this.size.width], ["y", this.size.height]]) {
      const [place, room] = [at[axis] / size, half - radius / size];
      this.middle[axis] = Math.max(place - room, Math.min(place + room, this.middle[axis]));
    }
  }

  // No farther than the board's edge; where that has empty corners, the nearest place stays in sight.
  settle() {
    const half = 0.5 / this.zoom;
    for (const axis of ["x", "y"]) this.middle[axis] = Math.max(half, Math.min(1 - half, this.middle[axis]));
    const { width, height } = this.size;
    const far = ({ x, y }) => Math.hypot(x - this.middle.x * width, y - this.middle.y * height);
    this.reveal(this.cells.reduce((one, other) => (far(other) < far(one) ? other : one)));
    this.changed();
  }

  // Listens to a board, and gives back what stops that.
  follow(svg) {
    const point = (event) => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return { x: x / this.size.width, y: y / this.size.height };
    };
    const down = (event) => {
      if (event.isPrimary) this.fingers.clear();
      this.fingers.set(event.pointerId, event);
      this.start = event;
      this.dragged = !event.isPrimary; // two fingers do not tap
    };
    const move = (event) => {
      const last = this.fingers.get(event.pointerId);
      if (!last) return;
      const [first, second] = [...this.fingers.values()];
      this.fingers.set(event.pointerId, event);
      if (second) {
        const other = last === first ? second : first;
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        this.dragged = true;
        this.to((this.zoom * apart(event)) / (apart(last) || 1), point({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }));
      } else if (this.zoom > 1 && (this.dragged || Math.hypot(event.clientX - this.start.clientX, event.clientY - this.start.clientY) > SLACK)) {
        this.dragged = true;
        const [from, to] = [point(last), point(event)];
        this.middle = { x: this.middle.x + from.x - to.x, y: this.middle.y + from.y - to.y };
        this.settle();
      }
    };
    const up = (event) => this.fingers.delete(event.pointerId);
    const wheel = (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.to(this.zoom * Math.exp(-event.deltaY / 200), point(event));
    };
    const heard = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: up, wheel };
    for (const [name, act] of Object.entries(heard)) svg.addEventListener(name, act, { passive: false });
    return () => Object.entries(heard).forEach(([name, act]) => svg.removeEventListener(name, act));
  }
}

export function Zooms({ view }) {
  return html`<div class="zooms"><button type="button" aria-label=${t("Smaller")} disabled=${view.zoom <= 1} onClick=${() => view.to(view.zoom / 1.8)}>−</button>
    <button type="button" aria-label=${t("Larger")} onClick=${() => view.to(view.zoom * 1.8)}>+</button></div>`;
}
