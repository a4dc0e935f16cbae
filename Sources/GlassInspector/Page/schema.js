// Every key that a market can set.
import { el, fill, key, note, otherwise, search } from "/dom.js";
import { ask } from "/server.js";

let ui = null;

export async function show(main, app, { signal, isNew }) {
  if (isNew) {
    ui = { table: el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Keys" }) };
    ui.find = search("Find", app.parameters.find, (text) => {
      app.replace({ find: text });
      draw(app);
    });
    fill(main, el("div.bar", null, ui.find), ui.table);
  }
  if (document.activeElement !== ui.find.lastChild) ui.find.lastChild.value = app.parameters.find ?? "";
  ui.keys = (await ask("schema", {}, signal)).keys;
  draw(app);
}

function draw(app) {
  if (!ui.keys) return;
  const words = (app.parameters.find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const rows = ui.keys.filter((row) =>
    words.every((word) => `${row.key} ${row.documentation} ${row.accepts}`.toLowerCase().includes(word)));
  fill(ui.table, el("table.keys", null, el("thead", null, el("tr", null,
    ["key", "accepts", "default", "purpose", "set by"].map((name) => el("th", { scope: "col" }, name)))),
  el("tbody", null, rows.map((row) => el("tr", null,
    el("th", { scope: "row" }, el("code", null, key(row.key))),
    el("td", null, row.accepts),
    el("td", null, row.isRequired ? el("strong", null, "required") : row.defaultText !== null ? el("code", null, row.defaultText) : ""),
    el("td", null, row.documentation,
      row.appliesOn === "all" ? null : el("span.note", null, ` Platforms: ${row.appliesOn}.`),
      row.isRemote ? el("span.note", null, " Remote configuration may change it.") : null,
      row.formerNames.length ? el("span.note", null, ` Formerly ${row.formerNames.join(", ")}.`) : null),
    el("td", null, row.usedBy.map((id, index) => [index ? ", " : "", /[*[]/.test(row.key) ? id
      : el("a", { href: `./#values?${new URLSearchParams({ market: id, find: row.key })}` }, id)]),
      row.otherwise ? el("div", null, otherwise(row.otherwise.join(", ") || "no market")) : null))))),
  rows.length ? null : note("No matching keys."));
  app.say(`${rows.length} keys`);
}
