// Creates elements. Nothing on this page is parsed as markup: strings become text nodes, and only here.

// Characters that are invisible or change the text direction; they are spelled out.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const visible = (text) =>
  String(text).replace(unseen, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

// el("p.note", { title: "…" }, "text", child): a tag with classes, attributes and listeners, and its children.
export function el(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, name === "value" ? value : visible(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(visible(child))));
}

export const fill = (element, ...children) => element.replaceChildren(...nodes(children));

// A source position, as a link if the command was given an editor's URL pattern.
let editor = null;
let root = "";
export function useEditor(pattern, folder) {
  editor = pattern;
  root = folder;
}
export function place(position, label = position) {
  if (!position) return null;
  const parts = /^(.*?):(\d+)(?::(\d+))?$/.exec(position);
  if (!editor || !parts) return el("span.place", { title: position }, label);
  const path = parts[1].startsWith("/") ? parts[1] : `${root}/${parts[1]}`;
  const url = editor.replaceAll("{path}", path.split("/").map(encodeURIComponent).join("/"))
    .replaceAll("{line}", parts[2]).replaceAll("{column}", parts[3] ?? "1");
  return el("a.place", { href: url, title: `Open ${position} in the editor` }, label);
}

// A finding, with the source line and a caret below the position.
export function finding(found) {
  const where = found.file ? `${found.file}:${found.line}${found.column ? `:${found.column}` : ""}` : null;
  const source = found.source && el("pre.source", { tabindex: 0, "aria-label": "The line of the file" },
    typeof found.caret === "number" ? `${found.source}\n${" ".repeat(found.caret)}^` : found.source);
  return el("li.finding", null,
    el("p", null, el(`strong.${found.severity === "error" ? "bad" : "warn"}`, null,
      found.severity === "error" ? "✖ error" : "▲ warning"), " ", place(where)),
    el("p", null, found.key ? el("code", null, found.key) : null, found.key ? " " : null, found.message),
    source, found.hint ? el("p.hint", null, `hint: ${found.hint}`) : null);
}

// The words that Lua reserves, which a key has in brackets and quotes.
const keywords = new Set(("and break do else elseif end false for function goto if in local nil not or repeat return " +
  "then true until while").split(" "));

// A JSON value as it is written in a market file.
export function lua(value) {
  if (value === null) return "nil";
  if (typeof value !== "object") return /^<secret \w+>$/.test(value) ? `secret "${value.slice(8, -1)}"` : JSON.stringify(value);
  const parts = Array.isArray(value) ? value.map(lua) : Object.entries(value).map(([name, member]) =>
    `${/^[a-z_]\w*$/i.test(name) && !keywords.has(name) ? name : `[${JSON.stringify(name)}]`} = ${lua(member)}`);
  return parts.length ? `{ ${parts.join(", ")} }` : "{}";
}

// What differs from the default situation: a sign, and what there is otherwise.
export const otherwise = (...text) => el("span.otherwise", { title: "in the default situation" }, "◑ by default: ", text);

// A key, which may wrap only after its dots.
export const key = (text) => text.split(/(?<=\.)/).map((part) => [part, el("wbr")]);

export const note = (...text) => el("p.note", null, ...text);

export function choice(label, value, options, change) {
  return el("label", null, label, " ", el("select", { "data-mark": label, onchange: (event) => change(event.target.value) },
    options.map((option) => el("option", { value: option, selected: option === value }, option))));
}

export function search(label, value, change) {
  return el("label.search", null, label, " ", el("input", {
    type: "search", "data-mark": label, value, spellcheck: "false", oninput: (event) => change(event.target.value),
  }));
}

// A moment of a market in words, in the zone of its dates: "Friday, 27 November 2026, 00:00 in Warsaw".
export function inWords(text, zone) {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" };
  const where = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: where }).format(new Date(text))
    .replace(/^(\w+) /, "$1, ").replace(" at ", ", ");
  return `${day} in ${where.split("/").at(-1).replaceAll("_", " ")}`;
}

// A time, with the day if that is not today.
export function moment(text) {
  const date = new Date(text);
  return date.toDateString() === new Date().toDateString() ? date.toLocaleTimeString() : date.toLocaleString();
}
