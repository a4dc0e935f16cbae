// The values of a market as Lua, with what they override. The same tab has the table of all markets, and all keys.
import { choice, el, fill, lua, note, otherwise, place, search } from "/dom.js";
import * as matrix from "/matrix.js";
import * as schema from "/schema.js";
import { ask } from "/server.js";
import { isDefault } from "/situation.js";

export const title = "Values";
const modes = { "one market": ["", { show: showMarket }], "all markets": ["markets", matrix], "all keys": ["keys", schema] };
let ui = null;
let frame = null;

export async function show(main, app, { signal, isNew }) {
  if (!app.state.market) return fill(main, el("h2", null, title), note("There are no markets."));
  const current = Object.keys(modes).find((name) => modes[name][0] === (app.parameters.in ?? "")) ?? "one market";
  const isOther = isNew || frame.mode !== current;
  if (isOther) {
    frame = { mode: current, body: el("div") };
    fill(main, el("h2.hidden", null, title), el("div.bar", null, choice("Show", current, Object.keys(modes), (name) =>
      app.go("values", { market: app.parameters.market, find: app.parameters.find, in: modes[name][0] }))), frame.body);
  }
  await modes[current][1].show(frame.body, app, { signal, isNew: isOther });
}

async function showMarket(main, app, { signal, isNew }) {
  const ids = app.state.markets.map((market) => market.id);
  const { market = app.state.market, find = "", key, open = "" } = app.parameters;
  if (isNew) {
    ui = { bar: el("span"), more: el("span"), tree: el("section.tree", { "aria-label": "Values" }), panel: el("aside", { "aria-label": "About the key" }) };
    ui.find = search("Find", find, (text) => {
      app.replace({ find: text });
      draw(app);
    });
    fill(main, el("div.bar", null, ui.bar, ui.find, ui.more), el("p.legend", null, Object.values(marks).map(([sign, meaning]) =>
      el("span", null, el("span.sign", null, sign), ` ${meaning}`))), el("div.split", null, ui.tree, ui.panel));
  }
  if (document.activeElement !== ui.find.lastChild) ui.find.lastChild.value = find;
  fill(ui.bar, choice("Market", market, ids, (id) => app.go("values", { ...app.parameters, market: id })));
  const only = ["own", ...(isDefault() ? [] : ["differing"])];
  fill(ui.more, el("button", {
    type: "button", "data-mark": "open", onclick: () => app.go("values", { ...app.parameters, open: open === "*" ? "" : "*" }),
  }, open === "*" ? "Close all" : "Open all"),
  choice("Only", app.parameters.only ?? "all", ["all", ...only], (name) => app.go("values", { ...app.parameters, only: name === "all" ? "" : name })));
  const [list, about] = await Promise.all([
    ask("values", { market }, signal), key ? ask("value", { market, key }, signal).catch((error) => error) : null]);
  if (signal.aborted) return;
  ui.market = market;
  ui.values = [...list.values, ...list.absent.map((row) => ({ ...row, text: "", beat: [], isAbsent: true }))];
  draw(app);
  panel(about, app, market);
}

const marks = { changed: ["◆", "differs from its base"], added: ["●", "set here only"], same: ["", ""] };

// The market or shared file of a position, such as us.
const file = (position) => position?.split(":")[0].split("/").at(-1).replace(/\.lua$/, "");

function mark(row) {
  // The file contains the rules of a flag, not the value that they give.
  if (!row.position || file(row.position) !== ui.market || /^flags\.\w+$/.test(row.key)) return "same";
  return row.beat.length ? "changed" : "added";
}

const short = (text) => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

function draw(app) {
  if (!ui.values) return;
  const { find = "", key, open = "" } = app.parameters;
  const only = app.parameters.only === "differing" && isDefault() ? null : app.parameters.only;
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = ui.values.filter((row) => (!only || (only === "own" ? mark(row) !== "same" : row.otherwise))
    && words.every((word) => `${row.key} ${row.text}`.toLowerCase().includes(word)));
  const groups = new Map();
  for (const row of rows) {
    const cut = row.key.lastIndexOf(".");
    const group = cut < 0 ? "" : row.key.slice(0, cut);
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const opened = new Set(open.split(","));
  const isOpen = (group) => !group || words.length || only || open === "*" || opened.has(group) || key?.startsWith(`${group}.`);
  fill(ui.tree, [...groups].map(([group, members]) => {
    const list = el("ul", null, members.map((row) => line(row, group, app)));
    if (!group) return list;
    const differing = members.filter((row) => row.otherwise).length;
    const own = members.filter((row) => mark(row) !== "same").length;
    const details = el("details", { open: Boolean(isOpen(group)) },
      el("summary", { "data-mark": group }, el("code", null, group), el("span.note", null, ` ${members.length === 1 ? "1 value" : `${members.length} values`}`), own ? el("span.note", null, `, ${own} set here`) : null,
        differing ? el("span.otherwise", null, ` ◑ ${differing} otherwise`) : null), list);
    details.addEventListener("toggle", () => {
      if (words.length || only || open === "*") return;
      details.open ? opened.add(group) : opened.delete(group);
      app.replace({ open: [...opened].filter(Boolean).join(",") });
    });
    return details;
  }), rows.length ? null : note("No matching values."));
  app.say(`${rows.length} values`);
}

// A value in the default situation.
const elsewhere = ({ text, position }) => otherwise(text === null ? "not set" : [el("code", null, text), " ", place(position) ?? "default"]);

// key = value -- where it comes from, as in a market file
function line(row, group, app) {
  const name = group ? row.key.slice(group.length + 1) : row.key;
  const query = new URLSearchParams({ ...app.parameters, key: row.key });
  const other = row.otherwise && el("div", null, elsewhere(row.otherwise));
  if (row.isAbsent) return el("li", null, el("code", null, `${name} = nil`), other);
  const kind = mark(row);
  const [sign, meaning] = marks[kind];
  return el(`li.${kind}${app.parameters.key === row.key ? ".chosen" : ""}`, null,
    el("span.sign", sign ? { role: "img", "aria-label": meaning, title: meaning } : null, sign),
    el("code", null, el("a", { href: `./#values?${query}`, "data-mark": row.key }, name), ` = ${row.text}`),
    el("span.comment", null, " -- ", row.beat.map((layer) => ["overrides ", el("s", { title: layer.text }, short(layer.text)), ` (${file(layer.position) ?? "default"}), `]),
      row.position ? place(row.position, row.position.split("/").at(-1).replace(/:\d+$/, "")) : "default"), other);
}

function panel(about, app, market) {
  if (!about) return fill(ui.panel, note("Select a key to see its details."));
  if (about instanceof Error) return fill(ui.panel, el("p.error", { role: "alert" }, about.message));
  const term = (name, value) => (value ? [el("dt", null, name), el("dd", null, value)] : null);
  const placed = (entry) => el("li", null, el("code", null, entry.found), " ", place(entry.position) ?? "default",
    entry.word ? el("span.note", null, ` ${entry.word}`) : null,
    entry.removed ? [" removed at ", place(entry.removed)] : null);
  fill(ui.panel, el("h3", null, el("code", null, about.key)), about.documentation ? el("p", null, about.documentation) : null,
    el("dl", null,
      term("value", el("code", null, about.found)),
      term("differs", about.otherwise && elsewhere(about.otherwise)),
      term("from", place(about.position) ?? (about.dropped ? null : "the default")), term("unset at", place(about.dropped)),
      term("accepts", about.accepts), term("applies on", about.appliesOn === "all" ? null : about.appliesOn),
      term("remote", about.isRemote ? "remote configuration may change it" : null),
      term("read by", about.readBy.length ? about.readBy.map((name, index) => [index ? ", " : "",
        el("a", { href: `./#services?${new URLSearchParams({ market, focus: name })}` }, name)]) : null)),
    about.beat.length ? [el("h4", null, "Overrides"), el("ul", null, about.beat.map(placed))] : null,
    about.alternatives.length ? [el("h4", null, "By situation, strongest first"), el("ol", null, about.alternatives.map((other) => el("li", null,
      other.holds ? "✔ " : "✖ ", el("code", null, lua(other.value)), " ", place(other.position),
      el("span.why", null, other.overlay && `overlay ${other.overlay}: `, other.why))))] : null,
    about.elements.length ? [el("h4", null, "Elements"), el("ol", null, about.elements.map(placed))] : null,
    about.removed.length ? [el("h4", null, "Removed elements"), el("ul", null, about.removed.map(placed))] : null);
}
