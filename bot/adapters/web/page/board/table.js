// The board beside the talk: it is asked for anew whenever something happens, steps through a match, and composes turns.

import { Aloud } from "/aloud.js";
import { Board, nextPlace } from "/board/board.js";
import { Callout, Course, Sides } from "/board/course.js";
import { carried, Drag } from "/board/drag.js";
import { Graph } from "/board/graph.js";
import { Line } from "/board/line.js";
import { DEAF, Picks } from "/board/picks.js";
import { Steps } from "/board/steps.js";
import { followTheme, plays, theme } from "/settings.js";
import { t } from "/texts.js";
import { html, render, useLayoutEffect } from "/vendor/preact-htm.js";
import { Zoom, Zooms } from "/board/zoom.js";

const DRAFTS = "riposte.draft.";
const LARGE = 100; // tiles of a board that is too small to tap as a whole
const TALL = 2; // times its width: what is asked stands beside such a board, and beside any on a phone that lies on its side
const lying = matchMedia("(orientation: landscape) and (max-height: 36rem)");
const NOTCH = 60; // pixels that the wheel is turned for one step
const DUE = /^(call|ok|accept|decline|secret|claim|rematch) /; // what else the board has buttons for

export class Table {
  // `ask(request)` asks for a board, `play(text, due, ask)` makes a turn or gives a private answer, `press(choice)` does what a button says,
  // `located(step)` is told which step is looked at: "" = the last, "17" = after turn 17, "c4" = the callout of step 4,
  // `settled()` that it is known anew what may be pressed.
  constructor(root, ask, play, press, located, settled = () => undefined) {
    this.root = root;
    this.ask = ask;
    this.play = play;
    this.press = press;
    this.located = located;
    this.settled = settled;
    this.turn = 0;
    this.geometries = new Map();
    this.view = new Zoom(() => this.draw());
    this.tray = new Drag();
    this.places = new Aloud(root, (site) => this.look(site));
    this.leave();
    followTheme(() => this.draw());
    addEventListener("resize", () => this.draw());
    root.addEventListener("keydown", (event) => this.board && this.keyed(event));
  }

  leave() {
    this.place = null;
    this.board = null;
    this.acts = [];
    this.taken = {};
    this.kept = 0;
    this.picks = [];
    this.shown = null;
    this.called = null;
    this.wanted = "";
    this.course = [];
    this.stood = [];
    this.heard = 0;
    this.listed = false;
    this.tapped = false;
    this.focus = null;
    this.doubt = null;
    this.before = this.goal = null;
    this.own = new Set();
    this.openings = [];
    this.side = "";
    this.line = null;
    this.draft = 0;
    this.dropped = false;
    this.view.reset();
    render(null, this.root);
    document.getElementById("room").classList.remove("playing");
  }

  enter(place, seat, step = "") {
    this.leave();
    this.place = place;
    this.wanted = step;
    this.due = null;
    this.drafts = `${DRAFTS}${seat}.${place.channel}/${place.thread}`;
    try {
      const { picks, due } = JSON.parse(localStorage.getItem(this.drafts));
      if (picks.every((pick) => typeof pick === "string")) [this.picks, this.due, this.draft] = [picks, due ?? null, picks.length];
    } catch {} // no draft, or none that can be read
    this.look();
  }

  look(site = "") {
    if (!this.place) return;
    const known = this.board ? this.board.key : "";
    this.ask({ do: "look", turn: site ? this.turn : ++this.turn, site, ...this.place, picks: this.picks, shown: this.shown, called: this.called, known, heard: this.heard, side: this.side, line: this.line });
  }

  // What a link names; a turn's number is found once the turns are known.
  goTo(step) {
    this.wanted = step;
    if (this.board) this.arrive();
  }

  arrive() {
    const step = this.wanted;
    this.wanted = "";
    if (/^c\d+$/.test(step)) return this.call(Number(step.slice(1)));
    const at = this.course.filter((one) => one.stands).findIndex((one) => String(one.number) === step);
    return this.step(step === "0" ? 0 : at < 0 ? Infinity : at + 1);
  }

  hear({ heard, steps, stood }) {
    this.heard = heard;
    this.stood = stood ?? this.stood;
    this.course = [...this.course];
    for (const step of steps) this.course[step.index] = step;
  }

  answer(news) {
    if (news.turn !== this.turn || !this.place) return;
    if (news.site) return this.places.hear(news);
    if (news.none) this.acts = null;
    else if (this.live) this.acts = [...news.acts.map((act) => act.command), news.ask && `secret ${news.match}`, news.over && news.viewer && `rematch ${news.match}`];
    this.settled();
    if (news.none) return;
    if (news.geometry) this.geometries.set(news.key, news.geometry);
    if (news.course) this.hear(news.course);
    this.ahead = news.now - Date.now();
    const due = news.ask || news.due; // a private answer is composed on while others give theirs
    const moved = this.due !== null && this.due !== due;
    if (moved) this.sent = false;
    const landed = this.before && this.goal && !stands(this.board, this.goal) && stands(news, this.goal); // it was the next place anyway
    this.board = news;
    if (this.live) this.line = news.line;
    if (this.wanted) return this.arrive();
    if (!news.callout) this.called = null;
    if (this.shown !== null && news.shown === news.plies.length) {
      this.shown = null; // what was looked at is the last step now
      return this.look();
    }
    if (moved && this.picks.length && this.live) {
      // What was half picked was for another position.
      this.drop([]);
      this.due = due;
      return this.look();
    }
    if (this.live && this.before && news.picks.length < this.picks.length && !landed) return this.set(this.before);
    if (this.live) {
      this.before = null;
      if (news.picks.length < this.draft) this.drop(news.picks);
      this.draft = 0;
      this.picks = news.picks;
      if (!this.picks.length) [this.own, this.openings] = [new Set(news.menu?.sites), news.menu?.choices ?? []];
    }
    this.due = due;
    if (this.live && this.tapped && !this.line && plays(news)) return this.out();
    this.since = Date.now();
    this.focus ??= this.geometry.cells[0].site;
    document.getElementById("room").classList.add("playing");
    this.draw();
    this.aloud = false;
    if (news.menu?.complete) setTimeout(() => this.draw(), DEAF + 10);
    return undefined;
  }

  // Whether a button in the talk may be pressed: what is due, the board tells; without a board all may be.
  offers(command) {
    return !this.acts || !DUE.test(command) || this.acts.includes(command);
  }

  get link() {
    if (this.place.channel === "~") return ""; // nobody else may see it
    const { shown, plies, match } = this.board;
    const step = this.called !== null ? `c${this.called}` : this.live ? "" : shown ? plies[shown - 1].number : 0;
    return `${location.origin}/match/${match}${step === "" ? "" : `#${step}`}`;
  }

  // Whether the board shows the match as it stands.
  get live() {
    return this.shown === null && this.called === null;
  }

  get geometry() {
    return this.geometries.get(this.board.key);
  }

  keep() {
    if (this.picks.length && !this.line) localStorage.setItem(this.drafts, JSON.stringify({ due: this.due, picks: this.picks }));
    else localStorage.removeItem(this.drafts);
  }

  // What was picked goes without having been played, and that is said until something is picked again.
  drop(picks) {
    this.picks = picks;
    this.draft = 0;
    this.dropped = true;
    this.keep();
    this.places.say(DROPPED());
  }

  // -- picking -----------------------------------------------------------------------------------------------------

  pick(site) {
    const { menu } = this.board;
    this.focus = site;
    this.doubt = null;
    const offered = menu?.sites.includes(site);
    if (menu && !offered && this.picks.at(-1) === site) return this.set(this.picks.slice(0, -1));
    if (offered && this.anew(site)) this.doubt = site;
    else if (offered) return this.set([...this.picks, site]);
    else if (menu && this.own.has(site)) return this.set([site]);
    this.draw();
    return undefined;
  }

  // A piece that was dragged is picked first, unless it is picked already; where the place does not fit behind it, or the board is another one by now, nothing is.
  drag(board, from, to) {
    if (!this.live || this.due !== (board.ask || board.due)) return;
    const offered = has(this.board.menu, from) && !this.anew(from);
    const before = this.picks;
    const beyond = before.length < 2 || this.board.menu?.sites.includes(to); // else what was moved already goes to another place
    if (before.at(-1) === from) this.set([...(beyond ? before : before.slice(0, -1)), to]);
    else if (offered || this.own.has(from) || this.openings.some(({ key }) => key === from)) this.set(offered ? [...this.picks, from, to] : [from, to]);
    [this.before, this.goal] = [before, to];
  }

  // A piece that waits beside its side's name is dragged as the choice that brings it is.
  lift(board, menu, side, kind) {
    const choice = menu && [...menu.choices, ...this.openings].find((one) => one.kind === kind && (one.side || board.viewer) === side);
    return choice && { "data-pick": choice.key, ...carried(this.tray, choice.key, (from, to) => this.drag(board, from, to)) };
  }

  // Whether a second piece of one's own is a place to go to, or the piece that is meant.
  anew(site) {
    return this.picks.length === 1 && this.own.has(site) && this.own.has(this.picks[0]);
  }

  set(picks) {
    this.doubt = null;
    this.dropped = false;
    this.before = null;
    this.sent = false;
    this.tapped = true;
    this.picks = picks;
    this.keep();
    this.look();
  }

  send() {
    if (Date.now() - this.since >= DEAF) this.out();
  }

  // What is picked for a line is another of its turns.
  prepare(line) {
    this.line = line;
    this.shown = this.called = null;
    this.set([]);
  }

  out() {
    const { menu, due, ask } = this.board;
    this.tapped = false;
    if (this.line) return this.prepare([...this.line, menu.text]);
    this.play(menu.text, due, ask);
    this.sent = true; // until it has arrived, what was asked before is not asked aloud again
    this.picks = [];
    this.keep();
    this.look();
    return undefined;
  }

  // -- stepping ----------------------------------------------------------------------------------------------------

  step(shown) {
    const last = this.board.plies.length;
    const to = Math.max(0, Math.min(last, shown));
    this.shown = to === last ? null : to;
    this.called = null;
    this.tapped = false;
    this.aloud = !document.activeElement?.matches('input, [role="slider"]');
    this.located(this.shown === null ? "" : to ? String(this.board.plies[to - 1].number) : "0");
    this.look();
  }

  call(index) {
    this.called = index;
    this.listed = false;
    this.located(`c${index}`);
    this.look();
  }

  // The wheel and the arrow keys beside the board step through the match.
  wheel(event) {
    if (event.ctrlKey || !this.board.plies.length) return;
    event.preventDefault();
    this.turned = (this.turned ?? 0) + event.deltaY;
    if (Math.abs(this.turned) < NOTCH) return;
    this.stepBy(Math.sign(this.turned));
    this.turned = 0;
  }

  keyed(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.altKey || event.target.closest("svg.board, input, select, textarea")) return;
    event.preventDefault();
    this.stepBy(by);
  }

  stepBy(by) {
    this.step(Math.max(0, this.shown ?? this.board.plies.length) + by);
  }

  // From the next side, and at last from the reader's own again.
  turnBoard(board = this.board) {
    const sides = board.sides.map((side) => side.side);
    this.side = sides[(sides.indexOf(this.side || board.near) + 1) % sides.length];
    this.look();
  }

  list(on) {
    this.listed = on;
    this.draw();
    this.root.querySelector(on ? ".course .icon" : ".steps .turns").focus();
  }

  walk(event, cells) {
    this.focus = event.target.closest("[data-site]")?.dataset.site ?? this.focus; // screen readers move it themselves
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      this.focus = nextPlace(cells, this.focus, event.key, this.live ? this.board.menu?.sites : []);
      this.view.show(cells.get(this.focus));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(this.focus);
    } else if (event.key === "Escape" && this.picks.length) this.set(this.picks.slice(0, -1));
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  // As a turn is composed or a match is stepped through, nothing takes room from the board or gives it some: nothing moves under a finger.
  keepRoom() {
    if (this.live) {
      const [prompt, picks] = [".prompt", ".picks"].map((part) => this.root.querySelector(part)?.getBoundingClientRect());
      this.kept = picks ? picks.bottom - (prompt ?? picks).top : 0;
      this.root.style.setProperty("--kept", `${this.kept}px`);
    }
    if (this.taken.due !== this.due || this.taken.wide !== innerWidth) {
      this.taken = { due: this.due, wide: innerWidth, height: 0 };
      this.root.style.removeProperty("--taken");
    }
    this.taken.height = Math.max(this.taken.height, this.root.querySelector(".picks:not(.kept)")?.offsetHeight ?? 0);
    this.root.style.setProperty("--taken", `${this.taken.height}px`);
    // Where there is something to scroll, a finger that goes up or down on a piece beside the board scrolls.
    this.root.dataset.scrolls = [this.root, this.root.querySelector(".picks")].some((part) => part?.scrollHeight > part?.clientHeight + 1);
  }

  draw() {
    if (!this.board) return;
    this.root.dataset.theme = theme();
    this.root.dataset.picked = this.board.picks.length;
    this.root.dataset.tall = this.geometry.height > TALL * this.geometry.width || lying.matches;
    const held = this.root.contains(document.activeElement) ? document.activeElement : null;
    const group = held?.closest(".further, .steps, .picks")?.classList[0];
    render(html`<${View} table=${this} board=${this.board} geometry=${this.geometry} />`, this.root);
    this.keepRoom();
    // Where the button with the focus is gone, one beside it has it, or the board.
    if (held && (!held.isConnected || held.disabled)) {
      const beside = group && this.root.querySelector(`.${group} button:not(:disabled)`);
      (beside || this.root.querySelector('.place-cell[tabindex="0"]'))?.focus({ preventScroll: true });
    }
  }
}

const DROPPED = () => t("The match has changed meanwhile: what no longer fits was dropped.");
const stands = (board, site) => board.figures.some((figure) => figure.site === site && !figure.ghost);
const coded = (words) => words.split("`").map((part, n) => (n % 2 ? html`<code>${part}</code>` : part)); // what can be typed
const has = (menu, pick) => menu && (menu.sites.includes(pick) || menu.choices.some(({ key }) => key === pick));

function View({ table, board, geometry }) {
  const menu = table.live ? board.menu : null;
  const notes = [...(table.dropped ? [DROPPED()] : []), ...board.notes, ...(board.callable ? [board.callable] : [])]; // at each step, so that nothing moves under a finger
  useLayoutEffect(() => () => table.tray.end(), [geometry, board.ask || board.due, board.shown, !menu]);
  const ordered = [...board.sides].sort((a, b) => (a.side === board.near) - (b.side === board.near));
  return html`
    <${Sides} sides=${ordered} glyphs=${geometry.glyphs} ahead=${table.ahead} lift=${(side, kind) => table.lift(board, menu, side, kind)} />
    ${board.callout && html`<${Callout} callout=${board.callout} />`}
    <div class="stage" onWheel=${(event) => table.wheel(event)}><${Board} geometry=${geometry} board=${board} title=${board.title} focus=${table.focus} held=${menu ? table.picks : []}
      offered=${new Set(menu?.sites ?? [])} own=${menu ? table.own : new Set()} leads=${board.leads} label=${(cell) => label(board, cell)}
      view=${table.view} pick=${(site) => table.pick(site)} drag=${(from, to) => table.drag(board, from, to)} walk=${(event, cells) => table.walk(event, cells)} />
      ${(table.view.zoom > 1 || geometry.cells.filter((cell) => !cell.round).length > LARGE) && html`<${Zooms} view=${table.view} />`}</div>
    ${notes.length > 0 && html`<p class="notes">${coded(notes.join(" "))}</p>`}
    ${!menu && table.live && table.line && html`<${Line} table=${table} board=${board} />`}
    <${Picks} table=${table} menu=${menu} board=${board} glyphs=${geometry.glyphs} />
    ${board.result && html`<p class="result">${board.result}</p>`}
    ${table.stood.length > 0 && html`<${Graph} stood=${table.stood} sides=${board.sides} plies=${board.plies} shown=${board.shown} go=${(at) => table.step(at)} />`}
    <${Steps} table=${table} board=${board} />
    <${Course} steps=${table.course} sides=${board.sides} shown=${board.shown} called=${table.called} open=${table.listed}
      go=${(at) => table.step(at)} call=${(index) => table.call(index)} close=${() => table.list(false)} />`;
}

function label(board, cell) {
  const standing = board.figures.filter((figure) => figure.site === cell.site && !figure.ghost);
  return standing.map((figure) => figure.name).join(" ");
}
