// The websocket that comes back by itself, and the messages that wait until the room has them.

import { ask } from "/seats.js";
import { language } from "/texts.js";

const OUTBOX = "riposte.outbox";
const ENDED = "the seat has ended"; // why the room closes it for good

export class Connection {
  // `receive(news)` gets every piece of news; `state(open)` whether the room can be reached.
  constructor(receive, state) {
    this.receive = receive;
    this.state = state;
    this.name = null;
    this.cursor = 0;
    this.tries = 0;
    this.waiting = new Map(JSON.parse(sessionStorage.getItem(OUTBOX) ?? "[]"));
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => document.hidden || this.connect());
  }

  enter(name) {
    this.name = name;
    this.seated = false;
    this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  async connect() {
    if (!this.name || this.connecting || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.timer);
    this.connecting = true;
    try {
      if (this.seated || (await this.sit())) this.talk();
    } catch {
      this.later();
    } finally {
      this.connecting = false;
    }
  }

  // The seat is this browser's before the talk begins.
  async sit() {
    const { name, because } = await ask("/seat", { name: this.name });
    if (because) this.receive({ is: "rejected", because });
    else this.name = name;
    this.seated = Boolean(name);
    return this.seated;
  }

  talk() {
    const socket = (this.socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/socket`));
    socket.onopen = () => this.greet();
    socket.onmessage = (event) => this.arrived(JSON.parse(event.data));
    socket.onclose = ({ reason }) => socket === this.socket && (reason === ENDED ? this.end() : this.later());
  }

  // Whoever sat here has been erased.
  end() {
    this.name = null;
    this.waiting.clear();
    this.keep();
    this.receive({ is: "ended" });
  }

  later() {
    this.state(false);
    const pause = Math.min(5000, 200 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => this.connect(), pause);
  }

  arrived(news) {
    if (news.is === "entered") {
      this.tries = 0;
      this.cursor = news.last;
      this.state(true);
    } else if (news.is === "rejected") {
      this.socket.onclose = null; // it is left for a name that fits
      this.socket.close();
    } else if (news.is === "message") {
      this.cursor = Math.max(this.cursor, news.number);
    }
    this.receive(news);
    // Whether an unanswered message arrived is unknown: it goes out again, under the same id.
    if (news.is === "entered") for (const say of this.waiting.values()) this.send(say);
  }

  greet() {
    this.send({ do: "enter", name: this.name, after: this.cursor, language });
  }

  send(request) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  say(message) {
    const say = { do: "say", id: crypto.randomUUID(), ...message };
    this.waiting.set(say.id, say);
    this.keep();
    this.send(say);
    return say;
  }

  // The room has the message, or will never take it.
  settled(id) {
    const say = this.waiting.get(id);
    if (this.waiting.delete(id)) this.keep();
    return say;
  }

  keep() {
    sessionStorage.setItem(OUTBOX, JSON.stringify([...this.waiting]));
  }
}
