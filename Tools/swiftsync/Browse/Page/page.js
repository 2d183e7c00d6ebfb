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

// MARK: Places. The view is in the fragment of the address, so that the browser's history works.

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

// MARK: Values

function valueNode(value, type) {
  if (value === null) return element("span", { class: "null" }, "null");
  if (type === "uuid" || type === "data" || type === "composite") return element("span", { class: "code" }, value);
  return document.createTextNode(value);
}

function linkNode(reference, destination) {
  if (reference === null) return element("span", { class: "null" }, "null");
  return element("a", { href: rowAddress(destination, reference.row) }, reference.label || `row ${reference.row}`);
}

function membersNode(members, destination, relationship, owner) {
  const shown = element("span", { class: owner ? "links" : "" });
  members.rows.forEach((row, index) => {
    if (index && !owner) shown.append(", ");
    shown.append(linkNode(row, destination));
  });
  const rest = members.count - members.rows.length;
  if (!members.count) shown.append(element("span", { class: "null" }, "none"));
  else if (rest && !owner) shown.append(` and ${count(rest)} more`);
  else if (rest) {
    let offset = members.rows.length;
    const more = element("button", { type: "button", onclick: async () => {
      const next = await ask("members", { ...owner, relationship, offset, limit: 100 });
      for (const row of next.rows) more.before(linkNode(row, destination));
      offset += next.rows.length;
      if (offset >= next.count || !next.rows.length) more.remove();
      else more.textContent = `${count(next.count - offset)} more`;
    } }, `${count(rest)} more`);
    shown.append(more);
  }
  return shown;
}

// MARK: Tables

async function showTable(at) {
  const name = at.parts[0] ?? overview.entities[0]?.name;
  const entity = described(name);
  if (!entity) return show("", heading(name ? `There is no table ${name}` : "The store has no tables"));
  const where = at.values.get("where") ?? "", sort = at.values.get("sort") ?? "";
  const offset = Number(at.values.get("offset") ?? 0);
  const number = drawing;
  let page = { count: 0, rows: [], plan: "" }, problem = "";
  try {
    page = await ask("rows", { entity: name, where, sort, offset });
  } catch (error) { problem = error.message; }
  if (number !== drawing) return;

  const field = element("input", {
    id: "search", type: "search", value: where, spellcheck: "false", autocomplete: "off",
    placeholder: "A predicate: name CONTAINS[c] 'a' AND age > 20", "aria-label": `Search ${name}, by a predicate`,
    "aria-invalid": problem ? "true" : undefined, "aria-describedby": "note",
  });
  const typed = document.activeElement?.id === "search" ? document.activeElement : null;
  if (typed && main.dataset.entity === name) field.value = typed.value;
  const form = element("form", { class: "search", role: "search", onsubmit: (event) => {
    event.preventDefault();
    location.hash = tableAddress(name, { where: field.value.trim(), sort });
  } }, field, element("button", {}, "Search"));

  const head = element("tr", {}, element("th", { scope: "col", class: "number" }, "Row"));
  const properties = [
    ...entity.attributes.map((one) => ({ ...one, kind: one.type, isAttribute: true })),
    ...(entity.relationships ?? []).map((one) => ({ ...one, kind: `${one.toMany ? "many " : ""}${one.destination}` })),
  ];
  for (const property of properties) {
    const sorted = sort === property.name ? "ascending" : sort === `-${property.name}` ? "descending" : undefined;
    const sign = sorted === "ascending" ? " ↑" : sorted === "descending" ? " ↓" : "";
    const next = sorted === "ascending" ? `-${property.name}` : sorted === "descending" ? "" : property.name;
    const label = property.isAttribute && !["composite", "data"].includes(property.type)
      ? element("button", { type: "button", title: "Sort", onclick: () => {
        location.hash = tableAddress(name, { where, sort: next });
      } }, property.name + sign) : property.name;
    head.append(element("th", {
      scope: "col", "aria-sort": sorted, class: isNumber(property.type ?? "") ? "number" : "",
    }, label, element("span", { class: "kind" }, property.kind)));
  }
  const body = element("tbody");
  for (const row of page.rows) {
    const line = element("tr", { "data-row": row.row, "data-text": JSON.stringify(row.values) }, element(
      "th", { scope: "row", class: "number" }, element("a", { href: rowAddress(name, row.row) }, `${row.row}`)));
    row.values.forEach((value, index) => {
      const property = properties[index];
      const cell = element("td", { class: isNumber(property.type ?? "") ? "number" : "" });
      if (property.isAttribute) cell.append(valueNode(value, property.type));
      else if (property.toMany) cell.append(membersNode(value, property.destination));
      else cell.append(linkNode(value, property.destination));
      line.append(cell);
    });
    body.append(line);
  }
  markFresh(body, name, at);
  const last = offset + page.rows.length;
  const range = page.count ? `${count(Math.min(offset + 1, last))} to ${count(last)} of ${count(page.count)}` : "No rows";
  const go = (to) => () => { location.hash = tableAddress(name, { where, sort, offset: to }); };
  const previous = element("button", { id: "previous", type: "button", onclick: go(Math.max(0, offset - 50)) }, "Previous");
  const following = element("button", { id: "next", type: "button", onclick: go(offset + 50) }, "Next");
  previous.disabled = offset === 0;
  following.disabled = last >= page.count;
  show("table", heading(name), form,
    element("p", { class: problem ? "note bad" : "note", id: "note", role: "status" },
      problem || (where || sort ? page.plan.split("\n").join("; ") : "")),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Rows of ${name}` },
      element("table", { class: "rows" }, element("caption", { class: "skip" }, `Rows of ${name}`),
        element("thead", {}, head), body)),
    element("div", { class: "pager" }, element("span", {}, range), previous, following));
  main.dataset.entity = name;
  main.dataset.address = location.hash;
  if (typed) { field.focus(); field.setSelectionRange(typed.selectionStart, typed.selectionEnd); }
}

// Rows that have changed while they were shown.
function markFresh(body, name) {
  if (main.dataset.address !== location.hash || main.dataset.entity !== name) return;
  const known = new Map([...main.querySelectorAll("tr[data-row]")].map((line) => [line.dataset.row, line.dataset.text]));
  for (const line of body.rows) {
    if (known.get(line.dataset.row) !== line.dataset.text) line.classList.add("fresh");
  }
  const selected = main.querySelector("tr[aria-selected=true]")?.dataset.row;
  for (const line of body.rows) if (line.dataset.row === selected) line.setAttribute("aria-selected", "true");
}

// MARK: One row

async function showRow(at) {
  const [name, row] = at.parts;
  const entity = described(name);
  const number = drawing;
  const found = await ask("row", { entity: name, row });
  if (number !== drawing) return;
  const body = element("tbody");
  const fields = new Map();
  entity.attributes.forEach((attribute, index) => {
    const value = found.values[index];
    const cell = element("td");
    const isEdited = overview.writable && attribute.type !== "data";
    if (isEdited) {
      const field = element("input", {
        value: value ?? "", placeholder: "null", "aria-label": attribute.name, "data-name": attribute.name,
      });
      // What was cut can't be given back whole.
      if (value !== null && (value.includes("\n") || value.length > 65000)) cell.append(valueNode(value, attribute.type));
      else { cell.className = "edit"; cell.append(field); fields.set(attribute.name, { field, value }); }
    } else cell.append(valueNode(value, attribute.type));
    body.append(element("tr", {}, element("th", { scope: "row" }, attribute.name, element(
      "span", { class: "kind" }, ` ${attribute.type}${attribute.optional ? "?" : ""}`)), cell));
  });
  (entity.relationships ?? []).forEach((relationship, index) => {
    const value = found.values[entity.attributes.length + index];
    const cell = element("td", {}, relationship.toMany
      ? membersNode(value, relationship.destination, relationship.name, { entity: name, row })
      : linkNode(value, relationship.destination));
    body.append(element("tr", {}, element("th", { scope: "row" }, relationship.name, element(
      "span", { class: "kind" }, ` ${relationship.toMany ? `many ${relationship.destination}, ${count(value.count)}` : relationship.destination}`)), cell));
  });
  const note = element("p", { class: "note", role: "status" });
  const nodes = [
    heading(found.label, `${name}, row ${row}`),
    element("div", { class: "scroll" }, element("table", { class: "detail" }, body)),
  ];
  if (overview.writable) nodes.push(actions(name, Number(row), fields, note), note);
  nodes.push(element("h3", {}, "Record ", element("span", { class: "quiet" }, `${count(found.byteCount)} bytes as stored`)),
    element("div", { class: "scroll" }, element("pre", { class: "bytes", tabindex: "0", "aria-label": "Bytes" }, dump(found.bytes))));
  show("row", ...nodes);
}

function actions(entity, row, fields, note) {
  const attempt = async (work, done) => {
    try { await work(); note.className = "note"; note.textContent = done; } catch (error) {
      note.className = "note bad";
      note.textContent = error.message;
    }
  };
  const save = element("button", { type: "button", id: "save", onclick: () => attempt(async () => {
    const values = {};
    for (const [name, { field, value }] of fields) {
      // An empty field is null where there was null, and the empty text otherwise.
      if (field.value !== (value ?? "")) values[name] = field.value;
    }
    await tell("edit", { entity, row, values });
    for (const [name, edited] of fields) if (name in values) edited.value = values[name];
  }, "Saved.") }, "Save");
  const remove = element("button", { type: "button", class: "danger", id: "delete", onclick: () => {
    if (remove.dataset.sure) return attempt(async () => {
      await tell("delete", { entity, row });
      location.hash = tableAddress(entity);
    }, "");
    remove.dataset.sure = "yes";
    remove.textContent = "Delete for good?";
  } }, "Delete");
  return element("div", { class: "actions" }, save, remove);
}

function dump(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 32) {
    const pairs = bytes.slice(start, start + 32).match(/../g);
    const text = pairs.map((pair) => {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
    }).join("");
    const address = (start / 2).toString(16).padStart(4, "0");
    lines.push(`${address}  ${pairs.slice(0, 8).join(" ").padEnd(23)}  ${pairs.slice(8).join(" ").padEnd(23)}  ${text}`);
  }
  return lines.join("\n");
}

// MARK: Schema

function showSchema() {
  const parts = [heading("Schema"), diagram()];
  for (const entity of overview.schema) {
    const body = element("tbody");
    const line = (name, kind, more) => body.append(element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: "code" }, kind), element("td", { class: "quiet" }, more.filter(Boolean).join(", "))));
    for (const one of entity.attributes) {
      line(one.name, one.type + (one.optional ? "?" : ""), [
        entity.identity === one.name && "identity", one.unique && "unique", one.externalStorage && "external storage",
        one.preserveValueOnDeletion && "kept on deletion", one.remoteKey && `from ${one.remoteKey}`]);
    }
    for (const one of entity.relationships ?? []) {
      line(one.name, one.toMany ? `[${one.destination}]` : `${one.destination}${one.optional ? "?" : ""}`, [
        one.inverse && `inverse ${one.inverse}`, one.deleteRule, one.remoteKey && `from ${one.remoteKey}`]);
    }
    parts.push(element("h3", { id: `schema-${entity.name}` }, element("a", { href: tableAddress(entity.name) }, entity.name)),
      element("div", { class: "scroll" }, element("table", { class: "detail" }, body)));
  }
  show("schema", ...parts);
}

// Boxes in columns, neighbours first, and a curve for each pair of directions.
function diagram() {
  const width = 210, gap = 90, line = 19, head = 28, shownMax = 14;
  const left = [...overview.schema], order = [];
  const isNear = (one, other) => (one.relationships ?? []).some((link) => link.destination === other.name)
    || (other.relationships ?? []).some((link) => link.destination === one.name);
  while (left.length) {
    const at = Math.max(0, left.findIndex((entity) => order.some((placed) => isNear(placed, entity))));
    order.push(...left.splice(at, 1));
  }
  const columns = Math.min(4, Math.ceil(Math.sqrt(order.length * 1.4)));
  const bottoms = Array(columns).fill(10), boxes = new Map();
  for (const entity of order) {
    const names = [...entity.attributes.map((one) => [one.name, one.type]),
      ...(entity.relationships ?? []).map((one) => [one.name, one.toMany ? `[${one.destination}]` : one.destination])];
    const height = head + Math.min(names.length, shownMax + 1) * line + 8;
    const column = bottoms.indexOf(Math.min(...bottoms));
    boxes.set(entity.name, { entity, names, height, x: 40 + column * (width + gap), y: bottoms[column], column });
    bottoms[column] += height + 36;
  }
  const picture = drawn("svg", {
    viewBox: `0 0 ${columns * (width + gap) + 20} ${Math.max(...bottoms)}`, role: "img",
    "aria-label": "A box for each entity and a line for each relationship; the tables below say the same.",
    width: columns * (width + gap) + 20,
  });
  // At the line of the relationship, if the box has room for it.
  const anchor = (box, name) => {
    const index = box.names.findIndex((one) => one[0] === name);
    return index < 0 ? box.y + head / 2 : box.y + head + 11 + Math.min(index, shownMax) * line;
  };
  const seen = new Set();
  for (const box of boxes.values()) for (const link of box.entity.relationships ?? []) {
    const other = boxes.get(link.destination);
    const key = [`${box.entity.name}.${link.name}`, `${link.destination}.${link.inverse}`].sort().join(" ");
    if (!other || seen.has(key)) continue;
    seen.add(key);
    const from = anchor(box, link.name), to = anchor(other, link.inverse);
    const isFar = Math.abs(box.column - other.column) > 1, low = Math.max(...bottoms) + 20;
    const isSame = box.column === other.column;
    const isRight = box.x < other.x;
    const start = isSame ? box.x : isRight ? box.x + width : box.x;
    const end = isSame ? other.x : isRight ? other.x : other.x + width;
    const bend = isSame ? -34 : isRight ? 45 : -45;
    const title = drawn("title", {}, `${box.entity.name}.${link.name} to ${link.destination}`);
    picture.append(drawn("path", {
      d: `M${start} ${from} C${start + bend} ${isFar ? low : from} ${isSame ? end + bend : end - bend} ${isFar ? low : to} ${end} ${to}`,
    }, title));
  }
  for (const { entity, names, height, x, y } of boxes.values()) {
    picture.append(
      drawn("rect", { class: "box", x, y, width, height, rx: 7 }),
      drawn("rect", { class: "head", x: x + 1, y: y + 1, width: width - 2, height: head - 2, rx: 6 }),
      drawn("text", { class: "title", x: x + 10, y: y + 18 }, clipped(entity.name, 26)));
    const shown = names.length > shownMax + 1 ? names.slice(0, shownMax) : names;
    shown.forEach(([name, kind], index) => {
      const at = y + head + 15 + index * line;
      picture.append(drawn("text", { x: x + 10, y: at }, clipped(name, 17)),
        drawn("text", { class: "soft", x: x + width - 10, y: at, "text-anchor": "end" }, clipped(kind, 13)));
    });
    if (shown.length < names.length) {
      picture.append(drawn("text", { class: "soft", x: x + 10, y: y + head + 15 + shownMax * line },
        `and ${names.length - shownMax} more`));
    }
  }
  return picture;
}

function clipped(text, length) { return text.length > length ? `${text.slice(0, length - 1)}…` : text; }

// MARK: History

async function showHistory(at) {
  const number = drawing;
  const before = at.values.get("before");
  const history = await ask("history", { before });
  if (number !== drawing) return;
  const body = element("tbody");
  for (const one of history.transactions) {
    const changes = element("td");
    for (const entity of one.entities) for (const kind of ["inserted", "updated", "deleted"]) {
      const { count: total, rows } = entity[kind];
      if (!total) continue;
      const line = element("div", {}, `${entity.name} ${kind}: `);
      rows.forEach((row, index) => line.append(index ? ", " : "", kind === "deleted" || !described(entity.name)
        ? `${row}` : element("a", { href: rowAddress(entity.name, row) }, `${row}`)));
      if (total > rows.length) line.append(` and ${count(total - rows.length)} more`);
      changes.append(line);
    }
    body.append(element("tr", {}, element("th", { scope: "row", class: "number" }, `${one.transaction}`),
      element("td", {}, one.time.replace("T", " ").replace(/\.\d+Z$/, "")), element("td", {}, one.author ?? ""), element("td", {}, one.writer ?? ""),
      changes));
  }
  const labels = ["Transaction", "Time (UTC)", "Author", "Program", "Changes"];
  const older = element("button", { type: "button", id: "next", onclick: () => {
    location.hash = `#/history?before=${history.next + 1}`;
  } }, "Older");
  older.disabled = history.next <= history.oldest;
  const newest = element("button", { type: "button", id: "previous", onclick: () => { location.hash = "#/history"; } }, "Newest");
  newest.disabled = !before;
  show("history", heading("History"),
    element("p", { class: "note" }, history.last === history.oldest ? "The history has no transactions."
      : `The store remembers transactions ${count(history.oldest + 1)} to ${count(history.last)}.`),
    activity(history.transactions),
    element("div", { class: "scroll" }, element("table", {}, element("caption", { class: "skip" }, "Transactions"),
      element("thead", {}, element("tr", {}, ...labels.map((label, index) => element("th", { scope: "col", class: index ? "" : "number" }, label)))),
      body)),
    element("div", { class: "pager" }, element("span"), newest, older));
}

// How many rows each of the transactions that are listed has changed.
function activity(transactions) {
  const sums = transactions.map((one) => one.entities.reduce((sum, entity) =>
    sum + entity.inserted.count + entity.updated.count + entity.deleted.count, 0)).reverse();
  const most = Math.max(1, ...sums), height = 70, step = 14;
  const picture = drawn("svg", {
    viewBox: `0 0 720 ${height + 26}`, width: 720, role: "img",
    "aria-label": `Rows changed by each of ${sums.length} transactions, ${most} at most; the table below has them.`,
  }, drawn("line", { x1: 0, x2: 720, y1: height, y2: height }),
    drawn("text", { class: "soft", x: 0, y: height + 18 }, `Rows changed by each transaction, ${count(most)} at most`));
  sums.forEach((sum, index) => {
    const tall = sum ? Math.max(2, (sum / most) * (height - 4)) : 0;
    picture.append(drawn("rect", { class: "column", x: index * step, y: height - tall, width: step - 4, height: tall, rx: 1 }));
  });
  return picture;
}

// MARK: Statistics

async function showStatistics() {
  const number = drawing;
  const statistics = await ask("statistics");
  if (number !== drawing) return;
  const facts = element("tbody");
  const fact = (name, value) => facts.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
  fact("Folder", overview.path);
  fact("Identifier", statistics.identifier);
  fact("Formats", `store ${statistics.storeFormat}, records ${statistics.recordFormat}`);
  fact("Pages", `${count(statistics.pagesUsed)} of ${size(statistics.pageBytes)} have been used`);
  fact("Other readers", count(statistics.readers));
  const tables = statistics.entities.flatMap((entity) => [
    ...entity.indexes.map((index) => [`${index.unique ? "unique " : ""}index of ${entity.name} on ${index.attributes.join(", ")}`, index.bytes]),
    ...entity.links.map((link) => [`links of ${link.name}`, link.bytes])]);
  show("statistics", heading("Statistics"),
    element("div", { class: "scroll" }, element("table", { class: "detail" }, facts)),
    ...bars("Rows", statistics.entities.map((one) => [one.name, one.rows]), count),
    ...bars("Bytes of records", statistics.entities.map((one) => [one.name, one.bytes]), size),
    ...bars("Bytes of indexes and links", tables, size),
    ...bars("Files", statistics.files.map((one) => [one.name, one.bytes]), size));
}

function bars(title, items, written) {
  const most = Math.max(1, ...items.map((item) => item[1]));
  const body = element("tbody");
  for (const [name, value] of items) {
    const bar = element("div");
    bar.style.width = `${(value / most) * 100}%`;
    body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, written(value)),
      element("td", { class: "bar", "aria-hidden": "true" }, bar)));
  }
  return [element("h3", {}, title), element("div", { class: "scroll" }, element("table", { class: "bars detail" },
    element("caption", { class: "skip" }, title), body))];
}

// MARK: The page

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
  const views = { table: showTable, row: showRow, schema: showSchema, history: showHistory, statistics: showStatistics };
  try {
    await (views[at.view] ?? showTable)(at);
  } catch (error) {
    if (number === drawing) show("", heading("This can't be shown"), element("p", { class: "note bad" }, error.message));
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
  .catch((error) => show("", heading("This can't be shown"), element("p", { class: "note bad" }, error.message)));
