// Which challenges of a channel wait for the reader's answer: the room is asked whenever something is told there.

const ANSWERS = /^(accept|decline) /;
const MOST = 100; // buttons that are asked about, the latest

export class Challenges {
  // `ask(request)` asks the room, `heard()` is called once it has answered.
  constructor(ask, heard) {
    this.ask = ask;
    this.heard = heard;
    this.turn = 0;
    this.open = new Set();
  }

  look(log, place) {
    const commands = [...log.querySelectorAll(".choices button")].map((button) => button.title).filter((title) => ANSWERS.test(title));
    if (commands.length) this.ask({ do: "offers", turn: ++this.turn, ...place, commands: [...new Set(commands)].slice(-MOST) });
  }

  answer({ turn, commands }) {
    if (turn !== this.turn) return;
    this.open = new Set(commands);
    this.heard();
  }

  // Until it is known, nothing is offered.
  offers(command) {
    return !ANSWERS.test(command) || this.open.has(command);
  }
}
