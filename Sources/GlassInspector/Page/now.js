// The states of the markets, and their events.
import { el, fill, finding, note, place } from "/dom.js";
import { change } from "/compare.js";
import { isDefault } from "/situation.js";

export const title = "Now";
const words = {
  applied: ["✔", "good"], rejected: ["✖", "bad"], restored: ["↺", "good"], retired: ["−", "warn"],
};
const time = (text) => new Date(text).toLocaleTimeString();

export async function show(main, app) {
  const markets = app.state.markets;
  fill(main, el("h2", null, "Markets of ", el("code", null, app.state.folder)),
    markets.length ? el("div.columns", null, markets.map(card)) : note("This folder contains no markets."),
    el("h2", null, "Events"), isDefault() ? null : note("Changes are those of the default situation."),
    app.events.length ? el("ol.events", null, [...app.events].reverse().map(event)) : note("No events yet."));
}

function card(market) {
  const errors = market.findings.filter((found) => found.severity === "error").length;
  const state = market.isCurrent
    ? el("p", null, el("span.chip.good", null, "✔ in use"), ` ${market.revision}, since ${time(market.since)}`)
    : [el("p", null, el("span.chip.bad", null, "✖ broken on disk"), ` ${errors} ${errors === 1 ? "error" : "errors"}`),
      note(market.revision ? `The last good version, ${market.revision}, has been in use since ${time(market.since)}.`
        : "No valid version has loaded yet.")];
  return el(`article.card${market.isCurrent ? "" : ".broken"}`, { "data-market": market.id },
    el("h3", null, market.id, market.name ? el("span.note", null, ` ${market.name}`) : null), state,
    el("p", null, place(`${market.file}:1`)),
    market.findings.length ? el("ul.findings", null, market.findings.map(finding)) : null);
}

function event(happened) {
  const [sign, kind] = words[happened.event] ?? ["?", "warn"];
  const difference = happened.difference;
  const isFirst = happened.event === "applied" && !difference;
  return el("li", null, el("p", null, el("time", { datetime: happened.time }, time(happened.time)), " ",
    el(`span.chip.${kind}`, null, `${sign} ${isFirst ? "loaded" : happened.event}`), " ",
    el("strong", null, happened.market), happened.revision ? el("span.note", null, ` ${happened.revision.slice(0, 12)}`) : null),
  happened.event === "rejected" && happened.kept ? note(`${happened.kept.slice(0, 12)} stays in use`) : null,
  happened.findings?.length ? el("ul.findings", null, happened.findings.map(finding)) : null,
  difference ? (difference.keys.length + difference.links.length ? change(difference) : note("no relevant changes")) : null);
}
