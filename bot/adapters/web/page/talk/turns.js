// In a window too small for both, either the board or the talk is shown; a dot tells of new messages.

const $ = (id) => document.getElementById(id);

// `shown()` is called whenever one of them has come into sight.
export function takeTurns(shown) {
  $("talk").addEventListener("click", () => {
    showTalk($("talk").ariaPressed !== "true");
    shown();
  });
}

export function showTalk(on) {
  $("talk").ariaPressed = String(on);
  $("room").classList.toggle("talking", on);
  $("talk-dot").hidden = true;
}

// Turns, which the board shows, are no news.
export function tell(line, me) {
  const meant = line.author ? line.author !== me : line.whisper;
  if (meant && !$("scroll").checkVisibility()) $("talk-dot").hidden = false;
}
