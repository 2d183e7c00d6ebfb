"use strict";
// Everything that comes from the store is put into the page as text, never as HTML.

const main = document.getElementById("main");
let overview = { entities: [], schema: [], version: 0 };
let drawing = 0;

function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(name, options = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(options)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

async function ask(path, values = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== "" && value !== null) query.set(key, value);
  }
  const response = await fetch(`api/${path}?${query}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

async function tell(path, body) {
  const response = await fetch(`api/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
}

// The view is in the fragment of the address, so that the browser's history works.

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view || "table", parts, values: new URLSearchParams(query ?? "") };
}

function tableAddress(entity, values = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value) query.set(key, value);
  return `#/table/${encodeURIComponent(entity)}${query.size ? `?${query}` : ""}`;
}

function rowAddress(entity, row) { return `#/row/${encodeURIComponent(entity)}/${row}`; }

function described(name) { return overview.schema.find((entity) => entity.name === name); }

function count(number) { return Number(number).toLocaleString("en-US"); }

function size(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) { bytes /= 1024; unit += 1; }
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function isNumber(type) { return /^(u?int|float|double|decimal)/.test(type); }
