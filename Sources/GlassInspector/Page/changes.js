// What each save changed, the files since a commit, and two markets side by side.
import { choice, el, fill, finding, key, lua, moment, note, otherwise, place, search } from "/dom.js";
import { ask } from "/server.js";
import { isDefault } from "/situation.js";

export const title = "Changes";
const modes = ["saves", "files with a commit", "two markets"];
let ui = null;

export async function show(main, app, { signal, isNew, isChange }) {
  const { a, b, base } = app.parameters;
  const current = modes[base ? 1 : a || b ? 2 : 0];
  if (isNew) {
    ui = { bar: el("div.bar"), result: el("section", { "aria-label": "Changes" }) };
    fill(main, el("h2.hidden", null, title), ui.bar, ui.result);
  }
  const mode = choice("Show", current, modes, (name) =>
    app.go("changes", { [modes[1]]: { base: "HEAD" }, [modes[2]]: { a: app.state.market } }[name]));
  if (current === modes[2]) return showMarkets(app, mode, signal);
  // Keep what the user is typing when files are saved.
  if (isNew || !isChange || !base) fill(ui.bar, mode, base ? commitForm(app, base) : null);
  if (base) return showCommit(app, base, signal);
  fill(ui.result, isDefault() ? null : note("These changes are in the default situation."),
    app.events.length ? el("ol.events", null, [...app.events].reverse().map((happened) => event(happened, app))) : note("No events yet."));
}

const words = {
  applied: ["✔", "good", "saved"], rejected: ["✖", "bad", "rejected"], restored: ["↺", "good", "restored"],
  retired: ["−", "warn", "removed"],
};

function event(happened, app) {
  const [sign, kind, word] = words[happened.event] ?? ["?", "warn", happened.event];
  const { difference, market, findings } = happened;
  const isFirst = happened.event === "applied" && !difference;
  return el("li", null, el("p", null, el("time", { datetime: happened.time }, moment(happened.time)), " ",
    el(`span.chip.${kind}`, null, `${sign} ${isFirst ? "loaded" : word}`), " ",
    el("strong", null, app.state.markets.find((other) => other.id === market)?.name || market),
    happened.revision ? el("span.note", null, ` ${market} ${happened.revision.slice(0, 12)}`) : null),
  happened.event === "rejected" ? note(happened.kept ? `The last good version, ${happened.kept.slice(0, 12)}, stays in use.` : "There is no good version.") : null,
  findings?.length ? el("ul.findings", null, findings.map(finding)) : null,
  difference ? (difference.keys.length + difference.links.length ? change(difference) : note("No value or link of the default situation changed; conditions, comments, or layout did.")) : null);
}

async function showMarkets(app, mode, signal) {
  const ids = app.state.markets.map((market) => market.id);
  if (ids.length < 2) {
    fill(ui.bar, mode);
    return fill(ui.result, note("A comparison needs at least two markets."));
  }
  const { a = app.state.market, b = ids.find((id) => id !== a) } = app.parameters;
  const pair = (one, other) => app.go("changes", { ...app.parameters, a: one, b: other });
  const draw = () => drawMarkets(difference, app);
  const difference = await ask("compare", { a, b }, signal);
  const find = search("Find", app.parameters.find, (text) => {
    app.replace({ find: text });
    draw();
  });
  fill(ui.bar, mode, choice("Market", a, ids, (id) => pair(id, b)), choice("with", b, ids, (id) => pair(a, id)),
    el("button", { type: "button", onclick: () => pair(b, a) }, "Swap"), find);
  draw();
}

function drawMarkets({ keys, links, labels, onlyByDefault }, app) {
  const words = (app.parameters.find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const named = (id) => app.state.markets.find((market) => market.id === id)?.name || id;
  const found = { labels: labels.map(named), keys: keys.filter((row) => has(row.key)), links: links.filter((row) => has(`routables.${row.routable}`)) };
  const count = found.keys.length + found.links.length;
  fill(ui.result, el("p.note", null, `Different values: ${found.keys.length}. Routables with different links: ${found.links.length}.`),
    onlyByDefault?.length ? el("p", null, otherwise(`also ${onlyByDefault.join(", ")}`)) : null,
    count ? change(found) : null);
  app.say(`${count} differences`);
}

function commitForm(app, base) {
  const field = el("input", { value: base, "data-mark": "Commit", spellcheck: "false", autocomplete: "off" });
  return el("form", { onsubmit: (event) => {
    event.preventDefault();
    app.go("changes", { base: field.value.trim() || "HEAD" });
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
    found.witness ? el("p", null, el("a.link", { href: `./#links?${new URLSearchParams({ url: found.witness })}` }, found.witness)) : null,
    places.length ? el("p.place", null, places.join(" → ")) : null,
    found.accepted ? note(`accepted: ${found.accepted.reason}${found.accepted.expires ? `, until ${found.accepted.expires}` : ""}`) : null);
}

// The tables of differences between two markets or two versions of one.
function change(difference) {
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

const shown = (side) => (side.state === "value" ? el("code", null, lua(side.value)) : el("span.note", null, side.state));

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
      ? (side.value === null ? el("span.note", null, "nothing") : el("code", null, lua(side.value)))
      : (side.elements.length ? side.elements.map((element) => el("div", null, el("code", null, lua(element))))
        : el("span.note", null, "no other elements"))))));
}
