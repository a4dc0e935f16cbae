// The keys that each market sets.
import { choice, el, fill, key, lua, note, search } from "/dom.js";
import { ask } from "/server.js";
import { isDefault } from "/situation.js";

const states = {
  declared: "●", inherited: "·", overridden: "◆", sameAgain: "=", removed: "−", missing: "○",
};
const meanings = {
  declared: "set in its own file, and in no base market", inherited: "set in a base market",
  overridden: "set in its own file to a different value", sameAgain: "set in its own file to the inherited value",
  removed: "removed with unset", missing: "set in another market, but not in this one",
};
const mostCells = 20000;
let ui = null;

export async function show(main, app, { signal, isNew }) {
  if (isNew) {
    ui = { bar: el("span"), table: el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Keys and markets" }) };
    ui.find = search("Find", app.parameters.find, (text) => {
      app.replace({ find: text });
      draw(app);
    });
    fill(main, el("div.bar", null, ui.find, ui.bar), el("ul.legend", null, Object.entries(states).map(([state, sign]) =>
      el("li", { title: meanings[state] }, el(`span.cell.${state}`, null, sign), ` ${state === "sameAgain" ? "same again" : state}`))), ui.table);
  }
  if (document.activeElement !== ui.find.lastChild) ui.find.lastChild.value = app.parameters.find ?? "";
  const { only = "all", show: what = "values" } = app.parameters;
  fill(ui.bar,
    choice("Only", only, ["all", ...Object.keys(states), ...(isDefault() ? [] : ["differing"])], (state) => app.go("values", { ...app.parameters, only: state === "all" ? "" : state })),
    choice("Cells", what, ["values", "states"], (next) => app.go("values", { ...app.parameters, show: next })));
  ui.matrix = await ask("matrix", {}, signal);
  draw(app);
}

function draw(app) {
  if (!ui.matrix) return;
  const { find = "", only, show: what = "values" } = app.parameters;
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const { markets } = ui.matrix;
  const rows = ui.matrix.rows.filter((row) => words.every((word) => row.key.toLowerCase().includes(word))
    && (!only || row.cells.some((cell) => (only === "differing" ? cell.otherwise : cell.state === only))));
  const shown = rows.slice(0, Math.max(20, Math.floor(mostCells / Math.max(1, markets.length))));
  fill(ui.table, el("table.matrix", null,
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "key"), markets.map((id) => el("th", { scope: "col" }, id)))),
    el("tbody", null, shown.map((row) => el("tr", null, el("th", { scope: "row" }, key(row.key)),
      row.cells.map((cell, index) => td(cell, row, markets[index], what)))))),
  shown.length < rows.length ? note(`${rows.length - shown.length} more; narrow the search.`) : null);
  app.say(`${rows.length} keys`);
}

const called = (cell) => (cell.state === "inherited" ? `inherited from ${cell.from}` : cell.state === "sameAgain" ? "same again" : cell.state);

function td(cell, row, market, what) {
  const query = new URLSearchParams({ market, key: row.key, find: row.key });
  const other = cell.otherwise;
  const otherValue = other && (other.value === null ? "" : ` ${short(lua(other.value))}`);
  const name = called(cell) + (other ? `, by default ${called(other)}${otherValue}` : "");
  const title = [name, cell.position, cell.state === "missing" && cell.defaultValue !== null ? `default ${lua(cell.defaultValue)}` : null]
    .filter(Boolean).join(", ");
  const sign = states[cell.state];
  const inside = [what === "values" && cell.value !== null
    ? [`${sign} `, el("code", null, short(lua(cell.value)))] : sign,
  other ? el("span.otherwise", null, "◑", what === "values" ? el("code", null, otherValue || ` ${other.state}`) : null) : null];
  const hasValue = cell.state !== "missing";
  return el(`td.cell.${cell.state}`, { title }, hasValue
    ? el("a", { href: `./#values?${query}`, "aria-label": `${market}: ${name}` }, inside)
    : el("span", { role: "img", "aria-label": `${market}: ${name}` }, inside));
}

const short = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
