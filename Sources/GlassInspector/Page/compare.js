// Two markets side by side, or the effects of changes to the files since a commit.
import { choice, el, fill, key, note, otherwise, place } from "/dom.js";
import { ask } from "/server.js";
import { isDefault } from "/situation.js";

export const title = "Compare";
const modes = ["two markets", "files with a commit"];
let ui = null;

export async function show(main, app, { signal, isNew, isChange }) {
  const { base } = app.parameters;
  if (isNew) {
    ui = { bar: el("div.bar"), result: el("section", { "aria-label": "Differences" }) };
    fill(main, el("h2.hidden", null, title), ui.bar, ui.result);
  }
  const mode = choice("Compare", modes[base ? 1 : 0], modes,
    (name) => app.go("compare", name === modes[1] ? { base: "HEAD" } : {}));
  if (!base) return showMarkets(app, mode, signal);
  // Keep what the user is typing when files are saved.
  if (isNew || !isChange) fill(ui.bar, mode, commitForm(app, base));
  await showCommit(app, base, signal);
}

async function showMarkets(app, mode, signal) {
  const ids = app.state.markets.map((market) => market.id);
  if (ids.length < 2) {
    fill(ui.bar, mode);
    return fill(ui.result, note("A comparison needs at least two markets."));
  }
  const { a = app.state.market, b = ids.find((id) => id !== a) } = app.parameters;
  const pair = (one, other) => app.go("compare", { a: one, b: other });
  fill(ui.bar, mode, choice("Market", a, ids, (id) => pair(id, b)), choice("with", b, ids, (id) => pair(a, id)),
    el("button", { type: "button", onclick: () => pair(b, a) }, "Swap"));
  const difference = await ask("compare", { a, b }, signal);
  const count = difference.keys.length + difference.links.length;
  fill(ui.result, el("p.note", null, `${difference.keys.length} keys and ${difference.links.length} routables differ.`),
    difference.onlyByDefault?.length ? el("p", null, otherwise(`also ${difference.onlyByDefault.join(", ")}`)) : null,
    count ? change(difference) : null);
  app.say(`${count} differences`);
}

function commitForm(app, base) {
  const field = el("input", { value: base, "data-mark": "Commit", spellcheck: "false", autocomplete: "off" });
  return el("form", { onsubmit: (event) => {
    event.preventDefault();
    app.go("compare", { base: field.value.trim() || "HEAD" });
  } }, el("label", null, "Commit ", field), " ", el("button", null, "Compare"));
}

async function showCommit(app, base, signal) {
  let review;
  try {
    review = await ask("review", { base }, signal);
  } catch (error) {
    if (signal.aborted) return;
    // The field remains, so that the user can enter another commit.
    return fill(ui.result, error.message.split("\n").map((line) => el("p.error", { role: "alert" }, line)));
  }
  const { breaking, risky, note: notes, accepted } = review.counts;
  fill(ui.result,
    el("p.note", null, `${breaking} breaking, ${risky} risky, ${notes} ${notes === 1 ? "note" : "notes"}`,
      accepted ? `, ${accepted} accepted` : "", `; from ${review.base.name} (${review.base.commit.slice(0, 7)}) to the current files.`),
    isDefault() ? null : note("The review covers every situation."),
    review.notices.map((text) => note(text)), el("ul.findings", null, review.changes.map(told)));
  app.say(`${review.changes.length} changes`);
}

const severities = { breaking: ["✖", "bad"], risky: ["▲", "warn"], note: ["·", "dim"] };
const at = (position) => position && `${position.file}:${position.line}${position.column ? `:${position.column}` : ""}`;

function told(found) {
  const [sign, kind] = found.accepted ? ["✔", "good"] : severities[found.severity];
  const places = [at(found.before), at(found.after)].filter(Boolean);
  return el("li.finding", { "data-rule": found.rule },
    el("p", null, el(`strong.${kind}`, null, `${sign} ${found.severity}`), " ", el("strong", null, [found.market, ...found.alsoIn].join(", ")),
      " ", el("span.note", null, found.rule)),
    el("p", null, found.summary),
    found.witness ? el("p", null, el("a.link", { href: `./#link?${new URLSearchParams({ url: found.witness })}` }, found.witness)) : null,
    places.length ? el("p.place", null, places.join(" → ")) : null,
    found.accepted ? note(`accepted: ${found.accepted.reason}${found.accepted.expires ? `, until ${found.accepted.expires}` : ""}`) : null);
}

// The tables of differences between two markets or two versions of one.
export function change(difference) {
  const head = (first) => el("thead", null, el("tr", null, el("th", { scope: "col" }, first),
    difference.labels.map((label) => el("th", { scope: "col" }, label))));
  return el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Differing keys and links" },
    difference.keys.length ? el("table.diff", null, head("key"), el("tbody", null, difference.keys.map(keyRows))) : null,
    difference.links.length ? el("table.diff", null, head("links of"), el("tbody", null, difference.links.map((link) =>
      el("tr", null, el("th", { scope: "row" }, link.routable), link.sides.map((side) => el("td", null,
        side.links.length ? side.links.map((text) => el("div", null, el("code", null, text))) : el("span.note", null, "none"),
        side.otherwise && el("div", null, otherwise(side.otherwise.links.map((text) => [el("code", null, text), ", "]),
          side.otherwise.links.length ? `waits for ${side.otherwise.waitsFor}` : "none")),
        side.waitsFor && new Set(link.sides.map((other) => other.waitsFor)).size > 1
          ? note(`waits for ${side.waitsFor}`) : null)))))) : null);
}

const text = (value) => JSON.stringify(value);

const shown = (side) => (side.state === "value" ? el("code", null, text(side.value)) : el("span.note", null, side.state));

function keyRows(found) {
  const signs = { added: "+", removed: "−", changed: "~" };
  const name = (path) => el("th", { scope: "row" }, el(`span.sign.${found.kind}`, { title: found.kind }, signs[found.kind]), " ", key(path));
  if (!found.parts.length || found.sides.some((side) => side.otherwise)) {
    return el("tr", null, name(found.key), found.sides.map((side) => el("td", null,
      shown(side), " ", place(side.position), side.otherwise && el("div", null, otherwise(shown(side.otherwise))))));
  }
  return found.parts.map((part) => el("tr", null, name(part.path), part.kind === "order"
    ? el("td", { colspan: found.sides.length }, el("span.note", null, "different order"))
    : part.sides.map((side) => el("td", null, part.kind === "values"
      ? (side.value === null ? el("span.note", null, "nothing") : el("code", null, text(side.value)))
      : (side.elements.length ? side.elements.map((element) => el("div", null, el("code", null, text(element))))
        : el("span.note", null, "no other elements"))))));
}
