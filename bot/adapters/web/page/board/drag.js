// A piece that is dragged: it follows the finger or the mouse, and is picked with the place on which it is let go.

const SLACK = 10; // pixels that a finger may slip in a tap

const siteAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("svg.board [data-site]")?.dataset.site;

export class Drag {
  // `live(site)` says whether a place can be picked; `drop(from, to)` picks two, and is missing where nothing can be dragged.
  begin(event, svg, live, drop) {
    this.end();
    this.over = false;
    const site = siteAt(event);
    if (!drop || !event.isPrimary || event.button || !live(site)) return;
    this.held = { svg, site, drop, event, figure: svg.querySelector(`[data-standing="${CSS.escape(site)}"]`) };
  }

  move(event) {
    if (!event.buttons) this.end(); // let go beside the board
    if (!this.held) return;
    const { svg, event: begun, figure } = this.held;
    const [right, down] = [event.clientX - begun.clientX, event.clientY - begun.clientY];
    if (!this.held.moved && Math.hypot(right, down) <= SLACK) return;
    if (!this.held.moved) svg.setPointerCapture(event.pointerId);
    this.held.moved = true;
    const scale = svg.getScreenCTM().a;
    if (figure) figure.style.translate = `${right / scale}px ${down / scale}px`;
  }

  drop(event) {
    const { moved, site, drop } = this.held ?? {};
    this.end();
    if (!moved) return;
    this.over = true; // the click that follows is none
    const to = siteAt(event);
    if (to && to !== site) drop(site, to);
  }

  end() {
    if (this.held?.figure) this.held.figure.style.translate = "";
    this.held = null;
  }
}
