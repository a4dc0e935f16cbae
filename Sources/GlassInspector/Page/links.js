// Each market on a card or, with a link, what the link does in each market, in one sentence.
import { el, fill, finding, inWords, moment, note, otherwise, place } from "/dom.js";
import { askLink } from "/server.js";

export const title = "Links";
let ui = null;
let history = [];
try {
  history = JSON.parse(sessionStorage.getItem("links")) ?? [];
} catch {
  // Storage is disabled: the history lasts as long as the page.
}

export async function show(main, app, { signal, isNew }) {
  const { url = "", hold = "" } = app.parameters;
  const held = new Set(hold.split(",").filter(Boolean));
  if (isNew) build(main, app);
  if (document.activeElement !== ui.input) ui.input.value = url;
  const names = [...new Set(app.state.markets.flatMap((market) => market.preconditions))];
  fill(ui.preconditions, el("legend", null, "Assume that"), names.map((name) => el("label", null,
    el("input", {
      type: "checkbox", checked: !held.has(name), "data-mark": `hold ${name}`,
      onchange: (event) => {
        event.target.checked ? held.delete(name) : held.add(name);
        app.go("links", { url: ui.input.value, hold: [...held].join(",") });
      },
    }), " ", app.state.preconditions[name] ?? name)));
  ui.preconditions.hidden = !url || !names.length;
  drawHistory(app);
  if (!url) return cards(app);
  const answer = await askLink(url, [...held], signal);
  remember(url);
  drawHistory(app);
  const own = answer.markets.filter((column) => column.sentence?.kind !== "foreign");
  const others = answer.markets.filter((column) => column.sentence?.kind === "foreign");
  fill(ui.result, el("h2", null, "What ", el("code", null, url), " does"), el("div.columns", null,
    [...own, ...others].map((column) => card(column, answer, app))),
  el("p", null, el("a", { href: "./#links" }, "Back to all markets")));
  app.say(own.map((column) => `${named(app, column.market)}: ${column.sentence?.text ?? "broken"}`).join(" ") || "No market has this link.");
}

function build(main, app) {
  ui = {
    input: el("input", {
      type: "text", id: "url", name: "url", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
      placeholder: "Paste a link, such as https://…", maxlength: 8192,
    }),
    preconditions: el("fieldset.switches"),
    history: el("div.history"),
    result: el("section", { "aria-label": "Markets" }),
  };
  const form = el("form.ask", {
    onsubmit: (event) => {
      event.preventDefault();
      app.go("links", { ...app.parameters, url: ui.input.value.trim() });
    },
  }, el("label", { for: "url" }, "Link"), ui.input, el("button", { type: "submit" }, "Check"));
  fill(main, form, ui.preconditions, ui.history, ui.result);
}

function remember(url) {
  history = [url, ...history.filter((other) => other !== url)].slice(0, 8);
  try {
    sessionStorage.setItem("links", JSON.stringify(history));
  } catch {
    // As above.
  }
}

function drawHistory(app) {
  const others = history.filter((url) => url !== app.parameters.url);
  fill(ui.history, others.length ? el("span.note", null, "Recent: ") : null,
    others.map((url) => [anchor(url, app), " "]));
}

const anchor = (url, app) => el("a.link", {
  href: `./#links?${new URLSearchParams({ url, ...(app.parameters.hold ? { hold: app.parameters.hold } : {}) })}`,
}, url);

const named = (app, id) => app.state.markets.find((other) => other.id === id)?.name || id;
const head = (app, id) => el("h3", null, named(app, id), el("span.note", null, ` ${id}`));
const row = (name, value) => (value ? [el("dt", null, name), el("dd", null, value)] : null);
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// A sentence has a color and a sign, so that it doesn't depend on color alone.
const signs = {
  opens: ["✔", "good"], waits: ["◷", "warn"], external: ["↗", "warn"], foreign: ["–", "dim"], unmatched: ["✖", "bad"],
  refused: ["⊘", "bad"], failed: ["✖", "bad"],
};
function said({ kind, text }) {
  const [sign, color] = signs[kind] ?? signs.waits;
  return el(`p.said.${color}`, null, el("span", { "aria-hidden": "true" }, `${sign} `), text);
}

// MARK: Answers

function card(column, answer, app) {
  const market = app.state.markets.find((other) => other.id === column.market);
  const why = column.explanation;
  if (!why) {
    return el("article.card.broken", null, head(app, column.market), el("p.said.bad", null, "✖ No valid version has loaded yet."),
      el("ul.findings", null, (market?.findings ?? []).map(finding)));
  }
  const isOwner = answer.owner === column.market;
  return el(`article.card.answer${isOwner ? ".taker" : ""}`, { "data-market": column.market }, head(app, column.market), said(column.sentence),
    column.otherwise ? el("p", null, otherwise(column.otherwise.sentence.text)) : null,
    column.translated ? el("p", null, `${named(app, column.market)}’s own link for this is `, anchor(column.translated, app), ".") : null,
    column.untranslated && answer.owner ? note(`${named(app, column.market)} has no equivalent link.`) : null,
    why.nearMisses.length ? el("p", null, "Did you mean ", why.nearMisses.map((miss, index) => [index ? ", " : "",
      anchor(answer.link.replace(miss.written, () => miss.suggestion), app)]), "?") : null,
    details(column, why));
}

// How the market decided, for developers.
function details(column, why) {
  const result = column.dispatch ?? why;
  const dispatch = column.dispatch;
  return el("details.how", null, el("summary", { "data-mark": `how ${column.market}` }, "Details"), el("dl", null,
    row("outcome", result.outcome + (result.reason ? `: ${result.reason}` : "")),
    dispatch?.routable ? row("routable", [el("a", {
      href: `./#values?${new URLSearchParams({ market: column.market, find: `routables.${dispatch.routable}` })}`,
    }, dispatch.routable), " ", el("code.dim", null, dispatch.pattern)]) : null,
    dispatch?.outcome === "routed" ? row("goes to", goal(dispatch)) : null,
    Object.entries({ ...dispatch?.parameters }).map(([name, value]) => row(`:${name}`, value)),
    (dispatch?.query ?? []).map((item) => row(`?${item.name}`, item.value ?? "—")),
    Object.entries({ ...dispatch?.navigation.screens.at(-1)?.parameters })
      .filter(([name]) => !(name in dispatch.parameters)).map(([name, value]) => row(name, value)),
    row("gate", why.refusal ? `refused: ${why.refusal}` : "passed"),
    row("scheme", why.scheme), row("host", why.host), row("segments", why.segments.join(" | "))),
  column.note ? note(column.note) : null,
  column.untranslated ? note(column.untranslated) : null,
  why.candidates.length ? el("ol.candidates", { "aria-label": "Candidates" }, why.candidates.map((candidate) =>
    el(`li${candidate.wins ? ".wins" : ""}`, null, el("span", null, candidate.wins ? "✔ " : "✖ "),
      el("code", null, candidate.pattern), ` ${candidate.routable}`, el("span.why", null, candidate.reason)))) : null);
}

const goal = ({ navigation }) => [`tab ${navigation.tab}`, ...navigation.screens.map((screen) => screen.name)].join(" › ");

// MARK: Cards

function cards(app) {
  // A broken market comes first.
  const markets = [...app.state.markets].sort((a, b) => a.isCurrent - b.isCurrent);
  if (!markets.length) return fill(ui.result, note("This folder contains no markets."));
  const broken = markets.filter((market) => !market.isCurrent);
  const groups = [...new Set(markets.map((market) => market.group ?? ""))];
  const isOpen = markets.length <= 6;
  const heading = broken.length === 0 ? `${count(markets.length, "market")}, none broken`
    : broken.length === 1 ? `${named(app, broken[0].id)} has been broken since ${moment(broken[0].brokenSince)}`
      : `${broken.length} of ${markets.length} markets are broken: ${broken.map((market) => named(app, market.id)).join(", ")}`;
  fill(ui.result, el("h2", null, heading),
  groups.map((group) => [group ? el("h2", null, `Based on ${group}`) : null,
    el("div.columns", null, markets.filter((market) => (market.group ?? "") === group).map((market) => marketCard(market, app, isOpen)))]));
  app.say(count(markets.length, "market"));
}

// Errors are shown at once, and warnings on demand.
function health({ id, findings, isCurrent, brokenSince, revision }) {
  const errors = findings.filter((found) => found.severity === "error");
  const warnings = findings.filter((found) => found.severity !== "error");
  const list = (some) => el("ul.findings", null, some.map(finding));
  return [
    isCurrent ? null : [el("p.said.bad", null, `✖ Broken since ${moment(brokenSince)}: ${count(errors.length, "error")}`),
      note(revision ? "The last good version is in use." : "No valid version has loaded yet."), list(errors)],
    isCurrent && !warnings.length ? el("p.said.good", null, "✔ No problems") : null,
    warnings.length ? el("details", null,
      el("summary.said.warn", { "data-mark": `warnings ${id}` }, `▲ ${count(warnings.length, "warning")}`), list(warnings)) : null];
}

function marketCard(market, app, isOpen) {
  const { id, lastChange } = market;
  const more = [
    el("h4", null, "Links to try"), market.links.length ? el("ul", null, market.links.map((url) => el("li", null, anchor(url, app)))) : note("None."),
    el("h4", null, "Flags"), market.flags.length ? el("ul", null, market.flags.map(flag)) : note("None."),
    market.flagCount > market.flags.length ? el("p", null, el("a", { href: `./#values?${new URLSearchParams({ market: id, find: "flags" })}` }, `All ${market.flagCount} flags`)) : null,
    market.overlays.length ? [el("h4", null, "Situation"), el("p", null, `These overlays apply: ${market.overlays.join(", ")}.`)] : null,
  ];
  return el(`article.card${market.isCurrent ? "" : ".broken"}`, { "data-market": id }, head(app, id), health(market),
    el("p", null, el("strong", null, "Last change: "), lastChange ? [moment(lastChange.time), ": ", el("a", { href: "./#changes" }, lastChange.lines.join("; ")),
      lastChange.count > lastChange.lines.length ? ` and ${lastChange.count - lastChange.lines.length} more` : ""]
      : market.since ? `none since ${moment(market.since)}, when this page started` : "none"),
    market.coming.length ? [el("h4", null, "What is coming in the next 90 days"), el("ul.coming", null, market.coming.map(({ date, lines }) =>
      el("li", null, el("strong", null, `${inWords(date, market.zone)}: `), lines.join(" "))))] : null,
    isOpen ? more : el("details", null, el("summary", { "data-mark": `more ${id}` }, "Links, flags and situation"), more),
    el("p.foot", null, el("a", { href: `/sheet?${new URLSearchParams({ market: id })}` }, "Link sheet"),
      el("a", { href: `./#values?${new URLSearchParams({ market: id })}` }, "Values"),
      market.base ? el("a", { href: `./#changes?${new URLSearchParams({ a: market.base, b: id })}` }, `Compared with ${named(app, market.base)}`) : null,
      place(`${market.file}:1`)));
}

const flag = ({ name, purpose, value, rules, why }) => el("li.flag", null,
  el("code", null, name), " ", el("strong", null, value), " in this situation ", el("span.note", null, `(${why})`), ". ", purpose,
  rules.length > 1 ? el("span.note", null, " The first line that applies decides:") : null, el("ul", null, rules.map((rule) => el("li.dim", null, rule))));
