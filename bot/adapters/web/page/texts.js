// The page's sentences: English templates, which are also the keys of their translations.
//
// `t`, `tNodes` and `tPlural` are given literals only, so that a script can list them. What HTML says is marked there:
// `data-t="text aria-label"` names what is a template of an element, its text and attributes.

export const asked = new URLSearchParams(location.search).get("language") ?? navigator.language;
const texts = /^en\b/i.test(asked) ? {} : await load(); // English needs none

export const language = Object.keys(texts).length ? asked : "en";

// What a page in the same language is opened with.
export const sameLanguage = new URLSearchParams(location.search).has("language") ? `?language=${encodeURIComponent(asked)}` : "";

const NUMBER = once(() => new Intl.NumberFormat(language));
const PLURAL = once(() => new Intl.PluralRules(language));
const AND = once(() => new Intl.ListFormat(language, { type: "conjunction" }));

// What takes long to make and is seldom wanted at once: it is made when it is asked for.
export function once(make) {
  let made;
  return () => (made ??= make());
}

// A sentence or label; `{name}` in it stands for a value: a name, notation or a number.
export function t(template, values = {}) {
  return filled(translated(template), values).join("");
}

// The same with nodes among its values, as a list of strings and nodes.
export function tNodes(template, values) {
  return filled(translated(template), values);
}

// A sentence about `{count}` things. Forms that English does not have are kept as "few|…", "two|…" before the second.
export function tPlural(one, many, values) {
  const form = PLURAL().select(values.count);
  return filled(texts[`${form}|${many}`] ?? translated(form === "one" ? one : many), values).join("");
}

// Several names in a row: "Anna, Ben, and Clara".
export function listed(names) {
  return AND().format(names);
}

async function load() {
  try {
    const answer = await fetch(`/texts?language=${encodeURIComponent(asked)}`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

function translated(template) {
  return texts[template] ?? template;
}

function filled(template, values) {
  return template.split(/\{(\w+)\}/).map((part, n) => (n % 2 ? shown(values[part]) : part));
}

function shown(value) {
  return typeof value === "number" ? NUMBER().format(value) : value;
}

document.documentElement.lang = language;
for (const element of document.querySelectorAll("[data-t]")) {
  for (const part of element.dataset.t.split(" ")) {
    if (part === "text") element.textContent = translated(element.textContent);
    else element.setAttribute(part, translated(element.getAttribute(part)));
  }
}
