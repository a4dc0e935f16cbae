// The frame of the page: selects the view, keeps its state in the URL, and updates it after a save.
import { el, fill, note, useEditor, visible } from "/dom.js";
import { ask, enter, follow, Gone } from "/server.js";
import * as links from "/links.js";
import * as values from "/values.js";
import * as services from "/services.js";
import * as changes from "/changes.js";
import * as situation from "/situation.js";

const views = { links, values, services, changes };
// The views that bookmarks of earlier versions name.
const former = {
  link: ["links"], now: ["changes"], matrix: ["values", { in: "markets" }], schema: ["values", { in: "keys" }],
  compare: ["changes"],
};
const main = document.getElementById("main");
const nav = document.getElementById("views");
const connection = document.getElementById("connection");
const app = { state: null, events: [], parameters: {}, go, replace, refresh, say };
let shown = null;
let asked = null;

// #values?market=us&find=retry
function read() {
  const [name, query] = location.hash.slice(1).split("?");
  const parameters = Object.fromEntries(new URLSearchParams(query));
  if (!Object.hasOwn(former, name)) return [Object.hasOwn(views, name) ? name : "links", parameters];
  const [view, extra] = former[name];
  // A comparison needs a market.
  if (name === "compare" && !parameters.base) parameters.a ||= app.state.market;
  return [view, { ...extra, ...parameters }];
}
function address(name, parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value)).toString();
  return `#${name}${query ? `?${query}` : ""}`;
}
function go(name, parameters = {}) {
  location.hash = address(name, parameters);
}
// Changes the state of the current view without adding a history entry for each keystroke.
function replace(parameters) {
  app.parameters = Object.fromEntries(Object.entries({ ...app.parameters, ...parameters }).filter(([, value]) => value));
  history.replaceState(null, "", address(read()[0], app.parameters));
}
function say(text) {
  document.getElementById("said").textContent = visible(text);
}

async function show(isChange) {
  const [name, parameters] = read();
  const isNew = name !== shown;
  shown = name;
  app.parameters = parameters;
  if (location.hash && !location.hash.startsWith(`#${name}`)) history.replaceState(null, "", address(name, parameters));
  document.title = `${views[name].title} · Glass host`;
  for (const anchor of nav.children) {
    anchor.toggleAttribute("aria-current", false);
    if (anchor.dataset.view === name) anchor.setAttribute("aria-current", "page");
  }
  const mark = document.activeElement?.dataset.mark;
  // A save must not close what the user has opened.
  const opened = isChange ? [...main.querySelectorAll("details[open] > summary[data-mark]")].map((summary) => summary.dataset.mark) : [];
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  try {
    await views[name].show(main, app, { signal, isNew, isChange });
  } catch (error) {
    if (signal.aborted) return;
    // The next call builds the view again.
    shown = null;
    fill(main, el("h2", null, views[name].title), el("p.error", { role: "alert" }, error.message));
  }
  if (signal.aborted) return;
  for (const { parentElement, dataset } of main.querySelectorAll("summary[data-mark]")) parentElement.open ||= opened.includes(dataset.mark);
  // The focused element was replaced.
  if (mark && document.activeElement === document.body) {
    main.querySelector(`[data-mark="${CSS.escape(mark)}"]`)?.focus({ preventScroll: true });
  }
  main.dataset.view = name;
}

let pending = null;
// Saving many files causes many events, but only one update.
function refresh() {
  pending ??= (async () => {
    await Promise.resolve();
    pending = null;
    await load();
    await show(true);
  })().catch(failed);
  return pending;
}

async function load() {
  let state, lost;
  // A save may remove an attribute that the page sets.
  while (!state) {
    state = await ask("state").catch((error) => {
      if (!situation.drop(error)) throw error;
      lost = error.message;
    });
  }
  use(state, lost);
}

function use(state, failure) {
  app.state = state;
  app.events = state.events;
  situation.draw(state.situation, zoneOf(state), change, failure);
  useEditor(state.editor, state.root);
  const broken = state.markets.filter((market) => !market.isCurrent).length;
  const badge = nav.querySelector(".badge");
  badge.textContent = broken ? String(broken) : "";
  badge.title = broken ? `${broken} broken on disk` : "";
}

let latest = 0;
// Shows everything in another situation, if the server accepts it.
async function change(next) {
  const number = ++latest;
  try {
    const state = await ask("state", {}, undefined, next);
    // Another change followed.
    if (number !== latest) return;
    situation.take(next);
    use(state);
    await show(false);
  } catch (error) {
    if (number !== latest) return;
    situation.tell(error);
    situation.draw(app.state.situation, zoneOf(app.state), change, error.attribute ? null : error.message);
    say(error.message);
  }
}

function failed(error) {
  const advice = error instanceof Gone ? "" : " Is the command still running?";
  fill(main, el("h2", null, "No access"), el("p.error", { role: "alert" }, `${error.message}.${advice}`),
    note("Open the URL that glass-host inspect printed; it contains the access token."));
}

async function start() {
  fill(nav, Object.entries(views).map(([name, view], index) => el("a", {
    href: `./#${name}`, "data-view": name, title: `${view.title} (${index + 1})`,
  }, view.title, name === "links" ? el("span.badge") : null)));
  const token = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (token) {
    // Remove the token from the URL first, so that it isn't stored in the history.
    history.replaceState(null, "", "#links");
    await enter(token[1]);
  }
  await load();
  addEventListener("hashchange", () => show(false));
  document.addEventListener("keydown", keys);
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  follow(refresh, (isConnected) => {
    connection.className = isConnected ? "good" : "bad";
    connection.textContent = isConnected ? "● updates on save" : "○ not connected";
  });
  await show(false);
}

// Digits select a view; / focuses the view's field.
function keys(event) {
  const field = event.target.closest("input, select, textarea");
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  const name = Object.keys(views)[Number(event.key) - 1];
  if (name) {
    go(name);
  } else if (event.key === "/") {
    event.preventDefault();
    main.querySelector("input")?.focus();
  }
}

start().catch(failed);

// The zone of dates: that of the market that commands use, or the first one that has one.
function zoneOf({ market, markets }) {
  return (markets.find(({ id, zone }) => id === market && zone) ?? markets.find(({ zone }) => zone))?.zone;
}
