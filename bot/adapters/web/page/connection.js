// The websocket that comes back by itself, and the messages that wait until the room has them.

import { language } from "/texts.js";

const OUTBOX = "riposte.outbox";

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
    if (this.open) this.greet();
    else this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    if (!this.name || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(`ws://${location.host}/socket`));
    socket.onopen = () => this.greet();
    socket.onmessage = (event) => this.arrived(JSON.parse(event.data));
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.state(false);
      const pause = Math.min(5000, 200 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
      this.timer = setTimeout(() => this.connect(), pause);
    };
  }

  arrived(news) {
    if (news.is === "entered") {
      this.tries = 0;
      this.cursor = news.last;
      this.state(true);
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
