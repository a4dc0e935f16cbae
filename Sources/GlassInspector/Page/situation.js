// The bar of the situation: the attributes that this page sets. Some are personal, so they are neither in the URL nor in
// the browser's storage: each request has them in a header.
import { el, fill, note } from "/dom.js";

const section = document.getElementById("situation");
let chosen = new Map();
// Why the server rejected what a field says.
let problems = new Map();
let drawn = "";
let apply = null;

export const isDefault = () => !chosen.size;
export const current = () => Object.fromEntries(chosen);
export const take = (next) => (chosen = new Map(Object.entries(next)));
export function tell({ attribute, message }) {
  if (attribute) problems.set(attribute, message);
}
// Leaves out the attribute that the server rejects. Whether there was one.
export function drop(error) {
  tell(error);
  return chosen.delete(error.attribute);
}

const fields = () => [...section.querySelectorAll("[data-attribute]")];
const texts = () => fields().map((field) => [field.dataset.attribute, written(field)]);

// What the fields say; an attribute whose text was rejected and has not changed since keeps its value.
function change(changed) {
  problems = new Map([...problems].filter(([name]) => name !== changed && document.getElementById(`situation-${name}`)));
  apply(Object.fromEntries(texts().map(([name, text]) => [name, problems.has(name) ? chosen.get(name) : text])
    .filter(([, text]) => text)));
}

export function draw({ attributes, dependsOnSituation, ignored }, zoneOfDates, use, failure) {
  if (zoneOfDates) zone = zoneOfDates;
  apply = use;
  if (!section.firstChild) build(dependsOnSituation);
  const [summary, list, message] = ["summary", ".fields", ".error"].map((name) => section.querySelector(name));
  const now = JSON.stringify(attributes);
  if (now !== drawn) {
    drawn = now;
    // Keep what the user is typing, and the focus.
    const typed = new Map([...chosen, ...texts()]);
    const { id } = document.activeElement;
    const [first, more] = [true, false].map((isTested) => attributes.filter((other) => other.isTested === isTested)
      .map((attribute) => field(attribute, typed.get(attribute.name) ?? "")));
    fill(list, first, el("button", { type: "button", onclick: reset }, "Reset"), more.length ? el("details", { open: list.querySelector("details")?.open },
      el("summary", { id: "situation.more" }, `${more.length} more`), el("div.fields", null, more)) : null);
    if (id.startsWith("situation")) document.getElementById(id)?.focus();
  }
  const isPersonal = (name) => attributes.some((other) => other.name === name && other.isPersonal);
  fill(summary, el("strong", null, "Situation"), " ", isDefault()
    ? el("span.note", null, dependsOnSituation ? "default" : "no value depends on it")
    : el("span.otherwise", null, "◑ ", [...chosen].map(([name, text]) => (isPersonal(name) ? name : `${name} = ${text}`)).join(", ")));
  for (const input of fields()) {
    const name = input.dataset.attribute;
    input.setAttribute("aria-invalid", String(problems.has(name)));
    fill(document.getElementById(`${input.id}-problem`), problems.get(name));
  }
  fill(message, failure);
  section.querySelector("button").hidden = isDefault() && !problems.size;
  fill(section.querySelector(".ignored"), ignored.map((other) =>
    note(`${other.attribute} has no effect in ${other.markets.join(", ")}.`)));
}

function build(isOpen) {
  fill(section, el("details", { open: isOpen && innerWidth > 900 }, el("summary"), el("p.error"), el("div.fields"),
    el("div.ignored")));
}

function reset() {
  for (const input of fields()) input.value = "";
  problems.clear();
  apply({});
  section.querySelector("summary").focus();
}

// A date in the zone of the market: a picker, unless the text has another form, such as that of another zone.
let zone = "UTC";
const picked = (text) => {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d) (\S+)$/.exec(text);
  return !text ? "" : parts && parts[2] === zone ? parts[1] : null;
};
const written = (input) => (input.type === "datetime-local" && input.value ? `${input.value.slice(0, 16)} ${zone}` : input.value.trim());

function field({ name, choices, example, default: usual, isDate, isHidden, isPersonal, documentation }, text) {
  const id = `situation-${name}`;
  const standard = isHidden ? "default: set by the command" : usual ? `default: ${usual}` : null;
  const attributes = {
    id, "data-attribute": name, "aria-describedby": `${id}-about ${id}-problem`, onchange: () => change(name),
    title: documentation + (isPersonal ? " Personal: it stays in this page." : ""),
  };
  const hint = el("p.note", { id: `${id}-about` }, documentation);
  if (isDate && picked(text) !== null) {
    return el("div", null, el("label", { for: id }, name), el("input", { ...attributes, type: "datetime-local", value: picked(text) }),
      el("p.note", { id: `${id}-about` }, `${documentation} In ${zone}.`), el("p.error", { id: `${id}-problem` }));
  }
  return el("div", null, el("label", { for: id }, name), choices
    ? el("select", attributes, ["", ...choices].map((choice) =>
      el("option", { value: choice, selected: choice === text }, choice || standard || "default")))
    : el("input", { ...attributes, value: text, autocomplete: "off", spellcheck: "false", autocapitalize: "off",
      maxlength: 2048, placeholder: standard ?? (example && `such as ${example}`) }), hint,
  el("p.error", { id: `${id}-problem` }));
}
