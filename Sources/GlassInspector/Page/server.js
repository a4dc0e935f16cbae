// Communicates with the server: requests, and the stream of events.
import { current } from "/situation.js";

export class Gone extends Error {}

async function answer(response) {
  if (response.ok) return response;
  let failure = { error: `the server returned ${response.status}` };
  try {
    failure = await response.json();
  } catch {
    // The body isn't JSON, so there is no better message.
  }
  throw Object.assign(new (response.status === 401 ? Gone : Error)(failure.error), { attribute: failure.attribute });
}

export const enter = async (token) => answer(await fetch("/api/session", { headers: { "X-Glass-Token": token } }));

const query = (parameters) =>
  Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

// A header has ASCII only.
const header = (situation) => ({ "X-Glass-Situation": JSON.stringify(situation)
  .replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) });

export async function ask(what, parameters = {}, signal, situation = current()) {
  const response = await answer(await fetch(`/api/${what}?${query(parameters)}`, { signal, headers: header(situation) }));
  return what === "picture" ? response.text() : response.json();
}

export async function askLink(link, hold, signal) {
  return (await answer(await fetch("/api/link", {
    method: "POST", signal, headers: { "Content-Type": "application/json", ...header(current()) }, body: JSON.stringify({ link, hold }),
  }))).json();
}

// One stream per page, and none while the page is hidden: a browser opens at most six connections to a host for all of
// its tabs.
export function follow(changed, connected) {
  let source = null;
  let last = "";
  let retry = 0;
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    source = new EventSource(`/api/events?after=${encodeURIComponent(last)}`);
    const seen = (event) => (last = event.lastEventId || last);
    source.addEventListener("hello", (event) => {
      // A page that reconnects receives the events that it missed after this one, so don't skip them.
      if (!last) seen(event);
      connected(true);
    });
    source.addEventListener("reset", () => {
      last = "";
      changed(null);
    });
    source.onmessage = (event) => {
      seen(event);
      changed(JSON.parse(event.data));
    };
    source.onerror = () => {
      connected(false);
      // The request was rejected rather than interrupted: the browser doesn't reconnect by itself.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 2000);
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  if (!document.hidden) open();
}
