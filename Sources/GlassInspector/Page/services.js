// A diagram of a market's services, and the needs of one of them.
import { choice, el, fill, note } from "/dom.js";
import { ask } from "/server.js";

export const title = "Services";
let ui = null;
// The elements of the diagram. Any others are removed.
const elements = new Set(["svg", "g", "rect", "path", "text", "title", "defs", "marker"]);

export async function show(main, app, { signal, isNew }) {
  const ids = app.state.markets.map((market) => market.id);
  const { market = app.state.market, focus } = app.parameters;
  if (!market) return fill(main, el("h2", null, title), note("There are no markets."));
  if (isNew) {
    ui = {
      bar: el("div.bar"), picture: el("div.scroll.picture", { tabindex: 0, role: "region", "aria-label": "Services by area" }),
      panel: el("section.about", { "aria-label": "About the service" }), market: null,
    };
    fill(main, el("h2.hidden", null, title), ui.bar, ui.panel, ui.picture);
  }
  const [answer, picture] = await Promise.all([ask("services", { market }, signal), ask("picture", { market }, signal)]);
  if (signal.aborted) return;
  const names = answer.services.map((entry) => entry.service.name);
  fill(ui.bar, choice("Market", market, ids, (id) => app.go("services", { ...app.parameters, market: id })),
    choice("Focus", focus ?? "all", ["all", ...names], (name) => app.go("services", { market, focus: name === "all" ? "" : name })));
  draw(picture, answer, app, market);
  about(answer, focus, app, market);
}

function draw(text, answer, app, market) {
  const { focus } = app.parameters;
  const drawing = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  for (const element of drawing.querySelectorAll("*")) if (!elements.has(element.localName)) element.remove();
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", "Services by area; the services that a service needs are to its right");
  const chosen = answer.services.find((entry) => entry.service.name === focus);
  const near = chosen && new Set([focus, ...chosen.service.needs,
    ...answer.services.filter((entry) => entry.service.needs.includes(focus)).map((entry) => entry.service.name)]);
  for (const node of drawing.querySelectorAll("[data-service]")) {
    const { service } = node.dataset;
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", service + (node.classList.contains("changed") ? ", differs from the default situation" : ""));
    node.setAttribute("aria-pressed", String(service === focus));
    node.dataset.mark = `service ${service}`;
    if (near) node.classList.add(service === focus ? "focus" : near.has(service) ? "near" : "far");
    const choose = () => app.go("services", { market, focus: service === focus ? "" : service });
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }
  for (const edge of drawing.querySelectorAll("[data-from]")) {
    if (focus) edge.classList.add(edge.dataset.from === focus || edge.dataset.to === focus ? "near" : "far");
  }
  fill(ui.picture, drawing);
}

function about(answer, focus, app, market) {
  const entry = answer.services.find((other) => other.service.name === focus);
  const broken = answer.services.filter((other) => other.problem);
  const problems = broken.length ? el("ul.findings", null, broken.map((other) => el("li", null,
    el("strong.bad", null, "✖ "), other.service.name, ": ", other.problem))) : null;
  if (!entry) {
    return fill(ui.panel, problems, focus ? el("p.error", { role: "alert" }, `There is no service ${focus}.`)
      : note(`${answer.services.length} services. The services that a service needs are to its right; select one to see it alone. `
        + "A dashed box has its own container."));
  }
  const { service } = entry;
  const users = answer.services.filter((other) => other.service.needs.includes(focus)).map((other) => other.service.name);
  const names = (list) => (list.length ? list.map((name, index) => [index ? ", " : "",
    el("a", { href: `./#services?${new URLSearchParams({ market, focus: name })}` }, name)]) : "nothing");
  fill(ui.panel, problems, el("h3", null, service.name, el("span.note", null, ` ${entry.area}, ${service.scope}`)),
    el("p", null, service.summary), el("dl", null,
      el("dt", null, "needs"), el("dd", null, names(service.needs)),
      el("dt", null, "needed by"), el("dd", null, names(users)),
      entry.changed.length ? [el("dt", null, "differs in"), el("dd", null, el("span.otherwise", null, "◑ "), entry.changed.map((key) => [
        el("a", { href: `./#values?${new URLSearchParams({ market, key, find: key })}` }, el("code", null, key)), " "]))] : null,
      el("dt", null, "configured by"), el("dd", null, service.configuredBy.length
        ? service.configuredBy.map((key, index) => [index ? ", " : "",
          el("a", { href: `./#values?${new URLSearchParams({ market, find: key })}` }, el("code", null, key))]) : "nothing")));
}
