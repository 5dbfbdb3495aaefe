// What each player sets for this browser: the board's colours, whether a turn is confirmed, and how turns that are due are told.

const THEME = "riposte.theme";
const CONFIRM = "riposte.confirm";
const dark = matchMedia("(prefers-color-scheme: dark)");
const $ = (id) => document.getElementById(id);

export const theme = () => localStorage.getItem(THEME) || (dark.matches ? "dark" : "light");

// Whether a turn that nothing can be added to is played without being confirmed.
export function plays({ menu, long, ask }) {
  const confirm = localStorage.getItem(CONFIRM) ?? "";
  const whole = menu?.complete && !menu.sites.length && !menu.choices.length;
  return Boolean(whole && !ask && (confirm === "never" || (confirm === "long" && !long)));
}

// Calls `changed()` whenever the board looks different.
export function followTheme(changed) {
  dark.addEventListener("change", changed);
  for (const [id, key] of [["theme", THEME], ["confirm", CONFIRM]]) {
    const choice = $(id);
    if (!choice) continue;
    choice.value = localStorage.getItem(key) ?? "";
    choice.addEventListener("change", () => {
      localStorage.setItem(key, choice.value);
      changed();
    });
  }
}

// How a turn that is due is told: whether that is usual, and what follows where it is switched.
const TOLD = { sound: ["", ring], counted: ["on", () => showDue()], badge: ["on", () => showDue()] };
const told = (how) => (localStorage.getItem(`riposte.${how}`) ?? TOLD[how][0]) === "on";

for (const [how, [, changed]] of Object.entries(TOLD)) {
  const box = $(how);
  if (!box) continue;
  box.checked = told(how);
  box.addEventListener("change", () => {
    localStorage.setItem(`riposte.${how}`, box.checked ? "on" : "");
    changed();
  });
}
if ($("badge")) $("badge").closest("p").hidden = !navigator.setAppBadge;

// How many turns are due, before the title and on the badge of the installed page.
let [due, title] = [0, document.title];
export function showDue(count = due, words = title) {
  [due, title] = [count, words];
  document.title = due && told("counted") ? `(${due}) ${title}` : title;
  navigator.setAppBadge?.(told("badge") ? due : 0).catch(() => undefined);
}

// Two soft notes: a turn is due.
export function ring() {
  if (!told("sound")) return;
  const audio = new AudioContext();
  [660, 880].forEach((pitch, n) => {
    const [tone, loud] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + n * 0.14;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, from);
    loud.gain.exponentialRampToValueAtTime(0.001, from + 0.3);
    tone.connect(loud).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.3);
    if (n) tone.onended = () => audio.close();
  });
}
