// Shows that a match waits, while no page is open; it keeps nothing and answers no request of the page.

self.addEventListener("push", (event) => {
  const { match, told } = event.data.json();
  event.waitUntil(self.registration.showNotification("Riposte", { body: told, tag: `match ${match}`, icon: "/icon-192.png", data: match }));
});

// The page that is open shows it, else a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = open.find((client) => new URL(client.url).pathname === "/");
    if (!page) return self.clients.openWindow(`/?match=${event.notification.data}`);
    page.postMessage({ match: event.notification.data });
    return page.focus();
  })());
});
