"use strict";
// Which view is shown, that it stays true, and keys.

function heading(title, more) {
  document.title = `${title} – ${(overview.path ?? "").split("/").pop()}`;
  return element("h2", {}, title, ...(more ? [" ", element("span", { class: "kind" }, more)] : []));
}

function show(view, ...nodes) {
  const inner = main.querySelector(".scroll");
  const [top, innerTop, innerLeft] = [main.scrollTop, inner?.scrollTop, inner?.scrollLeft];
  const isSame = main.dataset.shown === location.hash;
  main.className = view;
  main.replaceChildren(...nodes);
  main.removeAttribute("aria-busy");
  main.scrollTop = isSame ? top : 0;
  const scroll = main.querySelector(".scroll");
  if (isSame && scroll) { scroll.scrollTop = innerTop ?? 0; scroll.scrollLeft = innerLeft ?? 0; }
  main.dataset.shown = location.hash;
}

function showProblem(error) {
  show("", heading("This can't be shown"), element("p", { class: "note bad", role: "alert" }, error.message));
}

function showEntities(current) {
  const list = document.getElementById("entities");
  const focused = document.activeElement?.dataset?.entity;
  list.replaceChildren(...overview.entities.map((entity) => element("a", {
    href: tableAddress(entity.name), "aria-current": entity.name === current ? "page" : undefined,
    "data-entity": entity.name,
  }, element("span", {}, entity.name), element("span", { "aria-label": `${entity.rows} rows` }, count(entity.rows)))));
  if (focused) [...list.children].find((link) => link.dataset.entity === focused)?.focus();
}

async function draw() {
  drawing += 1;
  const number = drawing;
  const at = place();
  const isTable = at.view === "table" || at.view === "row";
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.dataset.view === (isTable ? "table" : at.view)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showEntities(isTable ? at.parts[0] ?? overview.entities[0]?.name : undefined);
  const views = {
    table: showTable, row: showRow, schema: showSchema, history: showHistory, statistics: showStatistics,
  };
  try {
    await (views[at.view] ?? showTable)(at);
  } catch (error) {
    if (number === drawing) showProblem(error);
  }
}

async function load() {
  overview = await ask("store");
  const name = overview.path.split("/").pop();
  const title = document.getElementById("store");
  title.textContent = name;
  title.title = overview.path;
}

function state(kind, text) {
  document.getElementById("live").className = kind;
  const shown = document.getElementById("live-text");
  if (shown.textContent !== text) shown.textContent = text;
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function follow() {
  while (true) {
    try {
      const news = await ask("changes", { since: overview.version });
      if (news.gone) return state("gone", "The store was closed, removed or replaced");
      state("on", "Live");
      if (news.version !== overview.version) {
        await load();
        // What is being edited is not taken away.
        if (!main.querySelector("td.edit")) await draw();
        await pause(200);
      }
    } catch {
      state("gone", "No answer from swiftsync");
      await pause(2000);
    }
  }
}

function move(step) {
  const lines = [...main.querySelectorAll("tr[data-row]")];
  if (!lines.length) return;
  const now = lines.findIndex((line) => line.getAttribute("aria-selected") === "true");
  const next = lines[Math.min(lines.length - 1, Math.max(0, now + step))];
  lines[now]?.removeAttribute("aria-selected");
  next.setAttribute("aria-selected", "true");
  next.querySelector("a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && isTyping) return event.target.blur();
  if (isTyping || document.getElementById("help").open) return;
  const click = (id) => document.getElementById(id)?.click();
  const keys = {
    "/": () => document.getElementById("search")?.focus(),
    j: () => move(1), k: () => move(-1), n: () => click("next"), p: () => click("previous"), u: () => history.back(),
    "?": () => document.getElementById("help").showModal(),
    1: () => { location.hash = "#/"; }, 2: () => { location.hash = "#/schema"; },
    3: () => { location.hash = "#/history"; }, 4: () => { location.hash = "#/statistics"; },
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

window.addEventListener("hashchange", () => { if (location.hash !== "#main") draw(); });
load().then(async () => { await draw(); state("on", "Live"); follow(); })
  .catch(showProblem);
