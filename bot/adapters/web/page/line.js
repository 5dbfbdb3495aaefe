// The websocket that comes back by itself, and the messages that wait until the room has them.

const OUTBOX = "riposte.outbox";

export class Line {
  // `heard(news)` gets every piece of news; `state(open)` whether the room can be reached.
  constructor(heard, state) {
    this.heard = heard;
    this.state = state;
    this.seat = null;
    this.cursor = 0;
    this.tries = 0;
    this.waiting = new Map(JSON.parse(sessionStorage.getItem(OUTBOX) ?? "[]"));
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => document.hidden || this.connect());
  }

  sit(name) {
    this.seat = name;
    if (this.open) this.tell({ do: "sit", name, after: this.cursor });
    else this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    if (!this.seat || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(`ws://${location.host}/socket`));
    socket.onopen = () => this.tell({ do: "sit", name: this.seat, after: this.cursor });
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.state(false);
      const pause = Math.min(5000, 200 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
      this.timer = setTimeout(() => this.connect(), pause);
    };
  }

  receive(news) {
    if (news.is === "seated") {
      this.tries = 0;
      this.cursor = news.last;
      this.state(true);
    } else if (news.is === "message") {
      this.cursor = Math.max(this.cursor, news.number);
    }
    this.heard(news);
    // Whether an unanswered message arrived is unknown: it goes out again, under the same id.
    if (news.is === "seated") for (const say of this.waiting.values()) this.tell(say);
  }

  tell(request) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  say(words) {
    const say = { do: "say", id: crypto.randomUUID(), ...words };
    this.waiting.set(say.id, say);
    this.keep();
    this.tell(say);
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
