// What each player sets for this browser: the board's colours, whether a turn is confirmed, and a sound.

const THEME = "riposte.theme";
const CONFIRM = "riposte.confirm";
const SOUND = "riposte.sound";
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

const sound = $("sound");
if (sound) {
  sound.checked = localStorage.getItem(SOUND) === "on";
  sound.addEventListener("change", () => {
    localStorage.setItem(SOUND, sound.checked ? "on" : "");
    if (sound.checked) ring();
  });
}

// Two soft notes: a turn is due.
export function ring() {
  if (localStorage.getItem(SOUND) !== "on") return;
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
