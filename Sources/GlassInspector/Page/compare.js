// Two markets side by side.
import { choice, el, fill, key, note, place } from "/dom.js";
import { ask } from "/server.js";

export const title = "Compare";
let ui = null;

export async function show(main, app, { signal, isNew }) {
  const ids = app.state.markets.map((market) => market.id);
  if (ids.length < 2) return fill(main, el("h2", null, title), note("There are no two markets to compare."));
  const { a = app.state.market, b = ids.find((id) => id !== a) } = app.parameters;
  if (isNew) {
    ui = { bar: el("div.bar"), result: el("section", { "aria-label": "Differences" }) };
    fill(main, el("h2.hidden", null, title), ui.bar, ui.result);
  }
  const pair = (one, other) => app.go("compare", { a: one, b: other });
  fill(ui.bar, choice("Market", a, ids, (id) => pair(id, b)), choice("with", b, ids, (id) => pair(a, id)),
    el("button", { type: "button", onclick: () => pair(b, a) }, "Swap"));
  const difference = await ask("compare", { a, b }, signal);
  const count = difference.keys.length + difference.links.length;
  fill(ui.result, el("p.note", null, `${difference.keys.length} keys and ${difference.links.length} routables differ.`),
    count ? change(difference) : null);
  app.say(`${count} differences`);
}

// The tables of a difference, of two markets or of two versions of one.
export function change(difference) {
  const head = (first) => el("thead", null, el("tr", null, el("th", { scope: "col" }, first),
    difference.labels.map((label) => el("th", { scope: "col" }, label))));
  return el("div.scroll", { tabindex: 0, role: "region", "aria-label": "What differs" },
    difference.keys.length ? el("table.diff", null, head("key"), el("tbody", null, difference.keys.map(keyRows))) : null,
    difference.links.length ? el("table.diff", null, head("links of"), el("tbody", null, difference.links.map((link) =>
      el("tr", null, el("th", { scope: "row" }, link.routable), link.sides.map((side) => el("td", null,
        side.links.length ? side.links.map((text) => el("div", null, el("code", null, text))) : el("span.note", null, "none"),
        side.waitsFor && new Set(link.sides.map((other) => other.waitsFor)).size > 1
          ? note(`waits for ${side.waitsFor}`) : null)))))) : null);
}

const text = (value) => JSON.stringify(value);

function keyRows(found) {
  const signs = { added: "+", removed: "−", changed: "~" };
  const name = (path) => el("th", { scope: "row" }, el(`span.sign.${found.kind}`, { title: found.kind }, signs[found.kind]), " ", key(path));
  if (!found.parts.length) {
    return el("tr", null, name(found.key), found.sides.map((side) => el("td", null,
      side.state === "value" ? el("code", null, text(side.value)) : el("span.note", null, side.state), " ", place(side.position))));
  }
  return found.parts.map((part) => el("tr", null, name(part.path), part.kind === "order"
    ? el("td", { colspan: found.sides.length }, el("span.note", null, "another order"))
    : part.sides.map((side) => el("td", null, part.kind === "values"
      ? (side.value === null ? el("span.note", null, "nothing") : el("code", null, text(side.value)))
      : (side.elements.length ? side.elements.map((element) => el("div", null, el("code", null, text(element))))
        : el("span.note", null, "nothing alone"))))));
}
