"use strict";
// The rows of an entity: searched, sorted, a page at a time.

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
  markFresh(body);
  const last = offset + page.rows.length;
  const range = page.count
    ? `${count(Math.min(offset + 1, last))} to ${count(last)} of ${count(page.count)}` : "No rows";
  const go = (to) => () => { location.hash = tableAddress(name, { where, sort, offset: to }); };
  const previous = element(
    "button", { id: "previous", type: "button", onclick: go(Math.max(0, offset - 50)) }, "Previous");
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
  if (typed) { field.focus(); field.setSelectionRange(typed.selectionStart, typed.selectionEnd); }
}

// Rows that have changed while they were shown.
function markFresh(body) {
  if (main.dataset.shown !== location.hash) return;
  const lines = [...main.querySelectorAll("tr[data-row]")];
  const known = new Map(lines.map((line) => [line.dataset.row, line.dataset.text]));
  for (const line of body.rows) {
    if (known.get(line.dataset.row) !== line.dataset.text) line.classList.add("fresh");
  }
  const selected = main.querySelector("tr[aria-selected=true]")?.dataset.row;
  for (const line of body.rows) if (line.dataset.row === selected) line.setAttribute("aria-selected", "true");
}
