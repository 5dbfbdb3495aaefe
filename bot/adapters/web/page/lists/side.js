// The list of channels and matches: on a narrow screen it opens over the talk.

const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 48rem)");

$("side-open").addEventListener("click", () => {
  $("side").classList.add("open");
  $("shade").hidden = false;
  $("side-open").setAttribute("aria-expanded", "true");
  sideReach();
  $("side-close").focus();
});
$("side-close").addEventListener("click", () => closeSide());
$("shade").addEventListener("click", () => closeSide());
$("side").addEventListener("click", (event) => event.target.closest("a.place") && closeSide());
// A dialog above it is closed first, by the browser itself.
document.addEventListener("keydown", (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && closeSide());
narrow.addEventListener("change", sideReach);
sideReach();

export function closeSide() {
  if (!$("side").classList.contains("open")) return;
  $("side").classList.remove("open");
  $("shade").hidden = true;
  $("side-open").setAttribute("aria-expanded", "false");
  sideReach();
  $("side-open").focus();
}

// `create(channel)` makes the channel that was named.
export function onCreate(create) {
  $("create").addEventListener("submit", (event) => {
    event.preventDefault();
    const channel = $("create-name").value.trim();
    if (channel) create(channel);
    $("create-name").value = "";
    closeSide();
  });
}

function sideReach() {
  $("side").inert = narrow.matches && !$("side").classList.contains("open");
}
