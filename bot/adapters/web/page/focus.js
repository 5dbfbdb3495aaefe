// Keeps the focus, for screen readers: when the element that had it goes, the nearest one gets it.

const REACHED = 'a[href], button, select, summary, input[type="radio"], [tabindex="0"]:not([contenteditable])'; // what brings up no keyboard
const SEEN = { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "disabled", "hidden", "inert", "open"] };

let held = []; // what had the focus last, and all that it lay in
let due = false;

document.addEventListener("focusin", ({ target }) => {
  held = [];
  for (let part = target; part; part = part.parentElement) held.push(part);
});

const stands = (part) => part.isConnected && part.checkVisibility({ visibilityProperty: true }) && !part.matches(":disabled") && !part.closest("[inert]");

function mend() {
  due = false;
  const [last, ...around] = held;
  if (document.activeElement !== document.body || !last || stands(last)) return; // somebody has pressed beside everything
  for (const part of around.filter(stands)) {
    const near = part === document.body ? document.getElementById("title") : [...part.querySelectorAll(REACHED)].find(stands);
    if (near) return near.focus({ preventScroll: true });
  }
}

// The browser takes the focus from what is hidden when it has drawn the page.
new MutationObserver(() => {
  if (!due) requestAnimationFrame(() => setTimeout(mend));
  due = true;
}).observe(document.body, SEEN);
