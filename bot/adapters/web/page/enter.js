// The page that a link opens, one to another device or a personal one from a chat. Only the pressed button spends it: programs that look at links press none.

import { ask } from "/seats.js";
import { sameLanguage, t } from "/texts.js";

const form = document.getElementById("enter");
const token = location.hash.slice(1);
// The link does not stay where the next person at this browser finds it.
history.replaceState(null, "", `${location.pathname}${location.search}`);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { name, at, because } = await ask("/enter", { token });
    if (because) document.getElementById("enter-refusal").textContent = because;
    else location.replace(`/${sameLanguage || "?"}${sameLanguage && "&"}seat=${encodeURIComponent(name)}${at ? `#${at}` : ""}`);
  } catch {
    document.getElementById("enter-refusal").textContent = t("The room cannot be reached now; try again.");
  }
});
