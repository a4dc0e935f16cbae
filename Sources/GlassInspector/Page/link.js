// The outcome of a link in each market.
import { el, fill, finding, note, otherwise, outcome } from "/dom.js";
import { askLink } from "/server.js";

export const title = "Link";
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
  fill(ui.preconditions, el("legend", null, "Satisfied preconditions"), names.map((name) => el("label", null,
    el("input", {
      type: "checkbox", checked: !held.has(name), "data-mark": `hold ${name}`,
      onchange: (event) => {
        event.target.checked ? held.delete(name) : held.add(name);
        app.go("link", { url: ui.input.value, hold: [...held].join(",") });
      },
    }), " ", name)));
  ui.preconditions.hidden = !names.length;
  drawHistory(app);
  if (!url) {
    const schemes = app.state.markets.flatMap((market) => market.schemes.slice(0, 1));
    fill(ui.result, note("Enter a link to see its outcome in each market. The markets have the schemes ",
      schemes.map((scheme, index) => [index ? ", " : "", el("code", null, `${scheme}://`)]), "."));
    return;
  }
  const answer = await askLink(url, [...held], signal);
  remember(url);
  drawHistory(app);
  fill(ui.result, el("div.columns", null, answer.markets.map((column) => card(column, answer, app, hold))));
  app.say(answer.owner ? `${answer.owner} opens the link` : "no market opens the link");
}

function build(main, app) {
  ui = {
    input: el("input", {
      type: "text", id: "url", name: "url", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
      placeholder: "scheme://path or https://…", maxlength: 8192,
    }),
    preconditions: el("fieldset.switches"),
    history: el("div.history"),
    result: el("section", { "aria-label": "Outcomes by market" }),
  };
  const form = el("form.ask", {
    onsubmit: (event) => {
      event.preventDefault();
      app.go("link", { ...app.parameters, url: ui.input.value.trim() });
    },
  }, el("label", { for: "url" }, "Link"), ui.input, el("button", { type: "submit" }, "Open"));
  fill(main, el("h2.hidden", null, title), form, ui.preconditions, ui.history, ui.result);
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
  href: `./#link?${new URLSearchParams({ url, ...(app.parameters.hold ? { hold: app.parameters.hold } : {}) })}`,
}, url);

function card(column, answer, app) {
  const market = app.state.markets.find((other) => other.id === column.market);
  const head = el("h3", null, column.market, market?.name ? el("span.note", null, ` ${market.name}`) : null);
  const why = column.explanation;
  if (!why) {
    return el("article.card.broken", null, head, note("No valid version has loaded yet."),
      el("ul.findings", null, (market?.findings ?? []).map(finding)));
  }
  const result = column.dispatch ?? why;
  const owns = answer.owner === column.market;
  return el(`article.card${owns ? ".taker" : ""}`, null, head,
    el("p", null, outcome(result.outcome), " ", column.dispatch?.routable
      ? el("a", { href: `./#values?${new URLSearchParams({ market: column.market, find: `routables.${column.dispatch.routable}` })}` },
        column.dispatch.routable) : null,
    column.dispatch?.pattern ? el("code.dim", null, ` ${column.dispatch.pattern}`) : null),
    column.dispatch && goal(column.dispatch),
    column.otherwise ? el("p", null, otherwise(outcome(column.otherwise.outcome), " ", column.otherwise.routable,
      column.otherwise.reason ? ` ${column.otherwise.reason}` : null), " ", goal(column.otherwise)) : null,
    column.note ? note(column.note) : null,
    column.translated ? el("p", null, "Equivalent link: ", anchor(column.translated, app)) : null,
    column.untranslated ? note(column.untranslated) : null,
    why.nearMisses.length ? el("p", null, "Did you mean ", why.nearMisses.map((miss, index) => [index ? ", " : "",
      anchor(answer.link.replace(miss.written, () => miss.suggestion), app)]), "?") : null,
    el("dl", null,
      row("gate", why.refusal ? `refused: ${why.refusal}` : "passed"),
      row("scheme", why.scheme), row("host", why.host),
      row("segments", why.segments.join(" | ")),
      why.reason ? row(why.outcome === "waiting" ? "waits for" : "reason", why.reason) : null),
    why.candidates.length ? el("ol.candidates", { "aria-label": "Candidates" }, why.candidates.map((candidate) =>
      el(`li${candidate.wins ? ".wins" : ""}`, null, el("span", null, candidate.wins ? "✔ " : "✖ "),
        el("code", null, candidate.pattern), ` ${candidate.routable}`, el("span.why", null, candidate.reason)))) : null);
}

const row = (name, value) => (value ? [el("dt", null, name), el("dd", null, value)] : null);

function goal(dispatch) {
  const screens = dispatch.navigation.screens;
  const parameters = Object.entries({ ...dispatch.parameters });
  const visited = dispatch.outcome === "routed"
    ? el("p.goal", null, [`tab ${dispatch.navigation.tab}`, ...screens.map((screen) => screen.name)].join(" › ")) : null;
  const shown = screens.at(-1)?.parameters ?? {};
  return [visited, el("dl", null,
    parameters.map(([name, value]) => row(`:${name}`, value)),
    dispatch.query.map((item) => row(`?${item.name}`, item.value ?? "—")),
    Object.entries(shown).filter(([name]) => !(name in dispatch.parameters)).map(([name, value]) => row(name, value)))];
}
