// Taking a seat, and letting in another device. What proves that a seat is this browser's no script can read.

import { language, t } from "/texts.js";

const $ = (id) => document.getElementById(id);

// What the room answers: `name`, or `because` it refuses. Throws where it cannot be reached.
export async function ask(path, request) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...request, language }),
  });
  return answer.ok ? answer.json() : { because: await answer.text() };
}

export function showLink(link) {
  $("device-link").value = link;
  $("device-copied").textContent = "";
  $("device").showModal();
  $("device-link").select();
}

$("device-copy")?.addEventListener("click", async () => {
  $("device-link").select();
  await navigator.clipboard.writeText($("device-link").value);
  $("device-copied").textContent = t("Copied.");
});
