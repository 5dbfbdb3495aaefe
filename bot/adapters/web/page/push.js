// The switch that has this browser told when a match waits, even while no page is open.

import { keyOf } from "/lists/places.js";
import { t } from "/texts.js";

const box = document.getElementById("push");
const why = document.getElementById("push-refusal");

// `key` is the room's, "" where it pushes nothing; `places` are those that a notice can lead to.
export async function offerPush(key, connection, places) {
  if (!key || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const worker = await navigator.serviceWorker.register("/worker.js");
  navigator.serviceWorker.onmessage = (event) => go(event.data.match, places);
  const asked = new URLSearchParams(location.search).get("match");
  if (asked) go(asked, places);
  const send = (request) => connection.send(request);
  const known = await worker.pushManager.getSubscription();
  box.closest("p").hidden = false;
  box.checked = Boolean(known) && Notification.permission === "granted";
  if (box.checked) send(spelt(known)); // under the seat that is entered now
  box.onchange = () => (box.checked ? on(worker, key, send) : off(worker, send));
}

function go(match, places) {
  const found = [...places.values()].find((place) => place.thread === match);
  if (found) location.hash = keyOf(found);
}

// The room has taken the browser up, or says why not.
export function heardPush({ told, because }) {
  if (because) box.checked = told;
  why.textContent = because;
}

async function on(worker, key, send) {
  try {
    why.textContent = "";
    send(spelt(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
  } catch {
    box.checked = false;
    why.textContent = t("This browser does not allow it; its settings for this page say so.");
  }
}

async function off(worker, send) {
  const known = await worker.pushManager.getSubscription();
  if (!known) return;
  send({ do: "tell", endpoint: known.endpoint });
  await known.unsubscribe();
}

function spelt(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { do: "tell", endpoint, p256dh: keys.p256dh, auth: keys.auth };
}
